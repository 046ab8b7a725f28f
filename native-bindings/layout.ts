/**
 * Structures as offset tables over plain memory: the fastest way in and out of native code, and comparable with a C
 * compiler field by field (`test/fixtures/bindings/structs.c`).
 *
 *     const info = MONITORINFOEXW.alloc({ cbSize: MONITORINFOEXW.size });
 *     if (user32.GetMonitorInfoW(monitor, info)) MONITORINFOEXW.read(info).szDevice;
 *     info.readInt32LE(MONITORINFOEXW.at.rcMonitor + RECT.at.left);   // where every nanosecond counts
 *
 * Fields follow the rules of C on 64-bit Windows: each at a multiple of its alignment, the whole padded to the largest.
 * `narrow` is the same structure as 32-bit programs have it, for memory of such a program.
 */
import { readMemory } from './library.ts';

interface Scalar<T, W = T> {
  readonly size: number;
  readonly align: number;
  readonly read: (memory: Buffer, at: number) => T;
  readonly write: (memory: Buffer, value: W, at: number) => void;
  /** As 32-bit programs have it; absent: the same. */
  readonly narrow?: Scalar<T, W>;
}

const scalar = <T, W = T>(
  size: number,
  align: number,
  read: Scalar<T, W>['read'],
  write: Scalar<T, W>['write'],
): Scalar<T, W> => ({ size, align, read, write });
const signed = scalar<number, number | bigint>(
  8,
  8,
  (m, at) => Number(m.readBigInt64LE(at)),
  (m, v, at) => {
    m.writeBigInt64LE(BigInt.asIntN(64, BigInt(v)), at);
  },
);
const unsigned = scalar<number, number | bigint>(
  8,
  8,
  (m, at) => Number(m.readBigUInt64LE(at)),
  (m, v, at) => {
    m.writeBigUInt64LE(BigInt.asUintN(64, BigInt(v)), at);
  },
);
const signed32 = scalar<number, number | bigint>(
  4,
  4,
  (m, at) => m.readInt32LE(at),
  (m, v, at) => {
    m.writeInt32LE(Number(BigInt.asIntN(32, BigInt(v))), at);
  },
);
const unsigned32 = scalar<number, number | bigint>(
  4,
  4,
  (m, at) => m.readUInt32LE(at),
  (m, v, at) => {
    m.writeUInt32LE(Number(BigInt.asUintN(32, BigInt(v))), at);
  },
);

const SCALARS = {
  int8: scalar<number>(
    1,
    1,
    (m, at) => m.readInt8(at),
    (m, v, at) => {
      m.writeInt8(v, at);
    },
  ),
  uint8: scalar<number>(
    1,
    1,
    (m, at) => m.readUInt8(at),
    (m, v, at) => {
      m.writeUInt8(v, at);
    },
  ),
  int16: scalar<number>(
    2,
    2,
    (m, at) => m.readInt16LE(at),
    (m, v, at) => {
      m.writeInt16LE(v, at);
    },
  ),
  uint16: scalar<number>(
    2,
    2,
    (m, at) => m.readUInt16LE(at),
    (m, v, at) => {
      m.writeUInt16LE(v, at);
    },
  ),
  int32: scalar<number>(
    4,
    4,
    (m, at) => m.readInt32LE(at),
    (m, v, at) => {
      m.writeInt32LE(v, at);
    },
  ),
  uint32: scalar<number>(
    4,
    4,
    (m, at) => m.readUInt32LE(at),
    (m, v, at) => {
      m.writeUInt32LE(v, at);
    },
  ),
  /** BOOL. */
  bool: scalar<boolean>(
    4,
    4,
    (m, at) => m.readInt32LE(at) !== 0,
    (m, v, at) => {
      m.writeInt32LE(v ? 1 : 0, at);
    },
  ),
  int64: scalar<bigint, number | bigint>(8, 8, (m, at) => m.readBigInt64LE(at), signed.write),
  uint64: scalar<bigint, number | bigint>(8, 8, (m, at) => m.readBigUInt64LE(at), unsigned.write),
  /** FILETIME: 100 ns since 1601, aligned like its two halves. */
  filetime: scalar<bigint>(
    8,
    4,
    (m, at) => m.readBigUInt64LE(at),
    (m, v, at) => {
      m.writeBigUInt64LE(v, at);
    },
  ),
  intptr: signed,
  uintptr: unsigned,
  handle: signed,
  hwnd: signed,
  /** An address, 0n = NULL. Memory it points to must be kept alive by the caller. */
  ptr: scalar<bigint>(
    8,
    8,
    (m, at) => m.readBigUInt64LE(at),
    (m, v, at) => {
      m.writeBigUInt64LE(v, at);
    },
  ),
  float: scalar<number>(
    4,
    4,
    (m, at) => m.readFloatLE(at),
    (m, v, at) => {
      m.writeFloatLE(v, at);
    },
  ),
  double: scalar<number>(
    8,
    8,
    (m, at) => m.readDoubleLE(at),
    (m, v, at) => {
      m.writeDoubleLE(v, at);
    },
  ),
} as const;

/** What is of another size in 32-bit programs. Their handles are sign-extended where 64-bit ones are expected. */
const NARROW: Readonly<Record<string, Scalar<any, any>>> = {
  intptr: signed32,
  uintptr: unsigned32,
  handle: signed32,
  hwnd: signed32,
  ptr: scalar<bigint>(4, 4, (m, at) => BigInt(m.readUInt32LE(at)), unsigned32.write),
};

/** A fixed array of UTF-16 units, read up to its NUL. */
export function chars(count: number): Scalar<string> {
  return scalar(
    count * 2,
    2,
    (m, at) => {
      const text = m.toString('utf16le', at, at + count * 2);
      const end = text.indexOf('\0');
      return end < 0 ? text : text.slice(0, end);
    },
    (m, v, at) => {
      m.fill(0, at, at + count * 2);
      m.write(v.slice(0, count - 1), at, 'utf16le');
    },
  );
}

/**
 * A fixed array of bytes; reading copies. `align`: the alignment of the type it represents; `narrow`: how many they are
 * in 32-bit programs.
 */
export function bytes(count: number, align = 1, narrow = count): Scalar<Buffer, Uint8Array> {
  const sized = scalar<Buffer, Uint8Array>(
    count,
    align,
    (m, at) => Buffer.from(m.subarray(at, at + count)),
    (m, v, at) => {
      m.set(v.subarray(0, count), at);
    },
  );
  return narrow === count ? sized : { ...sized, narrow: bytes(narrow, align) };
}

type FieldType = keyof typeof SCALARS | Scalar<any, any> | Layout<any>;
/** A member of a union: at an offset that another member has too. */
interface Placed<T extends FieldType> {
  readonly offset: number;
  readonly type: T;
}
type Field = FieldType | Placed<FieldType>;
export type Fields = Readonly<Record<string, Field>>;

/** Puts a field at a given offset, for unions; the next one follows it. */
export function at<const T extends FieldType>(offset: number, type: T): Placed<T> {
  return { offset, type };
}

type TypeOf<F> = F extends Placed<infer T> ? T : F;
type ReadOf<F> =
  TypeOf<F> extends infer T
    ? T extends keyof typeof SCALARS
      ? ReturnType<(typeof SCALARS)[T]['read']>
      : T extends Layout<infer L>
        ? Values<L>
        : T extends Scalar<infer V, any>
          ? V
          : never
    : never;
type WriteOf<F> =
  TypeOf<F> extends infer T
    ? T extends keyof typeof SCALARS
      ? Parameters<(typeof SCALARS)[T]['write']>[1]
      : T extends Layout<infer L>
        ? Partial<Writable<L>>
        : T extends Scalar<any, infer W>
          ? W
          : never
    : never;
/** A structure as an object. */
type Values<F extends Fields> = { [K in keyof F]: ReadOf<F[K]> };
type Writable<F extends Fields> = { [K in keyof F]: WriteOf<F[K]> };

export interface Layout<F extends Fields> {
  readonly kind: 'layout';
  /** The structure's name in the headers. */
  readonly name: string;
  readonly size: number;
  readonly align: number;
  /** Offset of each field. */
  readonly at: { readonly [K in keyof F]: number };
  /** Bytes of each field, for comparison with a compiler. */
  readonly sizes: { readonly [K in keyof F]: number };
  /** The same in 32-bit programs. */
  readonly narrow: Layout<F>;
  /** Zeroed memory for one, or for `count` in a row, with these fields set in the first. */
  alloc(values?: Partial<Writable<F>>, count?: number): Buffer;
  read(memory: Buffer, at?: number): Values<F>;
  /** Sets the given fields, leaves the others. */
  write(memory: Buffer, values: Partial<Writable<F>>, at?: number): void;
  /** Reads one at an address of this process (what a callback was given). */
  readAt(address: bigint | number): Values<F>;
}

const isLayout = (type: FieldType): type is Layout<any> => typeof type === 'object' && 'kind' in type;
const isPlaced = (field: Field): field is Placed<FieldType> => typeof field === 'object' && 'offset' in field;

/** Any type as size, alignment, reader and writer. */
function scalarOf(type: FieldType, isNarrow: boolean): Scalar<any, any> {
  if (typeof type === 'string') return (isNarrow ? NARROW[type] : undefined) ?? (SCALARS[type] as Scalar<any, any>);
  if (!isLayout(type)) return (isNarrow ? type.narrow : undefined) ?? type;
  const inner = isNarrow ? type.narrow : type;
  return {
    size: inner.size,
    align: inner.align,
    read: (m, o) => inner.read(m, o),
    write: (m, v, o) => {
      inner.write(m, v, o);
    },
  };
}

/** Declares a structure. */
export const layout = <const F extends Fields>(name: string, fields: F): Layout<F> => make(name, fields, false);

function make<const F extends Fields>(name: string, fields: F, isNarrow: boolean): Layout<F> {
  const offsets: Record<string, number> = {};
  const sizes: Record<string, number> = {};
  const parts: { key: string; offset: number; type: Scalar<any, any> }[] = [];
  let end = 0;
  let align = 1;
  let next = 0;
  for (const [key, field] of Object.entries(fields)) {
    const type = scalarOf(isPlaced(field) ? field.type : field, isNarrow);
    const offset = isPlaced(field) ? field.offset : Math.ceil(next / type.align) * type.align;
    offsets[key] = offset;
    sizes[key] = type.size;
    parts.push({ key, offset, type });
    next = offset + type.size;
    end = Math.max(end, next);
    align = Math.max(align, type.align);
  }
  const size = Math.ceil(end / align) * align;
  const byKey = new Map(parts.map((part) => [part.key, part]));
  let narrow: Layout<F> | undefined;
  const self: Layout<F> = {
    kind: 'layout',
    name,
    size,
    align,
    at: offsets as Layout<F>['at'],
    sizes: sizes as Layout<F>['sizes'],
    get narrow() {
      return isNarrow ? self : (narrow ??= make(name, fields, true));
    },
    alloc(values, count = 1) {
      const memory = Buffer.alloc(size * count);
      if (values) self.write(memory, values);
      return memory;
    },
    read(memory, start = 0) {
      const values: Record<string, unknown> = {};
      for (const { key, offset, type } of parts) values[key] = type.read(memory, start + offset);
      return values as Values<F>;
    },
    write(memory, values, start = 0) {
      for (const [key, value] of Object.entries(values)) {
        const part = byKey.get(key);
        if (part && value !== undefined) part.type.write(memory, value, start + part.offset);
      }
    },
    readAt: (address) => self.read(readMemory(address, size)),
  };
  return self;
}

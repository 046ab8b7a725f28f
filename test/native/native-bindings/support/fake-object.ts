/**
 * A COM object made of callbacks, with its table on the heap: what a proxy of another process looks like, and a witness
 * for how arguments arrive.
 */
import { guidText } from '../../../../native-bindings/com/guid.ts';
import {
  addressOf,
  bindLibrary,
  callback,
  fn,
  readMemory,
  type NativeTypeName,
} from '../../../../native-bindings/library.ts';

const poke = bindLibrary('kernel32.dll', { RtlMoveMemory: fn('void', ['ptr into', 'ptr from', 'uintptr bytes']) });
/** A pointer as bytes. */
export const bytesOf = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};

/** Writes bytes to an address of this process. */
export function writeTo(address: bigint, bytes: Buffer): void {
  poke.RtlMoveMemory(address, bytes, bytes.length);
}

export interface FakeMethod {
  readonly args: readonly NativeTypeName[];
  readonly call: (...args: any[]) => number;
}

export interface FakeObject extends Disposable {
  readonly pointer: bigint;
  /** Overwrites its table, in place, with another's: as memory that is used again would look. */
  takeTableOf(other: FakeObject): void;
  readonly table: Buffer;
  /** References held by others. */
  readonly references: () => number;
}

/** `methods` by slot from 3 on; other slots answer E_NOTIMPL. It has the interface ids that are named. */
export function fakeObject(
  iids: readonly string[],
  methods: Readonly<Record<number, FakeMethod>>,
  slots = 64,
): FakeObject {
  const table = Buffer.alloc(slots * 8);
  const object = Buffer.alloc(8);
  object.writeBigUInt64LE(addressOf(table));
  const pointer = addressOf(object);
  let references = 1;
  const registered: Disposable[] = [];
  const put = (
    slot: number,
    args: readonly NativeTypeName[],
    call: (...args: any[]) => number,
    result: NativeTypeName = 'int32',
  ) => {
    const made = callback(result, ['ptr', ...args] as never[]).register(call as never);
    registered.push(made);
    table.writeBigUInt64LE(made.address, slot * 8);
  };
  put(0, ['ptr', 'ptr'], (_self: bigint, iid: bigint, out: bigint) => {
    const known = iids.includes(guidText(readMemory(iid, 16)));
    writeTo(out, bytesOf(known ? pointer : 0n));
    if (known) references++;
    return known ? 0 : 0x80004002 | 0;
  });
  put(1, [], () => ++references, 'uint32');
  put(2, [], () => --references, 'uint32');
  const notImplemented = callback('int32', ['ptr']).register(() => 0x80004001 | 0);
  registered.push(notImplemented);
  for (let slot = 3; slot < slots; slot++) {
    const method = methods[slot];
    if (method) put(slot, method.args, (_self: bigint, ...args: unknown[]) => method.call(...args));
    else table.writeBigUInt64LE(notImplemented.address, slot * 8);
  }
  return {
    pointer,
    table,
    takeTableOf(other) {
      other.table.copy(table);
    },
    references: () => references,
    [Symbol.dispose]() {
      for (const one of registered) one[Symbol.dispose]();
      table.fill(0);
    },
  };
}

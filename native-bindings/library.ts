/**
 * How a function of a Windows DLL is declared and called. Every native call goes through here or through
 * `com/vtable.ts`, and both pad through `nativeCall`: one place knows how a call is made.
 *
 *     const user32 = bindLibrary('user32.dll', {
 *       GetForegroundWindow: fn('hwnd', []),
 *       GetWindowRect: fn('bool', ['hwnd window', 'ptr rect']),
 *     });
 *     user32.GetForegroundWindow();          // 65794
 *     user32.has('GetForegroundWindow');     // false on a Windows that lacks it, and everywhere but on Windows
 *     await user32.PrintWindow.async(…);     // on its own thread, for calls that wait for another program
 *
 * Nothing is opened before the first use, so every file can be imported on any system.
 */
import koffi from 'koffi';

/** What a `ptr` parameter takes: an address, our memory that the callee fills or reads, or null. */
export type Pointer = bigint | NodeJS.ArrayBufferView | null;

/** A POINT that is passed by value. */
export interface PointValue {
  readonly x: number;
  readonly y: number;
}
/** A COORD that is passed by value (console rows and columns). */
interface CoordValue {
  readonly X: number;
  readonly Y: number;
}

interface Crossing<In, Out> {
  readonly in: In;
  readonly out: Out;
}

/** The words of a declaration, what a caller passes for them, and what is returned. */
interface NativeTypes {
  void: Crossing<never, void>;
  /** BOOL: 32 bits, any value but 0 is true. */
  bool: Crossing<boolean, boolean>;
  int8: Crossing<number, number>;
  uint8: Crossing<number, number>;
  int16: Crossing<number, number>;
  uint16: Crossing<number, number>;
  int32: Crossing<number, number>;
  uint32: Crossing<number, number>;
  /** HRESULT, negative = failure. Names in `com/hresult.ts`. */
  hresult: Crossing<number, number>;
  int64: Crossing<number | bigint, bigint>;
  uint64: Crossing<number | bigint, bigint>;
  /** LRESULT, LPARAM, LONG_PTR. Returned as a number: exact up to 2^53, which covers handles and addresses. */
  intptr: Crossing<number | bigint, number>;
  /** WPARAM, SIZE_T, ULONG_PTR. The same. */
  uintptr: Crossing<number | bigint, number>;
  /** LPARAM of a message that takes a number or memory. */
  lparam: Crossing<number | Pointer, never>;
  double: Crossing<number, number>;
  float: Crossing<number, number>;
  /** HWND. 32 significant bits, 0 = none. */
  hwnd: Crossing<number, number>;
  /** Every other handle: HANDLE, HDC, HMODULE, HKEY, HMONITOR … Signed, so INVALID_HANDLE_VALUE is -1; 0 = none. */
  handle: Crossing<number, number>;
  /** Any pointer. Returned as an address, 0n = NULL. */
  ptr: Crossing<Pointer, bigint>;
  /** NUL-terminated UTF-16 that the callee only reads. */
  str16: Crossing<string | null, never>;
  point: Crossing<PointValue, never>;
  coord: Crossing<CoordValue, never>;
}

export type NativeTypeName = keyof NativeTypes;
/** `'hwnd'`, or with the parameter's name for the reader: `'hwnd window'`. */
type Declared<T extends string> = T | `${T} ${string}`;
type NameOf<S> = S extends `${infer T} ${string}` ? T : S;
type InOf<S> = NameOf<S> extends infer T extends NativeTypeName ? NativeTypes[T]['in'] : never;
type OutOf<S> = NameOf<S> extends infer T extends NativeTypeName ? NativeTypes[T]['out'] : never;

type CallbackArgs<A extends readonly string[]> = { -readonly [K in keyof A]: OutOf<A[K]> };
type CallbackResult<R extends NativeTypeName> = R extends 'void' ? void : R extends 'bool' ? boolean : InOf<R>;

/** One of our functions that Windows calls; made by `callback`. */
export interface CallbackType<F extends (...args: never[]) => unknown = (...args: never[]) => unknown> {
  readonly kind: 'callback';
  readonly result: NativeTypeName;
  readonly args: readonly string[];
  /** Never present; carries the type of the function. */
  readonly signature?: F;
  /**
   * Keeps a function callable until it is disposed of: hooks, window procedures, events. It runs on the thread that
   * registered it. It must not throw: no code could catch that.
   */
  register(this: void, call: F): RegisteredCallback;
}

/** A function that Windows may call at any time until this is disposed of. */
export interface RegisteredCallback extends Disposable {
  readonly address: bigint;
}

type ArgDeclaration = Declared<NativeTypeName> | CallbackType<never> | CallbackType;
type ArgOf<S> = S extends CallbackType<infer F> ? F | bigint | null : InOf<S>;
type ArgsOf<A extends readonly ArgDeclaration[]> = { -readonly [K in keyof A]: ArgOf<A[K]> };

/** A declared function; `fn` makes it. */
export interface FunctionType<
  R extends NativeTypeName = NativeTypeName,
  A extends readonly ArgDeclaration[] = readonly ArgDeclaration[],
> {
  readonly result: R;
  readonly args: A;
}

/** A function in callable form. */
type NativeFunction<D> =
  D extends FunctionType<infer R, infer A>
    ? {
        (...args: ArgsOf<A>): OutOf<R>;
        /**
         * The same on another thread: for calls that wait for another program. Memory passed in stays alive until it
         * ends. The call's `GetLastError` is lost. It cannot be cancelled.
         */
        async(...args: ArgsOf<A>): Promise<OutOf<R>>;
      }
    : never;

export type Library<D extends Record<string, FunctionType>> = { readonly [K in keyof D]: NativeFunction<D[K]> } & {
  /** Whether this system's DLL has the function. Calling a function that it lacks throws `MissingFunction`. */
  has(name: keyof D & string): boolean;
  /** The names and declarations, for tests and tools. */
  readonly declarations: D;
};

/** Declares a function: its result, and its parameters as `'type name'`. */
export function fn<const R extends NativeTypeName, const A extends readonly ArgDeclaration[]>(
  result: R,
  args: A,
): FunctionType<R, A> {
  return { result, args };
}

/** The DLL or the function does not exist: another operating system, or an older Windows. */
export class MissingFunction extends Error {
  override readonly name = 'MissingFunction';
  readonly library: string;
  readonly functionName: string;
  constructor(library: string, functionName: string, cause?: unknown) {
    super(
      process.platform === 'win32'
        ? `${library} of this Windows has no ${functionName}. Nothing was called. Ask has('${functionName}') first, or update Windows.`
        : `${functionName} of ${library} exists on Windows only; this is ${process.platform}. Nothing was called.`,
      { cause },
    );
    this.library = library;
    this.functionName = functionName;
  }
}

/**
 * Stack (bytes) of a call on another thread. What such calls reach (COM activation, DLL loads, shell extensions, hooks of
 * security products) is written for the 1 MiB that Windows gives a thread; koffi's own value is 128 KiB, and a call that
 * needs more ends the process without a word. It is committed for each call that runs, and used page by page.
 */
const ASYNC_STACK = 1024 * 1024;
// Refused once a library is open: where this module is loaded a second time, the value is set already.
if (koffi.config().async_stack_size !== ASYNC_STACK) koffi.config({ async_stack_size: ASYNC_STACK });

// ---- from words to koffi's types

type KoffiType = Parameters<typeof koffi.sizeof>[0];
const KOFFI_TYPES: Partial<Record<NativeTypeName, string>> = {
  hresult: 'int32',
  hwnd: 'intptr',
  handle: 'intptr',
  ptr: 'void *',
  lparam: 'void *',
};
let pointType: KoffiType | undefined;
let coordType: KoffiType | undefined;

const typeName = (declared: string): NativeTypeName => declared.split(' ', 1)[0] as NativeTypeName;

function argType(declared: ArgDeclaration): KoffiType {
  if (typeof declared !== 'string') return koffi.pointer(prototypeOf(declared));
  const name = typeName(declared);
  if (name === 'point') return (pointType ??= koffi.struct({ x: 'int32', y: 'int32' }));
  if (name === 'coord') return (coordType ??= koffi.struct({ X: 'int16', Y: 'int16' }));
  // koffi's one-byte bool takes a JavaScript boolean and fills the whole register with 0 or 1.
  return KOFFI_TYPES[name] ?? name;
}

/** koffi's own bool checks one bit of the result; any bit of a BOOL counts. */
const resultType = (name: NativeTypeName): KoffiType => (name === 'bool' ? 'int32' : (KOFFI_TYPES[name] ?? name));

type Convert = (value: never) => unknown;
const RESULTS: Partial<Record<NativeTypeName, Convert>> = {
  bool: (value: number) => value !== 0,
  intptr: Number,
  uintptr: Number,
  hwnd: Number,
  handle: Number,
  int64: BigInt,
  uint64: BigInt,
  ptr: (value: bigint | null) => value ?? 0n,
};

// ---- the one padded way in

/**
 * Every call has at least this many parameters, missing ones being pointer-sized zeros. Wine sends about 200 functions
 * of user32 and gdi32, and the proxies of COM objects in other processes, straight to a dispatcher that always reads
 * the fifth and sixth argument from the stack; koffi runs the callee on its own stack and leaves nothing there for
 * short calls, so the call never returns. On Windows x64 and arm64 the caller cleans up the stack, so the padding is
 * harmless.
 */
const PADDED = 8;

type Raw = ((...args: unknown[]) => unknown) & { async: (...args: unknown[]) => void };
/** A padded call. */
export type NativeCall = ((...args: any[]) => any) & { async(...args: unknown[]): Promise<unknown> };

/* oxlint-disable max-params -- fixed arities, since a rest parameter would cost as much as the native call itself */
function padded(f: Raw, count: number): (...args: any[]) => unknown {
  switch (count) {
    case 0:
      return () => f(0, 0, 0, 0, 0, 0, 0, 0);
    case 1:
      return (a) => f(a, 0, 0, 0, 0, 0, 0, 0);
    case 2:
      return (a, b) => f(a, b, 0, 0, 0, 0, 0, 0);
    case 3:
      return (a, b, c) => f(a, b, c, 0, 0, 0, 0, 0);
    case 4:
      return (a, b, c, d) => f(a, b, c, d, 0, 0, 0, 0);
    case 5:
      return (a, b, c, d, e) => f(a, b, c, d, e, 0, 0, 0);
    case 6:
      // oxlint-disable-next-line max-params -- as many as the native function has
      return (a, b, c, d, e, g) => f(a, b, c, d, e, g, 0, 0);
    case 7:
      // oxlint-disable-next-line max-params -- as many as the native function has
      return (a, b, c, d, e, g, h) => f(a, b, c, d, e, g, h, 0);
    default:
      return f;
  }
}

/** Converts the result inside the padded call, which saves a second closure. */
function paddedConverted(f: Raw, count: number, to: (value: any) => unknown): (...args: any[]) => unknown {
  switch (count) {
    case 0:
      return () => to(f(0, 0, 0, 0, 0, 0, 0, 0));
    case 1:
      return (a) => to(f(a, 0, 0, 0, 0, 0, 0, 0));
    case 2:
      return (a, b) => to(f(a, b, 0, 0, 0, 0, 0, 0));
    case 3:
      return (a, b, c) => to(f(a, b, c, 0, 0, 0, 0, 0));
    case 4:
      return (a, b, c, d) => to(f(a, b, c, d, 0, 0, 0, 0));
    case 5:
      return (a, b, c, d, e) => to(f(a, b, c, d, e, 0, 0, 0));
    case 6:
      // oxlint-disable-next-line max-params -- as many as the native function has
      return (a, b, c, d, e, g) => to(f(a, b, c, d, e, g, 0, 0));
    case 7:
      // oxlint-disable-next-line max-params -- as many as the native function has
      return (a, b, c, d, e, g, h) => to(f(a, b, c, d, e, g, h, 0));
    default:
      return (...args) => to(f(...args));
  }
}

/* oxlint-enable max-params */

/** Makes a padded, converting call from what `declare` returns for a convention, a result and padded parameters. */
export function nativeCall(
  result: NativeTypeName,
  args: readonly ArgDeclaration[],
  declare: (result: KoffiType, args: KoffiType[]) => unknown,
): NativeCall {
  const padding = Array.from({ length: Math.max(0, PADDED - args.length) }, () => 0);
  const raw = declare(resultType(result), [...args.map(argType), ...padding.map(() => 'uintptr')]) as Raw;
  const convert = RESULTS[result] as ((value: unknown) => unknown) | undefined;
  const call = convert ? paddedConverted(raw, args.length, convert) : padded(raw, args.length);
  // Kept, since a call of eight parameters or more may be koffi's own function, whose `async` is replaced below.
  const start = raw.async.bind(raw);
  const later = (...given: unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      start(...given, ...padding, (error: unknown, value: unknown) => {
        given.length = 0; // the closure has kept the caller's memory alive until here
        if (error) reject(error as Error);
        else resolve(convert ? convert(value) : value);
      });
    });
  return Object.assign(call, { async: later });
}

// ---- callbacks

const prototypes = new WeakMap<CallbackType<never>, ReturnType<typeof koffi.proto>>();

function prototypeOf(type: CallbackType<never> | CallbackType): ReturnType<typeof koffi.proto> {
  const key = type as CallbackType<never>;
  let proto = prototypes.get(key);
  if (!proto) {
    proto = koffi.proto(
      '__stdcall',
      resultType(type.result),
      type.args.map((a) => resultType(typeName(a))),
    );
    prototypes.set(key, proto);
  }
  return proto;
}

/** Converts koffi's values to ours on the way in, and ours to koffi's on the way out. */
function adapt(type: CallbackType<never>, call: (...args: unknown[]) => unknown): (...args: unknown[]) => unknown {
  const converts = type.args.map((a) => RESULTS[typeName(a)] as ((value: unknown) => unknown) | undefined);
  const plain = converts.every((c) => c === undefined);
  const toNative = type.result === 'bool';
  if (plain && !toNative) return call;
  return (...args) => {
    if (!plain)
      for (let i = 0; i < converts.length; i++) {
        const c = converts[i];
        if (c) args[i] = c(args[i]);
      }
    const value = call(...args);
    return toNative ? (value ? 1 : 0) : value;
  };
}

/** Declares a function that Windows calls. A call that uses it only while it runs accepts a plain function too. */
export function callback<const R extends NativeTypeName, const A extends readonly Declared<NativeTypeName>[]>(
  result: R,
  args: A,
): CallbackType<(...args: CallbackArgs<A>) => CallbackResult<R>> {
  type F = (...args: CallbackArgs<A>) => CallbackResult<R>;
  const type: CallbackType<F> = {
    kind: 'callback',
    result,
    args,
    register(call) {
      const address = koffi.register(adapt(type as never, call as never), koffi.pointer(prototypeOf(type as never)));
      let live = true;
      return {
        address,
        [Symbol.dispose]() {
          if (live) {
            live = false;
            koffi.unregister(address);
          }
        },
      };
    },
  };
  return type;
}

/** Wraps plain functions among the arguments, so that they receive our values as registered ones do. */
function adaptingCallbacks(args: readonly ArgDeclaration[], call: NativeCall): NativeCall {
  const places = args.flatMap((a, i) => (typeof a === 'string' ? [] : [[i, a as CallbackType<never>] as const]));
  if (places.length === 0) return call;
  const wrap = (given: unknown[]) => {
    for (const [i, type] of places) if (typeof given[i] === 'function') given[i] = adapt(type, given[i] as never);
    return given;
  };
  return Object.assign((...given: unknown[]) => call(...wrap(given)), {
    async: (...given: unknown[]) => call.async(...wrap(given)),
  });
}

// ---- libraries

const opened = new Map<string, ReturnType<typeof koffi.load>>();
let systemDirectory: string | undefined;

/**
 * System DLLs are loaded only from the system directory: a file of the same name next to the program or in the current
 * directory must not be loaded. kernel32 is loaded in every process and reports that directory.
 */
function pathOf(dll: string): string {
  if (dll === 'kernel32.dll' || dll.includes('\\')) return dll;
  if (systemDirectory === undefined) {
    const kernel32 = openLibrary('kernel32.dll');
    if (!kernel32) return dll;
    const path = Buffer.alloc(1040);
    const length = nativeCall('uint32', ['ptr', 'uint32'], (r, a) =>
      kernel32.func('__stdcall', 'GetSystemDirectoryW', r, a),
    )(path, 520) as number;
    systemDirectory = path.toString('utf16le', 0, length * 2);
  }
  return `${systemDirectory}\\${dll}`;
}

function openLibrary(dll: string): ReturnType<typeof koffi.load> | null {
  const known = opened.get(dll);
  if (known !== undefined || process.platform !== 'win32') return known ?? null;
  try {
    const library = koffi.load(pathOf(dll));
    opened.set(dll, library);
    return library;
  } catch {
    return null;
  }
}

/** Binds one function, or throws `MissingFunction`. */
function bind(dll: string, name: string, type: FunctionType): NativeCall {
  const library = openLibrary(dll);
  if (!library) throw new MissingFunction(dll, name);
  const call = nativeCall(type.result, type.args, (result, args) => {
    try {
      return library.func('__stdcall', name, result, args);
    } catch (error) {
      throw new MissingFunction(dll, name, error);
    }
  });
  return adaptingCallbacks(type.args, call);
}

/** A DLL of the system directory, or one by its full path, and the functions that we use from it. Opens nothing. */
export function bindLibrary<const D extends Record<string, FunctionType>>(dll: string, declarations: D): Library<D> {
  const absent = new Map<string, MissingFunction>();
  const library = {
    declarations,
    has(name: string): boolean {
      try {
        return typeof (library as Record<string, unknown>)[name] === 'function';
      } catch {
        return false;
      }
    },
  };
  for (const [name, type] of Object.entries(declarations)) {
    Object.defineProperty(library, name, {
      configurable: true,
      enumerable: true,
      get() {
        const known = absent.get(name);
        if (known) throw new MissingFunction(dll, name, known.cause);
        try {
          const call = bind(dll, name, type);
          Object.defineProperty(library, name, { value: call, enumerable: true });
          return call;
        } catch (error) {
          if (error instanceof MissingFunction) absent.set(name, error);
          throw error;
        }
      },
    });
  }
  return library as unknown as Library<D>;
}

/** The address of our memory, for a field of a structure. The memory must outlive the use. */
export function addressOf(memory: NodeJS.ArrayBufferView): bigint {
  return koffi.address(memory);
}

/** A copy of foreign memory of this process. A wrong address ends the process at once. */
export function readMemory(address: bigint | number, bytes: number): Buffer {
  return Buffer.from(koffi.decode(address, 'uint8', bytes) as Uint8Array);
}

/** Copying costs no memory; a view of foreign memory (koffi.view) keeps about 270 bytes that never come back. */
const memory = bindLibrary('kernel32.dll', {
  /** https://learn.microsoft.com/windows/win32/devnotes/rtlmovememory */
  RtlMoveMemory: fn('void', ['ptr into', 'ptr from', 'uintptr bytes']),
});

/** Copies foreign memory of this process into ours, as much as that holds. A wrong address ends the process at once. */
export function copyOut(address: bigint, into: NodeJS.ArrayBufferView): void {
  if (into.byteLength > 0) memory.RtlMoveMemory(into, address, into.byteLength);
}

/** Copies our memory to an address of this process. A wrong address ends the process at once. */
export function copyIn(address: bigint, from: NodeJS.ArrayBufferView): void {
  if (from.byteLength > 0) memory.RtlMoveMemory(address, from, from.byteLength);
}

/** A NUL-terminated UTF-16 string at an address, or `units` of it. */
export function readString16(address: bigint | number, units?: number): string {
  return units === undefined ? koffi.decode.string16(address) : koffi.decode.string16(address, units);
}

/** UTF-16 text at the start of our memory, up to the NUL or to `units`. */
export function text16(memory: Buffer, units?: number): string {
  if (units !== undefined) return memory.toString('utf16le', 0, units * 2);
  for (let i = 0; i + 1 < memory.length; i += 2)
    if (memory[i] === 0 && memory[i + 1] === 0) return memory.toString('utf16le', 0, i);
  return memory.toString('utf16le');
}

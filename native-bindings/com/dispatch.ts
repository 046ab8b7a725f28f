/**
 * Late-bound COM objects (IDispatch): members by name, arguments and results as VARIANT. Every call goes to another
 * thread, since the program that owns the object may keep it waiting.
 */
import { addressOf } from '../library.ts';
import { oleaut32 } from '../win32/oleaut32.ts';
import { takeBstr } from './bstr.ts';
import { ComRef } from './com-ref.ts';
import { guid } from './guid.ts';
import { ComError, HRESULT } from './hresult.ts';
import {
  createGrid,
  ErrorValue,
  readGrid,
  readGridValue,
  writeGridValue,
  type Grid,
  type GridValue,
} from './variant-grid.ts';
import { methodType, vtableOf } from './vtable.ts';
import { VT } from './vt.ts';

const VARIANT_SIZE = 24;
const EXCEPINFO_SIZE = 64;
const DISPPARAMS_SIZE = 24;
/** Names and texts are read as English (United States) ones, whatever the user's language: https://learn.microsoft.com/openspecs/windows_protocols/ms-lcid */
const LCID_ENGLISH = 0x409;
/** https://learn.microsoft.com/previous-versions/windows/desktop/automat/dispatch-values */
const DISPATCH_METHOD = 1;
const DISPATCH_PROPERTYGET = 2;
const DISPATCH_PROPERTYPUT = 4;
const DISPID_PROPERTYPUT = -3;

const GET_IDS = methodType(['ptr', 'ptr', 'uint32', 'uint32', 'ptr']);
const INVOKE = methodType(['int32', 'ptr', 'uint32', 'uint16', 'ptr', 'ptr', 'ptr', 'ptr']);
const COUNT = methodType([], 'uint32');
const IID_NULL = Buffer.alloc(16);

/** What the other program says about its failure. The texts are that program's words. */
export interface DispatchFailure {
  readonly scode: number;
  readonly source: string;
  readonly description: string;
}

/** A late-bound call that failed. `hresult` is the program's own code where it gave one; `failure` null where it gave no words. */
export class DispatchError extends ComError {
  readonly failure: DispatchFailure | null;
  constructor(hresult: number, member: string, failure: DispatchFailure | null) {
    super(hresult, member);
    this.failure = failure;
  }
}

/** What objects of one program share. */
export interface DispatchHome {
  /** Ids of members: kind of object → name → id. */
  readonly ids: Map<string, Map<string, number>>;
  /** Told of each new object, which it may take over. */
  made?(object: Dispatch): void;
  /** Takes a reference that is no longer wanted: releasing it is a call to the other program. */
  release(pointer: bigint): void;
  /** Carries out one call and its repetitions; `isOnce`: without any. */
  carryOut(call: () => Promise<number>, name: string, isOnce?: boolean): Promise<number>;
}

/** `Dispatch` for an object, rows for an array of two dimensions. */
export type DispatchValue = GridValue | GridValue[][] | Dispatch;
export type DispatchInput = GridValue | Grid | Dispatch;
type Arguments = readonly DispatchInput[];

/** An optional argument that is left out. https://learn.microsoft.com/previous-versions/windows/desktop/automat/passing-parameters */
export const MISSING = ErrorValue.of(HRESULT.DISP_E_PARAMNOTFOUND);

export class Dispatch extends ComRef {
  static override readonly iid: Buffer = guid('00020400-0000-0000-c000-000000000046');
  static override readonly interfaceName: string = 'IDispatch';
  readonly #home: DispatchHome;
  readonly #kind: string;

  /** Takes over one reference. `kind`: objects of one kind share the ids of their members. */
  constructor(owned: bigint, home: DispatchHome, kind: string) {
    super(owned);
    this.#home = home;
    this.#kind = kind;
    home.made?.(this);
  }

  override [Symbol.dispose](): void {
    if (!this.disposed) this.#home.release(this.detach());
  }

  /** Reads a property; `kind` is that of the object it may return. */
  get(name: string, args: Arguments = [], kind = ''): Promise<DispatchValue> {
    const flags = args.length === 0 ? DISPATCH_PROPERTYGET : DISPATCH_METHOD | DISPATCH_PROPERTYGET;
    return this.#invoke(name, flags, args, kind);
  }

  /** A property that is an object. `isMethod`: a method gives it, as some collections. */
  async object(name: string, kind = name, args: Arguments = [], isMethod = args.length > 0): Promise<Dispatch> {
    const flags = isMethod ? DISPATCH_METHOD | DISPATCH_PROPERTYGET : DISPATCH_PROPERTYGET;
    const value = await this.#invoke(name, flags, args, kind);
    if (value instanceof Dispatch) return value;
    throw new DispatchError(HRESULT.DISP_E_TYPEMISMATCH, `${this.#kind}.${name}`, null);
  }

  /** `isOnce`: a refusal for now is an error too. */
  async put(name: string, value: DispatchInput, isOnce = false): Promise<void> {
    await this.#invoke(name, DISPATCH_PROPERTYPUT, [value], '', isOnce);
  }

  call(name: string, args: Arguments = [], isOnce = false): Promise<DispatchValue> {
    return this.#invoke(name, DISPATCH_METHOD, args, '', isOnce);
  }

  async #idOf(name: string): Promise<number> {
    let ids = this.#home.ids.get(this.#kind);
    if (ids === undefined) this.#home.ids.set(this.#kind, (ids = new Map()));
    const known = ids.get(name);
    if (known !== undefined) return known;
    const text = Buffer.from(`${name}\0`, 'utf16le');
    const names = new BigUint64Array([addressOf(text)]);
    const out = new Int32Array(1);
    const method = this.method(5, GET_IDS);
    const hr = await this.#home.carryOut(
      () =>
        (method.async(this.pointer, IID_NULL, names, 1, LCID_ENGLISH, out) as Promise<number>).finally(() => {
          // Keeps the text alive while the other thread reads it, and for another try.
          void text.byteLength;
        }),
      `${this.#kind}.${name}`,
    );
    if (hr < 0) throw new DispatchError(hr, `${this.#kind}.${name}`, null);
    ids.set(name, out[0]!);
    return out[0]!;
  }

  async #invoke(name: string, flags: number, args: Arguments, kind: string, isOnce = false): Promise<DispatchValue> {
    const id = await this.#idOf(name);
    const frame = new InvokeFrame(args, (flags & DISPATCH_PROPERTYPUT) !== 0);
    const method = this.method(6, INVOKE);
    const member = `${this.#kind}.${name}`;
    const own = (pointer: bigint): Dispatch => new Dispatch(pointer, this.#home, kind);
    let running: Promise<number> | null = null;
    try {
      const hr = await this.#home.carryOut(
        () => {
          frame.clearResult();
          running = method.async(
            this.pointer,
            id,
            IID_NULL,
            LCID_ENGLISH,
            flags,
            frame.params,
            frame.result,
            frame.exception,
            frame.badArgument,
          ) as Promise<number>;
          return running
            .then((hr) => (hr === HRESULT.DISP_E_EXCEPTION ? frame.scode || hr : hr))
            .finally(() => {
              running = null;
            });
        },
        member,
        isOnce,
      );
      if (hr < 0) throw new DispatchError(hr, member, frame.takeFailure());
      return frame.takeResult(own);
    } finally {
      const late = running as Promise<number> | null;
      if (late === null) frame[Symbol.dispose]();
      // No one waits for this call any more, but it still uses this memory, and may bring an object.
      else void late.then((hr) => frame.takeLate(hr, own)).catch(() => undefined);
    }
  }
}

/** Memory of one call. It stays alive while the call runs on another thread. */
class InvokeFrame implements Disposable {
  readonly params = Buffer.alloc(DISPPARAMS_SIZE);
  readonly result = Buffer.alloc(VARIANT_SIZE);
  readonly exception = Buffer.alloc(EXCEPINFO_SIZE);
  readonly badArgument = Buffer.alloc(4);
  readonly #args: Buffer;
  readonly #named = new Int32Array([DISPID_PROPERTYPUT]);
  readonly #count: number;

  constructor(args: Arguments, isPut: boolean) {
    this.#count = args.length;
    this.#args = Buffer.alloc(Math.max(1, args.length) * VARIANT_SIZE);
    const view = new DataView(this.#args.buffer, this.#args.byteOffset, this.#args.length);
    try {
      // Arguments are in reverse order.
      [...args].reverse().forEach((value, i) => {
        if (value instanceof Dispatch) {
          // Borrowed: the call does not take the reference, and it outlives the call.
          view.setBigUint64(i * VARIANT_SIZE + 8, value.pointer, true);
          view.setUint16(i * VARIANT_SIZE, VT.DISPATCH, true);
        } else if (Array.isArray(value)) {
          view.setBigUint64(i * VARIANT_SIZE + 8, createGrid(value as Grid), true);
          view.setUint16(i * VARIANT_SIZE, VT.ARRAY | VT.VARIANT, true);
        } else writeGridValue(view, i * VARIANT_SIZE, value as GridValue);
      });
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
    if (args.length > 0) this.params.writeBigUInt64LE(addressOf(this.#args), 0);
    if (isPut) this.params.writeBigUInt64LE(addressOf(this.#named), 8);
    this.params.writeUInt32LE(args.length, 16);
    this.params.writeUInt32LE(isPut ? 1 : 0, 20);
  }

  /** The program's own code of an exception; 0 = none. */
  get scode(): number {
    return this.exception.readInt32LE(56);
  }

  /** Before each try: an earlier one may have left its exception. */
  clearResult(): void {
    this.takeFailure();
    this.result.fill(0);
    this.exception.fill(0);
  }

  /** Reads the result and frees it; an object's reference passes to the caller. */
  takeResult(own: (pointer: bigint) => Dispatch): DispatchValue {
    const vt = this.result.readUInt16LE(0);
    const address = this.result.readBigUInt64LE(8);
    if (vt === VT.DISPATCH) {
      this.result.fill(0);
      return address === 0n ? null : own(address);
    }
    try {
      return vt === (VT.ARRAY | VT.VARIANT)
        ? readGrid(address)
        : readGridValue(new DataView(this.result.buffer, this.result.byteOffset, VARIANT_SIZE), 0);
    } finally {
      if (vt >= VT.BSTR) oleaut32.VariantClear(this.result);
    }
  }

  /** What EXCEPINFO says; its texts are freed. https://learn.microsoft.com/windows/win32/api/oaidl/ns-oaidl-excepinfo */
  takeFailure(): DispatchFailure | null {
    const text = (at: number): string => {
      const found = takeBstr(this.exception.readBigUInt64LE(at)) ?? '';
      this.exception.writeBigUInt64LE(0n, at);
      return found;
    };
    const failure = { scode: this.scode, source: text(8), description: text(16) };
    text(24);
    return failure.description === '' ? null : failure;
  }

  /** Frees what a call that no one waits for has brought. */
  takeLate(hr: number, own: (pointer: bigint) => Dispatch): void {
    try {
      if (hr < 0) this.takeFailure();
      else {
        const value = this.takeResult(own);
        if (value instanceof Dispatch) value[Symbol.dispose]();
      }
    } finally {
      this[Symbol.dispose]();
    }
  }

  [Symbol.dispose](): void {
    for (let i = 0; i < this.#count; i++) {
      const at = i * VARIANT_SIZE;
      const vt = this.#args.readUInt16LE(at);
      if (vt >= VT.BSTR && vt !== VT.DISPATCH) oleaut32.VariantClear(this.#args.subarray(at, at + VARIANT_SIZE));
    }
    this.#args.fill(0);
  }
}

const RELEASED = Buffer.from('Application\0', 'utf16le');

/** Whether the object's program answers calls now: it looks up a name that it may not know. */
export async function answersCalls(pointer: bigint): Promise<number> {
  const names = new BigUint64Array([addressOf(RELEASED)]);
  return (await vtableOf(pointer)
    .resolve(5, GET_IDS)
    .async(pointer, IID_NULL, names, 1, LCID_ENGLISH, new Int32Array(1))) as number;
}

/** Releases a reference on another thread, since that is a call to its program too. */
export async function releaseLater(pointer: bigint): Promise<void> {
  await vtableOf(pointer).resolve(2, COUNT).async(pointer);
}

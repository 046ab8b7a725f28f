/**
 * An owned reference to a COM object: the only holder of a COM pointer. Its owner disposes of it, usually with `using`.
 * Using it afterwards throws instead of crashing.
 */
import type { NativeCall } from '../library.ts';
import { check, ComError, HRESULT } from './hresult.ts';
import { guid } from './guid.ts';
import { methodType, VTable, vtableOf, type MethodType } from './vtable.ts';

/** A generated interface: its class makes references from pointers that we own. */
export interface ComType<T extends ComRef = ComRef> {
  readonly iid: Buffer;
  readonly interfaceName: string;
  new (owned: bigint): T;
}

const QUERY_INTERFACE = methodType(['ptr', 'ptr']);
const COUNT = methodType([], 'uint32');
const NONE = new VTable(0);
const queryOut = new BigUint64Array(1);

let alive = 0;
/** References that were created and not yet disposed of. */
export const comRefsAlive = (): number => alive;

let leaks: FinalizationRegistry<string> | undefined;
/**
 * Reports references that were collected without having been disposed of, by interface name; `null` ends it. It never
 * releases them: the collector runs on the wrong thread and at the wrong time for that. Costs about a microsecond per
 * reference, so it is for tests and for finding leaks.
 */
export function reportLeaks(report: ((interfaceName: string) => void) | null): void {
  leaks = report ? new FinalizationRegistry(report) : undefined;
}

/** IUnknown, and the base of every generated interface. */
export class ComRef implements Disposable {
  static readonly iid: Buffer = guid('00000000-0000-0000-c000-000000000046');
  static readonly interfaceName: string = 'IUnknown';

  #pointer: bigint;
  #table: VTable;

  /** Takes ownership of one reference: it is released when this is disposed of. */
  constructor(owned: bigint) {
    if (owned === 0n) throw new TypeError('A reference to a COM object cannot be made of a null pointer.');
    this.#pointer = owned;
    this.#table = vtableOf(owned);
    alive++;
    leaks?.register(this, this.interfaceName, this);
  }

  get interfaceName(): string {
    return (this.constructor as typeof ComRef).interfaceName;
  }

  /** The object's address, for native calls only. Throws once disposed of. */
  get pointer(): bigint {
    if (this.#pointer === 0n)
      throw new Error(`${this.interfaceName} was used after it had been disposed of. Nothing was called.`);
    return this.#pointer;
  }

  get disposed(): boolean {
    return this.#pointer === 0n;
  }

  /** The function in a slot of this object's table. */
  method(slot: number, type: MethodType): NativeCall {
    return this.#table.calls[slot] ?? this.#resolve(slot, type);
  }

  #resolve(slot: number, type: MethodType): NativeCall {
    void this.pointer; // throws when disposed of
    return this.#table.resolve(slot, type);
  }

  /** Another interface of the same object, or null if it does not have this interface. */
  query<T extends ComRef>(type: ComType<T>): T | null {
    queryOut[0] = 0n;
    const hr = this.method(0, QUERY_INTERFACE)(this.pointer, type.iid, queryOut) as number;
    if (hr === HRESULT.E_NOINTERFACE) return null;
    check(hr, `${this.interfaceName}.QueryInterface(${type.interfaceName})`);
    const found = queryOut[0];
    return found === 0n ? null : new type(found);
  }

  /** Another interface of the same object, or a `ComError` with E_NOINTERFACE. */
  demand<T extends ComRef>(type: ComType<T>): T {
    const found = this.query(type);
    if (!found)
      throw new ComError(HRESULT.E_NOINTERFACE, `${this.interfaceName}.QueryInterface(${type.interfaceName})`);
    return found;
  }

  /** A second reference of the same kind, disposed of separately. */
  clone(): this {
    this.addRef();
    return new (this.constructor as new (owned: bigint) => this)(this.pointer);
  }

  /** Adds a reference that this object does not own; returns the new count, for tests. */
  addRef(): number {
    return this.method(1, COUNT)(this.pointer) as number;
  }

  /** Gives up ownership: the caller now owns the reference. */
  detach(): bigint {
    const pointer = this.pointer;
    this.#end();
    return pointer;
  }

  [Symbol.dispose](): void {
    if (this.#pointer === 0n) return;
    const release = this.method(2, COUNT);
    const pointer = this.#pointer;
    this.#end();
    release(pointer);
  }

  #end(): void {
    this.#pointer = 0n;
    this.#table = NONE;
    alive--;
    leaks?.unregister(this);
  }
}

/** Drops one reference of a pointer that never became a `ComRef`. */
export function releasePointer(pointer: bigint): void {
  if (pointer !== 0n) vtableOf(pointer).resolve(2, COUNT)(pointer);
}

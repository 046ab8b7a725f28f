/**
 * Turns an interface pointer into callable functions. Reading the table for each call would cost ten times the call, so
 * functions are cached: globally by code address and prototype, and per table by slot.
 *
 * A table may be cached by its address only while no other table can replace it there. Tables in a module are safe once
 * the module is pinned; tables on a heap (proxies that the type-library marshaller builds) are freed with their object,
 * so each reference reads those again.
 */
import koffi from 'koffi';
import { nativeCall, type NativeCall, type NativeTypeName } from '../library.ts';
import { kernel32 } from '../win32/kernel32.ts';
import { peek64 } from './memory.ts';

/** Result and parameters of a method, without the object itself. One object for each shape. */
export interface MethodType {
  readonly key: string;
  readonly result: NativeTypeName;
  readonly args: readonly NativeTypeName[];
}

const shapes = new Map<string, MethodType>();
/** The shape of a method: parameters, and a result that is an HRESULT unless stated otherwise. */
export function methodType(args: readonly NativeTypeName[], result: NativeTypeName = 'hresult'): MethodType {
  const key = `${result}(${args.join()})`;
  let type = shapes.get(key);
  if (!type) shapes.set(key, (type = { key, result, args }));
  return type;
}

const prototypes = new Map<string, ReturnType<typeof koffi.proto>>();
const functions = new Map<string, NativeCall>();

/** The function at a code address, padded like every call. */
function functionAt(code: number, type: MethodType): NativeCall {
  const key = `${code} ${type.key}`;
  let call = functions.get(key);
  if (!call) {
    call = nativeCall(type.result, ['ptr', ...type.args], (result, args) => {
      let proto = prototypes.get(type.key);
      if (!proto) prototypes.set(type.key, (proto = koffi.proto('__stdcall', result, args)));
      return koffi.decode(code, proto);
    });
    functions.set(key, call);
  }
  return call;
}

/** The functions of one table, resolved as they are used. */
export class VTable {
  readonly address: number;
  /** By slot; holes are resolved by `resolve`. */
  readonly calls: (NativeCall | undefined)[] = [];
  constructor(address: number) {
    this.address = address;
  }
  resolve(slot: number, type: MethodType): NativeCall {
    return (this.calls[slot] = functionAt(peek64(this.address + slot * 8), type));
  }
}

const pinned = new Map<number, VTable>();
const PIN = 1;
const FROM_ADDRESS = 4;
const moduleOut = Buffer.alloc(8);

/** The table of an object. */
export function vtableOf(pointer: bigint): VTable {
  const address = peek64(pointer);
  const known = pinned.get(address);
  if (known) return known;
  const table = new VTable(address);
  if (kernel32.GetModuleHandleExW(PIN | FROM_ADDRESS, BigInt(address), moduleOut)) pinned.set(address, table);
  return table;
}

/** VARIANT: 24 bytes with a value and its kind. Passed by value, it is the address of a copy. */
import { oleaut32 } from '../win32/oleaut32.ts';
import { allocBstr, freeBstr, takeBstr } from './bstr.ts';
import { ComRef } from './com-ref.ts';
import { takeSafeArray, type ArrayValue } from './safe-array.ts';
import { VT } from './vt.ts';

export const VARIANT_SIZE = 24;

/** A value of a kind that is not converted (it has been cleared). */
interface OtherVariant {
  readonly vt: number;
}

/** The values of a VARIANT: empty is undefined, VT_NULL is null, 64-bit integers are bigint. */
export type VariantValue = undefined | null | boolean | number | bigint | string | ArrayValue | ComRef | OtherVariant;

/** A double on purpose: a whole number would otherwise be sent as VT_I4. */
export interface Double {
  readonly r8: number;
}
export const double = (value: number): Double => ({ r8: value });

/** Values that can be sent: whole numbers as VT_I4, others as VT_R8, bigint as VT_I8, undefined as empty. */
export type VariantInput = undefined | null | boolean | number | bigint | string | Double;

/** Fills zeroed memory. A string in it is ours until `clearInput`. */
export function writeVariant(memory: Buffer, value: VariantInput): void {
  switch (typeof value) {
    case 'undefined':
      return;
    case 'boolean':
      memory.writeUInt16LE(VT.BOOL, 0);
      memory.writeInt16LE(value ? -1 : 0, 8);
      return;
    case 'bigint':
      memory.writeUInt16LE(VT.I8, 0);
      memory.writeBigInt64LE(value, 8);
      return;
    case 'string':
      memory.writeBigUInt64LE(allocBstr(value), 8);
      memory.writeUInt16LE(VT.BSTR, 0);
      return;
    case 'number':
      if (Number.isInteger(value) && value === (value | 0)) {
        memory.writeUInt16LE(VT.I4, 0);
        memory.writeInt32LE(value, 8);
        return;
      }
      memory.writeUInt16LE(VT.R8, 0);
      memory.writeDoubleLE(value, 8);
      return;
    default:
      if (value === null) memory.writeUInt16LE(VT.NULL, 0);
      else {
        memory.writeUInt16LE(VT.R8, 0);
        memory.writeDoubleLE(value.r8, 8);
      }
  }
}

/** Frees what `writeVariant` allocated. */
export function clearInput(memory: Buffer): void {
  if (memory.readUInt16LE(0) === VT.BSTR) {
    freeBstr(memory.readBigUInt64LE(8));
    memory.writeUInt16LE(VT.EMPTY, 0);
  }
}

/**
 * Reads a VARIANT that we own and clears it. A string is copied and freed, an array read and destroyed; an object's
 * reference passes to the `ComRef` that is returned, for the caller to dispose of.
 */
export function takeVariant(memory: Buffer, at = 0): VariantValue {
  const vt = memory.readUInt16LE(at);
  const value = at + 8;
  switch (vt) {
    case VT.EMPTY:
      return undefined;
    case VT.NULL:
      return null;
    case VT.I4:
    case VT.INT:
    case VT.ERROR:
      return memory.readInt32LE(value);
    case VT.UI4:
    case VT.UINT:
      return memory.readUInt32LE(value);
    case VT.BOOL:
      return memory.readInt16LE(value) !== 0;
    case VT.R8:
    case VT.DATE:
      return memory.readDoubleLE(value);
    case VT.R4:
      return memory.readFloatLE(value);
    case VT.I2:
      return memory.readInt16LE(value);
    case VT.UI2:
      return memory.readUInt16LE(value);
    case VT.I1:
      return memory.readInt8(value);
    case VT.UI1:
      return memory.readUInt8(value);
    case VT.I8:
      return memory.readBigInt64LE(value);
    case VT.UI8:
      return memory.readBigUInt64LE(value);
    default:
      return takeOwned(vt, memory, at);
  }
}

function takeOwned(vt: number, memory: Buffer, at: number): VariantValue {
  const address = memory.readBigUInt64LE(at + 8);
  if (vt === VT.BSTR) {
    memory.writeUInt16LE(VT.EMPTY, at);
    return takeBstr(address) ?? '';
  }
  if (vt === VT.UNKNOWN || vt === VT.DISPATCH) {
    memory.writeUInt16LE(VT.EMPTY, at);
    return address === 0n ? null : new ComRef(address);
  }
  if ((vt & ~0xfff) === VT.ARRAY) {
    memory.writeUInt16LE(VT.EMPTY, at);
    return takeSafeArray(address);
  }
  oleaut32.VariantClear(memory.subarray(at, at + VARIANT_SIZE));
  return { vt };
}

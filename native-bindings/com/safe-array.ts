/** SAFEARRAY of one dimension: what UI Automation returns for runtime ids, rectangles and lists. */
import { oleaut32 } from '../win32/oleaut32.ts';
import { readBstr } from './bstr.ts';
import { ComRef } from './com-ref.ts';
import { check } from './hresult.ts';
import { peekDoubles, peekInt16s, peekInt32s, peekPointers } from './memory.ts';
import { VT } from './vt.ts';

export type ArrayValue =
  | readonly number[]
  | readonly boolean[]
  | readonly (string | null)[]
  | readonly (ComRef | null)[];

const kindOut = new Uint16Array(1);
const boundOut = new Int32Array(1);
const dataOut = new BigUint64Array(1);

function bound(array: bigint, which: 'SafeArrayGetLBound' | 'SafeArrayGetUBound'): number {
  check(oleaut32[which](array, 1, boundOut), which);
  return boundOut[0]!;
}

/** Number of elements; 0 for a null array. */
export function safeArrayLength(array: bigint): number {
  return array === 0n ? 0 : bound(array, 'SafeArrayGetUBound') - bound(array, 'SafeArrayGetLBound') + 1;
}

/**
 * Reads an array without destroying it. Objects in it get their own references. Throws for elements of another kind.
 */
export function readSafeArray(array: bigint): ArrayValue {
  if (array === 0n) return [];
  const dimensions = oleaut32.SafeArrayGetDim(array);
  if (dimensions !== 1) throw new TypeError(`An array of ${dimensions} dimensions came where one was expected.`);
  check(oleaut32.SafeArrayGetVartype(array, kindOut), 'SafeArrayGetVartype');
  const kind = kindOut[0]!;
  const count = safeArrayLength(array);
  if (count <= 0) return [];
  check(oleaut32.SafeArrayAccessData(array, dataOut), 'SafeArrayAccessData');
  try {
    const data = dataOut[0]!;
    switch (kind) {
      case VT.I4:
      case VT.INT:
        return peekInt32s(data, count);
      case VT.UI4:
      case VT.UINT:
        return peekInt32s(data, count).map((n) => n >>> 0);
      case VT.R8:
        return peekDoubles(data, count);
      case VT.I2:
        return peekInt16s(data, count);
      case VT.BOOL:
        return peekInt16s(data, count).map((n) => n !== 0);
      case VT.BSTR:
        return peekPointers(data, count).map(readBstr);
      case VT.UNKNOWN:
      case VT.DISPATCH:
        return peekPointers(data, count).map((p) => {
          if (p === 0n) return null;
          const ref = new ComRef(p);
          ref.addRef(); // the array keeps its own
          return ref;
        });
      default:
        throw new TypeError(`An array of elements of VARIANT kind ${kind} cannot be read.`);
    }
  } finally {
    oleaut32.SafeArrayUnaccessData(array);
  }
}

/** Reads an array that we own, and destroys it. */
export function takeSafeArray(array: bigint): ArrayValue {
  try {
    return readSafeArray(array);
  } finally {
    destroySafeArray(array);
  }
}

export function destroySafeArray(array: bigint): void {
  if (array !== 0n) oleaut32.SafeArrayDestroy(array);
}

const indexIn = new Int32Array(1);

/** A new array of `int32` or `double`, to be destroyed or given away. */
export function createSafeArray(kind: typeof VT.I4 | typeof VT.R8, values: readonly number[]): bigint {
  const array = oleaut32.SafeArrayCreateVector(kind, 0, values.length);
  if (array === 0n) throw new Error(`Windows has no memory for an array of ${values.length} elements.`);
  const element = Buffer.alloc(8);
  values.forEach((value, i) => {
    indexIn[0] = i;
    if (kind === VT.I4) element.writeInt32LE(value);
    else element.writeDoubleLE(value);
    check(oleaut32.SafeArrayPutElement(array, indexIn, element), 'SafeArrayPutElement');
  });
  return array;
}

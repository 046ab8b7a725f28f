/**
 * SAFEARRAY of two dimensions of VARIANT: the cells of a range. The elements are copied in one block, 24 bytes each and
 * column by column; only texts are read one by one.
 */
import { copyIn, copyOut } from '../library.ts';
import { oleaut32 } from '../win32/oleaut32.ts';
import { allocBstr, readBstr } from './bstr.ts';
import { check } from './hresult.ts';
import { VT } from './vt.ts';

const VARIANT_SIZE = 24;
const VALUE = 8;
/** A CURRENCY counts ten-thousandths. https://learn.microsoft.com/windows/win32/api/wtypes/ns-wtypes-cy-r1 */
const CURRENCY_SCALE = 10_000;

/** VT_ERROR: an SCODE. */
export class ErrorValue {
  readonly scode: number;
  constructor(scode: number) {
    this.scode = scode;
  }

  /** The same object for the same SCODE as lately: a sheet has few different ones, in thousands of cells. */
  static of(scode: number): ErrorValue {
    let known = lately.get(scode);
    if (known === undefined) {
      if (lately.size >= MOST_LATELY) lately.clear();
      lately.set(scode, (known = new ErrorValue(scode)));
    }
    return known;
  }
}
/** More than Excel has. */
const MOST_LATELY = 64;
const lately = new Map<number, ErrorValue>();
/** VT_DATE: days since 1899-12-30. */
export class OleDate {
  readonly days: number;
  constructor(days: number) {
    this.days = days;
  }
}
/** VT_CY. */
export class Currency {
  readonly amount: number;
  constructor(amount: number) {
    this.amount = amount;
  }
}
/** A kind that is not turned into one of ours. */
export class OtherValue {
  readonly vt: number;
  constructor(vt: number) {
    this.vt = vt;
  }
}

/** An element: undefined is VT_EMPTY. Numbers are sent as VT_R8. */
export type GridValue = undefined | null | boolean | number | string | ErrorValue | OleDate | Currency | OtherValue;
/** Rows of equal length, at least one. */
export type Grid = ReadonlyArray<readonly GridValue[]>;

const HIGH = 2 ** 32;
/** An address as a number: of ten thousand cells each BigInt would be garbage. Addresses of programs fit in 47 bits. */
const addressAt = (view: DataView, at: number): number =>
  view.getUint32(at, true) + view.getUint32(at + 4, true) * HIGH;

/** Reads one VARIANT and leaves it. */
export function readGridValue(view: DataView, at: number): GridValue {
  switch (view.getUint16(at, true)) {
    case VT.EMPTY:
      return undefined;
    case VT.NULL:
      return null;
    case VT.R8:
      return view.getFloat64(at + VALUE, true);
    case VT.BSTR:
      return readBstr(addressAt(view, at + VALUE)) ?? '';
    case VT.BOOL:
      return view.getInt16(at + VALUE, true) !== 0;
    case VT.ERROR:
      return ErrorValue.of(view.getInt32(at + VALUE, true));
    case VT.DATE:
      return new OleDate(view.getFloat64(at + VALUE, true));
    case VT.CY:
      return new Currency(Number(view.getBigInt64(at + VALUE, true)) / CURRENCY_SCALE);
    case VT.I4:
    case VT.INT:
      return view.getInt32(at + VALUE, true);
    case VT.I2:
      return view.getInt16(at + VALUE, true);
    case VT.R4:
      return view.getFloat32(at + VALUE, true);
    case VT.UI4:
      return view.getUint32(at + VALUE, true);
    default:
      return new OtherValue(view.getUint16(at, true));
  }
}

/**
 * A row of a block that is laid out by columns. Rows have functions of their own here and wherever thousands of cells are gone through:
 * V8 optimises a function that is called hundreds of times for good, but a long loop that is entered once only while it runs, and a
 * function that is made again for each range only until the next collection.
 */
function readRow(view: DataView, r: number, rows: number, columns: number): GridValue[] {
  const row: GridValue[] = [];
  for (let c = 0; c < columns; c++) row.push(readGridValue(view, (c * rows + r) * VARIANT_SIZE));
  return row;
}

function writeRows(view: DataView, rows: number, values: Grid): void {
  for (let r = 0; r < rows; r++) writeRow(view, r, rows, values[r]!);
}

function writeRow(view: DataView, r: number, rows: number, row: readonly GridValue[]): void {
  for (let c = 0; c < row.length; c++) writeGridValue(view, (c * rows + r) * VARIANT_SIZE, row[c]);
}

/** Fills zeroed memory. A string in it belongs to the VARIANT. */
export function writeGridValue(view: DataView, at: number, value: GridValue): void {
  const kind = (vt: number): void => view.setUint16(at, vt, true);
  if (value === undefined) return;
  if (value === null) kind(VT.NULL);
  else if (typeof value === 'number') {
    view.setFloat64(at + VALUE, value, true);
    kind(VT.R8);
  } else if (typeof value === 'string') {
    view.setBigUint64(at + VALUE, allocBstr(value), true);
    kind(VT.BSTR);
  } else if (typeof value === 'boolean') {
    view.setInt16(at + VALUE, value ? -1 : 0, true);
    kind(VT.BOOL);
  } else if (value instanceof ErrorValue) {
    view.setInt32(at + VALUE, value.scode, true);
    kind(VT.ERROR);
  } else if (value instanceof OleDate) {
    view.setFloat64(at + VALUE, value.days, true);
    kind(VT.DATE);
  } else if (value instanceof Currency) {
    view.setBigInt64(at + VALUE, BigInt(Math.round(value.amount * CURRENCY_SCALE)), true);
    kind(VT.CY);
  } else throw new TypeError(`A value of VARIANT kind ${String(value.vt)} cannot be sent.`);
}

const viewOf = (memory: Buffer): DataView => new DataView(memory.buffer, memory.byteOffset, memory.length);
const dataOut = new BigUint64Array(1);
const boundOut = new Int32Array(1);

function bound(array: bigint, which: 'SafeArrayGetLBound' | 'SafeArrayGetUBound', dimension: number): number {
  check(oleaut32[which](array, dimension, boundOut), which);
  return boundOut[0]!;
}
const extent = (array: bigint, dimension: number): number =>
  bound(array, 'SafeArrayGetUBound', dimension) - bound(array, 'SafeArrayGetLBound', dimension) + 1;

/** The elements are locked while `use` runs. */
function withData<T>(array: bigint, use: (data: bigint) => T): T {
  check(oleaut32.SafeArrayAccessData(array, dataOut), 'SafeArrayAccessData');
  try {
    return use(dataOut[0]!);
  } finally {
    oleaut32.SafeArrayUnaccessData(array);
  }
}

/** The elements of an array of two dimensions of VARIANT, in a copy whose strings are the array's, while `use` runs. */
function withElements<T>(array: bigint, use: (view: DataView, rows: number, columns: number) => T): T {
  if (oleaut32.SafeArrayGetDim(array) !== 2) throw new TypeError('An array of two dimensions was expected.');
  const rows = extent(array, 1);
  const columns = extent(array, 2);
  return withData(array, (data) => {
    const memory = Buffer.allocUnsafe(rows * columns * VARIANT_SIZE);
    copyOut(data, memory);
    return use(viewOf(memory), rows, columns);
  });
}

/** The rows of an array of two dimensions of VARIANT, which is left. */
export const readGrid = (array: bigint): GridValue[][] => withElements(array, readRows);

function readRows(view: DataView, rows: number, columns: number): GridValue[][] {
  const grid: GridValue[][] = [];
  for (let r = 0; r < rows; r++) grid.push(readRow(view, r, rows, columns));
  return grid;
}

/** A new array of these rows, to be destroyed or given away. */
export function createGrid(values: Grid): bigint {
  const rows = values.length;
  const columns = values[0]?.length ?? 0;
  // SAFEARRAYBOUND: count and first index of each dimension.
  const bounds = new Int32Array([rows, 1, columns, 1]);
  const array = oleaut32.SafeArrayCreate(VT.VARIANT, 2, bounds);
  if (array === 0n) throw new Error(`Windows has no memory for an array of ${String(rows * columns)} elements.`);
  const memory = Buffer.alloc(rows * columns * VARIANT_SIZE);
  const view = viewOf(memory);
  // Strings allocated before an error are in the block: the array frees them.
  try {
    writeRows(view, rows, values);
  } catch (error) {
    withData(array, (data) => copyIn(data, memory));
    oleaut32.SafeArrayDestroy(array);
    throw error;
  }
  withData(array, (data) => copyIn(data, memory));
  return array;
}

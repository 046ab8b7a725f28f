/** The sheet and the range that a caller names, as objects of the program. */
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { addressHint, formatArea, parseAddress, type CellArea, cellsOf } from '../../contract/cells/cell-address.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { isRefusal, lacksMember, refused, ifGiven } from './excel-errors.ts';
import type { OpenBook } from './open-book.ts';

/** Longer addresses are refused by Range, which takes 255 characters. */
const LONGEST_ADDRESS = 255;

/** Objects of one action: what is found is released with it. */
export interface FoundRange extends Disposable {
  readonly book: OpenBook;
  readonly sheet: Dispatch;
  readonly sheetName: string;
  readonly isHidden: boolean;
  /** The whole of it, as the caller named it. */
  readonly areas: readonly [CellArea, ...CellArea[]];
}

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `$A$1:$C$4,$E$5` of the program as rectangles. */
export function areasOf(address: string): readonly [CellArea, ...CellArea[]] {
  const parsed = parseAddress(address);
  if (parsed.kind === 'areas') return parsed.areas;
  throw new UiaHostError(
    'unsupported',
    `The program gave the address ${quoted(address)}, which is not in the A1 style.`,
  );
}

export async function sheetOf(book: OpenBook, name: string | undefined): Promise<Dispatch> {
  if (name === undefined) return book.window.object('ActiveSheet', 'Worksheet');
  const sheets = await book.sheets();
  try {
    return await sheets.object('Item', 'Worksheet', [name]);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const plain = name.replace(/^['"=\s]+|['"!\s]+$/g, '');
    throw new UiaHostError('invalid_argument', `The workbook has no sheet ${quoted(name)}; nothing was done.`, {
      hint: `${plain === name || plain === '' ? '' : `Give the name alone, as ${quoted(plain)}. `}Call workbook-info, which lists the sheets.`,
    });
  }
}

/** A range of the sheet. Errors: invalid_argument with the program's own words. */
export async function rangeAt(sheet: Dispatch, address: string): Promise<Dispatch> {
  try {
    return await sheet.object('Range', 'Range', [address]);
  } catch (error) {
    if (isRefusal(error))
      throw refused('invalid_argument', `the range ${quoted(address)}`, error, 'not_delivered', addressHint(address));
    if (lacksMember(error))
      throw new UiaHostError('invalid_argument', 'This sheet has no cells; nothing was done.', {
        hint: 'It is a chart or a dialog. Call workbook-info, which lists the sheets.',
      });
    throw error;
  }
}

/** What a defined name of the whole workbook refers to; null where it has none. */
const namedRange = (book: Dispatch, name: string): Promise<Dispatch | null> =>
  ifGiven(async () => {
    using names = await book.object('Names', 'Names');
    using found = await names.object('Item', 'Name', [name]);
    return await found.object('RefersToRange', 'Range');
  }, null);

/**
 * A name may lead to another open workbook, which is not bound; a program has no two workbooks of one name. Errors:
 * invalid_argument.
 */
async function assertInBook(book: OpenBook, sheet: Dispatch, name: string): Promise<void> {
  using parent = await sheet.object('Parent', 'Workbook');
  const [where, bound] = [text(await parent.get('Name')), text(await (await book.book()).get('Name'))];
  if (where !== '' && where === bound) return;
  throw new UiaHostError(
    'invalid_argument',
    `The name ${quoted(name)} leads to another workbook, ${quoted(where)}; nothing was read or written.`,
    { hint: 'Bind the window of that workbook, which has grants of its own.' },
  );
}

/** Source: learn.microsoft.com/office/vba/api/excel.xlsheetvisibility */
export const isVisible = (answer: unknown): boolean => answer === true || answer === -1;

/** Hidden, by a person or so that only a macro can show it. */
async function isHidden(sheet: Dispatch): Promise<boolean> {
  try {
    return !isVisible(await sheet.get('Visible'));
  } catch (error) {
    if (lacksMember(error)) return false;
    throw error;
  }
}

/** For answers and cards. */
export const hiddenOf = ({ isHidden: is }: Pick<FoundRange, 'isHidden'>): { readonly hidden?: true } =>
  is ? { hidden: true } : {};

/** More sheets are not searched for a table. */
const MOST_SHEETS = 100;

/** A table, or a column of one, is on whatever sheet has it: `Orders`, `Orders[Amount]`; null where none has. */
async function tableRange(book: OpenBook, name: string): Promise<Dispatch | null> {
  const sheets = await book.sheets();
  const count = Math.min(Number(await sheets.get('Count')), MOST_SHEETS);
  const table = name.split('[')[0]!;
  for (let index = 1; index <= count; index += 1) {
    using sheet = await sheets.object('Item', 'Worksheet', [index]);
    const range = await ifGiven(async () => {
      using tables = await sheet.object('ListObjects', 'ListObjects');
      (await tables.object('Item', 'ListObject', [table]))[Symbol.dispose]();
      return await sheet.object('Range', 'Range', [name]);
    }, null);
    if (range !== null) return range;
  }
  return null;
}

const addressOf = async (range: Dispatch): Promise<string> => text(await range.get('Address'));

/**
 * The sheet and the rectangles that are meant: an address, a name, `selection`, or the used range.
 * A sheet that the address names counts where no sheet is given.
 */
export async function findRange(
  book: OpenBook,
  wanted: { readonly sheet: string | undefined; readonly range: string | undefined },
): Promise<FoundRange> {
  const isSelection = wanted.range?.trim().toLowerCase() === 'selection';
  const parsed = wanted.range === undefined || isSelection ? null : parseAddress(wanted.range, wanted.sheet ?? null);
  const owned: Disposable[] = [];
  const own = <T extends Disposable>(made: T): T => {
    owned.push(made);
    return made;
  };
  const end = (): void => {
    for (const each of owned.splice(0)) each[Symbol.dispose]();
  };
  try {
    let sheet = own(await sheetOf(book, isSelection ? undefined : (parsed?.sheet ?? wanted.sheet)));
    let areas: FoundRange['areas'];
    if (isSelection) {
      using selection = await book.window.object('RangeSelection', 'Range');
      areas = areasOf(await addressOf(selection));
    } else if (parsed === null) {
      using used = await usedRange(sheet);
      areas = areasOf(await addressOf(used));
    } else if (parsed.kind === 'areas') {
      areas = parsed.areas;
    } else {
      using range = await rangeAt(sheet, parsed.name).catch(async (error: unknown) => {
        if (parsed.sheet !== null || !isInvalid(error)) throw error;
        const named = (await namedRange(await book.book(), parsed.name)) ?? (await tableRange(book, parsed.name));
        if (named === null) throw error;
        return named;
      });
      sheet = own(await range.object('Worksheet', 'Worksheet'));
      await assertInBook(book, sheet, parsed.name);
      areas = areasOf(await addressOf(range));
    }
    const sheetName = text(await sheet.get('Name'));
    if (isSelection && wanted.sheet !== undefined && wanted.sheet.toLowerCase() !== sheetName.toLowerCase())
      throw new UiaHostError(
        'invalid_argument',
        `The selection is on the sheet ${quoted(sheetName)}, but the sheet given is ${quoted(wanted.sheet)}.`,
      );
    return { book, sheet, sheetName, isHidden: await isHidden(sheet), areas, [Symbol.dispose]: end };
  } catch (error) {
    end();
    throw error;
  }
}

const isInvalid = (error: unknown): boolean => error instanceof UiaHostError && error.code === 'invalid_argument';

export async function usedRange(sheet: Dispatch): Promise<Dispatch> {
  try {
    return await sheet.object('UsedRange', 'Range');
  } catch (error) {
    if (!lacksMember(error)) throw error;
    throw new UiaHostError('invalid_argument', 'This sheet has no cells; nothing was read.', {
      hint: 'It is a chart or a dialog. Call workbook-info, which lists the sheets.',
    });
  }
}

/** The one rectangle that is meant. Errors: invalid_argument for several. */
export function oneArea({ areas }: FoundRange): CellArea {
  if (areas.length === 1) return areas[0];
  throw new UiaHostError(
    'invalid_argument',
    `${quoted(areas.map(formatArea).join(',').slice(0, LONGEST_ADDRESS))} is ${String(areas.length)} rectangles, and one is needed; nothing was done.`,
  );
}

// Merged cells: only the first of an area holds something, and a person sees nothing of what is put into the others.

/** Each cell is asked, which takes a call: beyond this many it is only known that there are merged cells. */
const MOST_ASKED = 400;

const isInside = (area: CellArea, row: number, column: number): boolean =>
  row >= area.row && row < area.row + area.rows && column >= area.column && column < area.column + area.columns;

/** A cell of a merged area that is not its first. */
export const isCovered = (merged: readonly CellArea[], row: number, column: number): boolean =>
  merged.some((area) => isInside(area, row, column) && !(row === area.row && column === area.column));

/**
 * The merged areas that a rectangle meets.
 * Source: learn.microsoft.com/office/vba/api/excel.range.mergecells (null: some are), .../excel.range.mergearea
 */
export async function mergedIn(sheet: Dispatch, range: Dispatch, area: CellArea): Promise<CellArea[]> {
  const merged: CellArea[] = [];
  // Other programs have no merged cells.
  await ifGiven(async () => {
    if ((await range.get('MergeCells')) === false) return;
    using cells = await sheet.object('Cells', 'Range');
    let asked = 0;
    for (const { row, column } of cellsOf(area)) {
      if (merged.some((each) => isInside(each, row, column))) continue;
      if ((asked += 1) > MOST_ASKED) break;
      using cell = await cells.object('Item', 'Range', [row, column]);
      using whole = await cell.object('MergeArea', 'Range');
      const [found] = areasOf(text(await whole.get('Address')));
      if (found !== undefined && found.rows * found.columns > 1) merged.push(found);
    }
  }, undefined);
  return merged;
}

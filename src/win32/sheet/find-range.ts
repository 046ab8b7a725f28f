/** The sheet and the range that a caller names, as objects of the program. */
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import {
  addressHint,
  addressText,
  cellCount,
  cellsOf,
  formatArea,
  formatAreas,
  intersectAreas,
  parseAddress,
  type CellAddress,
  type CellArea,
} from '../../contract/cells/cell-address.ts';
import { SHEET_COLUMNS, SHEET_ROWS } from '../../contract/cells/cells.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { given, ifGiven, lacksMember, orRefused, refused, unsupported, wrong } from './excel-errors.ts';
import type { OpenBook } from './open-book.ts';

/** Longer addresses are refused by Range, which takes 255 characters. */
const LONGEST_ADDRESS = 255;

type Areas = readonly [CellArea, ...CellArea[]];

export interface FoundRange {
  readonly book: OpenBook;
  readonly sheet: Dispatch;
  readonly sheetName: string;
  /** For answers and cards: of a hidden sheet a person sees nothing. */
  readonly hidden: { readonly hidden?: true };
  /** The whole of it, as the caller named it. */
  readonly areas: Areas;
}

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const nameOf = async (object: Dispatch): Promise<string> => text(await object.get('Name'));

/** Where a range is: `$A$1:$C$4,$E$5` of the program as rectangles. */
export async function areasAt(range: Dispatch): Promise<Areas> {
  const address = text(await range.get('Address'));
  const parsed = parseAddress(address);
  if (parsed.kind === 'areas') return parsed.areas;
  throw unsupported(`The program gave the address ${quoted(address)}, which is not in the A1 style`);
}

/** The exact workbook that an answer is about; `path`: null before it was saved. */
export async function identityOf(open: OpenBook): Promise<{ readonly name: string; readonly path: string | null }> {
  const book = await open.book();
  const isSaved = text(await book.get('Path')) !== '';
  return { name: await nameOf(book), path: isSaved ? text(await book.get('FullName')) : null };
}

/** More sheets, and more objects on one, are not looked through. */
const MOST_ITEMS = 100;

/** The objects of a collection. */
export async function itemsOf(collection: Dispatch, kind = 'Item', most = MOST_ITEMS): Promise<Dispatch[]> {
  const count = Math.min(Number(await collection.get('Count')), most);
  const found: Dispatch[] = [];
  while (found.length < count) found.push(await collection.object('Item', kind, [found.length + 1]));
  return found;
}

export const activeSheet = (book: OpenBook): Promise<Dispatch> => book.window.object('ActiveSheet', 'Worksheet');

export async function sheetOf(book: OpenBook, name: string | undefined): Promise<Dispatch> {
  if (name === undefined) return activeSheet(book);
  const sheets = await book.sheets();
  return orRefused(
    () => sheets.object('Item', 'Worksheet', [name]),
    () => {
      const plain = name.replace(/^['"=\s]+|['"!\s]+$/g, '');
      const alone = plain === name || plain === '' ? '' : `Give the name alone, as ${quoted(plain)}. `;
      return wrong(`The workbook has no sheet ${quoted(name)}`, `${alone}Call workbook-info, which lists the sheets.`);
    },
  );
}

/** Errors: invalid_argument for a sheet that has no such member. */
async function ofCells(range: () => Promise<Dispatch>): Promise<Dispatch> {
  try {
    return await range();
  } catch (error) {
    if (!lacksMember(error)) throw error;
    throw wrong('This sheet has no cells', 'It is a chart or a dialog. Call workbook-info, which lists the sheets.');
  }
}

/** A range of the sheet. Errors: invalid_argument with the program's own words. */
export const rangeAt = (sheet: Dispatch, place: string | CellArea): Promise<Dispatch> => {
  const address = typeof place === 'string' ? place : formatArea(place);
  return orRefused(
    () => ofCells(() => sheet.object('Range', 'Range', [address])),
    (error) =>
      refused('invalid_argument', `the range ${quoted(address)}`, error, 'not_delivered', addressHint(address)),
  );
};

/** What the sheet uses. */
export const contentOf = async (sheet: Dispatch): Promise<CellArea> =>
  (await areasAt(await ofCells(() => sheet.object('UsedRange', 'Range'))))[0];

/** Whole rows and columns as far as the sheet is used; where nothing is used there, the first cell represents it. */
export async function within(sheet: Dispatch, areas: Areas): Promise<Areas> {
  if (!areas.some(({ rows, columns }) => rows === SHEET_ROWS || columns === SHEET_COLUMNS)) return areas;
  const content = await contentOf(sheet);
  const [first = { ...areas[0], rows: 1, columns: 1 }, ...others] = areas.flatMap(
    (area) => intersectAreas(area, content) ?? [],
  );
  return [first, ...others];
}

/** What a defined name of the whole workbook refers to; null where it has none. */
const namedRange = (book: Dispatch, name: string): Promise<Dispatch | null> =>
  ifGiven(async () => {
    const found = await (await book.object('Names')).object('Item', 'Name', [name]);
    return await found.object('RefersToRange', 'Range');
  }, null);

/** A table, or a column of one, is on whatever sheet has it: `Orders`, `Orders[Amount]`; null where none has. */
async function tableRange(book: OpenBook, name: string): Promise<Dispatch | null> {
  for (const sheet of await itemsOf(await book.sheets(), 'Worksheet')) {
    const range = await ifGiven(async () => {
      await (await sheet.object('ListObjects')).object('Item', 'ListObject', [name.split('[')[0]!]);
      return await sheet.object('Range', 'Range', [name]);
    }, null);
    if (range !== null) return range;
  }
  return null;
}

/** A name of the sheet, of the workbook, or of a table. */
async function rangeNamed(
  book: OpenBook,
  sheet: Dispatch,
  { name, sheet: on }: Extract<CellAddress, { kind: 'name' }>,
): Promise<Dispatch> {
  try {
    return await rangeAt(sheet, name);
  } catch (error) {
    if (on !== null || !(error instanceof UiaHostError) || error.code !== 'invalid_argument') throw error;
    const range = (await namedRange(await book.book(), name)) ?? (await tableRange(book, name));
    if (range === null) throw error;
    return range;
  }
}

/**
 * A name may lead to another open workbook, which is not bound; a program has no two workbooks of one name. Errors:
 * invalid_argument.
 */
async function assertInBook(book: OpenBook, sheet: Dispatch, name: string): Promise<void> {
  const where = await nameOf(await sheet.object('Parent', 'Workbook'));
  if (where !== '' && where === (await nameOf(await book.book()))) return;
  throw wrong(
    `The name ${quoted(name)} leads to another workbook, ${quoted(where)}`,
    'Bind the window of that workbook, which has grants of its own.',
  );
}

/** Seen, neither hidden by a person nor so that only a macro can show it: learn.microsoft.com/office/vba/api/excel.xlsheetvisibility */
export const isVisible = (answer: unknown): boolean => answer === true || answer === -1;

/** For answers and cards. */
export const placeOf = ({ sheetName, hidden }: FoundRange, area: CellArea) => ({
  sheet: sheetName,
  ...hidden,
  range: addressText(area),
});

/**
 * The sheet and the rectangles that are meant: an address, a name, `selection`, or the used range.
 * A sheet that the address names counts where no sheet is given.
 */
export async function findRange(
  book: OpenBook,
  wanted: { readonly sheet?: string | undefined; readonly range?: string | undefined },
): Promise<FoundRange> {
  const isSelection = wanted.range?.trim().toLowerCase() === 'selection';
  const parsed = wanted.range === undefined || isSelection ? null : parseAddress(wanted.range, wanted.sheet ?? null);
  let sheet = await sheetOf(book, isSelection ? undefined : (parsed?.sheet ?? wanted.sheet));
  let areas: Areas;
  if (isSelection) areas = await areasAt(await book.window.object('RangeSelection', 'Range'));
  else if (parsed === null) areas = [await contentOf(sheet)];
  else if (parsed.kind === 'areas') areas = parsed.areas;
  else {
    const range = await rangeNamed(book, sheet, parsed);
    sheet = await range.object('Worksheet');
    await assertInBook(book, sheet, parsed.name);
    areas = await areasAt(range);
  }
  const sheetName = await nameOf(sheet);
  if (isSelection && wanted.sheet !== undefined && wanted.sheet.toLowerCase() !== sheetName.toLowerCase())
    throw wrong(`The selection is on the sheet ${quoted(sheetName)}, but the sheet given is ${quoted(wanted.sheet)}`);
  const isShown = isVisible((await given(sheet, 'Visible')) ?? true);
  return { book, sheet, sheetName, hidden: isShown ? {} : { hidden: true }, areas };
}

/** The one rectangle that is meant. Errors: invalid_argument for several. */
export function oneArea({ areas }: FoundRange): CellArea {
  if (areas.length === 1) return areas[0];
  throw wrong(
    `${quoted(formatAreas(areas).slice(0, LONGEST_ADDRESS))} is ${areas.length} rectangles, and one is needed`,
  );
}

// Merged cells: only the first of an area holds something, and a person sees nothing of what is put into the others.

/** Each cell is asked, which takes a call: beyond this many it is only known that there are merged cells. */
const MOST_ASKED = 400;

type Cell = Pick<CellArea, 'row' | 'column'>;
const isInside = (area: CellArea, cell: Cell): boolean =>
  intersectAreas(area, { ...cell, rows: 1, columns: 1 }) !== null;

/** A cell of a merged area that is not its first. */
export const isCovered = (merged: readonly CellArea[], cell: Cell): boolean =>
  merged.some((area) => isInside(area, cell) && !(cell.row === area.row && cell.column === area.column));

/**
 * The merged areas that a rectangle meets.
 * Source: learn.microsoft.com/office/vba/api/excel.range.mergecells (null: some are), .../excel.range.mergearea
 */
export async function mergedIn(sheet: Dispatch, range: Dispatch, area: CellArea): Promise<CellArea[]> {
  const merged: CellArea[] = [];
  // Other programs have no merged cells.
  await ifGiven(async () => {
    if ((await range.get('MergeCells')) === false) return;
    const cells = await sheet.object('Cells', 'Range');
    let asked = 0;
    for (const cell of cellsOf(area)) {
      if (merged.some((each) => isInside(each, cell))) continue;
      if ((asked += 1) > MOST_ASKED) break;
      const one = await cells.object('Item', 'Range', [cell.row, cell.column]);
      const [found] = await areasAt(await one.object('MergeArea', 'Range'));
      if (cellCount(found) > 1) merged.push(found);
    }
  }, undefined);
  return merged;
}

/** For answers: absent where there are none. */
export const mergedText = (merged: readonly CellArea[]): { readonly merged?: string[] } =>
  merged.length === 0 ? {} : { merged: merged.map(addressText) };

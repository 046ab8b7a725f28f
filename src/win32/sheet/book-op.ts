/** What every operation on a workbook is: a plan that is shown, judged, carried out and read back. */
import type { Dispatch, DispatchInput } from '../../../native-bindings/com/dispatch.ts';
import { firstPart, formatArea, intersectAreas, type CellArea } from '../../contract/cells/cell-address.ts';
import type { BookBefore, BookChanged, BookWish } from '../../contract/cells/book.ts';
import { MOST_CELLS, SHEET_COLUMNS, SHEET_ROWS } from '../../contract/cells/cells.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { ifGiven } from './excel-errors.ts';
import { areasOf, findRange, oneArea, rangeAt, text, usedRange, type FoundRange } from './find-range.ts';
import type { OpenBook } from './open-book.ts';
import { addressText, readCells, type CellsRead } from './read-range.ts';
import { assertWritable } from './write-range.ts';

/** What an operation reads and compares: labels with what they show, such as `B2` with “paid”. */
export type State = Readonly<Record<string, string | number | boolean | null>>;

/** What one operation would do to the workbook as it is now. */
export interface Plan {
  /** For the card and the answer: one line. */
  readonly what: string;
  readonly sheet: string;
  readonly range?: string;
  now(): Promise<State>;
  /** What `now` gives once it is done. The same as before: there is nothing to do. */
  readonly wanted: State;
  act(): Promise<void>;
  /** What is wished is known only afterwards: it is done in any case. */
  readonly isOpen?: boolean;
  /** Whether it shows what was wished; absent: where `now` gives what was wanted. */
  isRight?(before: State, after: State): boolean;
  readonly loses?: string | null;
  readonly reaches?: string | null;
  readonly formulas?: readonly string[];
  /** Reads more facts once it is done. */
  facts?(): Promise<BookChanged['facts']>;
}

/** The workbook and the wish. */
export interface Look {
  readonly book: OpenBook;
  readonly wish: BookWish & Readonly<Record<string, unknown>>;
  /** Released with the operation. */
  own<T extends Disposable>(made: T): T;
}

/** And the only ways to change something. */
export interface At extends Look {
  /** Whether something was done already. */
  hasBegun(): boolean;
  /** A moment, while the program works. */
  wait(): Promise<void>;
  set(object: Dispatch, member: string, value: DispatchInput): Promise<void>;
  run(object: Dispatch, member: string, ...args: DispatchInput[]): Promise<void>;
}

/** More than a person reads. */
const MOST_SHOWN = 30;

export function changesOf(before: State, after: State): Pick<BookBefore, 'changes' | 'more'> {
  const labels = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const words = (value: State[string] | undefined): string =>
    value === undefined || value === null ? 'empty' : String(value);
  const all = labels
    .filter((label) => before[label] !== after[label])
    .map((label) => ({ cell: label, before: words(before[label]), after: words(after[label]) }));
  return { changes: all.slice(0, MOST_SHOWN), more: Math.max(0, all.length - MOST_SHOWN) };
}

export const isSame = (a: State, b: State): boolean => changesOf(a, b).changes.length === 0;

export type Op = (at: At) => Promise<Plan>;

/** Errors for a wish that the workbook cannot fulfil, and for a workbook that is not as the wish needs it. */
export const wrong = (why: string, hint?: string): UiaHostError =>
  new UiaHostError('invalid_argument', `${why}; nothing was done.`, hint === undefined ? {} : { hint });
export const conflict = (why: string, hint: string): UiaHostError =>
  new UiaHostError('state_conflict', `${why}; nothing was done.`, { hint });

/** The exact workbook that an answer is about. */
export async function identityOf(book: OpenBook): Promise<BookChanged['workbook']> {
  const whole = await book.book();
  const isSaved = text(await whole.get('Path')) !== '';
  return { name: text(await whole.get('Name')), path: isSaved ? text(await whole.get('FullName')) : null };
}

/** More sheets, and more objects on one, are not looked through. */
const MOST_ITEMS = 100;

/** The objects of a collection. */
export async function itemsOf({ own }: Pick<Look, 'own'>, collection: Dispatch): Promise<Dispatch[]> {
  const count = Math.min(Number(await collection.get('Count')), MOST_ITEMS);
  const found: Dispatch[] = [];
  for (let index = 1; index <= count; index += 1) found.push(own(await collection.object('Item', 'Item', [index])));
  return found;
}

/** The objects of a collection by its name; none where the program lacks it. */
export const itemsIn = (look: Pick<Look, 'own'>, owner: Dispatch, member: string): Promise<Dispatch[]> =>
  ifGiven(async () => itemsOf(look, look.own(await owner.ask(member, member))), []);

/** The cells that a wish names, which can be written. */
export interface Cells {
  readonly at: At;
  readonly found: FoundRange;
  readonly area: CellArea;
  readonly range: Dispatch;
}

/** Whole rows and columns as far as the sheet is used, unless `isWhole`. Errors: target_readonly. */
export async function cellsOf(at: At, isWhole = false): Promise<Cells> {
  const found = at.own(await findRange(at.book, { sheet: at.wish.sheet, range: at.wish.range }));
  let area = oneArea(found);
  if (!isWhole && (area.rows === SHEET_ROWS || area.columns === SHEET_COLUMNS))
    area = intersectAreas(area, await contentOf(found.sheet)) ?? { ...area, rows: 1, columns: 1 };
  const range = at.own(await rangeAt(found.sheet, formatArea(area)));
  await assertWritable(found, range);
  return { at, found, area, range };
}

export async function contentOf(sheet: Dispatch): Promise<CellArea> {
  using used = await usedRange(sheet);
  return areasOf(text(await used.get('Address')))[0];
}

export const onCells = ({ found, area }: Cells, verb: string, plan: Omit<Plan, 'what' | 'sheet' | 'range'>): Plan => ({
  ...plan,
  what: `${verb} ${quoted(found.sheetName)} ${addressText(area)} (${area.rows * area.columns} cells)`,
  sheet: found.sheetName,
  range: addressText(area),
});

export async function readArea(found: FoundRange, area: CellArea): Promise<CellsRead> {
  using range = await rangeAt(found.sheet, formatArea(area));
  return await readCells(found, area, 'iso', range);
}

/** Whole rows, as many as one read takes at a time. */
export async function* blocksOf(found: FoundRange, area: CellArea): AsyncGenerator<CellsRead> {
  let left: readonly CellArea[] = [area];
  while (left[0] !== undefined) {
    const { part, rest } = firstPart([left[0]], Math.max(MOST_CELLS, area.columns));
    left = rest;
    yield await readArea(found, part);
  }
}

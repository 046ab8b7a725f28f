/** What every operation on a workbook is: a plan that is shown, judged, carried out and read back. */
import type { Dispatch, DispatchInput } from '../../../native-bindings/com/dispatch.ts';
import { addressText, cellCount, type CellArea } from '../../contract/cells/cell-address.ts';
import type { BookBefore, BookChanged, BookWish } from '../../contract/cells/book.ts';
import { firstShown } from '../../contract/cells/cell-text.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { findRange, oneArea, rangeAt, within, type FoundRange } from './find-range.ts';
import type { OpenBook } from './open-book.ts';
import { assertWritable } from './write-range.ts';

/** What an operation reads and compares: labels with what they show, such as `B2` with “paid”. */
export type State = Readonly<Record<string, string | number | boolean | null>>;

/** What one operation would do to the workbook as it is now. */
export interface Plan {
  /** For the card and the answer: one line. */
  readonly what: string;
  /** Absent: the active one. */
  readonly sheet?: string;
  /** Absent: it is not about cells. */
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

/** The workbook, the wish, and the only ways to change something. */
export interface At {
  readonly book: OpenBook;
  readonly wish: BookWish & Readonly<Record<string, unknown>>;
  /** Whether something was done already. */
  hasBegun(): boolean;
  /** A moment, while the program works. */
  wait(): Promise<void>;
  set(object: Dispatch, member: string, value: DispatchInput): Promise<void>;
  run(object: Dispatch, member: string, ...args: DispatchInput[]): Promise<void>;
}

export type Look = Pick<At, 'book' | 'wish'>;

const wordsOf = (value: State[string] | undefined): string => String(value ?? 'empty');

export const changesOf = (before: State, after: State): Pick<BookBefore, 'changes' | 'more'> =>
  firstShown(
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((label) => before[label] !== after[label])
      .map((label) => ({ cell: label, before: wordsOf(before[label]), after: wordsOf(after[label]) })),
  );

export const isSame = (a: State, b: State): boolean => changesOf(a, b).changes.length === 0;

export type Op = (at: At) => Promise<Plan>;

/** The cells that a wish names, which can be written. */
export interface Cells {
  readonly at: At;
  readonly found: FoundRange;
  readonly area: CellArea;
  readonly range: Dispatch;
}

/** Whole rows and columns as far as the sheet is used, unless `isWhole`. Errors: target_readonly. */
export async function cellsOf(at: At, isWhole = false): Promise<Cells> {
  const found = await findRange(at.book, at.wish);
  const whole = oneArea(found);
  const [area] = isWhole ? [whole] : await within(found.sheet, [whole]);
  const range = await rangeAt(found.sheet, area);
  await assertWritable(found, range);
  return { at, found, area, range };
}

export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** `how`: what follows the cells. */
export const onCells = (
  { found, area }: Cells,
  verb: string,
  { how = '', ...plan }: Omit<Plan, 'what' | 'sheet' | 'range'> & { readonly how?: string },
): Plan => ({
  ...plan,
  what: `${verb} ${quoted(found.sheetName)} ${addressText(area)} (${counted(cellCount(area), 'cell')})${how}`,
  sheet: found.sheetName,
  range: addressText(area),
});

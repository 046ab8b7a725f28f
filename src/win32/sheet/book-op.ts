/** What every operation on a workbook is: a plan that is shown, judged, carried out and read back. */
import type { Dispatch, DispatchInput } from '../../../native-bindings/com/dispatch.ts';
import type { BookChanged, BookWish } from '../../contract/cells/book.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { OpenBook } from './open-book.ts';

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
  wanted(before: State): State;
  act(): Promise<void>;
  /** What is wished is known only afterwards: it is done in any case. */
  readonly isOpen?: boolean;
  /** The result, where that is more than whether `now` gives what was wanted. */
  verdict?(before: State, after: State): BookChanged['result'];
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
  /** Released with the operation. */
  own<T extends Disposable>(made: T): T;
  set(object: Dispatch, member: string, value: DispatchInput): Promise<void>;
  run(object: Dispatch, member: string, ...args: DispatchInput[]): Promise<void>;
}

export type Op = (at: At) => Promise<Plan>;

/** Errors for a wish that the workbook cannot fulfil, and for a workbook that is not as the wish needs it. */
export const wrong = (why: string, hint?: string): UiaHostError =>
  new UiaHostError('invalid_argument', `${why}; nothing was done.`, hint === undefined ? {} : { hint });
export const conflict = (why: string, hint: string): UiaHostError =>
  new UiaHostError('state_conflict', `${why}; nothing was done.`, { hint });

/** What an action has just read of a spreadsheet, for the action that follows it immediately. */
import type { CellsBefore } from '../../contract/sheet.ts';
import type { CellsRead } from './read-range.ts';

/**
 * How long (ms) that counts. While a person types into a cell the program refuses calls, and then nothing read before counts any
 * more; what remains is a change within this time that needs no typing, such as Delete or Undo.
 */
const FRESH_MS = 250;

/** The cells of one rectangle. */
export interface CellsSeen {
  readonly hwnd: number;
  readonly read: CellsRead;
  readonly before: CellsBefore;
}

export class LastLook {
  #seen: { readonly cells: CellsSeen; readonly at: number } | null = null;
  #timer: NodeJS.Timeout | undefined;

  leave(cells: CellsSeen): void {
    this.forget();
    this.#seen = { cells, at: performance.now() };
    this.#timer = setTimeout(() => this.forget(), FRESH_MS).unref();
  }

  /** Null where nothing was read, or too long ago. */
  get fresh(): CellsSeen | null {
    return this.#seen !== null && performance.now() - this.#seen.at <= FRESH_MS ? this.#seen.cells : null;
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#seen = null;
  }
}

/** What an action has just found and read of a spreadsheet, for the action that follows it immediately: a write, once it is judged. */
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import type { CellArea } from '../../contract/cell-address.ts';
import type { CellsBefore } from '../../contract/sheet.ts';
import type { Found } from './find-range.ts';
import type { CellsRead } from './read-range.ts';

/**
 * How long (ms) it counts. While a person types into a cell the program refuses calls, and then nothing read before counts any
 * more; what remains is a change within this time that needs no typing, such as Delete or Undo.
 */
const FRESH_MS = 250;

/** The cells that a write is aimed at, found and read. */
export interface AimedCells extends Disposable {
  readonly window: Dispatch;
  readonly found: Found;
  readonly area: CellArea;
  /** The object of `area`. */
  readonly range: Dispatch;
  readonly read: CellsRead;
  readonly before: CellsBefore;
}

export class LastLook {
  readonly #onLate: () => void;
  #left: { readonly key: string; readonly cells: AimedCells; readonly at: number } | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** @param onLate no action came for what was left: its objects have been given up. */
  constructor(onLate: () => void) {
    this.#onLate = onLate;
  }

  /** `key`: says which action may have it. */
  leave(key: string, cells: AimedCells): void {
    this.forget();
    this.#left = { key, cells, at: performance.now() };
    this.#timer = setTimeout(() => {
      this.forget();
      this.#onLate();
    }, FRESH_MS).unref();
  }

  /** What was left for this action, which now owns it; null where it is another one's, or no longer fresh. */
  take(key: string): AimedCells | null {
    const left = this.#left;
    if (left?.key !== key || performance.now() - left.at > FRESH_MS) return null;
    this.#left = null;
    this.forget();
    return left.cells;
  }

  forget(): void {
    clearTimeout(this.#timer);
    const left = this.#left;
    this.#left = null;
    left?.cells[Symbol.dispose]();
  }
}

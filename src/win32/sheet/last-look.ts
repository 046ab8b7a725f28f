/** What has just been found and read of a spreadsheet for a write that is being judged, and is used by that write. */
import { randomUUID } from 'node:crypto';
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import type { CellArea } from '../../contract/cells/cell-address.ts';
import type { CellsToPut } from '../../contract/cells/cells-aim.ts';
import type { CellsBefore } from '../../contract/cells/sheet.ts';
import type { Block } from './cell-blocks.ts';
import type { Found } from './find-range.ts';
import type { OpenBook } from './open-book.ts';
import type { CellsRead } from './read-range.ts';

/**
 * How long (ms) it counts. While a person types into a cell the program refuses calls, and then nothing read before counts any
 * more; what remains is a change within this time that needs no typing, such as Delete or Undo.
 */
const FRESH_MS = 250;

/** The cells that a write is aimed at, found and read. */
export interface AimedCells extends Disposable {
  readonly book: OpenBook;
  readonly found: Found;
  readonly area: CellArea;
  /** The object of `area`. */
  readonly range: Dispatch;
  readonly read: CellsRead;
  readonly before: CellsBefore;
  /** Known where dates are written. */
  readonly is1904: boolean;
}

/** How cells will be written. */
export interface PreparedWrite {
  readonly macrosMayRun: boolean;
  readonly blocks: readonly Block[];
}

/** A write that was judged. */
export interface JudgedWrite extends AimedCells {
  readonly wanted: CellsToPut;
  /** Null where the program did not answer, or has not yet. */
  prepared: PreparedWrite | null;
}

export class LastLook {
  readonly #onLate: () => void;
  #left: { readonly key: string; readonly hwnd: number; readonly write: JudgedWrite; readonly at: number } | null =
    null;
  #timer: NodeJS.Timeout | undefined;

  /** @param onLate no write came for what was left: its objects have been given up. */
  constructor(onLate: () => void) {
    this.#onLate = onLate;
  }

  /** Returns the key by which the write gets it. */
  leave(hwnd: number, write: JudgedWrite): string {
    this.forget();
    const key = randomUUID();
    this.#left = { key, hwnd, write, at: performance.now() };
    this.#timer = setTimeout(() => {
      this.forget();
      this.#onLate();
    }, FRESH_MS).unref();
    return key;
  }

  /** What was left, which the caller now owns; null where another look has followed, or it is no longer fresh. */
  take(key: string, hwnd: number): JudgedWrite | null {
    const left = this.#left;
    if (left?.key !== key || left.hwnd !== hwnd || performance.now() - left.at > FRESH_MS) return null;
    this.#left = null;
    this.forget();
    return left.write;
  }

  forget(): void {
    clearTimeout(this.#timer);
    const left = this.#left;
    this.#left = null;
    left?.write[Symbol.dispose]();
  }
}

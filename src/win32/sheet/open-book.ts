/** What a workbook's window gives once and for all: its objects, kept between actions that follow each other closely. */
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';

/**
 * How long (ms) after an action: to open a window's object and to release it takes longer than to read a cell, and a caller that
 * works through a sheet comes back sooner. A person who closes the program meanwhile does not notice: until the last reference
 * is released, Excel's process stays.
 */
const KEPT_MS = 500;

/** The Window object of a bound window, and the objects that it always has. */
export class OpenBook implements Disposable {
  /** The window that served the object. */
  readonly pane: number;
  readonly window: Dispatch;
  #book: Dispatch | undefined;
  #sheets: Dispatch | undefined;
  #application: Dispatch | undefined;

  /** Takes the object over. */
  constructor(pane: number, window: Dispatch) {
    this.pane = pane;
    this.window = window;
  }

  async book(): Promise<Dispatch> {
    return (this.#book ??= await this.window.object('Parent', 'Workbook'));
  }

  async sheets(): Promise<Dispatch> {
    return (this.#sheets ??= await (await this.book()).object('Sheets', 'Sheets'));
  }

  async application(): Promise<Dispatch> {
    return (this.#application ??= await this.window.object('Application', 'Application'));
  }

  [Symbol.dispose](): void {
    for (const each of [this.#application, this.#sheets, this.#book, this.window]) each?.[Symbol.dispose]();
  }
}

/** The open books of one program, by bound window. They belong to this, and actions borrow them. */
export class OpenBooks {
  readonly #onLate: () => void;
  readonly #books = new Map<number, OpenBook>();
  #timer: NodeJS.Timeout | undefined;

  /** @param onLate no action came: the objects have been given up. */
  constructor(onLate: () => void) {
    this.#onLate = onLate;
  }

  get isEmpty(): boolean {
    return this.#books.size === 0;
  }

  /** Undefined where there is none, or where another window serves the object now. */
  find(hwnd: number, pane: number): OpenBook | undefined {
    const found = this.#books.get(hwnd);
    if (found === undefined || found.pane === pane) return found;
    this.forget(hwnd);
    return undefined;
  }

  keep(hwnd: number, book: OpenBook): OpenBook {
    this.forget(hwnd);
    this.#books.set(hwnd, book);
    return book;
  }

  forget(hwnd: number): void {
    const found = this.#books.get(hwnd);
    this.#books.delete(hwnd);
    found?.[Symbol.dispose]();
  }

  forgetAll(): void {
    this.stay();
    for (const hwnd of this.#books.keys()) this.forget(hwnd);
  }

  /** An action begins: nothing is given up while it runs. */
  stay(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** No action runs or waits. */
  leave(): void {
    this.stay();
    if (this.isEmpty) return;
    this.#timer = setTimeout(() => {
      this.forgetAll();
      this.#onLate();
    }, KEPT_MS).unref();
  }
}

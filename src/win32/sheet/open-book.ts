/** What a workbook's window gives once and for all: its objects, kept between actions that follow each other closely. */
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';

/** The Window object of a bound window, and the objects that it always has. */
export class OpenBook implements Disposable {
  /** The window that served the object. */
  readonly pane: number;
  readonly window: Dispatch;
  readonly #keep: (object: Dispatch) => Dispatch;
  readonly #kept = new Map<string, Dispatch>();

  /** Takes the object over. */
  constructor(pane: number, window: Dispatch, keep: (object: Dispatch) => Dispatch) {
    this.pane = pane;
    this.window = window;
    this.#keep = keep;
  }

  async #once(of: Dispatch, member: string, kind = member): Promise<Dispatch> {
    const known = this.#kept.get(kind) ?? this.#keep(await of.object(member, kind));
    this.#kept.set(kind, known);
    return known;
  }

  book(): Promise<Dispatch> {
    return this.#once(this.window, 'Parent', 'Workbook');
  }

  application(): Promise<Dispatch> {
    return this.#once(this.window, 'Application');
  }

  async sheets(): Promise<Dispatch> {
    return this.#once(await this.book(), 'Sheets');
  }

  [Symbol.dispose](): void {
    for (const each of [...this.#kept.values(), this.window]) each[Symbol.dispose]();
  }
}

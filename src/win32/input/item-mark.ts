/**
 * The mark of an item under a point: its state image in a tree or a list view, which may be a custom check box, the button
 * that expands a branch, or what a program draws at the left of an item of a list box. A click there is meant to toggle it.
 * A program that reads the cursor position ignores posted messages, while the control still selects the item: that is not
 * the intended effect.
 */
import type { Evidence } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/index.ts';
import type { Mark } from '../drivers/driver.ts';
import { driverOf } from '../drivers/index.ts';
import { windowName } from '../elements/tree/text.ts';
import type { MouseTarget } from './mouse-target.ts';

/** Effects that prove that the program acted, whatever the mark shows. */
const OWN_EFFECTS: ReadonlySet<string> = new Set(['window-opened', 'window-closed']);

export class ItemMark {
  readonly #hwnd: number;
  readonly #mark: Mark;
  readonly #before: number | null;

  private constructor(hwnd: number, mark: Mark) {
    this.#hwnd = hwnd;
    this.#mark = mark;
    this.#before = mark.read();
  }

  /** Null if the point is not on a mark. */
  static under({ hwnd, kind, client }: MouseTarget, { remoteControlMemory }: CallContext): ItemMark | null {
    const mark = driverOf(kind)?.markAt?.({ hwnd, client, mayUseMemory: remoteControlMemory }) ?? null;
    return mark === null ? null : new ItemMark(hwnd, mark);
  }

  /** Whether nothing tells of it: a screenshot shows it. */
  get isUnknown(): boolean {
    return this.#before === null;
  }

  isTurned(): boolean {
    const now = this.#mark.read();
    return now !== null && this.#before !== null && now !== this.#before;
  }

  /** The mark's state, before all other differences; an unchanged mark is reported too. */
  with(evidence: readonly Evidence[]): Evidence[] {
    const now = this.#mark.read();
    if (now === null || this.#before === null) return [...evidence];
    const own = {
      kind: 'item-state',
      before: this.#mark.word(this.#before),
      after: this.#mark.word(now),
      element: `item under the point in ${windowName(this.#hwnd)}`,
    };
    return [own, ...evidence.filter(({ kind }) => kind !== own.kind)];
  }

  /** Whether the differences include the intended one. */
  confirms(evidence: readonly Evidence[]): boolean {
    return this.isTurned() || evidence.some(({ kind }) => OWN_EFFECTS.has(kind));
  }
}

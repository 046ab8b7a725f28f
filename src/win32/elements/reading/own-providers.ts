/**
 * Which windows serve elements of their own. Where UI Automation has no patterns it shows of a classic window only what
 * the window itself serves, and finding that out costs more than asking the window. Source:
 * learn.microsoft.com/windows/win32/winauto/wm-getobject
 */
import { OBJID_CLIENT, UiaRootObjectId, WM_GETOBJECT } from '../../../../native-bindings/win32/constants.ts';
import type { Asker } from '../../windows/ask.ts';

/** What UI Automation showed this long ago (ms) is looked at again. */
const OLDEST_MS = 60_000;
/** A standard control that served nothing this long ago (ms) is not asked again: gate and delivery look at it in turn. */
const SILENT_MS = 2000;
const MOST_KEPT = 5000;
/** Of a window with more custom windows, UI Automation is asked. */
const MOST_ASKED = 16;

export class OwnProviders {
  readonly #known = new Map<number, { readonly serves: boolean; readonly at: number }>();
  /** Standard controls that answered that they serve nothing, and when. */
  readonly #silent = new Map<number, number>();

  /** What a complete look through UI Automation found. */
  note(hwnd: number, serves: boolean): void {
    this.#silent.delete(hwnd);
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    this.#known.set(hwnd, { serves, at: performance.now() });
  }

  /** Whether a complete look found that it serves nothing, and not long ago; it may have begun since. */
  servedNothing(hwnd: number): boolean {
    const kept = this.#known.get(hwnd);
    return kept !== undefined && !kept.serves && performance.now() - kept.at <= OLDEST_MS;
  }

  /**
   * Whether a window serves nothing, by its own answer. It is asked only after UI Automation showed nothing of it, or if
   * it is a standard control: an object that it serves stays in its program until it is taken.
   * @param panes of a whole window: the custom windows in it, which are asked too; null for a standard control
   */
  servesNothing(hwnd: number, panes: readonly number[] | null, asker: Asker): boolean {
    const kept = this.#known.get(hwnd);
    const known = kept === undefined || performance.now() - kept.at > OLDEST_MS ? undefined : kept;
    if (known === undefined ? panes !== null : known.serves) return false;
    const silentAt = panes === null ? this.#silent.get(hwnd) : undefined;
    if (silentAt !== undefined && performance.now() - silentAt < SILENT_MS) return true;
    const asked = new Set([hwnd, ...(panes ?? [])]);
    if (asked.size > MOST_ASKED) return false;
    const isSilent = [...asked].every((each) =>
      [UiaRootObjectId, OBJID_CLIENT].every((object) => asker.ask(each, WM_GETOBJECT, 0, object) === 0),
    );
    if (!isSilent) this.note(hwnd, true);
    else if (panes === null) {
      if (this.#silent.size >= MOST_KEPT) this.#silent.clear();
      this.#silent.set(hwnd, performance.now());
    }
    return isSilent;
  }
}

/** What a dialog changes in its owner window: a search dialog, for example, selects what it finds there. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Evidence } from '../../contract/outcome.ts';
import { readEditState, type EditState } from './edit-state.ts';
import { kindOfWindow, descendantsOf } from '../windows/window-info.ts';
import { appearance, appearanceChange } from './appearance.ts';
import { threadOf } from '../windows/handle.ts';
import type { ControlKind } from '../windows/classes.ts';
import { windowName } from '../elements/tree/window-name.ts';

/** Fields are compared by text and selection; other controls change on their own. */
const NOT_BY_TEXT: ReadonlySet<ControlKind> = new Set(['edit', 'rich-edit', 'status-bar', 'progress-bar', 'tooltip']);
const FIELDS: ReadonlySet<ControlKind> = new Set(['edit', 'rich-edit']);
/** At most this many fields are read: more than an editor shows at once. */
const MOST_FIELDS = 8;
const READ_MS = 300;

/** Text and selection of the fields in a window. Password fields are never read. */
function fieldsOf(owner: number): Map<number, EditState> {
  const fields = new Map<number, EditState>();
  for (const hwnd of descendantsOf(owner)
    .filter((each) => user32.IsWindowVisible(each) && FIELDS.has(kindOfWindow(each)))
    .slice(0, MOST_FIELDS)) {
    const state = readEditState(
      { hwnd, thread: threadOf(hwnd).thread, kind: kindOfWindow(hwnd), foundBy: 'window itself' },
      READ_MS,
    );
    if (state !== null) fields.set(hwnd, state);
  }
  return fields;
}

export class OwnerWatch {
  readonly #owner: number;
  readonly #fields: ReadonlyMap<number, EditState>;
  readonly #appearance: ReadonlyMap<number, string>;

  private constructor(owner: number) {
    this.#owner = owner;
    this.#fields = fieldsOf(owner);
    this.#appearance = appearance(owner, NOT_BY_TEXT);
  }

  /** Null if the window has no owner that can be used while it is open. */
  static at(owner: number): OwnerWatch | null {
    return owner !== 0 && user32.IsWindowVisible(owner) ? new OwnerWatch(owner) : null;
  }

  /** What changed since; null if nothing did. */
  since(): Evidence | null {
    if (!user32.IsWindow(this.#owner)) return null;
    for (const [hwnd, now] of fieldsOf(this.#owner)) {
      const then = this.#fields.get(hwnd);
      if (then === undefined) continue;
      const element = windowName(hwnd);
      if (then.text !== now.text)
        return { kind: 'text-length', before: then.text.length, after: now.text.length, element };
      if (then.start !== now.start || then.end !== now.end)
        return { kind: 'selection', before: [then.start, then.end], after: [now.start, now.end], element };
    }
    return appearanceChange(this.#appearance, appearance(this.#owner, NOT_BY_TEXT));
  }
}

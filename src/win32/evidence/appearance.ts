/** What a window shows, as far as it can be read without sending it messages: texts and states of its windows. */
import { WS_DISABLED, WS_VISIBLE } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Evidence } from '../../contract/outcome.ts';
import type { ControlKind } from '../windows/classes.ts';
import { kindOfWindow, descendantsOf, windowText, windowStyle } from '../windows/window-info.ts';
import { withoutAccelerator } from '../elements/tree/text.ts';
import { windowName } from '../elements/tree/window-name.ts';

/** Fields that people type into have their own read-back. */
const FIELDS: ReadonlySet<ControlKind> = new Set(['edit', 'rich-edit']);

/** Window → its state and text. `without`: kinds of controls whose text is ignored. */
export function appearance(root: number, without: ReadonlySet<ControlKind> = FIELDS): Map<number, string> {
  const shows = (hwnd: number): string => {
    const style = windowStyle(hwnd);
    // The window itself is disabled by its dialogs, which are detected separately.
    const state = hwnd === root ? 0 : style & (WS_VISIBLE | WS_DISABLED);
    return `${state} ${without.has(kindOfWindow(hwnd)) ? '' : windowText(hwnd, style)}`;
  };
  return new Map([root, ...descendantsOf(root)].map((hwnd) => [hwnd, shows(hwnd)]));
}

const shown = (state: string | undefined): string | null =>
  state === undefined ? null : withoutAccelerator(state.slice(state.indexOf(' ') + 1)).slice(0, 200);

function condition(state: string): string {
  const bits = Number.parseInt(state, 10);
  return `${(bits & WS_VISIBLE) === 0 ? 'hidden' : 'shown'}, ${(bits & WS_DISABLED) === 0 ? 'enabled' : 'disabled'}`;
}

/**
 * The first difference; null if there is none.
 * @param counts which windows are compared
 */
export function appearanceChange(
  then: ReadonlyMap<number, string>,
  now: ReadonlyMap<number, string>,
  counts: (hwnd: number) => boolean = () => true,
): Evidence | null {
  for (const [hwnd, state] of now) {
    const before = then.get(hwnd);
    if (before === state || !counts(hwnd)) continue;
    const element = windowName(hwnd);
    if (!user32.IsWindow(hwnd)) return { kind: 'element', before: shown(before), after: null };
    if (before === undefined) return { kind: 'element', before: null, after: shown(state), element };
    return shown(before) === shown(state)
      ? { kind: 'state', before: condition(before), after: condition(state), element }
      : { kind: 'text', before: shown(before), after: shown(state), element };
  }
  const gone = [...then.keys()].find((hwnd) => !now.has(hwnd) && counts(hwnd));
  return gone === undefined ? null : { kind: 'element', before: shown(then.get(gone)), after: null };
}

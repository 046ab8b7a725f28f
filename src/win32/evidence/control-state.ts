/** What a control's driver reports of its state (check state, selection, position), and how far it is scrolled. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Evidence } from '../../contract/outcome.ts';
import { Asker } from '../windows/ask.ts';
import { parentOf, rootOf } from '../windows/window-info.ts';
import { driverOf } from '../drivers/index.ts';
import { answersTo } from '../drivers/items.ts';
import { scrolledTo, type Scrolled } from '../drivers/position.ts';
import { windowName } from '../elements/tree/text.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';

/** The wheel message travels up to an ancestor that scrolls. */
const LEVELS = 3;

/** The control's answers, and how far it and its ancestors are scrolled. */
export interface ControlState {
  readonly target: KeyTarget;
  readonly answers: ReadonlyMap<string, number | null>;
  readonly scrolled: readonly Scrolled[];
}

/** How far a window and its next ancestors are scrolled. */
function scrollPositions(hwnd: number): Scrolled[] {
  const root = rootOf(hwnd);
  const places: Scrolled[] = [];
  for (let at = hwnd, level = 0; at !== 0 && level < LEVELS; at = at === root ? 0 : parentOf(at), level += 1)
    places.push(...scrolledTo(at));
  return places;
}

/** The control's current state; null for what it does not answer in time. */
export function readControlState(target: KeyTarget, budgetMs: number): ControlState {
  const asker = new Asker(budgetMs);
  const driver = driverOf(target.kind);
  const answers = driver?.state?.(asker, target.hwnd) ?? answersTo(asker, target.hwnd, driver?.questions ?? []);
  return { target, answers, scrolled: scrollPositions(target.hwnd) };
}

const readable = ({ kind }: KeyTarget, question: string, answer: number, isAfter: boolean): unknown =>
  driverOf(kind)?.word?.(question, answer, isAfter) ?? answer;

/** Differences, with the element named; a value unanswered either time proves nothing. */
export function stateChanges(before: ControlState, after: ControlState): Evidence[] {
  const { target } = after;
  // Another item's state is not a change of this one.
  const isOtherItem = before.answers.get('selection') !== after.answers.get('selection');
  const changes = [...after.answers].flatMap(([kind, now]): Evidence[] => {
    const then = before.answers.get(kind) ?? null;
    if (then === null || now === null || then === now || (kind === 'item-state' && isOtherItem)) return [];
    return [
      {
        kind,
        before: readable(target, kind, then, false),
        after: readable(target, kind, now, true),
        element: windowName(target.hwnd),
      },
    ];
  });
  if (!user32.IsWindow(target.hwnd)) return changes;
  for (const { what, hwnd, at } of after.scrolled) {
    const then = before.scrolled.find((one) => one.what === what && one.hwnd === hwnd);
    if (then !== undefined && then.at !== at)
      return [...changes, { kind: 'scroll', before: then.at, after: at, element: `${what} of ${windowName(hwnd)}` }];
  }
  return changes;
}

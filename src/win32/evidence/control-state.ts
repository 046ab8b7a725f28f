/** What a control's driver reports of its state (check state, selection, position), and how far it is scrolled. */
import { GW_CHILD, SIF_ALL } from '../../../native-bindings/win32/constants.ts';
import { SCROLLINFO } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Evidence } from '../../contract/outcome.ts';
import { Asker } from '../windows/ask.ts';
import { outerRect } from '../windows/rects.ts';
import { parentOf, rootOf } from '../windows/window-info.ts';
import { driverOf } from '../drivers/index.ts';
import { answersTo } from '../drivers/items.ts';
import { windowName } from '../elements/tree/text.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';

/** SB_HORZ and SB_VERT. */
const BARS = ['horizontal', 'vertical'] as const;
/** The wheel message travels up to an ancestor that scrolls. */
const LEVELS = 3;

/** The control's answers, and how far it and its ancestors are scrolled. */
export interface ControlState {
  readonly target: KeyTarget;
  readonly answers: ReadonlyMap<string, number | null>;
  readonly scrolled: ReadonlyMap<string, number>;
}

/**
 * Positions of both scroll bars of a window and its next ancestors, and where their content begins: a program may not
 * publish its scroll bar's values. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getscrollinfo
 */
function scrollPositions(hwnd: number): Map<string, number> {
  const positions = new Map<string, number>();
  const root = rootOf(hwnd);
  for (let at = hwnd, level = 0; at !== 0 && level < LEVELS; at = at === root ? 0 : parentOf(at), level += 1) {
    for (const [bar, direction] of BARS.entries()) {
      const info = SCROLLINFO.alloc({ cbSize: SCROLLINFO.size, fMask: SIF_ALL });
      if (user32.GetScrollInfo(at, bar, info))
        positions.set(`${direction} scroll bar of ${at}`, SCROLLINFO.read(info).nPos);
    }
    const inside = user32.GetWindow(at, GW_CHILD);
    const [rect, view] = inside === 0 ? [null, null] : [outerRect(inside), outerRect(at)];
    if (rect === null || view === null) continue;
    positions.set(`left edge of ${inside}`, rect.x - view.x);
    positions.set(`top edge of ${inside}`, rect.y - view.y);
  }
  return positions;
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
  const moved = [...after.scrolled].find(
    ([what, now]) => before.scrolled.has(what) && before.scrolled.get(what) !== now,
  );
  if (moved === undefined) return changes;
  const [what, now] = moved;
  const [, edge, hwnd] = /^(.*) of (\d+)$/.exec(what)!;
  return [
    ...changes,
    {
      kind: 'scroll',
      before: before.scrolled.get(what),
      after: now,
      element: `${edge} of ${windowName(Number(hwnd))}`,
    },
  ];
}

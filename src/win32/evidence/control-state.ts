/** What a standard control reports through simple messages: check state, selection, position, scroll. */
import {
  BM_GETCHECK,
  CB_GETCURSEL,
  CB_GETDROPPEDSTATE,
  EM_GETFIRSTVISIBLELINE,
  HKM_GETHOTKEY,
  GA_PARENT,
  GW_CHILD,
  LBS_EXTENDEDSEL,
  LB_GETCURSEL,
  LB_GETSEL,
  LB_GETSELCOUNT,
  LB_GETTOPINDEX,
  LVM_GETNEXTITEM,
  LVM_GETSELECTEDCOUNT,
  LVM_GETTOPINDEX,
  LVNI_FOCUSED,
  LVNI_SELECTED,
  SIF_ALL,
  TBM_GETPOS,
  TCM_GETCURSEL,
  TVGN_CARET,
  TVGN_FIRSTVISIBLE,
  TVIS_EXPANDED,
  TVIS_STATEIMAGEMASK,
  TVM_GETITEMSTATE,
  TVM_GETNEXTITEM,
  TVM_GETVISIBLECOUNT,
  UDM_GETPOS32,
} from '../../../native-bindings/win32/constants.ts';
import { SCROLLINFO } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Evidence } from '../../contract/outcome.ts';
import { Asker } from '../windows/ask.ts';
import type { ControlKind } from '../windows/classes.ts';
import { outerRect } from '../windows/rects.ts';
import { isMultiple } from '../elements/sources/controls/list-box.ts';
import { windowName } from '../elements/tree/text.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';
import { windowStyle } from '../windows/window-info.ts';

type Question = readonly [kind: string, message: number, wParam?: number | bigint, lParam?: number];

/** "Start with the first item": the message's int -1 as a 64-bit word. */
const FROM_START = 0xffff_ffff_ffff_ffffn;

/** Source: learn.microsoft.com/windows/win32/controls/individual-control-info, the page of each control's messages. */
const QUESTIONS: Partial<Record<ControlKind, readonly Question[]>> = {
  button: [['check', BM_GETCHECK]],
  'combo-box': [
    ['selection', CB_GETCURSEL],
    ['expanded', CB_GETDROPPEDSTATE],
  ],
  'list-box': [
    ['selection', LB_GETCURSEL],
    ['scroll-position', LB_GETTOPINDEX],
  ],
  'list-view': [
    ['selection', LVM_GETNEXTITEM, FROM_START, LVNI_SELECTED],
    ['focused-item', LVM_GETNEXTITEM, FROM_START, LVNI_FOCUSED],
    ['selected-count', LVM_GETSELECTEDCOUNT],
    ['scroll-position', LVM_GETTOPINDEX],
  ],
  'tree-view': [
    ['selection', TVM_GETNEXTITEM, TVGN_CARET],
    ['scroll-position', TVM_GETNEXTITEM, TVGN_FIRSTVISIBLE],
    ['items-in-view', TVM_GETVISIBLECOUNT],
  ],
  tab: [['selection', TCM_GETCURSEL]],
  'track-bar': [['position', TBM_GETPOS]],
  'up-down': [['position', UDM_GETPOS32]],
  'hot-key': [['hot-key', HKM_GETHOTKEY]],
  edit: [['scroll-position', EM_GETFIRSTVISIBLELINE]],
  'rich-edit': [['scroll-position', EM_GETFIRSTVISIBLELINE]],
};
/** Its cursor moves without choosing anything. */
const MULTIPLE_LIST: readonly Question[] = [
  ['selected-count', LB_GETSELCOUNT],
  ['scroll-position', LB_GETTOPINDEX],
];

/** How many items before and after the cursor are asked. */
const NEAR_CURSOR = 50;

/** The first selected item near the cursor; null if none is. */
function firstSelected(asker: Asker, hwnd: number, cursor: number): number | null {
  for (let index = Math.max(0, cursor - NEAR_CURSOR); index <= cursor + NEAR_CURSOR && !asker.isOver; index += 1) {
    const isSelected = asker.ask(hwnd, LB_GETSEL, index);
    if (isSelected === null || isSelected < 0) return null;
    if (isSelected > 0) return index;
  }
  return null;
}

/** Expanded or not, and the check box. */
const TREE_STATE = TVIS_EXPANDED | TVIS_STATEIMAGEMASK;

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
  for (let at = hwnd, level = 0; at !== 0 && level < LEVELS; at = user32.GetAncestor(at, GA_PARENT), level += 1) {
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
  const answers = new Map<string, number | null>();
  const style = target.kind === 'list-box' ? windowStyle(target.hwnd) : 0;
  const questions = isMultiple(style) ? MULTIPLE_LIST : (QUESTIONS[target.kind] ?? []);
  for (const [kind, message, wParam = 0, lParam = 0] of questions)
    answers.set(kind, asker.ask(target.hwnd, message, wParam, lParam));
  if (isMultiple(style)) {
    const cursor = asker.ask(target.hwnd, LB_GETCURSEL);
    answers.set('selection', cursor === null ? null : firstSelected(asker, target.hwnd, cursor));
    // With the keys of an extended box it moves together with the selection.
    if ((style & LBS_EXTENDEDSEL) === 0) answers.set('cursor', cursor);
  }
  const caret = target.kind === 'tree-view' ? answers.get('selection') : null;
  if (typeof caret === 'number' && caret !== 0)
    answers.set('item-state', asker.ask(target.hwnd, TVM_GETITEMSTATE, caret, TREE_STATE));
  return { target, answers, scrolled: scrollPositions(target.hwnd) };
}

const CHECKS = ['off', 'on', 'mixed'] as const;
const STATE_IMAGES: Readonly<Record<number, string>> = { 1: 'unchecked', 2: 'checked' };

/** The image that stands for an item's check box; empty if it has none. */
export function stateImage(state: number): string {
  const image = (state & TVIS_STATEIMAGEMASK) >> 12;
  return image === 0 ? '' : (STATE_IMAGES[image] ?? `state image ${image}`);
}

/**
 * A tree item: expanded or not, and its check box. Source:
 * learn.microsoft.com/windows/win32/controls/tree-view-control-item-states
 */
export const itemState = (state: number): string =>
  [(state & TVIS_EXPANDED) === 0 ? 'collapsed' : 'expanded', stateImage(state)]
    .filter((word) => word !== '')
    .join(', ');

/** An answer in readable form. Trees answer with handles, which show only that another item is meant. */
function readable({ kind }: KeyTarget, question: string, answer: number, isAfter: boolean): unknown {
  if (question === 'check') return CHECKS[answer] ?? answer;
  if (question === 'expanded') return answer !== 0;
  if (question === 'item-state') return itemState(answer);
  if (kind !== 'tree-view' || question === 'items-in-view') return answer;
  return answer === 0 ? 'no item' : isAfter ? 'another item' : 'one item';
}

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

/** What a standard control tells of itself by messages of plain numbers: check, selection, position, what is in view. */
import { SCROLLINFO } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Evidence } from '../../contract/outcome.ts';
import { Asker } from '../uia/ask.ts';
import type { ControlKind } from '../uia/classes.ts';
import { windowRect } from '../uia/window-info.ts';
import type { KeyTarget } from './text-target.ts';

type Question = readonly [kind: string, message: number, wParam?: number | bigint, lParam?: number];

/** "From the first item on", an int of the message as a 64-bit word. */
const FROM_START = 0xffff_ffff_ffff_ffffn;

/** Source: learn.microsoft.com/windows/win32/controls/individual-control-info, the page of each control's messages. */
const QUESTIONS: Partial<Record<ControlKind, readonly Question[]>> = {
  'button': [['check', 0x00f0]],
  'combo-box': [['selection', 0x0147], ['expanded', 0x0157]],
  'list-box': [['selection', 0x0188], ['selected-count', 0x0190], ['scroll-position', 0x018e]],
  'list-view': [['selection', 0x100c, FROM_START, 2], ['focused-item', 0x100c, FROM_START, 1], ['selected-count', 0x1032], ['scroll-position', 0x1027]],
  'tree-view': [['selection', 0x110a, 9], ['scroll-position', 0x110a, 5], ['items-in-view', 0x1110]],
  'tab': [['selection', 0x130b]],
  'track-bar': [['position', 0x0400]],
  'up-down': [['position', 0x0472]],
  'edit': [['scroll-position', 0x00ce]],
  'rich-edit': [['scroll-position', 0x00ce]],
};
const TVM_GETITEMSTATE = 0x1127;
/** TVIS_EXPANDED and the check box. */
const TREE_STATE = 0x0020 | 0xf000;

const SIF_ALL = 0x17;
const GA_PARENT = 1;
const GW_CHILD = 5;
const BARS = [0, 1];
/** The wheel goes up to whoever scrolls. */
const LEVELS = 3;

export type ControlState = ReadonlyMap<string, number | string | null>;

/**
 * Positions of both scroll bars of a window and its next ancestors, and where what it holds begins: a program may keep its
 * scroll bar's figures to itself. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getscrollinfo
 */
function scrollPositions(hwnd: number): string {
  const positions: string[] = [];
  for (let at = hwnd, level = 0; at !== 0 && level < LEVELS; at = user32.GetAncestor(at, GA_PARENT), level += 1) {
    for (const bar of BARS) {
      const info = SCROLLINFO.alloc({ cbSize: SCROLLINFO.size, fMask: SIF_ALL });
      if (user32.GetScrollInfo(at, bar, info)) positions.push(String(SCROLLINFO.read(info).nPos));
    }
    const inside = user32.GetWindow(at, GW_CHILD);
    const [rect, view] = inside === 0 ? [null, null] : [windowRect(inside), windowRect(at)];
    if (rect !== null && view !== null) positions.push(`${rect.x - view.x} ${rect.y - view.y}`);
  }
  return positions.join(',');
}

/** What the control tells now; what it does not answer in time is null. */
export function readControlState(target: KeyTarget, budgetMs: number): ControlState {
  const asker = new Asker(budgetMs);
  const state = new Map<string, number | string | null>();
  for (const [kind, message, wParam = 0, lParam = 0] of QUESTIONS[target.kind] ?? []) state.set(kind, asker.ask(target.hwnd, message, wParam, lParam));
  const caret = target.kind === 'tree-view' ? state.get('selection') : null;
  if (typeof caret === 'number' && caret !== 0) state.set('item-state', asker.ask(target.hwnd, TVM_GETITEMSTATE, caret, TREE_STATE));
  state.set('scroll', scrollPositions(target.hwnd));
  return state;
}

/** What is different; what was not answered at either time says nothing. */
export function stateChanges(before: ControlState, after: ControlState): Evidence[] {
  return [...after].flatMap(([kind, now]) => {
    const then = before.get(kind) ?? null;
    return then === null || now === null || then === now ? [] : [{ kind, before: then, after: now }];
  });
}

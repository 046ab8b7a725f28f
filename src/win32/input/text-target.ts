import { UiaHostError } from '../../contract/errors.ts';
import { kindOfClass, type ControlKind } from '../uia/classes.ts';
import { classNameOf, descendantsOf, focusOf, isEnabledThroughout, realClassOf, rootOf } from '../uia/window-info.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Point } from '../../contract/geometry.ts';
import { threadOf } from '../uia/ask.ts';
import { toClient, toScreen } from '../windows/rects.ts';

/** The window that gets the keys. */
export interface KeyTarget {
  readonly hwnd: number;
  readonly thread: number;
  readonly kind: ControlKind;
  readonly foundBy: 'last focus' | 'system focus' | 'only text control' | 'window itself';
  /** Where it was clicked last, screen pixels: in a window that draws its fields the keys go there. */
  readonly at?: Point;
}

const TEXT_KINDS: ReadonlySet<ControlKind> = new Set(['edit', 'rich-edit']);

/** Standard control or kind of its base class. */
export function kindOfWindow(hwnd: number): ControlKind {
  return kindOfClass(classNameOf(hwnd)) ?? kindOfClass(realClassOf(hwnd)) ?? 'other';
}

/** A click on one of these leaves the focus where it is: the keys still go to the field beside it. */
const LEAVES_FOCUS: ReadonlySet<ControlKind> = new Set(['static', 'tool-bar', 'status-bar', 'header', 'rebar', 'pager', 'up-down', 'scroll-bar', 'progress-bar', 'tooltip', 'animation']);

/** Which child of a bound window had the focus last, for each owner. Kept by whoever clicks or types. */
export class FocusMemory {
  readonly #last = new Map<string, { readonly child: number; readonly client: Point | null }>();

  /** @param at where it was clicked, screen pixels */
  remember(owner: string, bound: number, child: number, at: Point | null = null): void {
    if (LEAVES_FOCUS.has(kindOfWindow(child))) return;
    this.#last.set(`${owner} ${bound}`, { child, client: at === null ? null : toClient(child, at) });
  }

  recall(owner: string, bound: number): number {
    return this.#last.get(`${owner} ${bound}`)?.child ?? 0;
  }

  /** Where the last child was clicked, screen pixels; null where that is not known. */
  clickedAt(owner: string, bound: number): Point | null {
    const last = this.#last.get(`${owner} ${bound}`);
    return last === undefined || last.client === null ? null : toScreen(last.child, last.client);
  }

  forget(owner: string): void {
    for (const key of this.#last.keys()) if (key.startsWith(`${owner} `)) this.#last.delete(key);
  }
}

/**
 * The child that last had the focus, else the one that the system says has it, else the only text control, else the window
 * itself when it has no children that take keys. Always under the bound window.
 * Errors: window_gone, target_ambiguous with candidates.
 */
export function findKeyTarget(bound: number, owner: string, memory: FocusMemory): KeyTarget {
  if (!user32.IsWindow(bound)) throw new UiaHostError('window_gone', 'The bound window no longer exists; nothing was sent.');
  const target = (hwnd: number, foundBy: KeyTarget['foundBy']): KeyTarget => ({ hwnd, thread: threadOf(hwnd).thread, kind: kindOfWindow(hwnd), foundBy });
  const isUnder = (hwnd: number): boolean => hwnd !== 0 && user32.IsWindow(hwnd) && rootOf(hwnd) === bound && user32.IsWindowVisible(hwnd) && isEnabledThroughout(hwnd);

  const remembered = memory.recall(owner, bound);
  if (isUnder(remembered)) {
    const at = memory.clickedAt(owner, bound);
    return { ...target(remembered, 'last focus'), ...(at === null ? {} : { at }) };
  }
  const focused = focusOf(threadOf(bound).thread);
  if (isUnder(focused)) return target(focused, 'system focus');
  const children = descendantsOf(bound).filter((hwnd) => user32.IsWindowVisible(hwnd) && isEnabledThroughout(hwnd));
  const texts = children.filter((hwnd) => TEXT_KINDS.has(kindOfWindow(hwnd)));
  if (texts.length === 1) return target(texts[0]!, 'only text control');
  if (texts.length === 0) return target(bound, 'window itself');
  throw new UiaHostError('target_ambiguous', `The bound window has ${texts.length} text controls and none is known to have the focus; nothing was sent.`, {
    hint: 'Click the field first (click-element), or use type-into-element.',
    candidates: texts.slice(0, 10).map((hwnd) => ({
      hwnd: String(hwnd), role: 'Edit', automationId: String(user32.GetDlgCtrlID(hwnd)),
    })),
  });
}

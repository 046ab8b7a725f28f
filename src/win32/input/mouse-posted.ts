/** Posts clicks, drags and wheel messages to a window in the background, and waits for their effect. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Point } from '../../contract/element/geometry.ts';
import type { CallContext, MouseButton } from '../../desktop/index.ts';
import { pause, type Deadline, seenWithin } from '../windows/waiting.ts';
import { packPoint, toMessagePoint, toMessageScreen } from '../windows/rects.ts';
import { isInMenu, threadOf } from '../windows/window-info.ts';
import { postMouseMessage } from '../exits/input.ts';
import { noteTouch } from '../exits/leaving.ts';
import { type MouseTarget, mousePoint } from './mouse-target.ts';
import type { Evidence } from '../../contract/outcome.ts';
import type { Mark } from '../drivers/driver.ts';
import { driverOf } from '../drivers/index.ts';
import { windowName } from '../elements/tree/labels.ts';

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

/** How long (ms) an effect may take to become visible. */
export const EFFECT_MS = 300;

/** Messages and MK_ flag of a button. Source: learn.microsoft.com/windows/win32/inputdev/wm-lbuttondown */
const BUTTONS: Readonly<Record<MouseButton, { down: number; up: number; double: number; flag: number }>> = {
  left: { down: m.WM_LBUTTONDOWN, up: m.WM_LBUTTONUP, double: m.WM_LBUTTONDBLCLK, flag: m.MK_LBUTTON },
  right: { down: m.WM_RBUTTONDOWN, up: m.WM_RBUTTONUP, double: m.WM_RBUTTONDBLCLK, flag: m.MK_RBUTTON },
  middle: { down: m.WM_MBUTTONDOWN, up: m.WM_MBUTTONUP, double: m.WM_MBUTTONDBLCLK, flag: m.MK_MBUTTON },
};

/** MK_ flags of modifiers; mouse messages cannot carry Alt and the Windows key. */
export const modifierFlags = (modifiers: readonly string[]): number =>
  (modifiers.includes('ctrl') ? m.MK_CONTROL : 0) | (modifiers.includes('shift') ? m.MK_SHIFT : 0);

function post(target: MouseTarget, message: number, wParam: number, client: Point): void {
  if (!postMouseMessage(target.hwnd, message, wParam, packPoint(client.x, client.y))) {
    throw new UiaHostError('window_gone', 'The window no longer accepts messages.', { delivery: 'unknown' });
  }
}

/** Outside any window. */
const NOWHERE = packPoint(-1, -1);

/**
 * The pointer comes to a point of a window, and leaves it: what it shows of the pointer goes, or stays before the input too.
 * Nothing while a menu is open, whose loop would take it.
 * Source: learn.microsoft.com/windows/win32/inputdev/wm-mouseleave
 */
export function pointerLooks({ hwnd, client }: Pick<MouseTarget, 'hwnd' | 'client'>): {
  visit: () => void;
  leave: () => void;
} {
  const move = (to: number): void => {
    if (!isInMenu(threadOf(hwnd).thread)) postMouseMessage(hwnd, m.WM_MOUSEMOVE, 0, to);
  };
  return {
    visit() {
      noteTouch();
      move(packPoint(client.x, client.y));
    },
    leave() {
      move(NOWHERE);
      if (!isInMenu(threadOf(hwnd).thread)) postMouseMessage(hwnd, m.WM_MOUSELEAVE, 0, 0);
    },
  };
}

export function postMove(target: MouseTarget, flags = 0): void {
  post(target, m.WM_MOUSEMOVE, flags, target.client);
}

export function postButton(target: MouseTarget, button: MouseButton, change: 'down' | 'up', flags = 0): void {
  const { down, up, flag } = BUTTONS[button];
  post(target, change === 'down' ? down : up, change === 'down' ? flag | flags : flags, target.client);
}

/** Move, then down and up as often as requested, with real double-click messages if the class takes them. */
export function postClicks(target: MouseTarget, button: MouseButton, count: number, flags: number): void {
  const { down, up, double, flag } = BUTTONS[button];
  const takesDouble = (user32.GetClassLongPtrW(target.hwnd, m.GCL_STYLE) & m.CS_DBLCLKS) !== 0;
  postMove(target, flags);
  for (let click = 1; click <= count; click += 1) {
    const pressed = click % 2 === 0 && takesDouble ? double : down;
    // A press may close its window: then there is nothing to release, and no second press.
    if (click === 1) post(target, pressed, flag | flags, target.client);
    else postMouseMessage(target.hwnd, pressed, flag | flags, packPoint(target.client.x, target.client.y));
    postMouseMessage(target.hwnd, up, flags, packPoint(target.client.x, target.client.y));
  }
}

/** Evenly spaced points behind the first to the last, as a pointer passes them. */
export const pointsTo = (from: Point, to: Point, steps: number): Point[] =>
  Array.from({ length: steps }, (_, step) => ({
    x: Math.round(from.x + ((to.x - from.x) * (step + 1)) / steps),
    y: Math.round(from.y + ((to.y - from.y) * (step + 1)) / steps),
  }));

/**
 * A drag: every message goes to the window that received the button down, as with mouse capture. `to` in screen pixels.
 */
export async function postDrag(target: MouseTarget, to: Point, flags: number, call: CallContext): Promise<void> {
  const end = toMessagePoint(target.hwnd, to) ?? target.client;
  const { down, up, flag } = BUTTONS.left;
  postMove(target, flags);
  post(target, down, flag | flags, target.client);
  const distance = Math.hypot(end.x - target.client.x, end.y - target.client.y);
  let at = target.client;
  try {
    for (at of pointsTo(at, end, Math.max(4, Math.min(20, Math.round(distance / 12))))) {
      post(target, m.WM_MOUSEMOVE, flag | flags, at);
      await pause(8, call, 'delivered');
    }
  } finally {
    // The button goes up where the drag stopped: never a drop at a point that was not reached.
    postMouseMessage(target.hwnd, up, flags, packPoint(at.x, at.y));
  }
}

/**
 * Wheel messages: one of 120 per notch, as controls that count messages expect. A fraction is one message of its part.
 */
export function postWheel(
  target: MouseTarget,
  screen: Point,
  notches: { vertical: number; horizontal: number },
  flags: number,
): void {
  turn(target, screen, m.WM_MOUSEWHEEL, notches.vertical, flags);
  turn(target, screen, m.WM_MOUSEHWHEEL, notches.horizontal, flags);
}

function turn(target: MouseTarget, screen: Point, message: number, notches: number, flags: number): void {
  const at = toMessageScreen(target.hwnd, screen);
  const whole = Math.trunc(Math.abs(notches));
  const part = Math.abs(notches) - whole;
  const sign = Math.sign(notches);
  const send = (delta: number): void => {
    post(target, message, ((delta & 0xffff) * 0x1_0000 + flags) >>> 0, at);
  };
  for (let sent = 0; sent < whole; sent += 1) send(sign * m.WHEEL_DELTA);
  if (part > 0) send(Math.round(sign * part * m.WHEEL_DELTA));
}

/** Waits briefly for a mark to toggle: a program may do that in a message it posts to itself. */
export async function untilToggled(mark: ItemMark, target: MouseTarget, deadline: Deadline): Promise<void> {
  await seenWithin(target.hwnd, EFFECT_MS, () => (mark.isTurned() ? true : null), deadline);
}

/** Moves to a screen point and clicks there. Source: learn.microsoft.com/windows/win32/inputdev/wm-lbuttondown */
export function postClick(hwnd: number, at: Point): boolean {
  const point = mousePoint(hwnd, at);
  if (point === null) return false;
  const where = packPoint(point.x, point.y);
  return (
    postMouseMessage(hwnd, m.WM_MOUSEMOVE, 0, where) &&
    postMouseMessage(hwnd, m.WM_LBUTTONDOWN, m.MK_LBUTTON, where) &&
    postMouseMessage(hwnd, m.WM_LBUTTONUP, 0, where)
  );
}

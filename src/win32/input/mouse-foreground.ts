/** Sends mouse events as real input, after checking that they reach the judged window. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Point } from '../../contract/element/geometry.ts';
import type { MouseButton } from '../../desktop/index.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { asConfigured, sendMouseEvents, type MouseEventSpec } from '../exits/input.ts';
import { requireEnabledWindow, requireShown } from '../elements/finding/element-target.ts';
import { rootOf } from '../windows/window-info.ts';
import { isSameWindow } from '../windows/record.ts';
import { requireOnDesktop } from '../windows/place.ts';
import { personIdleMs, YIELD_MS, noteInjected } from '../windows/person.ts';
import type { Attempt } from '../../contract/outcome.ts';
import { delivered, failed, refused } from '../drivers/driver.ts';
import type { CallContext } from '../../desktop/call.ts';
import { requestForeground, requestShow } from '../exits/windows.ts';
import { waitUntil } from '../windows/waiting.ts';

/** Whether the window, or a dialog it owns, is in the foreground. */
function hasForeground(hwnd: number): boolean {
  const foreground = user32.GetForegroundWindow();
  return foreground !== 0 && (foreground === hwnd || user32.GetAncestor(foreground, m.GA_ROOTOWNER) === hwnd);
}

/**
 * Asks for the foreground once and checks whether it was granted. Windows refuses it to programs that did not receive
 * the last input; nothing is done to get round that. A minimised window is restored, since it would not be visible
 * otherwise. Errors: those of `requireShown`.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setforegroundwindow (remarks)
 */
export async function takeForeground(hwnd: number, withinMs: number, call: CallContext): Promise<boolean> {
  requireShown(hwnd);
  if (user32.IsIconic(hwnd)) requestShow(hwnd, m.SW_RESTORE);
  else if (hasForeground(hwnd)) {
    // it may lie below a window that came up without it
    if (user32.GetForegroundWindow() === hwnd) requestForeground(hwnd);
    return true;
  }
  requestForeground(hwnd);
  const isInFront = (): true | null => (hasForeground(hwnd) && !user32.IsIconic(hwnd) ? true : null);
  const obtained = await waitUntil(isInFront, { withinMs, everyMs: 10, call, delivery: 'unknown' });
  // A window that appears under the pointer may count as input; that was us, not a person.
  noteInjected();
  return obtained !== null;
}

/** Windows may order its windows after it gave the foreground: waits until no other one covers the point. */
export const untilOnTop = (hwnd: number, at: Point, withinMs: number, call: CallContext): Promise<true | null> =>
  waitUntil(() => rootOf(user32.WindowFromPoint(at)) === hwnd || null, { withinMs, everyMs: 10, call });

const MOVE_ABSOLUTE = m.MOUSEEVENTF_MOVE | m.MOUSEEVENTF_ABSOLUTE | m.MOUSEEVENTF_VIRTUALDESK;
const FLAGS: Readonly<Record<MouseButton, { down: number; up: number }>> = {
  left: { down: m.MOUSEEVENTF_LEFTDOWN, up: m.MOUSEEVENTF_LEFTUP },
  right: { down: m.MOUSEEVENTF_RIGHTDOWN, up: m.MOUSEEVENTF_RIGHTUP },
  middle: { down: m.MOUSEEVENTF_MIDDLEDOWN, up: m.MOUSEEVENTF_MIDDLEUP },
};

/** Real input yields to a person at the machine. Errors: user_active; nothing was sent. */
function assertPersonIdle(): void {
  if (personIdleMs() < YIELD_MS)
    throw new UiaHostError('user_active', 'A person is using keyboard or mouse; real input yields to them.');
}

/**
 * Makes sure that a real event at a point reaches the judged window. Errors: user_active; invalid_argument outside the
 * desktop; target_disabled if the window is; state_conflict if another window covers the point.
 */
export function assertMayPoint(record: BindingRecord | null, at: Point): void {
  assertPersonIdle();
  requireOnDesktop(at);
  if (record === null) return;
  requireEnabledWindow(Number(record.hwnd));
  assertLiesAt(record, at);
}

/** Errors: state_conflict if another window covers the point, or the handle has been reused. */
export function assertLiesAt(record: BindingRecord, at: Point): void {
  const hit = rootOf(user32.WindowFromPoint(at));
  if (hit !== Number(record.hwnd) || !isSameWindow(record)) {
    throw new UiaHostError(
      'state_conflict',
      'A window other than the judged one covers the point, so a real click would reach it; nothing was sent.',
      { hint: 'Call activate-window first, or deliver in the background.' },
    );
  }
}

export const moveEvent = (at: Point): MouseEventSpec => ({ flags: MOVE_ABSOLUTE, at });

/** A button as the person has configured it: left and right may be swapped. */
export function buttonEvent(button: MouseButton, change: 'down' | 'up'): MouseEventSpec {
  return { flags: FLAGS[asConfigured(button)][change] };
}

/** Down and up, as often as that. */
export const clickEvents = (button: MouseButton, count: number): MouseEventSpec[] =>
  Array.from({ length: count }, () => [buttonEvent(button, 'down'), buttonEvent(button, 'up')]).flat();

export const wheelEvents = (notches: { vertical: number; horizontal: number }): MouseEventSpec[] =>
  (
    [
      [m.MOUSEEVENTF_WHEEL, notches.vertical],
      [m.MOUSEEVENTF_HWHEEL, notches.horizontal],
    ] as const
  )
    .filter(([, count]) => count !== 0)
    .map(([flags, count]) => ({ flags, data: Math.round(count * m.WHEEL_DELTA) }));

/**
 * A real left click at a screen point, only if no other window covers it. Sent in one call, so that nothing can
 * intervene.
 */
export async function clickForeground(...place: Parameters<typeof untilOnTop>): Promise<Attempt> {
  const [, at] = place;
  if (!(await untilOnTop(...place))) return refused('input', 'another window covers the point; nothing was clicked');
  try {
    sendMouseEvents([moveEvent(at), ...clickEvents('left', 1)]);
    return delivered('input', 'SendInput');
  } catch (error) {
    if (!(error instanceof UiaHostError)) throw error;
    return failed('input', error.message);
  }
}

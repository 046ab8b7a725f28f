/** Windows: their place and state, closing, the foreground, the focus of a program. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { outerRect } from '../windows/rects.ts';
import { leave } from './leaving.ts';

/** Moves, and resizes if a size is given, without raising or activating. False if Windows refuses immediately. */
export function requestPlace(
  hwnd: number,
  place: { x: number; y: number; width?: number | undefined; height?: number | undefined },
): boolean {
  leave(['window'], { operations: ['move_resize', 'move_offscreen', 'back'], place });
  const now = outerRect(hwnd);
  const keepsSize = place.width === undefined && place.height === undefined;
  return user32.SetWindowPos(
    hwnd,
    0,
    place.x,
    place.y,
    place.width ?? now?.width ?? 0,
    place.height ?? now?.height ?? 0,
    // Asynchronous: a hung window cannot block us.
    m.SWP_NOZORDER | m.SWP_NOACTIVATE | m.SWP_NOOWNERZORDER | m.SWP_ASYNCWINDOWPOS | (keepsSize ? m.SWP_NOSIZE : 0),
  );
}

/** What only its own operation does; a window that is minimised is restored on the way to others, too. */
const SHOWN_BY: ReadonlyMap<number, string> = new Map([
  [m.SW_SHOWMINNOACTIVE, 'minimize'],
  [m.SW_SHOWMAXIMIZED, 'maximize'],
]);

/** Asynchronous, so that a window that stops responding cannot block us; `command` is one of SW_. */
export function requestShow(hwnd: number, command: number): void {
  const operation = SHOWN_BY.get(command);
  if (operation === undefined) leave(['window', 'along'], { operations: ['restore', 'focus'] });
  else leave(['window'], { operations: [operation] });
  user32.ShowWindowAsync(hwnd, command);
}

/**
 * Asks for the foreground once; Windows may refuse it. A window that has it may lie below another that was raised without it:
 * it is raised too. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setforegroundwindow
 */
export function requestForeground(hwnd: number): void {
  leave(['window', 'along']);
  user32.SetForegroundWindow(hwnd);
  if (user32.GetForegroundWindow() === hwnd)
    user32.SetWindowPos(hwnd, 0, 0, 0, 0, 0, m.SWP_NOMOVE | m.SWP_NOSIZE | m.SWP_NOACTIVATE | m.SWP_ASYNCWINDOWPOS);
}

/**
 * Joins the input queue of a program's thread while `work` runs, as its focus and key state can be set only from there.
 * Null if Windows does not allow it. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-attachthreadinput
 */
export async function inQueueOf<T>(thread: number, work: () => T | Promise<T>): Promise<T | null> {
  leave(['along']);
  const own = kernel32.GetCurrentThreadId();
  if (!user32.AttachThreadInput(own, thread, true)) return null;
  try {
    return await work();
  } finally {
    user32.AttachThreadInput(own, thread, false);
  }
}

/** The focus of the thread whose queue this one has joined; 0 takes it away. `isLent`: for what is sent meanwhile. */
export function setFocus(hwnd: number, isLent = false): void {
  leave([isLent ? 'along' : 'focus']);
  user32.SetFocus(hwnd);
}

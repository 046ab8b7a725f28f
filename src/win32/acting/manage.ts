/** Moving, resizing, minimising, maximising, restoring and closing windows, with what is seen of the result. */
import { sameRect } from '../../contract/element/coordinates.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { Attempt, EffectSeen, Evidence } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/call.ts';
import { Deadline, waitUntil } from '../windows/waiting.ts';
import { leaveVisited, postChange } from '../exits/messages.ts';
import { requestPlace, requestShow } from '../exits/windows.ts';
import { isOffscreen, settledRect, virtualDesktop, waitUntilSettled } from '../windows/place.ts';
import { outerRect } from '../windows/rects.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { topWindowsOf, windowText, windowProcess } from '../windows/window-info.ts';
import { delivered, failed, notApplicable } from '../drivers/ways.ts';

/** Time limit for the window to react; programs take some tens of milliseconds. */
const SETTLE_MS = 1500;
/** Gap between the virtual desktop and a window moved off it, wide enough for its shadow. */
const OFFSCREEN_GAP = 64;

/** What was done to a window, and the evidence for it. */
export interface Managed {
  readonly done: boolean;
  readonly effect: EffectSeen;
  readonly evidence: readonly Evidence[];
  readonly attempts: readonly Attempt[];
  readonly details?: Record<string, unknown>;
}

export type ShowState = 'minimized' | 'maximized' | 'normal';

export function showState(hwnd: number): ShowState {
  if (user32.IsIconic(hwnd)) return 'minimized';
  return user32.IsZoomed(hwnd) ? 'maximized' : 'normal';
}

/** Nothing was sent. */
const already = (state: string): Attempt => notApplicable('win32', `the window was already ${state}`);

/** The calls that lead to a state, tried in order, and whether it is reached, from the state before. */
const SHOWS: Readonly<
  Record<
    'minimize' | 'maximize' | 'restore',
    {
      readonly commands: ReadonlyArray<readonly [name: string, command: number]>;
      isReached(state: ShowState, before: ShowState): boolean;
    }
  >
> = {
  // Without activating the next window.
  minimize: { commands: [['SW_SHOWMINNOACTIVE', m.SW_SHOWMINNOACTIVE]], isReached: (state) => state === 'minimized' },
  // Windows cannot maximise without activating: the outcome reports the change of focus.
  maximize: { commands: [['SW_SHOWMAXIMIZED', m.SW_SHOWMAXIMIZED]], isReached: (state) => state === 'maximized' },
  // From minimised or maximised to normal; without activating first.
  restore: {
    commands: [
      ['SW_SHOWNOACTIVATE', m.SW_SHOWNOACTIVATE],
      ['SW_RESTORE', m.SW_RESTORE],
    ],
    isReached: (state, before) => (before === 'minimized' ? state !== 'minimized' : state === 'normal'),
  },
};

export async function show(hwnd: number, action: keyof typeof SHOWS, call: CallContext): Promise<Managed> {
  const before = showState(hwnd);
  const rectBefore = outerRect(hwnd);
  const deadline = new Deadline(call);
  const attempts: Attempt[] = [];
  const { commands } = SHOWS[action];
  const isReached = (): boolean => SHOWS[action].isReached(showState(hwnd), before);
  for (const [name, command] of commands) {
    if (isReached()) break;
    requestShow(hwnd, command);
    const reached = await waitUntil(() => (isReached() ? true : null), {
      withinMs: deadline.share(SETTLE_MS / commands.length),
      everyMs: 10,
      call,
      delivery: 'unknown',
    });
    attempts.push(reached === null ? failed('win32', `${name} had no effect in time`) : delivered('win32', name));
  }
  if (attempts.length > 0) await waitUntilSettled(hwnd, call);
  const done = isReached();
  const after = showState(hwnd);
  return {
    done,
    effect: done && attempts.length > 0 ? 'confirmed' : 'none',
    evidence: [{ kind: 'window', before, after }],
    attempts: attempts.length > 0 ? attempts : [already(before)],
    details: { state: after, rect: outerRect(hwnd), rectBefore },
  };
}

export function requireNormal(hwnd: number, what: string): Rect {
  const state = showState(hwnd);
  const rect = outerRect(hwnd);
  if (rect === null) throw new UiaHostError('window_gone', 'The window closed before it could be moved.');
  if (state !== 'normal')
    throw new UiaHostError(
      'state_conflict',
      `The window is ${state}, but ${what} needs it in its normal state. It was not moved.`,
      { hint: 'Use manage-window restore first.' },
    );
  return rect;
}

function moved(before: Rect, wanted: Rect, after: Rect, done: boolean): Managed {
  const isExact = sameRect(after, wanted);
  const isUnchanged = sameRect(after, before);
  return {
    done,
    effect: isUnchanged ? 'none' : done ? 'confirmed' : 'unverified',
    evidence: [{ kind: 'rect', before, after }],
    attempts: [
      done
        ? delivered('win32', isExact ? 'SetWindowPos' : 'SetWindowPos; the program chose another size')
        : failed(
            'win32',
            isUnchanged ? 'SetWindowPos changed nothing' : 'SetWindowPos; the program chose another place',
          ),
    ],
    details: { rect: after, requested: wanted, clamped: !isExact },
  };
}

/** Moves, and resizes if sizes are given. Programs may clamp sizes: the details have the resulting rectangle. */
export async function moveResize(
  hwnd: number,
  place: { x: number; y: number; width?: number | undefined; height?: number | undefined },
  call: CallContext,
): Promise<Managed> {
  const before = requireNormal(hwnd, 'move_resize');
  const wanted: Rect = {
    x: place.x,
    y: place.y,
    width: place.width ?? before.width,
    height: place.height ?? before.height,
  };
  requestPlace(hwnd, place);
  const after = await settledRect(hwnd, wanted, new Deadline(call).share(SETTLE_MS), call);
  if (after === null)
    throw new UiaHostError('window_gone', 'The window closed while it was moved.', { delivery: 'delivered' });
  return moved(before, wanted, after, after.x === wanted.x && after.y === wanted.y);
}

/** Moves the window off the virtual desktop, with its size and state unchanged. */
export async function moveOffscreen(hwnd: number, call: CallContext): Promise<Managed & { readonly from: Rect }> {
  const before = requireNormal(hwnd, 'move_offscreen');
  const desktop = virtualDesktop();
  const wanted: Rect = { ...before, x: desktop.x - before.width - OFFSCREEN_GAP };
  if (isOffscreen(before))
    return { ...moved(before, before, before, true), attempts: [already('off the desktop')], from: before };
  requestPlace(hwnd, { x: wanted.x, y: wanted.y });
  const after = await settledRect(hwnd, wanted, new Deadline(call).share(SETTLE_MS), call);
  if (after === null)
    throw new UiaHostError('window_gone', 'The window closed while it was moved.', { delivery: 'delivered' });
  return { ...moved(before, wanted, after, isOffscreen(after)), from: before };
}

export type CloseResult =
  | { readonly kind: 'gone' }
  /** A window that opened in response, such as “save changes?”. */
  | { readonly kind: 'dialog'; readonly hwnd: number; readonly title: string }
  /** Still exists but is no longer visible: many programs go to the notification area instead. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'open' };

/**
 * Posts WM_CLOSE, as the close button does, and waits for the result. A dialog that was open before is reported as well
 * if it keeps the window disabled.
 * Source: learn.microsoft.com/windows/win32/winmsg/wm-close
 */
export async function closeWindow(hwnd: number, withinMs: number, call: CallContext): Promise<CloseResult> {
  const pid = windowProcess(hwnd);
  const before = new Set(topWindowsOf(pid));
  leaveVisited();
  if (!postChange(hwnd, m.WM_CLOSE, 0, 0)) {
    if (kernel32.GetLastError() === m.ERROR_ACCESS_DENIED) {
      throw new UiaHostError(
        'target_elevated',
        'Windows refused the message: the window runs with more rights than the host.',
      );
    }
    if (!user32.IsWindow(hwnd)) return { kind: 'gone' };
  }
  const seen = await waitUntil<CloseResult>(
    () => {
      if (!user32.IsWindow(hwnd)) return { kind: 'gone' };
      // A closing window is disabled or hidden for a moment, so only a new window of its process counts here.
      for (const other of topWindowsOf(pid)) {
        if (other !== hwnd && !before.has(other) && user32.IsWindowEnabled(other))
          return { kind: 'dialog', hwnd: other, title: windowText(other) };
      }
      return null;
    },
    { withinMs, everyMs: 15, call, delivery: 'delivered' },
  );
  if (seen !== null) return seen;
  const popup = user32.GetWindow(hwnd, m.GW_ENABLEDPOPUP);
  if (popup !== 0 && popup !== hwnd && user32.IsWindowVisible(popup))
    return { kind: 'dialog', hwnd: popup, title: windowText(popup) };
  if (!user32.IsWindow(hwnd)) return { kind: 'gone' };
  return { kind: user32.IsWindowVisible(hwnd) ? 'open' : 'hidden' };
}

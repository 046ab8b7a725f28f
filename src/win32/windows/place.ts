/** Places of windows: the virtual desktop, moving, and waiting until window and foreground no longer change. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { intersectRects, rectContains, sameRect } from '../../contract/element/coordinates.ts';
import type { Point, Rect } from '../../contract/element/geometry.ts';
import type { CallContext } from '../../desktop/call.ts';
import { taken, waitUntil } from './waiting.ts';
import { outerRect } from './rects.ts';

/** A rectangle that has not changed for this long is final: programs that clamp sizes do so while they handle the move. */
const SETTLED_MS = 80;
/** A program that handles the move at once answers within this time; others are polled. */
const ANSWER_MS = 20;

/** All monitors together, screen pixels; the origin may be negative. */
export function virtualDesktop(): Rect {
  return {
    x: user32.GetSystemMetrics(m.SM_XVIRTUALSCREEN),
    y: user32.GetSystemMetrics(m.SM_YVIRTUALSCREEN),
    width: user32.GetSystemMetrics(m.SM_CXVIRTUALSCREEN),
    height: user32.GetSystemMetrics(m.SM_CYVIRTUALSCREEN),
  };
}

/** Errors: invalid_argument for a point on no monitor. */
export function requireOnDesktop(at: Point): void {
  if (!rectContains(virtualDesktop(), at))
    throw new UiaHostError('invalid_argument', `The point ${at.x},${at.y} is outside the desktop; nothing was sent.`);
}

/** No part of it is on any monitor. */
export function isOffscreen(rect: Rect): boolean {
  return intersectRects(rect, virtualDesktop()) === null;
}

/** Waits until the window has the wanted rectangle or keeps another one; null once it is gone. */
export async function settledRect(
  hwnd: number,
  wanted: Rect,
  withinMs: number,
  call: CallContext,
): Promise<Rect | null> {
  let last = outerRect(hwnd);
  const before = last;
  let since = performance.now();
  // The request is in the thread's queue: its answer says that the request was handled, without waiting for a timer.
  await taken(hwnd, 0, Math.min(ANSWER_MS, withinMs), call);
  await waitUntil(
    () => {
      const rect = outerRect(hwnd);
      if (rect === null || sameRect(rect, wanted)) return true;
      if (last === null || !sameRect(rect, last)) {
        last = rect;
        since = performance.now();
      }
      const hasMoved = before !== null && !sameRect(rect, before);
      return hasMoved && performance.now() - since >= SETTLED_MS ? true : null;
    },
    { withinMs, everyMs: 10, call, delivery: 'unknown' },
  );
  return outerRect(hwnd);
}

/** State bits change first; place and foreground follow within a few frames. */
const STILL_MS = 50;
const AT_MOST_MS = 400;

/** Waits until the window's place and the foreground have not changed for a moment, so that an outcome reports their final state. */
export async function waitUntilSettled(hwnd: number, call: CallContext): Promise<void> {
  const look = (): string => {
    const rect = outerRect(hwnd);
    return `${user32.GetForegroundWindow()} ${rect === null ? '' : `${rect.x} ${rect.y} ${rect.width} ${rect.height}`}`;
  };
  let last = look();
  let since = performance.now();
  await waitUntil(
    () => {
      const now = look();
      if (now !== last) {
        last = now;
        since = performance.now();
      }
      return performance.now() - since >= STILL_MS ? true : null;
    },
    { withinMs: Math.min(AT_MOST_MS, call.deadlineMs / 4), everyMs: 10, call, delivery: 'delivered' },
  );
}

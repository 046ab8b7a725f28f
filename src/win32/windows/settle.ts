/** Waiting until a window and the foreground no longer change. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { CallContext } from '../../desktop/call.ts';
import { waitUntil } from './waiting.ts';
import { outerRect } from './rects.ts';

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

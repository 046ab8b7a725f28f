/** A real mouse click on a window in the foreground. */
import { GA_ROOT } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Point } from '../../contract/element/geometry.ts';
import type { Attempt } from '../../contract/outcome.ts';
import { buttonEvent, moveEvent, sendMouseEvents } from './mouse-foreground.ts';

/**
 * A real left click at a screen point, only if no other window covers it. Sent in one call, so that nothing can
 * intervene.
 */
export function clickForeground(hwnd: number, at: Point): Attempt {
  const hit = user32.GetAncestor(user32.WindowFromPoint(at), GA_ROOT);
  if (hit !== hwnd)
    return { rung: 'input', result: 'refused', reason: 'another window covers the point; nothing was clicked' };
  try {
    sendMouseEvents([moveEvent(at), buttonEvent('left', 'down'), buttonEvent('left', 'up')]);
    return { rung: 'input', result: 'delivered', reason: 'SendInput' };
  } catch (error) {
    if (!(error instanceof UiaHostError)) throw error;
    return { rung: 'input', result: 'failed', reason: error.message };
  }
}

import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Win32Services } from '../services.ts';
import { topLevelWindows, type WindowDescription } from './describe.ts';

/** Every visible window but cloaked and own ones, topmost first. Sends no message to any of them. */
export function visibleWindows(services: Win32Services): WindowDescription[] {
  const found: WindowDescription[] = [];
  for (const hwnd of topLevelWindows()) {
    // Most top-level windows of a desktop are hidden helpers: they are passed over before anything else is asked.
    if (!user32.IsWindowVisible(hwnd)) continue;
    const window = services.describeWindow(hwnd);
    if (window !== null && window.isVisible && !window.isCloaked && !window.isOwn) found.push(window);
  }
  return found;
}

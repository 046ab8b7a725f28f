import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Win32Services } from '../services.ts';
import { isCloaked, topLevelWindows, type WindowDescription } from './describe.ts';

/** Every visible window but cloaked and own ones, topmost first. Sends no message to any of them. */
export function visibleWindows(services: Win32Services): WindowDescription[] {
  const found: WindowDescription[] = [];
  for (const hwnd of topLevelWindows()) {
    if (!user32.IsWindowVisible(hwnd) || isCloaked(hwnd) || services.isOwnWindow(hwnd)) continue;
    const window = services.describeWindow(hwnd);
    if (window !== null) found.push(window);
  }
  return found;
}

/** The visible windows of the desktop. */
import type { KnownWindows } from './known-windows.ts';
import { isShown, type WindowDescription } from './describe.ts';
import { topLevelWindows, windowStyle } from './window-info.ts';
import { HeldProcesses, type ProcessFacts } from '../system/process.ts';

/** Processes with a visible window, as of the last listing. */
const processes = new HeldProcesses();

/** Every visible window except cloaked and own ones, topmost first. Sends no messages. */
export function visibleWindows(windows: KnownWindows): WindowDescription[] {
  const pids = new Set<number>();
  const factsOf = (pid: number): ProcessFacts => {
    pids.add(pid);
    return processes.facts(pid);
  };
  const found: WindowDescription[] = [];
  for (const hwnd of topLevelWindows()) {
    // Most top-level windows of a desktop are hidden helpers: they are skipped before any other call.
    const style = windowStyle(hwnd);
    if (!isShown(style)) continue;
    const window = windows.describeWindow(hwnd, { style, factsOf });
    if (window !== null && !window.isCloaked && !window.isOwn) found.push(window);
  }
  processes.keepOnly(pids);
  return found;
}

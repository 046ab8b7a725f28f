import type { Win32Services } from '../services.ts';
import { isShown, topLevelWindows, windowStyle, type WindowDescription } from './describe.ts';
import { processFacts, type ProcessFacts } from './process.ts';

/** Every visible window but cloaked and own ones, topmost first. Sends no message to any of them. */
export function visibleWindows(services: Win32Services): WindowDescription[] {
  const seen = new Map<number, ProcessFacts>();
  const factsOf = (pid: number): ProcessFacts => {
    const facts = seen.get(pid) ?? processFacts(pid);
    seen.set(pid, facts);
    return facts;
  };
  const found: WindowDescription[] = [];
  for (const hwnd of topLevelWindows()) {
    // Most top-level windows of a desktop are hidden helpers: they are passed over before anything else is asked.
    const style = windowStyle(hwnd);
    if (!isShown(style)) continue;
    const window = services.describeWindow(hwnd, { style, factsOf });
    if (window !== null && !window.isCloaked && !window.isOwn) found.push(window);
  }
  return found;
}

/** The demo's process: finds the window that is open, or opens one, and prints one line of JSON once it is shown. */
import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { user32 } from '../../native-bindings/win32/user32.ts';
import type { DemoReport } from '../contract/process/demo.ts';
import { colourMode } from '../win32/overlay/colour-mode.ts';
import { becomePerMonitorAware } from '../win32/windows/dpi.ts';
import { windowProcess } from '../win32/windows/handle.ts';
import { DEMO_CLASS, DEMO_TITLE } from './content.ts';
import { useCommonControls } from './visual-styles.ts';
import { runDemo } from './window.ts';
import { runWitness } from './witness.ts';

/** Written directly: this thread waits in the window's message loop from then on, and would not flush a stream. */
function report(hwnd: number, pid: number, wasOpen: boolean): void {
  const line: DemoReport = { hwnd: String(hwnd), pid, title: DEMO_TITLE, wasOpen };
  try {
    writeSync(1, `${JSON.stringify(line)}\n`);
  } catch {
    // The window is shown even without an output or a reader.
  }
}

/** Returns when the window was closed, or immediately if one is open already. */
export function runDemoProcess(args: readonly string[]): void {
  const options = {
    theme: { type: 'string' },
    another: { type: 'boolean' },
    witness: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (values.witness === true) return runWitness();
  becomePerMonitorAware();
  const present = values.another === true ? 0 : user32.FindWindowW(DEMO_CLASS, null);
  if (present !== 0) {
    report(present, windowProcess(present), true);
    return;
  }
  useCommonControls();
  runDemo({
    isDark: (values.theme ?? colourMode()) === 'dark',
    onShown: (hwnd) => report(hwnd, process.pid, false),
  });
}

/** Starting an application and waiting for its window. */
import type { AppIdentity } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isTerminalClass, TERMINAL_CLASS } from '../../contract/terminal/terminals.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext } from '../../desktop/call.ts';
import { type KnownWindows, type WindowDescription, visibleWindows } from '../windows/describe.ts';
import { Deadline, waitUntil } from '../windows/waiting.ts';
import { outerRect } from '../windows/rects.ts';
import { fileName } from '../system/identity.ts';
import { growFamily } from '../system/process.ts';
import { isConsoleProgram } from './programs.ts';
import { startPackagedApp, startProgram, type StartedProcess } from './start.ts';

/** A program that ended this long ago without a window has handed over to a running instance, or has no window. */
const HANDED_OVER_MS = 1500;
/** The console of a program that only starts another one is gone within this time. */
const CONSOLE_STAYS_MS = 300;

export interface OpenedWindow {
  readonly window: WindowDescription;
  /** False if the program handed over to an existing window. */
  readonly isNew: boolean;
}

function isShown(window: WindowDescription): boolean {
  if (window.isToolWindow || window.isMinimized) return !window.isToolWindow;
  const rect = outerRect(window.hwnd);
  return rect !== null && rect.width > 1 && rect.height > 1;
}

/**
 * Starts an application and waits for its window: one of the started process, of its descendants, or of the same
 * application (many programs hand over to a running instance), or, once the started process has ended, a new one of a
 * program with the same file name. Sends the window no messages.
 * Errors: launch_failed, also if no window came in time; then `delivery` says that something was started.
 */
export async function openApplication(
  app: AppIdentity,
  windows: KnownWindows,
  call: CallContext,
  switches: readonly string[] = [],
): Promise<OpenedWindow> {
  const before = new Set(visibleWindows(windows).map((window) => window.hwnd));
  const deadline = new Deadline(call);
  using process: StartedProcess =
    app.executable === null ? await startPackagedApp(app.bundleId) : startProgram(app.executable, switches);
  const family = new Set([process.pid]);
  const inTerminal = app.executable !== null && isConsoleProgram(app.executable);
  const bundleId = app.bundleId.toLowerCase();
  let endedAt: number | null = null;
  let terminalSince: number | null = null;

  const belongs = (window: WindowDescription): boolean =>
    family.has(window.process.pid) ||
    window.app.bundleId.toLowerCase() === bundleId ||
    (inTerminal && window.className === TERMINAL_CLASS);
  const isNamesake = (window: WindowDescription): boolean =>
    app.executable !== null &&
    window.app.executable !== null &&
    fileName(window.app.executable).toLowerCase() === fileName(app.executable).toLowerCase();
  const seen = await waitUntil<OpenedWindow>(
    () => {
      growFamily(family);
      const shown = visibleWindows(windows).filter(isShown);
      const fresh = shown.filter((window) => !before.has(window.hwnd) && belongs(window));
      const own = fresh.find(({ className }) => !inTerminal || !isTerminalClass(className));
      if (own !== undefined) return { window: own, isNew: true };
      const [terminal] = fresh;
      if (terminal !== undefined) {
        terminalSince ??= performance.now();
        return performance.now() - terminalSince < CONSOLE_STAYS_MS ? null : { window: terminal, isNew: true };
      }
      terminalSince = null;
      const code = process.exitCode;
      if (code === null) return null;
      // Windows 11 starts its packaged Notepad for the one in System32: another process, which this one did not start.
      const handed = shown.find((window) => !before.has(window.hwnd) && isNamesake(window));
      if (handed !== undefined) return { window: handed, isNew: true };
      endedAt ??= performance.now();
      if (performance.now() - endedAt < HANDED_OVER_MS) return null;
      const existing = shown.find((window) => window.app.bundleId.toLowerCase() === bundleId);
      if (existing !== undefined) return { window: existing, isNew: false };
      if (code !== 0)
        throw new UiaHostError(
          'launch_failed',
          `${quoted(app.displayName)} exited immediately with code ${code} and showed no window.`,
          { delivery: 'delivered' },
        );
      return null;
    },
    { withinMs: deadline.remaining(200), everyMs: 25, call, delivery: 'delivered' },
  );
  if (seen !== null) return seen;
  const state = process.exitCode === null ? `is running as process ${process.pid}` : 'has exited';
  throw new UiaHostError(
    'launch_failed',
    `${quoted(app.displayName)} was started and ${state}, but showed no window within ${Math.round(call.deadlineMs)} ms.`,
    {
      delivery: 'delivered',
      hint: 'Check list-visible-windows a little later, or try again with a longer deadlineMs.',
    },
  );
}

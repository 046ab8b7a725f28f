/** Starts programs and packaged apps, and waits for their window. */
import type { AppIdentity } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { TERMINAL_CLASS, isTerminalClass } from '../../contract/terminal/terminals.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext } from '../../desktop/call.ts';
import { type KnownWindows, type WindowDescription, visibleWindows } from '../windows/describe.ts';
import { Deadline, waitUntil } from '../windows/waiting.ts';
import { outerRect } from '../windows/rects.ts';
import { fileName } from '../system/identity.ts';
import { growFamily } from '../system/process.ts';
import { isConsoleProgram } from './programs.ts';
import { createInstance, enterMta } from '../../../native-bindings/com/apartment.ts';
import { guid } from '../../../native-bindings/com/guid.ts';
import { IApplicationActivationManager } from '../../../native-bindings/uia/shell.generated.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { type ProcessStart, activatePackage, createProcess } from '../exits/outside.ts';
import { environmentBlock, userEnvironment } from './user-environment.ts';

import path from 'node:path';

/** A started process. Its handle keeps the pid from being reused. */
export class StartedProcess implements Disposable {
  readonly pid: number;
  readonly #handle: number;
  constructor(pid: number, handle: number) {
    this.pid = pid;
    this.#handle = handle;
  }

  /** A running process; null if it has ended or may not be opened. */
  static open(pid: number): StartedProcess | null {
    const handle = kernel32.OpenProcess(m.PROCESS_QUERY_LIMITED_INFORMATION | m.SYNCHRONIZE, false, pid);
    return handle === 0 ? null : new StartedProcess(pid, handle);
  }

  /** Null while it runs. */
  get exitCode(): number | null {
    if (this.#handle === 0 || kernel32.WaitForSingleObject(this.#handle, 0) !== m.WAIT_OBJECT_0) return null;
    const code = Buffer.alloc(4);
    return kernel32.GetExitCodeProcess(this.#handle, code) ? code.readUInt32LE(0) : m.STILL_ACTIVE;
  }

  [Symbol.dispose](): void {
    if (this.#handle !== 0) kernel32.CloseHandle(this.#handle);
  }
}

/**
 * Starts a program with the user's environment and, if it needs one, in a new console; it outlives the host. Never
 * through a shell. Errors: launch_failed. Source: learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw
 */
export function startProcess({
  variables,
  ...start
}: ProcessStart & {
  /** Variables in addition to the user's. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}): StartedProcess {
  using own = variables === undefined ? userEnvironment() : null;
  const started = createProcess(start, variables === undefined ? (own?.block ?? null) : environmentBlock(variables));
  if (!('failed' in started)) return new StartedProcess(started.pid, started.handle);
  throw new UiaHostError(
    'launch_failed',
    started.failed === m.ERROR_ELEVATION_REQUIRED
      ? `${quoted(start.executable, 300)} needs elevation, which only a person can grant. It was not started.`
      : `${quoted(start.executable, 300)} could not be started (Windows error ${started.failed}).`,
  );
}

/**
 * Starts a program in its own folder, as a click in the Start menu would: without arguments, or with switches that need
 * no quoting. Errors: launch_failed.
 */
function startProgram(executable: string, switches: readonly string[] = []): StartedProcess {
  return startProcess({
    executable,
    commandLine: [`"${executable}"`, ...switches].join(' '),
    directory: path.win32.dirname(executable),
  });
}

const CLSID_APPLICATION_ACTIVATION_MANAGER = guid('45ba127d-10a8-46ea-8ab7-56ea9078943c');

/** Starts a packaged app. Errors: launch_failed. Source: learn.microsoft.com/windows/win32/api/shobjidl_core/nf-shobjidl_core-iapplicationactivationmanager-activateapplication */
async function startPackagedApp(applicationUserModelId: string): Promise<StartedProcess> {
  try {
    const apartment = enterMta();
    try {
      using manager = createInstance(CLSID_APPLICATION_ACTIVATION_MANAGER, IApplicationActivationManager, true);
      return new StartedProcess(await activatePackage(manager, applicationUserModelId), 0);
    } finally {
      apartment[Symbol.dispose]();
    }
  } catch (error) {
    throw new UiaHostError('launch_failed', `Windows did not start the packaged app ${applicationUserModelId}.`, {
      cause: error,
    });
  }
}

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

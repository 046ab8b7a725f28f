/** Starting programs and packaged apps. */
import path from 'node:path';
import { enterMta, createInstance } from '../../../native-bindings/com/apartment.ts';
import { guid } from '../../../native-bindings/com/guid.ts';
import { IApplicationActivationManager } from '../../../native-bindings/uia/shell.generated.ts';
import {
  ERROR_ELEVATION_REQUIRED,
  PROCESS_QUERY_LIMITED_INFORMATION,
  STILL_ACTIVE,
  SYNCHRONIZE,
  WAIT_OBJECT_0,
} from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { activatePackage, createProcess, type ProcessStart } from '../exits/outside.ts';
import { environmentBlock, userEnvironment } from './user-environment.ts';

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
    const handle = kernel32.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, false, pid);
    return handle === 0 ? null : new StartedProcess(pid, handle);
  }

  /** Null while it runs. */
  get exitCode(): number | null {
    if (this.#handle === 0 || kernel32.WaitForSingleObject(this.#handle, 0) !== WAIT_OBJECT_0) return null;
    const code = Buffer.alloc(4);
    return kernel32.GetExitCodeProcess(this.#handle, code) ? code.readUInt32LE(0) : STILL_ACTIVE;
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
    started.failed === ERROR_ELEVATION_REQUIRED
      ? `${quoted(start.executable, 300)} needs elevation, which only a person can grant. It was not started.`
      : `${quoted(start.executable, 300)} could not be started (Windows error ${started.failed}).`,
  );
}

/**
 * Starts a program in its own folder, as a click in the Start menu would: without arguments, or with switches that need
 * no quoting. Errors: launch_failed.
 */
export function startProgram(executable: string, switches: readonly string[] = []): StartedProcess {
  return startProcess({
    executable,
    commandLine: [`"${executable}"`, ...switches].join(' '),
    directory: path.win32.dirname(executable),
  });
}

const CLSID_APPLICATION_ACTIVATION_MANAGER = guid('45ba127d-10a8-46ea-8ab7-56ea9078943c');

/** Starts a packaged app. Errors: launch_failed. Source: learn.microsoft.com/windows/win32/api/shobjidl_core/nf-shobjidl_core-iapplicationactivationmanager-activateapplication */
export async function startPackagedApp(applicationUserModelId: string): Promise<StartedProcess> {
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

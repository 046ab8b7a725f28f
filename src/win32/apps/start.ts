import path from 'node:path';
import { enterMta, createInstance } from '../../../native-bindings/com/apartment.ts';
import { guid } from '../../../native-bindings/com/guid.ts';
import { IApplicationActivationManager } from '../../../native-bindings/uia/shell.generated.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { PROCESS_INFORMATION, STARTUPINFOW } from '../../../native-bindings/win32/structs.ts';
import { userenv } from '../../../native-bindings/win32/userenv.ts';
import { UiaHostError } from '../../contract/errors.ts';

/** Source: learn.microsoft.com/windows/win32/procthread/process-creation-flags */
const CREATE_NEW_CONSOLE = 0x0000_0010;
const CREATE_NEW_PROCESS_GROUP = 0x0000_0200;
const CREATE_UNICODE_ENVIRONMENT = 0x0000_0400;
const CREATE_DEFAULT_ERROR_MODE = 0x0400_0000;
const TOKEN_QUERY = 0x0008;
const TOKEN_DUPLICATE = 0x0002;
const ERROR_ELEVATION_REQUIRED = 740;
const STILL_ACTIVE = 259;
const WAIT_OBJECT_0 = 0;

/** A process that was started here. Its handle keeps the pid from being reused. */
export class StartedProcess implements Disposable {
  readonly pid: number;
  readonly #handle: number;
  constructor(pid: number, handle: number) {
    this.pid = pid;
    this.#handle = handle;
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
 * The environment that the user's own programs start with: not the host's, which may hold what is nobody's business.
 * Null where the system does not make one; then programs inherit. Source: learn.microsoft.com/windows/win32/api/userenv/nf-userenv-createenvironmentblock
 */
function userEnvironment(): (Disposable & { readonly block: bigint }) | null {
  const token = Buffer.alloc(8);
  if (!userenv.has('CreateEnvironmentBlock') || !advapi32.OpenProcessToken(kernel32.GetCurrentProcess(), TOKEN_QUERY | TOKEN_DUPLICATE, token)) return null;
  const handle = Number(token.readBigUInt64LE(0));
  try {
    const block = Buffer.alloc(8);
    if (!userenv.CreateEnvironmentBlock(block, handle, false)) return null;
    const address = block.readBigUInt64LE(0);
    return { block: address, [Symbol.dispose]() { userenv.DestroyEnvironmentBlock(address); } };
  } finally {
    kernel32.CloseHandle(handle);
  }
}

/**
 * Starts a program without arguments, as a click in the Start menu would: in its own folder, with the user's environment,
 * in a console of its own if it needs one, and outliving the host. Its path is passed as such, never through a shell.
 * Errors: launch_failed. Source: learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw
 */
export function startProgram(executable: string): StartedProcess {
  const startup = STARTUPINFOW.alloc({ cb: STARTUPINFOW.size });
  const information = PROCESS_INFORMATION.alloc();
  const commandLine = Buffer.from(`"${executable}"\0`, 'utf16le');
  const flags = CREATE_NEW_CONSOLE | CREATE_NEW_PROCESS_GROUP | CREATE_UNICODE_ENVIRONMENT | CREATE_DEFAULT_ERROR_MODE;
  using environment = userEnvironment();
  const isStarted = kernel32.CreateProcessW(
    executable, commandLine, null, null, false, flags, environment?.block ?? null, path.win32.dirname(executable), startup, information,
  );
  if (!isStarted) {
    const error = kernel32.GetLastError();
    throw new UiaHostError('launch_failed', error === ERROR_ELEVATION_REQUIRED
      ? `${executable} needs elevation, which only a person can confirm. It was not started.`
      : `${executable} could not be started (Windows error ${error}).`);
  }
  const { hProcess, hThread, dwProcessId } = PROCESS_INFORMATION.read(information);
  kernel32.CloseHandle(hThread);
  return new StartedProcess(dwProcessId, hProcess);
}

const CLSID_APPLICATION_ACTIVATION_MANAGER = guid('45ba127d-10a8-46ea-8ab7-56ea9078943c');
const AO_NONE = 0;

/** Starts a packaged app. Errors: launch_failed. Source: learn.microsoft.com/windows/win32/api/shobjidl_core/nf-shobjidl_core-iapplicationactivationmanager-activateapplication */
export async function startPackagedApp(applicationUserModelId: string): Promise<StartedProcess> {
  try {
    const apartment = enterMta();
    try {
      using manager = createInstance(CLSID_APPLICATION_ACTIVATION_MANAGER, IApplicationActivationManager, true);
      return new StartedProcess(await manager.ActivateApplicationAsync(applicationUserModelId, null, AO_NONE), 0);
    } finally {
      apartment[Symbol.dispose]();
    }
  } catch (error) {
    throw new UiaHostError('launch_failed', `Windows did not start the packaged app ${applicationUserModelId}.`, { cause: error });
  }
}

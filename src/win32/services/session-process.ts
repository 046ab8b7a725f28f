/**
 * A program in a user's session, started by a service with that user's token, desktop and environment, or one of the service
 * under LocalService; connected by two pipes without a name. Source: learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessasuserw
 */
import { addressOf, type RegisteredCallback } from '../../../native-bindings/library.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32, WaitCallback } from '../../../native-bindings/win32/kernel32.ts';
import { PROCESS_INFORMATION, SECURITY_ATTRIBUTES, STARTUPINFOEXW } from '../../../native-bindings/win32/structs.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { environmentOf, toBlock } from '../apps/user-environment.ts';
import { executableOf, processCreated } from '../system/process.ts';
import { Token, userOfToken } from '../system/given.ts';
import { accountOf, userToken } from './user-sessions.ts';

/** Bytes that wait in a pipe before its writer has to wait. */
const PIPE_BYTES = 65_536;
/** NT AUTHORITY\\LocalService. */
const LOCAL_SERVICE = 'S-1-5-19';
/** Node would run, load or trust what these name; they are never taken from a session. */
const NOT_PASSED = /^(?:NODE_.*|UV_.*|OPENSSL_.*|SSL_CERT_.*)$/i;

interface Started {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly directory: string;
}

const failed = (what: string, error = kernel32.GetLastError()): UiaHostError =>
  new UiaHostError('launch_failed', `${what} (Windows error ${error}).`);

/** Quotes every word that is more than letters, digits and dashes, as CommandLineToArgvW reads it: the program's path always. */
export const commandLineOf = (words: readonly string[]): string =>
  words
    .map((word) =>
      /^[\w=-]+$/.test(word) ? word : `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`,
    )
    .join(' ');

/** A pipe; `ours` is the end that is not inherited. */
function makePipe(ours: 'reading' | 'writing'): { reading: number; writing: number } {
  const ends = { reading: Buffer.alloc(8), writing: Buffer.alloc(8) };
  const inherited = SECURITY_ATTRIBUTES.alloc({ nLength: SECURITY_ATTRIBUTES.size, bInheritHandle: true });
  if (!kernel32.CreatePipe(ends.reading, ends.writing, inherited, PIPE_BYTES)) throw failed('No pipe could be made');
  const handles = { reading: Number(ends.reading.readBigInt64LE(0)), writing: Number(ends.writing.readBigInt64LE(0)) };
  kernel32.SetHandleInformation(handles[ours], m.HANDLE_FLAG_INHERIT, 0);
  return handles;
}

/** One callback serves all processes: Windows calls it on a thread of its pool, and it runs on this one. */
let onSignal: RegisteredCallback | undefined;
const waiting = new Map<bigint, () => void>();
let nextWait = 1n;

function whenSignalled(object: number, call: () => void): void {
  onSignal ??= WaitCallback.register((context) => {
    const then = waiting.get(context);
    waiting.delete(context);
    // Windows waits for this callback; what follows may close what it waited for.
    if (then !== undefined) setImmediate(then);
  });
  const key = nextWait;
  nextWait += 1n;
  const wait = Buffer.alloc(8);
  waiting.set(key, () => {
    kernel32.UnregisterWait(Number(wait.readBigInt64LE(0)));
    call();
  });
  if (!kernel32.RegisterWaitForSingleObject(wait, object, onSignal.address, key, m.INFINITE, m.WT_EXECUTEONLYONCE)) {
    waiting.delete(key);
    throw failed('Windows does not report the end of a process');
  }
}

/** A process that the service started. Its handle is held until it has ended, so its pid is not reused meanwhile. */
export class SessionProcess {
  readonly pid: number;
  /** Its creation time: with the pid it identifies the process. */
  readonly created: string;
  readonly #process: number;
  #input: number;
  #output: number;

  constructor(pid: number, process: number, input: number, output: number, onExit: (status: number) => void) {
    this.pid = pid;
    this.#process = process;
    this.#input = input;
    this.#output = output;
    this.created = processCreated(pid) ?? '0';
    whenSignalled(process, () => {
      const code = Buffer.alloc(4);
      kernel32.GetExitCodeProcess(process, code);
      onExit(code.readUInt32LE(0));
      this.endInput();
      kernel32.CloseHandle(this.#output);
      kernel32.CloseHandle(process);
      this.#output = 0;
    });
  }

  /** False if it does not read any more. The pipe takes far more than is ever sent: this does not block. */
  send(text: string): boolean {
    if (this.#input === 0) return false;
    const bytes = Buffer.from(text, 'utf8');
    return kernel32.WriteFile(this.#input, bytes, bytes.length, Buffer.alloc(4), null);
  }

  /** Closes its standard input, which tells it to end. */
  endInput(): void {
    if (this.#input === 0) return;
    kernel32.CloseHandle(this.#input);
    this.#input = 0;
  }

  /** What it has written since the last call. */
  read(): string {
    if (this.#output === 0) return '';
    const available = Buffer.alloc(4);
    if (!kernel32.PeekNamedPipe(this.#output, null, 0, null, available, null)) return '';
    const count = available.readUInt32LE(0);
    if (count === 0) return '';
    const bytes = Buffer.alloc(count);
    const read = Buffer.alloc(4);
    return kernel32.ReadFile(this.#output, bytes, count, read, null)
      ? bytes.toString('utf8', 0, read.readUInt32LE(0))
      : '';
  }

  /** Ends it without asking. */
  kill(): void {
    kernel32.TerminateProcess(this.#process, 1);
  }
}

/**
 * Starts a program on the user's desktop. It gets the user's environment, without variables that change how Node runs,
 * and inherits nothing from this process but its two pipes: no variable, no handle, no working directory.
 * Errors: launch_failed.
 */
export function startInSession(
  { session, ...started }: Started & { readonly session: number },
  onExit: (status: number) => void,
): SessionProcess {
  using token = userToken(session);
  if (token === null) throw failed(`Windows gives no token for session ${session}`);
  return startWithToken(token.handle, { ...started, desktop: 'winsta0\\default' }, onExit);
}

/**
 * The same under `NT AUTHORITY\\LocalService`, which has no rights of an administrator and no user's. An empty desktop lets Windows
 * choose the window station of that account: this process's own may not be opened by it. The account has other names where
 * Windows speaks another language. Errors: launch_failed, also where Windows gives the token of another account.
 */
export function startAsLocalService(started: Started, onExit: (status: number) => void): SessionProcess {
  const memory = Buffer.alloc(8);
  const logOn = ({ name, domain }: { name: string; domain: string }): boolean =>
    advapi32.LogonUserW(name, domain, null, m.LOGON32_LOGON_SERVICE, m.LOGON32_PROVIDER_DEFAULT, memory);
  const translated = accountOf(LOCAL_SERVICE);
  if (
    !logOn({ name: 'LocalService', domain: 'NT AUTHORITY' }) &&
    (typeof translated === 'string' || !logOn(translated))
  )
    throw failed('Windows gives no token of LocalService');
  using token = new Token(memory);
  const account = userOfToken(token);
  if (account !== LOCAL_SERVICE)
    throw failed(`Windows gives a token of ${account ?? 'no account'} instead of LocalService`, 0);
  return startWithToken(token.handle, { ...started, desktop: '' }, onExit);
}

/** Errors: launch_failed. */
export function startWithToken(
  token: number,
  { program, args, directory, desktop: place }: Started & { readonly desktop: string },
  onExit: (status: number) => void,
): SessionProcess {
  const environment = environmentOf(token);
  if (environment === null) throw failed('Windows gives no environment for the user');
  const block = toBlock(environment.filter((entry) => !NOT_PASSED.test(entry.slice(0, entry.indexOf('=', 1)))));
  const input = makePipe('writing');
  const output = makePipe('reading');
  const close = (...handles: number[]): void => handles.forEach((handle) => kernel32.CloseHandle(handle));
  try {
    const list = attributeList([input.reading, output.writing]);
    const desktop = Buffer.from(`${place}\0`, 'utf16le');
    const startup = STARTUPINFOEXW.alloc({
      StartupInfo: {
        cb: STARTUPINFOEXW.size,
        lpDesktop: addressOf(desktop),
        dwFlags: m.STARTF_USESTDHANDLES | m.STARTF_USESHOWWINDOW,
        wShowWindow: m.SW_HIDE,
        hStdInput: input.reading,
        hStdOutput: output.writing,
        hStdError: output.writing,
      },
      lpAttributeList: addressOf(list.memory),
    });
    const information = PROCESS_INFORMATION.alloc();
    const commandLine = Buffer.from(`${commandLineOf([program, ...args])}\0`, 'utf16le');
    const isStarted = advapi32.CreateProcessAsUserW(
      token,
      program,
      commandLine,
      null,
      null,
      true,
      m.CREATE_NO_WINDOW | m.CREATE_NEW_PROCESS_GROUP | m.CREATE_UNICODE_ENVIRONMENT | m.EXTENDED_STARTUPINFO_PRESENT,
      block,
      directory,
      startup,
      information,
    );
    const error = kernel32.GetLastError();
    kernel32.DeleteProcThreadAttributeList(list.memory);
    // Read here so that none of them is collected before the call returns.
    if (!isStarted || desktop.length + list.handles.length === 0)
      throw failed(`${program} could not be started`, error);
    const { hProcess, hThread, dwProcessId } = PROCESS_INFORMATION.read(information);
    close(hThread, input.reading, output.writing);
    return new SessionProcess(dwProcessId, hProcess, input.writing, output.reading, onExit);
  } catch (error) {
    close(input.reading, input.writing, output.reading, output.writing);
    throw error;
  }
}

/** The list of the only handles that a process inherits. Source: learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-updateprocthreadattribute */
function attributeList(inherited: readonly number[]): { memory: Buffer; handles: Buffer } {
  const size = Buffer.alloc(8);
  kernel32.InitializeProcThreadAttributeList(null, 1, 0, size);
  const memory = Buffer.alloc(Number(size.readBigUInt64LE(0)));
  const handles = Buffer.alloc(8 * inherited.length);
  inherited.forEach((handle, index) => handles.writeBigInt64LE(BigInt(handle), index * 8));
  if (
    !kernel32.InitializeProcThreadAttributeList(memory, 1, 0, size) ||
    !kernel32.UpdateProcThreadAttribute(
      memory,
      0,
      m.PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
      handles,
      handles.length,
      null,
      null,
    )
  )
    throw failed('The inherited handles could not be limited');
  return { memory, handles };
}

/** Ends a process that an earlier service left behind, if it still has this creation time and program. */
export function killLeftOver(pid: number, created: string, program: string): boolean {
  if (processCreated(pid) !== created) return false;
  const handle = kernel32.OpenProcess(m.PROCESS_TERMINATE | m.PROCESS_QUERY_LIMITED_INFORMATION, false, pid);
  if (handle === 0) return false;
  try {
    return (
      executableOf(handle)?.toLowerCase() === program.toLowerCase() &&
      processCreated(pid) === created &&
      kernel32.TerminateProcess(handle, 1)
    );
  } finally {
    kernel32.CloseHandle(handle);
  }
}

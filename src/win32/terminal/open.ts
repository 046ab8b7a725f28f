/** Opening a terminal with a program in it, finding its window, shell and command, and the exit status of these. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { readString16 } from '../../../native-bindings/library.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { shell32 } from '../../../native-bindings/win32/shell32.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { TERMINAL_CLASS } from '../../contract/terminal/terminals.ts';
import type { CallContext } from '../../desktop/call.ts';
import type { TerminalLaunch } from '../../contract/gate/traits.ts';
import { systemFolder } from '../apps/folders.ts';
import { isForeignPath } from '../system/trust.ts';
import { identifyProgram } from '../system/identity.ts';
import { parentProcesses, executableOf, processCreated, withProcess } from '../system/process.ts';
import { RegistryKey } from '../system/registry.ts';
import { startProcess, StartedProcess } from '../apps/open.ts';
import { readUserEnvironment, type Environment } from '../apps/user-environment.ts';
import { type KnownWindows, visibleWindows } from '../windows/describe.ts';
import { Deadline, pause, waitUntil } from '../windows/waiting.ts';
import { classNameOf, rootOwner, windowProcess } from '../windows/window-info.ts';
import { chooseLaunch, type Choice, launchIn } from './choose.ts';
import { ConsoleUnreachable, type ConsoleHelper } from './console-helper.ts';
import { PSEUDO_CONSOLE_CLASS } from '../windows/classes.ts';
import { attempt } from '../../contract/attempt.ts';
import { freed } from '../system/given.ts';
import { peekPointers } from '../../../native-bindings/com/memory.ts';

/** Time in which a program that cannot run ends: a library is missing, or an agent fails to start. */
const SETTLE_MS = 300;
const POLL_MS = 20;
/** Reserved from the deadline for settling and the answer. */
const RESERVE_MS = 800;
/** Programs that draw consoles: never the command. */
const CONSOLE_HOSTS = new Set(['conhost.exe', 'openconsole.exe']);

export interface OpenedTerminal {
  readonly hwnd: number;
  /** Still runs after the settling time. */
  readonly isAlive: boolean;
  readonly choice: Choice;
  /** The shell in the terminal. */
  readonly shell: StartedProcess;
  /** The command that runs in the shell, if it was found. */
  readonly command: StartedProcess | null;
}

const BY_POLICY = String.raw`SOFTWARE\Policies\Microsoft\Windows\PowerShell`;
const BY_PREFERENCE = String.raw`SOFTWARE\Microsoft\PowerShell\1\ShellIds\Microsoft.PowerShell`;
/**
 * Where Windows PowerShell's execution policy is set, in order of precedence.
 * Source: learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_execution_policies
 */
const PLACES: ReadonlyArray<readonly [root: number, path: string]> = [
  [m.HKEY_LOCAL_MACHINE, BY_POLICY],
  [m.HKEY_CURRENT_USER, BY_POLICY],
  [m.HKEY_CURRENT_USER, BY_PREFERENCE],
  [m.HKEY_LOCAL_MACHINE, BY_PREFERENCE],
];
const RUNNING = new Set(['remotesigned', 'unrestricted', 'bypass']);

/** One place's setting: `EnableScripts` 0 is a group policy that forbids all scripts. */
export interface ScriptSetting {
  readonly isEnabled: boolean | null;
  readonly policy: string | null;
}

/** Without any setting: Restricted on Windows 10 and 11. Servers then allow signed and local scripts, but programs work there as well. */
export function allowsScripts(settings: readonly ScriptSetting[]): boolean {
  const first = settings.find(
    ({ isEnabled, policy }) => isEnabled === false || (policy !== null && policy.toLowerCase() !== 'undefined'),
  );
  return first !== undefined && first.isEnabled !== false && RUNNING.has(first.policy?.toLowerCase() ?? '');
}

/** Whether Windows PowerShell's execution policy allows unsigned scripts. */
function runsScripts(): boolean {
  return allowsScripts(
    PLACES.map(([root, path]) => {
      using key = RegistryKey.open(root, path);
      const enabled = key?.number('EnableScripts') ?? null;
      return { isEnabled: enabled === null ? null : enabled !== 0, policy: key?.text('ExecutionPolicy') ?? null };
    }),
  );
}

/**
 * Splits a command line as Windows does; the first word follows the rules for a program's name.
 * Errors: invalid_argument for an empty one. Source: learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-commandlinetoargvw
 */
export function splitCommandLine(text: string): string[] {
  const line = text.trim();
  // For an empty line Windows returns this program's path.
  if (line === '') throw new UiaHostError('invalid_argument', 'The command is empty; nothing was started.');
  if (line.includes('\0'))
    throw new UiaHostError('invalid_argument', 'The command contains a NUL character; nothing was started.');
  const count = Buffer.alloc(4);
  const list = shell32.CommandLineToArgvW(line, count);
  if (list === 0n)
    throw new UiaHostError('invalid_argument', 'Windows cannot split the command into arguments; nothing was started.');
  return freed(list, () => peekPointers(list, count.readInt32LE(0)).map((text) => readString16(text)));
}

/** Splits the arguments after a program's name. */
export function splitArguments(text: string): string[] {
  return text.trim() === '' ? [] : splitCommandLine(`x ${text}`).slice(1);
}

/** By attributes: the alias wt.exe is a link that can be started but not followed. */
function isFile(file: string): boolean {
  const attributes = kernel32.GetFileAttributesW(file);
  return attributes !== m.INVALID_FILE_ATTRIBUTES && (attributes & m.FILE_ATTRIBUTE_DIRECTORY) === 0;
}

function isFolder(folder: string): boolean {
  return attempt(() => statSync(folder).isDirectory(), false);
}

/** Full path of the working directory: the requested one, else the user's profile. Errors: invalid_argument. */
function directoryOf(wanted: string | undefined, environment: Environment): string {
  if (wanted === undefined) {
    const home = environment.get('USERPROFILE');
    return home !== undefined && isFolder(home) ? home : systemFolder();
  }
  if (!path.win32.isAbsolute(wanted) || !/^(?:[a-z]:[\\/]|\\\\)/i.test(wanted)) {
    throw new UiaHostError(
      'invalid_argument',
      `The working directory ${wanted} is not a full path; nothing was started.`,
    );
  }
  const folder = path.win32.normalize(wanted);
  if (!isFolder(folder))
    throw new UiaHostError('invalid_argument', `The working directory ${wanted} does not exist; nothing was started.`, {
      hint: 'Create it first, or name an existing folder.',
    });
  return folder;
}

/**
 * The first child of a shell that is not a console host. It is found by process, never by title. A process whose program is
 * not known yet may be a starting console host; one older than the shell had another parent with that id.
 */
function findCommand(shellPid: number): StartedProcess | null {
  const shellCreated = processCreated(shellPid);
  let first: { readonly pid: number; readonly created: bigint } | null = null;
  for (const [pid, parent] of parentProcesses()) {
    if (parent !== shellPid || pid === shellPid) continue;
    const executable = withProcess(pid, executableOf);
    if (executable === null || CONSOLE_HOSTS.has(path.win32.basename(executable).toLowerCase())) continue;
    const created = BigInt(processCreated(pid) ?? 0);
    if (created < BigInt(shellCreated ?? 0)) continue;
    if (first === null || created < first.created) first = { pid, created };
  }
  return first === null ? null : StartedProcess.open(first.pid);
}

/** The window that shows a process's console; null while there is none. Source: learn.microsoft.com/windows/console/getconsolewindow */
async function consoleWindow(pid: number, helper: ConsoleHelper, call: CallContext): Promise<number | null> {
  let hwnd: number;
  try {
    ({ hwnd } = await helper.ask({ op: 'window', pid }, call));
  } catch (error) {
    if (error instanceof ConsoleUnreachable) return null;
    throw error;
  }
  if (hwnd === 0) return null;
  if (classNameOf(hwnd) === PSEUDO_CONSOLE_CLASS) {
    // If Windows Terminal is the default terminal, it takes over consoles and owns the hidden window of each.
    const owner = rootOwner(hwnd);
    return owner !== hwnd && user32.IsWindowVisible(owner) ? owner : null;
  }
  return user32.IsWindowVisible(hwnd) ? hwnd : null;
}

interface NewTerminal {
  readonly hwnd: number;
  readonly shell: StartedProcess;
}

/**
 * The new window of Windows Terminal and the shell in it. wt.exe hands over to a running instance and ends, so this finds a
 * new window of a process with a new cmd.exe below it.
 */
function terminalWindow(
  windows: KnownWindows,
  before: ReadonlySet<number>,
  processesBefore: ReadonlySet<number>,
  cmdPath: string,
): NewTerminal | null {
  const parents = parentProcesses();
  for (const window of visibleWindows(windows)) {
    if (window.className !== TERMINAL_CLASS || before.has(window.hwnd)) continue;
    for (const [pid, parent] of parents) {
      if (parent !== window.process.pid || processesBefore.has(pid)) continue;
      if (withProcess(pid, executableOf)?.toLowerCase() !== cmdPath.toLowerCase()) continue;
      const shell = StartedProcess.open(pid);
      if (shell !== null) return { hwnd: window.hwnd, shell };
    }
  }
  return null;
}

function choose(
  { agent, command, terminal }: TerminalLaunch,
  directory: string,
  environment: Environment,
  isThere: (file: string) => boolean,
): Choice {
  return chooseLaunch(
    { agent, command, terminal, directory },
    {
      environment,
      isFile: isThere,
      systemFolder: systemFolder(),
      runsScripts: runsScripts(),
      splitCommand: splitCommandLine,
      splitArguments,
    },
  );
}

/** The package behind the per-user alias wt.exe. */
const WINDOWS_TERMINAL = 'Microsoft.WindowsTerminal_8wekyb3d8bbwe!App';

/**
 * The terminal's program, its shell, and the command. Files on another machine are assumed to exist: touching them is not
 * allowed yet. Errors: as openTerminal.
 */
export function programsToStart(request: TerminalLaunch, environment: (() => Environment) | undefined): AppIdentity[] {
  const variables = (environment ?? readUserEnvironment)();
  const wanted = request.workingDirectory;
  const directory =
    wanted !== undefined && isForeignPath(wanted) ? path.win32.normalize(wanted) : directoryOf(wanted, variables);
  const { terminal, terminalPath, cmdPath, program } = choose(
    request,
    directory,
    variables,
    (file) => isForeignPath(file) || isFile(file),
  );
  const alias = identifyProgram(terminalPath);
  const terminals =
    terminal !== 'wt'
      ? [alias]
      : ['wt.exe', 'WindowsTerminal.exe'].map((file): AppIdentity => ({
          bundleId: WINDOWS_TERMINAL,
          displayName: 'Windows Terminal',
          executable: path.win32.join(path.win32.dirname(terminalPath), file),
        }));
  // Windows Terminal starts commands by cmd, and cmd interprets batch files.
  const usesCmd = terminal === 'wt' || /\.(?:cmd|bat)$/i.test(program);
  const found = [...terminals, ...(usesCmd ? [identifyProgram(cmdPath)] : []), identifyProgram(program)];
  return found.filter(
    (app, index) =>
      found.findIndex((other) => other.bundleId === app.bundleId && other.executable === app.executable) === index,
  );
}

/**
 * Starts a program in a new terminal and waits for its window, which does not take the foreground.
 * Errors: launch_failed, which names what is missing or has ended; invalid_argument for what cannot be passed on unchanged.
 */
export async function openTerminal(
  request: TerminalLaunch,
  windows: KnownWindows,
  helper: ConsoleHelper,
  environment: (() => Environment) | undefined,
  call: CallContext,
): Promise<OpenedTerminal> {
  const variables = (environment ?? readUserEnvironment)();
  const directory = directoryOf(request.workingDirectory, variables);
  const choice = choose(request, directory, variables, isFile);
  const launch = launchIn(choice);
  const before = new Set(visibleWindows(windows).map((window) => window.hwnd));
  const processesBefore = new Set(parentProcesses().keys());
  const deadline = new Deadline(call);
  const started = startProcess({ ...launch, directory, isQuiet: true });
  let command: StartedProcess | null = null;
  let isReturned = false;
  try {
    const found = await waitUntil<NewTerminal>(
      async () => {
        if (choice.terminal === 'wt') return terminalWindow(windows, before, processesBefore, choice.cmdPath);
        const code = started.exitCode;
        if (code !== null)
          throw new UiaHostError(
            'launch_failed',
            `${path.win32.basename(choice.terminalPath)} exited immediately with code ${code}.`,
            { delivery: 'delivered' },
          );
        command ??= findCommand(started.pid);
        const hwnd = await consoleWindow(started.pid, helper, call);
        return hwnd === null ? null : { hwnd, shell: started };
      },
      { withinMs: deadline.remaining(RESERVE_MS), everyMs: POLL_MS, call, delivery: 'delivered' },
    );
    if (found === null) {
      throw new UiaHostError(
        'launch_failed',
        `${path.win32.basename(choice.terminalPath)} was started, but showed no window within ${Math.round(call.deadlineMs)} ms.`,
        {
          delivery: 'delivered',
          hint: 'Check list-visible-windows a little later, or try again with a longer deadlineMs.',
        },
      );
    }
    const { hwnd, shell } = found;
    for (const end = performance.now() + SETTLE_MS; performance.now() < end;) {
      command ??= findCommand(shell.pid);
      await pause(POLL_MS, call, 'delivered');
    }
    isReturned = true;
    if (shell !== started) started[Symbol.dispose]();
    return { hwnd, isAlive: shell.exitCode === null && user32.IsWindow(hwnd), choice, shell, command };
  } finally {
    if (!isReturned) {
      started[Symbol.dispose]();
      (command as StartedProcess | null)?.[Symbol.dispose]();
    }
  }
}

/** A terminal opened by this process: its window, and the processes that end when its command ends. */
interface LaunchedTerminal {
  readonly hwnd: number;
  readonly pid: number;
  readonly processCreated: string;
  /** The terminal's shell, which the host started. */
  readonly shell: StartedProcess;
  /** The shell's command; null until it was found. */
  command: StartedProcess | null;
}

/** The terminals opened by this process, with handles of their processes: a handle keeps the exit status readable. */
export class LaunchedTerminals implements Disposable {
  readonly #terminals = new Map<number, LaunchedTerminal>();

  add(terminal: Omit<LaunchedTerminal, 'pid' | 'processCreated'>): void {
    this.#sweep();
    const pid = windowProcess(terminal.hwnd);
    this.#terminals.set(terminal.hwnd, { ...terminal, pid, processCreated: processCreated(pid) ?? '0' });
  }

  /**
   * Exit status of the command in a bound terminal: of the shell's command, else of the shell. Null while it runs, and for
   * terminals that this process did not open.
   */
  exitStatus(record: BindingRecord): number | null {
    const terminal = this.#terminals.get(Number(record.hwnd));
    if (terminal === undefined || terminal.pid !== record.pid || terminal.processCreated !== record.processCreated)
      return null;
    terminal.command ??= findCommand(terminal.shell.pid);
    return terminal.command === null ? terminal.shell.exitCode : terminal.command.exitCode;
  }

  /** Drops terminals whose windows are gone. */
  #sweep(): void {
    for (const [hwnd, terminal] of this.#terminals)
      if (windowProcess(hwnd) !== terminal.pid) this.#forget(hwnd, terminal);
  }

  #forget(hwnd: number, terminal: LaunchedTerminal): void {
    this.#terminals.delete(hwnd);
    terminal.shell[Symbol.dispose]();
    terminal.command?.[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    for (const [hwnd, terminal] of this.#terminals) this.#forget(hwnd, terminal);
  }
}

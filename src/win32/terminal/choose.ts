/**
 * Which terminal starts which program, after defaults. Programs are looked up by PATH and PATHEXT, as a shell does, but never
 * in the current folder. No Windows in here.
 */
import { win32 as windowsPath } from 'node:path';
import { UiaHostError } from '../../contract/errors.ts';
import type { TerminalAgent, TerminalProgram } from '../../desktop/terminal.ts';
import type { Environment } from '../apps/user-environment.ts';

/** For systems without PATHEXT. Source: learn.microsoft.com/windows-server/administration/windows-commands/start */
const USUAL_EXTENSIONS = '.COM;.EXE;.BAT;.CMD';
/** Extensions that cmd runs itself; any other in PATHEXT is a document that another program opens. */
const RUNNABLE = new Set(['.com', '.exe', '.bat', '.cmd']);

export interface LookupFacts {
  readonly environment: Environment;
  /** Whether a file, not a folder, has that path. */
  isFile(path: string): boolean;
}

/** Folders of PATH in order, without relative ones, which depend on the current folder. */
function pathFolders(environment: Environment): string[] {
  return (environment.get('PATH') ?? '')
    .split(';')
    .map((entry) => entry.trim().replaceAll('"', ''))
    .filter((entry) => /^(?:[a-z]:[\\/]|\\\\)/i.test(entry));
}

/** Extensions of PATHEXT that cmd runs, in its order, lower case. */
function programExtensions(environment: Environment): string[] {
  const listed = (environment.get('PATHEXT') ?? USUAL_EXTENSIONS)
    .split(';')
    .map((extension) => extension.trim().toLowerCase());
  return listed.filter((extension) => RUNNABLE.has(extension));
}

/** File names to try: the name itself if it has such an extension, then with each extension. */
function candidates(path: string, extensions: readonly string[]): string[] {
  const own = windowsPath.extname(path).toLowerCase();
  return [...(extensions.includes(own) ? [path] : []), ...extensions.map((extension) => path + extension)];
}

/**
 * The full path of a program. A bare name is looked up only on PATH, never in the current folder; a path with folders is
 * relative to `directory`. Null if there is none.
 */
export function findProgram(
  name: string,
  directory: string,
  facts: LookupFacts,
  extensions: readonly string[] = programExtensions(facts.environment),
): string | null {
  const isPath = /[\\/]/.test(name) || /^[a-z]:/i.test(name);
  const places = isPath
    ? [windowsPath.resolve(directory, name)]
    : pathFolders(facts.environment).map((folder) => windowsPath.join(folder, name));
  for (const place of places) {
    const found = candidates(place, extensions).find((path) => facts.isFile(path));
    if (found !== undefined) return found;
  }
  return null;
}

export interface ChoiceFacts extends LookupFacts {
  /** `C:\Windows\System32`. */
  readonly systemFolder: string;
  /** Whether Windows PowerShell's execution policy allows unsigned scripts. */
  readonly runsScripts: boolean;
  /** Splits a command line as Windows does. */
  splitCommand(text: string): string[];
  /** Splits what follows a program's name. */
  splitArguments(text: string): string[];
}

export interface Wanted {
  readonly agent: TerminalAgent;
  readonly command: string | undefined;
  readonly terminal: TerminalProgram | undefined;
  /** Full path of an existing folder. */
  readonly directory: string;
}

export interface Choice {
  readonly terminal: TerminalProgram;
  /** Full paths. */
  readonly terminalPath: string;
  readonly cmdPath: string;
  readonly program: string;
  readonly args: readonly string[];
}

const TERMINAL_NAMES: Readonly<Record<TerminalProgram, string>> = {
  wt: 'Windows Terminal (wt.exe)',
  powershell: 'Windows PowerShell (powershell.exe)',
  cmd: 'cmd.exe',
};

/** Full path of a terminal; null if it is not installed. wt.exe is a per-user alias, so it is looked up on PATH. */
function terminalPath(terminal: TerminalProgram, facts: ChoiceFacts): string | null {
  const { systemFolder } = facts;
  switch (terminal) {
    case 'wt':
      return findProgram('wt.exe', systemFolder, facts, ['.exe']);
    case 'cmd':
      return existing(windowsPath.join(systemFolder, 'cmd.exe'), facts);
    case 'powershell':
      return existing(windowsPath.join(systemFolder, String.raw`WindowsPowerShell\v1.0\powershell.exe`), facts);
  }
}

const existing = (path: string, facts: ChoiceFacts): string | null => (facts.isFile(path) ? path : null);

function missing(what: string, hint: string): UiaHostError {
  return new UiaHostError('launch_failed', `${what}; nothing was started.`, { hint });
}

/**
 * The program and its arguments. Agents are looked up by name on PATH; PowerShell prefers their script if its policy allows
 * scripts.
 */
function programOf(
  wanted: Wanted,
  terminal: TerminalProgram,
  facts: ChoiceFacts,
): { program: string; args: readonly string[] } {
  const [name, ...args] =
    wanted.agent === 'custom'
      ? facts.splitCommand(wanted.command ?? '')
      : [wanted.agent, ...facts.splitArguments(wanted.command ?? '')];
  if (name === undefined || name === '')
    throw new UiaHostError('invalid_argument', 'The command does not name a program; nothing was started.');
  const script = terminal === 'powershell' ? scriptOf(name, wanted.directory, facts) : null;
  const program = (facts.runsScripts ? script : null) ?? findProgram(name, wanted.directory, facts);
  if (program !== null) return { program, args };
  if (script !== null) {
    throw missing(
      `${script} is a script, and PowerShell’s execution policy does not allow unsigned scripts`,
      'Use the terminal cmd or wt, or have an administrator set the policy to RemoteSigned.',
    );
  }
  throw missing(
    wanted.agent === 'custom'
      ? `The program ${name} was not found`
      : `The agent ${name} is not installed: it was not found on PATH`,
    'Programs are looked up on the user’s PATH. Give the full path of any other program.',
  );
}

const scriptOf = (name: string, directory: string, facts: ChoiceFacts): string | null =>
  findProgram(name, directory, facts, ['.ps1']);

/** The terminal (default: wt if installed, else cmd) and what it starts. Errors: launch_failed, which names what is missing; invalid_argument. */
export function chooseLaunch(wanted: Wanted, facts: ChoiceFacts): Choice {
  const terminal = wanted.terminal ?? (terminalPath('wt', facts) === null ? 'cmd' : 'wt');
  const path = terminalPath(terminal, facts);
  if (path === null)
    throw missing(`${TERMINAL_NAMES[terminal]} is not installed`, 'Omit the terminal, or choose another one.');
  return {
    terminal,
    terminalPath: path,
    cmdPath: windowsPath.join(facts.systemFolder, 'cmd.exe'),
    ...programOf(wanted, terminal, facts),
  };
}

/**
 * Which terminal starts which program, after defaults. Programs are looked up by PATH and PATHEXT, as a shell does, but never
 * in the current folder. No Windows in here.
 */
import { win32 as windowsPath } from 'node:path';
import { UiaHostError } from '../../contract/errors.ts';
import type { TerminalLaunch } from '../../contract/gate/traits.ts';
import type { TerminalProgram } from '../../desktop/terminal.ts';
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
  readonly agent: TerminalLaunch['agent'];
  readonly command: string | undefined;
  readonly terminal: TerminalProgram | undefined;
  /** Full path of an existing folder. */
  readonly directory: string;
}

export interface Choice {
  readonly terminal: TerminalProgram;
  /** Full paths. Windows Terminal starts programs by cmd. */
  readonly terminalPath: string;
  readonly cmdPath: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly directory: string;
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
    directory: wanted.directory,
    ...programOf(wanted, terminal, facts),
  };
}

// * Command lines that start a program in each terminal: fixed templates in which only paths and arguments vary. No script text is generated; what a template cannot pass on unchanged is refused. No Windows in here.

export interface Launch {
  readonly executable: string;
  readonly commandLine: string;
  /** Variables from which the template reads its program and arguments. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Characters that neither a program's parsing nor cmd treats specially. */
const PLAIN = /^[\w\-./\\:@+~#]+$/;

/**
 * One argument of a command line, by the rules with which Windows programs split them: quoted if needed, backslashes doubled before a quote.
 * Source: learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 */
function quoteArgument(text: string): string {
  return PLAIN.test(text) ? text : quoteAlways(text);
}

/** The same, always in quotes. */
function quoteAlways(text: string): string {
  return `"${text.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`;
}

/** A whole command line. */
export function joinArguments(args: readonly string[]): string {
  return args.map(quoteArgument).join(' ');
}

interface Danger {
  readonly pattern: RegExp;
  readonly what: string;
}

const CONTROL: Danger = { pattern: /\p{Cc}/u, what: 'a control character' };
const QUOTE: Danger = { pattern: /"/, what: 'a quotation mark' };
/** cmd interprets them again when a .cmd file passes its arguments on, even inside quotes. */
const CMD: readonly Danger[] = [CONTROL, QUOTE, { pattern: /[%!^&|<>]/, what: 'one of % ! ^ & | < >' }];
const POWERSHELL: readonly Danger[] = [CONTROL, QUOTE];

function refuse(terminal: TerminalProgram, part: string, what: string): never {
  throw new UiaHostError(
    'invalid_argument',
    `${part} contains ${what}, which ${terminal} would not pass on unchanged; nothing was started.`,
    {
      hint: 'Omit it, put it in a file that the program reads, or use another terminal.',
    },
  );
}

function assertSafe({ terminal, program, args, directory }: Choice, dangers: readonly Danger[]): void {
  const parts: ReadonlyArray<readonly [string, string]> = [
    ['The path of the program', program],
    ['The working directory', directory],
    ...args.map((arg, index) => [`Argument ${index + 1}`, arg] as const),
  ];
  for (const [name, text] of parts)
    for (const { pattern, what } of dangers) if (pattern.test(text)) refuse(terminal, name, what);
}

/** `cmd.exe /d /s /k "PROGRAM ARGUMENTS"`: /s makes cmd remove only the outer quotes, /d disables AutoRun. */
function cmdLaunch(input: Choice): Launch {
  assertSafe(input, CMD);
  if (input.directory.startsWith('\\\\')) refuse('cmd', 'The working directory', 'the name of a network computer');
  return {
    executable: input.terminalPath,
    commandLine: `${quoteAlways(input.terminalPath)} /d /s /k "${quoteAlways(input.program)}${tail(input.args)}"`,
  };
}

/** The unit separator, which no argument may contain. */
const SEPARATOR = '\u001f';
const PROGRAM_VARIABLE = 'uiahostProgram';
const ARGUMENTS_VARIABLE = 'uiahostArguments';

/**
 * The same command for every program: what differs is data, in two variables that are removed before the program starts.
 * The execution policy does not apply to commands.
 * Source: learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_powershell_exe
 */
const POWERSHELL_COMMAND =
  `$program = $env:${PROGRAM_VARIABLE}; $arguments = @(); if ($env:${ARGUMENTS_VARIABLE}) { $arguments = $env:${ARGUMENTS_VARIABLE} -split [char]31 }; ` +
  `Remove-Item Env:${PROGRAM_VARIABLE}, Env:${ARGUMENTS_VARIABLE} -ErrorAction SilentlyContinue; & $program @arguments`;

/**
 * `powershell.exe -NoExit -File SCRIPT ARGUMENTS` for a script: what follows -File is never parsed as PowerShell. Any other
 * program by POWERSHELL_COMMAND; arguments that Windows PowerShell would quote wrongly are refused.
 */
function powershellLaunch(input: Choice): Launch {
  assertSafe(input, /\.(?:cmd|bat)$/i.test(input.program) ? CMD : POWERSHELL);
  for (const [index, arg] of input.args.entries()) {
    if (arg === '') refuse('powershell', `Argument ${index + 1}`, 'nothing (an empty text)');
    if (/\s/.test(arg) && arg.endsWith('\\'))
      refuse('powershell', `Argument ${index + 1}`, 'a blank and ends with a backslash');
  }
  if (/\.ps1$/i.test(input.program))
    return {
      executable: input.terminalPath,
      commandLine: `${quoteAlways(input.terminalPath)} -NoExit -File ${quoteAlways(input.program)}${tail(input.args)}`,
    };
  return {
    executable: input.terminalPath,
    commandLine: `${quoteAlways(input.terminalPath)} -NoExit -Command ${quoteAlways(POWERSHELL_COMMAND)}`,
    variables: { [PROGRAM_VARIABLE]: input.program, [ARGUMENTS_VARIABLE]: input.args.join(SEPARATOR) },
  };
}

/**
 * `wt.exe -w new -d DIRECTORY -- cmd.exe /d /k PROGRAM ARGUMENTS`, in a new window, so that the grant does not include other
 * tabs. wt splits the line, joins it again with quotes around parts with blanks, and ends a command at `;`. cmd then keeps
 * the quotes only if the program's path alone has them.
 * Source: learn.microsoft.com/windows/terminal/command-line-arguments, learn.microsoft.com/windows-server/administration/windows-commands/cmd
 */
function wtLaunch(input: Choice): Launch {
  assertSafe(input, CMD);
  const spaced = /\s/.test(input.program);
  if (spaced && /[()@]/.test(input.program)) refuse('wt', 'The path of the program', 'blanks and one of ( ) @');
  for (const [index, arg] of input.args.entries()) {
    const name = `Argument ${index + 1}`;
    if (arg === '') refuse('wt', name, 'nothing (an empty text)');
    if (/[()@]/.test(arg) && spaced) refuse('wt', name, 'one of ( ) @ while the program’s path has blanks');
    if (/\s/.test(arg) && spaced) refuse('wt', name, 'a blank while the program’s path has one too');
    if (/\s/.test(arg) && arg.endsWith('\\')) refuse('wt', name, 'a blank and ends with a backslash');
  }
  const args = ['-w', 'new', '-d', input.directory, '--', input.cmdPath, '/d', '/k', input.program, ...input.args];
  return {
    executable: input.terminalPath,
    commandLine: `${quoteAlways(input.terminalPath)} ${joinArguments(args.map((arg) => arg.replaceAll(';', String.raw`\;`)))}`,
  };
}

const tail = (args: readonly string[]): string => (args.length === 0 ? '' : ` ${joinArguments(args)}`);

const LAUNCHES: Readonly<Record<TerminalProgram, (input: Choice) => Launch>> = {
  cmd: cmdLaunch,
  powershell: powershellLaunch,
  wt: wtLaunch,
};

/** The command line that starts a program in a terminal. Errors: invalid_argument for what its template cannot pass on unchanged. */
export const launchIn = (choice: Choice): Launch => LAUNCHES[choice.terminal](choice);

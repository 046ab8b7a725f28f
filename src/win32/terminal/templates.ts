/**
 * Command lines that start a program in each terminal: fixed templates in which only paths and arguments vary. No script text
 * is generated; what a template cannot pass on unchanged is refused. No Windows in here.
 */
import { UiaHostError } from '../../contract/errors.ts';
import type { TerminalProgram } from '../../desktop/terminal.ts';

export interface TemplateInput {
  /** Full path of the terminal's program. */
  readonly terminal: string;
  /** Full path of cmd.exe, by which Windows Terminal starts programs. */
  readonly cmd: string;
  /** Full path of what runs in it. */
  readonly program: string;
  readonly args: readonly string[];
  /** Full path. */
  readonly directory: string;
}

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

function assertSafe(
  terminal: TerminalProgram,
  dangers: readonly Danger[],
  { program, args, directory }: TemplateInput,
): void {
  const parts: ReadonlyArray<readonly [string, string]> = [
    ['The path of the program', program],
    ['The working directory', directory],
    ...args.map((arg, index) => [`Argument ${index + 1}`, arg] as const),
  ];
  for (const [name, text] of parts)
    for (const { pattern, what } of dangers) if (pattern.test(text)) refuse(terminal, name, what);
}

/** `cmd.exe /d /s /k "PROGRAM ARGUMENTS"`: /s makes cmd remove only the outer quotes, /d disables AutoRun. */
function cmdLaunch(input: TemplateInput): Launch {
  assertSafe('cmd', CMD, input);
  if (input.directory.startsWith('\\\\')) refuse('cmd', 'The working directory', 'the name of a network computer');
  return {
    executable: input.terminal,
    commandLine: `${quoteAlways(input.terminal)} /d /s /k "${quoteAlways(input.program)}${tail(input.args)}"`,
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
function powershellLaunch(input: TemplateInput): Launch {
  assertSafe('powershell', /\.(?:cmd|bat)$/i.test(input.program) ? CMD : POWERSHELL, input);
  for (const [index, arg] of input.args.entries()) {
    if (arg === '') refuse('powershell', `Argument ${index + 1}`, 'nothing (an empty text)');
    if (/\s/.test(arg) && arg.endsWith('\\'))
      refuse('powershell', `Argument ${index + 1}`, 'a blank and ends with a backslash');
  }
  if (/\.ps1$/i.test(input.program))
    return {
      executable: input.terminal,
      commandLine: `${quoteAlways(input.terminal)} -NoExit -File ${quoteAlways(input.program)}${tail(input.args)}`,
    };
  return {
    executable: input.terminal,
    commandLine: `${quoteAlways(input.terminal)} -NoExit -Command ${quoteAlways(POWERSHELL_COMMAND)}`,
    variables: { [PROGRAM_VARIABLE]: input.program, [ARGUMENTS_VARIABLE]: input.args.join(SEPARATOR) },
  };
}

/**
 * `wt.exe -w new -d DIRECTORY -- cmd.exe /d /k PROGRAM ARGUMENTS`, in a new window, so that the grant does not include other
 * tabs. wt splits the line, joins it again with quotes around parts with blanks, and ends a command at `;`. cmd then keeps
 * the quotes only if the program's path alone has them.
 * Source: learn.microsoft.com/windows/terminal/command-line-arguments, learn.microsoft.com/windows-server/administration/windows-commands/cmd
 */
function wtLaunch(input: TemplateInput): Launch {
  assertSafe('wt', CMD, input);
  const spaced = /\s/.test(input.program);
  if (spaced && /[()@]/.test(input.program)) refuse('wt', 'The path of the program', 'blanks and one of ( ) @');
  for (const [index, arg] of input.args.entries()) {
    const name = `Argument ${index + 1}`;
    if (arg === '') refuse('wt', name, 'nothing (an empty text)');
    if (/[()@]/.test(arg) && spaced) refuse('wt', name, 'one of ( ) @ while the program’s path has blanks');
    if (/\s/.test(arg) && spaced) refuse('wt', name, 'a blank while the program’s path has one too');
    if (/\s/.test(arg) && arg.endsWith('\\')) refuse('wt', name, 'a blank and ends with a backslash');
  }
  const args = ['-w', 'new', '-d', input.directory, '--', input.cmd, '/d', '/k', input.program, ...input.args];
  return {
    executable: input.terminal,
    commandLine: `${quoteAlways(input.terminal)} ${joinArguments(args.map((arg) => arg.replaceAll(';', String.raw`\;`)))}`,
  };
}

const tail = (args: readonly string[]): string => (args.length === 0 ? '' : ` ${joinArguments(args)}`);

const LAUNCHES: Readonly<Record<TerminalProgram, (input: TemplateInput) => Launch>> = {
  cmd: cmdLaunch,
  powershell: powershellLaunch,
  wt: wtLaunch,
};

/** The command line that starts a program in a terminal. Errors: invalid_argument for what its template cannot pass on unchanged. */
export function launchIn(terminal: TerminalProgram, input: TemplateInput): Launch {
  return LAUNCHES[terminal](input);
}

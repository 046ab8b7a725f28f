/** Which windows are terminals, and how to read and write them. No Windows in here. */
import { win32 as windowsPath } from 'node:path';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { CONSOLE_CLASSES, OTHER_TERMINAL_CLASSES, TERMINAL_CLASS } from '../../contract/terminal/terminals.ts';
import { quoted } from '../../contract/json/quoted.ts';

/** The hidden window that a console program in Windows Terminal sees as its own. */
export const PSEUDO_CONSOLE_CLASS = 'PseudoConsoleWindow';

const WINDOWS_CLASS = 'ConsoleWindowClass';
/** Terminals that draw themselves, by program: some share their class with other programs. */
const OTHER_PROGRAMS = new Set([
  'windowsterminal.exe',
  'mintty.exe',
  'putty.exe',
  'kitty.exe',
  'conemu.exe',
  'conemu64.exe',
  'wezterm-gui.exe',
  'alacritty.exe',
  'tabby.exe',
  'hyper.exe',
  'warp.exe',
  'ghostty.exe',
  'rio.exe',
  'securecrt.exe',
  'xshell.exe',
  'ttermpro.exe',
  'mobaxterm.exe',
]);

/**
 * `console`: drawn by the console host, read and written by the console functions. `other`: draws itself; the console
 * behind it is used if there is one, else UI Automation's text and posted keys.
 */
export type TerminalKind = 'console' | 'other';

/** Whether the console host draws the window. */
export const isClassicConsole = (record: BindingRecord): boolean => CONSOLE_CLASSES.has(record.className);

/** Whether a console with this window turns a Ctrl+C written into its input into a signal: Windows' own does not. */
export const makesSignalsOfInput = (consoleClass: string): boolean =>
  consoleClass !== WINDOWS_CLASS && consoleClass !== PSEUDO_CONSOLE_CLASS;

/** Windows Terminal reads keys only from the system's input queue: posted ones never arrive. */
export const ignoresPostedKeys = (record: BindingRecord): boolean => record.className === TERMINAL_CLASS;

/** Whether keys and text go into the console behind the window, never to the window: messages carry neither all characters nor the held keys. */
export const takesConsoleInput = (record: BindingRecord): boolean =>
  isClassicConsole(record) || ignoresPostedKeys(record);

/** How to use a bound terminal. Errors: unsupported if the window is not a terminal. */
export function terminalKind(record: BindingRecord): TerminalKind {
  if (isClassicConsole(record)) return 'console';
  const program = record.app.executable === null ? '' : windowsPath.basename(record.app.executable).toLowerCase();
  if (OTHER_TERMINAL_CLASSES.has(record.className) || OTHER_PROGRAMS.has(program)) return 'other';
  throw new UiaHostError(
    'unsupported',
    `The bound window ${quoted(record.title)} (class ${quoted(record.className)}) is not a terminal; nothing was read or typed.`,
    {
      hint: 'Bind a console or terminal window; for other windows use type, key, or element actions.',
    },
  );
}

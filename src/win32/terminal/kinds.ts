/** Which windows are terminals, and how they are spoken to. No Windows in here. */
import { win32 as windowsPath } from 'node:path';
import type { BindingRecord } from '../../contract/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';

/** Windows Terminal. */
export const TERMINAL_CLASS = 'CASCADIA_HOSTING_WINDOW_CLASS';
/** The hidden window that a console program in Windows Terminal gets to see as its own. */
export const PSEUDO_CONSOLE_CLASS = 'PseudoConsoleWindow';

/** Drawn by the console host itself; the second is Wine's. */
const WINDOWS_CLASS = 'ConsoleWindowClass';
const CLASSIC = new Set([WINDOWS_CLASS, 'WineConsoleClass']);
/** Terminals that draw themselves, by window class and by program: some share their class with other programs. */
const OTHER_CLASSES = new Set([TERMINAL_CLASS, 'mintty', 'PuTTY', 'KiTTY', 'VirtualConsoleClass', 'org.wezfurlong.wezterm']);
const OTHER_PROGRAMS = new Set([
  'windowsterminal.exe', 'mintty.exe', 'putty.exe', 'kitty.exe', 'conemu.exe', 'conemu64.exe', 'wezterm-gui.exe', 'alacritty.exe', 'tabby.exe', 'hyper.exe', 'warp.exe',
  'ghostty.exe', 'rio.exe', 'securecrt.exe', 'xshell.exe', 'ttermpro.exe', 'mobaxterm.exe',
]);

/** `console`: its screen and input are read and written through the console's own functions; `other`: UI Automation text and keys. */
export type TerminalKind = 'console' | 'other';

/** Whether the window is drawn by the console host itself. */
export const isClassicConsole = (record: BindingRecord): boolean => CLASSIC.has(record.className);

/** Whether the console makes a signal of a Ctrl+C that a program writes into its input: Windows' own does not. */
export const makesSignalsOfInput = (record: BindingRecord): boolean => record.className !== WINDOWS_CLASS;

/** How a bound terminal is spoken to. Errors: unsupported where the window is no terminal. */
export function terminalKind(record: BindingRecord): TerminalKind {
  if (isClassicConsole(record)) return 'console';
  const program = record.app.executable === null ? '' : windowsPath.basename(record.app.executable).toLowerCase();
  if (OTHER_CLASSES.has(record.className) || OTHER_PROGRAMS.has(program)) return 'other';
  throw new UiaHostError('unsupported', `The bound window “${record.title}” (class ${record.className}) is no terminal; nothing was read or typed.`, {
    hint: 'Bind a console or terminal window; for other windows use type, key, or element actions.',
  });
}

/** Which windows are terminals, by their class. */

/** Windows Terminal. */
export const TERMINAL_CLASS = 'CASCADIA_HOSTING_WINDOW_CLASS';

/** Drawn by the console host itself; the second is Wine's. */
export const CONSOLE_CLASSES: ReadonlySet<string> = new Set(['ConsoleWindowClass', 'WineConsoleClass']);

/** Terminals that draw themselves. */
export const OTHER_TERMINAL_CLASSES: ReadonlySet<string> = new Set([
  TERMINAL_CLASS,
  'mintty',
  'PuTTY',
  'KiTTY',
  'VirtualConsoleClass',
  'org.wezfurlong.wezterm',
]);

/** Whether windows of this class are terminals, which take keys themselves, whatever child windows they have. */
export const isTerminalClass = (className: string): boolean =>
  CONSOLE_CLASSES.has(className) || OTHER_TERMINAL_CLASSES.has(className);

/** Requirements of windows and displays. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#windows, beyond the Windows layer's own list. */
export const windows: readonly Requirement[] = [
  { id: 'manage.rect', text: 'get_rect reports the window’s rectangle.', source: 'behaviour#windows' },
  { id: 'manage.focus', text: 'focus brings the window to the foreground, verified.', source: 'behaviour#windows' },
  {
    id: 'manage.win32',
    text: 'Windows are managed by Win32 calls only: no global shortcut, and no Alt key.',
    source: 'behaviour#windows',
  },
  {
    id: 'app.icon-on-request',
    text: 'listInstalledApps has iconDataUrl on request.',
    source: 'behaviour#applications',
  },
  { id: 'terminal.default', text: 'terminal defaults to wt where installed, else cmd.', source: 'behaviour#terminals' },
  {
    id: 'terminal.path',
    text: 'claude, codex and gemini are looked up on PATH with PATHEXT.',
    source: 'behaviour#terminals',
  },
  {
    id: 'terminal.arguments',
    text: 'command with a named agent is further arguments for it.',
    source: 'behaviour#terminals',
  },
  {
    id: 'terminal.custom',
    text: 'custom needs command, split as CommandLineToArgvW does.',
    source: 'behaviour#terminals',
  },
  { id: 'terminal.templates', text: 'Agents start by fixed templates only.', source: 'behaviour#terminals' },
  {
    id: 'terminal.unsafe-arguments',
    text: 'Arguments that a template cannot carry safely are refused.',
    source: 'behaviour#terminals',
  },
  {
    id: 'terminal.missing',
    text: 'A missing terminal or agent is launch_failed, and the error names it.',
    source: 'behaviour#terminals',
  },
  { id: 'terminal.directory', text: 'The working directory of a terminal must exist.', source: 'behaviour#terminals' },
  {
    id: 'terminal.launched',
    text: 'launched is true where the process still lives after its settling time.',
    source: 'behaviour#terminals',
  },
  {
    id: 'terminal.window',
    text: 'The window of a launched terminal is found by process, not by title.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompt.console',
    text: 'Classic console: attach in a helper, write key events, read the screen before and after.',
    source: 'behaviour#terminals',
  },
  {
    id: 'terminal.powershell',
    text: 'PowerShell starts a script by -File where its execution policy runs scripts.',
    source: 'behaviour#terminals',
  },
  {
    id: 'terminal.powershell-data',
    text: 'PowerShell starts every other program by one fixed command that gets program and arguments as data.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompt.terminal',
    text: 'A terminal is read by its UIA text, and answered through the console behind the tab in front.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompt.terminal-unsupported',
    text: 'A window that is not a terminal is unsupported.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompt.terminal-console',
    text: 'The console behind a terminal is the one whose screen its text shows.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompt.terminal-posted',
    text: 'Keys are posted only to a terminal without a console behind it.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompt.yes-no',
    text: 'yes and no send the prompt’s own letters where it shows them, else y or n, then Enter.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompt.menu',
    text: 'yes and no in a menu move its mark to the choice, and Enter follows only once the mark is there.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompt.letter-alone',
    text: 'Enter does not follow a letter that the program took by itself.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompt.in-turn',
    text: 'Each key of an answer is written once the program has read the one before.',
    source: 'behaviour#terminals',
  },
  {
    id: 'terminal.sequences',
    text: 'Escape sequences that a console does not interpret are left out when it is read, never passed on as text.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompts.shown',
    text: 'Permission prompts of agents’ command lines and lists of letters are recognised on the screen.',
    source: 'behaviour#the-gate',
  },
  { id: 'command.line', text: 'The line that Enter sends off is read from the console.', source: 'behaviour#the-gate' },
  {
    id: 'command.wrapped',
    text: 'Console rows over which one line wraps belong together.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'prompt.select',
    text: 'select sends 0 to 50 arrows, down by default, then Enter.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompt.type',
    text: 'type sends its text, which may not be empty, then Enter.',
    source: 'behaviour#terminals',
  },
  { id: 'prompt.rows', text: 'The screen after an answer is in the outcome once.', source: 'behaviour#terminals' },
  {
    id: 'prompt.evidence',
    text: 'The evidence of an answer is the rows of the screen that changed.',
    source: 'behaviour#terminals',
  },
  { id: 'prompt.outcome', text: 'The outcome has prompt and screen after.', source: 'behaviour#terminals' },
  {
    id: 'terminal.styles',
    text: 'read-terminal answers on request what is drawn in another colour or style than the rest.',
    source: 'behaviour#terminals',
  },
  { id: 'terminal.read', text: 'read-terminal answers the visible screen.', source: 'behaviour#terminals' },
  {
    id: 'terminal.read-back',
    text: 'read-terminal answers what has scrolled out of the screen, where there is a scroll-back.',
    source: 'behaviour#terminals',
  },
  {
    id: 'terminal.read-exit',
    text: 'read-terminal answers the exit status of a command that the host started, and of no other.',
    source: 'behaviour#terminals',
  },
  {
    id: 'indicator.strip',
    text: 'statusIndicator draws a click-through strip on the bound window.',
    source: 'behaviour#indicator',
  },
  { id: 'indicator.marked', text: 'The strip quotes a message as the agent’s words.', source: 'behaviour#indicator' },
  { id: 'indicator.clipped', text: 'The strip never reaches beyond its window.', source: 'behaviour#indicator' },
  {
    id: 'indicator.message',
    text: 'show draws the message, at most 120 characters long.',
    source: 'behaviour#indicator',
  },
  {
    id: 'indicator.message-clean',
    text: 'Control characters of the message are not drawn.',
    source: 'behaviour#indicator',
  },
  { id: 'indicator.follows', text: 'The strip follows its window.', source: 'behaviour#indicator' },
  {
    id: 'indicator.truth',
    text: 'active and the message in an answer are what is drawn.',
    source: 'behaviour#indicator',
  },
  { id: 'indicator.hide', text: 'hide removes the strip.', source: 'behaviour#indicator' },
  { id: 'indicator.again', text: 'show works again after hide.', source: 'behaviour#indicator' },
];

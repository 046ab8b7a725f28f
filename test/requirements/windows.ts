/** Requirements of windows and displays. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#windows, beyond the Windows layer's own list. */
export const windows: readonly Requirement[] = [
  { id: 'manage.rect', text: 'get_rect reports the window’s rectangle.', source: 'behaviour#windows' },
  { id: 'manage.focus', text: 'focus brings the window to the foreground, verified.', source: 'behaviour#windows' },
  {
    id: 'manage.win32',
    text: 'Win32 calls only, never a global shortcut; no tricks with Alt.',
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
    text: 'claude, codex, gemini are looked up on PATH with PATHEXT; command with a named agent = further arguments.',
    source: 'behaviour#terminals',
  },
  {
    id: 'terminal.custom',
    text: 'custom needs command, split as CommandLineToArgvW does.',
    source: 'behaviour#terminals',
  },
  {
    id: 'terminal.templates',
    text: 'Agents start by fixed templates only; arguments that the template cannot carry safely are refused.',
    source: 'behaviour#terminals',
  },
  {
    id: 'terminal.missing',
    text: 'A missing terminal or agent is launch_failed naming it; the directory must exist.',
    source: 'behaviour#terminals',
  },
  {
    id: 'terminal.launched',
    text: 'launched = the process lives after its settling time; its window is found by process, not title.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompt.console',
    text: 'Classic console: attach in a helper, write key events, read the screen before and after.',
    source: 'behaviour#terminals',
  },
  {
    id: 'terminal.powershell',
    text: 'PowerShell starts any program: a script by -File where its execution policy runs scripts, everything else by one fixed command that gets program and arguments as data.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompt.terminal',
    text: 'Windows Terminal and others: UIA text, and keys written into the console behind the tab in front; posted keys only where a terminal takes them.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompt.yes-no',
    text: 'yes and no = the prompt’s own letters where it shows them, else y, n; then Enter.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompts.shown',
    text: 'Permission prompts of agents’ command lines and lists of letters are recognised on the screen.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'command.line',
    text: 'The line that Enter sends off is read from the console; rows that ran over belong together.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'prompt.select',
    text: 'select = arrows (default down, 0..50) then Enter; type = text then Enter, empty refused.',
    source: 'behaviour#terminals',
  },
  {
    id: 'prompt.rows',
    text: 'The screen after an answer stands in the outcome once; the evidence is the rows that changed.',
    source: 'behaviour#terminals',
  },
  { id: 'prompt.outcome', text: 'The outcome has prompt and screen after.', source: 'behaviour#terminals' },
  {
    id: 'terminal.read',
    text: 'read-terminal: visible screen, scroll-back where there is one, exit status of a command that the host started.',
    source: 'behaviour#terminals',
  },
  {
    id: 'indicator.strip',
    text: 'statusIndicator: a click-through strip on the bound window that follows it; show draws the message (control characters out, ≤ 120).',
    source: 'behaviour#indicator',
  },
  {
    id: 'indicator.truth',
    text: 'status tells, hide removes; the answer repeats what is drawn; active is the truth; hide then show works.',
    source: 'behaviour#indicator',
  },
];

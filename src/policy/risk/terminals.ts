/** Windows in which a line is a command: terminals and consoles of every kind, and developer tools that contain one. */
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import { isTerminalClass } from '../../contract/terminal/terminals.ts';
import { kindOf } from './app-kind.ts';

/** System dialogs, including a terminal's. */
export const DIALOG_CLASS = '#32770';

/** A console can show any program, so the window counts, not only its application. */
export function isTerminal(app: AppIdentity | null, binding: BindingRecord | null): boolean {
  if (binding !== null && isTerminalClass(binding.className)) return true;
  return kindOf(app) === 'terminal' && binding?.className !== DIALOG_CLASS;
}

export function hasTerminal(app: AppIdentity | null, binding: BindingRecord | null): boolean {
  return isTerminal(app, binding) || kindOf(app) === 'ide';
}

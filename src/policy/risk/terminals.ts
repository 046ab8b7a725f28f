/** Windows in which a line is a command: terminals and consoles of every kind, and programs for developers, which have one in them. */
import type { AppIdentity, BindingRecord } from '../../contract/binding.ts';
import { isTerminalClass } from '../../contract/terminals.ts';
import { kindOf } from './app-kind.ts';

/** The system's dialogs, also those of a terminal. */
export const DIALOG_CLASS = '#32770';

/** A console shows any program, so that its window counts and not only whose it is. */
export function isTerminal(app: AppIdentity | null, binding: BindingRecord | null): boolean {
  if (binding !== null && isTerminalClass(binding.className)) return true;
  return kindOf(app) === 'terminal' && binding?.className !== DIALOG_CLASS;
}

export function hasTerminal(app: AppIdentity | null, binding: BindingRecord | null): boolean {
  return isTerminal(app, binding) || kindOf(app) === 'ide';
}

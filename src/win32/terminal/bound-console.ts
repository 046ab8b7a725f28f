/** The console behind a bound window, as other topics use it. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { CallContext } from '../../desktop/call.ts';
import type { ConsoleKey, ConsoleLook, ConsolePressed } from './console-protocol.ts';

export interface BoundConsole {
  /** Reads the screen; null if the window is not a console, or cannot be read within the call's deadline. */
  look(record: BindingRecord, call: CallContext): Promise<ConsoleLook | null>;
  /**
   * Presses a key combination, with the held modifiers in each key's state; null if the window is not a console, and
   * nothing was pressed. `layout` as in `GetKeyboardLayout`. Errors: those of a console that cannot be reached.
   */
  press(
    record: BindingRecord,
    keys: readonly ConsoleKey[],
    layout: number,
    call: CallContext,
  ): Promise<ConsolePressed | null>;
  /** Writes text into the console of a bound window; false for every other window, and nothing was written. */
  type(record: BindingRecord, text: string, call: CallContext): Promise<boolean>;
}

/** For hosts without consoles. */
export const noConsole: BoundConsole = { look: async () => null, press: async () => null, type: async () => false };

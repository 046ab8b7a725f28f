/** What other topics do with the console that is behind a bound window. */
import type { BindingRecord } from '../../contract/binding.ts';
import type { CallContext } from '../../desktop/call.ts';
import type { ConsoleKey, ConsoleLook, ConsolePressed } from './console-protocol.ts';

export interface BoundConsole {
  /** Looks at the screen; null where the window is no console, or where it cannot be read within the call's deadline. */
  look(record: BindingRecord, call: CallContext): Promise<ConsoleLook | null>;
  /**
   * Presses keys together, what is held among their data; null where the window is none, or none that can be reached, and
   * then nothing was pressed. `layout` as in `GetKeyboardLayout`.
   */
  press(
    record: BindingRecord,
    keys: readonly ConsoleKey[],
    layout: number,
    call: CallContext,
  ): Promise<ConsolePressed | null>;
  /** Writes text into the console of a bound terminal whose window takes no posted characters; false for every other window, and then nothing was written. */
  type(record: BindingRecord, text: string, call: CallContext): Promise<boolean>;
}

/** Where no window is a console. */
export const noConsole: BoundConsole = { look: async () => null, press: async () => null, type: async () => false };

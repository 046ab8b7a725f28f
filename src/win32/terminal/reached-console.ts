/** A console that can be reached, whatever window shows it: its screen, and keys written into its input. */
import type { BindingRecord } from '../../contract/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/quoted.ts';
import type { CallContext } from '../../desktop/call.ts';
import { throwIfAborted } from '../windows/waiting.ts';
import { windowClass } from '../windows/describe.ts';
import type { ConsoleHelper, ConsoleUnreachable } from './console-helper.ts';
import type { ConsoleKey, ConsoleLook, ConsolePlace, ConsolePressed, ConsoleScreen } from './console-protocol.ts';
import { chunksOf, type Stroke } from './key-strokes.ts';
import { makesSignalsOfInput } from '../windows/terminal-kinds.ts';

/** Does something in the console; `isUnderWay`: keys have gone in already. Errors: those of the methods below. */
export type Reach = <T>(
  call: CallContext,
  work: (place: ConsolePlace) => Promise<T>,
  isUnderWay?: boolean,
) => Promise<T>;

export class ReachedConsole {
  readonly #helper: ConsoleHelper;
  readonly #reach: Reach;

  constructor(helper: ConsoleHelper, reach: Reach) {
    this.#helper = helper;
    this.#reach = reach;
  }

  /** Visible rows, cursor, and the rows above where they are asked for. Errors: window_gone, window_hung, state_conflict. */
  async read(scrollback: boolean, call: CallContext): Promise<ConsoleScreen> {
    return this.#reach(call, (place) => this.#helper.ask({ op: 'read', ...place, scrollback }, call));
  }

  /** The visible rows, and what the program has not read yet. Errors: those of `read`. */
  async look(call: CallContext): Promise<ConsoleLook> {
    return this.#reach(call, (place) => this.#helper.ask({ op: 'look', ...place }, call));
  }

  /** Writes key events into the console's input; looks between parts whether to stop. Errors: those of `read`, cancelled. */
  async write(strokes: readonly Stroke[], call: CallContext): Promise<void> {
    let written = 0;
    for (const chunk of chunksOf(strokes)) {
      throwIfAborted(call, written > 0 ? 'delivered' : 'not_delivered');
      // After the first part the console is known: a search in the middle would hide that it has gone.
      const answer = await this.#reach(
        call,
        (place) => this.#helper.ask({ op: 'write', ...place, strokes: chunk }, call),
        written > 0,
      );
      written += answer.written;
      if (answer.written < chunk.length) {
        throw new UiaHostError('state_conflict', `The console took ${written} of ${strokes.length} keys.`, {
          delivery: written > 0 ? 'delivered' : 'not_delivered',
        });
      }
    }
  }

  /** Presses keys together in the console; see ConsoleKey. Errors: those of `read`. */
  async press(keys: readonly ConsoleKey[], layout: number, call: CallContext): Promise<ConsolePressed> {
    return this.#reach(call, (place) =>
      this.#helper.ask(
        { op: 'press', ...place, keys, layout, isSignalMade: makesSignalsOfInput(windowClass(place.hwnd)) },
        call,
      ),
    );
  }
}

/** What a console that could not be reached means for its window. */
export function unreachable(record: BindingRecord, error: ConsoleUnreachable, isUnderWay: boolean): UiaHostError {
  const delivery = isUnderWay ? 'delivered' : 'not_delivered';
  if (error.problem === 'failed') {
    return new UiaHostError(
      'state_conflict',
      `Windows does not give access to the console of ${quoted(record.title)} (error ${error.code}).`,
      {
        delivery,
        hint: 'A console of another user or with higher rights cannot be joined.',
      },
    );
  }
  return new UiaHostError(
    'window_gone',
    `No program is left in the console ${quoted(record.title)} (${record.hwnd}) that could be asked.`,
    { delivery },
  );
}

/** Modifier keys that are down while the pointer acts: as real keys, as flags of mouse messages, or in the key state of the program. */
import { UiaHostError } from '../../contract/errors.ts';
import { parseChord, type Chord } from '../../contract/keys/keys.ts';
import type { CallContext } from '../../desktop/index.ts';
import { quietMoment } from '../windows/person.ts';
import { pause, type Deadline } from '../windows/waiting.ts';
import { isInFront, PERSON_QUIET_MS, withKeyState } from './temporary-focus.ts';
import type { KeyEvent } from '../exits/input.ts';
import { heldForeground, pressForeground } from './keyboard-foreground.ts';
import { modifierFlags } from './mouse-posted.ts';
import type { MouseTarget } from './mouse-target.ts';
import { resolveAll } from '../windows/key-codes.ts';

/** For programs that ask for the keys of the moment at a drop (GetAsyncKeyState): as long as a quick hand holds them. */
const AFTERWARDS_MS = 30;

export class HeldModifiers {
  readonly #keys: Chord;
  readonly #names: readonly string[];
  /** MK_ flags: Ctrl and Shift. */
  readonly flags: number;

  /**
   * `isWhole`: a button goes down and up meanwhile; else the release of Alt opens the menu, and that of the Windows key Start.
   * Errors: invalid_argument for other keys; unsupported for Alt and the Windows key without that. Nothing was sent.
   */
  constructor(names: readonly string[], isWhole: boolean) {
    this.#keys = names.map((name) => parseChord(name)[0]!);
    if (this.#keys.some((key) => key.modifier === null))
      throw new UiaHostError(
        'invalid_argument',
        '`modifiers` accepts only ctrl, shift, alt and win; nothing was sent.',
      );
    this.#names = this.#keys.map((key) => key.modifier ?? '');
    this.flags = modifierFlags(this.#names);
    if (!isWhole && this.#names.some((name) => name === 'alt' || name === 'win'))
      throw new UiaHostError(
        'unsupported',
        'Only Ctrl and Shift can be held here: outside a whole click or drag, the release of Alt or of the Windows key opens a menu. Nothing was sent.',
        { hint: 'Leave the key out, or hold it during a click or a drag.' },
      );
  }

  get isNone(): boolean {
    return this.#keys.length === 0;
  }

  /** The program asks the key state for Alt, which needs a moment without the person’s input. */
  get needsState(): boolean {
    return this.#names.includes('alt');
  }

  /** Real keys, which `send` presses with its first events, and which are released whatever happens. */
  async whileReal(send: (keys: readonly KeyEvent[]) => void | Promise<void>, call: CallContext): Promise<void> {
    if (this.isNone) return send([]);
    const keys = heldForeground(this.#keys);
    try {
      await send(keys);
      await pause(AFTERWARDS_MS, call, 'delivered').catch(() => {});
    } finally {
      pressForeground(null, this.#keys, 'up');
    }
  }

  /** `post` sends messages with the flags; Alt is in the key state of the program until they are handled. */
  async whilePosted(target: MouseTarget, post: () => void | Promise<void>, call: CallContext): Promise<void> {
    if (this.needsState) await withKeyState(target, resolveAll(this.#keys, target), [post], call);
    else await post();
  }

  /**
   * Waits for the moment that the key state needs.
   * Errors: unsupported for modifiers that cannot be carried to a window in the background; user_active.
   */
  async assertCarried(target: MouseTarget, bound: number, deadline: Deadline): Promise<void> {
    this.#assertCarriedNow(target, bound);
    if (!this.needsState) return;
    await quietMoment(PERSON_QUIET_MS, deadline);
    this.#assertCarriedNow(target, bound);
  }

  #assertCarriedNow(target: MouseTarget, bound: number): void {
    if (this.#names.includes('win')) {
      throw new UiaHostError(
        'unsupported',
        'The Windows key belongs to the system: neither mouse messages nor the key state carry it to a program in the background. Nothing was sent.',
        { hint: 'Leave it out, or use delivery: "foreground".' },
      );
    }
    if (this.needsState && isInFront(target, bound)) {
      throw new UiaHostError(
        'unsupported',
        'Alt with a click is carried by the key state, which belongs to the person while the program is in front; nothing was sent.',
        { hint: 'Use delivery: "foreground", which clicks and presses for real.' },
      );
    }
  }
}

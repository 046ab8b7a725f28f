/**
 * Calls into a program that may not return while it shows a modal dialog. They run on another thread, one at a time per
 * window, and the action that started one answers without waiting for it to finish.
 */
import { UiaHostError } from '../../../contract/errors.ts';
import { quoted } from '../../../contract/json/quoted.ts';
import { ANSWER_RESERVE_MS, pause } from '../../windows/waiting.ts';
import type { Deadline } from '../../windows/waiting.ts';
import type { CallContext } from '../../../desktop/index.ts';

/** How often (ms) a pending call is checked for a dialog. */
const DIALOG_POLL_MS = 10;

export type Ended =
  | { readonly kind: 'returned'; readonly hresult: number }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'pending' };

export class PendingCalls {
  readonly #running = new Map<number, string>();

  /** Errors: state_conflict while an earlier call of this window has not returned. */
  require(root: number, description: string): void {
    const running = this.#running.get(root);
    if (running === undefined) return;
    throw new UiaHostError(
      'state_conflict',
      `${description} was not used: the program has not returned from ${quoted(running)} yet. It may have a dialog open.`,
      {
        hint: 'Answer the dialog first; list-visible-windows shows it.',
      },
    );
  }

  /**
   * Waits until the call ends, until something shows that it will not (a dialog), or until the deadline.
   * @param isEnough polled; true stops the wait
   */
  async run(
    { root, description }: { readonly root: number; readonly description: string },
    started: Promise<number>,
    isEnough: () => boolean,
    deadline: Deadline,
    call: CallContext,
  ): Promise<Ended> {
    let ended: Ended = { kind: 'pending' };
    this.#running.set(root, description);
    const done = started
      .then(
        (hresult) => {
          ended = { kind: 'returned', hresult };
        },
        (error: unknown) => {
          ended = { kind: 'failed', error };
        },
      )
      .finally(() => {
        this.#running.delete(root);
      });
    const current = (): Ended => ended;
    while (current().kind === 'pending' && deadline.remaining(ANSWER_RESERVE_MS) > 0 && !isEnough()) {
      await Promise.race([done, pause(DIALOG_POLL_MS, call, 'unknown')]);
    }
    return current();
  }
}

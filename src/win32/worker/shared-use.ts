/** The turn of what all workers share: the clipboard, and real keyboard and mouse. */
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/index.ts';

interface Waiting {
  readonly worker: object;
  readonly enter: () => void;
}

/**
 * Calls of one worker use it together, as they would with one worker only; another worker's wait until those have ended.
 */
export class SharedUse {
  readonly #name: string;
  #user: object | null = null;
  #uses = 0;
  #line: Waiting[] = [];

  /** `name`: for the error. */
  constructor(name: string) {
    this.#name = name;
  }

  /**
   * Waits for the turn of a worker; the result ends this use.
   * Errors: deadline_exceeded if it does not come in time, the signal's reason on an abort; nothing was delivered.
   */
  async take(worker: object, call: CallContext): Promise<() => void> {
    if (this.#user !== null && this.#user !== worker) await this.#wait(worker, call);
    else this.#enter(worker);
    let isOver = false;
    return () => {
      if (!isOver) this.#leave();
      isOver = true;
    };
  }

  #enter(worker: object): void {
    this.#user = worker;
    this.#uses += 1;
  }

  #leave(): void {
    this.#uses -= 1;
    if (this.#uses > 0) return;
    const [next] = this.#line;
    this.#user = null;
    if (next === undefined) return;
    // All calls of the worker whose turn it is: they would not wait for each other.
    const entering = this.#line.filter(({ worker }) => worker === next.worker);
    this.#line = this.#line.filter(({ worker }) => worker !== next.worker);
    for (const { worker, enter } of entering) {
      this.#enter(worker);
      enter();
    }
  }

  #wait(worker: object, call: CallContext): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = {
      worker,
      enter() {
        clean();
        resolve();
      },
    };
    const giveUp = (error: unknown): void => {
      clean();
      this.#line = this.#line.filter((each) => each !== waiting);
      reject(error);
    };
    const onAbort = (): void => giveUp(call.signal.reason);
    const { deadlineMs } = call;
    const timer = setTimeout(
      () =>
        giveUp(
          new UiaHostError(
            'deadline_exceeded',
            `Actions on other programs used ${this.#name} for the whole deadline of ${deadlineMs} ms; nothing was sent.`,
          ),
        ),
      deadlineMs,
    );
    const clean = (): void => {
      clearTimeout(timer);
      call.signal.removeEventListener('abort', onAbort);
    };
    call.signal.addEventListener('abort', onAbort, { once: true });
    this.#line.push(waiting);
    return promise;
  }
}

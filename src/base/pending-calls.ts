/** Calls that were sent over a channel to another process or thread and wait for their answers there. */

interface Waiting<About> {
  readonly about: About;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly finish: () => void;
}

/** How long to wait for an answer, and what else can end the wait. */
export interface CallOptions {
  /** Milliseconds; without it the call waits until it is answered or failed. */
  readonly withinMs?: number;
  /** The time is over and the call has left the list: returns the error that it fails with. */
  late?(): unknown;
  readonly signal?: AbortSignal;
  /** The signal was aborted: pass this to the other side, which answers. */
  onAbort?(id: number): void;
}

/** `About` is what the owner must know about a call to fail it. */
export class PendingCalls<About = undefined> {
  readonly #waiting = new Map<number, Waiting<About>>();
  #lastId = 0;

  get size(): number {
    return this.#waiting.size;
  }

  /** Adds a call to the list: returns its number for the message, and the promise of its answer. */
  open(about: About, options: CallOptions = {}): { readonly id: number; readonly answer: Promise<unknown> } {
    const id = ++this.#lastId;
    const { signal } = options;
    const onAbort = (): void => options.onAbort?.(id);
    signal?.addEventListener('abort', onAbort, { once: true });
    const answer = new Promise<unknown>((resolve, reject) => {
      const timer =
        options.withinMs === undefined
          ? undefined
          : setTimeout(() => {
              this.#take(id)?.reject(
                options.late?.() ?? new Error(`Call ${id} was not answered within ${options.withinMs} ms.`),
              );
            }, options.withinMs);
      const finish = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      this.#waiting.set(id, { about, resolve, reject, finish });
    });
    return { id, answer };
  }

  /** An answer came. An answer that no caller waits for any longer is dropped. */
  answered(id: number, value: unknown): void {
    this.#take(id)?.resolve(value);
  }

  failed(id: number, error: unknown): void {
    this.#take(id)?.reject(error);
  }

  /** The other side has ended: each call fails with its own error. */
  failAll(errorFor: (about: About) => unknown): void {
    for (const [id, { about }] of this.#waiting) this.failed(id, errorFor(about));
  }

  #take(id: number): Waiting<About> | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.finish();
    return waiting;
  }
}

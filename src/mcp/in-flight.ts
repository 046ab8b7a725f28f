/**
 * Calls under way, so that a `notifications/cancelled` finds its call although every request of the 2025 revision comes as a
 * request of its own. Request ids are the client's (0, 1, 2, …) and repeat between clients, so the token, the session name and
 * the mark that this server gave at `initialize` belong to the key. A cancellation that fits no call, or two, does nothing:
 * it never hits somebody else's.
 */
export class InFlight {
  readonly #calls = new Map<string, Set<AbortController>>();

  /** Registers a call; `end` when it is answered. */
  begin(key: string): { readonly signal: AbortSignal; end(): void } {
    const controller = new AbortController();
    const calls = this.#calls.get(key) ?? new Set();
    calls.add(controller);
    this.#calls.set(key, calls);
    return {
      signal: controller.signal,
      end: () => {
        calls.delete(controller);
        if (calls.size === 0 && this.#calls.get(key) === calls) this.#calls.delete(key);
      },
    };
  }

  cancel(key: string, reason: unknown): void {
    const calls = this.#calls.get(key);
    if (calls?.size !== 1) return;
    for (const call of calls) call.abort(reason);
  }
}

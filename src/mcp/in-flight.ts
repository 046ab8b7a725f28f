// Finds the call that an MCP cancellation refers to.

/**
 * Calls in flight, so that `notifications/cancelled` finds its call although each message of the 2025 revision is a separate
 * HTTP request. Request ids are the client's (0, 1, 2, …) and repeat between clients, so the key includes the token, the
 * session name and the mark that `initialize` answered. A cancellation that matches no call, or two, does nothing: it never
 * cancels another client's call.
 */
export class InFlight {
  readonly #calls = new Map<string, Set<AbortController>>();

  /** Registers a call; `end` it when it is answered. */
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

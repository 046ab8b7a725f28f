/** What was opened, to be closed in the opposite order; one failure does not keep the rest from closing. */
export class Undo {
  readonly #steps: Array<() => Promise<void> | void> = [];
  #running: Promise<void> | undefined;

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step);
  }

  /** Runs every step once, however often it is called. */
  run(onError: (error: unknown) => void): Promise<void> {
    return (this.#running ??= (async () => {
      for (const step of this.#steps.reverse()) {
        try {
          await step();
        } catch (error) {
          onError(error);
        }
      }
    })());
  }
}

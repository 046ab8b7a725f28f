/** References that are released together: for a walk that meets many elements and keeps few. */

/**
 *     using scope = new ComScope();
 *     const child = scope.own(walker.GetFirstChildElement(element));
 *     return scope.keep(child);       // survives the scope, and belongs to the caller
 */
export class ComScope implements Disposable {
  readonly #owned = new Set<Disposable>();

  /** Disposes of it with the scope. Null passes through. */
  own<T extends Disposable | null>(ref: T): T {
    if (ref !== null) this.#owned.add(ref);
    return ref;
  }

  /** Takes it out of the scope. */
  keep<T extends Disposable | null>(ref: T): T {
    if (ref !== null) this.#owned.delete(ref);
    return ref;
  }

  /** Disposes of it now. */
  drop(ref: Disposable | null): void {
    if (ref !== null && this.#owned.delete(ref)) ref[Symbol.dispose]();
  }

  get size(): number {
    return this.#owned.size;
  }

  /** Newest first. A release that throws does not prevent the others. */
  [Symbol.dispose](): void {
    const owned = [...this.#owned].reverse();
    this.#owned.clear();
    const errors: unknown[] = [];
    for (const ref of owned) {
      try {
        ref[Symbol.dispose]();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0)
      throw errors.length === 1
        ? errors[0]
        : new AggregateError(errors, `${errors.length} references could not be released.`);
  }
}

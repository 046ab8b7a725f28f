/** Closes what a process has opened: in reverse order, once, and completely even if a part fails. */

/**
 * A function that disposes of the stack. Every call answers the same promise, which never rejects: each failure goes to
 * `onError`, in the order in which they happened.
 */
export function closing(opened: AsyncDisposableStack, onError: (error: unknown) => void): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () =>
    (closed ??= opened.disposeAsync().catch((error: unknown) => {
      for (const failure of failuresIn(error)) onError(failure);
    }));
}

/** A stack reports several failures as nested errors. */
const failuresIn = (error: unknown): unknown[] =>
  error instanceof SuppressedError ? [...failuresIn(error.suppressed), error.error] : [error];

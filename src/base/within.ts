/** A time limit for a promise. */

/** The promise's value; fails with the error of `late` if it takes longer than `ms`. */
export async function within<T>(promise: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeIsUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([promise, timeIsUp]);
  } finally {
    clearTimeout(timer);
  }
}

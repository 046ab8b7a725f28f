/** A time limit for a promise, and the clock of deadlines that pass from one process to another. */

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

/** Milliseconds since some moment before the machine's processes began: a clock that all of them share and that is never set. */
export const machineMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;

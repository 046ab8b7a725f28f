/** The only loop in which tests wait for something that happens by itself. */
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 15;
type Nothing = null | undefined | false;

/**
 * Reads until the value is what is wanted, and returns it.
 * @param wanted a predicate; or a description of what is awaited, if any value but null, undefined and false will do
 * @throws if it does not come in time, with the last value
 */
export async function until<T>(
  read: () => T | Promise<T>,
  wanted: (value: T) => boolean,
  milliseconds?: number,
): Promise<T>;
export async function until<T>(
  read: () => T | Nothing | Promise<T | Nothing>,
  wanted: string,
  milliseconds?: number,
): Promise<T>;
export async function until(
  read: () => unknown,
  wanted: string | ((value: unknown) => boolean),
  milliseconds = 60_000,
): Promise<unknown> {
  const holds =
    typeof wanted === 'string' ? (value: unknown) => value !== null && value !== undefined && value !== false : wanted;
  for (const end = performance.now() + milliseconds; ;) {
    const value = await read();
    if (holds(value)) return value;
    if (performance.now() > end)
      throw new Error(
        typeof wanted === 'string'
          ? `${wanted} did not come within ${milliseconds} ms`
          : `Not within ${milliseconds} ms; last: ${JSON.stringify(value)}`,
      );
    await sleep(LOOK_EVERY_MS);
  }
}

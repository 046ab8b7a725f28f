/** Random numbers that differ from run to run: a test that fails with them says how to draw the same again. */
import { randomInt } from 'node:crypto';
import { onTestFailed } from 'vitest';
import { randomFrom } from '../support/random.ts';

/** Numbers from 0 to 1 for the running test, by the seed UIAHOST_TEST_SEED or by a new one. */
export function luck(): () => number {
  const seed = Number(process.env['UIAHOST_TEST_SEED'] ?? randomInt(2 ** 31));
  onTestFailed(({ task }) => console.error(`UIAHOST_TEST_SEED=${seed} draws again what “${task.name}” drew.`));
  return randomFrom(seed);
}

/** Closing what was opened: order, failures, and a second call. */
import { expect, test } from 'vitest';
import { closing } from '../../../src/base/closing.ts';

test('everything closes once, last opened first, and a failure is reported while the rest closes', async () => {
  const opened = new AsyncDisposableStack();
  const closed: string[] = [];
  const errors: unknown[] = [];
  opened.defer(() => void closed.push('first'));
  opened.defer(() => {
    throw new Error('second');
  });
  opened.defer(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    throw new Error('third');
  });
  opened.defer(() => void closed.push('fourth'));
  const close = closing(opened, (error) => errors.push(error));
  const ends = [close(), close()];
  expect(ends[0]).toBe(ends[1]);
  await Promise.all(ends);
  expect(closed).toEqual(['fourth', 'first']);
  expect(errors).toEqual([new Error('third'), new Error('second')]);
});

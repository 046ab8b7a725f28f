/** What all workers share is used by one worker at a time. */
import { expect, test } from 'vitest';
import type { CallContext } from '../../../../src/desktop/index.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { SharedUse } from '../../../../src/win32/worker/call-kinds.ts';

const ONE = {};
const OTHER = {};

const call = (deadlineMs = 10_000, signal = new AbortController().signal): CallContext => ({
  owner: 'tok_1/default',
  deadlineMs,
  signal,
  remoteControlMemory: false,
});

test('calls of one worker do not wait for each other, another worker’s wait until all have ended', async () => {
  const use = new SharedUse('the clipboard');
  const order: string[] = [];
  const first = await use.take(ONE, call());
  const second = await use.take(ONE, call());
  const waiting = [1, 2].map(async (number) => {
    const end = await use.take(OTHER, call());
    order.push(`other ${number}`);
    return end;
  });
  first();
  // Ending twice counts once.
  first();
  await Promise.resolve();
  expect(order).toEqual([]);
  second();
  for (const end of await Promise.all(waiting)) end();
  expect(order).toEqual(['other 1', 'other 2']);
  (await use.take(ONE, call()))();
});

test('a call that gets no turn in time, or is cancelled, has sent nothing and leaves the queue', async () => {
  const use = new SharedUse('keyboard and mouse');
  const end = await use.take(ONE, call());
  await expect(use.take(OTHER, call(20))).rejects.toMatchObject({
    code: 'deadline_exceeded',
    delivery: 'not_delivered',
  });
  const leaving = new AbortController();
  const left = use.take(OTHER, call(10_000, leaving.signal));
  leaving.abort(new UiaHostError('stopped', 'The emergency stop was pressed.'));
  await expect(left).rejects.toMatchObject({ code: 'stopped' });
  end();
  (await use.take(OTHER, call()))();
});

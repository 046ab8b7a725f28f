/** Calls that wait for their answers: answered, late, aborted, failed together. */
import { expect, test } from 'vitest';
import { PendingCalls } from '../../../src/base/pending-calls.ts';

test('each call gets its own answer, and an answer that came too late is dropped', async () => {
  const calls = new PendingCalls();
  const [one, two] = [calls.open(undefined), calls.open(undefined)];
  calls.answered(two.id, 'two');
  calls.failed(one.id, new Error('one'));
  await expect(two.answer).resolves.toBe('two');
  await expect(one.answer).rejects.toThrow('one');
  calls.answered(one.id, 'late');
});

test('a call that is late has left the list when its error is made', async () => {
  const calls = new PendingCalls<string>();
  const others: string[] = [];
  const { answer } = calls.open('late', {
    withinMs: 1,
    late: () => {
      calls.failAll((about) => {
        others.push(about);
        return new Error('replaced');
      });
      return new Error('too late');
    },
  });
  const other = calls.open('other');
  await expect(answer).rejects.toThrow('too late');
  await expect(other.answer).rejects.toThrow('replaced');
  expect(others).toEqual(['other']);
});

test('the other side hears of an abort once, and never after the answer', async () => {
  const calls = new PendingCalls();
  const told: number[] = [];
  const [early, late] = [new AbortController(), new AbortController()];
  const one = calls.open(undefined, { signal: early.signal, onAbort: (id) => told.push(id) });
  const two = calls.open(undefined, { signal: late.signal, onAbort: (id) => told.push(id) });
  early.abort();
  calls.answered(one.id, 1);
  calls.answered(two.id, 2);
  late.abort();
  await Promise.all([one.answer, two.answer]);
  expect(told).toEqual([one.id]);
});

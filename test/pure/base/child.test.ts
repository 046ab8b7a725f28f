/** The supervised child: its channel, its restarts and its end, with real processes. */
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { SupervisedChild, type ChildState } from '../../../src/base/child.ts';
import { until } from '../../support/until.ts';

type Told = { readonly up?: number; readonly echo?: unknown };

function supervised(isKept: boolean) {
  const told: Told[] = [];
  const lost: string[] = [];
  const states: ChildState[] = [];
  const child = new SupervisedChild<object, Told>({
    file: fileURLToPath(new URL('./child-stand-in.mjs', import.meta.url)),
    isKept,
    onMessage(message) {
      told.push(message);
    },
    onLost(how) {
      lost.push(how);
    },
    onState(state) {
      states.push(state);
    },
  });
  onTestFinished(() => child.end({ end: true }));
  const ups = (): number => told.filter(({ up }) => up !== undefined).length;
  return { child, told, lost, states, ups };
}

test('a kept child that ends is started again, and its owner hears how it ended before that', async () => {
  const { child, told, lost, states, ups } = supervised(true);
  child.start();
  await until(() => ups() === 1, 'its start');
  const first = child.pid;
  child.send({ die: 3 });
  await until(() => ups() === 2, 'its second start');
  expect(lost).toEqual(['3']);
  expect(states).toEqual(['starting', 'restarting']);
  expect(child.pid).not.toBe(first);
  expect(child.restarts).toBe(1);
  child.send({ echo: 7n });
  await until(() => told.some(({ echo }) => echo === 7n), 'the echo');
});

test('a process that ends each time is restarted only after a second', async () => {
  const { child, lost, states, ups } = supervised(true);
  child.start();
  for (let end = 1; end <= 6; end += 1) {
    await until(() => ups() === end, 'a start');
    child.send({ die: 1 });
    await until(() => lost.length === end, 'an end');
  }
  expect(child.state).toBe('failed');
  expect(child.send({ echo: 1 })).toBe(false);
  await until(() => ups() === 7, 'its seventh start');
  expect(states.at(-1)).toBe('restarting');
});

test('a replaced process sends nothing more, and its owner is notified before the next starts', async () => {
  const { child, told, lost, states, ups } = supervised(true);
  child.start();
  await until(() => ups() === 1, 'its start');
  child.send({ echo: 'late' });
  child.replace(() => states.push('failed'));
  expect(states).toEqual(['starting', 'failed', 'restarting']);
  await until(() => ups() === 2, 'its second start');
  expect(lost).toEqual([]);
  expect(told.some(({ echo }) => echo === 'late')).toBe(false);
});

test('a process that is replaced after a moment starts once, and not after the end', async () => {
  const { child, states, ups } = supervised(true);
  child.start();
  await until(() => ups() === 1, 'its start');
  child.replace(undefined, 20);
  expect([child.isRunning, child.state]).toEqual([false, 'restarting']);
  await until(() => ups() === 2, 'its second start');
  child.replace(undefined, 60_000);
  child.replace();
  await until(() => ups() === 3, 'its third start');
  expect(states).toEqual(['starting', 'restarting', 'restarting', 'restarting']);
  child.replace(undefined, 1);
  await child.end({ end: true });
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  expect(child.isRunning).toBe(false);
});

test('a process that is not kept stays away until it is started', async () => {
  const { child, lost, ups } = supervised(false);
  child.start();
  await until(() => ups() === 1, 'its start');
  child.send({ die: 0 });
  await until(() => lost.length === 1, 'its end');
  expect(child.isRunning).toBe(false);
  child.start();
  await until(() => ups() === 2, 'its second start');
  child.replace();
  expect(child.isRunning).toBe(false);
});

test('a process that does not end when asked is killed, and none starts after the end', async () => {
  const { child, ups } = supervised(true);
  child.start();
  await until(() => ups() === 1, 'its start');
  child.send({ deaf: true });
  await child.end({ end: true });
  child.start();
  expect(child.isRunning).toBe(false);
});

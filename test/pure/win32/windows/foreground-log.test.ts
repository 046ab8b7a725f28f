/** The windows that came to the foreground. */
import { expect, test } from 'vitest';
import { ForegroundLog } from '../../../../src/win32/windows/witness.ts';

test('a window that came forward since is noticed, however many came before', () => {
  const log = new ForegroundLog();
  for (let at = 0; at < 100_000; at += 1) log.add(7);
  const since = log.count;
  expect(log.isOtherThan(5, since)).toBe(false);
  log.add(5);
  expect(log.isOtherThan(5, since)).toBe(false);
  expect(log.isOtherThan(7, since)).toBe(true);
  log.add(7);
  log.add(5);
  expect(log.isOtherThan(5, since)).toBe(true);
});

test('more than are kept count as others', () => {
  const log = new ForegroundLog();
  for (let at = 0; at < 600; at += 1) log.add(7);
  expect(log.isOtherThan(7, 0)).toBe(true);
});

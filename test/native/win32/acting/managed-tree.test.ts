/**
 * The managed mode of uia-com.dll is a table of ours. What it shows of the standard controls is held to what Microsoft's
 * own binaries answered over the same program, as recorded (`test/fixtures/uia-com/managed-tree.txt`); `npm run programs`
 * holds the record to the binaries.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { comparedWithRecord } from '../support/managed-tree.ts';
import { close, open } from '../support/standard-cases.ts';

beforeAll(() => open('Controls as recorded', { proxies: 'managed' }));
afterAll(close);

test('the managed mode shows what Microsoft’s managed proxies showed', () => {
  const { differences, count } = comparedWithRecord();
  expect(count).toBeGreaterThan(140);
  expect(differences).toEqual([]);
});

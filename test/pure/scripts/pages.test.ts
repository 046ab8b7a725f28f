/** What two pages say must be the same in both. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sectionName } from '../../../scripts/lib/links-check.mjs';

const rowsOf = (page: string, section: string): string[] => {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith(section));
  return (text ?? '').split('\n').filter((line) => line.startsWith('| '));
};

test('README and docs/behaviour.md list the same departures from the given contracts', () => {
  const rows = rowsOf('README.md', 'Where it departs from the contracts');
  expect(rows.length).toBeGreaterThan(10);
  expect(rowsOf('docs/behaviour.md', 'Departures from the given contracts')).toEqual(rows);
});

test('a section is linked by its heading in lower case, with hyphens and without marks', () => {
  expect(['The gate', 'A click, from the request to Windows and back', 'Who’s there?'].map(sectionName)).toEqual([
    'the-gate',
    'a-click-from-the-request-to-windows-and-back',
    'whos-there',
  ]);
});

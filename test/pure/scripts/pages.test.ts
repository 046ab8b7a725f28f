/** What pages promise each other: one source for what two of them need, and sections by their names. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sectionName } from '../../../scripts/lib/links-check.mjs';

const rowsOf = (page: string, section: string): string[] => {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith(section));
  return (text ?? '').split('\n').filter((line) => line.startsWith('| '));
};

test('docs/behaviour.md alone lists the departures from the given contracts, and the README links to them', () => {
  expect(rowsOf('docs/behaviour.md', 'Departures from the given contracts').length).toBeGreaterThan(10);
  expect(rowsOf('README.md', 'Where it departs from the contracts')).toEqual([]);
  expect(readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')).toContain(
    '](docs/behaviour.md#departures-from-the-given-contracts)',
  );
});

test('a section is linked by its heading in lower case, with hyphens and without marks', () => {
  expect(['The gate', 'A click, from the request to Windows and back', 'Who’s there?'].map(sectionName)).toEqual([
    'the-gate',
    'a-click-from-the-request-to-windows-and-back',
    'whos-there',
  ]);
});

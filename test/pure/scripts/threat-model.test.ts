/** docs/threat-model.md names promises and tests: each is there, and the test cites the promise. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { promisedIds } from '../../../scripts/lib/promises.mjs';
import { phrasesOf } from '../../support/words.ts';

const text = readFileSync(new URL('../../../docs/threat-model.md', import.meta.url), 'utf8');
const tests = new URL('../../', import.meta.url);

/** Rows of its tables without the headings, cell by cell. */
const rows = text
  .split('\n')
  .filter(
    (line) => line.startsWith('| ') && !/^\| (?:effect|what (?:it|they) (?:tries|try)|what they can do) \|/.test(line),
  )
  .map((line) => line.slice(2, -2).split(' | '));

/** `id` (file), as a row names what shows it. */
const named = (cell: string): Array<readonly [id: string, file: string]> =>
  [...cell.matchAll(/`([a-z][A-Za-z0-9.-]*)` \(([a-z0-9/-]+\.test\.ts)\)/g)].map(
    ([, id = '', file = '']) => [id, file] as const,
  );

it('every row of the threat model names a promise and a test that cites it', () => {
  const known = promisedIds();
  expect(rows.length).toBeGreaterThan(30);
  const problems = rows.flatMap((cells) => {
    const [what = ''] = cells;
    const cell = cells.at(-1) ?? '';
    const pairs = named(cell);
    // Nothing else there looks like a reference without being one.
    const rest = cell.replaceAll(/`[a-z][A-Za-z0-9.-]*` \([a-z0-9/-]+\.test\.ts\)/g, '').replaceAll(/[, ]/g, '');
    if (pairs.length === 0 || rest !== '') return [`${what}: shown by nothing that can be checked: ${cell}`];
    return pairs.flatMap(([id, file]) => {
      if (!known.has(id)) return [`${what}: there is no promise ${id}`];
      const path = new URL(file, tests);
      if (!existsSync(path)) return [`${what}: there is no test/${file}`];
      return readFileSync(path, 'utf8').includes(`[${id}]`) ? [] : [`${what}: test/${file} does not cite ${id}`];
    });
  });
  expect(problems).toEqual([]);
});

it('the threat model has every attacker, and what is out of scope first', () => {
  const headings = [...text.matchAll(/^#{2,3} (.*)$/gm)].map(([, heading]) => heading);
  for (const heading of phrasesOf`
    Another user of the machine | A program of the same user | An agent with a shell | A web page |
    A document on the screen | A client on the network | An administrator
  `)
    expect(headings).toContain(heading);
  expect(headings[0]).toBe('Out of scope');
});

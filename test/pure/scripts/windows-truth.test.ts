/** docs/windows-truth.md: each belief has a probability and requirements that tests show, and the page stays short. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { requirements } from '../../requirements/index.ts';

const text = readFileSync(new URL('../../../docs/windows-truth.md', import.meta.url), 'utf8');
/** Five minutes of reading. */
const MOST_WORDS = 2500;

const beliefs = [...text.matchAll(/^\| (T\d+) \|([^|]+)\|([^|]+)\|([^|]+)\|([^|]+)\|[^|]*\|$/gm)].map(
  ([, number = '', belief = '', chance = '', otherwise = '', shown = '']) => ({
    number,
    belief: belief.trim(),
    chance: Number(chance),
    otherwise: otherwise.trim(),
    shown: shown
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  }),
);

it('[truth.beliefs] every belief has a probability, what happens if it is wrong, and requirements that tests cite', () => {
  const known = new Set(requirements.map(({ id }) => id));
  const problems = beliefs.flatMap(({ number, belief, chance, otherwise, shown }) => [
    ...(chance > 0 && chance < 100 ? [] : [`${number} has no probability`]),
    ...(belief === '' || otherwise === '' || shown.length === 0 ? [`${number} is not complete`] : []),
    ...shown.filter((id) => !known.has(id.replaceAll('`', ''))).map((id) => `${number}: there is no requirement ${id}`),
  ]);
  expect(problems).toEqual([]);
  expect(beliefs.length).toBeGreaterThan(50);
});

it('[truth.beliefs] they are numbered one after another, and no row is malformed', () => {
  const rows = text.split('\n').filter((line) => /^\| [TP]\d/.test(line));
  const persons = [...text.matchAll(/^\| (P\d+) \|[^|]+\|[^|]+\|$/gm)].map(([, number]) => number);
  expect(rows).toHaveLength(beliefs.length + persons.length);
  expect(beliefs.map(({ number }) => number)).toEqual(beliefs.map((_each, at) => `T${at + 1}`));
  expect(persons).toEqual(persons.map((_each, at) => `P${at + 1}`));
});

it('[truth.short] the page is read in five minutes', () => {
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(MOST_WORDS);
});

/** docs/windows-truth.md: each belief has a probability and the promises or test files that show it, and the page stays short. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Answer, answersOf, answersTable } from '../../../src/cli/selftest/beliefs.ts';
import { sections } from '../../../src/cli/selftest/sections.ts';
import { promisedIds } from '../../../scripts/lib/promises.mjs';

const text = readFileSync(new URL('../../../docs/windows-truth.md', import.meta.url), 'utf8');
const tests = new URL('../../', import.meta.url);
/** Five minutes of reading. */
const MOST_WORDS = 2500;

const beliefs = [...text.matchAll(/^\| (T\d+) \|([^|]+)\|([^|]+)\|([^|]+)\|([^|]+)\|([^|]*)\|[^|]*\|$/gm)].map(
  ([, number = '', belief = '', chance = '', otherwise = '', shown = '', by = '']) => ({
    number,
    belief: belief.trim(),
    chance: Number(chance),
    otherwise: otherwise.trim(),
    by: by.trim(),
    shown: shown
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  }),
);

it('every belief has a probability, what happens if it is wrong, and promises or test files that show it', () => {
  const known = promisedIds();
  const isShown = (name: string): boolean =>
    known.has(name) || (name.endsWith('.test.ts') && existsSync(new URL(name, tests)));
  const problems = beliefs.flatMap(({ number, belief, chance, otherwise, shown }) => [
    ...(chance > 0 && chance < 100 ? [] : [`${number} has no probability`]),
    ...(belief === '' || otherwise === '' || shown.length === 0 ? [`${number} is not complete`] : []),
    ...shown.filter((name) => !isShown(name.replaceAll('`', ''))).map((name) => `${number}: there is no ${name}`),
  ]);
  expect(problems).toEqual([]);
  expect(beliefs.length).toBeGreaterThan(50);
});

it('they are numbered one after another, and no row is malformed', () => {
  const rows = text.split('\n').filter((line) => /^\| [TP]\d/.test(line));
  const persons = [...text.matchAll(/^\| (P\d+) \|[^|]+\|[^|]+\|$/gm)].map(([, number]) => number);
  expect(rows).toHaveLength(beliefs.length + persons.length);
  expect(beliefs.map(({ number }) => number)).toEqual(beliefs.map((_each, at) => `T${at + 1}`));
  expect(persons).toEqual(persons.map((_each, at) => `P${at + 1}`));
});

it('the selftest answers them by number, and the page names the section of each that has a step', () => {
  const steps = sections([]).flatMap(({ letter, steps: all }) => all.map((step) => ({ ...step, letter })));
  const tried = steps.flatMap(({ beliefs: numbers, letter }) => numbers.split(' ').map((number) => [number, letter]));
  const known = new Map<string, string>(tried as Array<[string, string]>);
  known.delete('');
  expect(new Map(beliefs.flatMap(({ number, by }) => (by === '' ? [] : [[number, by]])))).toEqual(known);
  expect(known.size).toBeGreaterThanOrEqual(40);
  const answered = (each: string, answer: Answer) => ({ beliefs: each, answer });
  const answers = answersOf([answered('T17 T29', 'yes'), answered('T29', 'no'), answered('T17', 'not tried')]);
  expect(Object.keys(answers)).toEqual(beliefs.map(({ number }) => number));
  expect(answers).toMatchObject({ T17: 'not tried', T29: 'no', T1: 'not tried' });
  expect(answersTable({ beliefs: answers, uiahost: '1.0.0', system: null })).toContain('| yes | – |\n| no | T29 |');
});

it('the page is read in five minutes', () => expect(text.split(/\s+/).length).toBeLessThanOrEqual(MOST_WORDS));

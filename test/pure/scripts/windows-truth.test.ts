/** docs/windows-truth.md names a test for each finding of the review: it is there, and cites the requirement. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { requirements } from '../../requirements/index.ts';

const text = readFileSync(new URL('../../../docs/windows-truth.md', import.meta.url), 'utf8');
const tests = new URL('../../', import.meta.url);
const REFERENCE = /`([a-z][A-Za-z0-9.-]*)` \(([A-Za-z0-9/-]+\.test\.ts)\)/g;

/** Number and last cell of each finding. */
const findings = [...text.matchAll(/^\| ([AB]\d+) \|.*\| ([^|]*) \|$/gm)].map(
  ([, number = '', shown = '']) => [number, shown] as const,
);

it('[truth.findings] every finding names requirements and tests that cite them', () => {
  const known = new Set(requirements.map(({ id }) => id));
  const problems = findings.flatMap(([number, shown]) => {
    const pairs = [...shown.matchAll(REFERENCE)];
    // Nothing else is there that looks like a reference.
    if (pairs.length === 0 || shown.replaceAll(REFERENCE, '').replaceAll(/[, ]/g, '') !== '')
      return [`${number} is shown by nothing that can be checked: ${shown}`];
    return pairs.flatMap(([, id = '', file = '']) => {
      if (!known.has(id)) return [`${number}: there is no requirement ${id}`];
      const path = new URL(file, tests);
      if (!existsSync(path)) return [`${number}: there is no test/${file}`];
      return readFileSync(path, 'utf8').includes(`[${id}]`) ? [] : [`${number}: test/${file} does not cite ${id}`];
    });
  });
  expect(problems).toEqual([]);
});

it('[truth.findings] all 22 findings and 15 risks are there, each once', () => {
  const numbers = (letter: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);
  expect(findings.map(([number]) => number)).toEqual([...numbers('A', 22), ...numbers('B', 4)]);
  expect([...text.matchAll(/^\| (R\d+) \|/gm)].map(([, number]) => number)).toEqual(numbers('R', 15));
});

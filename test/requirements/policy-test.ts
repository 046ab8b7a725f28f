import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { requirements as all } from './index.ts';
import { requirements } from './policy.ts';

const folder = new URL('.', import.meta.url);
const cited = new Set(readdirSync(folder).filter((name) => name.endsWith('.test.ts') && name !== 'requirements.test.ts')
  .flatMap((name) => [...readFileSync(new URL(name, folder), 'utf8').matchAll(/\[([a-z]+(?:\.[A-Za-z-]+)+|decisions)\]/g)].map((match) => match[1])));

it('every requirement of the policy is cited by a test, and every citation is one of the project’s', () => {
  const ids: string[] = requirements.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !cited.has(id))).toEqual([]);
  const known = new Set(all.map(({ id }) => id));
  expect([...cited].filter((id) => id !== undefined && !known.has(id))).toEqual([]);
});

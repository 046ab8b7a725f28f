/** A second run for the files that failed (scripts/lib/second-chance.mjs). */
import { expect, it } from 'vitest';
import { withSecondChance } from '../../../scripts/lib/second-chance.mjs';

const FILES = ['test/a.test.ts', 'test/b.test.ts', 'test/once.test.ts'];
const counts = (
  files: Record<string, [passed: number, failed: number]>,
  outside = 0,
  notRun: Record<string, string[]> = {},
) => {
  const all = Object.entries(files).map(
    ([file, [passed, failed]]) => [file, { passed, failed, notRun: notRun[file] ?? [] }] as const,
  );
  return {
    passed: all.reduce((sum, [, each]) => sum + each.passed, 0),
    failed: all.reduce((sum, [, each]) => sum + each.failed, 0) + outside,
    notRun: Object.values(notRun).flat(),
    outside,
    files: Object.fromEntries(all),
  };
};
const onlyOnce = (file: string): boolean => file === 'test/once.test.ts';

/** Answers the runs in turn and keeps the patterns that it was given. */
function runs(...answers: ReturnType<typeof counts>[]) {
  const asked: (readonly string[])[] = [];
  return {
    asked,
    run: async (patterns: readonly string[]) => {
      asked.push(patterns);
      return answers[asked.length - 1] ?? counts({});
    },
  };
}

it('runs a file that failed once more, and its second result counts', async () => {
  const { run, asked } = runs(
    counts({ [FILES[0]!]: [4, 0], [FILES[1]!]: [2, 1], [FILES[2]!]: [1, 0] }),
    counts({ [FILES[1]!]: [3, 0] }),
  );
  expect(await withSecondChance(run, [], FILES, { wanted: true, onlyOnce, report: () => {} })).toMatchObject({
    passed: 8,
    failed: 0,
  });
  expect(asked).toEqual([[], [FILES[1]]]);
});

it('a second failure counts', async () => {
  const { run } = runs(counts({ [FILES[0]!]: [4, 0], [FILES[1]!]: [2, 1] }), counts({ [FILES[1]!]: [2, 1] }));
  expect(
    await withSecondChance(run, [], FILES.slice(0, 2), { wanted: true, onlyOnce, report: () => {} }),
  ).toMatchObject({ passed: 6, failed: 1 });
});

it('runs files whose process died again, and keeps results that only count at the first try', async () => {
  const { run, asked } = runs(
    counts({ [FILES[1]!]: [1, 0], [FILES[2]!]: [1, 1] }, 1, { [FILES[1]!]: ['b 2', 'b 3'] }),
    counts({ [FILES[0]!]: [4, 0], [FILES[1]!]: [3, 0] }),
  );
  expect(await withSecondChance(run, ['test'], FILES, { wanted: true, onlyOnce, report: () => {} })).toMatchObject({
    passed: 8,
    failed: 1,
    notRun: [],
  });
  expect(asked).toEqual([['test'], FILES.slice(0, 2)]);
});

it('runs nothing again unless asked to, after a success, or when most of it failed', async () => {
  const many = Array.from({ length: 6 }, (_, index) => `test/${index}.test.ts`);
  for (const [first, files, wanted] of [
    [counts({ [FILES[0]!]: [1, 1] }), [FILES[0]!], false],
    [counts({ [FILES[0]!]: [1, 0] }), [FILES[0]!], true],
    [counts(Object.fromEntries(many.map((file) => [file, [0, 1]]))), many, true],
    [counts({ [FILES[0]!]: [1, 0] }, 1), [FILES[0]!], true],
  ] as const) {
    const { run, asked } = runs(first);
    expect(await withSecondChance(run, [], files, { wanted, onlyOnce, report: () => {} })).toBe(first);
    expect(asked).toHaveLength(1);
  }
});

/** The chain of processes above the host. */
import { expect, it } from 'vitest';
import { processesAbove, type QueryProcess } from '../../../../src/win32/windows/starter.ts';

const parents = new Map([
  [50, 40],
  [40, 30],
  [30, 20],
  [20, 10],
]);
const world =
  (known: Readonly<Record<number, readonly [created: string, program: string]>>): QueryProcess =>
  (pid) => {
    const found = known[pid];
    return found === undefined ? null : { created: found[0], program: found[1] };
  };
const usual = {
  50: ['500', 'node.exe'],
  40: ['400', 'node.exe'],
  30: ['300', 'pwsh.exe'],
  20: ['200', 'windowsterminal.exe'],
  10: ['100', 'explorer.exe'],
} as const;

it('[binding.starter] goes up to the terminal, and ends below the person’s shell', () => {
  expect(processesAbove(50, parents, world(usual)).map(({ pid }) => pid)).toEqual([40, 30, 20]);
});

it('[binding.starter] ends at a parent that has ended, or whose pid has been given again', () => {
  const { 30: _gone, ...ended } = usual;
  expect(processesAbove(50, parents, world(ended)).map(({ pid }) => pid)).toEqual([40]);
  expect(processesAbove(50, parents, world({ ...usual, 30: ['900', 'notepad.exe'] })).map(({ pid }) => pid)).toEqual([
    40,
  ]);
});

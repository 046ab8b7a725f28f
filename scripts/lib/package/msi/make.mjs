// An MSI that has been checked: its tables, and that its cabinet unpacks to what was put in.
import { rmSync } from 'node:fs';
import { SetupError } from '../../progress.mjs';
import { buildMsi } from './build.mjs';
import { cabinetProblems, tableProblems } from './check.mjs';
import { readTables } from './read.mjs';

/** A larger one is refused: administrators send it to thousands of machines. */
const mostBytes = 50 * 2 ** 20;

/** @param {Parameters<typeof buildMsi>[0]} options */
export async function makeMsi(options) {
  const { tools, stage, out } = options;
  const { size } = await buildMsi(options);
  const problems = [
    ...tableProblems(await readTables(tools, out)),
    ...(await cabinetProblems(tools, out, stage)),
    ...(size > mostBytes ? [`size: ${(size / 2 ** 20).toFixed(1)} MB, more than 50 MB`] : []),
  ];
  if (problems.length === 0) return;
  rmSync(out);
  throw new SetupError(`The MSI failed its checks:\n${problems.map((line) => `    ${line}`).join('\n')}`);
}

/** `npm run fleet-load`: prints the figures of one run. Arguments: idle, jobs, rate or cluster, then NAME=NUMBER. */
import { cluster, idle, jobs, type Figures } from './load-runs.ts';

const [what = '', ...given] = process.argv.slice(2);
const sizes = Object.fromEntries(given.map((each) => [each.split('=')[0], Number(each.split('=')[1])]));
const RUNS: Readonly<Record<string, () => Promise<Figures[]>>> = {
  idle: () => idle(sizes),
  jobs: () => jobs(sizes),
  rate: () => jobs({ count: 6000, rate: 100, actionMs: 200, ...sizes }),
  cluster: () => cluster(sizes),
};
const run = RUNS[what];
if (run === undefined || Object.values(sizes).some(Number.isNaN)) {
  process.stderr.write('npm run fleet-load -- idle|jobs|rate|cluster [NAME=NUMBER …]\n');
  process.exitCode = 2;
} else for (const figures of await run()) process.stdout.write(`${JSON.stringify(figures)}\n`);

/** `npm run fleet-load`: prints the figures of runs. Arguments: idle, rate, jobs (of one start), or cluster; and NAME=NUMBER. */
import { cluster, oneServer, type Figures } from './load-runs.ts';

const given = process.argv.slice(2);
const sizes = Object.fromEntries(
  given.filter((each) => each.includes('=')).map((each) => [each.split('=')[0], Number(each.split('=')[1])]),
);
const what = given.filter((each) => !each.includes('='));
const runs = what.filter((each) => each === 'idle' || each === 'rate' || each === 'jobs');
const print = (figures: Figures): void => void process.stdout.write(`${JSON.stringify(figures)}\n`);
if (what[0] === 'cluster' && what.length === 1) print(await cluster(sizes));
else if (runs.length > 0 && runs.length === what.length) await oneServer(runs, sizes, print);
else {
  process.stderr.write('npm run fleet-load -- cluster | idle rate jobs [NAME=NUMBER …]\n');
  process.exitCode = 2;
}

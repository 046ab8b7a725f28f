// `npm run sequences [-- COUNT [SEED]]`: the nightly form of the generated test of call sequences (test/sequences): a
// million of them, from a seed made of the date, which is printed so that a failure can be repeated.
import { spawnSync } from 'node:child_process';
import { toolNode } from './lib/dependencies.mjs';
import { root } from './lib/places.mjs';
import { say } from './lib/progress.mjs';

const [count = '1000000', seed = new Date().toISOString().slice(0, 10).replaceAll('-', '')] = process.argv.slice(2);
say(`${count} sequences from seed ${seed} …`);
process.exitCode =
  spawnSync(
    toolNode(),
    ['node_modules/vitest/vitest.mjs', 'run', '--project=pure', 'test/sequences/sequences.test.ts'],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, UIAHOST_SEQUENCES: count, UIAHOST_SEQUENCES_SEED: seed },
    },
  ).status ?? 1;

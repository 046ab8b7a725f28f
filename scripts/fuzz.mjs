// `npm run fuzz [-- COUNT [SEED]]`: the long form of the generated requests (test/fuzz): 10,000 to the API and as many MCP
// messages, from a seed made of the date, which is printed so that a failure can be repeated. `npm run test:all` sends 300.
import { spawnSync } from 'node:child_process';
import { ensurePackages, toolNode } from './lib/dependencies.mjs';
import { root } from './lib/places.mjs';
import { say } from './lib/progress.mjs';

const [count = '10000', seed = new Date().toISOString().slice(0, 10).replaceAll('-', '')] = process.argv.slice(2);
await ensurePackages();
say(`${count} requests from seed ${seed} …`);
process.exitCode =
  spawnSync(toolNode(), ['node_modules/vitest/vitest.mjs', 'run', '--project=long', 'test/fuzz'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, UIAHOST_FUZZ_RUNS: count, UIAHOST_FUZZ_SEED: seed },
  }).status ?? 1;

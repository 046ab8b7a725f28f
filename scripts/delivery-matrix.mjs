// `npm run delivery-matrix`: runs the whole catalogue and 2,000 random actions, and writes docs/delivery-matrix.md from
// the results. UIAHOST_RANDOM_SEED chooses the random actions.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { toolNode } from './lib/dependencies.mjs';
import { isWindows, root } from './lib/places.mjs';
import { say } from './lib/progress.mjs';

const results = mkdtempSync(path.join(os.tmpdir(), 'uiahost-delivery-'));
const run = (program, ...args) =>
  spawnSync(program, args, {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      UIAHOST_DELIVERY_RESULTS: results,
      UIAHOST_RANDOM_ACTIONS: process.env.UIAHOST_RANDOM_ACTIONS ?? '2000',
    },
  }).status ?? 1;

try {
  if (isWindows)
    say(
      'not run here, only on Linux: the case catalogue, whose second witnesses need an X server. On Windows `uiahost selftest` shows how each kind of input is delivered.',
    );
  else
    process.exitCode =
      run(process.execPath, 'scripts/test.mjs', 'test/e2e/catalogue', 'test/e2e/random-actions') ||
      run(toolNode(), 'scripts/generate-delivery-matrix.ts', '--from', results);
} finally {
  rmSync(results, { recursive: true, force: true });
}

// `npm run tasks`: runs all tasks and writes docs/tasks.md from the results.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { toolNode } from './lib/dependencies.mjs';
import { root } from './lib/places.mjs';

const results = mkdtempSync(path.join(os.tmpdir(), 'uiahost-tasks-'));
const run = (program, ...args) =>
  spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, UIAHOST_TASK_RESULTS: results } })
    .status ?? 1;

try {
  process.exitCode =
    run(process.execPath, 'scripts/test.mjs', 'test/e2e/tasks') ||
    run(toolNode(), 'scripts/generate-tasks.ts', '--from', results);
} finally {
  rmSync(results, { recursive: true, force: true });
}

// `npm run conformance`: runs the official MCP conformance suite against the host's real transport, guards, token and gate,
// and shows what the suite says. `npm run test:all` runs the same.
import { spawnSync } from 'node:child_process';
import { ensurePackages, toolNode } from './lib/dependencies.mjs';
import { root } from './lib/places.mjs';

await ensurePackages();
process.exitCode =
  spawnSync(toolNode(), ['node_modules/vitest/vitest.mjs', 'run', '--project=long', 'test/conformance'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, UIAHOST_CONFORMANCE_REPORT: '1' },
  }).status ?? 1;

// `npm run fleet-load -- cluster | idle rate jobs [NAME=NUMBER …]`: what a fleet bears with TLS and credentials on: 1,000 idle
// links, 100,000 jobs, 100 jobs a second, three servers of which one after another is killed. On loopback; it ends by itself.
// UIAHOST_NATS_SERVER names another server. Linux, with a quiet machine: it measures processor time.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { toolNode } from './lib/dependencies.mjs';
import { root } from './lib/places.mjs';

const file = path.join(root, 'test/fleet/load.ts');
const child = spawn(toolNode(), ['--no-warnings', file, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
child.on('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1;
});

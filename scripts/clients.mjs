// `npm run clients [-- NAME…]`: every case of the real agent CLIs, or of those named, against the running product, including
// cases that wait for more than a minute; `npm run test:all` runs the short ones of Codex and Gemini.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './lib/places.mjs';

const child = spawn(process.execPath, [path.join(root, 'scripts/test.mjs'), 'test/e2e/agent-clis'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, UIAHOST_CLIENTS: process.argv.slice(2).join(' ') || 'all' },
});
child.on('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1;
});

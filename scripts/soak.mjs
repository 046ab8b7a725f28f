// `npm run soak [-- ACTIONS]`: 20,000 mixed actions against one host, and what grows meanwhile; `npm run test:all` takes 168.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './lib/places.mjs';

const [actions = '20000'] = process.argv.slice(2);
const child = spawn(process.execPath, [path.join(root, 'scripts/test.mjs'), 'test/e2e/soak'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, UIAHOST_SOAK_ACTIONS: actions },
});
child.on('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1;
});

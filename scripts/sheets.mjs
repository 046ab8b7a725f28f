// `npm run sheets`: writes 2,000 generated ranges of cells and reads them back, cell by cell; `npm run test:all` takes 40 of them.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './lib/places.mjs';

const RANGES = 2000;
const child = spawn(process.execPath, [path.join(root, 'scripts/test.mjs'), 'test/e2e/sheet-values'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, UIAHOST_SHEET_RANGES: String(RANGES) },
});
child.on('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1;
});

// `uiahost demo` on Linux: opens the demo on the desktop of the running `npm start`. It ends with that desktop. Its
// standard output is the demo's: one line of JSON.
import { spawn } from 'node:child_process';
import { ensureWindowsTree } from './lib/dependencies.mjs';
import { demoCommand } from './lib/demo.mjs';
import { fail } from './lib/progress.mjs';
import { runningDesktop } from './lib/running-desktop.mjs';

try {
  const desktop = runningDesktop();
  const { program, args } = demoCommand(await ensureWindowsTree());
  const child = spawn(...desktop.command([program, ...args, ...process.argv.slice(2)]), {
    env: desktop.env,
    detached: true,
    stdio: 'inherit',
  });
  child.on('error', (error) => fail(error));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
} catch (error) {
  fail(error);
}

// `npm run wine -- PROGRAM [ARGS…]`: runs a Windows program on the desktop of the running `npm start`. Its exit status is
// returned. Linux paths are accepted as the program and as arguments.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { callerFolder, windowsPath } from './lib/places.mjs';
import { fail, SetupError } from './lib/progress.mjs';
import { runningDesktop } from './lib/running-desktop.mjs';

try {
  const [program, ...args] = process.argv.slice(2);
  if (!program)
    throw new SetupError('Usage: node scripts/wine.mjs PROGRAM [ARGS…]', 'node scripts/wine.mjs notepad.exe');
  const desktop = runningDesktop();
  const cwd = callerFolder();
  // a switch such as /c is not a path; the name of an existing file or folder is
  const given = (text) =>
    text.includes('/') && existsSync(path.resolve(cwd, text)) ? windowsPath(path.resolve(cwd, text)) : text;
  const child = spawn(...desktop.command([given(program), ...args.map(given)]), {
    // Debian's Wine 10 aborts when TMPDIR is set
    cwd,
    env: { ...process.env, ...desktop.env, PATH: desktop.env.PATH, TMPDIR: undefined },
    stdio: 'inherit',
  });
  // the terminal sends Ctrl+C to the program too: let it decide
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      if (signal !== 'SIGINT') child.kill(/** @type {NodeJS.Signals} */ (signal));
    });
  child.on('error', (error) => fail(new SetupError(`Wine could not be started: ${error.message}`)));
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 128 + 15 : code;
  });
} catch (error) {
  fail(error);
}

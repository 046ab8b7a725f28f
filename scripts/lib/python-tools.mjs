// Programs from PyPI that only some tests need.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { complete, isComplete } from './cache.mjs';
import { cacheFolder } from './places.mjs';
import { SetupError, step } from './progress.mjs';

const VIBE = { version: '3.0.2', python: '3.12' };

/** Mistral Vibe in an environment of its own: the folder with `bin/vibe`. */
export async function ensureVibe() {
  const folder = path.join(cacheFolder(), `vibe-${VIBE.version}`);
  if (isComplete(folder)) return folder;
  const python = newPython();
  await step(
    'Mistral Vibe (PyPI)',
    async () => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      run(python, ['-m', 'venv', folder]);
      run(path.join(folder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', `mistral-vibe==${VIBE.version}`]);
      complete(folder);
    },
    { long: true },
  );
  return folder;
}

/** A Python that is new enough, on the PATH or among pyenv's: its shims answer for the chosen version alone. */
function newPython() {
  const versions = path.join(process.env['PYENV_ROOT'] ?? path.join(homedir(), '.pyenv'), 'versions');
  const ofPyenv = existsSync(versions)
    ? readdirSync(versions).map((name) => path.join(versions, name, 'bin/python3'))
    : [];
  const isNew = `import sys; sys.exit(sys.version_info < (${VIBE.python.replace('.', ', ')}))`;
  const found = ['python3', 'python3.14', 'python3.13', 'python3.12', ...ofPyenv].find(
    (program) => spawnSync(program, ['-c', isNew]).status === 0,
  );
  if (found === undefined)
    throw new SetupError(
      `Mistral Vibe needs Python ${VIBE.python} or newer.`,
      `install python${VIBE.python} with venv`,
    );
  return found;
}

function run(program, args) {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new SetupError(`${program} ${args.join(' ')} failed.`, stderr);
}

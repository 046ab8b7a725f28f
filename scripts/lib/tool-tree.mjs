// npm packages that only some commands need, from locks of their own: installed into the cache when they are first needed.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { complete, isComplete } from './cache.mjs';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { cacheFolder, root } from './places.mjs';
import { say, step } from './progress.mjs';

/**
 * Returns the folder that holds `node_modules`.
 * @param {string} place folder of package.json and package-lock.json in the checkout, such as `installer/tools`
 * @param {{ options?: readonly string[], name?: string }} [how] options: of npm; name: of the folder in the cache, without its key
 * @returns {Promise<string>}
 */
export async function ensureToolTree(
  place,
  { options = [], name = place.replaceAll(/\W+/g, '-').replace(/^-/, '') } = {},
) {
  const from = path.join(root, place);
  const key = createHash('sha256')
    .update(readFileSync(path.join(from, 'package-lock.json')))
    .digest('hex')
    .slice(0, 12);
  const folder = path.join(cacheFolder(), `${name}-${key}`);
  if (isComplete(folder)) return folder;
  await withLock(
    path.join(cacheFolder(), `locks/${path.basename(folder)}`),
    async () => {
      if (isComplete(folder)) return;
      await step(
        `npm packages of ${place}`,
        async () => {
          rmSync(folder, { recursive: true, force: true });
          mkdirSync(folder, { recursive: true });
          for (const file of ['package.json', 'package-lock.json'])
            copyFileSync(path.join(from, file), path.join(folder, file));
          await npm(['ci', '--ignore-scripts', ...options], folder, `npm ci of ${place}`);
          complete(folder);
        },
        { long: true },
      );
    },
    () => say(`${place}: waiting for another set-up`),
  );
  return folder;
}

// npm packages that only some tests need (test/tools): each folder has a lock of its own, which is installed into the cache
// when a test first needs it.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { complete, isComplete } from './cache.mjs';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { cacheFolder, root } from './places.mjs';
import { say, step } from './progress.mjs';

/** How each is installed. The CLIs' optional parts other than this platform's program are keyrings and terminals. */
const places = { conformance: ['--omit=optional'], 'agent-clis': ['--include=optional'], sdks: ['--omit=optional'] };

/**
 * Installs the packages of test/tools/NAME if they are not in the cache, and returns the folder that has `node_modules`.
 * @param {'conformance' | 'agent-clis' | 'sdks'} name
 * @returns {Promise<string>}
 */
export async function ensureNpmTools(name) {
  const from = path.join(root, 'test/tools', name);
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
        `npm packages of test/tools/${name}`,
        async () => {
          rmSync(folder, { recursive: true, force: true });
          mkdirSync(folder, { recursive: true });
          for (const file of ['package.json', 'package-lock.json'])
            copyFileSync(path.join(from, file), path.join(folder, file));
          await npm(['ci', '--ignore-scripts', ...places[name]], folder, `npm ci of test/tools/${name}`);
          complete(folder);
        },
        { long: true },
      );
    },
    () => say(`test/tools/${name}: waiting for another set-up`),
  );
  return folder;
}

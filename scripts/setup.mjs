// `npm run setup`: fetches what `npm start` and `npm test` need and builds it, without starting anything. Both do this
// themselves; this is for preparing a machine in advance, such as a development container.
import { ensurePackages, ensureWindowsTree } from './lib/dependencies.mjs';
import { isWindows } from './lib/places.mjs';
import { fail, say } from './lib/progress.mjs';
import { ensureWine } from './lib/wine.mjs';

try {
  const [windowsTree] = await Promise.all([
    ensureWindowsTree(),
    ensurePackages(),
    isWindows ? undefined : ensureWine(),
  ]);
  const { build } = await import('./build.mjs');
  await build({ windowsTree });
  say('ready: node scripts/start.mjs');
} catch (error) {
  fail(error);
}

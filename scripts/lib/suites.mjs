// Which command runs which test file: `npm test` what a change needs, `npm run test:all` everything but the nightly forms.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.mjs';

/** End to end, one file a topic: the core, which `npm test` runs. */
export const CORE = topics([
  'binding',
  'elements',
  'faces',
  'first-session',
  'keyboard',
  'levels',
  'overlay',
  'pointer',
  'screenshot',
  'sessions',
  'sheet',
  'snapshot',
  'terminal',
  'trust',
]);

/** What must be true at the first try, whatever the machine does: each gets it to itself. */
const ALONE = topics(['overlay-attacks', 'catalogue']);

function topics(names) {
  return names.map((name) => `test/e2e/${name}.test.ts`);
}

/** What needs more registries than npm's (`npm run programs`). */
const NIGHTLY = 'test/programs/';

/** Generated requests, and what fetches tools from a registry or the distribution: in this machine's Node, but not in `npm test`. */
const LONG = ['test/conformance/', 'test/fleet/', 'test/fuzz/', 'test/tools/'];

/**
 * @typedef {'pure' | 'long' | 'native' | 'e2e' | 'packages' | 'programs'} Sort a project of vitest.config.ts, or
 *   vitest.native.config.ts
 */

/** Every test file, by its path from the root. */
export const testFiles = () =>
  readdirSync(path.join(root, 'test'), { recursive: true })
    .map((file) => `test/${String(file).replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))
    .sort();

/** @returns {Sort} */
export function sortOf(file) {
  for (const sort of /** @type {const} */ (['native', 'e2e', 'packages', 'programs']))
    if (file.startsWith(`test/${sort}/`)) return sort;
  return LONG.some((folder) => file.startsWith(folder)) ? 'long' : 'pure';
}

/**
 * Native tests that count presses, wait for programs that change their mind, or repeat cases in another mode; others that
 * start a host or a compiler again and again, or try every action with every text: minutes that `npm test` has not.
 */
const LENGTHY = [
  'test/native/win32/acting/bare-controls.test.ts',
  'test/native/win32/acting/left.test.ts',
  'test/native/win32/acting/long-lists.test.ts',
  'test/native/win32/acting/managed-controls.test.ts',
  'test/native/win32/acting/native-proxies.test.ts',
  'test/native/win32/acting/receivers.test.ts',
  'test/native/win32/acting/taken-back.test.ts',
  'test/native/win32/elements/provider-judged.test.ts',
  'test/native/win32/elements/uia-patterns.test.ts',
  'test/native/win32/elements/uia-provider.test.ts',
  'test/native/win32/exits/alternating-label.test.ts',
  'test/native/win32/exits/ways.test.ts',
  'test/native/win32/imaging/password-memory.test.ts',
  'test/native/win32/input/console-watch.test.ts',
  'test/native/win32/input/judged-points.test.ts',
  'test/native/win32/ports/book.test.ts',
  'test/pure/audit/anchor.test.ts',
  'test/pure/audit/mutation.test.ts',
  'test/pure/client/types.test.ts',
  'test/pure/host/running/no-plain-digest.test.ts',
  'test/pure/host/running/queued-kill.test.ts',
  'test/pure/library/types.test.ts',
  'test/pure/store/kill.test.ts',
];

/** How many times as long as its size lets expect: it opens a window for each test, or has its cases from elsewhere. */
const SLOW = {
  'test/native/win32/acting/left.test.ts': 3,
  'test/native/win32/acting/standard-controls.test.ts': 16,
  'test/native/win32/elements/calls.test.ts': 3,
  'test/native/win32/ports/element.test.ts': 4,
};

/** @param {string} file */
export const slownessOf = (file) => SLOW[/** @type {keyof typeof SLOW} */ (file)] ?? 1;

/** Native tests of 32-bit programs: they need Wine's 32-bit half, 100 MB from the mirror. */
const NARROW = ['test/native/win32/acting/narrow-controls.test.ts'];

export const needsNarrow = (file) => NARROW.includes(file);

/** @returns {'node scripts/test.mjs' | 'node scripts/test.mjs --all' | 'nightly'} the shortest command that runs the file */
export function commandOf(file) {
  if (file.startsWith(NIGHTLY)) return 'nightly';
  const sort = sortOf(file);
  if (LENGTHY.includes(file) || NARROW.includes(file)) return 'node scripts/test.mjs --all';
  return sort === 'pure' || sort === 'native' || CORE.includes(file)
    ? 'node scripts/test.mjs'
    : 'node scripts/test.mjs --all';
}

const textOf = (file) => readFileSync(path.join(root, file), 'utf8');

/** Whether its tests repeat themselves, and do so less often in `npm test` (test/support/rounds.ts). */
const repeatsItself = (file) => textOf(file).includes("/support/rounds.ts'");

/** Native tests of the waits that `npm test` shortens (src/contract/patience.ts): `npm run test:all` gives them their whole time. */
const HURRIED = ['test/native/win32/acting/element-pointer.test.ts', 'test/native/win32/ports/element.test.ts'];

/** Whether the long command runs it again, although `npm test` does too: its form there is a shorter one. */
export const isShortened = (file) => repeatsItself(file) || HURRIED.includes(file);

/** Whether it gives other files other modules than they import: such a file needs a process of its own. */
export const replacesModules = (file) => /vi\.(mock|stubEnv)\(/.test(textOf(file));

export const runsAlone = (file) => ALONE.includes(file);

/** Whether it has tests that count at their first try alone. */
export const countsOnce = (file) => textOf(file).includes('retry: 0');

import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { replacesModules, sortOf, testFiles, type Sort } from './scripts/lib/suites.mjs';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

const filesOf = (sort: Sort): string[] => testFiles().filter((file) => sortOf(file) === sort);
/** One a lane. */
const desktops = JSON.parse(process.env['UIAHOST_TEST_DESKTOP'] ?? '[{}]') as readonly unknown[];

/** They run below what waits for windows, at whatever is left of the processors: their loops may take many times as long. */
const PATIENT = { testTimeout: 1_800_000, hookTimeout: 240_000 };

/**
 * The tests that run in Node for Linux (`npm test` runs both sorts, and those of test/native in Node for Windows):
 * everything that needs no Windows, and the end-to-end tests, which start the host on a Windows desktop.
 */
export default defineConfig({
  define: { __VERSION__: JSON.stringify(version) },
  test: {
    // Only against standing still: on a machine that others use, everything may take many times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // vitest leaves one processor to its watch mode's reader: of two that is half
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          ...PATIENT,
          name: 'pure',
          include: filesOf('pure').filter((file) => !replacesModules(file)),
          // the sources are read once a process, not once a file: half the processors' time
          isolate: false,
        },
      },
      { extends: true, test: { ...PATIENT, name: 'pure-alone', include: filesOf('pure').filter(replacesModules) } },
      { extends: true, test: { ...PATIENT, name: 'long', include: filesOf('long') } },
      {
        extends: true,
        test: {
          name: 'packages',
          include: filesOf('packages'),
          // each starts a Windows machine of its own
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: filesOf('programs'),
          fileParallelism: false,
          // reading another program's provider takes a tenth of a second an element under Wine
          testTimeout: 300_000,
          hookTimeout: 120_000,
          globalSetup: 'test/support/shared-desktop.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: filesOf('e2e'),
          // one desktop has one foreground window, one cursor and one clipboard
          maxWorkers: desktops.length,
          globalSetup: 'test/support/shared-desktop.ts',
          retry: Number(process.env['UIAHOST_TEST_RETRY'] ?? 0),
        },
      },
    ],
  },
});

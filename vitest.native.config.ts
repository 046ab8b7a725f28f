import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

/** The tests that run in Node for Windows: on Windows itself, or under Wine on the desktop that `npm test` starts. */
export default defineConfig({
  define: {
    __VERSION__: JSON.stringify(version),
    // src/contract/patience.ts: a test that waits for an effect waits less in `npm test`, and as long as the product elsewhere
    __PATIENCE__: process.env['UIAHOST_TEST_QUICK'] === '1' ? '0.3' : '1',
  },
  test: {
    name: 'native',
    include: ['test/native/**/*.test.ts', 'test/programs/windows/*.test.ts'],
    // a process of its own, so that a crash in native code is that run's and not vitest's; one for all, because starting
    // one costs a second, and one desktop has one foreground window
    pool: 'forks',
    isolate: false,
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    retry: Number(process.env['UIAHOST_TEST_RETRY'] ?? 0),
  },
});

#!/usr/bin/env node
// The command `uiahost`. It is bundled, so that it starts fast; in a checkout it is built first.
import { existsSync } from 'node:fs';

const bundle = new URL('../dist/cli.mjs', import.meta.url);
if (existsSync(bundle)) {
  await import(bundle.href);
} else {
  process.stderr.write(
    'uiahost has not been built yet: dist/cli.mjs is missing.\n  Try: node scripts/build.mjs (node scripts/start.mjs builds too)\n',
  );
  process.exitCode = 1;
}

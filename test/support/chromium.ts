/** A real browser for tests of the page: the machine's Chromium, or Debian's package, which is installed where that is allowed. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { wordsOf } from './words.ts';

const PROGRAM = '/usr/bin/chromium';

function ensureChromium(): string {
  if (existsSync(PROGRAM)) return PROGRAM;
  if (process.getuid?.() !== 0)
    throw new Error('The tests of the page need Chromium. Install it: sudo apt-get install chromium');
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: 'ignore' } as const;
  execFileSync('apt-get', ['update'], options);
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options);
  return PROGRAM;
}

export const startChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: ensureChromium(),
    args: wordsOf`
      --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
      --disable-component-update --disable-sync
    `,
  });

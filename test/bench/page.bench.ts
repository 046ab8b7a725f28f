/// <reference lib="dom" />
/**
 * What the page costs a person: the time until it is there, and the processors' time while it is open and nothing happens.
 *
 *   npm run bench -- page [--json] [--write]
 *
 * A real Chromium on a warm host with a bound window of every common control. `--write` puts the table into
 * docs/measurements.md. Nothing is asserted: the marks are for people to compare.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { startChromium } from '../support/chromium.ts';
import { Client } from '../support/client.ts';
import { startHost } from '../support/desktop.ts';
import { startFixture } from '../support/fixture.ts';
import { openPage } from '../support/page.ts';
import { markCells, quantile, report, tableOf } from './support/measurements.ts';

const ROUNDS = 20;
const WARM_UPS = 2;
/** What a person sees first, and what finds it. */
const MILESTONES = [
  { what: 'stop button and views', shows: '.danger', mark: 1000 },
  { what: 'sessions and their windows', shows: '.session', mark: 1000 },
  { what: 'picture of the bound window', shows: '.picture img', mark: undefined },
];

/** Runs in the page: keeps when each of these was first there, by the page's own clock since its navigation began. */
function watchFor(wanted: readonly string[]): void {
  const found: number[] = [];
  new MutationObserver(() => {
    for (const [at, selector] of wanted.entries())
      if (document.querySelector(selector) !== null) found[at] ??= performance.now();
    if (wanted.every((_, at) => found[at] !== undefined)) (globalThis as any).milestones = found;
  }).observe(document, { childList: true, subtree: true });
}

const IDLE_SECONDS = 30;
/** The unit of `utime` and `stime` in /proc/PID/stat. */
const TICKS_A_SECOND = 100;

interface Row {
  readonly what: string;
  readonly figures: readonly number[];
  readonly unit: 'ms' | '%';
  readonly mark?: number | undefined;
}
const rows: Row[] = [];

/** Seconds of processor time of all processes that were started with this data directory: the host's own. */
function hostSeconds(dataDir: string): number {
  // A Windows program has the folder by its Windows path.
  const folder = basename(dataDir);
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(folder)) continue;
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended.
    }
  }
  if (ticks === 0) throw new Error('The processes of the host were not found.');
  return ticks / TICKS_A_SECOND;
}

/** Seconds of processor time of each of the browser's processes together. */
async function browserSeconds(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const host = stack.use(await startHost());
  const client = new Client(host);
  const controls = stack.use(await startFixture('controls'));
  await client.bind({ hwnd: controls.hwnd });
  const browser = stack.adopt(await startChromium(), (started) => started.close());
  const linkOf = async (): Promise<string> =>
    `${host.url}/#code=${(await host.request('/v1/page/codes', { token: 'operator', body: {} })).body.code}`;

  const shown: number[][] = [];
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    // A browser profile of its own, so that nothing comes from a cache; it is there before its page is asked for.
    const { page } = await openPage(browser, 'about:blank');
    await page.addInitScript(
      watchFor,
      MILESTONES.map(({ shows }) => shows),
    );
    await page.goto(await linkOf());
    await page.waitForFunction((all) => (globalThis as any).milestones?.length === all, MILESTONES.length);
    if (round >= 0) shown.push(await page.evaluate(() => (globalThis as any).milestones));
    await page.context().close();
  }
  for (const [at, { what, mark }] of MILESTONES.entries())
    rows.push({ what, figures: shown.map((each) => each[at]!), unit: 'ms', mark });

  /** Percent of one processor. */
  const idle = async (): Promise<{ browser: number; host: number }> => {
    await sleep(5000);
    const before = [await browserSeconds(browser), hostSeconds(host.dataDir)] as const;
    await sleep(IDLE_SECONDS * 1000);
    const share = (seconds: number): number => (seconds / IDLE_SECONDS) * 100;
    return {
      browser: share((await browserSeconds(browser)) - before[0]),
      host: share(hostSeconds(host.dataDir) - before[1]),
    };
  };
  const without = await idle();
  const { page } = await openPage(browser, await linkOf());
  await page.locator('.picture img').waitFor();
  const open = await idle();
  rows.push({ what: 'browser, an open idle page', figures: [open.browser], unit: '%', mark: 1 });
  rows.push({ what: 'browser without a page', figures: [without.browser], unit: '%' });
  rows.push({ what: 'host with its processes, an open idle page', figures: [open.host], unit: '%', mark: 1 });
  rows.push({ what: 'host with its processes, no page', figures: [without.host], unit: '%' });
}

function table(): string {
  const lines = rows.map(({ what, figures, unit, mark }) => {
    const p50 = quantile(figures, 0.5);
    const text = (figure: number): string => `${figure.toFixed(unit === '%' ? 2 : 0)} ${unit}`;
    return [what, text(p50), figures.length > 1 ? text(quantile(figures, 0.95)) : '', ...markCells(p50, mark, unit)];
  });
  return tableOf(['', 'p50', 'p95', 'mark', ''], lines);
}

await main();
report('page.bench', rows, table(), ROUNDS);

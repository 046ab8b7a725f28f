/// <reference lib="dom" />
/** The page in a real browser: opening it, its tabs, and what axe finds. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Opened {
  readonly page: Page;
  /** What the browser refused or a script threw. */
  readonly faults: string[];
  /** Addresses that the page asked for. */
  readonly asked: string[];
}

export async function openPage(
  browser: Browser,
  link: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Opened> {
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(link);
  return { page, faults, asked };
}

export const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name }).click();
/** Rules that axe finds broken, with what breaks them. */
export async function violations(page: Page): Promise<string[]> {
  // By the debugger's protocol: the page's own policy allows no script but its own.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations: found } = await (globalThis as any).axe.run(document);
    return found.map(
      ({ id, nodes }: any) =>
        `${id}: ${nodes
          .map((each: any) => each.html)
          .slice(0, 3)
          .join(' | ')}`,
    );
  });
}
export const widerThanScreen = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

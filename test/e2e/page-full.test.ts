/// <reference lib="dom" />
/** The page with much on it: three hundred elements, a waiting card and a long audit, over a stand-in host. */
import { fileURLToPath } from 'node:url';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChromium } from '../support/chromium.ts';
import { OPERATOR_TOKEN, serve } from '../support/http-server.ts';
import { openPage, tab, violations, widerThanScreen } from '../support/page.ts';
import { renderLine } from '../../src/win32/elements/tree/snapshot-text.ts';

const folder = fileURLToPath(new URL('../../dist/page/', import.meta.url));
let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
});

const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
/** The smallest PNG: one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const ROLES = ['Button', 'Edit', 'CheckBox', 'Text', 'ListItem'] as const;

const elements = Array.from({ length: 300 }, (_, at) =>
  renderLine(
    {
      ref: `e${at + 1}`,
      depth: at === 0 ? 0 : 1,
      controlType: ROLES[at % ROLES.length]!,
      name: at === 7 ? HOSTILE : `Control ${at}`,
      rect: { x: (at % 20) * 40, y: Math.floor(at / 20) * 30, width: 36, height: 24 },
      states: new Set<never>(),
      value: null,
      automationId: String(at),
    },
    200,
  ),
).join('\n');

const card = {
  approvalId: 'apr_full',
  actionId: 'act_full',
  action: 'type-into-element',
  sessionId: 'ses_full',
  owner: 'agent/default',
  status: 'pending',
  summary: `Type into ${HOSTILE}`,
  agent: { name: 'agent', callsItself: HOSTILE },
  why: [
    { kind: 'level', text: 'Level control asks before input.' },
    { kind: 'proposer', text: HOSTILE },
  ],
  proposerReason: HOSTILE,
  app: { bundleId: 'c:\\windows\\notepad.exe', displayName: 'Notepad' },
  window: { hwnd: '0x10', title: HOSTILE, pid: 1 },
  page: null,
  element: { role: 'Edit', name: HOSTILE, automationId: '7' },
  arguments: { name: 'Control 7', text: Array.from({ length: 80 }, (_, at) => `line ${at} ${HOSTILE}`).join('\n') },
  riskLevel: 'high',
  riskTags: ['computer:input'],
  flags: [],
  pictureUrl: null,
  digest: 'd',
  createdAt: new Date().toISOString(),
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
  allowedScopes: ['once', 'window'],
  decidedBy: null,
};
const audit = Array.from({ length: 1000 }, (_, at) => ({
  seq: at + 1,
  time: new Date(at * 1000).toISOString(),
  kind: 'decision',
  action: at % 10 === 0 ? HOSTILE : 'clickElement',
  decision: 'execute',
  sessionId: `ses_${at % 7}`,
}));

const reply = (body: unknown) => (route: Route) => route.fulfill({ json: body });

/** The page over a stand-in host, with a full window, card and audit in the host's answers. */
async function openFull(look: Parameters<Browser['newContext']>[0]) {
  const { call, url } = await serve({ pageFolder: folder });
  const response = await call('POST', '/v1/page/codes', { token: OPERATOR_TOKEN, body: {} });
  const { code } = (await response.json()) as { code: string };
  const { page, faults, asked } = await openPage(browser, 'about:blank', look);
  const session = {
    owner: 'agent/default',
    tokenName: 'agent',
    session: 'default',
    client: HOSTILE,
    window: { hwnd: '0x10', pid: 1, app: 'notepad.exe', title: HOSTILE },
    waiting: ['apr_full'],
    isPaused: false,
  };
  await page.route('**/v1/sessions', reply({ sessions: [session] }));
  await page.route('**/v1/approvals?*', reply({ approvals: [card], nextCursor: null }));
  await page.route('**/v1/audit/verify', reply({ ok: true, records: 1000, firstBad: null }));
  await page.route('**/v1/audit?*', reply({ entries: audit, next: null }));
  await page.route(
    '**/v1/page/window?*',
    reply({
      hwnd: '0x10',
      image: PIXEL,
      imageWidth: 800,
      imageHeight: 450,
      accessibilityText: elements,
      partial: false,
    }),
  );
  await page.goto(`${url}/#code=${code}`);
  return { page, faults, asked };
}

/** Seconds that the page's main thread has worked. */
async function worked(page: Page): Promise<number> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable');
  const { metrics } = await devTools.send('Performance.getMetrics');
  await devTools.detach();
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

describe('a page with much on it', () => {
  const looks = [
    { colorScheme: 'light', viewport: { width: 1200, height: 800 } },
    { colorScheme: 'dark', viewport: { width: 360, height: 700 } },
  ] as const;
  it.each(looks)('[page.full] has no fault that axe finds, and shows hostile texts as text: %o', async (look) => {
    const { page, faults } = await openFull(look);
    await page.locator('.picture img').waitFor();
    for (const name of ['Live', 'Inspector', 'Approvals', 'Control']) {
      await tab(page, name);
      if (name === 'Inspector') {
        await page.getByRole('treeitem').nth(299).waitFor();
        await page.getByRole('treeitem').nth(7).click();
      }
      if (name === 'Approvals') await page.getByRole('article').waitFor();
      if (name === 'Control') {
        await page.getByRole('button', { name: 'Check it' }).click();
        await page.getByText('1000 records').waitFor();
      }
      expect([name, await violations(page)]).toEqual([name, []]);
      expect([name, await widerThanScreen(page)]).toEqual([name, false]);
    }
    expect(await page.title()).toBe('uiahost page (1)');
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    // The stand-in host knows no window, so its inspector's question is refused.
    expect(faults.filter((each) => !each.includes('Failed to load resource'))).toEqual([]);
    await page.context().close();
  });

  it('[page.idle] does next to nothing while nothing happens', async () => {
    const { page, asked } = await openFull({});
    await page.locator('.picture img').waitFor();
    await page.waitForTimeout(1500);
    const [before, requests] = [await worked(page), asked.length];
    await page.waitForTimeout(3000);
    const share = ((await worked(page)) - before) / 3;
    expect(share).toBeLessThan(0.05);
    expect(asked.length).toBe(requests);
    await page.context().close();
  });
});

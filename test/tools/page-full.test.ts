/// <reference lib="dom" />
/** The page with much on it and for long, in a real browser over a stand-in host: it needs no Windows. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChromium } from '../support/chromium.ts';
import { OPERATOR_TOKEN, serve } from '../support/http-server.ts';
import { createStandInHost } from '../support/stand-in-host.ts';
import { until } from '../support/until.ts';
import { openPage, tab, violations, widerThanScreen } from '../support/page.ts';
import german from '../../src/page/german.json' with { type: 'json' };
import type { ShownElement } from '../../src/contract/element/element.ts';

const folder = fileURLToPath(new URL('../../dist/page/', import.meta.url));
/** PAGE_PICTURES=FOLDER draws the views. */
const pictures = process.env['PAGE_PICTURES'];
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

const elements: ShownElement[] = Array.from({ length: 300 }, (_, at) => ({
  ref: `e${at + 1}`,
  ...(at === 0 ? {} : { parent: 'e1' }),
  role: ROLES[at % ROLES.length]!,
  name: at === 7 ? HOSTILE : `Control ${at}`,
  rect: { x: (at % 20) * 40, y: Math.floor(at / 20) * 30, width: 36, height: 24 },
  states: [],
  id: String(at),
}));

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
  actor: { tokenId: at === 999 ? 'page:operator' : 'agent', surface: 'http' },
  kind: 'decision',
  action: at % 10 === 0 ? HOSTILE : 'clickElement',
  decision: 'execute',
  sessionId: `ses_${at % 7}`,
}));

const reply = (body: unknown) => (route: Route) => route.fulfill({ json: body });

/** The page over a stand-in host, with a full window, card and audit in the host's answers. */
async function openFull(look: Parameters<Browser['newContext']>[0], host = createStandInHost()) {
  const { call, url } = await serve({ pageFolder: folder }, host);
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
    lastActionAt: '2026-11-30T10:00:00.000Z',
  };
  await page.route('**/v1/sessions', reply({ sessions: [session] }));
  await page.route('**/v1/approvals?*', reply({ approvals: [card], nextCursor: null }));
  const denied = { ...card, approvalId: 'apr_0', status: 'denied', decidedBy: 'overlay' };
  await page.route('**/v1/approvals?status=all*', reply({ approvals: [card, denied], nextCursor: null }));
  await page.route('**/v1/audit/verify', reply({ ok: true, records: 1000, firstBad: null }));
  await page.route('**/v1/audit?*', reply({ entries: audit, next: null }));
  await page.route(
    '**/v1/page/window?*',
    reply({ hwnd: '0x10', image: PIXEL, imageWidth: 800, imageHeight: 450, elements, partial: false }),
  );
  await page.route(
    '**/v1/page/element?*',
    reply({
      element: { source: 'uia', identity: 'rid:42.7' },
      sources: [
        {
          source: 'uia',
          controlType: 'Edit',
          name: HOSTILE,
          automationId: '7',
          className: HOSTILE,
          patterns: ['value'],
        },
        { source: 'msaa', name: HOSTILE, defaultAction: HOSTILE },
        { source: 'window', name: '', automationId: '7', className: 'Edit' },
      ],
      path: null,
    }),
  );
  await page.goto(`${url}/#code=${code}`);
  return { page, faults, asked };
}

/** What the page's main thread has laid out and painted again. */
async function redrawn(page: Page): Promise<number> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable');
  const { metrics } = await devTools.send('Performance.getMetrics');
  await devTools.detach();
  const count = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return count('LayoutCount') + count('RecalcStyleCount');
}

describe('a page with much on it', () => {
  const looks = [
    { colorScheme: 'light', viewport: { width: 1200, height: 800 } },
    { colorScheme: 'dark', viewport: { width: 360, height: 700 } },
  ] as const;
  it.each(looks)('has no fault that axe finds, and shows hostile texts as text: %o', async (look) => {
    const { page, faults } = await openFull(look);
    await page.locator('.picture img').waitFor();
    for (const name of ['Live', 'Inspector', 'Approvals', 'Control']) {
      await tab(page, name);
      if (name === 'Inspector') {
        await page.getByRole('treeitem').nth(299).waitFor();
        await page.getByRole('treeitem').nth(7).click();
        await page.getByRole('row', { name: /^MSAA/ }).waitFor();
      }
      if (name === 'Approvals') {
        await page.getByRole('article').waitFor();
        await page.getByRole('row', { name: /denied overlay/ }).waitFor();
      }
      if (name === 'Control') {
        await page.getByRole('button', { name: 'Check it' }).click();
        await page.getByText('1000 records').waitFor();
      }
      expect([name, await violations(page)]).toEqual([name, []]);
      expect([name, await widerThanScreen(page)]).toEqual([name, false]);
      if (pictures !== undefined)
        await page.screenshot({
          path: `${pictures}/full-${name.toLowerCase()}-${look.colorScheme}.png`,
          fullPage: true,
        });
    }
    expect(await page.title()).toBe('uiahost page (1)');
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('speaks German where the browser does, with nothing of its own left in English', async () => {
    const { page, faults } = await openFull({ locale: 'de-DE', viewport: { width: 390, height: 700 } });
    const english = Object.entries(german).flatMap(([text, said]) => (text === said ? [] : [text]));
    for (const [name, words] of [
      ['Live', 'Pausieren und übernehmen'],
      ['Inspektor', 'Fenster wählen'],
      ['Freigaben', 'Ablehnen'],
      ['Steuerung', 'Alle Einstellungen zeigen'],
    ] as const) {
      await tab(page, name);
      await page.getByText(words).first().waitFor({ state: 'attached' });
      const texts = await page.locator('main *').evaluateAll((all) => all.map(({ textContent }) => textContent));
      expect([name, english.filter((each) => texts.includes(each))]).toEqual([name, []]);
      expect([name, await violations(page), await widerThanScreen(page)]).toEqual([name, [], false]);
      if (pictures !== undefined) await page.screenshot({ path: `${pictures}/german-${name}.png`, fullPage: true });
    }
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows itself after its files and the sign-in, and asks once for what it shows', async () => {
    const { page, asked } = await openFull({});
    await page.getByRole('tab', { name: 'Live' }).waitFor();
    await page.locator('.picture img').waitFor();
    const paths = asked.filter((each) => each.startsWith('http')).map((each) => new URL(each).pathname);
    const inTurn = ['/', '/page/app.js', '/page/style.css', '/v1/page/session'];
    expect(paths.slice(0, inTurn.length).sort()).toEqual(inTurn.sort());
    const atOnce = ['/v1/approvals', '/v1/events', '/v1/page/window', '/v1/sessions', '/v1/status'];
    expect(paths.slice(inTurn.length).sort()).toEqual(atOnce);
    await page.context().close();
  });

  it('is small', async () => {
    const files = ['index.html', 'app.js', 'style.css'].map(
      (name) => gzipSync(readFileSync(`${folder}${name}`)).length,
    );
    expect(files.reduce((sum, each) => sum + each)).toBeLessThan(120 * 1024);
  });

  it('adds up what a session’s actions took and gave to read', async () => {
    const host = createStandInHost();
    const before = { time: '2026-11-30T10:00:00.000Z', owner: 'agent/default', actionId: 'act_0' };
    host.emit({ type: 'tool.start', ...before, action: 'clickElement' });
    host.emit({ type: 'tool.end', ...before, ok: false, code: 'target_not_found' });
    const { page } = await openFull({}, host);
    await page.route('**/v1/actions/act_0', reply({ error: { detail: 'No element is named “Foo”.' } }));
    await page.locator('.picture img').waitFor();
    await page.getByText('click element').click();
    await page.getByText('click element No element is named “Foo”.').waitFor();
    const common = { time: new Date().toISOString(), owner: 'agent/default' };
    const ends = [
      { actionId: 'act_1', action: 'snapshot', ok: true, durationMs: 1000, textLength: 4000, pictures: 0 },
      { actionId: 'act_2', action: 'screenshot', ok: true, durationMs: 500, textLength: 400, pictures: 1 },
      { actionId: 'act_3', action: 'clickElement', ok: false, code: 'target_not_found' },
      { actionId: 'act_4', action: 'batch', ok: true, durationMs: 9000, textLength: 9000, pictures: 1 },
    ];
    for (const each of ends) host.emit({ type: 'tool.end', ...common, ...each });
    await page.getByText('3 actions (1 failed) in 1.5 s, answers of about 1,100 tokens, 1 picture').waitFor();
    await page.context().close();
  });

  it('neither draws nor asks while nothing happens', async () => {
    const { page, asked } = await openFull({});
    await page.locator('.picture img').waitFor();
    await page.waitForTimeout(2000);
    const [before, requests] = [await redrawn(page), asked.length];
    await page.waitForTimeout(3000);
    expect(await redrawn(page)).toBe(before);
    expect(asked.length).toBe(requests);
    await page.context().close();
  });

  it('calls off a look when another window is chosen, when its view is left, and when the page is closed', async () => {
    const host = createStandInHost();
    const { call, url } = await serve({ pageFolder: folder }, host);
    const other = { hwnd: '65553', pid: 43, title: 'Second', app: 'c:\\windows\\notepad.exe' };
    const first = { hwnd: '65552', pid: 42, title: 'First', app: 'c:\\windows\\notepad.exe' };
    host.answers.set('list-visible-windows', () => [first, other]);
    host.answers.set('snapshot', (_input, { signal }) => once(signal, 'abort'));
    const response = await call('POST', '/v1/page/codes', { token: OPERATOR_TOKEN, body: {} });
    const { code } = (await response.json()) as { code: string };
    const { page, asked } = await openPage(browser, `${url}/#code=${code}&view=inspector`);
    const choose = (title: string) => page.getByRole('combobox', { name: 'Window' }).selectOption({ label: title });
    const looks = () => host.runs.filter(({ action }) => action === 'snapshot').map(({ options }) => options.signal);
    const begun = (count: number) => until(() => looks().length === count, `look ${count}`);
    const calledOff = (count: number) => until(() => looks()[count - 1]?.aborted, `the end of look ${count}`);
    await choose('First');
    await begun(1);
    await choose('Second');
    await calledOff(1);
    await begun(2);
    await tab(page, 'Control');
    await calledOff(2);
    await tab(page, 'Inspector');
    await begun(3);
    await page.close();
    await calledOff(3);
    expect(asked.filter((each) => each.includes('/v1/page/window?')).length).toBe(3);
  });
});

it('a page that is open for long: takes ten thousand events without becoming slow, and asks for nothing while nothing happens', async () => {
  const host = createStandInHost();
  const { call, url } = await serve({ pageFolder: folder }, host);
  const response = await call('POST', '/v1/page/codes', { token: OPERATOR_TOKEN, body: {} });
  const { code } = (await response.json()) as { code: string };
  const { page, asked } = await openPage(browser, `${url}/#code=${code}`);
  await page.getByRole('tab', { name: 'Live' }).waitFor();
  await page.waitForTimeout(1500);
  const before = asked.length;
  await page.waitForTimeout(2000);
  expect(asked.length).toBe(before);
  for (let at = 0; at < 5000; at += 1) {
    const common = {
      actionId: `act_${at}`,
      action: 'clickElement',
      owner: 'agent/default',
      time: new Date().toISOString(),
    };
    host.emit({ type: 'tool.start', ...common });
    host.emit({ type: 'tool.end', ...common, ok: true, effect: 'confirmed', durationMs: 5 });
    if (at % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await until(
    () => page.locator('.step').count(),
    (count) => count === 50,
  );
  await tab(page, 'Control');
  await page.getByRole('heading', { name: 'Doctor' }).waitFor({ timeout: 5000 });
  // what ten thousand events asked of the host
  expect(asked.length - before).toBeLessThan(100);
});

/// <reference lib="dom" />
/** End to end: the page in a real browser, over a real host. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startChromium } from '../support/chromium.ts';
import { Client } from '../support/client.ts';
import { windowsPath } from '../support/desktop.ts';
import { openPage, tab, violations, widerThanScreen, type Opened } from '../support/page.ts';
import { sharedScene } from '../support/scene.ts';
import { startProgram } from '../support/programs.ts';
import { until } from '../support/until.ts';

const { scene, client, controls } = await sharedScene(async (opened) => ({ controls: await opened.boundControls() }));
/** PAGE_PICTURES=FOLDER npm test -- test/e2e/page.test.ts draws the views. */
const pictures = process.env['PAGE_PICTURES'];
let browser: Browser;

beforeAll(async () => {
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
});

const linkOf = async (scope: 'operator' | 'viewer' = 'operator'): Promise<string> => {
  const { body } = await scene.host.request('/v1/page/codes', { token: 'operator', body: { scope } });
  return `${scene.host.url}/#code=${body.code}`;
};

const open = (link: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Opened> =>
  openPage(browser, link, options);

// A page that stays open looks at its window after each action, also of the next test.
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

/** A look that the emergency stop ended, or that came in the moment before the page knew of it, is refused. */
const isRefusedLook = (fault: string): boolean => fault.includes('409') && fault.includes('/v1/page/window?');

describe('a person at the page', () => {
  it('sees the bound window, what the agent does, and stops it', async () => {
    const { page, faults, asked } = await open(await linkOf());
    await page.locator('.picture img').waitFor();
    await client.act('click-element', { name: 'Push me' });
    await page.getByText('click element').first().waitFor();
    await page.getByText('confirmed').first().waitFor();
    await page.getByRole('button', { name: 'Pause and take over' }).first().click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await client.refused('user_active', 'click-element', { name: 'Push me' });
    await page.getByRole('button', { name: 'Let it go on' }).first().click();
    await page.getByRole('button', { name: 'Pause and take over' }).first().waitFor();
    await client.act('click-element', { name: 'Push me' });

    await page.getByRole('button', { name: 'Stop everything' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await client.refused('stopped', 'click-element', { name: 'Push me' });
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Stop everything' }).waitFor();
    expect(faults.filter((fault) => !isRefusedLook(fault))).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(`${scene.host.url}/`) && !url.startsWith('blob:'))).toEqual([]);
    expect(asked.filter((url) => url.includes('code='))).toEqual([]);
  });

  it('gets nothing from a link that was used', async () => {
    const link = await linkOf();
    const first = await open(link);
    await first.page.getByRole('tab', { name: 'Live' }).waitFor();
    const second = await open(link);
    await second.page.getByText('This link was used before').waitFor();
    expect(await second.page.getByRole('tab').count()).toBe(0);
    expect(second.page.url()).not.toContain('code=');
  });

  it('[page.viewer] as a viewer sees and cannot act', async () => {
    const { page } = await open(await linkOf('viewer'));
    await page.locator('.picture img').waitFor();
    expect(await page.getByRole('button', { name: 'Stop everything' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Pause and take over' }).count()).toBe(0);
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Live', 'Approvals']);
  });

  it('points at an element and gets a query that works', async () => {
    const { page } = await open(await linkOf());
    await tab(page, 'Inspector');
    await page.getByRole('searchbox', { name: 'Find' }).fill('Push me');
    await page.getByRole('treeitem', { name: 'Button “Push me”' }).click();
    await page.locator('.outline.is-chosen').waitFor();
    const sources = page.getByRole('region', { name: 'What each source shows' });
    await sources.getByRole('row', { name: /^Window .*Push me/ }).waitFor();
    await page.getByText('The host finds exactly this element').waitFor();
    await page.getByRole('button', { name: 'MCP' }).click();
    const calls = ((await page.locator('pre').first().textContent()) ?? '').split('\n').map((line) => JSON.parse(line));
    expect(calls.map(({ name }) => name)).toEqual(['bind_to_window', 'click_element']);
    const fresh = new Client(scene.host, 'pasted');
    await fresh.act('bind-to-window', calls[0].arguments);
    await fresh.act('click-element', calls[1].arguments);
  });

  it('[page.cards] sees a waiting card in its words, denies it, and cannot approve it unless the policy allows that', async () => {
    await client.policy({ level: 'control' });
    try {
      const { page } = await open(await linkOf());
      const asked = scene.host.call('click-element', { name: 'Push me' });
      await tab(page, 'Approvals');
      await page.getByText('click the button “Push me”').waitFor();
      expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Deny', exact: true }).click();
      expect((await asked).body).toMatchObject({ code: 'approval_denied' });

      await client.policy({ level: 'control', approvals: { surfaces: ['overlay', 'api', 'page'] } });
      const allowed = await open(await linkOf());
      const again = scene.host.call('click-element', { name: 'Push me' });
      await tab(allowed.page, 'Approvals');
      await allowed.page.getByRole('button', { name: 'Approve', exact: true }).click();
      expect((await again).body).toMatchObject({ value: true });
    } finally {
      await client.policy({ level: 'full', approvals: { surfaces: ['overlay', 'api'] } });
    }
  });

  it('has no fault that axe finds, in light and dark, and fits into 360 pixels', async () => {
    const looks = [
      { colorScheme: 'light', viewport: { width: 1200, height: 800 } },
      { colorScheme: 'dark', viewport: { width: 1200, height: 800 } },
      { colorScheme: 'light', viewport: { width: 360, height: 700 } },
    ] as const;
    for (const look of looks) {
      const { page } = await open(await linkOf(), look);
      await page.locator('.picture img').waitFor();
      for (const name of ['Live', 'Inspector', 'Approvals', 'Control']) {
        await tab(page, name);
        if (name === 'Inspector') await page.getByRole('treeitem').nth(3).click();
        if (name === 'Control') {
          await page.getByRole('button', { name: 'Check it' }).click();
          await page.getByText('Complete and unchanged').waitFor();
        }
        expect([look.colorScheme, name, await violations(page)]).toEqual([look.colorScheme, name, []]);
        expect([look.viewport.width, name, await widerThanScreen(page)]).toEqual([look.viewport.width, name, false]);
        if (pictures !== undefined)
          await page.screenshot({
            path: join(pictures, `page-${name.toLowerCase()}-${look.colorScheme}-${look.viewport.width}.png`),
          });
      }
      await page.context().close();
    }
  });

  it('reaches every view and the tree without a mouse', async () => {
    const { page } = await open(await linkOf());
    await page.locator('.picture img').waitFor();
    await page.getByRole('tab', { name: 'Live' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tree').waitFor();
    await page.reload();
    await page.getByRole('tree').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'What it does' }).waitFor();
    await page.goForward();
    await page.getByRole('treeitem').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('treeitem', { selected: true }).count()).toBe(1);
    await page.locator('.outline.is-chosen').waitFor();
  });

  it('[page.text] shows hostile texts of programs as text', async () => {
    const notepad = await scene.notepad();
    await client.bind({ hwnd: notepad.hwnd });
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    await client.act('type-into-element', { role: 'Edit', text: hostile });
    const { page, faults } = await open(`${await linkOf()}&view=inspector&hwnd=${notepad.hwnd}`);
    await page.getByRole('treeitem', { name: /^Edit/ }).first().click();
    await page.getByText('<img src=x').first().waitFor();
    expect(await page.title()).toBe('uiahost page');
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(faults).toEqual([]);
    await client.bind({ hwnd: controls.hwnd });
  });
});

describe('an agent', () => {
  it('[page.own] cannot list, bind or see a window that shows the page', async () => {
    const file = join(scene.folder(), 'uiahost page.txt');
    writeFileSync(file, 'approve me');
    await using opened = startProgram('notepad.exe', [windowsPath(file)]);
    const shown = await until(
      async () => (await scene.witness.windows()).find(({ title }) => title.startsWith('uiahost page')),
      'the window with the page’s title',
    );
    const { value: listed } = await client.act('list-visible-windows');
    expect(listed.filter(({ hwnd }: { hwnd: string }) => hwnd === shown.hwnd)).toEqual([]);
    await client.refused('target_not_found', 'bind-to-window', { hwnd: shown.hwnd });
    expect(opened).toBeDefined();
    await client.bind({ hwnd: controls.hwnd });
  });

  it('[page.own] that bound a browser before it showed the page reaches it by no action', async () => {
    const browserLike = await scene.fixture('controls');
    await client.bind({ hwnd: browserLike.hwnd });
    await browserLike.tell('title uiahost page – Browser');
    const before = browserLike.journal.events().length;
    const tries: ReadonlyArray<readonly [string, object]> = [
      ['snapshot', {}],
      ['screenshot', {}],
      ['describe-element', { name: 'Push me' }],
      ['click-element', { name: 'Push me' }],
      ['click', { x: 20, y: 20 }],
      ['type-into-element', { name: 'Full name', text: 'a' }],
      ['select-element', { name: 'Country', item: 'France' }],
      ['key', { keySequence: 'enter' }],
      ['virtual-keyboard', { action: 'type', text: 'a' }],
      ['virtual-mouse', { action: 'click', x: 20, y: 20 }],
      ['get-window-rect', {}],
      ['activate-window', {}],
    ];
    const answers: string[] = [];
    for (const [name, input] of tries) {
      const { status, body } = await client.send(name, input);
      answers.push(`${name}: ${status === 200 ? 'done' : body.code}`);
    }
    await client.bind({ hwnd: controls.hwnd });
    expect(answers).toEqual(tries.map(([name]) => `${name}: target_not_found`));
    expect(browserLike.journal.events().slice(before)).toEqual([]);
  });

  it('[page.own] cannot answer its own card, open the page or look through it', async () => {
    await client.policy({ level: 'control', approvals: { surfaces: ['overlay', 'api', 'page'] } });
    try {
      const { card } = await client.pending('click-element', { name: 'Push me' });
      const tries: ReadonlyArray<readonly [string, object | undefined]> = [
        [`/v1/approvals/${card.approvalId}`, { decision: 'approve' }],
        ['/v1/page/codes', {}],
        ['/v1/page/codes', { scope: 'viewer' }],
        ['/v1/page/policy', { level: 'full' }],
        [`/v1/page/window?hwnd=${controls.hwnd}`, undefined],
      ];
      for (const [path, body] of tries) {
        const answer = await scene.host.request(path, { token: 'agent', ...(body === undefined ? {} : { body }) });
        expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'permission_denied']);
      }
      const { body } = await scene.host.request(`/v1/approvals/${card.approvalId}`, { token: 'operator' });
      expect(body).toMatchObject({ status: 'pending' });
      await client.decide(card.approvalId, 'deny');
    } finally {
      await client.policy({ level: 'full', approvals: { surfaces: ['overlay', 'api'] } });
    }
  });
});

// `npm run pictures`: makes the README's pictures in docs/pictures from the running product, on its own desktop and
// host, which end with it: an approval card in the demo, a dialog of the demo next to its snapshot, and the page that shows
// them, each in light and dark. The page needs Chromium (Debian's package).
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoCommand } from './lib/demo.mjs';
import { ensurePackages, ensureWindowsTree } from './lib/dependencies.mjs';
import { startDesktop } from './lib/desktop.mjs';
import { startHost } from './lib/host.mjs';
import { isWindows, root, windowsPath } from './lib/places.mjs';
import { end } from './lib/processes.mjs';
import { fail, say, SetupError } from './lib/progress.mjs';
import { besideText, themes, withoutSurroundings } from './lib/readme-pictures.mjs';
import { openDisplay } from './lib/x-client.mjs';

/** 200 %: the README shows the pictures at half size, so they are crisp on dense screens too. */
const dotsPerInch = 192;
const screen = { width: 2400, height: 2200 };
const folder = path.join(root, 'docs/pictures');
/** Milliseconds until a card is whole: its Approve is drawn as idle for the first 700. */
const settles = 2000;

/**
 * The agent's actions in the demo, at level full: it fills the order in, and opens a dialog.
 * @type {Array<[action: string, input: Record<string, string>]>}
 */
const steps = [
  ['bind-to-window', { title: 'uiahost demo' }],
  ['type-into-element', { name: 'Customer', text: 'Ada Lovelace' }],
  ['type-into-element', { name: 'E-mail', text: 'ada@example.org' }],
  ['select-element', { name: 'Product', item: 'Coffee' }],
  ['click-element', { name: 'Express delivery' }],
  ['click-element', { name: 'Order details…' }],
  ['bind-to-window', { title: 'Order details' }],
  ['type-into-element', { name: 'Comment', text: 'Please ring twice' }],
];
/**
 * Then, after the dialog's picture was taken: back to the order.
 * @type {Array<[action: string, input: Record<string, string>]>}
 */
const back = [
  ['click-element', { name: 'OK' }],
  ['bind-to-window', { title: 'uiahost demo' }],
];
/**
 * The action that it then requests, at level control.
 * @type {[action: string, input: Record<string, string>]}
 */
const asked = ['click-element', { name: 'Place order' }];

/** The clean-up steps; run in reverse order. */
const clean = [];
const cleanUp = async () => {
  for (const undo of clean.splice(0).reverse()) await undo();
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)));

try {
  if (isWindows) throw new SetupError('This command is for Linux, where it makes its own desktop.');
  await makePictures();
} catch (error) {
  fail(error);
} finally {
  await cleanUp();
}

async function makePictures() {
  const [windowsTree] = await Promise.all([ensureWindowsTree(), ensurePackages()]);
  const { build } = await import('./build.mjs');
  await build({ windowsTree });
  const desktop = await startDesktop(screen);
  clean.push(() => desktop.stop());
  await setRegistry(desktop, 'Control Panel\\Desktop', 'LogPixels', dotsPerInch);

  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'uiahost-pictures-'));
  clean.push(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const { program, args } = demoCommand(windowsTree);
  // The demo's program is granted full, as npm start does.
  const env = { UIAHOST_PORT: '0', UIAHOST_LEVEL: 'full', UIAHOST_DEMO_APPS: windowsPath(program) };
  const host = await startHost({ dataDir, windowsTree, desktop, env });
  clean.push(() => host.stop());
  const calls = callsTo(host);

  mkdirSync(folder, { recursive: true });
  const write = (name, png) => {
    writeFileSync(path.join(folder, name), png);
    say(`docs/pictures/${name}: ${(png.length / 1024).toFixed(0)} kB`);
  };
  for (const theme of themes) {
    await setRegistry(
      desktop,
      'Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize',
      'AppsUseLightTheme',
      theme === 'light' ? 1 : 0,
    );
    const demo = desktop.run(program, args, { stdio: 'ignore' });
    await calls.setLevel('full');
    const opened = await openPage(host, calls, theme);
    // An open browser keeps this command from ending where a step fails.
    clean.push(() => opened.browser.close());
    await perform(calls, steps);
    for (const [view, png] of await pagePictures(opened.page)) write(`page-${view}-${theme}.png`, png);
    await opened.browser.close();
    const { value: snapshot } = await calls.act('snapshot', {});
    const { value: picture } = await calls.act('screenshot', {});
    write(
      `snapshot-${theme}.png`,
      await besideText(Buffer.from(picture.base64, 'base64'), snapshot.accessibilityText, theme),
    );
    await perform(calls, back);
    await calls.setLevel('control');
    write(`card-${theme}.png`, await cardPicture(desktop, calls));
    await end(demo, 0);
  }
}

/** Carries the actions out one after the other. */
async function perform({ act }, actions) {
  for (const [action, input] of actions) {
    // a dialog opens after the click for it was delivered
    if (action === 'bind-to-window')
      await until(input.title, async () => isOpen(await act('list-visible-windows', {}), input.title));
    await act(action, input);
  }
}

/** The page as a person opens it, which then shows what the agent does. */
async function openPage(host, { code }, theme) {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const size = { viewport: { width: 1100, height: 720 }, deviceScaleFactor: 2 };
  const page = await browser.newPage({ ...size, colorScheme: theme });
  await page.goto(`${host.url}/#code=${(await code()).code}`);
  await page.getByRole('tab', { name: 'Live' }).waitFor();
  return { browser, page };
}

/**
 * What the agent did in the demo, live and in the inspector.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<Array<[view: string, png: Buffer]>>}
 */
async function pagePictures(page) {
  const session = page.locator('.session', { hasText: 'Order details' });
  await session.getByRole('button', { name: 'Watch' }).click();
  await page.locator('.picture img').waitFor({ timeout: 60_000 });
  await page.locator('.step').nth(4).waitFor();
  // the last look, which follows the last action
  await sleep(settles);
  const live = await page.screenshot();
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await page
    .getByRole('treeitem', { name: /Comment/ })
    .first()
    .click();
  await page.getByText('The host finds exactly this element').waitFor({ timeout: 60_000 });
  return [
    ['live', live],
    ['inspector', await page.screenshot()],
  ];
}

/** Requests the action, takes the picture of its card, and denies it. */
async function cardPicture(desktop, { act, pending, deny }) {
  const client = await openDisplay(desktop.display);
  try {
    const before = new Set((await client.shownWindows()).map(({ window }) => window));
    const answer = act(asked[0], asked[1], 403);
    const { approvalId } = await until('approval', async () => (await pending()).approvals[0]);
    const isCard = ({ window, width, height }) => !before.has(window) && width > 300 && height > 300;
    const card = () => until('card', async () => (await client.shownWindows()).find(isCard));
    await card();
    // it grows when the picture of the target arrives
    await sleep(settles);
    const png = await withoutSurroundings(await desktop.picture(), await card());
    await deny(approvalId);
    await answer;
    await until('end of the card', async () => !(await client.shownWindows()).some(isCard));
    return png;
  } finally {
    client.close();
  }
}

function isOpen({ value }, title) {
  return value.some((window) => window.title.includes(title));
}

/**
 * The agent's and the operator's calls to a host.
 * @param {import('./lib/host.mjs').RunningHost} host
 */
function callsTo(host) {
  /** @returns {Promise<any>} */
  const call = async (tokenFile, place, options, expected = 200) => {
    const isPatch = options.method === 'PATCH';
    const headers = {
      Authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`,
      'Content-Type': isPatch ? 'application/merge-patch+json' : 'application/json',
    };
    const response = await fetch(`${host.url}/v1/${place}`, { headers, ...options });
    const answer = await response.json();
    if (response.status !== expected)
      throw new SetupError(`${place} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const withBody = (method, body) => ({ method, body: JSON.stringify(body) });
  return {
    act: (action, input, expected) => call(host.agentTokenFile, `actions/${action}`, withBody('POST', input), expected),
    setLevel: (level) => call(host.operatorTokenFile, 'policy', withBody('PATCH', { level })),
    pending: () => call(host.operatorTokenFile, 'approvals?status=pending', {}),
    code: () => call(host.operatorTokenFile, 'page/codes', withBody('POST', {}), 201),
    deny: (id) => call(host.operatorTokenFile, `approvals/${id}`, withBody('POST', { decision: 'deny' })),
  };
}

/**
 * Reads until the answer is truthy, and returns it.
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} read
 * @returns {Promise<NonNullable<T>>}
 */
async function until(what, read, milliseconds = 60_000) {
  for (const end = performance.now() + milliseconds; performance.now() < end;) {
    const answer = await read();
    if (answer) return answer;
    await sleep(50);
  }
  throw new SetupError(`Waited ${milliseconds / 1000} s for: ${what}.`, 'run the command again');
}

async function setRegistry(desktop, key, name, number) {
  const words = ['add', `HKCU\\${key}`, '/v', name, '/t', 'REG_DWORD', '/d', String(number), '/f'];
  const [status] = await once(desktop.run('reg.exe', words, { stdio: 'ignore' }), 'exit');
  if (status !== 0) throw new SetupError(`reg.exe ended with status ${status} when it set ${name}.`);
}

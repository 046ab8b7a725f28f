/** End to end: the status strip of statusIndicator. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import type { Fixture } from '../support/fixture.ts';
import { person } from '../support/hardware.ts';
import { decode } from '../support/pixels.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import type { SeenWindow } from '../support/witness.ts';

const AT = { x: 120, y: 90, width: 520, height: 380 };
const SESSIONS = '/v1/computer-use/sessions';
let scene: Scene;
let client: Client;
let shown: Fixture;

beforeAll(async () => {
  scene = await Scene.open();
  client = scene.client;
  shown = await scene.fixture('sentinel', {
    title: 'Has a strip',
    args: ['--x', AT.x, '--y', AT.y, '--width', AT.width, '--height', AT.height],
  });
  await client.bind({ hwnd: shown.hwnd });
});
afterAll(() => scene?.[Symbol.asyncDispose]());

/** Strips that another program sees with this text. */
const strips = async (text: string): Promise<SeenWindow[]> =>
  (await scene.witness.windows()).filter((window) => window.title === `The agent says: “${text}”`);
const strip = async (text: string): Promise<SeenWindow> =>
  (
    await until(
      () => strips(text),
      (all) => all.length === 1,
    )
  )[0]!;
const noStrip = (text: string) =>
  until(
    () => strips(text),
    (all) => all.length === 0,
  );
const indicate = async (action: 'show' | 'hide' | 'status', message?: string, by = client) =>
  (await by.act('status-indicator', { action, ...(message === undefined ? {} : { message }) })).value;
const lowerMiddle = ({ x, y, width, height }: SeenWindow) => ({
  x: x + Math.floor(width / 2),
  y: y + Math.floor(height / 2),
});

describe('statusIndicator', () => {
  test('[method.statusIndicator] [indicator.strip] [indicator.truth] [indicator.hide] show, status, hide and show again, as another program sees it', async () => {
    expect(await indicate('status')).toEqual({ active: false });
    expect(await indicate('show', 'Reading\u0007 your\nletter')).toEqual({
      active: true,
      message: 'Reading your letter',
    });
    expect(await strip('Reading your letter')).toMatchObject({ x: AT.x, width: AT.width });
    expect(await indicate('status')).toEqual({ active: true, message: 'Reading your letter' });
    expect(await indicate('hide')).toEqual({ active: false });
    expect(await strips('Reading your letter')).toEqual([]);
    expect(await indicate('show', 'x'.repeat(500))).toEqual({ active: true, message: 'x'.repeat(120) });
    await strip('x'.repeat(120));
    expect(await indicate('hide')).toEqual({ active: false });
  });

  test('[indicator.strip] a person’s click goes through it to the window, and the focus stays where it is', async () => {
    const busy = await scene.fixture('sentinel', {
      title: 'Busy elsewhere',
      args: ['--x', 700, '--y', 90, '--width', 300, '--height', 200, '--activate'],
    });
    await until(
      () => scene.witness.where(),
      ({ foreground }) => foreground === busy.hwnd,
    );
    await indicate('show', 'Click me through');
    const point = lowerMiddle(await strip('Click me through'));
    expect((await scene.witness.where()).foreground).toBe(busy.hwnd);
    expect((await scene.witness.at(point.x, point.y)).root).toBe(shown.hwnd);
    shown.journal.mark();
    await person.moveMouse(point.x, point.y);
    await person.click();
    expect(await shown.journal.waitFor({ event: 'mouse', kind: 'down' })).toMatchObject({
      origin: 'hardware',
      screenX: point.x,
      screenY: point.y,
    });
    expect(await strips('Click me through')).toHaveLength(1);
    await indicate('hide');
  });

  test('[indicator.strip] the host neither lists nor binds it, and no picture shows it', async () => {
    await indicate('show', 'Not for pictures');
    const { hwnd, pid, x, y, width, height } = await strip('Not for pictures');
    expect(
      (await client.act('list-visible-windows')).value.map((window: { hwnd: string }) => window.hwnd),
    ).not.toContain(hwnd);
    await client.refused('target_not_found', 'bind-to-window', { hwnd });
    await client.refused('target_not_found', 'bind-to-window', { title: 'Not for pictures' });
    await client.refused('target_not_found', 'bind-to-window', { pid });
    // The window's own picture has its own colour there; the display's is painted over.
    const window = (await client.act('screenshot')).value;
    const own = await decode(window.base64);
    expect(own.coloursIn(x - AT.x + 8, y - AT.y + 1, width - 16, height - 8)).toBe(1);
    await client.policy({ flags: ['displayCapture'] });
    const display = (
      await client.act('screenshot', { displayId: (await client.act('list-displays')).value[0].displayId })
    ).value;
    await client.policy({ flags: [] });
    const all = await decode(display.base64);
    const scale = display.width / display.displayWidth;
    expect(
      all.coloursIn(
        Math.ceil(x * scale) + 1,
        Math.ceil(y * scale) + 1,
        Math.floor(width * scale) - 3,
        Math.floor(height * scale) - 3,
      ),
    ).toBe(1);
    await indicate('hide');
  });

  test('[indicator.truth] follows its window: moved, minimised, back again', async () => {
    await indicate('show', 'Wherever you go');
    await client.act('manage-window', { action: 'move_resize', x: 200, y: 140, width: 480, height: 320 });
    await until(
      () => strips('Wherever you go'),
      ([seen]) => seen !== undefined && seen.x === 200 && seen.width === 480 && seen.y + seen.height === 460,
    );
    await client.act('manage-window', { action: 'minimize' });
    await noStrip('Wherever you go');
    expect(await indicate('status')).toEqual({ active: false, message: 'Wherever you go' });
    await client.act('manage-window', { action: 'restore' });
    await strip('Wherever you go');
    expect(await indicate('status')).toEqual({ active: true, message: 'Wherever you go' });
    await client.act('manage-window', { action: 'move_resize', ...AT });
    await indicate('hide');
  });

  test('[indicator.strip] one strip for each binding; it goes when the binding ends', async () => {
    const other = new Client(scene.host, 'other');
    await other.bind({ hwnd: shown.hwnd });
    await indicate('show', 'Mine');
    await indicate('show', 'Theirs', other);
    expect([await strips('Mine'), await strips('Theirs')].map((all) => all.length)).toEqual([1, 1]);
    await other.act('unbind-from-window');
    await noStrip('Theirs');
    await strip('Mine');
    const next = await scene.fixture('sentinel', { title: 'The next one' });
    await client.bind({ hwnd: next.hwnd });
    await noStrip('Mine');
    await indicate('show', 'Here now');
    await next[Symbol.asyncDispose]();
    await noStrip('Here now');
    expect(await indicate('status')).toEqual({ active: false });
    await client.refused('window_gone', 'status-indicator', { action: 'show' });
  });

  test('[indicator.strip] gone when its session ends', async () => {
    const notepad = await scene.notepad();
    const { status, body } = await scene.host.request(SESSIONS, {
      body: { goal: 'Show a strip', urls: [`app:${encodeURIComponent('c:\\windows\\system32\\notepad.exe')}`] },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    const session = new Client(scene.host, body.computerUseSessionId);
    await session.bind({ hwnd: notepad.hwnd });
    await indicate('show', 'For a session', session);
    await strip('For a session');
    const ended = await scene.host.request(`${SESSIONS}/${session.session}/control`, {
      body: { computerUseSessionId: session.session, action: 'abort' },
    });
    expect(ended.status, JSON.stringify(ended.body)).toBe(200);
    await noStrip('For a session');
  });

  test('[indicator.strip] gone when the host ends, also when it is killed', async () => {
    await client.bind({ hwnd: shown.hwnd });
    await indicate('show', 'Until the end');
    await strip('Until the end');
    await scene.host.kill();
    await until(
      () => strips('Until the end'),
      (all) => all.length === 0,
      15_000,
    );
  });
});

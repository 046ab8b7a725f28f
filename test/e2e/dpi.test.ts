/** A desktop at 150 %, on which a DPI-unaware program counts in its own pixels: two thirds of the screen's. */
import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { controlId } from '../support/controls.ts';
import { decode } from '../support/pixels.ts';
import { fixture, startDesktop, startHost, windowsPath, type Desktop, type TestHost } from '../support/desktop.ts';
import { Journal } from '../support/journal.ts';
import type { TreeNode } from '../support/snapshot-tree.ts';

let desktop: Desktop;
let host: TestHost;
let client: Client;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'uiahost-dpi-'));
  desktop = await startDesktop({ width: 1600, height: 1100 });
  const [status] = await once(
    desktop.run(
      'reg.exe',
      ['add', String.raw`HKCU\Control Panel\Desktop`, '/v', 'LogPixels', '/t', 'REG_DWORD', '/d', '144', '/f'],
      { stdio: 'ignore' },
    ),
    'exit',
  );
  expect(status).toBe(0);
  host = await startHost({ desktop });
  client = new Client(host);
}, 60_000);
afterAll(async () => {
  await host?.stop();
  await desktop?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(name: string, args: readonly string[]): Promise<{ hwnd: string; journal: Journal; ready: any }> {
  const journal = new Journal(join(folder, `${name}-${args.length}.jsonl`));
  desktop.run(
    fixture(`${name}.exe`),
    ['--title', `${name} ${args.join(' ')}`, '--journal', windowsPath(journal.file), '--x', '60', '--y', '40', ...args],
    { stdio: 'ignore' },
  );
  const ready = await journal.waitFor({ event: 'ready' }, 20_000);
  return { hwnd: String(ready['hwnd']), journal, ready };
}

/** In the image of the observation. */
const centreOf = ({ x, y, width, height }: TreeNode): { x: number; y: number } => ({
  x: x + width / 2,
  y: y + height / 2,
});
const SCALE = 1.5;

describe('a program that is not aware of DPI', () => {
  let target: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    target = await start('controls', ['--unaware', '--width', '860', '--height', '560']);
    await client.bind({ hwnd: target.hwnd });
  });

  it('is seen in physical pixels, half as large again as it sees itself', async () => {
    expect((await client.act('list-displays')).value).toMatchObject([
      { width: 1600, height: 1100, scaleFactor: SCALE },
    ]);
    const [left, top, right, bottom] = target.ready.rect as [number, number, number, number];
    expect((await client.act('get-window-rect')).value).toEqual({
      x: left * SCALE,
      y: top * SCALE,
      width: (right - left) * SCALE,
      height: (bottom - top) * SCALE,
    });
  });

  it('gets mouse messages in its own pixels, from points of an image and of the client area', async () => {
    const { nodes } = await client.look({ maxTokens: 40_000 });
    const box = nodes.find(({ id }) => id === String(controlId('CHECK')))!;
    const own = { x: box.width / SCALE / 2, y: box.height / SCALE / 2 };
    const down = async (): Promise<any> => {
      const event = await target.journal.waitFor({ event: 'mouse', kind: 'down', id: controlId('CHECK') });
      target.journal.mark();
      return event;
    };
    const expectOwn = ({ x, y }: any): void => {
      expect(Math.abs(x - own.x)).toBeLessThanOrEqual(1);
      expect(Math.abs(y - own.y)).toBeLessThanOrEqual(1);
    };
    target.journal.mark();
    await client.act('click', centreOf(box));
    expectOwn(await down());
    // The observation's image is the whole window; its client area begins below the title.
    const [left, top] = target.ready.rect as [number, number];
    const [clientLeft, clientTop] = target.ready.client as [number, number];
    const inClient = {
      x: centreOf(box).x - (clientLeft - left) * SCALE,
      y: centreOf(box).y - (clientTop - top) * SCALE,
    };
    await client.act('virtual-mouse', { action: 'click', space: 'client', ...inClient });
    expectOwn(await down());
  });

  it('gets wheel messages with the screen point that it counts', async () => {
    const { nodes } = await client.look({ maxTokens: 40_000 });
    const list = nodes.find(({ id }) => id === String(controlId('LISTBOX')))!;
    target.journal.mark();
    await client.act('scroll', { ...centreOf(list), dx: 0, dy: 1 });
    const { screenX, screenY } = await target.journal.waitFor({ event: 'wheel' });
    const [left, top] = target.ready.rect as [number, number];
    expect(Math.abs(screenX - (left + centreOf(list).x / SCALE))).toBeLessThanOrEqual(1);
    expect(Math.abs(screenY - (top + centreOf(list).y / SCALE))).toBeLessThanOrEqual(1);
  });

  it('is pictured as it draws itself, with the geometry of the screen', async () => {
    const [left, top, right, bottom] = target.ready.rect as [number, number, number, number];
    const { value } = await client.act('screenshot');
    expect(value).toMatchObject({
      displayWidth: (right - left) * SCALE,
      displayHeight: (bottom - top) * SCALE,
      originX: left * SCALE,
      originY: top * SCALE,
    });
    const picture = await decode(value.base64);
    expect([picture.width, picture.height]).toEqual([value.width, value.height]);
    // What lies beyond a bitmap of the wrong size would be black: the status bar reaches into the last corner.
    const corner = picture.at(picture.width - 12, picture.height - 12);
    expect(corner.r + corner.g + corner.b).toBeGreaterThan(300);
    // Where the text has a check box, the picture shows more than a plain surface.
    const { nodes } = await client.look({ maxTokens: 40_000 });
    const box = nodes.find(({ id }) => id === String(controlId('CHECK')))!;
    const scale = value.width / value.displayWidth;
    expect(
      picture.coloursIn(
        ...([box.x, box.y, box.width, box.height].map((each) => Math.round(each * scale)) as [
          number,
          number,
          number,
          number,
        ]),
      ),
    ).toBeGreaterThan(1);
  });
});

it('a program next to it that is aware of DPI: gets the same points unchanged', async () => {
  const target = await start('controls', ['--width', '1290', '--height', '840']);
  await client.bind({ hwnd: target.hwnd });
  const { nodes } = await client.look({ maxTokens: 40_000 });
  const box = nodes.find(({ id }) => id === String(controlId('CHECK')))!;
  target.journal.mark();
  await client.act('click', centreOf(box));
  const { x, y } = await target.journal.waitFor({ event: 'mouse', kind: 'down', id: controlId('CHECK') });
  expect(Math.abs(x - box.width / 2)).toBeLessThanOrEqual(1);
  expect(Math.abs(y - box.height / 2)).toBeLessThanOrEqual(1);
});

it('[outcome.confirmed] the picture of a program that is not aware of DPI is not evidence of what a click changed: its pixels are not the screen’s', async () => {
  const target = await start('controls', ['--unaware', '--width', '860', '--height', '660', '--topmost']);
  await target.journal.waitFor({ event: 'late_shown' }, 20_000);
  await client.bind({ hwnd: target.hwnd });
  const { outcome } = await client.act('click-element', { automationId: String(controlId('CUSTOM')) });
  await target.journal.waitFor({ event: 'custom_click' });
  expect(outcome).toMatchObject({ effect: 'unverified', evidence: [] });
});

it('a program that is not aware of DPI from its start is in its picture as a whole, where its elements are', async () => {
  const target = await start('places', ['--unaware-process']);
  await client.bind({ hwnd: target.hwnd });
  const { value } = await client.act('screenshot');
  const picture = await decode(value.base64);
  const { nodes } = await client.look({ maxTokens: 40_000 });
  const square = nodes.find(({ id }) => id === '106')!;
  for (const [across, down] of [
    [0.2, 0.2],
    [0.8, 0.8],
  ] as const) {
    const at = { x: Math.floor(square.x + square.width * across), y: Math.floor(square.y + square.height * down) };
    expect(picture.at(at.x, at.y)).toEqual({ r: 255, g: 0, b: 0 });
  }
  await client.act('click', centreOf(nodes.find(({ id }) => id === '103')!));
  await target.journal.waitFor({ event: 'pressed', id: 103 });
});

/** End to end: windows, applications, the clipboard and displays. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { decode } from '../support/pixels.ts';
import { Scene, type NotepadWindow } from '../support/scene.ts';

let scene: Scene;
let notepad: NotepadWindow;
let client: Client;
const NOTEPAD = 'c:\\windows\\system32\\notepad.exe';

beforeAll(async () => {
  scene = await Scene.open();
  client = scene.client;
  notepad = await scene.notepad();
});
afterAll(() => scene?.[Symbol.asyncDispose]());

const seen = async (): Promise<any> => (await scene.witness.windows()).find(({ hwnd }) => hwnd === notepad.hwnd);

describe('the window', () => {
  it('[method.manageWindow] is managed, and each change is seen from outside before it is called done', async () => {
    await client.bind({ hwnd: notepad.hwnd });
    const manage = (action: string, more: object = {}): ReturnType<Client['act']> =>
      client.act('manage-window', { action, ...more });
    expect((await manage('minimize')).value).toBe(true);
    expect((await seen()).minimized).toBe(true);
    expect((await manage('restore')).value).toBe(true);
    expect((await seen()).minimized).toBe(false);
    expect((await manage('maximize')).value).toBe(true);
    expect((await seen()).width).toBeGreaterThanOrEqual(1280);
    await manage('restore');
    const moved = await manage('move_resize', { x: 100, y: 120, width: 500, height: 400 });
    expect(moved.value).toBe(true);
    expect(await seen()).toMatchObject({ x: 100, y: 120, width: 500, height: 400 });
    expect(JSON.stringify((await manage('get_rect')).outcome)).toContain('"width":500');
    // A size alone leaves the place.
    expect((await manage('move_resize', { width: 520, height: 420 })).value).toBe(true);
    expect(await seen()).toMatchObject({ x: 100, y: 120, width: 520, height: 420 });
    await client.refused('invalid_argument', 'manage-window', { action: 'move_resize', width: 10 });
    expect(await seen()).toMatchObject({ width: 520, height: 420 });
    await using other = await scene.fixture('sentinel', { args: ['--activate'] });
    expect((await scene.witness.where()).foreground).toBe(other.hwnd);
    expect(await manage('focus')).toMatchObject({ value: true, outcome: { focusChanged: true } });
    expect((await scene.witness.where()).foreground).toBe(notepad.hwnd);
  });

  it('[manage.still-open] close waits for the end; a question about changes is still_open with its window, binding kept', async () => {
    const document = await scene.notepad();
    await client.bind({ hwnd: document.hwnd });
    await client.act('virtual-keyboard', { action: 'type', text: 'unsaved' });
    const problem = await client.refused('still_open', 'manage-window', { action: 'close' });
    const dialog = problem.candidates?.[0]?.hwnd ?? /\d{4,}/.exec(problem.detail)?.[0];
    expect((await scene.witness.windows()).find(({ hwnd }) => hwnd === dialog)).toMatchObject({ pid: document.pid });
    expect((await client.act('get-binding-status')).value).toMatchObject({ bound: true, hwnd: document.hwnd });
    await client.bind({ hwnd: dialog! });
    await client.act('click-element', { name: 'Cancel' });
    await client.bind({ hwnd: document.hwnd });
    await client.act('type-into-element', { role: 'textbox', text: '' });
    const empty = await scene.notepad();
    await client.bind({ hwnd: empty.hwnd });
    expect((await client.act('manage-window', { action: 'close' })).value).toBe(true);
    expect((await scene.witness.windows()).map(({ hwnd }) => hwnd)).not.toContain(empty.hwnd);
    await document.program.kill();
  });
});

describe('applications', () => {
  it('[method.listRunningApps] [method.getFrontmostApp] [method.appUnderPoint] [app.identity] running applications, once each, and the application in front', async () => {
    await client.bind({ hwnd: notepad.hwnd });
    await client.act('activate-window');
    const { value } = await client.act('list-running-apps');
    expect(value.filter(({ bundleId }: any) => bundleId === NOTEPAD)).toHaveLength(1);
    expect((await client.act('get-frontmost-app')).value).toMatchObject({ bundleId: NOTEPAD });
    const { x, y, width } = await seen();
    expect((await client.act('app-under-point', { x: x + 20, y: y + 100, space: 'screen' })).value).toEqual({
      bundleId: NOTEPAD,
      displayName: expect.any(String),
    });
    // In the image of an observation if no space is given.
    const shot = (await client.act('screenshot')).value;
    expect((await client.act('app-under-point', { x: shot.width / 2, y: shot.height / 2 })).value).toMatchObject({
      bundleId: NOTEPAD,
    });
    await client.refused('invalid_argument', 'app-under-point', { x: shot.width, y: 10 });
    await client.refused('invalid_argument', 'app-under-point', { x: -5000, y: 10, space: 'screen' });
    // The empty desktop belongs to no application.
    await client.act('manage-window', { action: 'move_resize', x: 0, y: 0, width, height: 300 });
    const windows = await scene.witness.windows();
    const isFree = (px: number, py: number): boolean =>
      !windows.some(
        (each) =>
          !each.minimized && px >= each.x && px < each.x + each.width && py >= each.y && py < each.y + each.height,
      );
    const free = [1270, 1000, 700]
      .flatMap((px) => [790, 600, 400].map((py) => [px, py] as const))
      .find(([px, py]) => isFree(px, py));
    expect(free).toBeDefined();
    expect((await client.act('app-under-point', { x: free![0], y: free![1], space: 'screen' })).value).toBeNull();
  });

  it('[method.listInstalledApps] [method.getAppIcon] installed applications, and an icon as a PNG', async () => {
    const { value } = await client.act('list-installed-apps');
    expect(Array.isArray(value)).toBe(true);
    for (const app of value)
      expect(app).toEqual({ bundleId: expect.any(String), displayName: expect.any(String), path: expect.any(String) });
    const icon = (await client.act('get-app-icon', { path: 'C:\\windows\\system32\\notepad.exe' })).value as string;
    expect(icon).toMatch(/^data:image\/png;base64,/);
    expect((await decode(icon.split(',')[1]!)).width).toBeGreaterThanOrEqual(16);
    expect((await client.act('get-app-icon', { path: 'C:\\no\\such.exe' })).value).toBeNull();
  });

  it('[method.openApp] [grant.unknown] opens an application and waits for it; refuses an unknown name', async () => {
    const before = new Set((await scene.witness.windows()).map(({ hwnd }) => hwnd));
    const done = await client.act('open-app', { bundleId: 'C:\\windows\\system32\\notepad.exe' });
    expect(done.value).toBeNull();
    const opened = (await scene.witness.windows()).filter(
      ({ hwnd, className }) => !before.has(hwnd) && className === 'Notepad',
    );
    expect(opened).toHaveLength(1);
    await client.bind({ hwnd: opened[0]!.hwnd });
    await client.act('manage-window', { action: 'close' });
    await client.refused('app_not_granted', 'open-app', { bundleId: 'C:\\windows\\no-such-program.exe' });
  });

  it('[method.findWindowDisplays] an application’s displays', async () => {
    const [primary] = (await client.act('list-displays')).value;
    expect((await client.act('find-window-displays', { bundleIds: [NOTEPAD, 'c:\\not\\running.exe'] })).value).toEqual([
      { bundleId: NOTEPAD, displayIds: [primary.displayId] },
      { bundleId: 'c:\\not\\running.exe', displayIds: [] },
    ]);
  });
});

it('[method.readClipboard] [method.writeClipboard] [clipboard.flags] [clipboard.audit] the clipboard is read and written with its flags, untrimmed, and audited without its text', async () => {
  const text = '  Zwetschge \t’ 🦊\r\n ';
  expect((await client.refused('grant_flag_required', 'read-clipboard')).detail).toContain('clipboardRead');
  await client.policy({ flags: ['clipboardRead', 'clipboardWrite'] });
  const written = await client.act('write-clipboard', { text });
  expect((await client.act('read-clipboard')).value).toBe(text);
  const { entries } = await client.operator('/v1/audit?limit=1000');
  expect(JSON.stringify(entries)).not.toContain('Zwetschge');
  expect(entries.find((entry: any) => entry.actionId === written.actionId && entry.text)?.text).toMatchObject({
    length: text.length,
    hmac: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  await client.policy({ flags: [] });
});

/** End to end: listing windows, binding one, and what happens when the bound window changes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import type { Fixture } from '../support/fixture.ts';
import { Scene, type NotepadWindow } from '../support/scene.ts';

let scene: Scene;
let controls: Fixture;
let notepad: NotepadWindow;
let client: Client;

beforeAll(async () => {
  scene = await Scene.open();
  client = scene.client;
  [controls, notepad] = [await scene.fixture('controls', { title: 'Order form' }), await scene.notepad()];
});
afterAll(() => scene?.[Symbol.asyncDispose]());

describe('listing windows', () => {
  it('[method.listVisibleWindows] lists the same windows as the second witness, front to back', async () => {
    const { value, outcome } = await client.act('list-visible-windows');
    const seen = await scene.witness.windows();
    expect(
      value.map(({ hwnd, pid, title, className, minimized }: any) => ({ hwnd, pid, title, className, minimized })),
    ).toEqual(seen.map(({ hwnd, pid, title, className, minimized }) => ({ hwnd, pid, title, className, minimized })));
    expect(value.map(({ title }: any) => title)).toEqual(expect.arrayContaining(['Order form', 'Untitled - Notepad']));
    expect(outcome).toMatchObject({ effect: 'none', focusChanged: false, cursorMoved: false });
  });

  it('[binding.own] no window of the host’s own processes is in the list, and none can be bound', async () => {
    const { pid } = JSON.parse(readFileSync(join(scene.host.dataDir, 'host.json'), 'utf8')) as { pid: number };
    const worker = (await scene.host.request('/v1/status')).body.worker.pid as number;
    const { value } = await client.act('list-visible-windows');
    expect(value.filter((window: any) => [pid, worker].includes(window.pid))).toEqual([]);
    for (const own of [pid, worker]) await client.refused('target_not_found', 'bind-to-window', { pid: own });
  });

  it('[window.list-deny] a deny-listed application’s windows are listed without title', async () => {
    const { deny } = await client.operator('/v1/policy');
    await client.operator('/v1/policy', { method: 'PATCH', body: { deny: [...deny, 'notepad.exe'] } });
    try {
      const { value } = await client.act('list-visible-windows');
      expect(value.find(({ hwnd }: any) => hwnd === notepad.hwnd)).toMatchObject({ title: '', className: 'Notepad' });
      expect(JSON.stringify(value)).not.toContain('Untitled - Notepad');
    } finally {
      await client.operator('/v1/policy', { method: 'PATCH', body: { deny } });
    }
  });
});

describe('binding', () => {
  it('[method.bindToWindow] [binding.hwnd-wire] by hwnd, decimal or hexadecimal', async () => {
    const wanted = {
      hwnd: controls.hwnd,
      title: 'Order form',
      window: expect.stringMatching(/^w_/),
      pid: controls.pid,
    };
    expect(await client.bind({ hwnd: controls.hwnd })).toEqual(wanted);
    expect(await client.bind({ hwnd: `0x${BigInt(controls.hwnd).toString(16)}` })).toEqual(wanted);
  });

  it('[binding.title-rank] by title: exact, ignoring case, a part', async () => {
    for (const title of ['Order form', 'ORDER FORM', 'der fo'])
      expect(await client.bind({ title })).toMatchObject({ hwnd: controls.hwnd });
  });

  it('[binding.criteria] by pid, and by several criteria that must all match', async () => {
    expect(await client.bind({ pid: notepad.pid })).toMatchObject({ hwnd: notepad.hwnd });
    expect(await client.bind({ hwnd: controls.hwnd, title: 'order', pid: controls.pid })).toMatchObject({
      hwnd: controls.hwnd,
    });
    await client.refused('target_not_found', 'bind-to-window', { hwnd: controls.hwnd, title: 'Notepad' });
    await client.refused('target_not_found', 'bind-to-window', { hwnd: controls.hwnd, pid: notepad.pid });
    await client.refused('invalid_argument', 'bind-to-window', {});
  });

  it('[binding.title-rank] an exact title wins; equal matches are ambiguous, with candidates', async () => {
    await using one = await scene.fixture('sentinel', { title: 'Twin' });
    await using two = await scene.fixture('sentinel', { title: 'Twin set' });
    await using three = await scene.fixture('sentinel', { title: 'The twin set' });
    expect(await client.bind({ title: 'Twin' })).toMatchObject({ hwnd: one.hwnd });
    const { candidates } = await client.refused('target_ambiguous', 'bind-to-window', { title: 'win set' });
    expect(candidates?.map(({ hwnd }) => hwnd).sort()).toEqual([two.hwnd, three.hwnd].sort());
    expect(candidates?.map(({ title }) => title).sort()).toEqual(['The twin set', 'Twin set']);
    expect(await client.bind({ title: 'win set', pid: three.pid })).toMatchObject({ hwnd: three.hwnd });
  });

  it('[binding.quiet] neither restores, raises nor focuses, and does not move the cursor', async () => {
    await using sentinel = await scene.fixture('sentinel', { args: ['--activate'] });
    await client.bind({ hwnd: notepad.hwnd });
    await client.act('manage-window', { action: 'minimize' });
    await sentinel.tell('activate');
    await sentinel.tell('reset');
    await client.bind({ hwnd: controls.hwnd });
    await client.bind({ hwnd: notepad.hwnd });
    await sentinel.tell('report');
    const report = await sentinel.journal.waitFor({ event: 'report' });
    expect(report).toMatchObject({ focusLosses: 0, foregroundChanges: 0, cursorMoves: 0, isForeground: true });
    expect((await scene.witness.windows()).find(({ hwnd }) => hwnd === notepad.hwnd)?.minimized).toBe(true);
    await client.act('manage-window', { action: 'restore' });
  });

  it('[method.getBindingStatus] the status shows the present title and rectangle, or that nothing is bound', async () => {
    await client.bind({ hwnd: controls.hwnd });
    await controls.tell('title Order form*');
    const seen = (await scene.witness.windows()).find(({ hwnd }) => hwnd === controls.hwnd)!;
    const rect = { x: seen.x, y: seen.y, width: seen.width, height: seen.height };
    expect((await client.act('get-binding-status')).value).toEqual({
      bound: true,
      hwnd: controls.hwnd,
      title: 'Order form*',
      pid: controls.pid,
      rect,
    });
    await controls.tell('title Order form');
    await client.act('unbind-from-window');
    expect((await client.act('get-binding-status')).value).toEqual({ bound: false });
  });

  it('[method.getWindowRect] getWindowRect returns the outer rectangle in screen pixels', async () => {
    await client.bind({ hwnd: controls.hwnd });
    const [left = 0, top = 0, right = 0, bottom = 0] = controls.ready['rect'] as number[];
    expect((await client.act('get-window-rect')).value).toEqual({
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
    });
  });

  it('[method.unbindFromWindow] [method.hasBoundWindow] after unbinding, an action that needs a window is refused with that reason', async () => {
    await client.bind({ hwnd: controls.hwnd });
    expect((await client.act('has-bound-window')).value).toBe(true);
    expect((await client.act('unbind-from-window')).value).toBeNull();
    expect((await client.act('has-bound-window')).value).toBe(false);
    await client.refused('not_bound', 'snapshot');
    await client.refused('not_bound', 'click-element', { name: 'Push me' });
  });

  it('[binding.session] two sessions of one token have bindings of their own', async () => {
    const [red, blue] = [new Client(scene.host, 'red'), new Client(scene.host, 'blue')];
    await red.bind({ hwnd: controls.hwnd });
    await blue.bind({ hwnd: notepad.hwnd });
    expect((await red.act('get-binding-status')).value).toMatchObject({ hwnd: controls.hwnd });
    expect((await blue.act('get-binding-status')).value).toMatchObject({ hwnd: notepad.hwnd });
    expect((await new Client(scene.host, 'green').act('get-binding-status')).value).toEqual({ bound: false });
  });

  it('[binding.release] unbinding brings a window back that was moved off-screen', async () => {
    const before = await client.bind({ hwnd: notepad.hwnd }).then(() => client.act('get-window-rect'));
    await client.act('manage-window', { action: 'move_offscreen' });
    expect((await client.act('get-window-rect')).value).not.toEqual(before.value);
    await client.act('unbind-from-window');
    const seen = (await scene.witness.windows()).find(({ hwnd }) => hwnd === notepad.hwnd);
    expect(seen).toMatchObject(before.value);
  });
});

describe('a bound window that changes', () => {
  it('[binding.rechecked] a dead window is window_gone, and hasBoundWindow is false', async () => {
    const mortal = await scene.fixture('controls', { title: 'Mortal' });
    await client.bind({ hwnd: mortal.hwnd });
    await mortal.program.kill();
    for (const [name, input] of [
      ['snapshot', {}],
      ['screenshot', {}],
      ['click-element', { name: 'Push me' }],
      ['virtual-keyboard', { action: 'type', text: 'x' }],
    ] as const) {
      await client.refused('window_gone', name, input);
    }
    expect((await client.act('has-bound-window')).value).toBe(false);
    expect(await client.bind({ hwnd: notepad.hwnd })).toMatchObject({ hwnd: notepad.hwnd });
    expect((await client.look()).nodes.length).toBeGreaterThan(1);
  });

  it('[binding.hung] a hung window is window_hung within the deadline, while the server continues to answer', async () => {
    await client.bind({ hwnd: controls.hwnd });
    controls.journal.mark();
    await controls.tell('hang 8000');
    await controls.journal.waitFor({ event: 'hang' });
    const refusal = client.refused('window_hung', 'snapshot', { deadlineMs: 2000 });
    for (let index = 0; index < 5; index += 1)
      expect((await scene.host.request('/healthz', { token: 'none' })).status).toBe(200);
    expect((await refusal).delivery).toBe('not_delivered');
    expect(controls.journal.events({ event: 'awake' }), 'it hung all the while').toEqual([]);
    // the others are not delayed, and listing never waits for a window
    expect(await new Client(scene.host, 'other').bind({ hwnd: notepad.hwnd })).toMatchObject({ hwnd: notepad.hwnd });
    expect((await client.act('list-visible-windows')).value.length).toBeGreaterThan(1);
    await controls.journal.waitFor({ event: 'awake' });
    expect((await client.look()).nodes.length).toBeGreaterThan(50);
  });
});

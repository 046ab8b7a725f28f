/**
 * Hosts that end or are killed, and what the next one finds. Each test starts its own host, since a user session has
 * one at a time.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { controlId, shiftIs, shiftKey } from '../support/controls.ts';
import { startHost } from '../support/desktop.ts';
import type { Fixture } from '../support/fixture.ts';
import { Stage, type NotepadWindow } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { ShownCard } from '../support/shown-card.ts';

let stage: Stage;
let controls: Fixture;
let notepad: NotepadWindow;

beforeAll(async () => {
  stage = await Stage.empty();
  controls = await stage.fixture('controls');
  notepad = await stage.notepad();
});
afterAll(() => stage?.[Symbol.asyncDispose]());

const push = { name: 'Push me' };
const hold = { keyNames: ['shift'], durationMs: 60_000, deadlineMs: 90_000 };

describe('traces of a killed host', () => {
  it('[binding.release] a window off the desktop comes back as the next host starts, though its own was killed', async () => {
    const dataDir = stage.folder();
    const place = async (): Promise<unknown> => {
      const { x, y } = (await stage.witness.windows()).find(({ hwnd }) => hwnd === notepad.hwnd) ?? {};
      return `${x},${y}`;
    };
    const first = await startHost({ dataDir });
    const one = new Client(first);
    await one.bind({ hwnd: notepad.hwnd });
    const before = await place();
    await one.act('manage-window', { action: 'move_offscreen' });
    await until(
      () => existsSync(join(dataDir, 'moved-windows.json')),
      (isThere) => isThere,
    );
    await first.kill();
    expect(await place()).not.toBe(before);
    await using second = await startHost({ dataDir });
    await until(place, (now) => now === before);
    await until(
      () => existsSync(join(dataDir, 'moved-windows.json')),
      (isThere) => !isThere,
    );
    expect((await second.request('/v1/status')).status).toBe(200);
  });

  it('[gate.held-input] keys that are down go up when their host is killed and started again', async () => {
    const dataDir = stage.folder();
    const first = await startHost({ dataDir });
    const one = new Client(first);
    await one.bind({ hwnd: controls.hwnd });
    await controls.tell(`focus ${controlId('EDIT_NAME')}`);
    controls.journal.mark();
    const cut = one.act('hold-key', hold).catch(() => 'cut off');
    await shiftIs(controls, 'down');
    await until(
      () => existsSync(join(dataDir, 'held-input.json')),
      (isThere) => isThere,
    );
    await first.kill();
    expect(await cut).toBe('cut off');
    // Its worker may hear of the end before it ends itself, and release the key; else the next host does.
    await using second = await startHost({ dataDir });
    await shiftIs(controls, 'up');
    await until(
      () => existsSync(join(dataDir, 'held-input.json')),
      (isThere) => !isThere,
    );
    expect((await second.request('/v1/status')).status).toBe(200);
  });

  it('[overlay.robust] the overlay ends with its host, and its icon', async () => {
    const host = await startHost({ env: { UIAHOST_LEVEL: undefined } });
    const another = new Client(host);
    await another.bind({ hwnd: controls.hwnd });
    await another.pending('click-element', push);
    await ShownCard.appears(stage.witness, 'Push me');
    await until(() => stage.witness.named('uiahost-icon-'), 'the icon');
    await host.kill();
    await ShownCard.isGone(stage.witness);
    await until(async () => (await stage.witness.named('uiahost-icon-')) === null, 'the end of the icon');
  });
});

describe('the next host', () => {
  it('[session.after-crash] killed without warning: the next start recovers the lock, the audit verifies, running sessions failed, open cards are denied', async () => {
    const dataDir = stage.folder();
    const first = await startHost({ dataDir, env: { UIAHOST_LEVEL: 'control' } });
    const one = new Client(first);
    await one.bind({ hwnd: controls.hwnd });
    await one.act('snapshot');
    const started = (
      await first.request('/v1/computer-use/sessions', { body: { goal: 'look', urls: ['app:notepad.exe'] } })
    ).body;
    const { card } = await one.pending('click-element', { name: 'Push me' });
    await first.kill();

    await using second = await startHost({ dataDir, env: { UIAHOST_LEVEL: 'control' } });
    const two = new Client(second);
    expect(await two.operator('/v1/audit/verify')).toMatchObject({ ok: true, firstBad: null });
    expect((await second.request(`/v1/computer-use/sessions/${started.computerUseSessionId}`)).body).toMatchObject({
      status: 'failed',
      goal: 'look',
    });
    expect((await two.operator(`/v1/approvals/${card.approvalId}`)).status).toMatch(/denied|expired|cancelled|void/);
    expect((await two.act('get-binding-status')).value).toEqual({ bound: false });
    expect(second.agentToken).toBe(first.agentToken);
  });

  it('[host.exit-keys] a host that is ended releases the key that it holds', async () => {
    const host = await startHost({ dataDir: stage.folder() });
    const one = new Client(host);
    await one.bind({ hwnd: controls.hwnd });
    await controls.tell(`focus ${controlId('EDIT_NAME')}`);
    controls.journal.mark();
    await one.act('virtual-keyboard', { action: 'press', text: 'shift' });
    await shiftIs(controls, 'down');
    expect(shiftKey(controls, 'up')).toBeUndefined();
    await host.stop();
    await shiftIs(controls, 'up');
  });

  it('a host that is ended removes its file and its lock and leaves other programs alone', async () => {
    const dataDir = stage.folder();
    const host = await startHost({ dataDir });
    await new Client(host).bind({ hwnd: notepad.hwnd });
    await host.stop();
    expect(existsSync(join(dataDir, 'host.json'))).toBe(false);
    expect(existsSync(join(dataDir, 'host.lock'))).toBe(false);
    expect((await stage.witness.windows()).map(({ hwnd }) => hwnd)).toEqual(
      expect.arrayContaining([notepad.hwnd, controls.hwnd]),
    );
  });
});

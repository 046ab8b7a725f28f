/** End to end: killed workers, hanging targets and windows off the desktop. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { SESSION_HELD } from '../../src/contract/process/exit-codes.ts';
import { Client } from '../support/client.ts';
import { controlId, shiftIs } from '../support/controls.ts';
import { windowsPath } from '../support/desktop.ts';
import { endWindowsProcess, runSecondHost } from '../support/processes.ts';
import { sharedScene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const { scene, client, controls, notepad } = await sharedScene(async (opened) => ({
  notepad: await opened.notepad(),
  controls: await opened.boundControls(),
}));

const worker = async (): Promise<{ state: string; pid: number | null; restarts: number }> =>
  (await scene.host.request('/v1/status')).body.worker;
const isHealthy = async (): Promise<boolean> => {
  const from = performance.now();
  const { status } = await scene.host.request('/healthz', { token: 'none' });
  return status === 200 && performance.now() - from < 500;
};

describe('a killed worker', () => {
  it('[refs.never] is replaced: the server answers all the time, the binding lives, the next action works', async () => {
    const before = await client.look();
    const { pid, restarts } = await worker();
    await endWindowsProcess(pid!);
    expect(await isHealthy()).toBe(true);
    const done = await until(
      () => client.send('click-element', { name: 'Push me' }),
      ({ status }) => status === 200,
    );
    expect(done.body.value).toBe(true);
    await controls.journal.waitFor({ event: 'command', id: controlId('PUSH'), codeName: 'BN_CLICKED' });
    expect(await worker()).toMatchObject({ state: 'ready', restarts: restarts + 1 });
    expect((await worker()).pid).not.toBe(pid);
    expect((await client.act('get-binding-status')).value).toMatchObject({ hwnd: controls.hwnd });
    // numbers of the former worker are not reused for other elements
    const highest = Math.max(...before.nodes.map(({ ref }) => Number(ref.slice(1))));
    const after = (await client.look()).nodes.map(({ ref }) => Number(ref.slice(1)));
    expect(Math.min(...after)).toBeGreaterThan(highest);
    await client.refused('element_stale', 'click-element', { ref: before.nodes.at(-1)!.ref });
  });

  it('[worker.replaced-answer] in the middle of an action, which answers worker_restarted and that input may have been delivered', async () => {
    const { pid } = await worker();
    await client.bind({ hwnd: notepad.hwnd });
    const cut = client.refused('worker_restarted', 'hold-key', { keyNames: ['x'], durationMs: 8000 });
    await until(
      () => notepad.text(),
      (text) => text.length > 0,
    );
    await endWindowsProcess(pid!);
    expect((await cut).delivery).toBe('unknown');
    expect(await isHealthy()).toBe(true);
    const length = (await notepad.text()).length;
    await sleep(300);
    expect((await notepad.text()).length).toBe(length);
    await client.act('type-into-element', { role: 'textbox', text: 'and on' });
    expect(await notepad.text()).toBe('and on');
    await client.bind({ hwnd: controls.hwnd });
  });
});

it('[binding.release] a window that is off the desktop comes back by unbinding, though the worker that moved it was killed', async () => {
  const before = await client.bind({ hwnd: notepad.hwnd }).then(() => client.act('get-window-rect'));
  await client.act('manage-window', { action: 'move_offscreen' });
  const { pid, restarts } = await worker();
  await endWindowsProcess(pid!);
  await until(worker, (each) => each.state === 'ready' && each.restarts === restarts + 1, 20_000);
  expect((await client.act('get-window-rect')).value).not.toEqual(before.value);
  await client.act('unbind-from-window');
  await until(
    () => scene.witness.windows(),
    (windows) => {
      const { x, y } = windows.find(({ hwnd }) => hwnd === notepad.hwnd) ?? {};
      return x === before.value.x && y === before.value.y;
    },
  );
  await client.bind({ hwnd: controls.hwnd });
});

describe('a target that hangs', () => {
  it('[worker.deadline] in the middle of a call that cannot be cancelled: the action ends by its deadline, the next works', async () => {
    await using trap = await scene.fixture('accessible', { args: ['--hang-on', 'get_object', '--hang-ms', 20_000] });
    await client.bind({ hwnd: trap.hwnd });
    const answer = client.send('snapshot', { deadlineMs: 1500 });
    await trap.journal.waitFor({ event: 'hang' });
    expect(await isHealthy()).toBe(true);
    const { status, body } = await answer;
    expect(trap.journal.events({ event: 'awake' }), 'it hung all the while').toEqual([]);
    // a partial answer is acceptable if it says that it is partial
    if (status === 200) expect(body.value).toMatchObject({ partial: true });
    else expect(body.code).toMatch(/^(deadline_exceeded|window_hung)$/);
    const other = new Client(scene.host, 'meanwhile');
    await other.bind({ hwnd: controls.hwnd });
    const done = await until(
      () => other.send('click-element', { name: 'Push me' }),
      (each) => each.status === 200,
      8000,
    );
    expect(done.body.value).toBe(true);
    await other.act('unbind-from-window');
  });

  it('[binding.hung] a stopped program holds up neither the list nor others, and continues where it was', async () => {
    await client.bind({ hwnd: controls.hwnd });
    controls.program.freeze();
    try {
      await client.refused('window_hung', 'click-element', { name: 'Push me', deadlineMs: 2000 });
      expect(await isHealthy()).toBe(true);
      expect((await client.act('list-visible-windows')).value).toContainEqual(
        expect.objectContaining({ hwnd: controls.hwnd, title: controls.title }),
      );
      expect(await new Client(scene.host, 'beside').bind({ hwnd: notepad.hwnd })).toMatchObject({ hwnd: notepad.hwnd });
    } finally {
      controls.program.thaw();
    }
    controls.journal.mark();
    await until(
      () => client.send('click-element', { name: 'Push me' }),
      ({ status }) => status === 200,
    );
    // what was refused was not delivered later either
    expect(controls.journal.events({ event: 'command', id: controlId('PUSH'), codeName: 'BN_CLICKED' })).toHaveLength(
      1,
    );
  });
});

describe('keys that are down', () => {
  const hold = { keyNames: ['shift'], durationMs: 60_000, deadlineMs: 90_000 };

  it('[gate.held-input] go up when the action is cancelled, and when its worker is killed', async () => {
    await client.bind({ hwnd: controls.hwnd });
    await controls.tell(`focus ${controlId('EDIT_NAME')}`);
    const { restarts } = await worker();

    controls.journal.mark();
    const gone = new AbortController();
    const left = fetch(new URL('/v1/actions/hold-key', scene.host.url), {
      method: 'POST',
      signal: gone.signal,
      body: JSON.stringify(hold),
      headers: { authorization: `Bearer ${scene.host.agentToken}`, 'content-type': 'application/json' },
    }).catch(() => 'gone');
    await shiftIs(controls, 'down');
    gone.abort();
    expect(await left).toBe('gone');
    await shiftIs(controls, 'up');
    expect((await worker()).restarts).toBe(restarts);

    controls.journal.mark();
    const cut = client.refused('worker_restarted', 'hold-key', hold);
    await shiftIs(controls, 'down');
    await endWindowsProcess((await worker()).pid!);
    expect((await cut).delivery).toBe('unknown');
    await shiftIs(controls, 'up');
    expect((await worker()).restarts).toBe(restarts + 1);
  }, 90_000);
});

it('a target that is killed: while an action runs on it: the action ends with window_gone, the next one works', async () => {
  const mortal = await scene.notepad();
  await client.bind({ hwnd: mortal.hwnd });
  const cut = client.refused('window_gone', 'virtual-keyboard', { action: 'hold', text: 'x', duration: 20 });
  await until(
    () => mortal.text(),
    (text) => text.length > 0,
  );
  const killed = performance.now();
  await mortal.program.kill();
  expect((await cut).delivery).not.toBe('not_delivered');
  // long before the key would have gone up
  expect(performance.now() - killed).toBeLessThan(15_000);
  await client.refused('window_gone', 'snapshot');
  await client.bind({ hwnd: controls.hwnd });
  expect((await client.act('click-element', { name: 'Push me' })).value).toBe(true);
});

describe('the host itself', () => {
  it('a second host on the same data directory names the process that holds the lock, and the first continues', async () => {
    const second = await runSecondHost(scene.host.dataDir);
    expect(second.status).not.toBe(0);
    expect(second.output).toMatch(/lock_held/);
    const file = JSON.parse(readFileSync(join(scene.host.dataDir, 'host.json'), 'utf8'));
    expect(file).toMatchObject({ url: scene.host.url, port: Number(new URL(scene.host.url).port) });
    expect(await isHealthy()).toBe(true);
  });

  it('[host.one.session] a second host with another data directory in the same user session names the running host and its directory, and the first continues', async () => {
    const dataDir = scene.folder();
    const second = await runSecondHost(dataDir);
    expect(second.status).toBe(SESSION_HELD);
    expect(second.output).toMatch(/lock_held.*has been the host of this user session/s);
    expect(second.output).toContain(windowsPath(scene.host.dataDir));
    expect(existsSync(join(dataDir, 'host.json'))).toBe(false);
    expect(existsSync(join(dataDir, 'host.lock'))).toBe(false);
    expect(await isHealthy()).toBe(true);
  });
});

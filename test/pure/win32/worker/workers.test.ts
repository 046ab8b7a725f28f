/** The desktop workers over workers without a desktop: who serves what, limits, deaths and the end of unused ones. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { HeldInput } from '../../../../src/win32/input/held-input.ts';
import type { WorkerInit } from '../../../../src/win32/worker/protocol.ts';
import { Workers, type WorkersOptions } from '../../../../src/win32/worker/workers.ts';
import { NOTEPAD } from '../../host/stand-in-desktop.ts';
import { scratch } from '../../store/scratch.ts';
import { until } from '../../../support/until.ts';

interface Told {
  readonly init: WorkerInit;
  readonly sent: readonly string[];
  readonly pid: number;
  readonly threads: string;
}

const FIRST = NOTEPAD;
const SECOND: BindingRecord = { ...NOTEPAD, hwnd: '5000', pid: 200, processCreated: '2' };
const THIRD: BindingRecord = { ...NOTEPAD, hwnd: '6000', pid: 300, processCreated: '3' };
const TERMINAL: BindingRecord = { ...NOTEPAD, hwnd: '7000', pid: 400, className: 'ConsoleWindowClass' };

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

interface Bench {
  readonly workers: Workers;
  call(
    what: string,
    args?: unknown[],
    given?: { owner?: string; signal?: AbortSignal; deadlineMs?: number },
  ): Promise<Told>;
  /** Binds a window, as the host does, and begins an action: what the gate asks first, then a reading. */
  act(record: BindingRecord, owner?: string): Promise<Told>;
  /** Ends a binding. */
  unbind(record: BindingRecord, owner?: string): Promise<unknown>;
  starts(): number;
}

const ownerOf = (record: BindingRecord): string => `tok_1/${record.pid}`;

/** One letter of `lives` for each start of a worker. */
function bench(lives: string, options: Partial<WorkersOptions> = {}): Bench {
  const folder = scratch();
  writeFileSync(join(folder, 'lives'), lives);
  const bound = new Map<string, BindingRecord>();
  const workers = new Workers({
    workerFile: fileURLToPath(new URL('../worker-stand-in.mjs', import.meta.url)),
    env: { ...process.env, STAND_IN_LIVES: join(folder, 'lives'), STAND_IN_GO: join(folder, 'go') },
    bound: () => [...bound.values()],
    ...options,
  });
  onTestFinished(() => workers.close());
  const ports = workers.desktop as unknown as Record<string, Record<string, (...args: unknown[]) => Promise<Told>>>;
  const call: Bench['call'] = (what, args = [], given = {}) => {
    const [topic = '', method = ''] = what.split('.');
    return ports[topic]![method]!(...args, {
      owner: 'tok_1/default',
      deadlineMs: 20_000,
      signal: new AbortController().signal,
      remoteControlMemory: false,
      ...given,
    });
  };
  return {
    workers,
    call,
    async act(record, owner = ownerOf(record)) {
      bound.set(owner, record);
      const { signal } = new AbortController();
      await call('binding.verify', [record], { owner, signal });
      return call('element.context', [record], { owner, signal });
    },
    unbind(record, owner = ownerOf(record)) {
      bound.delete(owner);
      return call('binding.release', [null], { owner });
    },
    starts: () => readFileSync(join(folder, 'lives.starts'), 'utf8').length,
  };
}

test('a single program is served by the first worker, and no other starts', async () => {
  const { act, unbind, call, starts, workers } = bench('r');
  const { pid } = await act(FIRST);
  await unbind(FIRST);
  expect((await act(SECOND)).pid).toBe(pid);
  expect((await call('window.listVisible')).pid).toBe(pid);
  expect(starts()).toBe(1);
  expect(workers.status()).toMatchObject({ state: 'ready', pid, restarts: 0, further: [] });
});

test('a second program has its own worker from its first call on, and never changes it', async () => {
  const { act, unbind, workers, call } = bench('rr');
  const first = (await act(FIRST)).pid;
  const second = await act(SECOND);
  expect(second.pid).not.toBe(first);
  expect(second.init.place).toBe(1);
  expect((await act(FIRST)).pid).toBe(first);
  expect(workers.status().further).toEqual([{ state: 'ready', pid: second.pid, restarts: 0 }]);
  expect(workers.serving()).toEqual({ first, further: [{ program: SECOND.pid, worker: second.pid }] });
  // What concerns no window is the first one's.
  expect((await call('keyboard.chords', [null, ['a'], 1, 'foreground'])).pid).toBe(first);
  await unbind(FIRST);
  expect((await act(SECOND)).pid, 'though the first one is free').toBe(second.pid);
});

test('terminals are served by the first worker, together with a program that was there before', async () => {
  const { act, starts } = bench('rr');
  const { pid } = await act(FIRST);
  expect((await act(TERMINAL)).pid).toBe(pid);
  expect(starts()).toBe(1);
  expect((await act(SECOND)).pid).not.toBe(pid);
});

test('a further worker has more threads for waiting calls than Node’s default', async () => {
  const { act } = bench('rr');
  await act(FIRST);
  expect(Number((await act(SECOND)).threads)).toBeGreaterThanOrEqual(12);
});

test('there are eight workers at most; beyond that a program joins a further worker with the fewest programs', async () => {
  const { act, starts } = bench('r'.repeat(8));
  const programs = Array.from({ length: 12 }, (_none, at) => ({ ...NOTEPAD, hwnd: `${9000 + at}`, pid: 900 + at }));
  const pids: number[] = [];
  for (const program of programs) pids.push((await act(program)).pid);
  expect(starts()).toBe(8);
  expect(new Set(pids.slice(0, 8)).size).toBe(8);
  expect(pids.slice(8), 'not the first, and none twice').toEqual(pids.slice(1, 5));
});

test('with too little memory no further worker starts', async () => {
  const { act, starts } = bench('rr', { hasRoom: () => false });
  const { pid } = await act(FIRST);
  expect((await act(SECOND)).pid).toBe(pid);
  expect(starts()).toBe(1);
});

test('[worker.hung-alone] a program that hangs its worker delays no other program’s calls', async () => {
  const { act, call, workers } = bench('rsr');
  const first = (await act(FIRST)).pid;
  // The further worker takes the program and answers nothing.
  const hung = call('binding.verify', [SECOND], { owner: 'tok_1/b', deadlineMs: 1500 }).then(
    () => 'answered',
    (error: { code: string }) => error.code,
  );
  await pause(50);
  expect((await act(FIRST)).pid).toBe(first);
  expect((await call('window.listVisible')).pid).toBe(first);
  expect((await call('binding.describe', [SECOND])).pid).toBe(first);
  expect(await hung).toBe('deadline_exceeded');
  // It is replaced once another call than its program's waits for it; the first one lives on.
  await call('binding.release', [SECOND]);
  expect((await act(SECOND)).pid).not.toBe(first);
  expect(workers.status()).toMatchObject({ pid: first, restarts: 0, further: [{ restarts: 1 }] });
});

test('[worker.hung-alone] if the first worker hangs, others act, list windows and bind through another worker', async () => {
  const { act, call, workers } = bench('srr');
  await until(() => workers.status().state === 'ready', 'the first worker');
  const hung = call('element.snapshot', [FIRST, {}], { owner: 'tok_1/a', deadlineMs: 8000 }).then(
    () => 'answered',
    (error: { code: string }) => error.code,
  );
  const began = workers.status().pid;
  await pause(50);
  // No other worker runs yet.
  const list = await call('window.listVisible');
  expect(list.pid).not.toBe(began);
  expect((await act(SECOND)).pid).toBe(list.pid);
  expect((await call('binding.find', [{ title: 'x' }])).pid).not.toBe(began);
  expect(workers.status()).toMatchObject({ pid: began, restarts: 0 });
  workers.restart('stopped', 'by the test');
  expect(await hung).toBe('stopped');
  // Only the worker in the middle of a call is replaced.
  expect(workers.status()).toMatchObject({ restarts: 1, further: [{ restarts: 0 }] });
});

test('none ends while a session has one of its programs bound; an idle worker stays for the next program, others end', async () => {
  const { act, unbind, workers, starts } = bench('rrrr');
  const pids = [(await act(FIRST)).pid, (await act(SECOND)).pid, (await act(SECOND, 'tok_1/b')).pid];
  pids.push((await act(THIRD)).pid);
  await unbind(SECOND);
  expect(workers.status().further, 'another session has it bound').toHaveLength(2);
  await unbind(SECOND, 'tok_1/b');
  expect(workers.status().further, 'it is kept').toHaveLength(2);
  await unbind(THIRD);
  expect(workers.status().further, 'one is enough').toHaveLength(1);
  expect((await act(THIRD)).pid).toBe(pids[1]);
  expect((await act(FIRST)).pid).toBe(pids[0]);
  // A new worker in place of an ended one gives other refs.
  expect((await act(SECOND)).init).toMatchObject({ place: 2, refBase: 1 });
  expect(starts()).toBe(4);
});

test('a worker that holds a key stays', async () => {
  const { act, unbind, call, workers } = bench('rrr');
  for (const record of [FIRST, SECOND, THIRD]) await act(record);
  for (const record of [SECOND, THIRD]) {
    const held: HeldInput[] = [{ owner: 'tok_1/other', input: 'shift', hwnd: record.hwnd }];
    await call('element.snapshot', [record, { tell: { refHigh: 9, held, moved: [] } }]);
  }
  await unbind(SECOND);
  await unbind(THIRD);
  expect(workers.status().further).toHaveLength(2);
});

test('a release reaches the worker that holds the key, the stop reaches all', async () => {
  const { act, call, workers } = bench('rr');
  await act(FIRST);
  const other = (await act(SECOND)).pid;
  const held: HeldInput[] = [{ owner: 'tok_1/b', input: 'ctrl', hwnd: null }];
  await call('element.snapshot', [SECOND, { tell: { refHigh: 9, held, moved: [] } }]);
  expect(workers.heldKeys('tok_1/a')).toEqual(['ctrl']);
  // The owner has bound another window since.
  expect((await call('keyboard.release', [FIRST, ['ctrl'], 'foreground'], { owner: 'tok_1/b' })).pid).toBe(other);
  await call('keyboard.releaseAll');
  for (const record of [FIRST, SECOND]) expect((await act(record)).sent).toContain('keyboard.releaseAll');
  await call('binding.release', [FIRST], { owner: 'tok_1/b' });
  expect((await act(SECOND)).sent).toContain('binding.release');
});

test('an owner’s end reaches the workers that have served it, and no other', async () => {
  const { act, unbind } = bench('rrr');
  for (const record of [FIRST, SECOND]) await act(record, 'tok_1/a');
  await act(THIRD, 'tok_1/b');
  await unbind(SECOND, 'tok_1/a');
  expect((await act(SECOND)).sent).toContain('binding.release');
  expect((await act(THIRD)).sent).not.toContain('binding.release');
});

test('keys that a further worker holds are in the file with the first worker’s, and its successor gets them', async () => {
  let kept: readonly HeldInput[] = [];
  const heldFile = {
    left: () => [],
    keep: (present: readonly HeldInput[]) => {
      kept = present;
    },
  };
  const { call, act, workers } = bench('rrr', { heldFile });
  await act(FIRST);
  const other = (await act(SECOND)).pid;
  const one: HeldInput = { owner: 'tok_1/a', input: 'a', hwnd: FIRST.hwnd };
  const two: HeldInput = { owner: 'tok_1/b', input: 'b', hwnd: SECOND.hwnd };
  await call('element.snapshot', [FIRST, { tell: { refHigh: 1, held: [one], moved: [] } }]);
  await call('element.snapshot', [SECOND, { tell: { refHigh: 1, held: [two], moved: [] } }]);
  expect(kept).toEqual([one, two]);
  process.kill(other, 'SIGKILL');
  await until(() => workers.status().further[0]?.restarts === 1, 'the next worker');
  expect((await act(SECOND)).init).toMatchObject({ held: [two], place: 1 });
});

test('input from one worker is known to the others, and to a worker that starts later', async () => {
  const { call, act } = bench('rr');
  await act(FIRST);
  await call('element.snapshot', [FIRST, { input: { from: 10, to: 60 } }]);
  expect((await act(SECOND)).init.ownInput).toEqual([{ from: 10, to: 60 }]);
  await call('element.snapshot', [SECOND, { input: { from: 70, to: 120 } }]);
  expect((await act(FIRST)).sent).toContain('input 70');
});

test('[binding.own] each worker knows the processes of all', async () => {
  const { act, workers } = bench('rr');
  workers.setOwnPids([1, 2]);
  await act(FIRST);
  const { init, pid: other } = await act(SECOND);
  expect(init.ownPids).toEqual(expect.arrayContaining([1, 2, workers.status().pid]));
  expect(other).toBe(workers.status().further[0]?.pid);
});

test('two programs’ real input is sent one after the other', async () => {
  const { act, call } = bench('rr');
  await act(FIRST);
  await act(SECOND);
  const order: string[] = [];
  const real = (record: BindingRecord, waitMs: number): Promise<unknown> =>
    call('pointer.click', [record, { x: 1, y: 1 }, { delivery: 'foreground' }, { waitMs }]).then(() =>
      order.push(record.hwnd),
    );
  await Promise.all([real(FIRST, 300), real(SECOND, 0)]);
  expect(order).toEqual([FIRST.hwnd, SECOND.hwnd]);
});

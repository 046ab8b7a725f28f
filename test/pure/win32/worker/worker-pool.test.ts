/** The pool of desktop workers over workers without a desktop: who serves what, moves, deaths and the end of idle ones. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { HeldInput } from '../../../../src/win32/input/held-input.ts';
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from '../../../../src/win32/worker/pool.ts';
import type { WorkerInit } from '../../../../src/win32/worker/protocol.ts';
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

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

interface Bench {
  readonly pool: WorkerPool;
  call(
    what: string,
    args?: unknown[],
    given?: { owner?: string; signal?: AbortSignal; deadlineMs?: number },
  ): Promise<Told>;
  /** An action on a window: what the gate asks first, then a reading. */
  act(record: BindingRecord, owner?: string): Promise<Told>;
  /** Uses a second program until its own worker serves it; returns that worker's process. */
  spread(): Promise<number>;
  starts(): number;
}

/** One letter of `lives` for each start of a worker. */
function bench(lives: string, options: Partial<WorkerPoolOptions> = {}): Bench {
  const folder = scratch();
  writeFileSync(join(folder, 'lives'), lives);
  const pool = createWorkerPool({
    workerFile: fileURLToPath(new URL('../worker-stand-in.mjs', import.meta.url)),
    env: { ...process.env, STAND_IN_LIVES: join(folder, 'lives'), STAND_IN_GO: join(folder, 'go') },
    most: 2,
    ...options,
  });
  onTestFinished(() => pool.close());
  const ports = pool.desktop as unknown as Record<string, Record<string, (...args: unknown[]) => Promise<Told>>>;
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
  const act: Bench['act'] = async (record, owner = `tok_1/${record.pid}`) => {
    const { signal } = new AbortController();
    await call('binding.verify', [record], { owner, signal });
    return call('element.context', [record], { owner, signal });
  };
  return {
    pool,
    call,
    act,
    async spread() {
      const { pid } = await act(FIRST);
      let other = pid;
      await until(async () => {
        await act(FIRST);
        return (other = (await act(SECOND)).pid) !== pid;
      }, 'the further worker');
      return other;
    },
    starts: () => readFileSync(join(folder, 'lives.starts'), 'utf8').length,
  };
}

test('[worker.programs] one program in use is served by the first worker, and no other starts', async () => {
  const { act, call, starts, pool } = bench('r');
  const { pid } = await act(FIRST);
  await call('binding.release', [FIRST], { owner: `tok_1/${FIRST.pid}` });
  expect((await act(SECOND)).pid).toBe(pid);
  expect((await call('window.listVisible')).pid).toBe(pid);
  expect(starts()).toBe(1);
  expect(pool.status()).toMatchObject({ state: 'ready', pid, restarts: 0, further: [] });
});

test('[worker.programs] a second one is served at once, and moves to its own worker with what was kept of it', async () => {
  const { act, spread, pool, call } = bench('rr');
  const first = (await act(FIRST)).pid;
  // While its worker starts, the first one serves it.
  expect((await act(SECOND)).pid).toBe(first);
  const other = await spread();
  const { sent, init } = await act(SECOND);
  expect(sent[0]).toBe(`take tok_1/${SECOND.pid}`);
  expect(init.place).toBe(1);
  expect((await act(FIRST)).pid).toBe(first);
  expect(pool.status().further).toEqual([{ state: 'ready', pid: other, restarts: 0 }]);
  expect(pool.serving()).toEqual({ first, further: [{ program: SECOND.pid, worker: other }] });
  // What concerns no window is the first one's.
  expect((await call('keyboard.chords', [null, ['a'], 1, 'foreground'])).pid).toBe(first);
});

test('[worker.threads] a further worker has more threads for calls that wait than Node has by itself', async () => {
  const { act, spread } = bench('rr');
  await spread();
  expect(Number((await act(SECOND)).threads)).toBeGreaterThanOrEqual(12);
});

test('[worker.programs] an action keeps the worker that it began with', async () => {
  const { act, call, pool } = bench('rr');
  const { pid } = await act(FIRST);
  const { signal } = new AbortController();
  const owner = 'tok_1/b';
  await call('binding.verify', [SECOND], { owner, signal });
  await until(() => pool.status().further[0]?.state === 'ready', 'the further worker');
  expect((await call('element.context', [SECOND], { owner, signal })).pid).toBe(pid);
  // The gate checks once more after a person was asked.
  await call('binding.verify', [SECOND], { owner, signal });
  expect((await call('element.click', [SECOND, 'e1', { delivery: 'background' }], { owner, signal })).pid).toBe(pid);
  expect((await act(SECOND)).pid).not.toBe(pid);
});

test('[worker.slow] a quick program leaves the worker that a slow one keeps busy', async () => {
  const { act, spread, call } = bench('rr');
  const shared = await spread();
  await until(async () => (await act(THIRD)).pid === shared, 'the third program beside the second');
  for (let time = 0; time < 5; time += 1) await call('element.context', [SECOND, { busyMs: 400 }]);
  await until(async () => (await act(THIRD)).pid !== shared, 'the move of the third program');
  expect((await act(SECOND)).pid).toBe(shared);
});

test('[worker.programs] what must stay keeps its program there', async () => {
  const { act, call, pool } = bench('rr');
  const { pid } = await act(FIRST);
  await call('element.snapshot', [SECOND, { stays: true }]);
  await act(SECOND);
  await until(() => pool.status().further[0]?.state === 'ready', 'the further worker');
  expect((await act(SECOND)).pid).toBe(pid);
  await call('element.snapshot', [SECOND, { stays: false }]);
  expect((await act(SECOND)).pid).not.toBe(pid);
});

test('[worker.limit] a third program shares a worker at the limit, and with too little memory no further one starts', async () => {
  const { act, spread, starts } = bench('rrr');
  await spread();
  await act(THIRD);
  await act(THIRD);
  expect(starts()).toBe(2);
  const short = bench('rr', { hasRoom: () => false });
  const { pid } = await short.act(FIRST);
  expect((await short.act(SECOND)).pid).toBe(pid);
  expect(short.starts()).toBe(1);
});

test('[worker.hung-alone] a program that hangs its worker delays no other program’s calls', async () => {
  const { act, call, spread, pool } = bench('rsr');
  const first = (await act(FIRST)).pid;
  await act(SECOND);
  // The further worker takes the program and answers nothing.
  await until(() => pool.status().further[0]?.state === 'ready', 'the further worker');
  const hung = call('binding.verify', [SECOND], { owner: 'tok_1/b', deadlineMs: 1500 }).then(
    () => 'answered',
    (error: { code: string }) => error.code,
  );
  await pause(50);
  expect((await act(FIRST)).pid).toBe(first);
  expect((await call('window.listVisible')).pid).toBe(first);
  expect(await hung).toBe('deadline_exceeded');
  // It is replaced; the first one lives on.
  await spread();
  expect(pool.status()).toMatchObject({ pid: first, restarts: 0, further: [{ restarts: 1 }] });
});

test('[worker.hung-alone] where the first worker hangs, others act, list windows and bind by another one', async () => {
  const { act, call, pool } = bench('srr');
  await until(() => pool.status().state === 'ready', 'the first worker');
  const hung = call('element.snapshot', [FIRST, {}], { owner: 'tok_1/a', deadlineMs: 8000 }).then(
    () => 'answered',
    (error: { code: string }) => error.code,
  );
  const began = pool.status().pid;
  await pause(50);
  expect((await act(SECOND)).pid).not.toBe(began);
  expect((await call('window.listVisible')).pid).not.toBe(began);
  expect((await call('binding.find', [{ title: 'x' }])).pid).not.toBe(began);
  expect(pool.status()).toMatchObject({ pid: began, restarts: 0 });
  pool.restart('stopped', 'by the test');
  expect(await hung).toBe('stopped');
  // Only the one that was carrying something out is replaced.
  expect(pool.status()).toMatchObject({ restarts: 1, further: [{ restarts: 0 }] });
});

test('[worker.idle] a further worker ends when its program is not used, and the program goes back with what was kept of it', async () => {
  const { act, spread, pool } = bench('rrr', { idleMs: 1500 });
  await spread();
  await until(() => pool.status().further.length === 0, 'the end of the idle worker');
  const { sent, pid } = await act(SECOND);
  expect(pid).toBe(pool.status().pid);
  expect(sent).toContain(`take tok_1/${SECOND.pid}`);
});

test('[worker.idle] one that holds a key stays', async () => {
  const { spread, call, pool } = bench('rr', { idleMs: 1500 });
  await spread();
  const held: HeldInput[] = [{ owner: 'tok_1/b', input: 'shift', hwnd: SECOND.hwnd }];
  await call('element.snapshot', [SECOND, { tell: { refHigh: 9, held, moved: [] } }]);
  await pause(4000);
  expect(pool.status().further).toHaveLength(1);
});

test('[worker.released] a release reaches the worker that holds the key, the stop reaches all', async () => {
  const { spread, act, call, pool } = bench('rr');
  const other = await spread();
  const held: HeldInput[] = [{ owner: 'tok_1/b', input: 'ctrl', hwnd: null }];
  await call('element.snapshot', [SECOND, { tell: { refHigh: 9, held, moved: [] } }]);
  expect(pool.heldKeys('tok_1/a')).toEqual(['ctrl']);
  // The owner has bound another window since.
  expect((await call('keyboard.release', [FIRST, ['ctrl'], 'foreground'], { owner: 'tok_1/b' })).pid).toBe(other);
  await call('keyboard.releaseAll');
  for (const record of [FIRST, SECOND]) expect((await act(record)).sent).toContain('keyboard.releaseAll');
  await call('binding.release', [FIRST], { owner: 'tok_1/b' });
  expect((await act(SECOND)).sent).toContain('binding.release');
});

test('[worker.released] what a further worker holds is in the file with the first one’s, and its successor gets it', async () => {
  let kept: readonly HeldInput[] = [];
  const heldFile = {
    left: () => [],
    keep: (present: readonly HeldInput[]) => {
      kept = present;
    },
  };
  const { spread, call, act, pool } = bench('rrr', { heldFile });
  const other = await spread();
  const one: HeldInput = { owner: 'tok_1/a', input: 'a', hwnd: FIRST.hwnd };
  const two: HeldInput = { owner: 'tok_1/b', input: 'b', hwnd: SECOND.hwnd };
  await call('element.snapshot', [FIRST, { tell: { refHigh: 1, held: [one], moved: [] } }]);
  await call('element.snapshot', [SECOND, { tell: { refHigh: 1, held: [two], moved: [] } }]);
  expect(kept).toEqual([one, two]);
  process.kill(other, 'SIGKILL');
  await until(() => pool.status().further[0]?.restarts === 1, 'the next worker');
  expect((await act(SECOND)).init).toMatchObject({ held: [two], place: 1 });
});

test('[person.workers] input that one worker sends is known to the others, and to one that starts later', async () => {
  const { spread, call, act } = bench('rr');
  await call('element.snapshot', [FIRST, { input: { from: 10, to: 60 } }]);
  await spread();
  expect((await act(SECOND)).init.ownInput).toEqual([{ from: 10, to: 60 }]);
  await call('element.snapshot', [SECOND, { input: { from: 70, to: 120 } }]);
  expect((await act(FIRST)).sent).toContain('input 70');
});

test('[binding.own] each worker knows the processes of all', async () => {
  const { spread, act, pool } = bench('rr');
  pool.setOwnPids([1, 2]);
  const other = await spread();
  const { init } = await act(SECOND);
  expect(init.ownPids).toEqual(expect.arrayContaining([1, 2, pool.status().pid]));
  expect(other).toBe(pool.status().further[0]?.pid);
});

test('[worker.shared] two programs’ real input is sent one after the other', async () => {
  const { spread, call } = bench('rr');
  await spread();
  const order: string[] = [];
  const real = (record: BindingRecord, waitMs: number): Promise<unknown> =>
    call('pointer.click', [record, { x: 1, y: 1 }, { delivery: 'foreground' }, { waitMs }]).then(() =>
      order.push(record.hwnd),
    );
  await Promise.all([real(FIRST, 300), real(SECOND, 0)]);
  expect(order).toEqual([FIRST.hwnd, SECOND.hwnd]);
});

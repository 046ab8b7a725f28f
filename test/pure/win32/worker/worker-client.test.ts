/** The worker’s client: calls that wait, are cancelled, or survive a replacement. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { METHOD_KINDS } from '../../../../src/desktop/index.ts';
import {
  GRACE_MS,
  WorkerClient,
  type WorkerClientOptions,
  type WorkerStatus,
} from '../../../../src/win32/worker/client.ts';
import { messagingDesktop } from '../../../../src/win32/worker/workers.ts';
import type { WorkerInit } from '../../../../src/win32/worker/protocol.ts';
import { NOTEPAD } from '../../host/stand-in-desktop.ts';
import { scratch } from '../../store/scratch.ts';
import { BEYOND_MS, Machine } from '../../../support/machine.ts';
import { until } from '../../../support/until.ts';
import { wordsOf } from '../../../support/words.ts';

interface Told {
  readonly init: WorkerInit;
  readonly sent: readonly string[];
  readonly threads: string | undefined;
}

/** The client over workers without a desktop, one letter for each start of one. */
function client(
  lives: string,
  onState: (state: WorkerStatus) => void = () => {},
  more: Pick<WorkerClientOptions, 'programAnswers'> = {},
): {
  worker: WorkerClient;
  go(): void;
  started(times: number): Promise<void>;
  call(what: string, args?: unknown[], signal?: AbortSignal, deadlineMs?: number): Promise<Told>;
} {
  const folder = scratch();
  writeFileSync(join(folder, 'lives'), lives);
  const worker = new WorkerClient({
    workerFile: fileURLToPath(new URL('../worker-stand-in.mjs', import.meta.url)),
    env: { ...process.env, STAND_IN_LIVES: join(folder, 'lives'), STAND_IN_GO: join(folder, 'go') },
    onState,
    ...more,
  });
  onTestFinished(() => worker.close());
  const ports = messagingDesktop((...sent) => worker.call(...sent)) as unknown as Record<
    string,
    Record<string, (...args: unknown[]) => Promise<Told>>
  >;
  return {
    worker,
    go: () => writeFileSync(join(folder, 'go'), ''),
    async started(times) {
      await until(() => readFileSync(join(folder, 'lives.starts'), 'utf8').length >= times, 'the start');
    },
    call(what, args = [], signal = new AbortController().signal, deadlineMs = 20_000) {
      const [topic = '', method = ''] = what.split('.');
      return ports[topic]![method]!(...args, {
        owner: 'tok_1/default',
        deadlineMs,
        signal,
        remoteControlMemory: false,
      });
    },
  };
}

test('a call that is called off while it waits for the worker ends at once and is never sent', async () => {
  const { call, go } = client('g');
  const leaving = new AbortController();
  const left = call('pointer.click', [], leaving.signal);
  const other = call('pointer.button');
  leaving.abort(new UiaHostError('stopped', 'The emergency stop was pressed.'));
  await expect(left).rejects.toMatchObject({ code: 'stopped' });
  go();
  expect((await other).sent).toEqual(['pointer.button']);
});

test('nor is a call that is cancelled as the worker becomes ready', async () => {
  const leaving = new AbortController();
  const { call } = client('r', ({ state }) => {
    if (state === 'ready') leaving.abort();
  });
  await expect(call('pointer.click', [], leaving.signal)).rejects.toMatchObject({ code: 'cancelled' });
  expect((await call('pointer.button')).sent).toEqual(['pointer.button']);
});

test('a call that waits while the worker is replaced twice is sent to the worker that survives', async () => {
  const { worker, call, started } = client('rnr');
  await call('pointer.position');
  worker.restart('worker_restarted', 'by the test');
  const waiting = call('pointer.button');
  await started(2);
  worker.restart('worker_restarted', 'by the test');
  expect((await waiting).sent).toEqual(['pointer.button']);
});

test('a host that ends leaves no call waiting for a worker', async () => {
  const { worker, call } = client('n');
  const waiting = call('pointer.button');
  const told = expect(waiting).rejects.toMatchObject({ code: 'cancelled', delivery: 'not_delivered' });
  await worker.close();
  await told;
});

test('[binding.release] windows that a worker moved off the desktop are known to each next worker until they are back', async () => {
  const { worker, call } = client('rrr');
  const state = {
    refHigh: 7,
    held: [],
    moved: [{ owner: 'tok_1/default', record: NOTEPAD, from: { x: 1, y: 2, width: 3, height: 4 } }],
  };
  expect((await call('pointer.position', [{ tell: state }])).init.moved).toEqual([]);
  worker.restart('worker_restarted', 'by the test');
  expect((await call('pointer.position')).init.moved).toEqual(state.moved);
  await call('pointer.position', [{ tell: { ...state, moved: [] } }]);
  worker.restart('worker_restarted', 'by the test');
  expect((await call('pointer.position')).init.moved).toEqual([]);
});

test('[worker.deadline] a call into a program that never answers ends within its deadline and 250 ms', async () => {
  expect(GRACE_MS).toBeLessThan(BEYOND_MS);
  await using machine = new Machine();
  const { worker, call } = client('sr');
  await until(() => worker.status().state === 'ready', 'the worker');
  const { value, tookMs, atMostMs } = await machine.measure(600, () =>
    call('element.snapshot', [], undefined, 600).then(
      () => 'answered',
      (error: UiaHostError) => `${error.code} ${error.delivery}`,
    ),
  );
  expect(value).toBe('deadline_exceeded not_delivered');
  expect(tookMs).toBeGreaterThanOrEqual(590);
  expect(tookMs).toBeLessThan(atMostMs);
});

test('[worker.deadline] its answer leaves before the next worker is started, which serves the calls that follow', async () => {
  const { worker, call } = client('sr');
  await until(() => worker.status().state === 'ready', 'the worker');
  await expect(call('pointer.click', [], undefined, 100)).rejects.toMatchObject({ code: 'deadline_exceeded' });
  expect(worker.status()).toMatchObject({ state: 'restarting', pid: null, restarts: 1 });
  expect((await call('pointer.button')).sent).toEqual(['pointer.button']);
});

test('a call that waits behind a slow call ends at its deadline, with nothing sent; the slow call is not interrupted', async () => {
  const { worker, call } = client('r');
  await until(() => worker.status().state === 'ready', 'the worker');
  const { pid } = worker.status();
  const slow = call('element.snapshot', [{ blocksMs: 2500 }]);
  const ended: string[] = [];
  void slow.then(() => ended.push('slow'));
  const waiting = call('pointer.click', [], undefined, 300);
  await expect(waiting).rejects.toMatchObject({ code: 'deadline_exceeded', delivery: 'not_delivered' });
  expect(ended, 'it did not wait for the slow one').toEqual([]);
  expect((await slow).sent[0]).toBe('element.snapshot');
  expect(worker.status()).toMatchObject({ pid, restarts: 0 });
});

test('a look that was cancelled and is late ends with its reason, and the worker stays', async () => {
  const { worker, call } = client('r');
  await until(() => worker.status().state === 'ready', 'the worker');
  const { pid } = worker.status();
  const leaving = new AbortController();
  const late = call('element.snapshot', [{ waitMs: 60_000 }], leaving.signal, 100);
  // Once it was sent.
  await setImmediate();
  leaving.abort(new UiaHostError('cancelled', 'The page is gone.'));
  await expect(late).rejects.toMatchObject({ code: 'cancelled', message: 'The page is gone.' });
  expect((await call('pointer.button')).sent).toEqual(['element.snapshot', 'pointer.button']);
  expect(worker.status()).toMatchObject({ pid, restarts: 0 });
});

test('a look that is late on a slow machine ends at its deadline, and the worker stays', async () => {
  const { worker, call } = client('r');
  await until(() => worker.status().state === 'ready', 'the worker');
  const { pid } = worker.status();
  await expect(call('element.waitFor', [{ blocksMs: 600 }], undefined, 100)).rejects.toMatchObject({
    code: 'deadline_exceeded',
    delivery: 'not_delivered',
  });
  expect((await call('pointer.button')).sent).toEqual(['element.waitFor', 'pointer.button']);
  expect(worker.status()).toMatchObject({ pid, restarts: 0 });
});

test('a worker that takes no message after a late look is replaced, and the calls that came meanwhile go to the next one', async () => {
  const { worker, call } = client('sr');
  await until(() => worker.status().state === 'ready', 'the worker');
  await expect(call('element.snapshot', [], undefined, 100)).rejects.toMatchObject({ code: 'deadline_exceeded' });
  expect((await call('pointer.button')).sent).toEqual(['pointer.button']);
  expect(worker.status().restarts).toBe(1);
});

test('[worker.slow] an act that is late in a program that answers slowly may have been delivered, and the worker stays', async () => {
  const asked: unknown[] = [];
  const programAnswers = async (record: unknown): Promise<boolean> => asked.push(record) > 0;
  const { worker, call } = client('r', undefined, { programAnswers });
  await until(() => worker.status().state === 'ready', 'the worker');
  const { pid } = worker.status();
  const late = call('element.click', [NOTEPAD, { blocksMs: 2500 }], undefined, 100);
  await expect(late).rejects.toMatchObject({ code: 'deadline_exceeded', delivery: 'unknown' });
  const behind = call('element.click', [NOTEPAD], undefined, 100);
  await expect(behind).rejects.toMatchObject({ code: 'deadline_exceeded', delivery: 'not_delivered' });
  expect((await call('pointer.button')).sent).toEqual(['element.click', 'pointer.button']);
  expect(worker.status()).toMatchObject({ pid, restarts: 0 });
  expect(asked[0]).toEqual(NOTEPAD);
});

test('[worker.slow] [worker.deadline] where the program takes no message either, the worker is replaced', async () => {
  const { worker, call } = client('sr', undefined, { programAnswers: async () => false });
  await until(() => worker.status().state === 'ready', 'the worker');
  const late = call('element.click', [NOTEPAD], undefined, 100);
  await expect(late).rejects.toMatchObject({ code: 'deadline_exceeded', delivery: 'unknown' });
  expect((await call('pointer.button')).sent).toEqual(['pointer.button']);
  expect(worker.status().restarts).toBe(1);
});

test('a worker that takes no message then is replaced', async () => {
  const { worker, call } = client('sr');
  await until(() => worker.status().state === 'ready', 'the worker');
  const leaving = new AbortController();
  const late = call('element.snapshot', [], leaving.signal, 100);
  // Once it was sent.
  await setImmediate();
  leaving.abort(new UiaHostError('cancelled', 'The page is gone.'));
  await expect(late).rejects.toMatchObject({ code: 'cancelled' });
  await until(() => worker.status().restarts === 1, 'the replacement');
  expect((await call('pointer.button')).sent).toEqual(['pointer.button']);
});

test('a call whose worker ends reports what its method may have done', async () => {
  const { worker, call } = client('sr');
  const methods = Object.entries(METHOD_KINDS).flatMap(([topic, kinds]) =>
    Object.keys(kinds).map((method) => `${topic}.${method}`),
  );
  const calls = methods.map((method) =>
    call(method).then(
      () => 'answered',
      (error: UiaHostError) => `${error.code} ${error.delivery}`,
    ),
  );
  await until(() => worker.status().state === 'ready', 'the worker');
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  worker.restart('worker_restarted', 'by the test');
  const answers = Object.fromEntries((await Promise.all(calls)).map((answer, index) => [methods[index], answer]));
  const acting = wordsOf`
    app.open binding.release clipboard.write element.click element.focus element.point element.typeInto
    element.writeCell element.select element.scrollIntoView keyboard.typeText keyboard.chords keyboard.press
    keyboard.release keyboard.hold keyboard.releaseAll pointer.move pointer.hover pointer.click pointer.button
    pointer.drag pointer.wheel sheet.change sheet.write sheet.select terminal.open terminal.respond window.manage window.activate
  `;
  for (const method of methods)
    expect([method, answers[method]]).toEqual([
      method,
      `worker_restarted ${acting.includes(method) ? 'unknown' : 'not_delivered'}`,
    ]);
  expect(methods).toEqual(expect.arrayContaining(acting));
});

test('the worker has more threads for calls that wait than Node has by itself', async () => {
  const { call } = client('r');
  expect(Number((await call('pointer.position')).threads)).toBeGreaterThan(16);
});

/** The console helper as a process: start, hang, end. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { CallContext } from '../../../../src/desktop/index.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { enterPermit } from '../../../../src/win32/exits/leaving.ts';
import { ConsoleHelper } from '../../../../src/win32/terminal/console-helper.ts';

const folder = mkdtempSync(join(tmpdir(), 'uiahost-helper-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Stands in for the helper: answers by the process id in a read's place, hangs at 1, ends at 2, has nothing to join at 3, refuses at 4. */
const NOT_JUDGED = new UiaHostError('state_conflict', 'The action would have sent something that was not judged.');

const file = join(folder, 'helper.mjs');
writeFileSync(
  file,
  `
  process.on('message', ({ id, request }) => {
    if (request.pid === 1) for (;;);
    if (request.pid === 2) process.exit(3);
    if (request.pid === 3) return process.send({ kind: 'problem', id, problem: 'gone', error: 6 });
    if (request.pid === 4) return process.send({ kind: 'error', id, error: ${JSON.stringify(NOT_JUDGED.toProblem())} });
    process.send({ kind: 'answer', id, value: { hwnd: request.pid } });
  });
  process.on('disconnect', () => process.exit(0));
  process.send({ kind: 'ready' });
`,
);
const call: CallContext = {
  owner: 'test/default',
  deadlineMs: 20_000,
  signal: new AbortController().signal,
  remoteControlMemory: true,
};

it('[prompt.console] the helper is started at its first use and kept; a helper that hangs is ended and replaced', async () => {
  using helper = new ConsoleHelper(file);
  expect(helper.pid).toBeNull();
  expect(await helper.ask({ op: 'window', pid: 40 }, call)).toEqual({ hwnd: 40 });
  const first = helper.pid;
  expect(await helper.ask({ op: 'window', pid: 41 }, call)).toEqual({ hwnd: 41 });
  expect(helper.pid).toBe(first);
  await expect(helper.ask({ op: 'window', pid: 1 }, call, 300)).rejects.toMatchObject({
    code: 'window_hung',
    delivery: 'not_delivered',
  });
  expect(await helper.ask({ op: 'window', pid: 42 }, call)).toEqual({ hwnd: 42 });
  expect(helper.pid).not.toBe(first);
});

it('a helper that ends leaves no call waiting, and a console that it could not join is answered as data', async () => {
  using helper = new ConsoleHelper(file);
  await expect(helper.ask({ op: 'window', pid: 3 }, call)).rejects.toMatchObject({ problem: 'gone', code: 6 });
  await expect(helper.ask({ op: 'window', pid: 2 }, call)).rejects.toMatchObject({ problem: 'gone' });
  expect(await helper.ask({ op: 'window', pid: 43 }, call)).toEqual({ hwnd: 43 });
  const nowhere = { window: null, element: null };
  enterPermit({ exits: [{ kind: 'console', text: '', variant: null }], target: nowhere, start: null });
  await expect(helper.ask({ op: 'write', pid: 1, hwnd: 1, strokes: [] }, call, 300)).rejects.toMatchObject({
    code: 'window_hung',
    delivery: 'unknown',
  });
  await expect(
    helper.ask({ op: 'press', pid: 1, hwnd: 1, keys: [], layout: 0, isSignalMade: false }, call, 300),
  ).rejects.toMatchObject({ code: 'window_hung', delivery: 'unknown' });
});

it('an error of the helper itself is reported unchanged, not as one of Windows', async () => {
  using helper = new ConsoleHelper(file);
  await expect(helper.ask({ op: 'window', pid: 4 }, call)).rejects.toMatchObject({
    code: 'state_conflict',
    message: NOT_JUDGED.message,
    delivery: 'not_delivered',
  });
});

it('a helper that cannot start is reported', async () => {
  const broken = join(folder, 'broken.mjs');
  writeFileSync(broken, 'process.exit(4);');
  using helper = new ConsoleHelper(broken);
  await expect(helper.ask({ op: 'window', pid: 40 }, call)).rejects.toMatchObject({
    code: 'worker_restarted',
    delivery: 'not_delivered',
  });
});

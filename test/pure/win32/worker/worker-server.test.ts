/** The worker’s end of the protocol: what leaves it when a call fails. */
import { expect, test } from 'vitest';
import { machineMs } from '../../../../src/base/time.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { leave } from '../../../../src/win32/exits/leaving.ts';
import type { WorkerDesktop } from '../../../../src/desktop/index.ts';
import type { FromWorker } from '../../../../src/win32/worker/protocol.ts';
import { createWorkerServer } from '../../../../src/win32/worker/server.ts';
import { until } from '../../../support/until.ts';

const servedDesktop = {
  refHigh: () => 0,
  held: () => [],
  moved: () => [],
  onStateChange: () => {},
  setOwnPids: () => {},
  onOwnInput: () => {},
  inputElsewhere: () => {},
  startedSince: () => [],
  proofs: {
    explain: () => {},
    laterChanges: () => [],
    laterTold: () => {},
    onUndone: () => {},
    undoneBefore: () => null,
  },
  isHidden: () => false,
  failedWith: async () => null,
  close: async () => {},
};

function started(desktop: object, served = {}): { server: ReturnType<typeof createWorkerServer>; sent: FromWorker[] } {
  const sent: FromWorker[] = [];
  const server = createWorkerServer({
    send: (message) => sent.push(message),
    createDesktop: () => ({ ...servedDesktop, ...served, desktop: desktop as unknown as WorkerDesktop }),
    exit: () => {},
  });
  server.receive({ kind: 'init' } as never);
  return { server, sent };
}

test('the message of a fault, which may quote a window, is not logged', async () => {
  const list = async (): Promise<never> => {
    throw new TypeError('no element in “Kontoauszug 4711”\nof the text “geheim”');
  };
  const { server, sent } = started({ window: { list } });
  const call = { kind: 'call', id: 1, topic: 'window', method: 'list', args: [], owner: 'tok_1/default' };
  server.receive({ ...call, deadlineMs: 1000, sentAt: machineMs(), remoteControlMemory: false } as never);
  await until(() => sent.some(({ kind }) => kind === 'answer'), 'the answer');
  const log = sent.find((message) => message.kind === 'log')?.message;
  expect(log).toContain('window.list: TypeError');
  expect(log).toContain('worker-server.test');
  expect(JSON.stringify(sent)).not.toMatch(/Kontoauszug|geheim/);
});

test('[worker.slow] nothing begins to leave after the deadline', async () => {
  const permit = { exits: [{ kind: 'press', end: 'target', by: 'click', button: 'left', count: 1 }], target: {} };
  const press = async (_record: unknown, waitMs: number): Promise<void> => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    leave(['press'], { by: 'click', button: 'left', count: 1 } as never);
  };
  const { server, sent } = started({ element: { press } });
  const request = { kind: 'call', topic: 'element', method: 'press', owner: 'tok_1/default', deadlineMs: 100, permit };
  for (const [id, waitMs] of [0, 150].entries())
    server.receive({ ...request, id, args: [null, waitMs], sentAt: machineMs() } as never);
  const answers = (): FromWorker[] => sent.filter(({ kind }) => kind === 'answer');
  await until(() => answers().length === 2, 'the answers');
  expect(answers()).toMatchObject([
    { id: 0, left: ['press'] },
    { id: 1, left: [], problem: { code: 'deadline_exceeded', delivery: 'not_delivered' } },
  ]);
});

test('[outcome.changed-later] an answer tells what became of a text that the session typed into the window before', async () => {
  const order: string[] = [];
  const changes = [{ element: 'Edit “Town”', before: 'Hamb', after: 'Hamburg' }];
  let open: readonly { element: string }[] = changes;
  const click = async (): Promise<unknown> => {
    order.push('click');
    if (order.length === 2) throw new UiaHostError('element_stale', 'It disappeared.');
    return { value: true, outcome: { effect: 'confirmed', details: { by: 'x' } } };
  };
  const { server, sent } = started(
    { pointer: { click }, element: { snapshot: async () => ({ lines: [] }) } },
    {
      isHidden: () => true,
      proofs: {
        ...servedDesktop.proofs,
        laterChanges: (owner: string, hwnd: number) => {
          order.push(`${owner} ${hwnd}`);
          return changes.filter((change) => open.includes(change));
        },
        laterTold: (reported: typeof open) => {
          open = open.filter((change) => !reported.includes(change));
        },
      },
    },
  );
  const look = { topic: 'element', method: 'snapshot' };
  const call = { kind: 'call', topic: 'pointer', method: 'click', args: [], owner: 'tok_1/s', deadlineMs: 1000 };
  const permit = { exits: [], target: { window: { hwnd: '7', title: 'Trip', pid: 3 } } };
  const details = async (id: number, other = {}): Promise<unknown> => {
    server.receive({ ...call, ...other, id, sentAt: machineMs(), permit } as never);
    const answer = (): FromWorker | undefined => sent.find((each) => each.kind === 'answer' && each.id === id);
    await until(() => answer() !== undefined, 'the answer');
    return answer();
  };
  // A look has no place for it, and leaves it for the next action.
  expect(await details(9, look)).toMatchObject({ value: { lines: [] } });
  // So does an action that fails.
  expect(await details(8)).toMatchObject({ problem: { code: 'element_stale' } });
  const told = { later: changes, changedSinceTyped: changes, hidden: true };
  expect(await details(0)).toMatchObject({ value: { outcome: { details: told } } });
  expect(JSON.stringify(await details(1))).not.toContain('later');
  expect(order).toEqual(['tok_1/s 7', 'click', 'tok_1/s 7', 'click', 'tok_1/s 7', 'click']);
});

test('[batch.undone] a further step of a batch is not sent after an undoing; what a press explains is none', async () => {
  const done: string[] = [];
  const click = async (): Promise<unknown> => done.push('sent');
  const explain = ({ actionId }: { actionId?: string | undefined }): unknown => done.push(`explained ${actionId}`);
  const proofs = { ...servedDesktop.proofs, explain, undoneBefore: (owner: string) => `Edit of ${owner}` };
  const { server, sent } = started({ pointer: { click, button: click } }, { proofs });
  const permit = { exits: [], target: { window: { hwnd: '7', title: 'Trip', pid: 3 } } };
  const call = { kind: 'call', topic: 'pointer', owner: 'tok_1/s', deadlineMs: 1000, permit };
  // What is held is released nevertheless.
  const calls = [undefined, false, true, true].map((isFurther, id) => ({ id, actionId: `act_${id}`, isFurther }));
  for (const each of calls) {
    const [method, ...args] = each.id === 3 ? ['button', null, 'up'] : ['click'];
    server.receive({ ...call, ...each, method, args, sentAt: machineMs() } as never);
    await until(() => sent.some(({ kind, ...more }) => kind === 'answer' && 'id' in more && more.id === each.id), 'it');
  }
  expect(done).toEqual(['sent', 'sent', 'explained act_1', 'sent', 'explained act_3']);
  const problem = {
    code: 'state_conflict',
    delivery: 'not_delivered',
    detail: expect.stringContaining('Edit of tok_1'),
  };
  expect(sent).toContainEqual(expect.objectContaining({ id: 2, problem: expect.objectContaining(problem) as unknown }));
});

test('a call whose deadline passed while it waited is not carried out; another has what is left of its time', async () => {
  const deadlines: number[] = [];
  const click = async (...args: unknown[]): Promise<boolean> => {
    deadlines.push((args.at(-1) as { deadlineMs: number }).deadlineMs);
    return true;
  };
  const { server, sent } = started({ pointer: { click } });
  const call = { kind: 'call', topic: 'pointer', method: 'click', args: [], owner: 'tok_1/default', deadlineMs: 1000 };
  for (const [id, agoMs] of [0, 400, 1200].entries())
    server.receive({ ...call, id, sentAt: machineMs() - agoMs, tellsBegin: true } as never);
  server.receive({ ...call, id: 3, sentAt: machineMs(), tellsBegin: false } as never);
  await until(() => sent.filter(({ kind }) => kind === 'answer').length === 4, 'the answers');
  expect(deadlines).toHaveLength(3);
  expect(deadlines[0]).toBe(1000);
  expect(deadlines[1]).toBeLessThanOrEqual(600);
  expect(sent.flatMap((message) => (message.kind === 'begun' ? [message.id] : []))).toEqual([0, 1]);
  expect(sent).toContainEqual(
    expect.objectContaining({
      id: 2,
      problem: expect.objectContaining({ code: 'deadline_exceeded', delivery: 'not_delivered' }),
    }),
  );
});

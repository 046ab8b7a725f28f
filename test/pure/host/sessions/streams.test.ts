/** What the stream of a computer-use session says, and when. */
import { expect, test } from 'vitest';
import type { ComputerUseStreamEvent } from '../../../../src/contract/gate/session.ts';
import { startTestHost, type TestHost } from '../running-host.ts';

const APP = `app:${encodeURIComponent('c:\\windows\\system32\\notepad.exe')}`;
const SAVE = { name: 'Save draft' };

/** A running session with a bound window, and the events of its stream so far. */
async function running(t: TestHost) {
  const { computerUseSessionId: id } = await t.host.sessions.start(t.agent, { goal: 'save', urls: [APP] });
  const caller = { ...t.agent, session: id };
  const events: ComputerUseStreamEvent[] = [];
  const reading = (async () => {
    for await (const { event } of t.host.sessions.stream(t.agent, id, null, AbortSignal.timeout(20_000)))
      events.push(event);
  })();
  await t.host.runner.run(caller, 'bind-to-window', { title: 'Notepad' }).result;
  const of = (type: ComputerUseStreamEvent['type']) => events.filter((event) => event.type === type);
  return {
    id,
    events,
    of,
    run: (action: string, input: object, signal?: AbortSignal) => t.host.runner.run(caller, action, input, { signal }),
    async complete(): Promise<void> {
      await t.host.sessions.complete(t.agent, id, 'done');
      await reading;
    },
  };
}

test('[stream.action-first] an action is in the stream before anything of it is delivered', async () => {
  await using t = await startTestHost();
  const session = await running(t);
  const { element } = t.scene.desktop;
  const deliver = element.click;
  let before: { stream_id: string; event: string }[] = [];
  element.click = async (...given) => {
    [before] = JSON.parse(await t.stored('events'));
    return deliver(...given);
  };
  const click = session.run('click-element', SAVE);
  await click.result;
  const ours = before.filter((row) => row.stream_id === session.id).map((row) => JSON.parse(row.event));
  expect(ours.at(-1)).toMatchObject({ type: 'action', actionId: click.actionId, actionType: 'clickElement' });
  await session.complete();
});

test('[stream.screenshot] each picture is one screenshot event with its address and size', async () => {
  await using t = await startTestHost();
  const session = await running(t);
  await session.run('screenshot', {}).result;
  await session.run('snapshot', {}).result;
  await session.run('screenshot', {}).result;
  await session.complete();
  expect(session.of('screenshot')).toEqual(
    [1, 2].map(() =>
      expect.objectContaining({
        url: expect.stringMatching(/^\/v1\/artifacts\/[0-9a-f]{64}\/content$/),
        width: 1,
        height: 1,
      }),
    ),
  );
});

test('[stream.approval-required] [stream.approval-resolved] each card is one approval_required, and its decision one approval_resolved', async () => {
  await using t = await startTestHost({ level: 'control' });
  const session = await running(t);
  const actionIds: string[] = [];
  for (const decision of ['approve', 'deny'] as const) {
    const click = session.run('click-element', SAVE);
    actionIds.push(click.actionId);
    await click.pending;
    await t.decideNext(decision);
    await click.result.catch(() => {});
  }
  await session.complete();
  expect(session.of('approval_required').map((event) => 'actionId' in event && event.actionId)).toEqual(actionIds);
  expect(session.of('approval_resolved')).toEqual([
    expect.objectContaining({ actionId: actionIds[0], decision: 'approve' }),
    expect.objectContaining({ actionId: actionIds[1], decision: 'deny' }),
  ]);
});

test('a card that expires is approval_resolved with deny', async () => {
  await using t = await startTestHost({
    level: 'control',
    approvals: { timeoutMs: 1000, surfaces: ['overlay', 'api'] },
  });
  const session = await running(t);
  const click = session.run('click-element', SAVE);
  await expect(click.result).rejects.toMatchObject({ code: 'approval_expired' });
  await session.complete();
  expect(session.of('approval_resolved')).toEqual([
    expect.objectContaining({ actionId: click.actionId, decision: 'deny' }),
  ]);
});

test('a card whose client disconnects is approval_resolved with deny', async () => {
  await using t = await startTestHost({ level: 'control' });
  const session = await running(t);
  const connection = new AbortController();
  const click = session.run('click-element', SAVE, connection.signal);
  const ended = expect(click.result).rejects.toMatchObject({ code: 'cancelled' });
  await click.pending;
  connection.abort();
  await ended;
  await session.complete();
  expect(session.of('approval_resolved')).toEqual([
    expect.objectContaining({ actionId: click.actionId, decision: 'deny' }),
  ]);
  expect(t.scene.delivered).toEqual([]);
});

test('[stream.error] each failed or blocked action is one error event with its code', async () => {
  await using t = await startTestHost({ level: 'control' });
  const session = await running(t);
  await expect(session.run('snapshot', { maxElements: 0 }).result).rejects.toMatchObject({ code: 'invalid_argument' });
  const click = session.run('click-element', SAVE);
  await click.pending;
  await t.decideNext('deny');
  await expect(click.result).rejects.toMatchObject({ code: 'approval_denied' });
  await session.complete();
  expect(session.of('error').map((event) => 'code' in event && event.code)).toEqual([
    'invalid_argument',
    'approval_denied',
  ]);
});

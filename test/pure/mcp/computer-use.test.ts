/** The `computer_use` tool over real clients of both revisions, and over HTTP, on the real host, gate and store; only the desktop is a stand-in. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { openFaces, type Answer } from '../faces.ts';
import type { Era } from '../../support/mcp-client.ts';

const schema = (path: string): object =>
  JSON.parse(readFileSync(new URL(`../../../schemas/${path}`, import.meta.url), 'utf8')) as object;
const ajv = new Ajv({ strict: false });
(addFormats as unknown as (instance: Ajv) => void)(ajv);
ajv.addSchema(schema('governance.schema.json'));
ajv.addSchema(schema('seeds/computer-use.schema.json'));
const ID = 'https://github.com/andrewhuot/headless-chat-sdk/schemas/computer-use.schema.json';
const isInput = ajv.getSchema(`${ID}#/definitions/ComputerUseInput`)!;
const isOutput = ajv.getSchema(`${ID}#/definitions/ComputerUseOutput`)!;
const isEvent = ajv.getSchema(`${ID}#/definitions/ComputerUseStreamEvent`)!;

const INPUT = { goal: 'save the draft', urls: [`app:${encodeURIComponent('c:\\windows\\system32\\notepad.exe')}`] };
const PROPOSAL = {
  action_type: 'click',
  target: { role: 'button', name: 'Save draft', test_id: '' },
  text: '',
  reason: 'to save',
  risk_tags: [],
  requires_approval: false,
};

const ERAS: Array<[string, Era]> = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
];

describe.each(ERAS)('the session of a client over MCP %s', (_name, era) => {
  test('is listed once, by the name and version of the client, with its window', async () => {
    await using face = await openFaces(era);
    await face.mcp('bind_to_window', { title: 'Notepad' });
    const sessions = await face.t.host.openSessions();
    expect(sessions).toMatchObject([{ client: 'test 1.0.0', window: { title: 'Untitled - Notepad' } }]);
  });

  test('[sessions.quiet] is left out after half an hour, and there again once it acts; who acted last is first', async () => {
    await using face = await openFaces(era);
    const { host, agent } = face.t;
    const owners = async (): Promise<string[]> => (await host.openSessions()).map(({ session }) => session);
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      for (const session of ['one', 'two', 'one']) {
        await host.runner.run({ ...agent, session }, 'bind-to-window', { title: 'Notepad' }).result;
        vi.advanceTimersByTime(20 * 60_000);
        if (session === 'two') expect(await owners()).toEqual(['two']);
      }
      expect(await owners()).toEqual(['one']);
      // Who pauses all pauses the quiet ones too.
      expect((await host.openSessions(true)).map(({ session }) => session)).toEqual(
        expect.arrayContaining(['one', 'two']),
      );
      await host.runner.run({ ...agent, session: 'two' }, 'get-binding-status', {}).result;
      expect(await owners()).toEqual(['two', 'one']);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe.each(ERAS)('computer_use over MCP %s', (_name, era) => {
  test('a session is started with the protocol’s input, acted in, proposed in, followed and completed, over MCP alone', async () => {
    await using face = await openFaces(era);
    const started = await face.mcp('computer_use', INPUT);
    expect(started).toMatchObject({ isError: false, status: 'running', actionsExecuted: 0, goal: INPUT.goal });
    const computerUseSessionId = String(started['computerUseSessionId']);
    const told: Array<Record<string, unknown>> = [];
    const following = face.mcp(
      'computer_use',
      { action: 'follow', computerUseSessionId },
      { onEvent: (event) => told.push(event) },
    );
    expect(await face.mcp('bind_to_window', { title: 'Notepad', computerUseSessionId })).toMatchObject({
      isError: false,
    });
    expect(await face.mcp('click_element', { name: 'Save draft', computerUseSessionId })).toMatchObject({
      isError: false,
      value: true,
    });
    expect(
      await face.mcp('computer_use', { action: 'propose', computerUseSessionId, proposal: PROPOSAL }),
    ).toMatchObject({
      isError: false,
      status: 'running',
      proposal: { decision: 'execute', riskLevel: expect.any(String) },
    });
    expect(
      await face.mcp('request_ui_action', PROPOSAL, { meta: { 'uiahost/session': computerUseSessionId } }),
    ).toMatchObject({ isError: false, value: { decision: 'execute' } });
    expect(await face.mcp('computer_use', { action: 'state', computerUseSessionId })).toMatchObject({
      status: 'running',
      actionsExecuted: 3,
    });
    const output = await face.mcp('computer_use', { action: 'complete', computerUseSessionId, summary: 'saved' });
    expect(output).toMatchObject({ isError: false, status: 'completed', summary: 'saved', actionsExecuted: 3 });
    const { isError: _isError, ...whole } = output;
    expect(isOutput(whole), JSON.stringify(isOutput.errors)).toBe(true);
    const followed = await following;
    const events = followed['events'] as Array<{ id: string; event: Record<string, unknown> }>;
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => `${computerUseSessionId}:${index + 1}`));
    expect(events.map(({ event }) => event)).toEqual(told);
    for (const event of told) expect(isEvent(event), JSON.stringify(isEvent.errors)).toBe(true);
    expect([told[0]?.['type'], told.at(-1)?.['type'], told.filter(({ type }) => type === 'action').length]).toEqual([
      'session.started',
      'session.ended',
      4,
    ]);
    expect(followed).toMatchObject({ status: 'completed', lastEventId: events.at(-1)?.id });
    expect(face.t.scene.delivered).toEqual(['click e1', 'click e1', 'click e1']);
  });

  test('[tool.computer-use.wait] with wait, one call is the contract’s: it answers at the end, with the protocol’s output', async () => {
    await using face = await openFaces(era);
    const told: Array<Record<string, unknown>> = [];
    const started = Promise.withResolvers<string>();
    const waiting = face.mcp(
      'computer_use',
      { ...INPUT, wait: true },
      {
        onEvent: (event) => {
          told.push(event);
          if (event['type'] === 'session.started') started.resolve(String(event['computerUseSessionId']));
        },
      },
    );
    const computerUseSessionId = await started.promise;
    await face.mcp('bind_to_window', { title: 'Notepad', computerUseSessionId });
    await face.mcp('click_element', { name: 'Save draft', computerUseSessionId });
    await face.mcp('computer_use', { action: 'complete', computerUseSessionId, summary: 'saved' });
    const { isError, ...output } = await waiting;
    expect([isError, isOutput(output), isOutput.errors]).toEqual([false, true, null]);
    expect(output).toMatchObject({ status: 'completed', summary: 'saved', actionsExecuted: 1 });
    expect(told.at(-1)).toMatchObject({ type: 'session.ended' });
  });

  test('abort ends it with its reason, a limit with its name; later calls are refused', async () => {
    await using face = await openFaces(era);
    const first = String((await face.mcp('computer_use', { action: 'start', ...INPUT }))['computerUseSessionId']);
    const aborted = await face.mcp('computer_use', {
      action: 'abort',
      computerUseSessionId: first,
      reason: 'changed my mind',
    });
    expect(aborted).toMatchObject({ isError: false, status: 'aborted', summary: 'changed my mind' });
    expect(await face.mcp('click_element', { name: 'Save draft', computerUseSessionId: first })).toMatchObject({
      isError: true,
      code: 'session_ended',
    });
    const second = String((await face.mcp('computer_use', { ...INPUT, maxActions: 1 }))['computerUseSessionId']);
    await face.mcp('bind_to_window', { title: 'Notepad', computerUseSessionId: second });
    await face.mcp('click_element', { name: 'Save draft', computerUseSessionId: second });
    expect(await face.mcp('click_element', { name: 'Save draft', computerUseSessionId: second })).toMatchObject({
      isError: true,
      code: 'action_limit_exceeded',
    });
    const followed = await face.mcp(
      'computer_use',
      { action: 'follow', computerUseSessionId: second },
      { onEvent: () => {} },
    );
    expect(followed).toMatchObject({ status: 'action_limit_exceeded', actionsExecuted: 1 });
    for (const { isError: _isError, ...output } of [aborted, followed])
      expect(isOutput(output), JSON.stringify(isOutput.errors)).toBe(true);
    const third = String((await face.mcp('computer_use', INPUT))['computerUseSessionId']);
    await face.t.host.close();
    // The output knows no `failed`: that is a refusal with the state in it.
    expect(await face.mcp('computer_use', { action: 'state', computerUseSessionId: third })).toMatchObject({
      isError: true,
      code: 'session_ended',
      partialResult: { status: 'failed' },
    });
  });

  test('a proposal that needs approval answers before a client gives up, and await_approval continues to its end', async () => {
    await using face = await openFaces(era, { level: 'control' }, { times: { answerBeforeMs: 1000 } });
    const computerUseSessionId = String((await face.mcp('computer_use', INPUT))['computerUseSessionId']);
    await face.mcp('bind_to_window', { title: 'Notepad', computerUseSessionId });
    const asked = await face.mcp('computer_use', { action: 'propose', computerUseSessionId, proposal: PROPOSAL });
    const { approvalId } = asked['proposal'] as { approvalId: string };
    expect(asked).toMatchObject({
      status: 'running',
      proposal: { status: 'pending' },
      pendingApprovalIds: [approvalId],
    });
    await face.t.decideNext('approve');
    let done: Answer = asked;
    for (let round = 0; round < 50 && done['value'] === undefined; round += 1)
      done = await face.mcp('await_approval', { approvalId });
    expect(done).toMatchObject({ isError: false, value: { decision: 'approve' } });
    expect(face.t.scene.delivered).toEqual(['click e1']);
  });
});

describe('computer_use over HTTP', () => {
  test('the same arguments and answers as a tool; polling returns the events after the named one', async () => {
    await using face = await openFaces();
    const computerUseSessionId = String((await face.http('computer_use', INPUT))['computerUseSessionId']);
    const first = await face.http('computer_use', { action: 'follow', computerUseSessionId });
    expect(first).toMatchObject({
      status: 'running',
      lastEventId: `${computerUseSessionId}:1`,
      events: [{ event: { type: 'session.started' } }],
    });
    await face.http('bind_to_window', { title: 'Notepad', computerUseSessionId });
    expect(await face.http('computer:click', { x: 5, y: 5, computerUseSessionId })).toMatchObject({
      isError: true,
      code: expect.not.stringMatching(/^(?:not_bound|invalid_argument)$/),
    });
    expect(
      await face.http('computer_use', { action: 'propose', computerUseSessionId, proposal: PROPOSAL }),
    ).toMatchObject({ proposal: { decision: 'execute' } });
    const second = await face.http('computer_use', {
      action: 'follow',
      computerUseSessionId,
      after: first['lastEventId'],
    });
    expect((second['events'] as Array<{ id: string }>)[0]?.id).toBe(`${computerUseSessionId}:2`);
    await face.http('computer_use', { action: 'abort', computerUseSessionId });
    const last = await face.http('computer_use', {
      action: 'follow',
      computerUseSessionId,
      after: second['lastEventId'],
    });
    expect((last['events'] as Array<{ event: object }>).at(-1)?.event).toMatchObject({ type: 'session.ended' });
    expect(
      await face.http('computer_use', { action: 'follow', computerUseSessionId, after: last['lastEventId'] }),
    ).toMatchObject({ events: [], status: 'aborted' });
  });

  test('takes as its start exactly what the protocol’s schema takes', async () => {
    await using face = await openFaces('legacy', {
      limits: { actionsPerMinute: 6000, maxActions: 200, maxDurationMs: 1_800_000 },
    });
    const value = fc.oneof(
      fc.integer({ min: -1, max: 1_900_000 }),
      fc.double(),
      fc.string({ maxLength: 5 }),
      fc.constant(null),
      fc.array(fc.constant('app:a.exe'), { maxLength: 18 }),
      fc.constant({ a: 1 }),
    );
    const given: fc.Arbitrary<Record<string, unknown>> = fc.record(
      {
        goal: fc.oneof({ weight: 4, arbitrary: fc.string({ minLength: 1, maxLength: 1001 }) }, value),
        urls: fc.oneof(
          { weight: 4, arbitrary: fc.array(fc.constantFrom('app:a.exe', 'app:b.exe'), { maxLength: 17 }) },
          value,
        ),
        maxActions: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 201 }) }, value),
        maxDurationMs: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 999, max: 1_800_001 }) }, value),
        hints: fc.oneof({ weight: 3, arbitrary: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer()) }, value),
        extra: fc.integer(),
      },
      { requiredKeys: [] },
    );
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(given, async (input) => {
        const answer = await face.http('computer_use', input);
        taken += Number(!answer.isError);
        expect([answer.isError, answer['code']]).toEqual(
          isInput(JSON.parse(JSON.stringify(input))) ? [false, undefined] : [true, 'invalid_argument'],
        );
      }),
      {
        numRuns: 150,
        examples: [
          [INPUT],
          [{ ...INPUT, maxActions: 200, maxDurationMs: 1000, hints: {} }],
          [{ ...INPUT, maxActions: 201 }],
          [{ ...INPUT, extra: 1 }],
        ],
      },
    );
    expect(taken).toBeGreaterThanOrEqual(2);
  });

  test('another token’s session, an unknown session and another session’s name are all treated as missing, and a refusal is audited', async () => {
    await using face = await openFaces();
    const { token } = await face.t.host.tokens.create({ name: 'other' }, 'operator');
    const computerUseSessionId = String((await face.http('computer_use', INPUT))['computerUseSessionId']);
    for (const action of ['state', 'follow', 'abort'] as const) {
      expect(await face.http('computer_use', { action, computerUseSessionId }, token)).toMatchObject({
        isError: true,
        code: 'session_not_found',
      });
    }
    expect(await face.http('list_visible_windows', { computerUseSessionId }, token)).toMatchObject({
      isError: true,
      code: 'session_not_found',
    });
    for (const named of ['cus_none', 'default', '../x']) {
      expect(await face.http('list_visible_windows', { computerUseSessionId: named })).toMatchObject({
        isError: true,
        code: 'session_not_found',
      });
    }
    expect(await face.http('computer_use', { action: 'pause', computerUseSessionId })).toMatchObject({
      isError: true,
      code: 'invalid_argument',
    });
    expect(await face.http('request_ui_action', { ...PROPOSAL, computerUseSessionId })).toMatchObject({
      isError: true,
      code: 'invalid_argument',
    });
    await face.t.host.close();
    const audited = await face.t.auditEntries();
    expect(
      audited.filter(({ action, errorCode }) => action === 'tool computer_use' && errorCode === 'session_not_found')
        .length,
    ).toBeGreaterThanOrEqual(1);
    expect(
      audited.some(({ action, errorCode }) => action === 'tool computer_use' && errorCode === 'invalid_argument'),
    ).toBe(true);
  });

  test('a session has a binding of its own: an action that does not name it acts elsewhere', async () => {
    await using face = await openFaces();
    const computerUseSessionId = String((await face.http('computer_use', INPUT))['computerUseSessionId']);
    await face.http('bind_to_window', { title: 'Notepad', computerUseSessionId });
    expect(await face.http('click_element', { name: 'Save draft' })).toMatchObject({
      isError: true,
      code: 'not_bound',
    });
    expect(await face.http('computer_use', { action: 'state', computerUseSessionId })).toMatchObject({
      actionsExecuted: 0,
    });
  });
});

/** End to end: a computer-use session from start to end. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, expectProblem } from '../support/client.ts';
import { Scene, type NotepadWindow } from '../support/scene.ts';
import { controlId } from '../support/controls.ts';
import { openStream, type StreamEvent } from '../support/stream.ts';
import { wordsOf } from '../support/words.ts';

const schema = (path: string): object =>
  JSON.parse(readFileSync(new URL(`../../schemas/${path}`, import.meta.url), 'utf8')) as object;
const ajv = new Ajv({ strict: false, allErrors: true });
(addFormats as unknown as (instance: Ajv) => void)(ajv);
ajv.addSchema(schema('governance.schema.json'));
ajv.addSchema(schema('seeds/computer-use.schema.json'));
const ID = 'https://github.com/andrewhuot/headless-chat-sdk/schemas/computer-use.schema.json';
const isEvent = ajv.getSchema(`${ID}#/definitions/ComputerUseStreamEvent`)!;
const isOutput = ajv.getSchema(`${ID}#/definitions/ComputerUseOutput`)!;

const NOTEPAD = `app:${encodeURIComponent('c:\\windows\\system32\\notepad.exe')}`;
const BASE = '/v1/computer-use/sessions';
let scene: Scene;
let notepad: NotepadWindow;

beforeAll(async () => {
  scene = await Scene.open({ env: { UIAHOST_LEVEL: 'control' } });
  notepad = await scene.notepad();
});
afterAll(() => scene?.[Symbol.asyncDispose]());

interface Session {
  readonly id: string;
  readonly client: Client;
  readonly stream: ReturnType<typeof openStream>;
  view(): Promise<any>;
}

async function start(input: object): Promise<Session> {
  const { status, body } = await scene.host.request(BASE, {
    body: { goal: 'write a note', urls: [NOTEPAD], ...input },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  const { computerUseSessionId: id, streamUrl, controlUrl } = body;
  expect({ streamUrl, controlUrl }).toEqual({
    streamUrl: expect.stringContaining(`${BASE}/${id}/stream`),
    controlUrl: expect.stringContaining(`${BASE}/${id}/control`),
  });
  const client = new Client(scene.host, id);
  return {
    id,
    client,
    stream: openStream(new URL(streamUrl, scene.host.url), scene.host.agentToken),
    view: async () => (await scene.host.request(`${BASE}/${id}`)).body,
  };
}

const control = (
  session: Session,
  body: object,
  token: 'agent' | 'operator' = 'agent',
): ReturnType<typeof scene.host.request> =>
  scene.host.request(`${BASE}/${session.id}/control`, { token, body: { computerUseSessionId: session.id, ...body } });
const typesOf = (events: StreamEvent[]): string[] => events.map(({ data }) => data.type);

describe('a computer-use session', () => {
  it('[session.stream] [session.schema] [stream.ids] streams all that happens, in order, in exactly the protocol’s objects', async () => {
    const session = await start({ hints: { tone: 'plain' } });
    await session.client.bind({ hwnd: notepad.hwnd });
    await session.client.act('screenshot');

    const typed = session.client.act('virtual-keyboard', { action: 'type', text: 'noted' });
    const asked = await session.stream.waitFor('approval_required');
    const { pendingApprovalIds } = await session.view();
    expect(pendingApprovalIds).toHaveLength(1);
    const card = await session.client.operator(`/v1/approvals/${pendingApprovalIds[0]}`);
    expect(card.why).toContainEqual({ kind: 'proposer', text: expect.stringContaining('write a note') });
    expect(
      (await control(session, { action: 'decision', actionId: asked.data.actionId, decision: 'approve' }, 'operator'))
        .status,
    ).toBe(200);
    await typed;
    expect(await notepad.text()).toBe('noted');

    const refused = session.client.send('virtual-keyboard', { action: 'type', text: ' more' });
    const second = await session.stream.waitFor('approval_required', 2);
    await control(session, { action: 'decision', actionId: second.data.actionId, decision: 'deny' }, 'operator');
    expectProblem(await refused, 'approval_denied');
    expect((await scene.host.request(`${BASE}/${session.id}/complete`, { body: { summary: 'noted' } })).status).toBe(
      200,
    );
    const events = await session.stream.ended();

    for (const { data, event, id } of events) {
      expect(isEvent(data), `${JSON.stringify(data)} ${JSON.stringify(isEvent.errors)}`).toBe(true);
      expect(event).toBe(data.type);
      expect(id).toMatch(new RegExp(`^${session.id}:\\d+$`));
    }
    const types = typesOf(events);
    expect(types[0]).toBe('session.started');
    expect(types.filter((type) => type === 'session.ended')).toHaveLength(1);
    expect(types.at(-1)).toBe('session.ended');
    expect(new Set(types)).toEqual(
      new Set(wordsOf`session.started action screenshot approval_required approval_resolved error session.ended`),
    );
    expect(types.indexOf('approval_resolved')).toBeLessThan(types.lastIndexOf('action'));
    expect(events.filter(({ data }) => data.type === 'approval_resolved').map(({ data }) => data.decision)).toEqual([
      'approve',
      'deny',
    ]);
    const picture = events.find(({ data }) => data.type === 'screenshot')!.data;
    expect(picture.url).toMatch(/\/v1\/artifacts\/[0-9a-f]{64}\/content$/);

    const { entries } = await session.client.operator('/v1/audit?limit=1000');
    expect(JSON.stringify(entries)).toContain('write a note');
    expect(JSON.stringify(entries)).toContain('plain');
  });

  it('[protocol.output] [session.summary] [session.evidence] [session.last-url] its view fits the protocol’s output: status, summary, actions, address, evidence', async () => {
    const sessions = (await scene.host.request(BASE)).body.sessions as any[];
    const view = sessions.find(({ summary }) => summary === 'noted');
    expect(isOutput(view), JSON.stringify(isOutput.errors)).toBe(true);
    expect(view).toMatchObject({ status: 'completed', summary: 'noted', actionsExecuted: 1, lastUrl: NOTEPAD });
    expect(view.evidence).toMatchObject({
      artifacts: expect.anything(),
      audit: { from: expect.any(Number), to: expect.any(Number) },
      denials: expect.anything(),
      approvals: expect.anything(),
    });
  });

  it('[session.abort] [protocol.control] [session.decision] abort denies the open card and is idempotent; deciding needs the operator', async () => {
    const session = await start({});
    await session.client.bind({ hwnd: notepad.hwnd });
    const waiting = session.client.send('virtual-keyboard', { action: 'type', text: 'never' });
    const { data } = await session.stream.waitFor('approval_required');
    expectProblem(
      await control(session, { action: 'decision', actionId: data.actionId, decision: 'approve' }),
      'permission_denied',
    );
    expectProblem(
      await control(session, { action: 'decision', actionId: data.actionId, decision: 'perhaps' }, 'operator'),
      'invalid_argument',
    );
    expectProblem(await control(session, { action: 'abort', computerUseSessionId: 'another' }), 'invalid_argument');
    expect((await control(session, { action: 'abort', reason: 'enough' })).body).toMatchObject({ status: 'aborted' });
    expect((await control(session, { action: 'abort' })).body).toMatchObject({ status: 'aborted' });
    expect((await waiting).status).toBeGreaterThanOrEqual(400);
    expect(await session.view()).toMatchObject({ status: 'aborted', summary: 'enough', pendingApprovalIds: [] });
    const events = await session.stream.ended();
    expect(events.find((event) => event.data.type === 'approval_resolved')?.data).toMatchObject({ decision: 'deny' });
    expect(await notepad.text()).toBe('noted');
    await session.client.refused('session_ended', 'snapshot');
  });

  it('[urls.touch] a target outside its addresses is refused', async () => {
    await using controls = await scene.fixture('controls');
    const session = await start({});
    await session.client.bind({ hwnd: controls.hwnd });
    const answer = await session.client.send('click-element', { name: 'Push me' });
    expect(answer.body.code).toMatch(/^(blocked_by_policy|app_not_granted)$/);
    expect(controls.journal.events({ event: 'command' })).toEqual([]);
    await control(session, { action: 'abort' });
    await session.stream.ended();
  });

  it('[protocol.input] input that the protocol does not know starts nothing', async () => {
    const before = ((await scene.host.request(BASE)).body.sessions as unknown[]).length;
    for (const body of [
      {},
      { goal: 'x' },
      { goal: '', urls: [NOTEPAD] },
      { goal: 'x', urls: [] },
      { goal: 'x', urls: ['nonsense'] },
      { goal: 'x', urls: Array(17).fill(NOTEPAD) },
      { goal: 'x', urls: [NOTEPAD], maxActions: 0 },
      { goal: 'x', urls: [NOTEPAD], maxActions: 201 },
      { goal: 'x', urls: [NOTEPAD], maxDurationMs: 999 },
      { goal: 'x', urls: [NOTEPAD], more: 1 },
    ]) {
      expectProblem(await scene.host.request(BASE, { body }), 'invalid_argument');
    }
    expectProblem(
      await scene.host.request(BASE, { body: { goal: 'x', urls: ['http://shop.example/'] } }),
      'blocked_by_policy',
    );
    expect(((await scene.host.request(BASE)).body.sessions as unknown[]).length).toBe(before);
  });

  it('[proposal.answer] [proposal.mapping-type] [proposal.parameters] a proposal is judged by the gate, runs once after an approval, and is refused with anything else in it', async () => {
    await using controls = await scene.fixture('controls');
    const { app } = (await scene.client.act('list-visible-windows')).value.find(
      ({ hwnd }: any) => hwnd === controls.hwnd,
    );
    const session = await start({ urls: [`app:${encodeURIComponent(app)}`] });
    await session.client.bind({ hwnd: controls.hwnd });
    const name = controlId('EDIT_NAME');
    const body = {
      action_type: 'type',
      target: { role: 'textbox', name: '', test_id: String(name) },
      text: ' once',
      reason: 'to add a word',
      risk_tags: [],
      requires_approval: false,
    };
    const proposed = scene.host.request(`${BASE}/${session.id}/propose`, { body });
    const { data } = await session.stream.waitFor('approval_required');
    await control(session, { action: 'decision', actionId: data.actionId, decision: 'approve' }, 'operator');
    const { body: answer } = await proposed;
    expect(Object.keys(answer).sort()).toEqual(
      wordsOf`actionId approvalId decision evidence flags proposedRiskTags reason result riskLevel riskTags`.sort(),
    );
    expect(answer).toMatchObject({
      decision: expect.stringMatching(/approve|execute/),
      riskLevel: 'high',
      result: { value: true },
    });
    expect((await controls.dump()).get(name)).toMatchObject({ text: 'Ada once' });
    for (const wrong of [
      { ...body, extra: 1 },
      { ...body, action_type: 'smash' },
      { ...body, action_type: 'click', text: 'x' },
      { ...body, risk_tags: ['spicy'] },
    ]) {
      expectProblem(await scene.host.request(`${BASE}/${session.id}/propose`, { body: wrong }), 'invalid_argument');
    }
    await control(session, { action: 'abort' });
    await session.stream.ended();
  });
});

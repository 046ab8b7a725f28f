/** End to end: what each permission level allows, asks for and records. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, expectProblem } from '../support/client.ts';
import { controlId } from '../support/controls.ts';
import { sharedScene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const { scene, client, controls } = await sharedScene(async (opened) => ({ controls: await opened.boundControls() }), {
  env: { UIAHOST_LEVEL: undefined },
});

const pending = async (): Promise<any[]> => (await client.operator('/v1/approvals?status=pending')).approvals;
const commands = (): unknown[] => controls.journal.events({ event: 'command', codeName: 'BN_CLICKED' });
const push = { name: 'Push me' };
async function auditOf(actionId: string): Promise<any[]> {
  const { entries } = await client.operator('/v1/audit?limit=1000');
  return entries.filter((entry: any) => entry.actionId === actionId);
}

describe('levels', () => {
  it('[capabilities.filtering] [app.host-bundle-id] the status describes the host and its abilities', async () => {
    // a status waits 400 ms for the desktop at most, and leaves out what a worker that is just starting has not told
    const { body } = await until(
      () => scene.host.request('/v1/status'),
      (status) => status.body.capabilities.hostBundleId !== undefined,
    );
    expect(body.capabilities).toMatchObject({
      platform: 'win32',
      screenshotFiltering: 'native',
      hostBundleId: expect.stringMatching(/^[a-z]:\\.*\\node\.exe$/),
    });
    expect(body).toMatchObject({
      worker: { state: 'ready', restarts: 0 },
      stopped: false,
      doctor: expect.any(Array),
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  });

  it('[level.no-file] without a policy file the level is control', async () => {
    expect(await client.operator('/v1/policy')).toMatchObject({ level: 'control' });
    expect((await scene.host.request('/v1/status')).body).toMatchObject({ level: 'control' });
  });

  it('[level.disabled] disabled blocks everything, looking too', async () => {
    await client.policy({ level: 'disabled' });
    for (const name of ['list-visible-windows', 'snapshot', 'screenshot'])
      await client.refused('permission_denied', name);
    await client.refused('permission_denied', 'click-element', push);
    expect(commands()).toEqual([]);
  });

  it('[level.observe] [safety.levels] observe lets look and refuses input, naming the level that it needs', async () => {
    await client.policy({ level: 'observe' });
    await client.act('snapshot');
    await client.act('screenshot');
    for (const [name, input] of [
      ['click-element', push],
      ['virtual-keyboard', { action: 'type', text: 'x' }],
      ['manage-window', { action: 'minimize' }],
      ['open-app', { bundleId: 'notepad.exe' }],
      ['write-clipboard', { text: 'x' }],
    ] as const) {
      expect((await client.refused('permission_denied', name, input)).detail, name).toMatch(/control/);
    }
    expect(await pending()).toEqual([]);
    expect(commands()).toEqual([]);
  });

  it('[level.full] full runs input, which is still high risk', async () => {
    await client.policy({ level: 'full' });
    controls.journal.mark();
    const done = await client.act('click-element', push);
    expect(done.decision).toMatchObject({ result: 'execute', riskLevel: 'high', approvalId: null });
    expect(commands()).toHaveLength(1);
  });
});

describe('at control a person is asked', () => {
  beforeAll(async () => {
    await client.policy({ level: 'control' });
    controls.journal.mark();
  });

  it('[level.control] [safety.high-risk] [safety.tagged] [safety.confirmation] the card states what, where, why and how risky, and nothing has happened yet', async () => {
    const { actionId, card } = await client.pending('click-element', push);
    expect(card).toMatchObject({
      actionId,
      action: 'clickElement',
      status: 'pending',
      riskLevel: 'high',
      riskTags: expect.arrayContaining(['computer:input']),
      window: { hwnd: controls.hwnd, title: controls.title, pid: controls.pid },
      element: { role: 'Button', name: 'Push me', automationId: String(controlId('PUSH')) },
      app: { bundleId: expect.stringContaining('controls.exe') },
      decidedBy: null,
    });
    expect(card.why.map(({ kind }) => kind)).toContain('level');
    expect(card.summary).toMatch(/Push me/);
    expect(Date.parse(card.expiresAt) - Date.parse(card.createdAt)).toBe(120_000);
    expect(await pending()).toHaveLength(1);
    expect((await scene.host.request(`/v1/actions/${actionId}`)).body).toEqual({
      actionId,
      status: 'pending',
      delivery: 'queued',
    });
    const picture = await fetch(scene.host.url + card.pictureUrl!, {
      headers: { authorization: `Bearer ${scene.host.agentToken}` },
    });
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(commands()).toEqual([]);

    await client.decide(card.approvalId, 'approve');
    expect(await client.ended(actionId)).toMatchObject({
      status: 'succeeded',
      result: { value: true, decision: { result: 'execute', approvalId: card.approvalId } },
    });
    expect(commands()).toHaveLength(1);
  });

  it('[approval.deny] a denial is approval_denied, and nothing happens', async () => {
    controls.journal.mark();
    const { actionId, card } = await client.pending('click-element', push);
    expect(await client.decide(card.approvalId, 'deny')).toMatchObject({
      status: 'denied',
      decidedBy: expect.stringContaining('api'),
    });
    expect(await client.ended(actionId)).toMatchObject({
      status: 'failed',
      error: { code: 'approval_denied', status: 403, delivery: 'not_delivered' },
    });
    await sleep(100);
    expect(commands()).toEqual([]);
  });

  it('without wait=0 the answer comes after the decision', async () => {
    controls.journal.mark();
    const waiting = client.act('click-element', push);
    const [card] = await until(pending, (cards) => cards.length === 1);
    await client.decide(card.approvalId, 'approve');
    expect((await waiting).decision).toMatchObject({ approvalId: card.approvalId });
    expect(commands()).toHaveLength(1);
  });

  it('the first decision wins: the same again is fine, the opposite is approval_conflict', async () => {
    const { actionId, card } = await client.pending('click-element', push);
    await client.decide(card.approvalId, 'approve');
    await client.ended(actionId);
    expect(await client.decide(card.approvalId, 'approve')).toMatchObject({ status: 'approved' });
    expectProblem(
      await scene.host.request(`/v1/approvals/${card.approvalId}`, { token: 'operator', body: { decision: 'deny' } }),
      'approval_conflict',
    );
  });

  it('[approval.agent-cannot] an agent’s token decides nothing and sees no cards', async () => {
    controls.journal.mark();
    const { actionId, card } = await client.pending('click-element', push);
    expectProblem(
      await scene.host.request(`/v1/approvals/${card.approvalId}`, { body: { decision: 'approve' } }),
      'permission_denied',
    );
    expectProblem(await scene.host.request('/v1/approvals'), 'permission_denied');
    expectProblem(
      await scene.host.request('/v1/policy', { method: 'PATCH', body: { level: 'full' } }),
      'permission_denied',
    );
    expectProblem(await scene.host.request('/v1/resume', { method: 'POST' }), 'permission_denied');
    expect(await pending()).toHaveLength(1);
    await scene.host.request(`/v1/actions/${actionId}`, { method: 'DELETE' });
    expect(commands()).toEqual([]);
  });

  it('no answer is a denial: approval_expired at the deadline', async () => {
    controls.journal.mark();
    await client.policy({ approvals: { timeoutMs: 1000 } });
    const begun = performance.now();
    const problem = await client.refused('approval_expired', 'click-element', push);
    expect(problem.detail).toContain('It was asked for: level');
    expect(performance.now() - begun).toBeGreaterThan(900);
    expect(problem.delivery).toBe('not_delivered');
    await client.policy({ approvals: { timeoutMs: 120_000 } });
    expect(await pending()).toEqual([]);
    expect(commands()).toEqual([]);
  });

  it('[approval.withdrawn] a request that is cancelled, or whose caller goes away, takes its card away', async () => {
    controls.journal.mark();
    const { actionId, card } = await client.pending('click-element', push);
    expect((await scene.host.request(`/v1/actions/${actionId}`, { method: 'DELETE' })).status).toBe(200);
    expect(await client.ended(actionId)).toMatchObject({ status: 'cancelled' });
    expect(await client.operator(`/v1/approvals/${card.approvalId}`)).toMatchObject({ status: 'cancelled' });

    const leaving = new AbortController();
    const left = fetch(`${scene.host.url}/v1/actions/click-element`, {
      method: 'POST',
      signal: leaving.signal,
      body: JSON.stringify(push),
      headers: { authorization: `Bearer ${scene.host.agentToken}`, 'content-type': 'application/json' },
    }).catch(() => undefined);
    const [second] = await until(pending, (cards) => cards.length === 1);
    leaving.abort();
    await left;
    await until(pending, (cards) => cards.length === 0);
    expect(await client.operator(`/v1/approvals/${second.approvalId}`)).toMatchObject({ status: 'cancelled' });
    expect(commands()).toEqual([]);
  });

  it('waiting for the person does not count against the action’s deadline, which is at most 120 s', async () => {
    const { actionId, card } = await client.pending('click-element', { ...push, deadlineMs: 8000 });
    await sleep(8500);
    await client.decide(card.approvalId, 'approve');
    expect(await client.ended(actionId)).toMatchObject({ status: 'succeeded' });
    await client.refused('invalid_argument', 'click-element', { ...push, deadlineMs: 120_001 });
  });

  it('[access.request] an agent asks for access with its reason, and gets what a person grants', async () => {
    const session = new Client(scene.host, 'asking');
    await session.bind({ hwnd: controls.hwnd });
    const { app } = (await session.act('list-visible-windows')).value.find(({ hwnd }: any) => hwnd === controls.hwnd);
    const { actionId, card } = await session.pending('request-access', {
      apps: [{ app, tier: 'full' }],
      reason: 'to fill in the form',
    });
    expect(card.proposerReason).toContain('to fill in the form');
    await client.decide(card.approvalId, 'approve');
    expect(await client.ended(actionId)).toMatchObject({
      status: 'succeeded',
      result: { value: { granted: [expect.objectContaining({ app, tier: 'full' })], denied: [] } },
    });
    const asked = await session.pending('type-into-element', { name: 'Full name', text: 'x' });
    expect(asked.card.why.map(({ kind }) => kind)).not.toContain('tier');
    await client.decide(asked.card.approvalId, 'deny');
  });

  it('[gate.recheck] a change while the person decides voids the approval', async () => {
    controls.journal.mark();
    const { actionId, card } = await client.pending('click-element', { automationId: String(controlId('ONCE')) });
    await controls.tell(`text ${controlId('ONCE')} Delete everything`);
    await client.decide(card.approvalId, 'approve');
    const { status, error } = await client.ended(actionId);
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'state_conflict' });
    expect(await client.operator(`/v1/approvals/${card.approvalId}`)).toMatchObject({ status: 'void' });
    expect(commands()).toEqual([]);
  });

  it('[scope.window] an answer for the window covers this kind of action there, and no other', async () => {
    const first = await client.pending('click-element', push);
    expect(first.card.allowedScopes).toContain('window');
    await client.decide(first.card.approvalId, 'approve', { scope: 'window', minutes: 5 });
    await client.ended(first.actionId);
    expect((await client.act('click-element', push)).decision).toMatchObject({
      result: 'execute',
      approvalId: first.card.approvalId,
    });
    const other = await client.pending('type-into-element', { name: 'Full name', text: 'x' });
    await client.decide(other.card.approvalId, 'deny');
  });

  it('[grant.control] [grant.revoke] beyond the grant the card names the tier too; granting and revoking count from the next action on', async () => {
    const why = async (): Promise<string[]> => {
      const { actionId, card } = await client.pending('type-into-element', { name: 'Full name', text: 'x' });
      await scene.host.request(`/v1/actions/${actionId}`, { method: 'DELETE' });
      return card.why.map(({ kind }) => kind);
    };
    const { app } = (await client.act('list-visible-windows')).value.find(({ hwnd }: any) => hwnd === controls.hwnd);
    expect(await why()).toEqual(expect.arrayContaining(['level', 'tier']));
    await client.policy({ grants: [{ app, tier: 'full' }] });
    expect(await why()).not.toContain('tier');
    await client.policy({ grants: [] });
    expect(await why()).toContain('tier');
  });

  it('[scope.covers] an answer for the session covers what its card said, for the application, in this session alone', async () => {
    const [asked, other] = [new Client(scene.host, 'asked'), new Client(scene.host, 'other')];
    for (const session of [asked, other]) await session.bind({ hwnd: controls.hwnd });
    const { actionId, card } = await asked.pending('type-into-element', { name: 'Full name', text: 'once' });
    expect(card.covers?.find(({ scope }: any) => scope === 'session')?.text).toMatch(
      /^Replace the text of fields of type \w+ in any window of “.+”, until the session ends; it is granted full until then$/,
    );
    await client.decide(card.approvalId, 'approve', { scope: 'session' });
    await asked.ended(actionId);
    expect((await asked.act('type-into-element', { name: 'Full name', text: 'again' })).decision).toMatchObject({
      approvalId: card.approvalId,
    });
    // A click is a different action and gets its own card.
    const click = await asked.pending('click-element', { name: 'Check me' });
    await client.decide(click.card.approvalId, 'approve', { scope: 'session' });
    await asked.ended(click.actionId);
    expect((await asked.act('click-element', { name: 'Check me' })).decision).toMatchObject({
      approvalId: click.card.approvalId,
    });
    const foreign = await other.pending('click-element', { name: 'Check me' });
    await client.decide(foreign.card.approvalId, 'deny');
    expect((await controls.dump()).get(controlId('EDIT_NAME'))).toMatchObject({ text: 'again' });
  });

  it('an approved plan runs to its end on one card, even if its own steps change the window', async () => {
    const planned = new Client(scene.host, 'planned');
    await planned.bind({ hwnd: controls.hwnd });
    const steps = [
      { action: 'snapshot', input: {} },
      { action: 'click-element', input: push },
      { action: 'type-into-element', input: { name: 'Full name', text: 'by plan' } },
      { action: 'click-element', input: { name: 'Check me' } },
      { action: 'click-element', input: push },
    ];
    const { actionId, card } = await planned.pending('batch', { approveAsPlan: true, steps });
    await client.decide(card.approvalId, 'approve', { scope: 'plan' });
    const ended = await planned.ended(actionId);
    const value = ended.result?.value as { completed: Array<{ decision: { approvalId: string | null } }> } | undefined;
    expect(value?.completed.map(({ decision }) => decision.approvalId)).toEqual([
      null,
      ...Array<string>(4).fill(card.approvalId),
    ]);
    expect((await controls.dump()).get(controlId('EDIT_NAME'))).toMatchObject({ text: 'by plan' });
  });
});

describe('the audit', () => {
  it('[audit.every] [gate.audited] has every action and every refusal, with who decided and why', async () => {
    await client.policy({ level: 'control' });
    const { actionId, card } = await client.pending('type-into-element', { name: 'Full name', text: 'x' });
    await client.decide(card.approvalId, 'deny');
    await client.ended(actionId);
    const asked = await auditOf(actionId);
    expect(asked.map(({ decision }) => decision)).toEqual(expect.arrayContaining(['approve', 'denied']));
    expect(JSON.stringify(asked)).toContain('api:operator');
    expect(asked.some(({ why }) => JSON.stringify(why).includes('level'))).toBe(true);

    await client.policy({ level: 'observe' });
    const refused = await client.refused('permission_denied', 'click-element', push);
    expect((await auditOf(refused.actionId!)).map(({ errorCode }) => errorCode)).toContain('permission_denied');
    const invalid = await client.refused('invalid_argument', 'click-element', { nmae: 'x' });
    expect((await auditOf(invalid.actionId!)).map(({ errorCode }) => errorCode)).toContain('invalid_argument');
    const looked = await client.act('snapshot');
    expect((await auditOf(looked.actionId)).length).toBeGreaterThan(0);
    expectProblem(
      await scene.host.request('/v1/actions/snapshot', { method: 'POST', token: 'wrong' }),
      'unauthenticated',
    );
    const { entries } = await client.operator('/v1/audit?limit=1000');
    expect(entries.some((entry: any) => entry.errorCode === 'unauthenticated')).toBe(true);
  });

  it('[audit.text] has length and hash of typed text and never the text', async () => {
    await client.policy({ level: 'full' });
    const secret = 'Zwetschgenknödel-9041';
    await client.act('type-into-element', { name: 'Full name', text: secret });
    await client.act('click-element', { automationId: String(controlId('EDIT_NAME')) });
    const { actionId } = await client.act('virtual-keyboard', { action: 'type', text: secret });
    const { entries } = await client.operator('/v1/audit?limit=1000');
    expect(JSON.stringify(entries)).not.toContain(secret);
    expect((await auditOf(actionId)).find(({ text }) => text !== null && text !== undefined)?.text).toMatchObject({
      length: secret.length,
    });
  });

  it('[audit.verifies] [audit.readable] verifies while the host runs', async () => {
    const verdict = await client.operator('/v1/audit/verify');
    expect(verdict).toMatchObject({ ok: true, firstBad: null });
    expect(verdict.records).toBeGreaterThan(20);
  });
});

it('[stop.effect] the emergency stop: nothing more is delivered until it is released, and cards go away', async () => {
  await client.policy({ level: 'control' });
  controls.journal.mark();
  const { actionId } = await client.pending('type-into-element', { name: 'Full name', text: 'x' });
  expect(await client.operator('/v1/stop', { method: 'POST' })).toMatchObject({ stopped: true });
  expect((await client.ended(actionId)).error?.code).toMatch(/stopped|cancelled/);
  expect(await pending()).toEqual([]);
  await client.policy({ level: 'full' });
  await client.refused('stopped', 'click-element', push);
  expect(commands()).toEqual([]);
  await client.operator('/v1/resume', { method: 'POST' });
  await client.act('click-element', push);
  expect(commands()).toHaveLength(1);
});

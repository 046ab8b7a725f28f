/** Who may decide on which surface, and the emergency stop. */
import { createUserMemory } from '../../../support/user-memory.ts';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ApprovalCard } from '../../../../src/contract/gate/approval.ts';
import type { ActionRun } from '../../../../src/host/face/host.ts';
import { createHttpServer } from '../../../../src/http/server.ts';
import { startTestHost, type TestHost } from '../running-host.ts';
import { until } from '../../../support/until.ts';

const APP = `app:${encodeURIComponent('c:\\windows\\system32\\notepad.exe')}`;

interface Served extends AsyncDisposable {
  readonly t: TestHost;
  /** A request with the operator's token, as an agent with a shell of the same user can send it. */
  post(path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Asks for a click at level control; resolves when its card waits. */
  asked(session?: string): Promise<{ run: ActionRun; card: ApprovalCard }>;
}

/** The real host behind the real server; people answer on the overlay alone. */
async function serveOverlayOnly(): Promise<Served> {
  const t = await startTestHost({ level: 'control', approvals: { timeoutMs: 120_000, surfaces: ['overlay'] } });
  const server = await createHttpServer({ host: t.host, address: '127.0.0.1', port: 0 });
  return {
    t,
    async post(path, body) {
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer operator-token-operator', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    async asked(session = 'default') {
      const caller = { ...t.agent, session };
      await t.host.runner.run(caller, 'bind-to-window', { title: 'Notepad' }).result;
      const run = t.host.runner.run(caller, 'click-element', { name: 'Save draft' });
      return { run, card: await t.host.approvals.get((await run.pending) ?? '') };
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await t[Symbol.asyncDispose]();
    },
  };
}

const REFUSED = { status: 403, body: { code: 'permission_denied', hint: expect.stringContaining('overlay') } };

describe('who decides', () => {
  test('[decides.surfaces] where the policy says overlay alone, an approval by the operator’s API is refused and the card stays open', async () => {
    await using served = await serveOverlayOnly();
    const { t, post, asked } = served;
    const { run, card } = await asked();
    expect(await post(`/v1/approvals/${card.approvalId}`, { decision: 'approve' })).toMatchObject(REFUSED);
    expect(await post(`/v1/approvals/${card.approvalId}`, { decision: 'approve', scope: 'session' })).toMatchObject(
      REFUSED,
    );
    expect(await t.host.approvals.get(card.approvalId)).toMatchObject({ status: 'pending', decidedBy: null });
    expect(t.scene.delivered).toEqual([]);
    await t.host.approvals.decide(card.approvalId, { decision: 'approve' }, 'overlay', 'overlay');
    await run.result;
    expect(t.scene.delivered).toEqual(['click e1']);
    // The same again changes nothing, and gets the same answer.
    expect(await post(`/v1/approvals/${card.approvalId}`, { decision: 'approve' })).toMatchObject({
      status: 200,
      body: { decidedBy: 'overlay' },
    });
  });

  test('a denial is taken from every surface', async () => {
    await using served = await serveOverlayOnly();
    const { run, card } = await served.asked();
    expect(await served.post(`/v1/approvals/${card.approvalId}`, { decision: 'deny' })).toMatchObject({
      status: 200,
      body: { status: 'denied' },
    });
    await expect(run.result).rejects.toMatchObject({ code: 'approval_denied' });
  });

  test('[decides.surfaces] the decision of a session’s control follows the same rule', async () => {
    await using served = await serveOverlayOnly();
    const { t, post, asked } = served;
    const { computerUseSessionId: id } = await t.host.sessions.start(t.agent, { goal: 'save', urls: [APP] });
    const { run, card } = await asked(id);
    run.result.catch(() => {});
    const control = (decision: 'approve' | 'deny') =>
      post(`/v1/computer-use/sessions/${id}/control`, {
        action: 'decision',
        computerUseSessionId: id,
        actionId: run.actionId,
        decision,
      });
    expect(await control('approve')).toMatchObject(REFUSED);
    expect(await t.host.approvals.get(card.approvalId)).toMatchObject({ status: 'pending' });
    expect((await control('deny')).status).toBe(200);
    await expect(run.result).rejects.toMatchObject({ code: 'approval_denied' });
    expect(t.scene.delivered).toEqual([]);
  });

  test('[decides.surfaces] the card of a looser policy is not answered by the API either', async () => {
    await using served = await serveOverlayOnly();
    const { t, post } = served;
    const asking = t.host.askLoosening(['the level rises to full'], 'operator', 'change');
    const waiting = async (): Promise<ApprovalCard | undefined> =>
      (await t.host.approvals.list({ status: 'pending' })).approvals[0];
    await expect.poll(waiting, { timeout: 60_000 }).toBeDefined();
    const card = (await waiting())!;
    expect(await post(`/v1/approvals/${card.approvalId}`, { decision: 'approve' })).toMatchObject(REFUSED);
    await post(`/v1/approvals/${card.approvalId}`, { decision: 'deny' });
    expect(await asking).toBe(false);
  });
});

describe('the emergency stop', () => {
  test('[stop.release] where the overlay alone decides, the operator’s token releases it only after a person’s yes', async () => {
    await using served = await serveOverlayOnly();
    const { t, post } = served;
    await t.host.stop('overlay:hotkey');
    const asked = (): Promise<ApprovalCard> =>
      until(async () => (await t.host.approvals.list({ status: 'pending' })).approvals[0], 'the card');
    const refused = post('/v1/resume', {});
    const card = await asked();
    expect(card).toMatchObject({
      action: 'releaseStop',
      riskLevel: 'critical',
      arguments: { points: ['stopped by overlay:hotkey'] },
    });
    expect(await post(`/v1/approvals/${card.approvalId}`, { decision: 'approve' })).toMatchObject(REFUSED);
    await t.host.approvals.decide(card.approvalId, { decision: 'deny' }, 'overlay', 'overlay');
    expect(await refused).toMatchObject({ status: 403, body: { code: 'approval_denied' } });
    expect((await t.host.status(t.operator)).stopped).toBe(true);

    const released = post('/v1/resume', {});
    await t.host.approvals.decide((await asked()).approvalId, { decision: 'approve' }, 'overlay', 'overlay');
    expect(await released).toMatchObject({ status: 200, body: { stopped: false } });
    expect((await t.host.status(t.operator)).stopped).toBe(false);
    expect(
      (await t.auditEntries()).filter(({ action }) => action === 'releaseStop').map(({ decision }) => decision),
    ).toEqual(['denied', 'approved']);
  });

  test('[stop.kept] [stop.release] it outlives its host and what a program removes, as does its release', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'uiahost-stop-'));
    const user = createUserMemory();
    const start = (): Promise<TestHost> => startTestHost({ level: 'full' }, folder.path, user);
    /** What was removed is back, and in the audit. */
    const isHeld = async (t: TestHost, times: number): Promise<void> => {
      const held = async () => (await t.auditEntries()).filter(({ action }) => action === 'stop.held');
      await expect.poll(held).toHaveLength(times);
      expect((await held()).at(-1)?.details).toEqual({ how: 'removed', by: 'overlay:hotkey' });
      expect((await t.host.status(t.operator)).stopped).toBe(true);
      expect(user.readStop()).toBe('overlay:hotkey');
    };
    {
      await using t = await start();
      await t.host.stop('overlay:hotkey');
      for (const times of [1, 2]) {
        user.writeStop(null);
        await isHeld(t, times);
      }
    }
    user.writeStop(null);
    {
      await using t = await start();
      await isHeld(t, 3);
      await expect(t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' }).result).rejects.toMatchObject({
        code: 'stopped',
        message: expect.stringContaining('overlay:hotkey'),
      });
      expect(t.scene.delivered).toEqual([]);
      await t.host.resume('operator');
      user.writeStop(null);
    }
    await using t = await start();
    expect((await t.host.status(t.operator)).stopped).toBe(false);
  });

  test('[stop.user] it holds in every data directory of the user, and for no other user', async () => {
    const user = createUserMemory();
    {
      await using t = await startTestHost({ level: 'full' }, undefined, user);
      await t.host.stop('overlay:hotkey');
    }
    {
      await using t = await startTestHost({ level: 'full' }, undefined, user);
      expect((await t.host.status(t.operator)).stopped).toBe(true);
      await expect(t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' }).result).rejects.toMatchObject({
        code: 'stopped',
      });
      await using other = await startTestHost({ level: 'full' });
      expect((await other.host.status(other.operator)).stopped).toBe(false);
      await t.host.resume('operator');
    }
    await using t = await startTestHost({ level: 'full' }, undefined, user);
    expect((await t.host.status(t.operator)).stopped).toBe(false);
  });

  test('[stop.release] hosts of the user stop together, and each is released by an answer to itself alone', async () => {
    const user = createUserMemory();
    await using one = await startTestHost({ level: 'full' }, undefined, user);
    await using other = await startTestHost({ level: 'full' }, undefined, user);
    const held = async () => (await one.auditEntries()).filter(({ action }) => action === 'stop.held');
    await one.host.stop('overlay:hotkey');
    await expect.poll(async () => (await other.host.status(other.operator)).stopped).toBe(true);
    await other.host.resume('operator');
    expect((await other.host.status(other.operator)).stopped).toBe(false);
    expect((await one.host.status(one.operator)).stopped).toBe(true);
    await expect.poll(held).toMatchObject([{ details: { how: 'released', by: 'overlay:hotkey' } }]);
    await one.host.resume('operator');
    expect((await one.host.status(one.operator)).stopped).toBe(false);
  });

  test('[stop.kept] a stop that cannot be written is still in force, and the error reports it', async () => {
    await using t = await startTestHost({ level: 'full' });
    t.user.isFull = true;
    await expect(t.host.stop('operator')).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('is on'),
    });
    expect((await t.host.status(t.operator)).stopped).toBe(true);
  });
});

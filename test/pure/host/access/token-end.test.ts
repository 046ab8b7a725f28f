/** A token that is revoked or expires: everything that entered under it ends with it. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Policy } from '../../../../src/contract/gate/permissions.ts';
import type { Caller } from '../../../../src/host/face/caller.ts';
import { openFaces, type Faces } from '../../faces.ts';
import { until } from '../../../support/until.ts';
import { startTestHost, type TestHost } from '../running-host.ts';

const OPERATOR = 'operator-token-operator';
const INPUT = { goal: 'save the draft', urls: [`app:${encodeURIComponent('c:\\windows\\system32\\notepad.exe')}`] };

interface Entered {
  readonly t: TestHost;
  readonly face: Faces;
  readonly caller: Caller;
  readonly token: string;
  request(method: string, path: string, body?: object): Promise<Response>;
}

/** Something that lives longer than a request, begun under the token; tells whether it is still under way. */
type Begin = (entered: Entered) => Promise<() => Promise<boolean>>;

const open = (run: { result: Promise<unknown> }): (() => Promise<boolean>) => {
  let isOpen = true;
  run.result.then(
    () => (isOpen = false),
    () => (isOpen = false),
  );
  return async () => isOpen;
};
const click = { name: 'Save draft' };
const never = (): Promise<void> => new Promise(() => {});

/** A stream that is read to its end. */
async function reading(response: Response): Promise<() => Promise<boolean>> {
  expect(response.status).toBe(200);
  let isOpen = true;
  void response
    .text()
    .catch(() => {})
    .finally(() => (isOpen = false));
  return async () => isOpen;
}

const asked = (t: TestHost) => until(async () => (await t.host.approvals.list({ status: 'pending' })).approvals[0], '');
const isPending = async (t: TestHost, approvalId: string): Promise<boolean> =>
  (await t.host.approvals.get(approvalId)).status === 'pending';

const KINDS: Readonly<Record<string, { readonly policy?: Partial<Policy>; readonly begin: Begin }>> = {
  'an action in delivery': {
    begin: async ({ t, caller }) => {
      t.scene.hold = never();
      const run = t.host.runner.run(caller, 'click-element', click);
      await until(async () => (await t.host.runner.record(caller, run.actionId)).delivery === 'delivering', 'delivery');
      return open(run);
    },
  },
  'an action that waits for its turn': {
    begin: async ({ t, caller }) => {
      t.scene.hold = never();
      t.host.runner.run(caller, 'click-element', click).result.catch(() => {});
      return open(t.host.runner.run(caller, 'click-element', click));
    },
  },
  'a batch between its steps': {
    begin: async ({ t, caller }) => {
      t.scene.hold = never();
      const steps = [click, click].map((input) => ({ action: 'click-element', input }));
      return open(t.host.runner.run(caller, 'batch', { steps }));
    },
  },
  'the card of an action': {
    policy: { level: 'control' },
    begin: async ({ t, request }) => {
      expect((await request('POST', '/v1/actions/click-element?wait=0', click)).status).toBe(202);
      const { approvalId } = await asked(t);
      return () => isPending(t, approvalId);
    },
  },
  'the card of a plan': {
    policy: { level: 'control' },
    begin: async ({ t, caller }) => {
      const steps = [{ action: 'click-element', input: click }];
      t.host.runner.run(caller, 'batch', { steps, approveAsPlan: true }).result.catch(() => {});
      const { approvalId } = await asked(t);
      return () => isPending(t, approvalId);
    },
  },
  'the card of a proposal': {
    policy: { level: 'control' },
    begin: async ({ t, caller }) => {
      const { computerUseSessionId: session } = await t.host.sessions.start(caller, INPUT);
      await t.host.runner.run({ ...caller, session }, 'bind-to-window', { title: 'Notepad' }).result;
      const target = { role: 'button', name: 'Save draft', test_id: '' };
      const proposal = { action_type: 'click', target, text: '', reason: '', risk_tags: [], requires_approval: true };
      t.host.sessions.propose(caller, session, proposal).catch(() => {});
      const { approvalId } = await asked(t);
      return () => isPending(t, approvalId);
    },
  },
  'a request for access': {
    begin: async ({ t, caller }) => {
      t.host.runner
        .run(caller, 'request-access', { apps: [{ app: 'notepad.exe' }], reason: 'a' })
        .result.catch(() => {});
      const { approvalId } = await asked(t);
      return () => isPending(t, approvalId);
    },
  },
  'a permission prompt of an agent CLI': {
    begin: async ({ t, face }) => {
      face.mcp('permission_prompt', { tool_name: 'Bash', input: { command: 'ls' } }).catch(() => {});
      const { approvalId } = await asked(t);
      return () => isPending(t, approvalId);
    },
  },
  'an action that an MCP client left waiting': {
    policy: { level: 'control' },
    begin: async ({ t, face }) => {
      // An MCP client has a session of its own.
      expect(await face.mcp('bind_to_window', { title: 'Notepad' })).toMatchObject({ isError: false });
      expect(await face.mcp('click_element', click)).toMatchObject({
        status: expect.stringMatching(/pending|running/) as string,
      });
      const { approvalId } = await asked(t);
      return () => isPending(t, approvalId);
    },
  },
  'a computer-use session': {
    begin: async ({ t, caller }) => {
      const { computerUseSessionId: id } = await t.host.sessions.start(caller, INPUT);
      return async () => (await t.host.sessions.get(t.operator, id)).status === 'running';
    },
  },
  'the stream of a session': {
    begin: async ({ t, caller, request }) => {
      const { computerUseSessionId: id } = await t.host.sessions.start(caller, INPUT);
      return reading(await request('GET', `/v1/computer-use/sessions/${id}/stream`));
    },
  },
  'a binding': {
    begin: async ({ t, caller }) => {
      await t.host.runner.run(caller, 'bind-to-window', { title: 'Notepad' }).result;
      return async () => t.host.bound().length > 1;
    },
  },
};

const NAMES = Object.keys(KINDS);

async function enter(t: TestHost, how: { expiresAt?: string } = {}, session = 'default'): Promise<Entered> {
  const { tokenId, token } = await t.host.tokens.create({ name: 'temporary', ...how }, 'operator');
  const caller: Caller = { tokenId, scope: 'agent', session, limits: null, surface: 'http' };
  const face = await openFaces('legacy', {}, { times: { answerBeforeMs: 300 } }, { host: t, token });
  await t.host.runner.run(caller, 'bind-to-window', { title: 'Notepad' }).result;
  return {
    t,
    face,
    caller,
    token,
    request: (method, path, body) =>
      fetch(`${face.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

describe('[token.end] when a token is revoked', () => {
  test.each(NAMES)('%s ends at once', async (name) => {
    const { policy = {}, begin } = KINDS[name]!;
    await using t = await startTestHost({ level: 'full', ...policy });
    // Another agent's work continues.
    await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
    const entered = await enter(t);
    await using face = entered.face;
    expect(face.t).toBe(t);
    const isUnderWay = await begin(entered);
    expect(await isUnderWay()).toBe(true);
    const { computerUseSessionId: others } = await t.host.sessions.start(t.agent, INPUT);
    const answer = await fetch(`${entered.face.url}/v1/tokens/${entered.caller.tokenId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${OPERATOR}` },
    });
    expect(answer.status).toBe(200);
    await until(async () => !(await isUnderWay()), `${name} has ended`);
    expect((await entered.request('GET', '/v1/status')).status).toBe(401);
    expect((await t.host.sessions.get(t.agent, others)).status).toBe('running');
    expect(t.host.bound()).toHaveLength(1);
    expect(t.scene.delivered).toEqual([]);
    expect(t.faults).toEqual([]);
  });

  test('nothing is delivered after its answer, however much was under way and still came', async () => {
    await using t = await startTestHost({ level: 'full' });
    const entered = await enter(t);
    await using face = entered.face;
    expect(face.t).toBe(t);
    const { caller } = entered;
    const click = t.scene.desktop.element.click.bind(t.scene.desktop.element);
    t.scene.desktop.element.click = async (...args) => {
      await wait(2);
      return click(...args);
    };
    const ends: Array<Promise<unknown>> = [];
    const over = new AbortController();
    const load = async (session: string): Promise<void> => {
      await t.host.runner.run({ ...caller, session }, 'bind-to-window', { title: 'Notepad' }).result.catch(() => {});
      while (!over.signal.aborted) {
        ends.push(
          t.host.runner
            .run({ ...caller, session }, 'click-element', { name: 'Save draft' })
            .result.catch((error: unknown) => error),
        );
        ends.push(entered.request('POST', '/v1/actions/click-element', { name: 'Save draft' }).catch(() => {}));
        ends.push(t.host.sessions.start(caller, INPUT).catch(() => {}));
        await wait(3);
      }
    };
    const loads = ['default', 'two', 'three'].map(load);
    await until(async () => t.scene.delivered.length > 5, 'some deliveries');
    await t.host.tokens.revoke(caller.tokenId, 'operator');
    const before = t.scene.delivered.length;
    await wait(300);
    over.abort();
    await Promise.all([...loads, ...ends]);
    expect(t.scene.delivered).toHaveLength(before);
    expect((await t.host.sessions.list(t.operator)).sessions.filter(({ status }) => status === 'running')).toEqual([]);
    expect(t.host.bound()).toEqual([]);
  });

  test('an action that was queued was not delivered; one in delivery is unknown, and neither is retryable', async () => {
    await using t = await startTestHost({ level: 'full' });
    const { caller, face: entered } = await enter(t);
    await using face = entered;
    expect(face.t).toBe(t);
    t.scene.hold = never();
    const runs = [1, 2, 3].map(() => t.host.runner.run(caller, 'click-element', click));
    const ends = runs.map(({ result }) => result.catch((error: unknown) => error));
    await until(() => t.scene.held === 1, 'delivery');
    expect(await t.host.runner.record(caller, runs[0]!.actionId)).toMatchObject({ delivery: 'delivering' });
    await t.host.tokens.revoke(caller.tokenId, 'operator');
    const told = (await Promise.all(ends)) as Array<{ code: string; delivery: string; actionId: string }>;
    expect(told.map(({ code, delivery }) => [code, delivery])).toEqual([
      ['unauthenticated', 'unknown'],
      ['unauthenticated', 'not_delivered'],
      ['unauthenticated', 'not_delivered'],
    ]);
    expect(told.map(({ actionId }) => actionId)).toEqual(runs.map(({ actionId }) => actionId));
  });
});

test('[token.end] a token that expires ends what was begun under it', async () => {
  await using t = await startTestHost({ level: 'full' });
  const entered = await enter(t, { expiresAt: new Date(Date.now() + 1500).toISOString() });
  await using face = entered.face;
  expect(face.t).toBe(t);
  const isUnderWay = await KINDS['an action in delivery']!.begin(entered);
  const { computerUseSessionId: id } = await t.host.sessions.start(entered.caller, INPUT);
  await until(async () => !(await isUnderWay()), 'the end of its action');
  await until(async () => (await t.host.sessions.get(t.operator, id)).status === 'aborted', 'the end of its session');
  expect(t.scene.delivered).toEqual([]);
});

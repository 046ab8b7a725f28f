/** An agent that asks too much: how many cards it may have, whose turn it is, and how a person ends it. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ApprovalCard } from '../../../../src/contract/gate/approval.ts';
import type { UiaHostError } from '../../../../src/contract/errors.ts';
import { MOST_OPEN_OF_SESSION, MOST_OPEN_OF_TOKEN } from '../../../../src/host/approvals/ask-limits.ts';
import { Approvals } from '../../../../src/host/approvals/approval-service.ts';
import type { Surface } from '../../../../src/host/approvals/surface.ts';
import type { Caller } from '../../../../src/host/face/caller.ts';
import type { ActionRun } from '../../../../src/host/face/host.ts';
import type { CardDraft } from '../../../../src/policy/gate/gate-types.ts';
import type { Store } from '../../../../src/store/client.ts';
import { startTestHost, type TestHost } from '../running-host.ts';

const asking = (policy: object = {}): Promise<TestHost> => startTestHost({ level: 'control', ...policy });
const of = (t: TestHost, session: string, tokenId = 'agent'): Caller => ({ ...t.agent, session, tokenId });
const failureOf = (promise: Promise<unknown>): Promise<UiaHostError> =>
  promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: UiaHostError) => error,
  );

/** The same call would join its card. */
let asked = 10_000;

/** One more card of this agent; resolves when it waits. */
async function ask(t: TestHost, caller: Caller): Promise<ActionRun> {
  await t.host.runner.run(caller, 'bind-to-window', { title: 'Notepad' }).result;
  const run = t.host.runner.run(caller, 'click-element', { name: 'Save draft', deadlineMs: (asked += 1) });
  run.result.catch(() => {});
  await Promise.race([run.pending, run.result.catch(() => {})]);
  return run;
}
const pending = async (t: TestHost): Promise<ApprovalCard[]> =>
  (await t.host.approvals.list({ status: 'pending', limit: 500 })).approvals;
const count = async (t: TestHost): Promise<number> =>
  (await t.host.approvals.list({ status: 'all', limit: 500 })).approvals.length;

describe('open cards', () => {
  test('[asks.limit] a card beyond the session’s limit is rate_limited, with the time to wait, and leaves no row', async () => {
    await using t = await asking();
    const runs: ActionRun[] = [];
    for (let open = 0; open < MOST_OPEN_OF_SESSION; open += 1) runs.push(await ask(t, t.agent));
    const rows = await count(t);
    const refused = await failureOf((await ask(t, t.agent)).result);
    expect(refused).toMatchObject({
      code: 'rate_limited',
      retryable: true,
      delivery: 'not_delivered',
      retryAfterSeconds: expect.any(Number),
    });
    expect(refused.retryAfterSeconds).toBeGreaterThan(100);
    expect(await count(t)).toBe(rows);
    // Its prompts and its wishes for access are cards as well.
    expect(
      await t.host.askPermission(
        t.agent,
        { toolName: 'Bash', input: {}, toolUseId: null },
        new AbortController().signal,
      ),
    ).toMatchObject({ behavior: 'deny', message: expect.stringContaining('wait for a person') });
    expect(
      await failureOf(
        t.host.runner.run(t.agent, 'request-access', { apps: [{ app: 'notepad.exe' }], reason: 'more' }).result,
      ),
    ).toMatchObject({ code: 'rate_limited' });
    expect(await count(t)).toBe(rows);
    // Another agent still asks, and an answer gives the place back.
    await ask(t, of(t, 'other'));
    await t.host.approvals.decide((await runs[0]!.pending)!, { decision: 'approve' }, 'operator', 'api');
    await runs[0]!.result;
    await ask(t, t.agent);
    expect(await pending(t)).toHaveLength(MOST_OPEN_OF_SESSION + 1);
  });

  test('names of sessions that a token makes up give it no more than the token may have', async () => {
    await using t = await asking();
    for (let open = 0; open < MOST_OPEN_OF_TOKEN; open += 1) await ask(t, of(t, `made-up-${open}`));
    expect(await failureOf((await ask(t, of(t, 'one-more'))).result)).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('token'),
    });
    await ask(t, of(t, 'default', 'tok_other'));
    expect((await pending(t)).map(({ owner }) => owner)).toContain('tok_other/default');
  });
});

test('[asks.same-call] the same call while its card is open joins it: one card, one effect, one answer', async () => {
  await using t = await asking();
  await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
  const click = (name: string, session = 'default'): ActionRun =>
    t.host.runner.run(of(t, session), 'click-element', { name });
  const first = click('Save draft');
  await first.pending;
  const again = click('Save draft');
  expect(await again.pending).toBe(await first.pending);
  const others = [click('Pay invoice'), click('Save draft', 'other')];
  others.forEach(({ result }) => result.catch(() => {}));
  await others[0]!.pending;
  expect(await pending(t)).toHaveLength(2);
  await t.host.approvals.decide((await first.pending)!, { decision: 'approve' }, 'operator', 'api');
  expect(await again.result).toEqual(await first.result);
  expect(t.scene.delivered).toHaveLength(1);
  const next = click('Save draft');
  next.result.catch(() => {});
  expect(await next.pending).not.toBe(await first.pending);
  // Another window is another wish.
  t.scene.window = { ...t.scene.window!, hwnd: '4343' };
  await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
  const elsewhere = click('Save draft');
  elsewhere.result.catch(() => {});
  expect(await elsewhere.pending).not.toBe(await next.pending);
  expect(() => t.host.runner.run(t.agent, 'click-element', { name: 'Save', deadlineMs: 1n })).toThrow(
    'Nothing was run',
  );
});

describe('[asks.deny-all] a person denies everything of an agent', () => {
  test('its open cards are denied, and it is not asked for again until that is lifted', async () => {
    await using t = await asking();
    const runs = [await ask(t, t.agent), await ask(t, t.agent)];
    const other = await ask(t, of(t, 'other'));
    const [first] = await pending(t).then((cards) => cards.filter(({ owner }) => owner === 'agent/default'));
    expect(
      await t.host.approvals.decide(first!.approvalId, { decision: 'deny', all: true }, 'overlay', 'overlay'),
    ).toMatchObject({ status: 'denied', decidedBy: 'overlay' });
    for (const run of runs) expect(await failureOf(run.result)).toMatchObject({ code: 'approval_denied' });
    const refused = await failureOf((await ask(t, t.agent)).result);
    expect(refused).toMatchObject({
      code: 'approval_denied',
      retryable: false,
      message: expect.stringContaining('agent/default'),
      hint: expect.stringContaining('uiahost approvals lift agent/default'),
    });
    expect(
      await t.host.askPermission(
        t.agent,
        { toolName: 'Bash', input: {}, toolUseId: null },
        new AbortController().signal,
      ),
    ).toMatchObject({ behavior: 'deny', message: expect.stringContaining('denied everything') });
    expect((await pending(t)).map(({ owner }) => owner)).toEqual(['agent/other']);
    expect(t.host.approvals.pauses()).toMatchObject([{ owner: 'agent/default', reason: 'denied-all', until: null }]);

    await t.host.liftPause('agent/default', 'operator');
    expect(t.host.approvals.pauses()).toEqual([]);
    const again = await ask(t, t.agent);
    await t.host.approvals.decide((await again.pending)!, { decision: 'approve' }, 'operator', 'api');
    await again.result;
    await t.host.approvals.decide((await other.pending)!, { decision: 'deny' }, 'operator', 'api');
    expect(
      (await t.auditEntries()).filter(({ action }) => action?.startsWith('asks.')).map(({ action }) => action),
    ).toEqual(['asks.paused', 'asks.lifted']);
    expect(await failureOf(t.host.liftPause('agent/default', 'operator'))).toMatchObject({ code: 'not_found' });
  });

  test('an agent that continues under other names is denied with its whole token', async () => {
    await using t = await asking();
    for (const session of ['one', 'two', 'three']) {
      await ask(t, of(t, session));
      await t.host.approvals.denyAll(`agent/${session}`, 'overlay');
    }
    expect(await failureOf((await ask(t, of(t, 'four'))).result)).toMatchObject({
      code: 'approval_denied',
      message: expect.stringContaining('(agent)'),
    });
    await ask(t, of(t, 'default', 'tok_other'));
    expect(await pending(t)).toHaveLength(1);
    await t.host.liftPause('agent', 'operator');
    await ask(t, of(t, 'four'));
    expect(await pending(t)).toHaveLength(2);
  });

  test('follows a denial of an agent’s request', async () => {
    await using t = await asking();
    const run = await ask(t, t.agent);
    await expect(
      t.host.approvals.decide((await run.pending)!, { decision: 'approve', all: true }, 'operator', 'api'),
    ).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await pending(t)).toHaveLength(1);
    const loosening = t.host.askLoosening(['the level rises'], 'operator', 'change');
    await expect.poll(async () => (await pending(t)).length).toBe(2);
    const card = (await pending(t)).find(({ owner }) => owner === null)!;
    await expect(
      t.host.approvals.decide(card.approvalId, { decision: 'deny', all: true }, 'operator', 'api'),
    ).rejects.toMatchObject({ code: 'invalid_argument' });
    await t.host.approvals.decide(card.approvalId, { decision: 'deny' }, 'operator', 'api');
    expect(await loosening).toBe(false);
  });

  test('where the overlay alone decides, an operator’s token lifts it after a person’s yes only', async () => {
    await using t = await asking({ approvals: { timeoutMs: 120_000, surfaces: ['overlay'] } });
    await t.host.approvals.denyAll('agent/default', 'overlay');
    for (const decision of ['deny', 'approve'] as const) {
      const lifting = t.host.liftPause('agent/default', 'api:operator');
      lifting.catch(() => {});
      await expect.poll(async () => (await pending(t)).length).toBe(1);
      const [card] = await pending(t);
      expect(card).toMatchObject({
        action: 'liftPause',
        owner: null,
        summary: expect.stringContaining('agent/default'),
      });
      await t.host.approvals.decide(card!.approvalId, { decision }, 'overlay', 'overlay');
      if (decision === 'deny') expect(await failureOf(lifting)).toMatchObject({ code: 'approval_denied' });
      else await lifting;
      expect(t.host.approvals.pauses()).toHaveLength(decision === 'deny' ? 1 : 0);
    }
  });
});

describe('[asks.denials] denials in a row', () => {
  const answer = async (t: TestHost, caller: Caller, decision: 'approve' | 'deny'): Promise<void> => {
    const run = await ask(t, caller);
    await t.host.approvals.decide((await run.pending)!, { decision }, 'operator', 'api');
    await run.result.catch(() => {});
  };

  test('count for the token, whatever sessions it names: after three its requests are paused for a while', async () => {
    await using t = await asking();
    for (const [at, decision] of (['deny', 'deny', 'approve', 'deny', 'deny'] as const).entries())
      await answer(t, of(t, `n${at}`), decision);
    expect(t.host.approvals.pauses()).toEqual([]);
    await answer(t, t.agent, 'deny');
    expect(t.host.approvals.pauses()).toMatchObject([{ owner: 'agent', reason: 'denials', until: expect.any(String) }]);
    expect(await failureOf((await ask(t, of(t, 'another'))).result)).toMatchObject({
      code: 'approval_denied',
      hint: expect.stringContaining('until'),
    });
    await answer(t, of(t, 'default', 'tok_other'), 'approve');
    await t.host.liftPause('agent', 'operator');
    await answer(t, t.agent, 'approve');
  });

  test('a card that lost its window, or that was taken back, is not a person’s denial', async () => {
    await using t = await asking();
    for (let time = 0; time < 4; time += 1) {
      const lost = await ask(t, t.agent);
      await t.host.approvalService.lose((await lost.pending)!);
      expect(await failureOf(lost.result)).toMatchObject({ code: 'approval_denied' });
      const back = await ask(t, t.agent);
      back.cancel('not wanted');
      await back.result.catch(() => {});
    }
    expect(t.host.approvals.pauses()).toEqual([]);
  });
});

describe('the time of a card', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const draft: CardDraft = {
    actionId: 'act_1',
    action: 'clickElement',
    sessionId: 'default',
    summary: 'Click',
    why: [],
    proposerReason: null,
    app: null,
    window: null,
    page: null,
    element: null,
    arguments: {},
    riskLevel: 'high',
    riskTags: [],
    flags: [],
    digest: 'd',
    allowedScopes: ['once'],
    timeoutMs: 120_000,
    outline: null,
  };
  /** Cards on a surface that shows one at a time. */
  function shown(): {
    approvals: Approvals;
    ask: (tokenId: string) => Promise<{ approvalId: string; ended: Promise<string> }>;
    clocks: Array<[string, number]>;
  } {
    const clocks: Array<[string, number]> = [];
    const overlay: Surface = {
      name: 'overlay',
      isAvailable: () => true,
      showsInTurn: true,
      show: () => {},
      takeAway: () => {},
      setClock: (approvalId, expiresAt, totalMs) => {
        clocks.push([approvalId, totalMs]);
        expect(Date.parse(expiresAt)).toBe(Date.now() + totalMs);
      },
    };
    const store = {
      approvals: { create: async () => {}, resolve: async () => {}, get: async () => null },
    } as unknown as Store;
    const approvals = new Approvals({
      store,
      surfaces: [overlay],
      allowedSurfaces: () => ['overlay'],
      picture: async () => null,
      tokens: { endOf: () => new AbortController().signal, nameOf: (id) => id },
      recorded: (_action, given) => ({ input: given, without: (text) => text }),
    });
    return {
      approvals,
      clocks,
      ask: (tokenId) =>
        new Promise((resolve) => {
          const ended: Promise<string> = approvals
            .ask({ ...draft }, tokenId, new AbortController().signal, (approvalId) => resolve({ approvalId, ended }))
            .then(
              () => 'approved',
              (error: UiaHostError) => error.code,
            );
        }),
    };
  }
  const isOpen = async (approvals: Approvals, approvalId: string): Promise<boolean> =>
    approvals.get(approvalId).then(
      ({ status }) => status === 'pending',
      () => false,
    );

  test('[asks.seen] runs from when it is seen: a card behind others has its whole time after them', async () => {
    const { approvals, ask, clocks } = shown();
    const first = await ask('a');
    approvals.seen(first.approvalId);
    const second = await ask('b');
    await vi.advanceTimersByTimeAsync(119_000);
    expect(await isOpen(approvals, second.approvalId)).toBe(true);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await first.ended).toBe('approval_expired');
    approvals.seen(second.approvalId);
    expect(clocks).toEqual([
      [first.approvalId, 120_000],
      [second.approvalId, 120_000],
    ]);
    await vi.advanceTimersByTimeAsync(119_000);
    expect(await isOpen(approvals, second.approvalId)).toBe(true);
    await vi.advanceTimersByTimeAsync(1500);
    expect(await second.ended).toBe('approval_expired');
  });

  test('[asks.seen] is not made longer by being shown again, and a surface that shows nothing delays no card', async () => {
    const { approvals, ask } = shown();
    const never = await ask('a');
    await vi.advanceTimersByTimeAsync(121_000);
    expect(await never.ended).toBe('approval_expired');
    const again = await ask('a');
    for (let times = 0; times < 3; times += 1) {
      approvals.seen(again.approvalId);
      await vi.advanceTimersByTimeAsync(50_000);
    }
    expect(await again.ended).toBe('approval_expired');
  });

  test('has an end, however many are in front of it', async () => {
    const { approvals, ask } = shown();
    const last = await ask('z');
    for (let turn = 0; turn < 40 && (await isOpen(approvals, last.approvalId)); turn += 1) {
      const other = await ask(`t${turn}`);
      approvals.seen(other.approvalId);
      await vi.advanceTimersByTimeAsync(60_000);
      await approvals.lose(other.approvalId).catch(() => {});
    }
    expect(await last.ended).toBe('approval_expired');
  });
});

test.each([
  ['emergency stop', 'stopped', 'emergency stop (operator)', (t: TestHost) => t.host.stop('operator')],
  ['end of the host', 'cancelled', 'host ending', (t: TestHost) => t.host.close()],
  [
    'end of its token',
    'unauthenticated',
    'token ended',
    (t: TestHost, tokenId: string) => t.host.tokens.revoke(tokenId, 'operator'),
  ],
] as const)(
  'a card without a decision is withdrawn by the %s, which does not deny its action',
  async (_, code, by, end) => {
    await using t = await asking();
    const { tokenId } = await t.host.tokens.create({ scope: 'agent', name: 'bot' }, 'operator');
    const run = await ask(t, of(t, 'default', tokenId));
    const settled: string[] = [];
    (t.host.approvals as Approvals).events.on('settled', (card) => settled.push(`${card.status}: ${card.decidedBy}`));
    const loosening = failureOf(t.host.askLoosening(['the level rises'], 'operator', 'change'));
    await expect.poll(async () => (await pending(t)).length).toBe(2);
    await end(t, tokenId);
    expect(await failureOf(run.result)).toMatchObject({ code, delivery: 'not_delivered' });
    expect(settled[0]).toBe(`cancelled: ${by}`);
    if (by === 'token ended') await t.host.stop('operator');
    expect(await loosening).toMatchObject({ code: 'cancelled' });
    expect(t.scene.delivered.filter((what) => what !== 'release all')).toEqual([]);
  },
);

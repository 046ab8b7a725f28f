/** Who said no: whatever asks, and however a card ends without an approval, the agent reads what really happened. */
import { describe, expect, test } from 'vitest';
import { DECIDED_BY, denialWords } from '../../../../src/contract/gate/card-lines.ts';
import { toUiaHostError } from '../../../../src/contract/errors.ts';
import { startTestHost, type TestHost } from '../running-host.ts';
import { until } from '../../../support/until.ts';

/** Everything that asks a person; resolves to the text that its caller gets. */
const ASKING: Readonly<Record<string, (t: TestHost) => Promise<string>>> = {
  async action(t) {
    await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
    return refusal(t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' }).result);
  },
  async plan(t) {
    await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
    const steps = [{ action: 'click-element', input: { name: 'Save draft' } }];
    return refusal(t.host.runner.run(t.agent, 'batch', { steps, approveAsPlan: true }).result);
  },
  async access(t) {
    const { value } = await t.host.runner.run(t.agent, 'request-access', {
      apps: [{ app: 'notepad.exe' }],
      reason: 'to write',
    }).result;
    return JSON.stringify((value as { denied: unknown }).denied);
  },
  async prompt(t) {
    const request = { toolName: 'Bash', input: {}, toolUseId: null };
    const answer = await t.host.askPermission(t.agent, request, new AbortController().signal);
    return 'message' in answer ? answer.message : answer.behavior;
  },
  async resume(t) {
    await t.host.stop('overlay:hotkey');
    return refusal(t.host.resume('operator'));
  },
};

const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'approved',
    (thrown: unknown) => {
      const { code, message } = toUiaHostError(thrown);
      expect(['approval_denied', 'approval_expired']).toContain(code);
      return message;
    },
  );

/** Every way in which a card ends as a no. */
const ENDING: Readonly<Record<string, (t: TestHost, approvalId: string) => Promise<unknown>>> = {
  [DECIDED_BY.person]: (t, id) => t.host.approvals.decide(id, { decision: 'deny' }, DECIDED_BY.person, 'overlay'),
  [DECIDED_BY.unsure]: (t, id) => t.host.approvals.decide(id, { decision: 'deny' }, DECIDED_BY.unsure, 'overlay'),
  [DECIDED_BY.lost]: (t, id) => t.host.approvalService.lose(id),
  'api:tok_operator': (t, id) => t.host.approvals.decide(id, { decision: 'deny' }, 'api:tok_operator', 'api'),
  [DECIDED_BY.deadline]: () => Promise.resolve(),
};

describe.each(Object.keys(ASKING))('a request of the kind %s', (kind) => {
  test.each(Object.keys(ENDING))('[approval.who] states that its card ended by: %s', async (end) => {
    const timeoutMs = end === DECIDED_BY.deadline ? 1000 : 120_000;
    await using t = await startTestHost({
      level: 'control',
      approvals: { timeoutMs, surfaces: kind === 'resume' ? ['overlay'] : ['overlay', 'api'] },
    });
    const answer = ASKING[kind]!(t);
    const [card] = await until(
      async () => (await t.host.approvals.list({ status: 'pending' })).approvals,
      (cards) => cards.length === 1,
    );
    await ENDING[end]!(t, card!.approvalId);
    const text = await answer;
    expect(text).toContain(denialWords(end));
    // A person is named only where a person did.
    expect(text.includes('A person said no')).toBe(end === DECIDED_BY.person);
    const kept = await t.host.approvals.get(card!.approvalId);
    expect(kept.decidedBy).toBe(end);
    expect(kept.status).toBe(end === DECIDED_BY.deadline ? 'expired' : 'denied');
  });

  test('[approval.who] states that there was no surface to ask on', async () => {
    // A policy that lists no surface that can show a card.
    await using t = await startTestHost({ level: 'control', approvals: { timeoutMs: 1000, surfaces: [] } });
    expect(await ASKING[kind]!(t)).toContain(denialWords(DECIDED_BY.noSurface));
  });
});

test('[approval.who] every way has words of its own, and one of them alone names a person as the decider', () => {
  const all = [...Object.values(DECIDED_BY), 'api:tok_1', 'embedding program', null].map(denialWords);
  expect(new Set(all).size).toBe(all.length);
  expect(all.filter((words) => words.startsWith('A person'))).toEqual([denialWords(DECIDED_BY.person)]);
});

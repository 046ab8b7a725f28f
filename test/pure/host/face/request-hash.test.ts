/** The hash by which a repeated request is recognised. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRequestHash } from '../../../../src/host/face/request-hash.ts';
import { canonicalJson } from '../../../../src/contract/json/strict-json.ts';
import { scratch } from '../../store/scratch.ts';
import { startBoundHost, startTestHost } from '../running-host.ts';

const APP = `app:${encodeURIComponent('c:\\windows\\system32\\notepad.exe')}`;

test('a hash depends on its secret, the request and the body, whatever the order of its keys', () => {
  const hash = createRequestHash(Buffer.from('secret'));
  expect(hash('click', { a: 1, b: 2 })).toBe(createRequestHash(Buffer.from('secret'))('click', { b: 2, a: 1 }));
  const others = [
    hash('click', { a: 1 }),
    hash('type', { a: 1, b: 2 }),
    createRequestHash(Buffer.from('other'))('click', { a: 1, b: 2 }),
    createRequestHash()('click', { a: 1, b: 2 }),
    createRequestHash()('click', { a: 1, b: 2 }),
  ];
  expect(new Set([hash('click', { a: 1, b: 2 }), ...others]).size).toBe(6);
});

test('[session.idempotency] a copy of the database does not allow guessing typed text, and a repeated request after a restart is recognised', async () => {
  const root = scratch();
  const input = { name: 'Save draft', text: '4711' };
  const goal = { goal: '4711', urls: [APP] };
  const proposal = {
    action_type: 'click',
    target: { role: 'button', name: 'Save draft', test_id: '' },
    text: '',
    reason: '4711',
    risk_tags: [],
    requires_approval: false,
  };
  let id: string;
  {
    await using t = await startBoundHost({}, root);
    await t.host.runner.run(t.agent, 'type-into-element', input, { idempotencyKey: 'typing' }).result;
    id = (await t.host.sessions.start(t.agent, goal, 'starting')).computerUseSessionId;
    await t.host.runner.run({ ...t.agent, session: id }, 'bind-to-window', { title: 'Notepad' }).result;
    await t.host.sessions.propose(t.agent, id, proposal, { idempotencyKey: 'proposing' });
    const stored = await t.stored('idempotency');
    for (const key of ['typing', 'starting', 'proposing']) expect(stored).toContain(`"${key}"`);
    const tries: Array<[string, unknown]> = [
      ['type-into-element\ndefault', input],
      ['computer-use/sessions', goal],
      [`computer-use/propose\n${id}`, proposal],
    ];
    for (const [what, body] of tries)
      expect(stored).not.toContain(
        createHash('sha256')
          .update(`${what}\n${canonicalJson(body)}`)
          .digest('hex'),
      );
  }
  await using t = await startTestHost({}, root);
  await t.host.runner.run(t.agent, 'type-into-element', input, { idempotencyKey: 'typing' }).result;
  expect(await t.host.sessions.start(t.agent, goal, 'starting')).toEqual({ computerUseSessionId: id });
  await expect(
    t.host.runner.run(t.agent, 'type-into-element', { ...input, text: '4712' }, { idempotencyKey: 'typing' }).result,
  ).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  expect(t.scene.delivered).toEqual([]);
});

/** The dry run of a list of actions: what would need a person, without doing, asking or counting anything as done. */
import { expect, it } from 'vitest';
import { startTestHost } from '../running-host.ts';

const click = (name: string) => ({ action: 'click-element', input: { name } });
const clean = { action: 'click-element', input: { name: 'Save draft' } };

async function outlook(level: 'observe' | 'control' | 'full') {
  const t = await startTestHost({ level });
  await t.host.runner.run(t.agent, 'bind-to-window', { hwnd: '4242' }).result.catch(() => {});
  return t;
}

it('tells for each step whether it would run, ask or be refused, and does none of them', async () => {
  await using t = await outlook('full');
  const { value } = await t.host.runner.run(t.agent, 'would-ask', {
    steps: [clean, click('Pay invoice'), click('Not there'), { action: 'snapshot', input: {} }],
  }).result;
  const { steps } = value as { steps: Array<{ outcome: string; why: string[]; code: string | null }> };
  expect(steps.map(({ outcome }) => outcome)).toEqual(['runs', 'asks', 'unknown', 'runs']);
  expect(steps[1]?.why).toContain('financial');
  expect(steps[2]?.code).toBe('target_not_found');
  // the word that matched is in no answer
  expect(JSON.stringify(value)).not.toContain('invoice');
  expect((await t.host.approvals.list({ status: 'all' })).approvals).toEqual([]);
  const delivered = (await t.auditEntries()).filter(
    ({ kind, action }) => kind === 'delivery' && action === 'clickElement',
  );
  expect(delivered).toEqual([]);
});

it('is refused as a whole for a step that could not be sent, and is a look at level observe', async () => {
  await using t = await outlook('observe');
  const { value } = await t.host.runner.run(t.agent, 'would-ask', { steps: [clean] }).result;
  expect(value).toMatchObject({ steps: [{ outcome: 'refused', code: 'permission_denied' }] });
  for (const steps of [
    [{ action: 'no-such', input: {} }],
    [{ action: 'batch', input: { steps: [clean] } }],
    [{ action: 'click-element', input: { nme: 'x' } }],
  ])
    await expect(t.host.runner.run(t.agent, 'would-ask', { steps }).result).rejects.toMatchObject({
      delivery: 'not_delivered',
    });
});

/** What changed comes with an action's answer: compared with the session's last snapshot, within the budget, never instead of the answer. */
import { describe, expect, test } from 'vitest';
import { looked, type ActionResult } from '../../../../src/contract/outcome.ts';
import type { Caller } from '../../../../src/host/face/caller.ts';
import { changeReportsOf } from '../../../../src/host/face/changes.ts';
import type { Host } from '../../../../src/host/face/host.ts';

const DECISION: ActionResult['decision'] = { result: 'execute', riskLevel: 'low', riskTags: [], approvalId: null };
const agent = { tokenId: 'tok_1', session: 'desk', scope: 'agent', surface: 'mcp' } as unknown as Caller;

const result = (action: string, value: unknown, acted = false): ActionResult => ({
  action,
  actionId: 'act_1',
  value,
  outcome: acted ? { ...looked(), effect: 'confirmed', delivery: 'uia-invoke' } : looked(),
  decision: DECISION,
  durationMs: 1,
});
const snapshot = (observationId: string, accessibilityText = '', partial = false): ActionResult =>
  result('snapshot', { observationId, accessibilityText, partial });
const UNKNOWN = { since: '', lines: [], complete: false, untrusted: true };
const clicked = result('clickElement', true, true);

/** A host whose looks are given, and the inputs that they were asked with. */
function scene(...looks: Array<ActionResult | Error>) {
  const asked: Array<[string, unknown]> = [];
  const host = {
    runner: {
      run(_caller: Caller, action: string, input: unknown) {
        asked.push([action, input]);
        const look = looks.shift() ?? new Error('no look is left');
        const settled = look instanceof Error ? Promise.reject(look) : Promise.resolve(look);
        settled.catch(() => {});
        return { result: settled, pending: Promise.resolve(null), cancel() {} };
      },
    },
  } as unknown as Host;
  const reports = changeReportsOf(host);
  expect(changeReportsOf(host)).toBe(reports);
  return { reports, asked };
}

describe('[observe.delta] an action that changed something', () => {
  test('answers the changes since the session’s last snapshot, and the next answer the changes since then', async () => {
    const { reports, asked } = scene(snapshot('obs_2', '~ [Edit] "Name" value="Ada" ref=e3'), snapshot('obs_3'));
    await reports.withChanges(agent, snapshot('obs_1', '[Window] ref=e1'), 'none');
    expect((await reports.withChanges(agent, clicked, 'delta')).changes).toEqual({
      since: 'obs_1',
      lines: ['~ [Edit] "Name" value="Ada" ref=e3'],
      complete: true,
      untrusted: true,
    });
    expect((await reports.withChanges(agent, clicked, 'delta')).changes).toMatchObject({ since: 'obs_2', lines: [] });
    expect(asked).toEqual([
      ['snapshot', { since: 'obs_1', deadlineMs: 2000 }],
      ['snapshot', { since: 'obs_2', deadlineMs: 2000 }],
    ]);
  });

  test('leaves out the line of a field that holds what was typed, and keeps what else changed', async () => {
    const typed = result('typeIntoElement', true, true);
    const field = String.raw`~ Edit e3 "Name" value="Ada \"L\""`;
    const other = '~ Text e4 "Hello Ada" ';
    const { reports } = scene(snapshot('obs_2', `${field}\n${other}`), snapshot('obs_3', field));
    await reports.withChanges(agent, snapshot('obs_1', '[Window] ref=e1'), 'none');
    const input = { ref: 'e3', text: 'Ada "L"' };
    expect((await reports.withChanges(agent, typed, 'delta', input)).changes).toMatchObject({
      lines: [other],
      complete: true,
    });
    expect((await reports.withChanges(agent, typed, 'delta', { text: 'Eve' })).changes).toMatchObject({
      lines: [field],
    });
  });

  test('is compared with the last snapshot of the whole window, not with one of a part', async () => {
    const { reports, asked } = scene(snapshot('obs_3'));
    const part = result('snapshot', { observationId: 'obs_2', accessibilityText: '', partial: false, part: true });
    await reports.withChanges(agent, snapshot('obs_1', '[Window] ref=e1'), 'none');
    await reports.withChanges(agent, part, 'none');
    await reports.withChanges(agent, clicked, 'delta');
    expect(asked).toEqual([['snapshot', { since: 'obs_1', deadlineMs: 2000 }]]);
  });

  test('is at most 80 tokens of whole lines; the rest is in the next difference', async () => {
    const line = `+ [ListItem] "${'x'.repeat(80)}" ref=e1`;
    const { reports, asked } = scene(
      snapshot('obs_2', Array.from({ length: 9 }, () => line).join('\n')),
      snapshot('obs_3', line, true),
    );
    await reports.withChanges(agent, snapshot('obs_1'), 'none');
    const { changes } = await reports.withChanges(agent, clicked, 'delta');
    expect(changes).toMatchObject({ complete: false, lines: [line, line, line] });
    expect(Buffer.byteLength(changes?.lines.join('\n') ?? '')).toBeLessThanOrEqual(80 * 4);
    // The window was read in part only: not complete either.
    expect((await reports.withChanges(agent, clicked, 'delta')).changes).toMatchObject({
      since: 'obs_1',
      complete: false,
    });
    expect(asked).toHaveLength(2);
  });

  test('is not read for a caller who did not ask, has not looked, only read, or has bound another window', async () => {
    const { reports, asked } = scene();
    const isUnknown = async (caller: Caller) =>
      expect((await reports.withChanges(caller, clicked, 'delta')).changes).toEqual(UNKNOWN);
    await isUnknown(agent);
    await reports.withChanges(agent, snapshot('obs_1'), 'none');
    expect(await reports.withChanges(agent, clicked, 'none')).toBe(clicked);
    for (const other of [{ session: 'other' }, { tokenId: 'tok_2' }]) await isUnknown({ ...agent, ...other });
    const read = result('readTable', {});
    expect(await reports.withChanges(agent, read, 'delta')).toBe(read);
    const bound = result('bindToWindow', true, true);
    expect(await reports.withChanges(agent, bound, 'delta')).toBe(bound);
    await isUnknown(agent);
    expect(asked).toEqual([]);
  });

  test('is compared with a look of its own where the session has only searched', async () => {
    const { reports, asked } = scene(snapshot('obs_1'), snapshot('obs_2', '~ [Button] "OK" disabled'));
    await reports.withChanges(agent, result('find', { total: 1 }), 'delta');
    await new Promise(setImmediate);
    expect((await reports.withChanges(agent, clicked, 'delta')).changes).toMatchObject({
      since: 'obs_1',
      lines: ['~ [Button] "OK" disabled'],
    });
    expect(asked.map(([, input]) => input)).toEqual([
      { form: 'brief', deadlineMs: 2000 },
      { since: 'obs_1', deadlineMs: 2000 },
    ]);
  });

  test('a look that would ask a person is taken back', async () => {
    const { promise, reject } = Promise.withResolvers<ActionResult>();
    const reasons: string[] = [];
    const host = {
      runner: {
        run: () => ({
          result: promise,
          pending: Promise.resolve('apr_1'),
          cancel(reason: string) {
            reasons.push(reason);
            reject(new Error(reason));
          },
        }),
      },
    } as unknown as Host;
    await changeReportsOf(host).withChanges(agent, snapshot('obs_1'), 'none');
    expect((await changeReportsOf(host).withChanges(agent, clicked, 'delta')).changes).toEqual(UNKNOWN);
    expect(reasons).toHaveLength(1);
  });

  test('keeps its own answer where the look fails', async () => {
    const { reports } = scene(new Error('the window hung'));
    await reports.withChanges(agent, snapshot('obs_1'), 'none');
    expect(await reports.withChanges(agent, clicked, 'delta')).toEqual({ ...clicked, changes: UNKNOWN });
  });
});

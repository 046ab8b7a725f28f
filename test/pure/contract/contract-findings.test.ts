/** The findings F2 to F16 of the audit of the given contracts, used again: each is held, or declared among the departures. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { promisedIds } from '../../../scripts/lib/promises.mjs';
import { inputOf } from '../../../src/contract/executor-calls.ts';
import { METHODS } from '../../../src/actions/index.ts';
import { createExecutor } from '../../../src/host/running/executor.ts';
import { startTestHost, type TestHost } from '../host/running-host.ts';

const APP = `app:${encodeURIComponent('c:\\windows\\system32\\notepad.exe')}`;
const DEPARTURES = readFileSync(new URL('../../../docs/behaviour.md', import.meta.url), 'utf8').split(
  '## Departures from the given contracts',
)[1]!;

const executorOf = (t: TestHost) =>
  createExecutor(
    t.host.runner,
    { ...t.agent, surface: 'executor' },
    { screenshotFiltering: 'native', platform: 'win32', hostBundleId: 'x' },
  );

async function propose(t: TestHost, target: { role: 'button' | 'coordinate'; name: string }) {
  const { computerUseSessionId: id } = await t.host.sessions.start(t.agent, { goal: 'g', urls: [APP] });
  await t.host.runner
    .run({ ...t.agent, session: id }, 'bind-to-window', { title: 'Notepad' })
    .result.catch(() => undefined);
  return t.host.sessions.propose(t.agent, id, {
    action_type: 'click',
    target: { ...target, test_id: '' },
    text: '',
    reason: 'to save',
    risk_tags: [],
    requires_approval: false,
  });
}

interface Row {
  readonly finding: string;
  readonly what: string;
  /** Promises whose tests use it as the audit did. */
  readonly shown?: readonly string[];
  /** Words of the departures' table. */
  readonly declared?: string;
  readonly use?: () => Promise<void>;
}

const ROWS: readonly Row[] = [
  { finding: 'F2', what: 'each card of a session is a valid event of its stream', shown: ['stream.every-card'] },
  { finding: 'F3', what: 'a proposed keypress goes to the element that it names', shown: ['proposal.keys-target'] },
  {
    finding: 'F4',
    what: 'pictures at every level without a binding',
    shown: ['capture.listed', 'capture.listed-flag'],
  },
  {
    finding: 'F5',
    what: 'allowedBundleIds limits the picture too',
    shown: ['capture.listed', 'capture.listed-session'],
  },
  {
    finding: 'F6',
    what: 'coordinates of the interface over the host that runs',
    shown: ['space.executor', 'space.executor-client'],
    declared: 'methods take points of the screen or of the client area',
  },
  { finding: 'F7', what: 'the library in the oldest Node', shown: ['exports.oldest-node'] },
  { finding: 'F8', what: 'the channel that takes decisions', declared: 'the control channel takes decisions' },
  { finding: 'F9', what: 'limits count by token', shown: ['policy.limits-plain'] },
  { finding: 'F10', what: 'the given tool is offered strict', shown: ['client.openai-strict', 'proposal.parameters'] },
  { finding: 'F11', what: 'the interface’s types under exactOptionalPropertyTypes', shown: ['executor.types'] },
  { finding: 'F12', what: 'proposals reach check boxes, tabs and items', shown: ['query.role-button'] },
  { finding: 'F13', what: 'a store that throws costs the artifact alone', shown: ['safety.artifacts'] },
  { finding: 'F14', what: 'an executor over the host that runs', shown: ['client.executor', 'client.every-action'] },
  { finding: 'F15', what: 'other schemes in urls', declared: '`urls` of a session are URIs' },
  { finding: 'F15', what: 'the governance schema', shown: ['schemas.governance', 'schemas.served'] },
  { finding: 'F16', what: 'an icon of a missing file is undefined', shown: ['method.getAppIcon'] },
  { finding: 'F16', what: 'move_resize with a size alone', shown: ['manage.move-needs'] },
  {
    finding: 'F16',
    what: 'a zero for repeat is the default, and more than a hundred is refused with the limit',
    use: async () => {
      for (const [method, args] of [
        ['key', ['a', 0]],
        ['virtualKeyboard', [{ action: 'combo', text: 'a', repeat: 0 }]],
      ] as const)
        expect(METHODS[method].input.safeParse(inputOf(method, args)).success).toBe(true);
      await using t = await startTestHost();
      await expect(executorOf(t).key('a', 101)).rejects.toMatchObject({ code: 'invalid_argument' });
      expect(t.scene.delivered).toEqual([]);
    },
  },
  { finding: 'F16', what: 'modifiers of a click', declared: '`click` with modifiers', shown: ['pointer.held'] },
  { finding: 'F16', what: 'wheel amounts of a hundred and more', shown: ['executor.wheel-delta'] },
  {
    finding: 'F16',
    what: 'the status indicator without a binding',
    use: async () => {
      await using t = await startTestHost();
      expect(await executorOf(t).statusIndicator('show', 'working')).toEqual({ active: false });
    },
  },
  {
    finding: 'F16',
    what: 'a proposal below the level control is a block, not a problem',
    use: async () => {
      for (const level of ['disabled', 'observe'] as const) {
        await using t = await startTestHost({ level });
        expect(await propose(t, { role: 'button', name: 'Save draft' })).toMatchObject({
          decision: 'block',
          flags: ['permission_denied'],
        });
        expect(t.scene.delivered).toEqual([]);
      }
    },
  },
  {
    finding: 'F16',
    what: 'a coordinate that the policy does not allow is reviewed, with and without a picture',
    shown: ['proposal.no-coordinate'],
    use: async () => {
      await using t = await startTestHost();
      expect(await propose(t, { role: 'coordinate', name: '5,5' })).toMatchObject({ decision: 'review' });
      expect(t.scene.delivered).toEqual([]);
    },
  },
  { finding: 'F16', what: 'what ends a session is in its end', shown: ['gate.maxActions', 'session.denials'] },
  { finding: 'F16', what: 'equal pictures are one file with a reference each', shown: ['artifact.references'] },
  {
    finding: 'F16',
    what: 'no session starts during an emergency stop',
    shown: ['session.stopped'],
  },
  { finding: 'F16', what: 'presets by name', shown: ['level.presets-named'] },
  { finding: 'F16', what: 'roles as ARIA has them', shown: ['query.role'] },
  { finding: 'F16', what: 'empty strings and nulls of optional fields', shown: ['tools.as-meant'] },
];

describe('the audit’s findings', () => {
  test('each is held or declared', () => {
    expect([...new Set(ROWS.map(({ finding }) => finding))]).toEqual(
      Array.from({ length: 15 }, (_, at) => `F${at + 2}`),
    );
    const known = promisedIds();
    for (const { what, shown = [], declared, use } of ROWS) {
      expect([what, shown.filter((id) => !known.has(id))]).toEqual([what, []]);
      expect([what, declared === undefined || DEPARTURES.includes(declared)]).toEqual([what, true]);
      expect([what, shown.length > 0 || declared !== undefined || use !== undefined]).toEqual([what, true]);
    }
  });

  test.each(
    ROWS.flatMap(({ finding, what, use }) => (use === undefined ? [] : [[`${finding}: ${what}`, use] as const])),
  )('%s', async (_what, use) => use());
});

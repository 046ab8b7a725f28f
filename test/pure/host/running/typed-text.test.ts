/** What is typed is in memory while it is needed, and in no file of the data folder. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ACTIONS } from '../../../../src/actions/index.ts';
import type { Policy } from '../../../../src/contract/gate/permissions.ts';
import type { ActionResult } from '../../../../src/contract/outcome.ts';
import { newId } from '../../../../src/host/face/caller.ts';
import { rounds } from '../../../support/rounds.ts';
import { taintBelow } from '../../../support/taint.ts';
import { startTestHost, type TestHost } from '../running-host.ts';

const MARK = 'Fjordpferd 6230';
/** Texts under approval: as text, as keys, as a command, with a reason that repeats it. */
const CALLS: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
  ['type-into-element', { name: 'Save draft', text: MARK }],
  ['virtual-keyboard', { action: 'type', text: MARK }],
  ['virtual-keyboard', { action: 'type', text: `rm -rf "/${MARK}"\n` }],
  ['key', { keySequence: [...'fjord6230'].join(' ') }],
  ['select-element', { name: 'Save draft', item: MARK }],
  ['write-cell', { name: 'Save draft', row: 0, column: 0, text: '1', expect: MARK }],
  [
    'batch',
    {
      approveAsPlan: true,
      steps: [
        { action: 'type-into-element', input: { name: 'Save draft', text: MARK } },
        { action: 'click-element', input: { name: 'Save draft' } },
      ],
    },
  ],
  [
    'request-ui-action',
    {
      action_type: 'type',
      target: { role: 'button', name: 'Save draft', test_id: '' },
      text: MARK,
      reason: `the field wants ${MARK}`,
      risk_tags: [],
      requires_approval: true,
    },
  ],
];
const MARKS = [MARK, 'f j o r d'];
/** Fields of actions that hold content. */
const CONTENT_FIELDS = ['text', 'item', 'value', 'windowTitle', 'expect', 'message'];

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'uiahost-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A host whose desktop reads back what it typed, as Windows does. */
async function typingHost(policy: Partial<Policy> = {}): Promise<TestHost> {
  const t = await startTestHost({ level: 'control', ...policy }, root);
  let value = '';
  const typed = (text: string): { value: true; outcome: ActionResult['outcome'] } => {
    const before = value;
    value += text;
    return {
      value: true,
      outcome: {
        effect: 'confirmed',
        delivery: 'message',
        evidence: [{ kind: 'value', before, after: value }],
        attempts: [{ rung: 'message', result: 'delivered', reason: `set to ${value}` }],
        focusChanged: false,
        cursorMoved: false,
        details: { value },
      },
    };
  };
  t.scene.desktop.element.typeInto = async (_record, _ref, text) => typed(text);
  t.scene.desktop.keyboard.typeText = async (_record, text) => typed(text);
  await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
  return t;
}

const stored = async (t: TestHost): Promise<string[]> => {
  await t.host.hub.settled();
  await t.stored('meta');
  return taintBelow(root, MARKS);
};

describe('[records.typed-text] text typed under approval', () => {
  test.each(CALLS.map(([action, input], index) => ({ index, action, input })))(
    '$index $action: is on the card while it waits, and on no disk',
    async ({ action, input }) => {
      await using t = await typingHost();
      for (const decision of ['approve', 'deny'] as const) {
        const run = t.host.runner.run(t.agent, action, input, { idempotencyKey: `k-${decision}` });
        const card = await t.host.approvals.get((await run.pending)!);
        expect(JSON.stringify(card.arguments)).toMatch(/Fjordpferd|f j o r d/);
        expect((await t.host.approvals.list({ status: 'pending' })).approvals).toEqual([card]);
        expect(await stored(t)).toEqual([]);
        await t.host.approvals.decide(card.approvalId, { decision }, 'operator', 'api');
        const result = await run.result.catch((error: { code: string }) => error.code);
        if (decision === 'deny' && action !== 'request-ui-action') expect(result).toBe('approval_denied');
        expect(await stored(t)).toEqual([]);
        expect(JSON.stringify(await t.host.approvals.get(card.approvalId))).not.toMatch(/Fjordpferd|f j o r d/);
      }
      const again = await t.host.runner
        .run(t.agent, action, input, { idempotencyKey: 'k-approve' })
        .result.catch((error: { code: string }) => error.code);
      if (action.includes('type') || action === 'virtual-keyboard') expect(JSON.stringify(again)).toMatch(/Fjordpferd/);
      await t.host.close();
      expect(await stored(t)).toEqual([]);
    },
  );

  test('[audit.text] is on no disk for any action, run, refused or failed, in a session with its stream', async () => {
    await using t = await typingHost({ level: 'full' });
    t.scene.chosen = [{ name: `${MARK}, severe`, controlType: 'ListItem', identity: 'i1' }];
    const { computerUseSessionId: session } = await t.host.sessions.start(t.agent, {
      goal: 'g',
      urls: ['app:notepad.exe'],
      maxActions: 200,
    });
    const caller = { ...t.agent, session };
    await t.host.runner.run(caller, 'bind-to-window', { title: 'Notepad' }).result;
    for (const { name, sample, input } of ACTIONS.filter(({ topic }) => topic !== 'binding')) {
      const texts = CONTENT_FIELDS.filter((field) => Object.hasOwn(input.shape, field));
      const asked = { ...sample, ...Object.fromEntries(texts.map((field) => [field, MARK])) };
      for (const given of [asked, { ...asked, [`more`]: MARK }, { ...asked, vlaues: [[MARK]] }]) {
        const run = t.host.runner.run(caller, name, given, { idempotencyKey: newId('key') });
        const approvalId = await run.pending;
        if (approvalId !== null) await t.host.approvals.decide(approvalId, { decision: 'approve' }, 'operator', 'api');
        await run.result.catch(() => {});
      }
    }
    expect(await stored(t)).toEqual([]);
  });

  test('is on no disk if the card expired, either', async () => {
    await using t = await typingHost({ approvals: { timeoutMs: 1000, surfaces: ['overlay', 'api'] } });
    await expect(
      t.host.runner.run(t.agent, 'type-into-element', { name: 'Save draft', text: MARK }).result,
    ).rejects.toMatchObject({ code: 'approval_expired' });
    expect(await stored(t)).toEqual([]);
  });

  test('is on no disk when the host is killed while a person is asked, nor after the next start', async () => {
    const calls = CALLS.slice(0, rounds({ whole: CALLS.length, quick: 2 }));
    for (const [action, input] of calls) {
      const child = spawn(
        process.execPath,
        [fileURLToPath(new URL('../typing-victim.ts', import.meta.url)), root, action, JSON.stringify(input)],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const exited = new Promise((resolve) => child.once('exit', resolve));
      let said = '';
      for await (const line of createInterface({ input: child.stdout })) {
        said = line;
        break;
      }
      child.kill('SIGKILL');
      await exited;
      expect(said).toMatch(/^apr_/);
      expect(taintBelow(root, MARKS)).toEqual([]);
      rmSync(join(root, 'host.lock'), { force: true });
    }
    await using t = await typingHost();
    expect((await t.host.approvals.list({ status: 'all' })).approvals.map(({ status }) => status)).toEqual(
      calls.map(() => 'cancelled'),
    );
    expect(await stored(t)).toEqual([]);
  });
});

test('a kept answer is whole while the host runs; a later host knows what was done, but no text of a window', async () => {
  const query = { name: 'Save draft', text: MARK };
  const kept: Record<string, unknown> = {};
  {
    await using t = await typingHost({ level: 'full', alwaysAsk: [] });
    const run = t.host.runner.run(t.agent, 'type-into-element', query, { idempotencyKey: 'typed' });
    const result = await run.result;
    Object.assign(kept, { actionId: run.actionId, result });
    expect(await t.host.runner.record(t.agent, run.actionId)).toEqual({
      actionId: run.actionId,
      status: 'succeeded',
      delivery: 'done',
      result,
    });
    expect(await t.host.runner.run(t.agent, 'type-into-element', query, { idempotencyKey: 'typed' }).result).toEqual(
      result,
    );
    await t.host.runner.run(t.agent, 'snapshot', {}, { idempotencyKey: 'looked' }).result;
  }
  expect(taintBelow(root, MARKS)).toEqual([]);
  await using t = await typingHost({ level: 'full', alwaysAsk: [] });
  const outline = {
    value: true,
    outcome: { effect: 'confirmed', delivery: 'message', evidence: [{ kind: 'value', before: null, after: null }] },
  };
  const record = await t.host.runner.record(t.agent, String(kept['actionId']));
  expect(record).toMatchObject({ status: 'succeeded', result: outline });
  expect(JSON.stringify(record)).not.toContain('sealed');
  expect(
    await t.host.runner.run(t.agent, 'type-into-element', query, { idempotencyKey: 'typed' }).result,
  ).toMatchObject(outline);
  await expect(t.host.runner.run(t.agent, 'snapshot', {}, { idempotencyKey: 'looked' }).result).rejects.toMatchObject({
    code: 'state_conflict',
    delivery: 'not_delivered',
  });
});

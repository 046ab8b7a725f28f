/** The runner: from a call to the gate, the desktop and the record. */
import { describe, expect, test } from 'vitest';
import { UiaHostError, type Problem } from '../../../../src/contract/errors.ts';
import { looked, type Outcome } from '../../../../src/contract/outcome.ts';
import { ACTIONS, METHODS } from '../../../../src/actions/index.ts';
import { until } from '../../../support/until.ts';
import { createExecutor } from '../../../../src/host/running/executor.ts';
import { startBoundHost, startTestHost } from '../running-host.ts';
import { element, outcomeOf } from '../stand-in-desktop.ts';

describe('subjects of the gate', () => {
  const paying = element('e9', 'Pay invoice');

  test('[gate.under-pointer] a button pressed or released where the pointer is counts as a press on the element there', async () => {
    await using t = await startBoundHost();
    await t.host.runner.run(t.agent, 'mouse-down', {}).result;
    t.scene.under = paying;
    for (const name of ['mouse-down', 'mouse-up']) {
      const run = t.host.runner.run(t.agent, name, {});
      const card = await t.host.approvals.get((await run.pending)!);
      expect(card).toMatchObject({ riskTags: expect.arrayContaining(['financial']), element: { name: 'Pay invoice' } });
      await t.decideNext('deny');
      await expect(run.result).rejects.toMatchObject({ code: 'approval_denied' });
    }
    expect(t.scene.delivered).toEqual(['button down']);
  });

  test('a look at a window that is gone fails before anything is read', async () => {
    await using t = await startBoundHost();
    const { element: elements } = t.scene.desktop;
    const snapshot = elements.snapshot.bind(elements);
    let reads = 0;
    elements.snapshot = async (record, options, call) => {
      reads += 1;
      return snapshot(record, options, call);
    };
    await t.host.runner.run(t.agent, 'snapshot', {}).result;
    t.scene.window = null;
    await expect(t.host.runner.run(t.agent, 'snapshot', {}).result).rejects.toMatchObject({
      code: 'window_gone',
      delivery: 'not_delivered',
    });
    expect(reads).toBe(1);
  });

  test('[gate.under-pointer] a click without a binding is judged by the window that it would hit', async () => {
    await using t = await startTestHost();
    t.scene.under = paying;
    const run = t.host.runner.run(t.agent, 'click', { x: 30, y: 40, space: 'screen' });
    const card = await t.host.approvals.get((await run.pending)!);
    expect(card).toMatchObject({
      riskTags: expect.arrayContaining(['financial']),
      app: { displayName: 'Notepad' },
      element: { name: 'Pay invoice' },
    });
    await t.decideNext('approve');
    await run.result;
    expect(t.scene.delivered).toEqual(['real click 30,40']);
  });

  test('choosing an item is judged by the item, a menu by each part of its path', async () => {
    await using t = await startBoundHost();
    t.scene.elements = [element('e3', 'Actions', { controlType: 'ComboBox' })];
    const run = t.host.runner.run(t.agent, 'select-element', { name: 'Actions', item: 'Account > Delete account' });
    const card = await t.host.approvals.get((await run.pending)!);
    expect(card.riskTags).toContain('destructive');
    expect(card.summary).toContain('Delete account');
    await t.decideNext('deny');
    await expect(run.result).rejects.toMatchObject({ code: 'approval_denied' });
    await t.host.runner.run(t.agent, 'select-element', { name: 'Actions', item: 'Blue' }).result;
    expect(t.scene.delivered).toEqual(['select e3 Blue']);
  });

  test('[gate.chosen] the item that would be chosen is judged, shown and delivered; an item swapped meanwhile voids the approval', async () => {
    await using t = await startBoundHost();
    t.scene.elements = [element('e3', 'Actions', { controlType: 'ComboBox' })];
    const real = { controlType: 'ListItem' as const, name: 'Delete account…', identity: 'combo:4:2' };
    for (const wanted of [{ item: 'Dele' }, { item: 'account' }, { index: 2 }]) {
      t.scene.chosen = [real];
      const run = t.host.runner.run(t.agent, 'select-element', { name: 'Actions', ...wanted });
      const card = await t.host.approvals.get((await run.pending)!);
      expect(card).toMatchObject({
        riskTags: expect.arrayContaining(['destructive']),
        summary: expect.stringContaining('item “Delete account…” of the combo box “Actions”'),
      });
      t.scene.chosen = [{ ...real, name: 'Delete everything' }];
      await t.decideNext('approve');
      await expect(run.result).rejects.toMatchObject({ code: 'state_conflict' });
    }
    expect(t.scene.delivered).toEqual([]);
    t.scene.chosen = [real];
    const run = t.host.runner.run(t.agent, 'select-element', { name: 'Actions', item: 'Dele' });
    await run.pending;
    await t.decideNext('approve');
    await run.result;
    expect(t.scene.delivered).toEqual(['select e3 Dele, judged as Delete account…']);
  });

  test('[policy.remote-memory] the policy on memory in the target reaches every look and every action, from the next one on', async () => {
    await using t = await startBoundHost();
    for (const isAllowed of [true, false, true]) {
      await t.host.policy.change({ remoteControlMemory: isAllowed }, 'merge', undefined, 'operator');
      t.scene.allowsMemory.clear();
      await t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' }).result;
      expect(Object.fromEntries(t.scene.allowsMemory)).toEqual({ 'element.context': isAllowed, 'click e1': isAllowed });
    }
  });
});

describe('runner', () => {
  test('[stop.effect] the emergency stop ends running actions, releases held keys and refuses later actions, until it is released', async () => {
    await using t = await startBoundHost();
    t.scene.hold = new Promise(() => {});
    const run = t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' });
    run.result.catch(() => {});
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    await t.host.stop('operator');
    await expect(run.result).rejects.toMatchObject({ code: 'stopped' });
    expect(t.scene.delivered).toEqual(['release all']);
    t.scene.hold = null;
    await expect(t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' }).result).rejects.toMatchObject({
      code: 'stopped',
    });
    await t.host.resume('operator');
    await t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' }).result;
    expect(t.scene.delivered).toEqual(['release all', 'click e1']);
  });

  test('[stop.sessions] [stop.looks] the emergency stop aborts the running sessions, and looks are refused too', async () => {
    await using t = await startTestHost();
    const { computerUseSessionId: id } = await t.host.sessions.start(t.agent, {
      goal: 'save',
      urls: [`app:${encodeURIComponent('c:\\windows\\system32\\notepad.exe')}`],
    });
    await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
    await t.host.stop('operator');
    expect(await t.host.sessions.get(t.agent, id)).toMatchObject({ status: 'aborted' });
    await expect(t.host.runner.run(t.agent, 'snapshot', {}).result).rejects.toMatchObject({ code: 'stopped' });
  });

  test('the same key and body is answered without a second run; another body is refused; concurrent calls run once', async () => {
    await using t = await startBoundHost();
    const send = (name: string) =>
      t.host.runner.run(t.agent, 'click-element', { name }, { idempotencyKey: 'k' }).result;
    const [one, two] = await Promise.all([send('Save draft'), send('Save draft')]);
    expect(two.actionId).toBe(one.actionId);
    expect((await send('Save draft')).actionId).toBe(one.actionId);
    await expect(send('Pay invoice')).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    expect(t.scene.delivered).toEqual(['click e1']);
  });

  test('a request repeated while a person is asked raises no second card, and has the first one’s id', async () => {
    await using t = await startBoundHost({ level: 'control' });
    const send = () => t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' }, { idempotencyKey: 'k' });
    const first = send();
    const approvalId = await first.pending;
    const again = send();
    expect([await again.pending, again.actionId]).toEqual([approvalId, first.actionId]);
    await t.decideNext('approve');
    expect((await again.result).actionId).toBe((await first.result).actionId);
    expect(t.scene.delivered).toEqual(['click e1']);
  });

  test('a repeated batch that failed says again how far it came', async () => {
    await using t = await startBoundHost();
    const steps = [
      { action: 'click-element', input: { name: 'Save draft' } },
      { action: 'click-element', input: { name: 'Nowhere' } },
    ];
    const send = (): Promise<UiaHostError> =>
      t.host.runner.run(t.agent, 'batch', { steps }, { idempotencyKey: 'k' }).result.then(
        () => {
          throw new Error('it went through');
        },
        (thrown: UiaHostError) => thrown,
      );
    const first = (await send()).toProblem();
    expect(first.partialResult).toMatchObject({
      completed: [{ action: 'clickElement' }],
      failed: { index: 1 },
      remaining: 0,
    });
    expect((await send()).toProblem()).toEqual(first);
    expect(t.scene.delivered).toEqual(['click e1']);
  });

  test.each([
    ['the audit', 'audit_unavailable', ['outcome']],
    ['the store', 'internal', ['actions.update', 'idempotency.finish']],
  ])(
    '[error.words] an action whose record by %s failed is answered as delivered, and is not to be sent again',
    async (_what, code, unwritable) => {
      await using t = await startBoundHost();
      const send = () =>
        t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' }, { idempotencyKey: 'k' }).result;
      const hold = Promise.withResolvers<void>();
      t.scene.hold = hold.promise;
      const failed = send().then(
        () => {
          throw new Error('it was answered as recorded');
        },
        (thrown: UiaHostError) => thrown,
      );
      await until(() => t.scene.allowsMemory.has('click e1'), 'its delivery');
      for (const each of unwritable) t.unwritable.add(each);
      hold.resolve();
      const error: UiaHostError = await failed;
      expect(error.toProblem()).toMatchObject({
        code,
        delivery: 'delivered',
        retryable: false,
        detail: expect.stringContaining('was carried out'),
      });
      expect(JSON.stringify(error.toProblem())).not.toMatch(/nothing (of this|is done)|must not (happen|run)/);
      t.unwritable.clear();
      // Sent again with its key nevertheless: the first answer or a refusal, never a second click.
      await send().catch(() => {});
      expect(t.scene.delivered).toEqual(['click e1']);
      t.unwritable.add('outcome');
      await expect(
        t.host.runner.run(t.agent, 'batch', { steps: [{ action: 'click-element', input: { name: 'Save draft' } }] })
          .result,
      ).rejects.toMatchObject({ delivery: 'delivered', retryable: false });
      // A look changes nothing.
      await expect(t.host.runner.run(t.agent, 'snapshot', {}).result).rejects.toMatchObject({
        code: 'audit_unavailable',
        delivery: 'not_delivered',
        retryable: true,
      });
    },
  );

  test('actions on one window run in order; a card that waits delays no other', async () => {
    await using t = await startBoundHost({ level: 'control' });
    const asked = t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' });
    expect(await asked.pending).toMatch(/^apr_/);
    await t.host.runner.run(t.agent, 'snapshot', {}).result;
    await t.decideNext('approve');
    await asked.result;
    expect(t.scene.delivered).toEqual(['click e1']);
  });

  test('an action that only watches keeps no other action from its window', async () => {
    await using t = await startBoundHost({ level: 'full' });
    const waiting: Array<() => void> = [];
    const untilLetGo = async (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
    Object.assign(t.scene.desktop.element, {
      waitFor: async () => {
        await untilLetGo();
        return { value: null, outcome: looked() };
      },
      waitQuiet: async () => {
        await untilLetGo();
        return { value: true, outcome: looked() };
      },
    });
    const watching = ACTIONS.filter(({ watches }) => watches === true);
    expect(watching.map(({ name }) => name).sort()).toEqual(['wait-for', 'wait-quiet']);
    const waits = [
      t.host.runner.run(t.agent, 'wait-for', { name: 'Save draft', condition: 'goes' }),
      t.host.runner.run(t.agent, 'wait-quiet', {}),
    ];
    await expect.poll(() => waiting.length).toBe(2);
    await t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' }).result;
    expect(t.scene.delivered).toEqual(['click e1']);
    for (const letGo of waiting) letGo();
    for (const { result } of waits) await result;
  });

  test('cancelling takes the card away and nothing runs', async () => {
    await using t = await startBoundHost({ level: 'control' });
    const run = t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' });
    run.result.catch(() => {});
    await run.pending;
    expect(await t.host.runner.cancel(t.agent, run.actionId)).toMatchObject({ status: 'cancelled' });
    expect((await t.host.approvals.list({ status: 'pending' })).approvals).toEqual([]);
    expect(t.scene.delivered).toEqual([]);
  });

  test('an action without an answer is cancelled by its key, by its own token alone', async () => {
    await using t = await startBoundHost({ level: 'full' });
    t.scene.hold = new Promise(() => {});
    const run = t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' }, { idempotencyKey: 'job:1' });
    run.result.catch(() => {});
    await until(() => t.scene.held === 1, 'the delivery');
    const other = { ...t.agent, tokenId: 'another' };
    await expect(t.host.runner.cancel(other, 'key:job:1')).rejects.toMatchObject({ code: 'action_not_found' });
    await expect(t.host.runner.cancel(t.agent, 'key:job:2')).rejects.toMatchObject({ code: 'action_not_found' });
    expect(await t.host.runner.cancel(t.agent, 'key:job:1')).toMatchObject({ actionId: run.actionId });
    await expect(run.result).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('a change while a person decides voids the approval', async () => {
    await using t = await startBoundHost({ level: 'control' });
    const run = t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' });
    run.result.catch(() => {});
    const approvalId = await run.pending;
    t.scene.elements = [{ ...t.scene.elements[0]!, identity: 'another element' }];
    await t.decideNext('approve');
    await expect(run.result).rejects.toMatchObject({ delivery: 'not_delivered' });
    expect((await t.host.approvals.get(approvalId!)).status).toBe('void');
    expect(t.scene.delivered).toEqual([]);
  });

  test('a hold without a duration lasts a second', async () => {
    await using t = await startTestHost();
    const lasted: number[] = [];
    t.scene.desktop.keyboard.hold = async (...given) => {
      lasted.push(given[2]);
      return { value: true, outcome: outcomeOf('unverified', 'posted') };
    };
    await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
    await t.host.runner.run(t.agent, 'virtual-keyboard', { action: 'hold', text: 'x' }).result;
    await t.host.runner.run(t.agent, 'virtual-keyboard', { action: 'hold', text: 'x', duration: 2 }).result;
    expect(lasted).toEqual([1000, 2000]);
  });

  test('[gate.deadline] an action has ten seconds, or as much as it asks for, up to two minutes', async () => {
    await using t = await startTestHost();
    const given: number[] = [];
    const { element: port } = t.scene.desktop;
    const { click } = port;
    port.click = async (record, ref, options, call) => {
      given.push(call.deadlineMs);
      return click(record, ref, options, call);
    };
    await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
    for (const more of [{}, { deadlineMs: 120_000 }])
      await t.host.runner.run(t.agent, 'click-element', { name: 'Save draft', ...more }).result;
    expect(given.map((ms) => Math.ceil(ms / 10_000) * 10_000)).toEqual([10_000, 120_000]);
    await expect(
      t.host.runner.run(t.agent, 'click-element', { name: 'Save draft', deadlineMs: 120_001 }).result,
    ).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('a hold extends the default deadline by its duration', async () => {
    await using t = await startTestHost();
    const given: number[] = [];
    t.scene.desktop.keyboard.hold = async (_record, _keys, _ms, _delivery, call) => {
      given.push(call.deadlineMs);
      return { value: true, outcome: outcomeOf('unverified', 'posted') };
    };
    await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
    await t.host.runner.run(t.agent, 'hold-key', { keyNames: ['x'], durationMs: 100_000 }).result;
    await t.host.runner.run(t.agent, 'virtual-keyboard', { action: 'hold', text: 'x', duration: 60 }).result;
    await t.host.runner.run(t.agent, 'hold-key', { keyNames: ['x'], durationMs: 60_000, deadlineMs: 5000 }).result;
    expect(given.map((ms) => Math.ceil(ms / 10_000) * 10_000)).toEqual([110_000, 70_000, 10_000]);
  });

  test('a failed step becomes the answer’s error, with the steps done so far', async () => {
    await using t = await startBoundHost();
    const steps = [
      { action: 'click-element', input: { name: 'Save draft' } },
      { action: 'click-element', input: { name: 'Nothing' } },
      { action: 'click-element', input: { name: 'Save draft' } },
    ];
    await expect(t.host.runner.run(t.agent, 'batch', { steps }).result).rejects.toMatchObject({
      code: 'target_not_found',
      partialResult: { completed: [{ value: true }], failed: { index: 1 }, remaining: 1 },
    });
    expect(t.scene.delivered).toEqual(['click e1']);
    await expect(
      t.host.runner.run(t.agent, 'batch', { steps: [{ action: 'batch', input: { steps: [] } }] }).result,
    ).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('the outcome of a batch is the sum of its steps, looks left out', async () => {
    await using t = await startBoundHost();
    const outcomes: Outcome[] = [];
    const { click } = t.scene.desktop.element;
    t.scene.desktop.element.click = async (...given) => {
      const answer = await click(...given);
      return { ...answer, outcome: outcomes.shift() ?? answer.outcome };
    };
    const step = (effect: Outcome['effect'], delivery: Outcome['delivery'], more: Partial<Outcome> = {}): Outcome => ({
      ...looked(),
      effect,
      delivery,
      ...more,
    });
    const outcomeOf = async (...given: Outcome[]): Promise<Outcome> => {
      outcomes.splice(0, outcomes.length, ...given);
      const steps = [
        { action: 'snapshot', input: {} },
        ...given.map(() => ({ action: 'click-element', input: { name: 'Save draft' } })),
      ];
      return (await t.host.runner.run(t.agent, 'batch', { steps }).result).outcome;
    };
    const confirmed = step('confirmed', 'uia-invoke', { evidence: [{ kind: 'text', before: 1, after: 2 }] });
    expect(await outcomeOf()).toEqual(looked());
    expect(await outcomeOf(confirmed, confirmed)).toEqual({
      ...looked(),
      effect: 'confirmed',
      delivery: 'uia-invoke',
      evidence: [{ kind: 'steps', before: null, after: ['none', 'confirmed', 'confirmed'] }],
    });
    expect(await outcomeOf(confirmed, step('pending_modal', 'uia-invoke', { focusChanged: true }))).toMatchObject({
      effect: 'pending_modal',
      delivery: 'uia-invoke',
      focusChanged: true,
      cursorMoved: false,
    });
    expect(await outcomeOf(step('pending_modal', 'message'), confirmed)).toMatchObject({
      effect: 'unverified',
      delivery: 'batch',
      focusChanged: false,
    });
    expect(await outcomeOf(confirmed, step('unverified', 'posted', { cursorMoved: true }))).toMatchObject({
      effect: 'unverified',
      delivery: 'batch',
      cursorMoved: true,
    });
    expect(await outcomeOf(confirmed, step('none', 'posted'))).toMatchObject({ effect: 'unverified' });
    const later = [{ element: 'Edit', before: 'two', after: '' }];
    t.scene.desktop.element.laterChanges = async () => later;
    expect(await outcomeOf()).toEqual(looked());
    expect(await outcomeOf(confirmed)).toMatchObject({ effect: 'unverified', details: { later } });
    expect(await outcomeOf(step('none', 'posted'))).toMatchObject({ effect: 'none', delivery: 'posted' });
  });

  test('a batch that failed reports what its steps did, and is not to be sent again as a whole once a step was carried out', async () => {
    await using t = await startBoundHost();
    const failing = async (...actions: string[]): Promise<Problem> => {
      const steps = actions.map((name) =>
        name === 'look' ? { action: 'snapshot', input: {} } : { action: 'click-element', input: { name } },
      );
      return t.host.runner.run(t.agent, 'batch', { steps }).result.then(
        () => {
          throw new Error('it ended well');
        },
        (thrown: UiaHostError) => thrown.toProblem(),
      );
    };
    expect(await failing('Save draft', 'Nothing')).toMatchObject({
      code: 'target_not_found',
      delivery: 'delivered',
      retryable: false,
      hint: expect.stringContaining('send only what is left'),
      partialResult: { outcome: { effect: 'confirmed', delivery: 'message' } },
    });
    expect(await failing('look', 'Nothing')).toMatchObject({
      code: 'target_not_found',
      delivery: 'not_delivered',
      retryable: true,
      partialResult: { outcome: looked() },
    });
    t.scene.desktop.element.click = async () => {
      throw new UiaHostError('window_hung', 'It hangs.', { delivery: 'unknown' });
    };
    expect(await failing('look', 'Save draft')).toMatchObject({
      code: 'window_hung',
      delivery: 'unknown',
      partialResult: { outcome: { effect: 'unverified' } },
    });
  });

  test.each([true, false])(
    'pictures of a batch are in its answer and not in the store, like a screenshot’s (pictures kept: %s)',
    async (keepPictures) => {
      await using t = await startTestHost();
      t.keepPictures(keepPictures);
      await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
      const send = (action: string, input: unknown, idempotencyKey: string) =>
        t.host.runner.run(t.agent, action, input, { idempotencyKey }).result;
      const picture = { base64: expect.any(String) as string };
      const shot = { action: 'screenshot', input: {} };
      type Value = { base64?: string; artifact?: string; completed: Array<{ value: Value }> };

      const single = (await send('screenshot', {}, 'single')).value as Value;
      const again = (await send('screenshot', {}, 'single')).value as Value;
      expect(single).toMatchObject(picture);
      const batch = (await send('batch', { steps: [shot] }, 'batch')).value as Value;
      expect(batch.completed[0]?.value).toMatchObject(picture);
      const batchAgain = await send('batch', { steps: [shot] }, 'batch');
      // The first answer, whole where the picture is kept as an artifact.
      expect((batchAgain.value as Value).completed[0]!.value).toEqual(
        keepPictures ? batch.completed[0]!.value : { ...batch.completed[0]!.value, base64: undefined },
      );
      expect(again).toEqual(keepPictures ? single : { ...single, base64: undefined });

      const failing = { steps: [shot, { action: 'click-element', input: { name: 'Nothing' } }] };
      const fail = (): Promise<Value> =>
        send('batch', failing, 'failing').then(
          () => {
            throw new Error('it ended well');
          },
          (thrown: UiaHostError) => thrown.partialResult as Value,
        );
      expect((await fail()).completed[0]?.value).toMatchObject(picture);
      expect(Object.keys((await fail()).completed[0]!.value)).toEqual(Object.keys(again));
      const stored = await t.stored('actions', 'idempotency');
      expect(stored).toContain('target_not_found');
      expect(stored).not.toContain(single.base64);
    },
  );

  test('every action and every refusal is in the audit, which verifies; typed text is not', async () => {
    await using t = await startBoundHost();
    await t.host.runner.run(t.agent, 'type-into-element', { name: 'Save draft', text: 'hunter2-hunter2' }).result;
    await t.host.runner.run(t.agent, 'no-such-action', {}).result.catch(() => {});
    await t.host.runner.run(t.agent, 'click-element', { nme: 'x' }).result.catch(() => {});
    const { entries } = (await t.host.auditEntries(0, 500)) as {
      entries: Array<{ action: string | null; errorCode: string | null }>;
    };
    expect(entries.map((entry) => entry.action)).toEqual(
      expect.arrayContaining(['bindToWindow', 'typeIntoElement', 'no-such-action', 'clickElement']),
    );
    expect(entries.filter((entry) => entry.errorCode !== null).map((entry) => entry.errorCode)).toEqual(
      expect.arrayContaining(['not_found', 'invalid_argument']),
    );
    expect(JSON.stringify(entries)).not.toContain('hunter2');
    expect(await t.host.auditVerify()).toMatchObject({ ok: true });
    expect(t.faults).toEqual([]);
  });

  test('[executor.failures-null] the executor has all 42 methods and shows failures as its types say', async () => {
    await using t = await startTestHost({ level: 'observe' });
    const executor = createExecutor(
      t.host.runner,
      { ...t.agent, surface: 'executor' },
      { screenshotFiltering: 'native', platform: 'win32', hostBundleId: 'x' },
    );
    expect(Object.keys(METHODS)).toHaveLength(42);
    expect(
      Object.keys(executor)
        .filter((name) => name !== 'capabilities')
        .sort(),
    ).toEqual(Object.keys(METHODS).sort());
    expect(await executor.clickElement({ name: 'Save draft' })).toBe(false);
    expect(await executor.bindToWindow({ title: 'Notepad' })).toEqual({
      hwnd: '4242',
      title: 'Untitled - Notepad',
      pid: 100,
    });
    expect(await executor.hasBoundWindow()).toBe(true);
    expect(await executor.clickElement({ name: 'Save draft' })).toBe(false);
    await expect(executor.key('ctrl+s')).rejects.toMatchObject({ code: 'permission_denied' });
    t.scene.window = null;
    expect(await executor.bindToWindow({ title: 'Notepad' })).toBeNull();
    expect(await executor.getWindowRect()).toBeNull();
  });
});

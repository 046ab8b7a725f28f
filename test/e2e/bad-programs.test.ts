/** End to end: programs that behave badly, in their own processes, against a whole host. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { controlId } from '../support/controls.ts';
import { Machine } from '../support/machine.ts';
import { sharedScene } from '../support/scene.ts';

/** Under Wine each element of another process costs a dozen calls. */
const PATIENT_MS = 20_000;
/** The reading reaches the third element in this time, on a busy machine too. */
const HANG_MS = 6000;
const { scene, client, notepad } = await sharedScene(async (opened) => ({ notepad: await opened.notepad() }));
let machine: Machine;
beforeAll(() => {
  machine = new Machine();
});
afterAll(() => machine[Symbol.asyncDispose]());

/** An action with any answer, within its deadline. */
async function within(
  name: string,
  input: object = {},
  deadlineMs = PATIENT_MS,
): Promise<{ status: number; body: any }> {
  const { value, tookMs, atMostMs } = await machine.measure(deadlineMs, () =>
    client.send(name, { ...input, deadlineMs }),
  );
  expect(tookMs, `${name} answered ${JSON.stringify(value.body)}`).toBeLessThan(atMostMs);
  return value;
}

describe('a program', () => {
  it('that hangs in the middle of a reading: the part that was read is marked partial, and the host answers meanwhile', async () => {
    await using trap = await scene.fixture('provider', {
      args: ['--small', '--watch', 'chkAgree', '--hang-on', 'watched', '--hang-ms', 30_000],
    });
    await client.bind({ hwnd: trap.hwnd });
    let isAnswered = false;
    const reading = within('snapshot', {}, PATIENT_MS).finally(() => {
      isAnswered = true;
    });
    await trap.journal.waitFor({ event: 'hang' }, PATIENT_MS);
    // the actions of one session on one window run in order: another agent's do not wait
    const other = new Client(scene.host, 'other');
    expect(await other.bind({ hwnd: notepad.hwnd })).toMatchObject({ hwnd: notepad.hwnd });
    const { nodes } = await other.look();
    expect(nodes[0]?.name).toContain('Notepad');
    expect(isAnswered, 'nobody waited for the reading').toBe(false);
    const { status, body } = await reading;
    expect(trap.journal.events({ event: 'hang' }), 'it hung at an element').toHaveLength(1);
    expect(trap.journal.events({ event: 'awake' }), 'it hung all the while').toEqual([]);
    if (status === 200) expect(body.value).toMatchObject({ partial: true });
    else expect(body.code).toMatch(/^(deadline_exceeded|window_hung)$/);
    const click = await within('click-element', { automationId: 'btnOk' }, HANG_MS);
    expect(click.body.code).toMatch(/^(deadline_exceeded|window_hung)$/);
    expect(trap.journal.events({ event: 'invoke' })).toEqual([]);
  });

  it.each([2000, 7000])(
    'that hangs in the middle of an action: the call ends %d ms after it began, and says that input may have been delivered',
    async (deadlineMs) => {
      await using trap = await scene.fixture('accessible', {
        args: ['--hang-on', 'default_action', '--hang-ms', 15_000],
      });
      await client.bind({ hwnd: trap.hwnd });
      const { status, body } = await within('click-element', { name: 'Go' }, deadlineMs);
      await trap.journal.waitFor({ event: 'hang' }, PATIENT_MS);
      expect(trap.journal.events({ event: 'awake' }), 'it hung all the while').toEqual([]);
      if (status === 200) expect(body.outcome).toMatchObject({ effect: 'unverified' });
      else {
        expect(body.code).toMatch(/^(deadline_exceeded|window_hung)$/);
        expect(body.delivery).toBe('unknown');
      }
    },
  );

  it.each([300, 2000])(
    '[worker.slow] that takes %d ms for each question: the call ends in time, tells truly what was delivered, and keeps its worker',
    async (slowMs) => {
      await using slow = await scene.fixture('provider', { args: ['--small', '--slow', slowMs] });
      await client.bind({ hwnd: slow.hwnd });
      const workers = async (): Promise<unknown[]> => {
        const { further = [], ...first } = (await scene.host.request('/v1/status')).body.worker;
        return [first, ...further].filter(({ restarts }) => restarts > 0);
      };
      const replaced = await workers();
      for (const act of [
        () => within('click-element', { automationId: 'btnOk' }, 4000),
        () => within('snapshot', {}, 2000),
      ]) {
        const { status, body } = await act();
        if (status !== 200) expect(body.code).toMatch(/^(deadline_exceeded|window_hung)$/);
        if (body.delivery === 'not_delivered') expect(slow.journal.events({ event: 'invoke' })).toEqual([]);
      }
      const point = await within('click', { x: 60, y: 60 }, 4000);
      if (point.status !== 200) expect(point.body.code).toMatch(/^(deadline_exceeded|window_hung)$/);
      expect(await workers()).toEqual(replaced);
      const other = new Client(scene.host, `beside-${slowMs}`);
      expect(await other.bind({ hwnd: notepad.hwnd })).toMatchObject({ hwnd: notepad.hwnd });
      await other.act('unbind-from-window');
    },
  );

  it('with 100,000 elements: a part is answered in time, and its first elements are used', async () => {
    await using many = await scene.fixture('provider', { args: ['--small', '--endless', 100_000] });
    await client.bind({ hwnd: many.hwnd });
    const { status, body } = await within('snapshot', { maxTokens: 2000 }, 6000);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.value).toMatchObject({ partial: true });
    expect(Buffer.byteLength(body.value.accessibilityText)).toBeLessThanOrEqual(8000);
    const clicked = await within('click-element', { automationId: 'btnOk' });
    expect(clicked.status, JSON.stringify(clicked.body)).toBe(200);
    expect(many.journal.events({ event: 'invoke', id: 'btnOk' })).toHaveLength(1);
    const missing = await within('click-element', { name: 'Nowhere' }, 6000);
    expect(missing.body).toMatchObject({ code: 'deadline_exceeded', delivery: 'not_delivered' });
  });

  it.each([
    ['0', 'confirmed', '0'],
    ['3', 'unverified', '3'],
    ['0xC0000005', 'unverified', '0xC0000005'],
  ])('[outcome.ended] that ends with exit code %s: the press is %s', async (ends, effect, exitCode) => {
    await using ending = await scene.fixture('dialogs', { args: ['--ends', ends] });
    await client.bind({ hwnd: ending.hwnd });
    const { body } = await within('click-element', { name: 'Answer' });
    expect(body).toMatchObject({ outcome: { effect, evidence: [{ kind: 'window' }] } });
    expect(body.outcome.details?.programEnded).toEqual(effect === 'confirmed' ? undefined : { exitCode });
    for (const name of ['snapshot', 'click-element'])
      expect(await within(name, name === 'snapshot' ? {} : { name: 'Answer' })).toMatchObject({
        body: { code: 'window_gone', detail: expect.stringContaining(`ended with exit code ${exitCode}.`) as string },
      });
  });

  it('[batch.undone] that takes a text back: no further step of a batch goes out; its last word, the next answer and the audit tell it', async () => {
    await using program = await scene.fixture('unread');
    await client.bind({ hwnd: program.hwnd });
    const type = { action: 'type-into-element', input: { automationId: '131', text: 'two' } };
    const wait = { action: 'wait-quiet', input: {} };
    const choose = { action: 'select-element', input: { automationId: '100', index: 2 } };
    const batch = (...steps: object[]): ReturnType<typeof within> => within('batch', { steps });
    const later = [{ element: expect.stringContaining('Edit') as string, before: 'two', after: '' }];
    await program.tell('take-back 300');
    const partialResult = { completed: [{}, {}], failed: { index: 2 } };
    expect((await batch(type, wait, choose)).body).toMatchObject({ code: 'state_conflict', partialResult });
    expect(program.journal.events({ event: 'notified', id: 100 })).toEqual([]);
    const next = await within('focus-element', { automationId: '132' });
    expect(next.body.outcome.details).toMatchObject({ later });
    const { value, outcome } = (await batch(type)).body;
    expect(outcome).toMatchObject({ effect: 'unverified', details: { later } });
    expect(value.completed[0].outcome.effect).toBe('confirmed');
    const { entries } = await client.operator('/v1/audit?limit=1000');
    const outcomes = entries.filter(
      ({ kind, actionId }: { kind: string; actionId: string }) =>
        kind === 'outcome' && actionId === value.completed[0].actionId,
    );
    expect(outcomes).toMatchObject([{ outcome: { effect: 'confirmed' } }, { outcome: { later: 'changed' } }]);
    await program.tell('take-back 1000');
    expect((await batch(type)).body).toMatchObject({ outcome: { effect: 'confirmed' } });
  });

  it('that opens a modal dialog in its handler: the call answers with the dialog, which can be used', async () => {
    await using asking = await scene.fixture('controls');
    await client.bind({ hwnd: asking.hwnd });
    const { status, body } = await within('click-element', { automationId: String(controlId('DIALOG')) });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.outcome).toMatchObject({ effect: 'pending_modal' });
    const closed = await within('click-element', { name: 'Cancel' });
    expect(closed.status, JSON.stringify(closed.body)).toBe(200);
    await asking.journal.waitFor({ event: 'dialog_closed' });
  });

  it('that takes the foreground: the outcome reports it, and the previous window is brought back to the front', async () => {
    await using thief = await scene.fixture('provider', { args: ['--small', '--steals'] });
    await using person = await scene.fixture('sentinel', { args: ['--activate'] });
    await client.bind({ hwnd: thief.hwnd });
    const { status, body } = await within('click-element', { automationId: 'btnOk' });
    expect(status, JSON.stringify(body)).toBe(200);
    await thief.journal.waitFor({ event: 'invoke', id: 'btnOk' });
    expect(body.outcome).toMatchObject({
      focusChanged: true,
      details: { foreground: { taken: thief.hwnd, givenBack: true } },
    });
    expect((await scene.witness.where()).foreground).toBe(person.hwnd);
  });

  it('whose provider calls back into the host’s windows while it answers: neither waits for the other', async () => {
    await using caller = await scene.fixture('provider', { args: ['--small', '--watch', 'itGreen', '--call-back'] });
    await client.bind({ hwnd: caller.hwnd });
    await client.act('status-indicator', { action: 'show', message: 'Reading' });
    const { status, body } = await within('snapshot');
    expect(status, JSON.stringify(body)).toBe(200);
    const asked = await caller.journal.waitFor({ event: 'called_back', from: 'question' });
    expect(asked['windows'], 'the host has windows').toBeGreaterThan(0);
    expect(asked['texts']).toBe(asked['windows']);
    const clicked = await within('click-element', { automationId: 'btnOk' });
    expect(clicked.status, JSON.stringify(clicked.body)).toBe(200);
    await caller.journal.waitFor({ event: 'called_back', from: 'action' });
    expect(caller.journal.events({ event: 'invoke', id: 'btnOk' })).toHaveLength(1);
  });
});

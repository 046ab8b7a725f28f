/** End to end: programs that hang in the middle of a reading, and providers that call back into the host. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
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

describe('[bad.programs] a program', () => {
  it('that hangs in the middle of a reading: what was read is called partial, and the host answers meanwhile', async () => {
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

  it('whose provider calls back into the host’s windows while it answers: nobody waits for the other', async () => {
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

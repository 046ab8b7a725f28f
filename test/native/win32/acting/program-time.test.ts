/** What is waited for while a program is stopped, as on a busy machine. */
import { describe, expect, it } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { createPointerPort } from '../../../../src/win32/ports/input.ts';
import { answers } from '../../../../src/win32/windows/ask.ts';
import { oneRound, taken, waitForProgram } from '../../../../src/win32/windows/waiting.ts';
import { Elements } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';

const WM_CHAR = 0x0102;
/** Longer than any look for an effect lasts where the program runs. */
const STANDSTILL = 'hang 1200';

describe('a program that stops responding for a moment', () => {
  it('[outcome.confirmed] shows the effect of a click afterwards, and the outcome reports it', async () => {
    await using fixture = await Fixture.start('controls');
    const { record, services, ...elements } = await Elements.bind(fixture.hwnd);
    const pointer = createPointerPort(services, { held: new HeldInputs(), focus: new FocusMemory() });
    const { element } = await elements.port.context(
      record,
      { kind: 'element', query: { name: 'Push me' }, purpose: 'click' },
      newCall(),
    );
    const { x, y, width, height } = element!.rect;
    await fixture.tell(STANDSTILL);
    const done = await pointer.click(
      record,
      { x: x + width / 2, y: y + height / 2 },
      { button: 'left', count: 1, modifiers: [], delivery: 'background' },
      newCall(),
    );
    expect(done.outcome).toMatchObject({ effect: 'confirmed', delivery: 'posted' });
    expect(fixture.journal().filter((entry) => entry.event === 'command' && entry['id'] === 101)).toHaveLength(1);
  });

  it('is waited for before an element of it is acted on', async () => {
    await using fixture = await Fixture.start('controls');
    const elements = await Elements.bind(fixture.hwnd);
    const ref = await elements.ref({ name: 'Check me' });
    await fixture.tell(STANDSTILL);
    expect(
      (await elements.port.click(elements.record, ref, { delivery: 'background' }, newCall())).outcome,
    ).toMatchObject({ effect: 'confirmed', evidence: [{ kind: 'toggle', before: 'off', after: 'on' }] });
  });

  it('has the time that it runs: a program that stopped responding is read once more afterwards', async () => {
    await using fixture = await Fixture.start('sentinel');
    await fixture.tell(STANDSTILL);
    user32.PostMessageW(fixture.hwnd, WM_CHAR, 0x61, 1);
    const seen = await waitForProgram(() => fixture.journal().find(({ event }) => event === 'char') ?? null, {
      hwnd: fixture.hwnd,
      withinMs: 30,
      atMostMs: 20_000,
      everyMs: 10,
      call: newCall(),
    });
    expect(seen).toMatchObject({ code: 0x61 });
    expect(
      await waitForProgram(() => null, {
        hwnd: fixture.hwnd,
        withinMs: 30,
        atMostMs: 20_000,
        everyMs: 10,
        call: newCall(),
      }),
    ).toBeNull();
  });

  it('counts one round for a standstill, however long', async () => {
    await using fixture = await Fixture.start('sentinel');
    await fixture.tell(STANDSTILL);
    expect(await oneRound({ hwnd: fixture.hwnd, everyMs: 10, leftMs: 20_000, call: newCall() })).toBeLessThan(50);
    expect(await answers(fixture.hwnd, 250), 'it answers again').toBe(true);
  });

  it('has taken nothing yet, and a window that is gone has nothing left to take', async () => {
    const fixture = await Fixture.start('sentinel');
    await fixture.tell('hang 3000');
    expect(await taken(fixture.hwnd, 1, 100, newCall())).toBe(false);
    expect(await taken(fixture.hwnd, 1, 20_000, newCall())).toBe(true);
    await fixture[Symbol.asyncDispose]();
    expect(await taken(fixture.hwnd, 1, 20_000, newCall())).toBe(true);
  });

  it('does not delay a call that is aborted', async () => {
    await using fixture = await Fixture.start('sentinel');
    await fixture.tell('hang 3000');
    const controller = new AbortController();
    const waiting = taken(fixture.hwnd, 1, 60_000, newCall({ signal: controller.signal }));
    controller.abort();
    expect(await waiting).toBe(false);
    expect(await taken(fixture.hwnd, 1, 1, newCall()), 'it still stands still').toBe(false);
  });
});

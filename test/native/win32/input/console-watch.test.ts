/** Evidence of typing from a console’s screen. */
import { afterAll, describe, expect, it } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { Outcome } from '../../../../src/contract/outcome.ts';
import { Consoles } from '../support/consoles.ts';
import { refusal } from '../support/elements.ts';
import { newCall } from '../support/programs.ts';
import { until } from '../../../support/until.ts';

const consoles = new Consoles();
afterAll(() => consoles[Symbol.dispose]());

const call = () => newCall({ deadlineMs: 20_000 });
const type = async (record: BindingRecord, text: string): Promise<Outcome> =>
  (await consoles.keyboard.typeText(record, text, { viaClipboard: false, delivery: 'background' }, call())).outcome;
const press = async (record: BindingRecord, ...chords: string[]): Promise<Outcome> =>
  (await consoles.keyboard.chords(record, chords, 1, 'background', call())).outcome;
const showing = (record: BindingRecord, text: string) =>
  until(async () => (await consoles.port.read(record, { styles: false }, newCall())).screen.includes(text), text);

describe('text that is typed into a console', () => {
  it('[outcome.confirmed] is confirmed where the program shows it at the cursor; the evidence is figures alone', async () => {
    const { record, answered } = await consoles.ask('text', 'text', 'text');
    await showing(record, 'Your name:');
    const outcome = await type(record, 'Ada Byron\n');
    expect(await answered('text')).toBe('Ada Byron');
    expect(outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'console',
      evidence: [{ kind: 'screen', before: { shown: 0 }, after: { shown: 9, as: 'text' } }],
    });
    expect(JSON.stringify(outcome)).not.toContain('Ada');
    // two answers at once: the second is shown behind the next question
    expect(await type(record, 'Grace\nBarbara\n')).toMatchObject({
      effect: 'confirmed',
      evidence: [{ after: { shown: 12 } }],
    });
  });

  it('[keyboard.console] arrives with every character, by the clipboard’s way too', async () => {
    const { record, answered } = await consoles.ask('text');
    await showing(record, 'Your name:');
    await type(record, 'a(b) [c] é漢 {~^}\n');
    expect(await answered('text')).toBe('a(b) [c] é漢 {~^}');
  });

  it('[outcome.confirmed] is not where it is asked for without echo, and is where each character is shown as a star', async () => {
    const { record, answered, journal } = await consoles.ask('secret', 'mask');
    await showing(record, 'Password:');
    const hidden = await type(record, 'hidden word\n');
    expect(await answered('secret')).toBe('hidden word');
    expect(hidden).toMatchObject({ effect: 'unverified', evidence: [] });
    await until(() => journal('asked').length === 2, 'the PIN');
    await showing(record, 'PIN:');
    expect(await type(record, '4711')).toMatchObject({
      effect: 'confirmed',
      evidence: [{ kind: 'screen', after: { shown: 4, as: 'mask' } }],
    });
    await press(record, 'enter');
    expect(await answered('mask')).toBe('4711');
  });
});

describe('keys that are pressed in a console', () => {
  it('[outcome.confirmed] are confirmed where each changes what the screen shows', async () => {
    const { record, answered } = await consoles.ask('menu', 'text');
    await showing(record, 'Delta');
    expect(await press(record, 'down', 'down')).toMatchObject({
      effect: 'confirmed',
      delivery: 'console',
      evidence: [
        { kind: 'screen', after: { rowsChanged: 2 } },
        { kind: 'screen', after: { rowsChanged: 2 } },
      ],
    });
    expect(await press(record, 'enter')).toMatchObject({ effect: 'confirmed' });
    expect(await answered('menu')).toBe('Gamma – größer');
    await showing(record, 'Your name:');
    expect(await press(record, 'a', 'b', 'backspace', 'c', 'enter')).toMatchObject({ effect: 'confirmed' });
    expect(await answered('text')).toBe('ac');
  });

  it('[outcome.confirmed] are not where the program shows nothing for them', async () => {
    const { record, journal } = await consoles.ask('menu');
    await showing(record, 'Delta');
    expect(await press(record, 'f7')).toMatchObject({ effect: 'unverified', evidence: [] });
    expect(journal('key').map(({ vk }) => vk)).toEqual([0x76]);
  });
});

describe('a program that prints by itself', () => {
  it('[outcome.confirmed] confirms neither text nor keys by that: a program that writes a log and reads nothing', async () => {
    const { record } = await consoles.ask('log');
    await showing(record, 'Line 2 of');
    expect(await type(record, 'Line\n')).toMatchObject({ effect: 'unverified', evidence: [] });
    expect(await press(record, 'down')).toMatchObject({ effect: 'unverified', evidence: [] });
  });

  it('[outcome.confirmed] nor a program that shows a clock and reads its keys', async () => {
    const { record, journal } = await consoles.ask('clock');
    await showing(record, '5 ticks');
    expect(await press(record, 'down')).toMatchObject({ effect: 'unverified', evidence: [] });
    expect(await type(record, 'xy')).toMatchObject({ effect: 'unverified', evidence: [] });
    await until(() => journal('key').length === 3, 'the three keys');
  });
});

describe('key combinations in a console', () => {
  it('come as key events with held keys and the typed character; no queue is joined', async () => {
    const { record, journal } = await consoles.ask('raw');
    const keys = () => journal('key').map(({ vk, char, state, repeat }) => ({ vk, char, state, repeat }));
    const outcome = await press(record, 'ctrl+c', 'ctrl+l', 'shift+tab', 'ctrl+shift+left', 'shift+home');
    expect(outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'console',
      focusChanged: false,
      cursorMoved: false,
    });
    await until(() => keys().length === 5, 'the five keys');
    expect(keys()).toEqual([
      { vk: 0x43, char: 3, state: 0x08, repeat: 1 },
      { vk: 0x4c, char: 12, state: 0x08, repeat: 1 },
      { vk: 0x09, char: 9, state: 0x10, repeat: 1 },
      { vk: 0x25, char: 0, state: 0x118, repeat: 1 },
      { vk: 0x24, char: 0, state: 0x110, repeat: 1 },
    ]);
    await press(record, 'enter');
    await until(() => journal('exit').length === 1, 'the end');
  });

  it('held keys are in each key event; a modifier alone is a key, and none stays down for later keys', async () => {
    const { record, journal } = await consoles.ask('raw');
    const keys = () => journal('key').map(({ vk, state }) => ({ vk, state }));
    const held = await consoles.keyboard.hold(record, ['alt', 'b'], 700, 'background', newCall());
    expect(held.outcome).toMatchObject({ delivery: 'console', effect: 'unverified' });
    await until(() => keys().length > 2, 'repeated keys');
    expect(new Set(keys().map((key) => JSON.stringify(key)))).toEqual(
      new Set([JSON.stringify({ vk: 0x42, state: 2 })]),
    );
    const before = keys().length;
    expect(await press(record, 'shift')).toMatchObject({ delivery: 'console' });
    await until(() => keys().length === before + 1, 'the modifier');
    for (const key of ['alt', 'ctrl', 'shift'])
      expect(
        await refusal(consoles.keyboard.press(record, [key], 'background', newCall()), 'unsupported'),
      ).toMatchObject({
        code: 'unsupported',
        delivery: 'not_delivered',
        hint: expect.stringContaining(`${key}+b`),
      });
    expect(keys()).toHaveLength(before + 1);
    await press(record, 'enter');
    await until(() => journal('exit').length === 1, 'the end');
  });

  it('Ctrl+C ends a program that leaves it to the console, and not the helper that was in there', async () => {
    const { record, journal } = await consoles.ask('log');
    await showing(record, 'Line 2 of');
    const helper = consoles.port.helperPid();
    expect(await press(record, 'ctrl+c')).toMatchObject({
      delivery: 'console',
      attempts: expect.arrayContaining([
        expect.objectContaining({ rung: 'console', reason: expect.stringContaining('signal') }),
      ]),
    });
    // The shell is back, or has ended as well and the console with it: Wine's does.
    await until(
      async () => {
        const screen = await consoles.port.read(record, { styles: false }, newCall()).then(
          (read) => read.screen,
          () => null,
        );
        return screen === null ? !user32.IsWindow(Number(record.hwnd)) : screen.trimEnd().endsWith('>');
      },
      'the end of the program',
      20_000,
    );
    expect(journal('exit')).toEqual([]);
    const { record: next } = await consoles.ask('text');
    await showing(next, 'Your name:');
    expect(consoles.port.helperPid()).toBe(helper);
  });
});

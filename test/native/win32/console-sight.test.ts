import { afterAll, describe, expect, it } from 'vitest';
import type { BindingRecord } from '../../../src/contract/binding.ts';
import type { Outcome } from '../../../src/contract/outcome.ts';
import { Consoles } from './support/consoles.ts';
import { newCall, until } from './support/programs.ts';

const consoles = new Consoles();
afterAll(() => consoles[Symbol.dispose]());

const call = () => newCall({ deadlineMs: 20_000 });
const type = async (record: BindingRecord, text: string): Promise<Outcome> => (await consoles.keyboard.typeText(record, text, { viaClipboard: false, delivery: 'background' }, call())).outcome;
const press = async (record: BindingRecord, ...chords: string[]): Promise<Outcome> => (await consoles.keyboard.chords(record, chords, 1, 'background', call())).outcome;
const showing = (record: BindingRecord, text: string) => until(async () => (await consoles.port.read(record, newCall())).screen.includes(text), text);

describe('text that is typed into a console', () => {
  it('[outcome.confirmed] is confirmed where the program shows it at the cursor; the evidence is figures alone', async () => {
    const { record, answered } = await consoles.ask('text', 'text', 'text');
    await showing(record, 'Your name:');
    const outcome = await type(record, 'Ada Byron\n');
    expect(await answered('text')).toBe('Ada Byron');
    expect(outcome).toMatchObject({ effect: 'confirmed', delivery: 'posted', evidence: [{ kind: 'screen', before: { shown: 0 }, after: { shown: 9, as: 'text' } }] });
    expect(JSON.stringify(outcome)).not.toContain('Ada');
    // two answers at once: the second is shown behind the next question
    expect(await type(record, 'Grace\nBarbara\n')).toMatchObject({ effect: 'confirmed', evidence: [{ after: { shown: 12 } }] });
  });

  it('[outcome.confirmed] is not where it is asked for without echo, and is where each character is shown as a star', async () => {
    const { record, answered, journal } = await consoles.ask('secret', 'mask');
    await showing(record, 'Password:');
    const hidden = await type(record, 'hidden word\n');
    expect(await answered('secret')).toBe('hidden word');
    expect(hidden).toMatchObject({ effect: 'unverified', evidence: [] });
    await until(() => journal('asked').length === 2, 'the PIN');
    await showing(record, 'PIN:');
    expect(await type(record, '4711')).toMatchObject({ effect: 'confirmed', evidence: [{ kind: 'screen', after: { shown: 4, as: 'mask' } }] });
    await press(record, 'enter');
    expect(await answered('mask')).toBe('4711');
  });
});

describe('keys that are pressed in a console', () => {
  it('[outcome.confirmed] are confirmed where each changes what the screen shows', async () => {
    const { record, answered } = await consoles.ask('menu', 'text');
    await showing(record, 'Delta');
    expect(await press(record, 'down', 'down')).toMatchObject({ effect: 'confirmed', delivery: 'posted', evidence: [{ kind: 'screen', after: { rowsChanged: 2 } }, { kind: 'screen', after: { rowsChanged: 2 } }] });
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
  it('[outcome.confirmed] confirms neither text nor keys by that: one that writes a log and reads nothing', async () => {
    const { record } = await consoles.ask('log');
    await showing(record, 'Line 2 of');
    expect(await type(record, 'Line\n')).toMatchObject({ effect: 'unverified', evidence: [] });
    expect(await press(record, 'down')).toMatchObject({ effect: 'unverified', evidence: [] });
  });

  it('[outcome.confirmed] nor one that shows a clock and reads its keys', async () => {
    const { record, journal } = await consoles.ask('clock');
    await showing(record, '5 ticks');
    expect(await press(record, 'down')).toMatchObject({ effect: 'unverified', evidence: [] });
    expect(await type(record, 'xy')).toMatchObject({ effect: 'unverified', evidence: [] });
    await until(() => journal('key').length === 3, 'the three keys');
  });
});

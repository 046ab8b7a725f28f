/** Terminals that draw themselves: their text by a UI Automation made from the public headers, keys seen by the window itself. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { comRefsAlive } from '../../../../native-bindings/com/com-ref.ts';
import { enterMta } from '../../../../native-bindings/com/apartment.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { PromptAnswer } from '../../../../src/desktop/index.ts';
import { Automation } from '../../../../src/win32/elements/sources/uia-client.ts';
import { Consoles, type Asking } from '../support/consoles.ts';
import { journaled, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { UiaCom } from '../support/uia-com.ts';

const TERMINAL_CLASS = 'CASCADIA_HOSTING_WINDOW_CLASS';
const com = new UiaCom();
let apartment: Disposable;
let window: Fixture;
let automation: Automation | null;
let liveBefore: number;
let consoles: Consoles;

beforeAll(async () => {
  apartment = enterMta();
  window = await Fixture.start('provider', ['--small', '--class', TERMINAL_CLASS]);
  com.reset();
  com.configure({ graft: window.hwnd });
  automation = Automation.start(com.factory);
  [liveBefore] = [com.live];
  consoles = new Consoles({ automation: () => automation });
});
beforeEach(() => {
  com.reset();
  com.configure({ graft: window.hwnd });
});
afterEach(() => {
  for (const tab of tabs.splice(0)) own(tab, 0);
  expect(com.live).toBe(liveBefore);
  expect(com.stubHits()).toBe('');
  expect(com.log().filter((line) => line.startsWith('password-read'))).toEqual([]);
});
afterAll(async () => {
  consoles[Symbol.dispose]();
  automation?.[Symbol.dispose]();
  apartment[Symbol.dispose]();
  await window[Symbol.asyncDispose]();
});

/** Index of a window's owner among its words. */
const GWLP_HWNDPARENT = -8;

const own = ({ record }: Asking, owner: number): unknown =>
  user32.SetWindowLongPtrW(Number(record.hwnd), GWLP_HWNDPARENT, owner);
const tabs: Asking[] = [];

/** A program that asks in a console whose window the terminal owns, as Windows Terminal owns that of each of its tabs. */
async function shown(...steps: readonly string[]): Promise<Asking> {
  const asking = await consoles.ask(...steps);
  own(asking, window.hwnd);
  tabs.push(asking);
  return asking;
}

const screenOf = async ({ record }: Asking): Promise<string> =>
  (await consoles.port.read(record, { styles: false }, newCall())).screen;
const respond = (record: BindingRecord, answer: Partial<PromptAnswer>) =>
  consoles.port.respond(
    record,
    { responseType: 'enter', arrowDirection: 'down', arrowCount: 0, text: '', ...answer },
    newCall({ deadlineMs: 20_000 }),
  );

describe('a window of Windows Terminal’s class', () => {
  it('[terminal.read] shows what its text pattern reports', async () => {
    const refs = comRefsAlive();
    const record = await consoles.bind(String(window.hwnd));
    expect(record.className).toBe(TERMINAL_CLASS);
    expect(await consoles.port.read(record, { styles: false }, newCall())).toEqual({
      screen: 'First line of text.\nSecond line: ’ ‘ " ` $ ; 😀 漢字\nThird and last line.',
      scrollback: null,
      cursor: null,
      exitStatus: null,
    });
    expect(comRefsAlive()).toBe(refs);
  });

  it('is answered through the console that it shows, and nothing is posted to its window', async () => {
    const asking = await shown('yes-no');
    const record = await consoles.bind(String(window.hwnd));
    com.configure({ text: await screenOf(asking) });
    const { value, outcome } = await respond(record, { responseType: 'yes' });
    expect(value).toBe(true);
    expect(await asking.answered('yes-no')).toBe('y');
    expect(outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'console',
      details: { prompt: 'Proceed? (y/n)', screen: expect.stringContaining('Answer: [y]') },
    });
    expect(window.journal().filter(({ event }) => event === 'char' || event === 'key')).toEqual([]);
  });

  it('text and keys go into that console, and are seen on its screen', async () => {
    const asking = await shown('text', 'menu');
    const record = await consoles.bind(String(window.hwnd));
    const text = 'Ada ’‘ Ω 漢字';
    const before = await screenOf(asking);
    // A real terminal shows what comes; this one shows from the start what it will have shown.
    com.configure({ text: [before, `${before.trimEnd()} ${text}`].join('\n') });
    const typed = await consoles.keyboard.typeText(
      record,
      text,
      { viaClipboard: false, delivery: 'background' },
      newCall({ deadlineMs: 20_000 }),
    );
    expect(typed.outcome).toMatchObject({ delivery: 'console', effect: 'confirmed' });
    com.configure({ text: await screenOf(asking) });
    const pressed = await consoles.keyboard.chords(record, ['enter'], 1, 'background', newCall({ deadlineMs: 20_000 }));
    expect(pressed.outcome).toMatchObject({ delivery: 'console' });
    expect(await asking.answered('text')).toBe(text);
    expect(window.journal().filter(({ event }) => event === 'char' || event === 'key')).toEqual([]);
    com.configure({ text: 'Settings\nStartup' });
    expect(
      await refusal(
        consoles.keyboard.typeText(record, 'x', { viaClipboard: false, delivery: 'background' }, newCall()),
        'unsupported',
      ),
    ).toMatchObject({ delivery: 'not_delivered' });
    await asking.respond({ responseType: 'escape' });
  });

  it('the tab in front is answered; where several look alike nothing is sent', async () => {
    const first = await shown('yes-no');
    const second = await shown('words');
    const record = await consoles.bind(String(window.hwnd));
    com.configure({ text: await screenOf(second) });
    await respond(record, { responseType: 'no' });
    expect(await second.answered('words')).toBe('No');
    expect(first.journal('answer')).toEqual([]);

    const twin = await shown('yes-no');
    com.configure({ text: 'Proceed? (y/n)' });
    expect(await refusal(respond(record, { responseType: 'yes' }), 'state_conflict')).toMatchObject({
      delivery: 'not_delivered',
      hint: expect.stringContaining('open-terminal'),
    });
    expect([...first.journal('answer'), ...twin.journal('answer')]).toEqual([]);
    for (const asking of [first, twin]) await asking.respond({ responseType: 'no' });
  });

  it('with another kind of tab in front nothing is sent', async () => {
    const asking = await shown('yes-no');
    const record = await consoles.bind(String(window.hwnd));
    com.configure({ text: 'Settings\nStartup\nInteraction\nAppearance' });
    expect(await refusal(respond(record, { responseType: 'enter' }), 'unsupported')).toMatchObject({
      delivery: 'not_delivered',
      message: expect.stringContaining('nothing was sent'),
    });
    expect(asking.journal('answer')).toEqual([]);
    await asking.respond({ responseType: 'no' });
  });

  it('a window that reports no text is read and answered through its only console', async () => {
    const record = await consoles.bind(String(window.hwnd));
    com.configure({ without: '10014' });
    await refusal(consoles.port.read(record, { styles: false }, newCall()), 'unsupported');
    await refusal(respond(record, { responseType: 'escape' }), 'unsupported');
    const asking = await shown('yes-no');
    expect((await consoles.port.read(record, { styles: false }, newCall())).screen).toContain('Proceed? (y/n)');
    expect((await respond(record, { responseType: 'no' })).outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'console',
    });
    expect(await asking.answered('yes-no')).toBe('n');
    expect(window.journal().filter(({ event }) => event === 'char' || event === 'key')).toEqual([]);
  });
});

it('a terminal without a console behind it is answered by posted keys, and not called confirmed while its text stays', async () => {
  await using other = await Fixture.start('provider', ['--small', '--class', 'mintty']);
  com.configure({ graft: other.hwnd });
  const record = await consoles.bind(String(other.hwnd));
  await refusal(respond(record, { responseType: 'no' }), 'state_conflict');
  const { value, outcome } = await respond(record, { responseType: 'type', text: 'n' });
  expect(value).toBe(true);
  expect(outcome).toMatchObject({
    effect: 'unverified',
    delivery: 'posted',
    evidence: [],
    details: { prompt: 'Third and last line.', screen: expect.stringContaining('Third and last line.') },
  });
  await journaled(other, 'char', { code: 'n'.charCodeAt(0), origin: 'none' });
  await journaled(other, 'key', { kind: 'down', vk: 13, origin: 'none' });

  com.configure({ without: '10014' });
  await refusal(consoles.port.read(record, { styles: false }, newCall()), 'unsupported');
  expect((await respond(record, { responseType: 'escape' })).outcome).toMatchObject({
    effect: 'unverified',
    details: { prompt: null, screen: null },
  });
  await journaled(other, 'key', { kind: 'down', vk: 27 });
});

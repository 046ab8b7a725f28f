/** Terminals that draw themselves: their text by a UI Automation made from the public headers, keys seen by the window itself. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { comRefsAlive } from '../../../native-bindings/com/com-ref.ts';
import { enterMta } from '../../../native-bindings/com/apartment.ts';
import { Automation } from '../../../src/win32/uia/automation.ts';
import { Consoles } from './support/consoles.ts';
import { journaled, refusal } from './support/elements.ts';
import { Fixture, newCall } from './support/programs.ts';
import { UiaCom } from './support/uia-com.ts';

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
afterEach(() => {
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

describe('[prompt.terminal] a window of Windows Terminal’s class', () => {
  it('[terminal.read] shows what its text pattern tells', async () => {
    const refs = comRefsAlive();
    const record = await consoles.bind(String(window.hwnd));
    expect(record.className).toBe(TERMINAL_CLASS);
    expect(await consoles.port.read(record, newCall())).toEqual({
      screen: 'First line of text.\nSecond line: ’ ‘ " ` $ ; 😀 漢字\nThird and last line.', scrollback: null, cursor: null, exitStatus: null,
    });
    expect(comRefsAlive()).toBe(refs);
  });

  it('is answered by keys, and not called confirmed while its text stays', async () => {
    const record = await consoles.bind(String(window.hwnd));
    const { value, outcome } = await consoles.port.respond(record, { responseType: 'no', arrowDirection: 'down', arrowCount: 0, text: '' }, newCall());
    expect(value).toBe(true);
    expect(outcome).toMatchObject({ effect: 'unverified', delivery: 'posted', evidence: [], details: { prompt: 'Third and last line.', screen: expect.stringContaining('Third and last line.') } });
    await journaled(window, 'char', { code: 'n'.charCodeAt(0), origin: 'none' });
    await journaled(window, 'key', { kind: 'down', vk: 13, origin: 'none' });
  });

  it('one that tells no text is still answered, and reading it says so', async () => {
    const record = await consoles.bind(String(window.hwnd));
    com.configure({ without: '10014' });
    await refusal(consoles.port.read(record, newCall()), 'unsupported');
    const { outcome } = await consoles.port.respond(record, { responseType: 'escape', arrowDirection: 'down', arrowCount: 0, text: '' }, newCall());
    expect(outcome).toMatchObject({ effect: 'unverified', details: { prompt: null, screen: null } });
    await journaled(window, 'key', { kind: 'down', vk: 27 });
  });
});

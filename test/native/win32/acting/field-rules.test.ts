/** Fields whose program watches each character: every way of typing gives what a person’s keys give, and says what is there. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { Outcome } from '../../../../src/contract/outcome.ts';
import { Fixture } from '../support/programs.ts';
import { Session } from '../support/session.ts';

const [DIGITS, SINGLE, SHORT, PHONE, UPPER] = [130, 131, 132, 133, 134];
const [LINES, RICH, COMBO] = [152, 153, 154];
const WM_GETTEXT = 0x000d;
const OWNER = 'test/default';

let fixture: Fixture;
let session: Session;

beforeAll(async () => {
  fixture = await Fixture.start('unread', ['--topmost']);
  session = await Session.bind(fixture.hwnd);
});
beforeEach(() => fixture.tell('clear'));
afterAll(async () => {
  session[Symbol.dispose]();
  await fixture[Symbol.asyncDispose]();
});

function textOf(id: number): string {
  const out = Buffer.alloc(2048);
  const length = Number(user32.SendMessageW(user32.GetDlgItem(fixture.hwnd, id), WM_GETTEXT, 1024, out));
  return out.toString('utf16le', 0, length * 2);
}

const WAYS: ReadonlyArray<readonly [way: string, type: (id: number, text: string) => Promise<Outcome>]> = [
  ['type-into', async (id, text) => (await session.elements.type({ automationId: String(id) }, text)).outcome],
  [
    'type-into, appended',
    async (id, text) => (await session.elements.type({ automationId: String(id) }, text, { mode: 'append' })).outcome,
  ],
  [
    'keyboard',
    (id, text) => {
      session.focus.remember(fixture.hwnd, user32.GetDlgItem(fixture.hwnd, id), OWNER);
      return session.type(text);
    },
  ],
];

describe.each(WAYS)('%s', (_way, type) => {
  it.each([
    ['5551234', '555-1-234'],
    ['12ab', '12'],
    ['letters', ''],
    [`${'x'.repeat(90)}7`, '7'],
  ])('a field of digits and dashes: %s', async (text, holds) => {
    const done = await type(PHONE, text);
    expect(textOf(PHONE)).toBe(holds);
    expect([done.effect === 'confirmed', done.readBack]).toEqual([false, 'mismatch']);
    // the next keys are meant for it nevertheless
    expect(session.focus.find(fixture.hwnd, OWNER)?.hwnd).toBe(user32.GetDlgItem(fixture.hwnd, PHONE));
  });

  it.each([
    ['a field of several lines', LINES],
    ['a rich edit', RICH],
    ['the field of a combo box', COMBO],
  ])('%s that takes digits', async (_what, id) => {
    const done = await type(id, '12ab34');
    expect(textOf(id)).toBe('1234');
    expect([done.effect, done.readBack]).toEqual(['unverified', 'mismatch']);
    await fixture.tell('clear');
    expect(await type(id, '5678')).toMatchObject({ effect: 'confirmed', readBack: 'verified' });
  });

  it.each([
    ['a field of several lines', LINES],
    ['a rich edit', RICH],
  ])('%s: what follows a line break is put in at once', async (_what, id) => {
    expect(await type(id, '12\n34')).toMatchObject({ effect: 'confirmed' });
    expect(textOf(id)).toBe('12\r\n34');
    await fixture.tell('clear');
    const done = await type(id, '1a\n2b\n3');
    expect(textOf(id)).toBe('1\r\n2\r\n3');
    expect([done.effect, done.readBack]).toEqual(['unverified', 'mismatch']);
  });

  it('what the field takes unchanged: confirmed, long texts too, once each', async () => {
    expect(await type(PHONE, '12')).toMatchObject({ effect: 'confirmed', readBack: 'verified' });
    const long = Array.from({ length: 60 }, (_, index) => `${index} é漢🍒`).join(' ');
    expect(await type(SINGLE, long)).toMatchObject({ effect: 'confirmed', readBack: 'verified' });
    expect(textOf(SINGLE)).toBe(long);
  });

  it('a field with a limit: what does not fit is a mismatch, and the answer names the limit', async () => {
    const done = await type(SHORT, 'abcdefghijklmnopqrstuvwxyz');
    expect(textOf(SHORT)).toBe('abcdefghijklmnopqrst');
    expect(done).toMatchObject({ effect: 'unverified', readBack: 'mismatch' });
    expect(done.attempts.map(({ reason }) => reason).join('\n')).toContain('takes at most 20 characters');
  });

  it('a field of digits: letters are refused, or a mismatch that names the rule', async () => {
    const done = await type(DIGITS, '12ab34').catch((error: unknown) => error);
    const isRefused = done instanceof UiaHostError;
    expect(textOf(DIGITS)).toBe(isRefused ? '' : '1234');
    if (isRefused)
      expect(done).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('digits only') });
    else
      expect(done).toMatchObject({
        readBack: 'mismatch',
        attempts: [{ reason: expect.stringContaining('digits only') }],
      });
  });

  it('a field for capitals: the same word for the same change', async () => {
    expect(await type(UPPER, 'quiet')).toMatchObject({ effect: 'confirmed', readBack: 'normalised' });
    expect(textOf(UPPER)).toBe('QUIET');
  });
});

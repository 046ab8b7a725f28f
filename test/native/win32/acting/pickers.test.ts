/** Dates, days, addresses and numbers are set by text, and the program hears of it as of a person's act. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withPermit } from '../../../../src/win32/exits/leaving.ts';
import { Elements, refusal } from '../support/elements.ts';
import { Fixture, type JournalEntry } from '../support/programs.ts';
import { until } from '../../../support/until.ts';

const DATE = 106;
const NO_DATE = 107;
const RANGE = 108;
const NEAR_DATE = 156;
const DAY = 109;
const ADDRESS = 110;
const COUNTER = 111;
const BAR = 113;
const SLIDER = 114;
const TIME = 119;
/** DTN_DATETIMECHANGE, MCN_SELCHANGE */
const DATE_CHANGED = -759;
const DAY_CHANGED = -749;

let fixture: Fixture;
let elements: Elements;
let seen = 0;

beforeAll(async () => {
  fixture = await Fixture.start('unread', ['--topmost']);
  elements = await Elements.bind(fixture.hwnd);
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** What a control holds by its program's own account. */
async function held(id: number): Promise<unknown> {
  const shown = (): number => fixture.journal().filter(({ event }) => event === 'shown').length;
  const before = shown();
  await fixture.tell('show');
  await until(() => shown() > before, 'what the controls hold');
  return fixture
    .journal()
    .filter((entry) => entry.event === 'holds' && entry['id'] === id)
    .at(-1)!['text'];
}

/** What the program was told of a control since the last time. */
function told(id: number): JournalEntry[] {
  const all = fixture.journal();
  const later = all.slice(seen).filter((entry) => entry['id'] === id && entry.event !== 'holds');
  seen = all.length;
  return later;
}

/** By a permit for this text alone. */
const set = (id: number, text: string): ReturnType<Elements['type']> =>
  withPermit(
    { exits: [{ kind: 'text', text, replaces: true }], target: { window: null, element: null }, start: null },
    () => elements.type({ automationId: String(id) }, text),
  );

describe('[picker.set] pickers', () => {
  it.each([
    [NEAR_DATE, '2027-01-05', 'from 2026-11-01 to 2026-12-15'],
    [RANGE, '2026-12-01/2026-12-20', 'at most 14 days'],
  ])('what a picker cannot hold is refused with its range, and left unchanged: %i, %s', async (id, text, range) => {
    const before = await held(id);
    await expect(set(id, text)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(range),
    });
    expect(await held(id)).toBe(before);
  });

  it.each([
    [DATE, '2026-12-01', '2026-12-01 08:15:00'],
    [DATE, '2028-02-29', '2028-02-29 08:15:00'],
    [TIME, '23:59:30', '2026-11-25 23:59:30'],
    [NO_DATE, '2027-01-31', '2027-01-31 00:00:00'],
    // The months next to March are shorter, and so is the February of the next year.
    [NO_DATE, '2027-03-31', '2027-03-31 00:00:00'],
  ])('a date: %i takes %s and notifies', async (id, text, holds) => {
    told(id);
    const done = await set(id, text);
    expect([done.value, done.outcome.effect, done.outcome.readBack]).toEqual([true, 'confirmed', 'verified']);
    expect(await held(id)).toBe(holds);
    expect(told(id).filter(({ code }) => code === DATE_CHANGED).length).toBeGreaterThan(0);
  });

  it('a date can be taken away where the picker allows that', async () => {
    await set(NO_DATE, '2027-01-31');
    told(NO_DATE);
    expect((await set(NO_DATE, 'none')).outcome.effect).toBe('confirmed');
    expect(await held(NO_DATE)).toBe('none');
    expect(told(NO_DATE).filter(({ code }) => code === DATE_CHANGED).length).toBeGreaterThan(0);
    await refusal(set(DATE, 'none'), 'invalid_argument');
  });

  it.each([
    [DAY, '2026-12-24', '2026-12-24 00:00:00'],
    [DAY, '2027-02-01', '2027-02-01 00:00:00'],
    [RANGE, '2026-12-08/2026-12-11', '2026-12-08/2026-12-11'],
    [RANGE, '2026-12-15', '2026-12-15/2026-12-15'],
  ])('a calendar: %i takes %s and notifies', async (id, text, holds) => {
    told(id);
    const done = await set(id, text);
    expect([done.value, done.outcome.effect]).toEqual([true, 'confirmed']);
    expect(await held(id)).toBe(holds);
    expect(told(id).filter(({ code }) => code === DAY_CHANGED).length).toBeGreaterThan(0);
  });

  it('an address is set, and its program notified', async () => {
    told(ADDRESS);
    expect((await set(ADDRESS, '172.16.254.7')).outcome.effect).toBe('confirmed');
    expect(await held(ADDRESS)).toBe('172.16.254.7 of 4');
    expect(told(ADDRESS).length).toBeGreaterThan(0);
  });

  it('what they cannot hold is refused by its form, and changes nothing', async () => {
    for (const [id, text] of [
      [DATE, '12/01/2026'],
      [DATE, '2026-02-30'],
      [DAY, '2026-13-01'],
      [DAY, '2026-12-01/2026-12-02'],
      [RANGE, '2026-12-09/2026-12-01'],
      [ADDRESS, '1.2.3.256'],
      [ADDRESS, '1.2.3'],
    ] as const) {
      const before = await held(id);
      await refusal(set(id, text), 'invalid_argument');
      expect([id, text, await held(id)]).toEqual([id, text, before]);
    }
  });
});

describe('controls with a position', () => {
  it.each([
    [COUNTER, '42', '0 to 10'],
    [COUNTER, '-1', '0 to 10'],
    [COUNTER, 'ten', 'whole number'],
    [BAR, '500', '0 to 109'],
    [BAR, '-5', '0 to 109'],
    [BAR, '105', 'set back'],
    [SLIDER, '51', '0 to 50'],
  ])('%i refuses %s with its range, and keeps its number', async (id, text, words) => {
    const before = await held(id === SLIDER ? BAR : id);
    told(id);
    const error = await refusal(set(id, text), 'invalid_argument');
    expect(error.message).toContain(words);
    expect(await held(id === SLIDER ? BAR : id)).toBe(before);
    expect(told(id)).toEqual([]);
  });
});

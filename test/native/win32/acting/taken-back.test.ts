/** A program that takes a choice, a position or a text back: not confirmed, or the session's next answer reports it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WM_CLOSE } from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { Done } from '../../../../src/desktop/index.ts';
import { explain, laterChanges, laterTold, onUndone, undoneBefore } from '../../../../src/win32/evidence/kept-proof.ts';
import { until } from '../../../support/until.ts';
import { Elements } from '../support/elements.ts';
import { Fixture } from '../support/programs.ts';
import { Session } from '../support/session.ts';

let fixture: Fixture;
let elements: Elements;
let session: Session;

beforeAll(async () => {
  fixture = await Fixture.start('unread', ['--topmost']);
  session = await Session.bind(fixture.hwnd);
  elements = session.elements;
});
afterAll(async () => {
  session[Symbol.dispose]();
  await fixture[Symbol.asyncDispose]();
});

async function held(id: string): Promise<unknown> {
  await sleep(150);
  await fixture.tell('show');
  return fixture
    .journal()
    .filter((entry) => entry.event === 'holds' && entry['id'] === Number(id))
    .at(-1)?.['text'];
}

type Act = (id: string) => Promise<Done<boolean>>;

interface Case {
  readonly what: string;
  readonly id: string;
  /** Brings it where the first act changes something. */
  readonly reset?: Act;
  /** The first and the second act, and what the program holds after the first and after it took back the second. */
  readonly acts: readonly [Act, Act];
  readonly holds: readonly [string, string];
}

const select =
  (index: number): Act =>
  (id) =>
    elements.select({ automationId: id }, { index });
const type =
  (text: string): Act =>
  (id) =>
    elements.type({ automationId: id }, text);
const click: Act = (id) => elements.click({ automationId: id });
const press =
  (key: string): Act =>
  async (id) => {
    session.focus.remember(fixture.hwnd, user32.GetDlgItem(fixture.hwnd, Number(id)), 'test/default');
    return { value: true, outcome: await session.keys(key) };
  };
const [space, end] = [press('space'), press('end')];

const CASES: readonly Case[] = [
  { what: 'a list box', id: '100', acts: [select(2), select(1)], holds: ['2', '0'] },
  { what: 'a combo box', id: '101', acts: [select(2), select(1)], holds: ['2', '0'] },
  { what: 'a combo box with pictures', id: '102', acts: [select(2), select(1)], holds: ['2', '0'] },
  // Wine's control holds the tab that was not left.
  {
    what: 'a tab',
    id: '103',
    reset: async (id) => (await select(1)(id), select(0)(id)),
    acts: [select(1), select(0)],
    holds: ['1', '1'],
  },
  { what: 'a row', id: '104', reset: select(0), acts: [select(2), select(1)], holds: ['2', '2'] },
  { what: 'a tree item', id: '142', reset: select(0), acts: [select(1), select(0)], holds: ['1', '1'] },
  { what: 'a scroll bar', id: '113', acts: [type('60'), type('30')], holds: ['60', '0'] },
  { what: 'a slider', id: '114', acts: [type('40'), type('30')], holds: ['40', '20'] },
  {
    what: 'a date',
    id: '106',
    acts: [type('2026-12-24'), type('2026-12-31')],
    holds: ['2026-12-24 08:15:00', '2026-11-25 08:15:00'],
  },
  {
    what: 'a day of a calendar',
    id: '109',
    acts: [type('2026-11-20'), type('2026-11-12')],
    holds: ['2026-11-20 00:00:00', '2026-11-25 00:00:00'],
  },
  { what: 'a field', id: '131', acts: [type('one'), type('two')], holds: ['one', ''] },
  { what: 'a check box', id: '143', reset: click, acts: [click, click], holds: ['0', '0'] },
  { what: 'a check box, by its key', id: '143', reset: click, acts: [space, space], holds: ['0', '0'] },
  { what: 'a slider, by its keys', id: '114', reset: type('40'), acts: [type('20'), end], holds: ['20', '20'] },
];

const HOW = {
  on: 'a program that takes it back at once',
  later: 'a program that takes it back by a posted message',
  60: 'a program that takes it back a moment later',
  300: 'a program that takes it back 0.3 s later',
  1000: 'a program that takes it back a second later',
  2000: 'a program that takes it back two seconds later',
};
const LATE = new Set(['a list box', 'a slider', 'a date', 'a field', 'a check box']);

const heard: unknown[] = [];
onUndone((by) => heard.push(by));

const changed = (): unknown[] => {
  const changes = laterChanges('test/default', fixture.hwnd);
  laterTold(changes);
  return changes;
};

for (const [how, program] of Object.entries(HOW))
  describe(program, () => {
    for (const { what, id, reset, acts, holds } of CASES.filter((each) => !how.endsWith('000') || LATE.has(each.what)))
      it(`${what}`, async () => {
        await fixture.tell('take-back off');
        await reset?.(id);
        const first = await acts[0](id);
        expect(await held(id)).toBe(holds[0]);
        expect(first.outcome.effect).toBe('confirmed');
        changed();
        heard.length = 0;
        await fixture.tell(`take-back ${how}`);
        const second = (await acts[1](id).catch(() => null))?.outcome.effect;
        await sleep(Number(how) || 0);
        expect(await held(id)).toBe(holds[1]);
        if (second === 'confirmed' && Number(how) > 0) {
          expect(undoneBefore('test/default')).toEqual(expect.any(String));
          expect(changed()).toHaveLength(1);
          expect(heard.splice(0)).toEqual([{ owner: 'test/default', actionId: undefined }]);
        } else expect(second).not.toBe('confirmed');
        await fixture.tell('take-back off');
      });
  });

describe('[outcome.changed-later] a program that changes a text after the answer', () => {
  const text = { automationId: '131' };
  const open = (): ReturnType<typeof laterChanges> => laterChanges('test/default', fixture.hwnd);

  it.each([
    ['put into it', () => elements.type(text, 'two')],
    [
      'typed by keys',
      async () => {
        session.focus.remember(fixture.hwnd, user32.GetDlgItem(fixture.hwnd, 131), 'test/default');
        return { value: true, outcome: await session.type('two') };
      },
    ],
  ])('has its change reported once, with a later answer: %s', async (_, act) => {
    await fixture.tell('take-back off');
    await elements.type(text, '');
    changed();
    await fixture.tell('take-back 700');
    expect(await act()).toMatchObject({ outcome: { effect: 'confirmed' } });
    expect(changed()).toEqual([]);
    await sleep(700);
    expect(await held('131')).toBe('');
    expect(laterChanges('another', fixture.hwnd)).toEqual([]);
    const told = [{ element: expect.stringContaining('Edit') as string, before: 'two', after: '' }];
    // An action that fails carries no report.
    expect(open()).toEqual(told);
    expect(changed()).toEqual(told);
    expect(changed()).toEqual([]);
    await fixture.tell('take-back off');
  });

  it.each([
    ['keeps its letters in their order', '1,234.00', false],
    ['loses their order', '1243', true],
    ['is explained by a step that left nothing', '', false],
  ] as const)('is undone for a batch, or not: a text that %s', async (_, to, isUndone) => {
    await elements.type(text, '');
    await elements.type(text, '1234');
    user32.SetWindowTextW(user32.GetDlgItem(fixture.hwnd, 131), to);
    if (to === '') explain({ owner: 'test/default', actionId: 'press' });
    expect(undoneBefore('test/default') !== null).toBe(isUndone);
    expect(changed()).toHaveLength(1);
  });

  it('has its proof superseded by the next action on the control', async () => {
    await elements.type(text, 'first');
    session.focus.remember(fixture.hwnd, user32.GetDlgItem(fixture.hwnd, 131), 'test/default');
    for (const key of ['ctrl+a', 'delete']) await session.keys(key);
    expect(changed()).toEqual([]);
  });

  it('has nothing to report of a field that keeps its text', async () => {
    await elements.type(text, 'kept');
    await sleep(700);
    expect(changed()).toEqual([]);
  });
});

describe('[outcome.asked] a program that asks something when it hears of a change', () => {
  const TEXT = { automationId: '131' };
  async function answered(): Promise<void> {
    const box = user32.FindWindowW('#32770', 'Change');
    user32.PostMessageW(box, WM_CLOSE, 0, 0);
    await until(() => user32.IsWindow(box) !== true, 'the answer');
  }
  const pending = { outcome: { effect: 'pending_modal', details: { newWindow: { title: 'Change', modal: true } } } };

  it.each([
    ['a row', () => elements.select({ automationId: '104' }, { index: 1 })],
    ['a slider', () => elements.type({ automationId: '114' }, '33')],
    ['the last character of a text', () => elements.type(TEXT, 'x')],
    ['a text that is removed', () => elements.type(TEXT, '')],
  ])('is answered with its dialog: %s', async (_, act) => {
    await fixture.tell('take-back off');
    await elements.select({ automationId: '104' }, { index: 2 });
    await fixture.tell('ask');
    expect(await act()).toMatchObject(pending);
    await answered();
  });

  it('may ask again: a dialog that is answered waits for nothing, and the next one is named', async () => {
    await fixture.tell('ask twice');
    expect(await elements.type({ automationId: '114' }, '35')).toMatchObject(pending);
    const box = await Elements.bind(user32.FindWindowW('#32770', 'Change'));
    const done = await box.click({ name: 'OK' });
    box.port[Symbol.dispose]();
    await until(() => user32.FindWindowW('#32770', 'Really') !== 0, 'the next dialog');
    user32.PostMessageW(user32.FindWindowW('#32770', 'Really'), WM_CLOSE, 0, 0);
    expect(done).toMatchObject({ outcome: { effect: 'confirmed', details: { newWindow: { title: 'Really' } } } });
  });

  it('gets no real input for its window: it would answer the dialog', async () => {
    await fixture.tell('ask');
    expect(await elements.type({ automationId: '114' }, '34')).toMatchObject(pending);
    const said: unknown = await session.type('y', session.record, 'foreground').catch((error: unknown) => error);
    const box = user32.FindWindowW('#32770', 'Change');
    await answered();
    expect(box).not.toBe(0);
    expect(said).toMatchObject({
      code: 'target_disabled',
      delivery: 'not_delivered',
      message: expect.stringContaining('while the dialog “Change”') as string,
    });
  });

  it('gets no more of a text, and the dialog is named at once', async () => {
    await elements.type(TEXT, '');
    await fixture.tell('ask');
    const begun = performance.now();
    const said: unknown = await elements.type(TEXT, 'several'.padEnd(80, '.')).catch((error: unknown) => error);
    expect(performance.now() - begun).toBeLessThan(3000);
    await answered();
    expect(said).toMatchObject({
      code: 'target_disabled',
      delivery: 'delivered',
      message: expect.stringContaining('At character 1 of 80 the program opened the dialog “Change”') as string,
    });
    expect(await held('131')).toBe('s');
  });
});

describe('a program that puts another control in the place of the used one', () => {
  const list = { what: 'a list box', id: '100', reset: select(0), act: select(2) };
  const check = { what: 'a check box', id: '143', act: click };

  it.each([
    list,
    check,
    { what: 'a check box, by its key', id: '143', act: space },
    { what: 'a slider', id: '114', reset: type('40'), act: type('30') },
    { what: 'a slider, by its keys', id: '114', reset: type('40'), act: end },
    { what: 'a date', id: '106', act: type('2026-12-31') },
    { what: 'a field', id: '131', reset: type(''), act: type('a') },
  ])('is not confirmed: $what', async ({ id, reset, act }: { id: string; reset?: Act; act: Act }) => {
    await fixture.tell('take-back off');
    await reset?.(id);
    await fixture.tell('take-back again');
    const done = await act(id);
    await fixture.tell('take-back off');
    expect(done.outcome.effect).toBe('unverified');
  });

  it('is asked no more once it is gone', async () => {
    await fixture.tell('take-back gone');
    const done = await type('2026-11-30')('107');
    await fixture.tell('take-back off');
    expect(done).toMatchObject({ outcome: { effect: 'unverified' } });
  });

  it.each([list, check])('is confirmed by the new one where that holds it: $what', async ({ id, act }) => {
    await fixture.tell('take-back kept');
    const done = await act(id);
    await fixture.tell('take-back off');
    expect(done.outcome.effect).toBe('confirmed');
  });
});

describe('what was there before is true, and nothing that was done shows in it', () => {
  for (const { what, id, reset, acts } of CASES)
    if (acts[0] !== click && !what.includes(', by '))
      it(what, async () => {
        await fixture.tell('take-back off');
        await reset?.(id);
        await acts[0](id);
        expect(await acts[0](id)).toMatchObject({ value: true, outcome: { effect: 'none' } });
      });
});

describe('[outcome.left] a program that takes a text over when its field is left', () => {
  const PERCENT = { automationId: '135' };

  it('hears that the field is left, and has the last word', async () => {
    expect(await elements.type(PERCENT, '60')).toMatchObject({ value: true, outcome: { effect: 'confirmed' } });
    expect(await held('135')).toBe('60');
    expect(await elements.type(PERCENT, '250')).toMatchObject({
      value: false,
      outcome: { effect: 'unverified', readBack: 'mismatch', evidence: [{ after: '100' }] },
    });
    expect(await held('135')).toBe('100');
  });

  it('may ask something then, and the other control is not pressed', async () => {
    await elements.click(PERCENT);
    await elements.type(PERCENT, '66');
    const before = await held('143');
    const said = await elements.click({ automationId: '143' }).catch((error: unknown) => error);
    const box = user32.FindWindowW('#32770', 'Percent');
    user32.PostMessageW(box, WM_CLOSE, 0, 0);
    await until(() => user32.IsWindow(box) !== true, 'the answer');
    // UI Automation's own press moves the focus and waits for the answer, as its outcome says
    if (!(said instanceof Error))
      return expect(said).toMatchObject({
        outcome: { effect: 'pending_modal', details: { newWindow: { title: 'Percent' } } },
      });
    expect(said).toMatchObject({ code: 'target_disabled', message: expect.stringContaining('“Percent”') as string });
    expect(await held('143')).toBe(before);
  });
});

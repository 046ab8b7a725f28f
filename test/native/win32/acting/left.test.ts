/** A record form: whatever a field was filled by and is left by, its program has the value before it hears what came next. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { controlId } from '../../../support/controls.ts';
import { until } from '../../../support/until.ts';
import { dump, type Elements } from '../support/elements.ts';
import { Fixture } from '../support/programs.ts';
import { Session } from '../support/session.ts';

let fixture: Fixture;
let session: Session;
let elements: Elements;

beforeAll(async () => {
  fixture = await Fixture.start('controls');
  session = await Session.bind(fixture.hwnd);
  ({ elements } = session);
});
afterAll(async () => {
  session[Symbol.dispose]();
  await fixture[Symbol.asyncDispose]();
});

const query = (key: string): { automationId: string } => ({ automationId: String(controlId(key)) });
/** The keyboard goes to it as to what was clicked last. */
function aim(key: string): void {
  const control = user32.GetDlgItem(fixture.hwnd, controlId(key));
  session.focus.remember(fixture.hwnd, user32.FindWindowExW(control, 0, 'Edit', null) || control, 'test/default');
}

type Fill = (key: string, value: string) => Promise<unknown>;
const into: Fill = (key, value) => elements.type(query(key), value);
const choose: Fill = (key, value) => elements.select(query(key), { name: value });
const keys =
  (via: 'characters' | 'clipboard'): Fill =>
  async (key, value) => {
    aim(key);
    await session.keys('ctrl+a');
    const viaClipboard = via === 'clipboard';
    const call = await session.judged();
    await session.keyboard.typeText(session.record, value, { viaClipboard, delivery: 'background' }, call);
  };
/** From the first entry, down to the second. */
const arrows: Fill = async (key) => {
  aim(key);
  for (const chord of ['home', 'down']) await session.keys(chord);
};

const TEXTS: ReadonlyArray<readonly [way: string, fill: Fill]> = [
  ['type-into', into],
  ['keyboard', keys('characters')],
  ['paste', keys('clipboard')],
];
const LISTS = [
  ['choice', choose],
  ['arrows', arrows],
] as const;
const FIELDS: ReadonlyArray<readonly [key: string, told: string, value: string, ways: typeof TEXTS]> = [
  ...['EDIT_NAME', 'MULTILINE', 'RICH_EDIT'].map((key) => [key, 'EN_KILLFOCUS', 'BERLIN', TEXTS] as const),
  ['NUMBER', 'EN_KILLFOCUS', '23', TEXTS],
  ['COMBO_EDIT', 'CBN_KILLFOCUS', 'Medium', [...TEXTS, ['choice', choose]]],
  ['COMBO_LIST', 'CBN_KILLFOCUS', 'Belgium', LISTS],
  ['COMBO_SIMPLE', 'CBN_KILLFOCUS', 'Two', [...TEXTS, ['choice', choose]]],
  ['LISTBOX', 'LBN_KILLFOCUS', 'Entry 1', LISTS],
  ['DATE', 'NM_KILLFOCUS', '2027-01-15', [['type-into', into]]],
];

const LEAVING: ReadonlyArray<readonly [how: string, told: string, leave: () => Promise<unknown>]> = [
  ['a click on an element', 'CHECK', () => elements.click(query('CHECK'))],
  ['a click at a point', 'CHECK', () => session.clickAt(fixture, controlId('CHECK'))],
  ['a tool bar', 'TB_NEW', () => elements.click({ name: 'New', role: 'Button' })],
  ['a shortcut', 'MENU_SAVE', () => session.keys('ctrl+s')],
  ['Enter', 'DEFAULT_PUSH', () => session.keys('enter')],
];

describe('[outcome.left] the program has what was filled before what comes next', () => {
  let turn = 0;
  // Each way of leaving in turn.
  for (const [key, told, value, ways] of FIELDS)
    for (const [way, fill] of ways) {
      // Enter ends a line, and a tool bar takes no focus.
      const none = { MULTILINE: 'Enter', RICH_EDIT: 'Enter', DATE: 'a tool bar' }[key];
      const fit = LEAVING.filter(([name]) => name !== none);
      const [how, next, leave] = fit[(turn += 1) % fit.length]!;
      it(`${key} by ${way}, left by ${how}`, async () => {
        const filled = fixture.journal().length;
        await fill(key, value);
        const since = fixture.journal().length;
        await leave();
        const heard = (of: string, code?: string): number =>
          fixture
            .journal()
            .findLastIndex((entry) => entry['key'] === of && (code ?? entry['codeName']) === entry['codeName']);
        await until(() => heard(next) >= since, next, 3000);
        const [left, after] = [heard(key, told), heard(next)];
        expect([left >= filled, left < after]).toEqual([true, true]);
        const holds = (await dump(fixture)).get(controlId(key))!;
        const entry = fixture.journal()[left]!;
        if (told !== 'NM_KILLFOCUS') for (const part of ['text', 'selected']) expect(entry[part]).toBe(holds[part]);
      });
    }
});

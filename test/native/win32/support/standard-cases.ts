/**
 * Each standard control × verb. Three witnesses: what the control holds, what its program was told, and the outcome,
 * which says `confirmed` only with both.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { ErrorCode, UiaHostError } from '../../../../src/contract/errors.ts';
import type { ElementQuery } from '../../../../src/contract/element/element.ts';
import type { Done } from '../../../../src/desktop/index.ts';
import { CONTROLS, controlId } from '../../../support/controls.ts';
import { until } from '../../../support/until.ts';
import { dump, Elements, refusal, only } from './elements.ts';
import { Fixture, newCall, type JournalEntry } from './programs.ts';
import { UiaCom } from './uia-com.ts';

/**
 * What a client of UI Automation sees of the controls: nothing (Wine), what Windows' native proxies show, what .NET's
 * managed ones show; or nothing, in a 32-bit program.
 */
export type Mode = 'wine' | 'native' | 'managed' | '32-bit';

/** A reading of the whole window, by thousands of small questions, takes seconds on a loaded machine; through .NET more. */
export const BUSY_MS = process.env['UIAHOST_DOTNET'] === undefined ? 60_000 : 240_000;
const READ = { budgetMs: BUSY_MS / 4 };
/** Notifications are sent, and the journal is written, before the outcome is known: this is for a loaded machine. */
const HEARS_MS = 3000;
const EM_CANUNDO = 0xc6;
const EN_CHANGE = 0x300;
const TBM_SETRANGEMAX = 0x408;
const LVM_DELETEITEM = 0x1008;
const CB_GETDROPPEDSTATE = 0x157;
const TB_ISBUTTONCHECKED = 0x40a;

export const com = new UiaCom();
export let controls: Fixture;
export let elements: Elements;
let handles: ReadonlyMap<number, number>;

/** Starts the program and reads it. `program`: a copy of it. */
export async function open(
  title: string,
  settings: Record<string, string | number> | null,
  { args = ['--short'], program }: { readonly args?: readonly string[]; readonly program?: string } = {},
): Promise<void> {
  com.reset();
  com.configure({ proxies: 'none', timeouts: 0, ...settings });
  controls = await Fixture.start('controls', [...args, '--title', title], program);
  handles = new Map(
    [...(await dump(controls)).values()].map((entry) => [entry['id'] as number, entry['hwnd'] as number]),
  );
  elements = await Elements.bind(controls.hwnd, settings === null ? {} : { automation: com.factory }, BUSY_MS);
}

export async function close(): Promise<void> {
  elements.port[Symbol.dispose]();
  await controls[Symbol.asyncDispose]();
  com.reset();
}

export const id = (key: string): ElementQuery => ({ automationId: String(controlId(key)) });
export const ask = (key: string, message: number, wParam = 0, lParam = 0): number =>
  Number(user32.SendMessageW(handles.get(controlId(key))!, message, wParam, lParam));
export const states = async (key: string): Promise<JournalEntry> => (await dump(controls)).get(controlId(key))!;

/** What is shown of it: of an address, which no window text has. */
const valueOf = async (key: string): Promise<string | null | undefined> =>
  (await elements.nodes(READ)).find((node) => node.id === String(controlId(key)))?.value;

/** How many commands the program counted, as it shows them: a push button holds nothing itself. */
const clicks = async (): Promise<string | undefined> =>
  (await elements.nodes(READ)).find(({ name }) => name.startsWith('Clicks: '))?.name;

/** What an action did to the program: the entries of its journal since. */
export interface Did {
  readonly done: Done<boolean>;
  told(): readonly JournalEntry[];
  /** The patterns of proxies that were used. */
  readonly patterns: readonly string[];
}

export async function act(work: () => Promise<Done<boolean>>): Promise<Did> {
  const since = controls.journal().length;
  com.log();
  const done = await work();
  const patterns = com.log().filter((line) => line.startsWith('proxy '));
  return { done, told: () => controls.journal().slice(since), patterns };
}

const hears = ({ told }: Did, key: string, codeName: string): Promise<unknown> =>
  until(
    () => told().some((entry) => entry['key'] === key && entry['codeName'] === codeName),
    `${key} ${codeName}`,
    HEARS_MS,
  );

/** The program heard of it, and the outcome says no more than that. */
export async function expectTold(did: Did, key: string, codeName: string): Promise<void> {
  await hears(did, key, codeName);
  expect(did.done).toMatchObject({ value: true, outcome: { effect: 'confirmed' } });
}

/** The program heard of it and showed nothing, so that nothing is confirmed. */
async function expectHeard(did: Did, key: string, codeName: string): Promise<void> {
  await hears(did, key, codeName);
  expect(did.done).toMatchObject({ value: true, outcome: { effect: 'unverified' } });
}

/** Refused: the program heard of nothing. */
async function refused(work: Promise<unknown>, code: ErrorCode): Promise<UiaHostError> {
  const since = controls.journal().length;
  const error = await refusal(work, code);
  // A month calendar sends MCN_SELCHANGE every two minutes by itself.
  const heard = controls.journal().filter(({ codeName }, at) => at >= since && codeName !== 'MCN_SELCHANGE');
  expect(heard.filter(({ event }) => ['command', 'notify', 'scroll'].includes(event))).toEqual([]);
  return error;
}

/** Nothing was opened, started or ticked on the way. */
export const expectNothingOpened = ({ told }: Did): void => {
  const opened = ['LVN_ITEMACTIVATE', 'NM_DBLCLK', 'LBN_DBLCLK', 'CBN_DBLCLK'];
  expect(
    told()
      .map((entry) => entry['codeName'])
      .filter((name) => opened.includes(String(name))),
  ).toEqual([]);
};

const FACTS = readFileSync(fileURLToPath(new URL('../../../../docs/standard-controls.md', import.meta.url)), 'utf8');

/** The title of a case, with the section of docs/standard-controls.md whose facts it is about. */
function of(section: string, title: string): string {
  if (!FACTS.includes(`\n## ${section}\n`)) throw new Error(`docs/standard-controls.md has no section ${section}.`);
  return `${title} (${section})`;
}

/** @param more a copy of the program, and where Microsoft's own proxies answer (their pipe) */
export function standardCases(mode: Mode, more: { readonly program?: string; readonly bridge?: string } = {}): void {
  beforeAll(async () => {
    const bridge = more.bridge === undefined ? {} : { bridge: more.bridge };
    const settings = mode === 'native' || mode === 'managed' ? { proxies: mode, ...bridge } : null;
    await open(`Controls ${mode}`, settings, more.program === undefined ? {} : { program: more.program });
  });
  afterAll(close);

  test(of('Buttons', '[snapshot.own-messages] [click.ladder] push button: click'), async () => {
    const before = await clicks();
    const did = await act(() => elements.click(id('PUSH')));
    expect(await clicks()).not.toBe(before);
    await expectTold(did, 'PUSH', 'BN_CLICKED');
  });

  test.each([
    ['CHECK', { check: 1 }],
    ['RADIO_A', { check: 1 }],
  ])(of('Buttons', '%s: click'), async (key, state) => {
    const did = await act(() => elements.click(id(key)));
    expect(await states(key)).toMatchObject(state);
    await expectTold(did, key, 'BN_CLICKED');
  });

  test.each([
    ['EDIT_NAME', 'Grace', 'Grace'],
    ['MULTILINE', 'one\ntwo', 'one\r\ntwo'],
    ['RICH_EDIT', 'plain', 'plain'],
  ])(of('Edits', '%s: type'), async (key, text, shown) => {
    const did = await act(() => elements.type(id(key), text));
    expect(await states(key)).toMatchObject({ text: shown });
    await expectTold(did, key, 'EN_CHANGE');
    // What was there can be brought back: the text was typed over, not set.
    expect(ask(key, EM_CANUNDO)).not.toBe(0);
  });

  test(of('Edits', 'limited edit: a text that does not fit is not confirmed'), async () => {
    const did = await act(() => elements.type(id('LIMITED'), 'too long'));
    expect(did.done.outcome.effect).not.toBe('confirmed');
    expect(await states('LIMITED')).toMatchObject({ text: 'too l' });
    await hears(did, 'LIMITED', 'EN_CHANGE');
  });

  test(of('Edits', 'password: its length is read, its text is not'), async () => {
    const did = await act(() => elements.type(id('PASSWORD'), 'four', { isSecret: true }));
    expect(await states('PASSWORD')).toMatchObject({ text: 'four' });
    await expectTold(did, 'PASSWORD', 'EN_CHANGE');
    expect(controls.journal().filter(({ event }) => event === 'password_read')).toEqual([]);
  });

  test(of('Combo boxes', 'drop-down list: select by name and by index; it is closed again'), async () => {
    const named = await act(() => elements.select(id('COMBO_LIST'), { name: 'Belgium' }));
    expect(await states('COMBO_LIST')).toMatchObject({ selected: 1 });
    await expectTold(named, 'COMBO_LIST', 'CBN_SELCHANGE');
    const counted = await act(() => elements.select(id('COMBO_LIST'), { index: 3 }));
    expect(await states('COMBO_LIST')).toMatchObject({ selected: 3, selectedText: 'Denmark' });
    await expectTold(counted, 'COMBO_LIST', 'CBN_SELCHANGE');
    expect(ask('COMBO_LIST', CB_GETDROPPEDSTATE)).toBe(0);
    await refused(elements.select(id('COMBO_LIST'), { name: 'Utopia' }), 'target_not_found');
    expect(ask('COMBO_LIST', CB_GETDROPPEDSTATE)).toBe(0);
    expect(await states('COMBO_LIST')).toMatchObject({ selected: 3, selectedText: 'Denmark' });
  });

  test(of('Combo boxes', 'drop-down list: a text is refused, since nothing would be set'), async () => {
    const { text } = await states('COMBO_LIST');
    const error = await refused(elements.type(id('COMBO_LIST'), 'Utopia'), 'target_readonly');
    expect(error.message).toContain('entries of its list');
    expect(await states('COMBO_LIST')).toMatchObject({ text });
  });

  test(of('Combo boxes', 'editable combo box: type, select'), async () => {
    const typed = await act(() => elements.type(id('COMBO_EDIT'), 'Huge'));
    expect(await states('COMBO_EDIT')).toMatchObject({ text: 'Huge' });
    await expectTold(typed, 'COMBO_EDIT', 'CBN_EDITCHANGE');
    const chosen = await act(() => elements.select(id('COMBO_EDIT'), { index: 2 }));
    expect(await states('COMBO_EDIT')).toMatchObject({ selectedText: 'Large' });
    await expectTold(chosen, 'COMBO_EDIT', 'CBN_SELCHANGE');
  });

  test(of('Combo boxes', 'simple combo box: select'), async () => {
    const did = await act(() => elements.select(id('COMBO_SIMPLE'), { name: 'Two' }));
    expect(await states('COMBO_SIMPLE')).toMatchObject({ selectedText: 'Two' });
    await expectTold(did, 'COMBO_SIMPLE', 'CBN_SELCHANGE');
  });

  test(of('List boxes', 'list box: click, select by name and by index'), async () => {
    const clicked = await act(() => elements.click({ name: 'Entry 2' }));
    expectNothingOpened(clicked);
    expect(await states('LISTBOX')).toMatchObject({ selected: 2 });
    await expectTold(clicked, 'LISTBOX', 'LBN_SELCHANGE');
    const named = await act(() => elements.select(id('LISTBOX'), { name: 'Entry 4' }));
    expect(await states('LISTBOX')).toMatchObject({ selected: 4 });
    await expectTold(named, 'LISTBOX', 'LBN_SELCHANGE');
    const counted = await act(() => elements.select(id('LISTBOX'), { index: 1 }));
    expect(await states('LISTBOX')).toMatchObject({ selected: 1 });
    await expectTold(counted, 'LISTBOX', 'LBN_SELCHANGE');
  });

  test(
    of('List views', '[click.items] list view: a click on a row chooses it, and neither opens nor ticks it'),
    async () => {
      const { checkedCount } = await states('LIST_REPORT');
      const did = await act(() => elements.click({ name: 'Row 2' }));
      expectNothingOpened(did);
      expect(await states('LIST_REPORT')).toMatchObject({ selected: 2, selectedCount: 1, checkedCount });
      await expectTold(did, 'LIST_REPORT', 'LVN_ITEMCHANGED');
    },
  );

  test(of('List views', 'list view: select by name and by index'), async () => {
    const named = await act(() => elements.select(id('LIST_REPORT'), { name: 'Row 4' }));
    expect(await states('LIST_REPORT')).toMatchObject({ selected: 4, selectedCount: 1 });
    await expectTold(named, 'LIST_REPORT', 'LVN_ITEMCHANGED');
    const counted = await act(() => elements.select(id('LIST_REPORT'), { index: 0 }));
    expect(await states('LIST_REPORT')).toMatchObject({ selected: 0, selectedCount: 1 });
    await expectTold(counted, 'LIST_REPORT', 'LVN_ITEMCHANGED');
  });

  test(of('List views', 'list view: its rows as a table, with refs and what is selected'), async () => {
    await elements.select(id('LIST_REPORT'), { index: 3 });
    const ref = await elements.ref(id('LIST_REPORT'), 'select');
    const table = await elements.port.readTable(
      elements.record,
      ref,
      { from: 2, count: 2 },
      newCall({ deadlineMs: BUSY_MS }),
    );
    expect(table).toMatchObject({ columns: ['Name', 'Size', 'Date'], totalRows: 8 });
    expect(table.rows.map(({ cells, selected }) => [cells[1], selected])).toEqual([
      ['14 KB', false],
      ['21 KB', true],
    ]);
    expect(table.rows.every((row) => /^e\d+$/.test(row.ref ?? ''))).toBe(true);
    const did = await act(() =>
      elements.port.click(
        elements.record,
        table.rows[0]!.ref!,
        { delivery: 'background' },
        newCall({ deadlineMs: BUSY_MS }),
      ),
    );
    expect(await states('LIST_REPORT')).toMatchObject({ selected: 2 });
    await expectTold(did, 'LIST_REPORT', 'LVN_ITEMCHANGED');
  });

  test(of('Trees', 'tree: a click chooses and does not tick; a path is opened and chosen'), async () => {
    const did = await act(() => elements.click({ name: 'Vegetables' }));
    expect(await states('TREE')).toMatchObject({ item: 'Vegetables', checked: false, selected: true });
    await expectTold(did, 'TREE', 'TVN_SELCHANGED');
    const deep = await act(() => elements.select(id('TREE'), { name: 'Vegetables > Leek' }));
    expect(await states('TREE')).toMatchObject({ item: 'Leek', selected: true });
    await hears(deep, 'TREE', 'TVN_ITEMEXPANDED');
    await expectTold(deep, 'TREE', 'TVN_SELCHANGED');
  });

  test(of('Tabs', 'tab: click, select'), async () => {
    const clicked = await act(() => elements.click({ name: 'Advanced' }));
    expect(await states('TAB')).toMatchObject({ selected: 1 });
    await expectTold(clicked, 'TAB', 'TCN_SELCHANGE');
    const did = await act(() => elements.select(id('TAB'), { name: 'General' }));
    expect(await states('TAB')).toMatchObject({ selected: 0 });
    await expectTold(did, 'TAB', 'TCN_SELCHANGE');
  });

  test(of('Tool bars', 'tool bar: click; the pointer stays where it is'), async () => {
    const shown = await clicks();
    const did = await act(() => elements.click({ name: 'New' }));
    expect(await clicks()).not.toBe(shown);
    await until(
      () => did.told().some((entry) => entry.event === 'command' && entry['key'] === 'TB_NEW'),
      'New',
      HEARS_MS,
    );
    expect(did.patterns).toEqual([]);
    expect(did.done).toMatchObject({ value: true, outcome: { effect: 'confirmed' } });
    const isBold = (): number => ask('TOOLBAR', TB_ISBUTTONCHECKED, controlId('TB_BOLD'));
    const before = isBold();
    const bold = await act(() => elements.click({ name: 'Bold' }));
    await until(
      () => bold.told().some((entry) => entry.event === 'command' && entry['key'] === 'TB_BOLD'),
      'Bold',
      HEARS_MS,
    );
    expect(isBold()).not.toBe(before);
    expect(bold.done.outcome.effect).toBe('confirmed');
  });

  test(
    of(
      'Sliders, spinners and scroll bars',
      'slider: a number is a position, not a percentage, and its program hears which slider it was',
    ),
    async () => {
      ask('TRACK', TBM_SETRANGEMAX, 1, 10);
      const did = await act(() => elements.type(id('TRACK'), '6'));
      expect(await states('TRACK')).toMatchObject({ position: 6 });
      await expectTold(did, 'TRACK', 'SB_THUMBPOSITION');
      await expectTold(did, 'TRACK', 'SB_ENDSCROLL');
    },
  );

  test(of('Sliders, spinners and scroll bars', 'spinner: a number is its position'), async () => {
    const did = await act(() => elements.type(id('UPDOWN'), '12'));
    expect(await states('UPDOWN')).toMatchObject({ position: 12 });
    await expectTold(did, 'UPDOWN', 'SB_THUMBPOSITION');
    await expectTold(did, 'NUMBER', 'EN_CHANGE');
  });

  test(of('Sliders, spinners and scroll bars', 'the edit of a spinner: type'), async () => {
    const did = await act(() => elements.type(id('NUMBER'), '9'));
    expect(await states('NUMBER')).toMatchObject({ text: '9' });
    await expectTold(did, 'NUMBER', 'EN_CHANGE');
  });

  test(of('Headers', 'header: click'), async () => {
    const did = await act(() => elements.click({ name: 'Middle' }));
    await expectHeard(did, 'HEADER', 'HDN_ITEMCLICK');
  });

  test(of('Two families', '[snapshot.own-messages] fields are called the same on every system'), async () => {
    const nodes = await elements.nodes(READ);
    const nameOf = (key: string): string | undefined => nodes.find((node) => node.id === String(controlId(key)))?.name;
    for (const { key, label } of CONTROLS.filter((row) => row.label !== undefined && row.key !== 'DIALOG_EDIT'))
      expect([key, nameOf(key)?.replace(/:$/, '')]).toEqual([key, label]);
    for (const key of ['LIST_REPORT', 'LIST_ICONS', 'TREE', 'TRACK', 'LISTBOX'])
      expect([key, nameOf(key)]).not.toEqual([key, expect.stringMatching(/^(?:Country|nothing here)/)]);
  });

  test(of('Two families', '[refs.place] a row that took the place of another is not mistaken for it'), async () => {
    const { ref } = (await elements.nodes(READ)).find(({ name }) => name === 'Row 5')!;
    ask('LIST_REPORT', LVM_DELETEITEM, 0);
    const did = await act(() =>
      elements.port.click(elements.record, ref, { delivery: 'background' }, newCall({ deadlineMs: BUSY_MS })),
    );
    expect(await states('LIST_REPORT')).toMatchObject({ selected: 4 });
    await expectTold(did, 'LIST_REPORT', 'LVN_ITEMCHANGED');
  });

  test(of('Addresses', 'IP address: type; a text that is no address is refused'), async () => {
    const did = await act(() => elements.type(id('IP_ADDRESS'), '10.20.0.7'));
    expect(await valueOf('IP_ADDRESS')).toBe('10.20.0.7');
    await until(
      () => did.told().some((entry) => entry['key'] === 'IP_ADDRESS' && entry['code'] === EN_CHANGE),
      'EN_CHANGE of the address',
      HEARS_MS,
    );
    expect(did.done).toMatchObject({ value: true, outcome: { effect: 'confirmed' } });
    await refused(elements.type(id('IP_ADDRESS'), '10.20.0.999'), 'invalid_argument');
    expect(await valueOf('IP_ADDRESS')).toBe('10.20.0.7');
  });

  test(of('Links', 'a link of a text is clicked where the control says it is, or refused with the way'), async () => {
    for (const [name, told] of [
      ['help', { url: 'https://example.test/help' }],
      ['terms', { link: 'terms' }],
    ] as const) {
      const query = { name, role: 'Hyperlink' } as const;
      if (only(await elements.nodes(READ), { name, controlType: 'Hyperlink' }).unread === 'place') {
        expect((await refused(elements.click(query), 'target_offscreen')).hint).toContain('press Tab and Enter');
        continue;
      }
      const did = await act(() => elements.click(query));
      const clicked = (): JournalEntry | undefined => did.told().find(({ codeName }) => codeName === 'NM_CLICK');
      await until(clicked, `the click on ${name}`, HEARS_MS);
      expect(clicked()).toMatchObject({ key: 'LINK', ...told });
      expect(did.done).toMatchObject({ value: true, outcome: { effect: 'unverified' } });
    }
  });

  test(of('Status bars', 'status bar: its parts are read'), async () => {
    const nodes = await elements.nodes(READ);
    const texts = nodes.filter(({ controlType }) => controlType === 'Text').map(({ name }) => name);
    expect(texts).toEqual(expect.arrayContaining(['Ready', 'Ln 1, Col 1', 'UTF-8']));
  });

  test(of('Sliders, spinners and scroll bars', 'scroll bar: a number is its position'), async () => {
    const did = await act(() => elements.type(id('SCROLL_H'), '45'));
    expect(await states('SCROLL_H')).toMatchObject({ position: 45 });
    await expectTold(did, 'SCROLL_H', 'SB_THUMBPOSITION');
    await expectTold(did, 'SCROLL_H', 'SB_ENDSCROLL');
  });

  test(of('Scrolling', 'a child outside its panel comes into view'), async () => {
    const ref = await elements.ref({ name: 'Below the fold' }, 'scroll');
    const did = await act(() => elements.port.scrollIntoView(elements.record, ref, newCall({ deadlineMs: BUSY_MS })));
    expect((await states('PANEL_SCROLL'))['position']).toBeGreaterThan(0);
    expect(did.told()).toContainEqual(expect.objectContaining({ event: 'scroll', key: 'PANEL_SCROLL' }));
    expect(did.done).toMatchObject({ value: true, outcome: { effect: 'confirmed' } });
  });

  test(of('Menus', 'menu: an entry by its path, else refused with the keys that work'), async () => {
    const root = (await elements.nodes(READ)).find(({ depth }) => depth === 0)!.ref;
    const call = newCall({ deadlineMs: BUSY_MS });
    const work = (): Promise<Done<boolean>> =>
      elements.port.select(elements.record, root, { name: 'File > New' }, call);
    if (user32.GetMenuItemCount(user32.GetMenu(controls.hwnd)) < 0) {
      const error = await refused(work(), 'unsupported');
      expect(error.hint).toContain('alt+f');
    } else {
      const did = await act(work);
      await until(() => did.told().some((entry) => entry['key'] === 'MENU_NEW'), 'the command', HEARS_MS);
    }
  });
}

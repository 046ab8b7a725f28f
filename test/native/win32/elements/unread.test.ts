/** Controls that show more than they answer: read by the way that exists, or marked as unknown with what to do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WM_GETTEXTLENGTH } from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { rectCentre } from '../../../../src/contract/element/coordinates.ts';
import { FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { createPointerPort } from '../../../../src/win32/ports/input.ts';
import type { Outcome } from '../../../../src/contract/outcome.ts';
import { outerRect } from '../../../../src/win32/windows/rects.ts';
import { Asker } from '../../../../src/win32/windows/ask.ts';
import { bare, Elements, only, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { descendants, type TreeNode } from '../../../support/snapshot-tree.ts';

let fixture: Fixture;
let elements: Elements;
let text: string;
let nodes: readonly TreeNode[];

beforeAll(async () => {
  fixture = await Fixture.start('unread', ['--topmost']);
  elements = await Elements.bind(fixture.hwnd);
  text = (await elements.snapshot()).accessibilityText;
  nodes = await elements.nodes({ items: 'all' });
});
afterAll(() => fixture[Symbol.asyncDispose]());

const lineOf = (id: string): string => text.split('\n').find((line) => line.includes(`id="${id}"`)) ?? '';
const below = (id: string): TreeNode[] => [...descendants([...nodes], only(nodes, { id }))];

describe('[unread.marked] what no source tells', () => {
  bare(it)('is marked: drawn items, a drawn choice, drawn buttons', () => {
    expect(text).toMatch(/\[ListItem\] "" \([^)]*\) ref=e\d+ text unknown … 2 more alike/);
    expect(lineOf('101')).toContain('value unknown … 3 items');
    expect(lineOf('115')).toContain('state unknown');
    expect(text).toMatch(/\[TabItem\] "" \([^)]*\) ref=e\d+ selected text unknown/);
    expect(text).toMatch(/\(Text unknown: .*choose it by its index.*State unknown: /);
  });

  it('is marked: a drawn text, a drawn column, a drawn part of a status bar, a text that its program keeps; a marquee has no value', () => {
    expect(lineOf('160')).toContain('text unknown');
    const columns = nodes.filter(({ controlType }) => controlType === 'HeaderItem');
    const plain = columns.findIndex(({ name }) => name === 'Plain');
    expect(columns[plain + 1]).toMatchObject({ name: '', unread: 'text' });
    expect(below('163').map(({ name, unread }) => [name, unread])).toEqual([
      ['Ready', undefined],
      ['', 'text'],
    ]);
    expect(below('164')).toMatchObject([{ name: '', unread: 'text' }]);
    expect(lineOf('165')).toContain('value unknown');
    expect(lineOf('162')).toMatch(/\[ProgressBar\] "" \([^)]*\) ref=e\d+ id="162"$/);
  });

  it('is marked: check marks that a program draws in a list, unless it answers for them', () => {
    expect(lineOf('166')).toContain('marks unknown');
    expect(text).toContain('Marks unknown: ');
    expect(lineOf('167')).not.toContain('unknown');
    expect(below('167').map(({ states }) => states.includes('checked'))).toEqual([false, true, false]);
    expect(lineOf('100')).not.toContain('marks');
  });

  it('a click at a mark is not confirmed by the row that it chose, but by the mark', async () => {
    const pointer = createPointerPort(elements.services, {
      held: new HeldInputs(),
      focus: new FocusMemory(),
      trees: elements.port,
    });
    const click = async (id: string, index: number, x: number): Promise<Outcome> => {
      const [list, item] = [only(nodes, { id }), below(id)[index]!];
      const box = outerRect(user32.GetDlgItem(fixture.hwnd, Number(id)))!;
      const at = { x: box.x + item.x - list.x + x, y: box.y + item.y - list.y + 7 };
      await elements.port.context(elements.record, { kind: 'point', at }, newCall());
      const how = { button: 'left', count: 1, modifiers: [], delivery: 'background' } as const;
      return (await pointer.click(elements.record, at, how, newCall())).outcome;
    };
    const drawn = await click('166', 0, 7);
    expect(drawn).toMatchObject({
      effect: 'unverified',
      evidence: expect.arrayContaining([expect.objectContaining({ kind: 'selection' })]),
    });
    expect(drawn.attempts.at(-1)?.reason).toContain('whether the mark there has turned is not known');
    expect(await click('166', 2, 60)).toMatchObject({ effect: 'confirmed' });
    for (const after of ['checked', 'unchecked'])
      expect(await click('167', 2, 7)).toMatchObject({
        effect: 'confirmed',
        evidence: expect.arrayContaining([expect.objectContaining({ kind: 'item-state', after })]),
      });
  });

  it('is read by the way that exists: a ComboBoxEx32, texts of a program’s own address, an answer of 0', () => {
    expect(only(nodes, { id: '102' }).value).toBe('Beta');
    expect(
      below('102')
        .filter(({ controlType }) => controlType === 'ListItem')
        .map(({ name }) => name),
    ).toEqual(['Alpha', 'Beta', 'Gamma']);
    expect(below('103').map(({ name }) => name)).toEqual(['General', 'Details']);
    expect(below('105').map(({ name }) => name)).toEqual(['First', 'Second']);
    expect(below('157').map(({ name }) => name)).toEqual(['Site', 'Site', 'Other']);
  });

  bare(it)('without memory in the program, the controls that need it are marked instead of empty', async () => {
    const bare = (await elements.snapshot({ remoteControlMemory: false })).accessibilityText;
    const line = (id: string): string => bare.split('\n').find((each) => each.includes(`id="${id}"`)) ?? '';
    for (const id of ['103', '104', '117']) expect(line(id)).toContain('items unknown');
    expect(line('108')).toContain('value unknown');
    expect(bare).toContain('Items unknown: ');
  });
});

it('a path whose branch is there twice is ambiguous, and not missing; a branch that is there once is opened', async () => {
  const sites = { automationId: '157' };
  await expect(elements.select(sites, { name: 'Site > Page' })).rejects.toMatchObject({
    code: 'target_ambiguous',
    message: expect.stringContaining('2 items of Tree') as string,
    hint: expect.stringContaining('Expand the branch') as string,
  });
  expect(await elements.select(sites, { name: 'Other > Page' })).toMatchObject({ outcome: { effect: 'confirmed' } });
});

it('rows whose first column has no width are named, found and chosen by what a person sees', async () => {
  expect(below('151').filter(({ controlType }) => controlType === 'ListItem')).toMatchObject([
    { name: 'Anna', states: [] },
    { name: 'Bert', states: [] },
  ]);
  expect(await elements.select({ automationId: '151' }, { name: 'Bert' })).toMatchObject({
    outcome: { effect: 'confirmed' },
  });
});

it('a hot key control: takes no text, and the refusal names what works', async () => {
  await expect(elements.type({ automationId: '155' }, 'Ctrl+K')).rejects.toMatchObject({
    code: 'unsupported',
    delivery: 'not_delivered',
    hint: expect.stringContaining('delivery: "foreground"'),
  });
});

it('[unread.chosen] an item whose text is unknown is chosen by its index, and by a name not', async () => {
  for (const id of ['100', '101', '102']) {
    const done = await elements.select({ automationId: id }, { index: 2 });
    expect([id, done.value, done.outcome.effect]).toEqual([id, true, 'confirmed']);
  }
  for (const id of ['100', '101']) {
    const error = await refusal(elements.select({ automationId: id }, { name: 'Blue' }), 'unsupported');
    expect(error.hint).toContain('index');
  }
  expect((await elements.select({ automationId: '102' }, { name: 'Alpha' })).outcome.effect).toBe('confirmed');
});

it('a list view: leaves out columns of no width, and keeps cells without a text empty', async () => {
  expect(below('104').filter(({ controlType }) => controlType === 'ListItem')[0]!.value).toBeUndefined();
  const ref = await elements.ref({ automationId: '104' }, 'look');
  const table = await elements.port.readTable(elements.record, ref, { from: 0, count: 2 }, newCall());
  expect(table.columns).toEqual(['Name', 'Price', 'Secret', 'Remark']);
  expect(table.rows.map(({ cells }) => cells)).toEqual([
    ['Pen', '', 'hidden', ''],
    ['Ink', '', 'hidden', ''],
  ]);
  expect(table.hiddenColumns).toEqual([2]);
});

describe('a click on a button that its program draws', () => {
  it('is confirmed by its picture where that changes, and else unverified', async () => {
    const on = await elements.click({ name: 'TXT' });
    expect(on.outcome).toMatchObject({ effect: 'confirmed', evidence: [{ kind: 'picture' }] });
    expect((await elements.click({ name: 'TXT' })).outcome.effect).toBe('confirmed');
    expect((await elements.click({ name: 'Robot' })).outcome.effect).toBe('unverified');
  });

  bare(it)('gets BM_CLICK where Windows Forms draws it, which hears nothing of the notification', async () => {
    for (const round of [1, 2]) {
      const { outcome } = await elements.click({ name: 'Urgent' });
      expect(outcome, String(round)).toMatchObject({
        effect: 'confirmed',
        focusChanged: false,
        attempts: [{ rung: 'message', result: 'delivered', reason: 'BM_CLICK' }],
      });
    }
  });

  it('and so by a click at its point, where another window may cover it', async () => {
    const { port, record, services } = elements;
    const pointer = createPointerPort(services, { held: new HeldInputs(), focus: new FocusMemory(), trees: port });
    const at = rectCentre((await elements.context({ name: 'Urgent' })).element!.rect);
    const options = { button: 'left', count: 1, modifiers: [], delivery: 'background' } as const;
    const { outcome } = await pointer.click(record, at, options, newCall());
    expect(outcome).toMatchObject({
      delivery: 'message',
      attempts: [{ reason: 'BM_CLICK to Button “Urgent” under the point' }],
    });
  });
});

it.each(['145', '146', '147'])(
  'lines in a copy of the edit control: %s are broken at CR LF, as in the control itself',
  async (automationId) => {
    const done = await elements.type({ automationId }, 'one\ntwo\r\nthree');
    expect(done.outcome.effect).toBe('confirmed');
    const field = user32.GetDlgItem(fixture.hwnd, Number(automationId));
    expect(new Asker(1000).ask(field, WM_GETTEXTLENGTH)).toBe('one\r\ntwo\r\nthree'.length);
  },
);

it('a tool bar names buttons that share an id each by its own text', () => {
  expect(below('117').map(({ name }) => name)).toEqual(['Left', 'Right']);
});

describe('a field in a panel', () => {
  it('is named by the text next to the panel', async () => {
    expect(only(nodes, { id: '122' }).name).toBe('Full name:');
    expect(only(nodes, { id: '125' }).name).toBe('Age:');
    expect((await elements.type({ name: 'Full name:' }, 'Ada')).outcome.effect).toBe('confirmed');
  });

  it('does not lend its name to the tabs left of it', () => {
    expect(only(nodes, { id: '103' }).name).not.toBe('Full name:');
  });
});

it('pickers: show what they hold', () => {
  const value = (id: string): string | undefined => only(nodes, { id }).value;
  expect(value('106')).toContain('2026');
  expect(value('107')).toBe('(no date)');
  expect(value('108')).toBe('2026-12-03/2026-12-05');
  expect(value('109')).toBe('2026-11-25');
  expect(value('110')).toBe('192.168..1');
});

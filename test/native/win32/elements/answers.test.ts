/** Texts of controls whose program answers wrongly for them, and controls that have no text of their own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rectCentre } from '../../../../src/contract/element/coordinates.ts';
import { FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { createPointerPort } from '../../../../src/win32/ports/input.ts';
import { Elements, only, refusal } from '../support/elements.ts';
import { Fixture, newCall, type JournalEntry } from '../support/programs.ts';
import { until } from '../../../support/until.ts';
import { descendants } from '../../../support/snapshot-tree.ts';

let fixture: Fixture;
let elements: Elements;

beforeAll(async () => {
  fixture = await Fixture.start('answers', ['--topmost']);
  elements = await Elements.bind(fixture.hwnd);
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** Controls that show the text as their value, and controls that show it as the name of the item in them. */
const BY_VALUE = {
  101: 'edit',
  102: 'rich edit',
  104: 'combo box with a field',
  103: 'drop-down list',
  113: 'own control',
  112: 'ComboBoxEx32',
};
const BY_ITEM = {
  105: 'list box',
  106: 'list view',
  107: 'tree',
  108: 'tab',
  109: 'header',
  110: 'tool bar',
  111: 'status bar',
  103: 'entry',
  104: 'entry of a field',
  112: 'entry of a ComboBoxEx32',
};

/** What a snapshot tells of each text: the text itself, `?` for a text that is marked as unknown. */
async function told(): Promise<Record<string, string>> {
  const nodes = await elements.nodes({ items: 'all' });
  const shown: Record<string, string> = {};
  for (const [id, kind] of Object.entries(BY_VALUE)) {
    const node = only(nodes, { id });
    shown[kind] = node.unread === undefined ? (node.value ?? '') : '?';
  }
  for (const [id, kind] of Object.entries(BY_ITEM)) {
    const control = only(nodes, { id });
    const [item] = descendants([...nodes], control);
    shown[kind] = item?.unread === 'text' || control.unread === 'items' ? '?' : (item?.name ?? 'nothing');
  }
  const lines = only(nodes, { id: '116' });
  shown['lines'] = lines.unread === undefined ? (lines.value ?? '').replace('\r\n', ' ') : '?';
  return shown;
}

const KINDS = [...Object.values(BY_VALUE), ...Object.values(BY_ITEM), 'lines'];
const all = (text: string): Record<string, string> => Object.fromEntries(KINDS.map((kind) => [kind, text]));

describe('a program that answers wrongly for a text', () => {
  it('that answers rightly is read', async () => expect(await told()).toEqual(all('Kept text')));

  const texts = ['0', '1', 'more', '-1', 'nothing', 'promise', 'grow'];
  const lengths = ['length 0', 'length 2', 'length more', 'length -1', 'length huge'];
  it.each([...texts, ...lengths])(
    'answer %s: no text is shown as empty, cut or with what is not in it',
    async (how) => {
      await fixture.tell(`answer ${how}`);
      const wrong = Object.entries(await told()).filter(([, text]) => !/^(?:Kept text|\?|g{16}|g{990,}…?)$/.test(text));
      // A list view without an answer, text or length, has no text.
      expect(wrong.filter(([kind]) => how !== 'nothing' || kind !== 'list view')).toEqual([]);
      await fixture.tell('answer true');
      expect(await told()).toEqual(all('Kept text'));
    },
  );

  it('does not confirm what is typed into a field that keeps its text to itself', async () => {
    await fixture.tell('answer nothing');
    const { outcome } = await elements.type({ automationId: '101' }, 'new');
    expect(outcome.effect).toBe('unverified');
    await fixture.tell('answer true');
  });
});

it('a field that is named by nothing else has the name that a person reads in it, and stays empty', async () => {
  const nodes = await elements.nodes();
  expect(only(nodes, { id: '201' })).toMatchObject({ name: 'Search documents', value: undefined, unread: undefined });
  expect(only(nodes, { id: '202' }).name).toBe('City:');
  expect(only(nodes, { id: '203' })).toMatchObject({ name: 'Choose a country', unread: undefined });
  expect(only(nodes, { id: '209' })).toMatchObject({ name: '', unread: undefined });
  expect(only(nodes, { id: '211' })).toMatchObject({ value: undefined, unread: undefined });
  const done = await elements.type({ name: 'Search documents' }, 'tax');
  expect(done.outcome.effect).toBe('confirmed');
  expect(only(await elements.nodes(), { id: '201' })).toMatchObject({ name: 'Search documents', value: 'tax' });
});

it('parts that show icons alone are told apart by their places', async () => {
  const nodes = await elements.nodes();
  const names = (id: string): string[] => [...descendants(nodes, only(nodes, { id }))].map(({ name }) => name);
  const places = (count: number): string[] => Array.from({ length: count }, (_, at) => `(place ${at + 1} of ${count})`);
  expect(names('205')).toEqual(places(3));
  expect(names('204')).toEqual(places(3));
  expect(names('206')).toEqual(places(3));
  expect(names('210')).toEqual(places(2));
  expect((await elements.select({ automationId: '204' }, { index: 2 })).value).toBe(true);
  const after = await elements.nodes();
  expect([...descendants(after, only(after, { id: '204' }))][2]!.states).toContain('selected');
});

it('links of one text: that begin it or are in its middle have a place and are pressed there, others are refused with the way', async () => {
  const nodes = await elements.nodes();
  const { port, record, services } = elements;
  const pointer = createPointerPort(services, { held: new HeldInputs(), focus: new FocusMemory(), trees: port });
  const pressed = (): JournalEntry[] => fixture.journal().filter((entry) => entry.event === 'link');
  const placed: boolean[] = [];
  for (const [id, count] of [
    ['207', 3],
    ['208', 2],
  ] as const) {
    const links = [...descendants(nodes, only(nodes, { id }))];
    expect(links).toHaveLength(count);
    for (const [index, link] of links.entries()) {
      const query = { name: link.name, role: 'Hyperlink' } as const;
      placed.push(link.unread === undefined);
      if (link.unread !== undefined) {
        expect(link).toMatchObject({ unread: 'place', states: ['offscreen'] });
        const before = pressed().length;
        expect((await refusal(elements.click(query), 'target_offscreen')).hint).toContain('press Tab and Enter');
        expect(pressed()).toHaveLength(before);
        continue;
      }
      const options = { button: 'left', count: 1, modifiers: [], delivery: 'background' } as const;
      const before = pressed().length;
      const { element } = await elements.context(query);
      await pointer.click(record, rectCentre(element!.rect), options, newCall());
      await elements.click(query);
      await until(() => pressed().length === before + 2, `two presses of ${link.name}`);
      expect(pressed().slice(-2)).toMatchObject([
        { id: Number(id), index },
        { id: Number(id), index },
      ]);
    }
  }
  expect(placed).toContain(true);
  expect(placed).toContain(false);
});

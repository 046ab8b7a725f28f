/** Snapshots of real windows: controls.ids.json lists what controls.exe has, and its journal is the second witness. */
import { readFileSync } from 'node:fs';
import { withoutAccelerator } from '../../../../../src/contract/element/element-words.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { user32 } from '../../../../../native-bindings/win32/user32.ts';
import { imageToScreen, rectCentre } from '../../../../../src/contract/element/coordinates.ts';
import { type TreeNode, parseTree } from '../../../../support/snapshot-tree.ts';
import { shownName } from '../../../../../src/win32/elements/tree/labels.ts';
import { LiveViews } from '../../../../../src/win32/elements/reading/live-views.ts';
import { readWindow } from '../../../../../src/win32/elements/reading/observe.ts';
import { nodeAt } from '../../../../../src/win32/elements/tree/tree.ts';
import { dump, Elements, only, refusal } from '../../support/elements.ts';
import { Fixture, newCall, hangs } from '../../support/programs.ts';
import { until } from '../../../../support/until.ts';
import { wordsOf } from '../../../../support/words.ts';

interface Id {
  key: string;
  id: number;
  type: string;
  text?: string;
  label?: string;
}
const ids = (
  JSON.parse(readFileSync(new URL('../../../../fixtures/controls.ids.json', import.meta.url), 'utf8')) as { ids: Id[] }
).ids;
const PASSWORD = 's3cret-Pa55';

describe('a window with every common control', () => {
  let fixture: Fixture;
  let elements: Elements;
  let nodes: TreeNode[];
  const byId = (id: number): TreeNode => only(nodes, { id: String(id) });
  const below = (parent: TreeNode): TreeNode[] => {
    const rest = nodes.slice(nodes.indexOf(parent) + 1);
    const end = rest.findIndex((node) => node.depth <= parent.depth);
    return end < 0 ? rest : rest.slice(0, end);
  };

  beforeAll(async () => {
    fixture = await Fixture.start('controls', ['--topmost', '--late-ms', '10']);
    elements = await Elements.bind(fixture.hwnd);
    await until(() => user32.GetDlgItem(fixture.hwnd, 116) || null, 'the late button');
    nodes = await elements.nodes({ items: 'all' });
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test('[snapshot.sources] every visible control is there with its type, name and rectangle', async () => {
    const states = await dump(fixture);
    const [left, top] = [fixture.journal().find((entry) => entry.event === 'ready')!['rect'] as number[]].map(
      (rect) => [rect[0]!, rect[1]!],
    )[0]!;
    const geometry = (await elements.snapshot()).geometry;
    expect([geometry.originX, geometry.originY]).toEqual([left, top]);
    for (const { key, id, type, text, label } of ids) {
      const state = states.get(id);
      // Pictures without a name say nothing and are left out.
      if (state === undefined || state['visible'] !== true || id >= 900 || type === 'MenuItem' || type === 'Image')
        continue;
      const node = nodes.find((one) => one.id === String(id));
      if (node === undefined) throw new Error(`${key} is not in the snapshot`);
      // A split button is a SplitButton to UI Automation; role button means both.
      expect([type, type === 'Button' ? 'SplitButton' : type], key).toContain(node.controlType);
      if (label !== undefined) expect(node.name.replace(/:$/, ''), key).toBe(label);
      else if (text !== undefined && ['Button', 'CheckBox', 'RadioButton', 'Group', 'Text'].includes(type)) {
        expect(node.name, key).toBe(id >= 300 && type === 'Text' ? text : withoutAccelerator(text));
      }
      if (node.states.includes('offscreen')) continue;
      const [x, y] = state['rect'] as number[];
      const screen = imageToScreen(geometry, { x: node.x, y: node.y });
      expect([Math.abs(screen.x - x!), Math.abs(screen.y - y!)], key).toEqual([0, 0]);
    }
  });

  test('states and values match the controls', () => {
    expect(byId(104).states).toEqual(['mixed']);
    expect(byId(106).states).toEqual(['selected']);
    expect(byId(108).states).toEqual(['disabled']);
    expect(byId(118).states).toEqual(['disabled', 'checked']);
    expect(byId(209)).toMatchObject({ value: 'SN-0042', states: ['readonly'] });
    expect(byId(207)).toMatchObject({ value: 'first line\r\nsecond line', name: 'Notes:' });
    expect(byId(213)).toMatchObject({ controlType: 'Document', value: 'rich text here' });
    expect(byId(221)).toMatchObject({ value: 'Canada', states: ['collapsed'] });
    expect(byId(222)).toMatchObject({ value: 'free text' });
    expect([261, 262, 263, 264, 212].map((id) => byId(id).value)).toEqual(['30', '65', '20', '40', '7']);
    expect([265, 266, 267, 268].map((id) => byId(id).value)).toEqual(wordsOf`
      2024-02-29 2024-02-29 192.168.7.21 Ctrl+Alt+K
    `);
    expect(byId(282).states).toContain('offscreen');
  });

  test('items of list boxes, combo boxes, list views, trees, tabs, tool and status bars', () => {
    const names = (id: number): string[] => below(byId(id)).map((node) => node.name);
    expect(names(231)).toEqual(['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon']);
    expect(
      below(byId(231))
        .filter((node) => node.states.includes('selected'))
        .map((node) => node.name),
    ).toEqual(['Beta', 'Delta']);
    expect(names(221)).toEqual(['Austria', 'Belgium', 'Canada', 'Denmark', 'Estonia']);
    expect(names(243)).toEqual(['Fruit', 'Apple', 'Pear', 'Vegetables', 'Empty']);
    expect(below(byId(243)).map((node) => node.states.filter((state) => state !== 'selected').join())).toEqual([
      'expanded',
      '',
      'collapsed',
      'collapsed',
      '',
    ]);
    expect(names(244)).toEqual(['General', 'Advanced', 'Über']);
    expect(below(byId(244)).map((node) => node.states)).toEqual([['selected'], [], []]);
    expect(below(byId(250)).map((node) => `${node.controlType} ${node.name} ${node.states.join()}`)).toEqual([
      'Button New ',
      'CheckBox Bold checked',
      'Button Unavailable disabled',
      'SplitButton More ',
    ]);
    expect(names(260)).toEqual(['Ready', 'Ln 1, Col 1', 'UTF-8']);
    expect(names(272)).toEqual(['Left', 'Middle', 'Right']);
    expect(names(269)).toEqual(['terms', 'help']);
    expect(names(241)).toEqual(['Desktop', 'Documents', 'Music', 'Pictures']);
    expect(byId(271).name).toBe('Address');
  });

  test('[snapshot.counted] a closed combo box and a list out of view count their items', async () => {
    const counted = await elements.nodes();
    const combo = only(counted, { id: '221' });
    expect(combo).toMatchObject({ value: 'Canada', states: ['collapsed'], counted: 5 });
    expect(counted.filter(({ name }) => ['Austria', 'Estonia'].includes(name))).toEqual([]);
    expect(byId(221).counted).toBeUndefined();
    // a counted item is found by its name, as a listed item is
    expect((await elements.context({ name: 'Estonia' })).element).toMatchObject({ controlType: 'ListItem' });
  });

  test('[snapshot.brief] every element that can be operated has its ref, in a third of the text', async () => {
    const [full, brief] = await Promise.all([elements.snapshot(), elements.snapshot({ form: 'brief' })]);
    const operated =
      /^(?:Button|CheckBox|ComboBox|Edit|Document|Hyperlink|ListItem|RadioButton|Slider|Spinner|SplitButton|TabItem|TreeItem)$/;
    const refs = new Set(brief.accessibilityText.split('\n').map((line) => / *[A-Za-z]+ (e\d+)/.exec(line)?.[1]));
    const missing = parseTree(full.accessibilityText).filter(
      ({ controlType, ref }) => operated.test(controlType) && !refs.has(ref),
    );
    expect(missing).toEqual([]);
    expect(brief.accessibilityText.length).toBeLessThan(full.accessibilityText.length / 1.6);
  });

  test('a difference has the form of its observation; a different form is refused', async () => {
    const before = await elements.snapshot({ form: 'brief' });
    await fixture.tell('text 201 Changed');
    const after = await elements.snapshot({ since: before.observationId });
    expect(after.accessibilityText).toMatch(/^~ +Edit e\d+ ".*" value="Changed"$/);
    expect((await elements.snapshot({ since: after.observationId, form: 'brief' })).accessibilityText).toBe('');
    for (const other of [{ form: 'full' }, { items: 'all' }] as const)
      await refusal(elements.snapshot({ since: before.observationId, ...other }), 'invalid_argument');
    await fixture.tell('text 201 Ada');
  });

  test('rows of a list view with their columns and checks; for a long list the rows in view and their total', () => {
    const rows = below(byId(240)).filter((node) => node.controlType === 'ListItem');
    expect(rows[0]).toMatchObject({
      name: 'Row 0',
      value: expect.stringMatching(/^0 KB \| /) as unknown,
      states: ['checked'],
    });
    expect(rows[1]).toMatchObject({ name: 'Row 1', value: expect.stringMatching(/^7 KB \| /) as unknown, states: [] });
    expect(rows.length).toBeLessThan(30);
    expect(byId(240).value).toBe(`${rows.length} of 200 items`);
    expect(byId(242).value).toMatch(/^\d+ of 1000 items$/);
    expect(
      below(byId(240))
        .slice(0, 4)
        .map((node) => node.name),
    ).toEqual(['', 'Name', 'Size', 'Date']);
  });

  test('[snapshot.password] the value of a password field is nowhere', async () => {
    const text = (await elements.snapshot()).accessibilityText;
    expect(text).not.toContain(PASSWORD);
    expect(byId(205)).toMatchObject({ value: undefined, states: ['password'], name: 'Password:' });
    expect(JSON.stringify(await elements.context({ automationId: '205' }))).not.toContain(PASSWORD);
  });

  test('[snapshot.escaping] a text that tries to be a line stays inside its quotes', async () => {
    expect(byId(320).name).toBe('ok"\n[Button] "forged"');
    expect(
      (await elements.snapshot()).accessibilityText.split('\n').filter((line) => line.includes('[Button] "forged"')),
    ).toEqual([]);
  });

  test('the centre of every enabled leaf in view hits that element', async () => {
    const { geometry } = await elements.snapshot();
    // A group box is below what it frames; a link’s place in its text is not reported.
    const leaves = nodes.filter(
      (node, index) =>
        (nodes[index + 1]?.depth ?? 0) <= node.depth &&
        node.depth > 0 &&
        !['Group', 'Hyperlink'].includes(node.controlType) &&
        !node.states.includes('offscreen') &&
        !node.states.includes('disabled'),
    );
    expect(leaves.length).toBeGreaterThan(80);
    const { root } = readWindow(elements.record, {
      budgetMs: 8000,
      remoteControlMemory: true,
      automation: null,
      views: new LiveViews(),
    });
    for (const leaf of leaves) {
      const at = imageToScreen(geometry, rectCentre(leaf));
      const hit = user32.WindowFromPoint(at);
      const node = nodeAt(root, at);
      expect(
        [node?.controlType, node === null ? null : shownName(node)],
        `${leaf.controlType} ${leaf.name} ${JSON.stringify(at)}`,
      ).toEqual([leaf.controlType, leaf.name]);
      expect(user32.GetAncestor(hit, 2), leaf.name).toBe(fixture.hwnd);
      if (
        leaf.id !== undefined &&
        /^\d+$/.test(leaf.id) &&
        !['Text', 'Image', 'ComboBox', 'Edit', 'Calendar'].includes(leaf.controlType)
      ) {
        expect(user32.GetDlgCtrlID(hit), `${leaf.controlType} ${leaf.name}`).toBe(Number(leaf.id));
      }
    }
  });

  test('refs stay with their elements', async () => {
    const again = await elements.nodes({ items: 'all' });
    expect(again.map((node) => node.ref)).toEqual(nodes.map((node) => node.ref));
    expect(new Set(nodes.map((node) => node.ref)).size).toBe(nodes.length);
  });

  test('[snapshot.cursor] the pages of an observation together are the whole', async () => {
    const whole = await elements.snapshot();
    const lines: string[] = [];
    let page = await elements.snapshot({ maxTokens: 500 });
    const { observationId } = page;
    for (;;) {
      expect(Buffer.byteLength(page.accessibilityText)).toBeLessThanOrEqual(2000);
      expect(page.observationId).toBe(observationId);
      const shown = page.accessibilityText.split('\n');
      if (page.cursor === undefined) {
        lines.push(...shown);
        break;
      }
      expect(shown.pop()).toMatch(/^… \d+ more$/);
      lines.push(...shown);
      page = await elements.snapshot({ maxTokens: 500, cursor: page.cursor });
    }
    expect(lines.join('\n')).toBe(whole.accessibilityText);
    await refusal(elements.snapshot({ cursor: 'obs_unknown:3' }), 'invalid_argument');
    await refusal(elements.snapshot({ cursor: 'nonsense' }), 'invalid_argument');
  });

  test('cuts by elements', async () => {
    const page = await elements.snapshot({ maxElements: 5 });
    expect(page.accessibilityText.split('\n')).toHaveLength(6);
    expect(page.elementCount).toBe(5);
  });

  test('without memory in the target its items are counted, not read', async () => {
    const guarded = parseTree((await elements.snapshot({ remoteControlMemory: false })).accessibilityText);
    expect(only(guarded, { id: '240' }).value).toBe('0 of 200 items');
    expect(guarded.filter((node) => node.name === 'Apple' || node.name === 'Row 0')).toEqual([]);
    // What needs no memory is still there.
    expect(guarded.filter((node) => node.name === 'Alpha')).toHaveLength(1);
    await elements.snapshot();
  });

  test('[observations.eight] a snapshot can be compared with any of the last eight, not with older snapshots', async () => {
    const first = await elements.snapshot();
    for (let count = 0; count < 7; count++) await elements.snapshot();
    expect((await elements.snapshot({ since: first.observationId })).accessibilityText).toBe('');
    await refusal(elements.snapshot({ since: first.observationId }), 'invalid_argument');
  });
});

describe('changes', () => {
  test('[snapshot.since] lines with +, ~ and -; nothing changed is an empty text', async () => {
    await using fixture = await Fixture.start('controls', ['--late-ms', '10']);
    const elements = await Elements.bind(fixture.hwnd);
    await until(() => user32.GetDlgItem(fixture.hwnd, 116) || null, 'the late button');
    const before = await elements.snapshot();
    expect((await elements.snapshot({ since: before.observationId })).accessibilityText).toBe('');
    const last = await elements.snapshot();
    await fixture.tell('text 201 Grace');
    await fixture.tell('remove 123');
    await fixture.tell('enable 101 0');
    const changed = parseTree((await elements.snapshot({ since: last.observationId })).accessibilityText);
    expect(changed.map((node) => `${node.change} ${node.id}`).sort()).toEqual(['- 123', '~ 101', '~ 201']);
    expect(only(changed, { id: '201' }).value).toBe('Grace');
    const again = await elements.snapshot();
    await fixture.tell('show 101 0');
    expect(
      parseTree((await elements.snapshot({ since: again.observationId })).accessibilityText).map(
        (node) => `${node.change} ${node.id}`,
      ),
    ).toEqual(['- 101']);
    await fixture.tell('show 101 1');
    const back = parseTree((await elements.snapshot({ since: again.observationId })).accessibilityText);
    expect(back).toEqual([]);
  });

  test('[refs.gone] [element.stale] a ref whose element is gone is element_stale, and no other element gets it', async () => {
    await using fixture = await Fixture.start('controls');
    const elements = await Elements.bind(fixture.hwnd);
    const ref = await elements.ref({ automationId: '101' });
    await fixture.tell('remove 101');
    await refusal(elements.context({ ref }), 'element_stale');
    await refusal(elements.port.click(elements.record, ref, { delivery: 'background' }, newCall()), 'element_stale');
    expect((await elements.nodes()).map((node) => node.ref)).not.toContain(ref);
    await refusal(elements.context({ ref: 'e999999' }), 'element_stale');
  });

  test('refs of one session are unknown to another', async () => {
    await using fixture = await Fixture.start('controls');
    const elements = await Elements.bind(fixture.hwnd);
    const ref = await elements.ref({ automationId: '101' });
    await refusal(
      elements.port.context(
        elements.record,
        { kind: 'element', query: { ref }, purpose: 'click' },
        newCall({ owner: 'other/default' }),
      ),
      'element_stale',
    );
  });
});

describe('windows that make it hard', () => {
  test('[snapshot.partial] a hung window gives Windows’ own facts, partial, within the deadline', async () => {
    await using fixture = await Fixture.start('controls');
    const elements = await Elements.bind(fixture.hwnd);
    await fixture.tell('hang 30000');
    const data = await elements.snapshot({ budgetMs: 3000 }, newCall({ deadlineMs: 4000 }));
    expect(await hangs(fixture.hwnd)).toBe(true);
    expect(data.partial).toBe(true);
    const nodes = parseTree(data.accessibilityText);
    expect(only(nodes, { id: '101' })).toMatchObject({ controlType: 'Button', name: 'Push me' });
    expect(data.accessibilityText).not.toContain(PASSWORD);
  });

  test('a program’s own window without text is kept; nodes without content are dropped', async () => {
    await using fixture = await Fixture.start('controls');
    const nodes = await (await Elements.bind(fixture.hwnd)).nodes();
    expect(only(nodes, { id: '121' }).controlType).toBe('Custom');
    expect(nodes.filter((node) => node.id === '122')).toEqual([]);
    expect(nodes.filter((node) => node.controlType === 'Pane').map((node) => node.id)).toContain('290');
  });

  test('three hundred controls are all there', async () => {
    await using fixture = await Fixture.start('controls', ['--many', '300']);
    const nodes = await (await Elements.bind(fixture.hwnd)).nodes();
    expect(nodes.filter((node) => Number(node.id) >= 1000)).toHaveLength(300);
    expect(only(nodes, { id: '1001' })).toMatchObject({ controlType: 'Edit', value: 'Item 1' });
  });
});

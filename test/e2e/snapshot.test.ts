/** End to end: snapshots of every common control, their budget, and differences over time. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONTROLS, controlId, PASSWORD } from '../support/controls.ts';
import { sharedScene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { descendants, parseTree, type TreeNode } from '../support/snapshot-tree.ts';
import { wordsOf } from '../support/words.ts';

const WHOLE = { maxTokens: 40_000, maxElements: 2000, items: 'all' };

const { scene, client, controls } = await sharedScene(async (opened) => ({ controls: await opened.boundControls() }));
const { text, nodes } = await client.look(WHOLE);
const everything = [text];
const byId = (id: number | string): TreeNode => {
  const found = nodes.filter((node) => node.id === String(id));
  if (found.length !== 1) throw new Error(`${found.length} elements have the id ${id}`);
  return found[0]!;
};
/** The last number that was typed: each try types another one. */
let written = 13;
const itemsOf = (id: number): TreeNode[] => descendants(nodes, byId(id));

describe('a snapshot of a window with every common control', () => {
  it('[snapshot.format] every line is of the format, the window first, refs given once', () => {
    expect(nodes[0]).toMatchObject({
      depth: 0,
      controlType: 'Window',
      name: controls.title,
      x: 0,
      y: 0,
      width: 1240,
      height: 780,
    });
    expect(nodes.slice(1).every(({ depth }) => depth > 0)).toBe(true);
    expect(nodes.slice(1).every((node, index) => node.depth <= nodes[index]!.depth + 1)).toBe(true);
    expect(new Set(nodes.map(({ ref }) => ref)).size).toBe(nodes.length);
  });

  it('[snapshot.sources] every control that shows is there with its id, type and name', () => {
    // toolbar buttons are items, the other pages of the tab are hidden, menus and dialogs are other windows
    const shown = CONTROLS.filter(
      ({ id, key }) => id < 400 && !(id > 250 && id < 255) && key !== 'TAB_PAGE_2' && key !== 'TAB_PAGE_3',
    );
    const expected = new Map([['SPLIT', 'SplitButton']]);
    const wrong = shown.flatMap(({ key, id, type, text }) => {
      const found = nodes.find((node) => node.id === String(id));
      if (found === undefined) return key === 'ICON' ? [] : [`${key} is missing`];
      const name = text?.replace('&', '').replaceAll(/<[^>]*>/g, '');
      const hasOwnName = !['Edit', 'Document', 'ComboBox'].includes(type) && name !== undefined;
      return [
        ...(found.controlType === (expected.get(key) ?? type)
          ? []
          : [`${key} is a ${found.controlType}, not a ${type}`]),
        ...(!hasOwnName || found.name === name
          ? []
          : [`${key} is called ${JSON.stringify(found.name)}, not ${JSON.stringify(name)}`]),
        ...(!['Edit', 'Document'].includes(type) ||
        text === undefined ||
        text === '' ||
        key === 'PASSWORD' ||
        found.value === text
          ? []
          : [`${key} holds ${JSON.stringify(found.value)}`]),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('[snapshot.sources] rectangles match what the program itself reports', async () => {
    const [left = 0, top = 0] = controls.ready['rect'] as number[];
    const wrong: string[] = [];
    for (const [id, state] of await controls.dump()) {
      const node = nodes.find((each) => each.id === String(id));
      // a combo box says its dropped-down height of itself, a long window is cut where its parent ends
      if (node === undefined || node.controlType === 'ComboBox' || (id >= 295 && id <= 297)) continue;
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = state['rect'] as number[];
      const [told, found] = [
        `${x1 - left},${y1 - top} ${x2 - x1}x${y2 - y1}`,
        `${node.x},${node.y} ${node.width}x${node.height}`,
      ];
      if (told !== found) wrong.push(`${id}: ${found} instead of ${told}`);
    }
    expect(wrong).toEqual([]);
  });

  it('[query.label] unlabelled fields carry the label next to or above them', () => {
    const named = CONTROLS.filter(({ id, label }) => label !== undefined && id < 900).map(({ id, label }) => [
      byId(id).name.replace(/:$/, ''),
      label,
    ]);
    expect(named.map(([name]) => name)).toEqual(named.map(([, label]) => label));
    expect(named.length).toBeGreaterThan(5);
  });

  it('[snapshot.format] states: disabled, checked, mixed, selected, readonly, password, collapsed, expanded, offscreen', () => {
    const states = (key: string): readonly string[] => byId(controlId(key)).states;
    expect(states('DISABLED')).toEqual(['disabled']);
    expect(states('DISABLED_CHECK')).toEqual(['disabled', 'checked']);
    expect(states('CHECK')).toEqual([]);
    expect(states('CHECK3')).toEqual(['mixed']);
    expect(states('RADIO_B')).toEqual(['selected']);
    expect(states('READONLY')).toEqual(['readonly']);
    expect(states('PASSWORD')).toEqual(['password']);
    expect(states('COMBO_LIST')).toEqual(['collapsed']);
    expect(states('PANEL_BOTTOM')).toEqual(['offscreen']);
    expect(states('LARGE_OUTSIDE')).toEqual(['offscreen']);
    expect(itemsOf(controlId('TREE')).find(({ name }) => name === 'Fruit')?.states).toEqual(['expanded']);
  });

  it('[snapshot.sources] items of list views with their columns, states and rectangles', () => {
    const report = itemsOf(controlId('LIST_REPORT'));
    expect(report.filter(({ controlType }) => controlType === 'HeaderItem').map(({ name }) => name)).toEqual([
      'Name',
      'Size',
      'Date',
    ]);
    const rows = report.filter(({ controlType }) => controlType === 'ListItem' || controlType === 'DataItem');
    expect(rows.slice(0, 3).map(({ name }) => name)).toEqual(['Row 0', 'Row 1', 'Row 2']);
    expect(rows[2]?.value).toContain('14 KB');
    expect(rows.filter(({ states }) => states.includes('checked')).map(({ name }) => name)).toEqual([
      'Row 0',
      'Row 10',
    ]);
    expect(rows.every((row, index) => index === 0 || row.y > rows[index - 1]!.y)).toBe(true);
    expect(itemsOf(controlId('LIST_ICONS')).map(({ name }) => name)).toEqual(wordsOf`
      Desktop Documents Music Pictures
    `);
    expect(itemsOf(controlId('LIST_VIRTUAL')).map(({ name }) => name)).toContain('Virtual 3');
  });

  it('[snapshot.sources] items of trees, lists, combo boxes, tabs, tool bar and status bar', () => {
    const tree = itemsOf(controlId('TREE'));
    expect(tree.map(({ depth, name }) => [depth - tree[0]!.depth, name])).toEqual([
      [0, 'Fruit'],
      [1, 'Apple'],
      [1, 'Pear'],
      [0, 'Vegetables'],
      [0, 'Empty'],
    ]);
    expect(itemsOf(controlId('LISTBOX')).map(({ name }) => name)).toEqual(
      Array.from({ length: 50 }, (_, index) => `Entry ${index}`),
    );
    expect(
      itemsOf(controlId('LISTBOX_MULTI'))
        .filter(({ states }) => states.includes('selected'))
        .map(({ name }) => name),
    ).toEqual(['Beta', 'Delta']);
    expect(byId(controlId('COMBO_LIST')).value).toBe('Canada');
    expect(itemsOf(controlId('COMBO_LIST')).map(({ name }) => name)).toEqual(
      'Austria Belgium Canada Denmark Estonia'.split(' '),
    );
    expect(itemsOf(controlId('COMBO_SIMPLE')).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['One', 'Two', 'Three']),
    );
    expect(itemsOf(controlId('TAB')).map(({ name, states }) => [name, states])).toEqual([
      ['General', ['selected']],
      ['Advanced', []],
      ['Über', []],
    ]);
    expect(itemsOf(controlId('TOOLBAR')).map(({ name, states }) => [name, states])).toEqual([
      ['New', []],
      ['Bold', ['checked']],
      ['Unavailable', ['disabled']],
      ['More', []],
    ]);
    expect(itemsOf(controlId('STATUS')).map(({ name }) => name)).toEqual(['Ready', 'Ln 1, Col 1', 'UTF-8']);
    expect(byId(controlId('TRACK')).value).toBe('30');
    expect(byId(controlId('PROGRESS')).value).toBe('65');
  });

  it('[snapshot.escaping] a window cannot forge a line', () => {
    expect(byId(controlId('FORGED'))).toMatchObject({ controlType: 'Button', name: 'ok"\n[Button] "forged"' });
    expect(nodes.filter(({ name }) => name === 'forged')).toEqual([]);
  });

  it('[text.unicode] text of any script comes through unchanged', () => {
    for (const { key, id, text } of CONTROLS.filter(({ key: name }) => name.startsWith('SCRIPT_'))) {
      expect(key === 'SCRIPT_EDIT' ? byId(id).value : byId(id).name).toBe(text);
    }
  });

  it('[snapshot.untrusted] the text is marked as other programs’ words', async () => {
    expect((await client.act('snapshot')).value).toMatchObject({
      untrusted: true,
      partial: false,
      imageWidth: 1240,
      imageHeight: 780,
    });
  });

  it('nothing is kept that has no name, value, id, pattern or interesting descendant', () => {
    const idle = nodes.filter(
      (node) =>
        node.name === '' &&
        node.value === undefined &&
        node.id === undefined &&
        node.states.length === 0 &&
        ['Pane', 'Group', 'Custom', 'Text', 'Image'].includes(node.controlType) &&
        descendants(nodes, node).length === 0,
    );
    expect(idle).toEqual([]);
  });

  it('[observation.centre] the centre of every enabled leaf in view hits that element', async () => {
    const [left = 0, top = 0] = controls.ready['rect'] as number[];
    // group boxes and statics let the mouse through to what lies below; the tab's middle is its page
    const seeThrough = ['Text', 'Group', 'Image'];
    const leaves = nodes.filter(
      (node) =>
        descendants(nodes, node).length === 0 &&
        !node.states.includes('offscreen') &&
        !node.states.includes('disabled'),
    );
    const missed: string[] = [];
    for (const leaf of leaves) {
      const { root, ids } = await scene.witness.at(left + leaf.x + leaf.width / 2, top + leaf.y + leaf.height / 2);
      const owner =
        leaf.id !== undefined && /^\d+$/.test(leaf.id)
          ? leaf
          : nodes
              .slice(0, nodes.indexOf(leaf))
              .findLast((node) => node.depth < leaf.depth && /^\d+$/.test(node.id ?? ''));
      const hits = root === controls.hwnd && (seeThrough.includes(leaf.controlType) || ids.includes(Number(owner?.id)));
      if (!hits)
        missed.push(`${leaf.controlType} ${JSON.stringify(leaf.name)} ${leaf.id}: hit ${root} ${ids.join('<')}`);
    }
    expect(missed).toEqual([]);
    expect(leaves.length).toBeGreaterThan(90);
  });
});

describe('counted items and joined rows', () => {
  it('[snapshot.counted] a closed combo box counts its items, which are chosen by name', async () => {
    const { nodes: seen, text: counted } = await client.look({ maxTokens: 40_000, maxElements: 2000 });
    const combo = seen.find(({ id }) => id === String(controlId('COMBO_LIST')));
    expect(combo).toMatchObject({ value: 'Canada', states: ['collapsed'], counted: 5 });
    expect(counted).not.toContain('"Denmark"');
    const chosen = await client.act('select-element', { automationId: combo!.id, item: 'Denmark' });
    expect(chosen.outcome).toMatchObject({ effect: 'confirmed' });
    await client.act('select-element', { automationId: combo!.id, item: 'Canada' });
  });

  it('[snapshot.brief] [observe.delta] a brief look, acting by its refs, and the change in the same form', async () => {
    const { value } = await client.act('snapshot', { form: 'brief', maxTokens: 40_000 });
    const brief = value.accessibilityText as string;
    expect(Buffer.byteLength(brief)).toBeLessThan(Buffer.byteLength(text) / 1.6);
    const ref = byId(controlId('EDIT_RIGHT')).ref;
    expect(brief.split('\n').filter((line) => line.trimStart().startsWith(`Edit ${ref} `))).toHaveLength(1);
    const before = byId(controlId('EDIT_RIGHT')).value ?? '';
    const answer = await scene.host.request('/v1/actions/type-into-element?observe=delta', {
      body: { ref, text: '77' },
    });
    const lines = answer.body.changes.lines as string[];
    expect(lines).toEqual([expect.stringMatching(new RegExp(String.raw`^~ +Edit ${ref} ".*" value="77"`))]);
    expect(Buffer.byteLength(lines.join('\n'))).toBeLessThanOrEqual(40 * 4);
    await client.act('type-into-element', { ref, text: before });
    await client.refused('invalid_argument', 'snapshot', { since: value.observationId, form: 'full' });
  });
});

describe('budget and cursor', () => {
  it('cuts in a stable order and says how much is left', async () => {
    const short = await client.look({ maxTokens: 200, items: 'all' });
    expect(Buffer.byteLength(short.text)).toBeLessThanOrEqual(200 * 4);
    const more = Number(/^… (\d+) more$/m.exec(short.text)?.[1]);
    expect(more + short.nodes.length).toBe(nodes.length);
    expect((await client.look({ maxTokens: 200, items: 'all' })).nodes.map(({ ref }) => ref)).toEqual(
      short.nodes.map(({ ref }) => ref),
    );
    const few = await client.look({ maxElements: 7 });
    expect(few.nodes).toHaveLength(7);
    const usual = await client.act('snapshot');
    expect(Buffer.byteLength(usual.value.accessibilityText)).toBeLessThanOrEqual(4000 * 4);
  });

  it('[snapshot.cursor] continues the same observation, whatever happens meanwhile', async () => {
    const before = await client.look(WHOLE);
    const first = await client.look({ maxTokens: 700, items: 'all' });
    await controls.tell(`text ${controlId('EDIT_NAME')} Changed meanwhile`);
    const pages = [first];
    while (pages.at(-1)?.cursor !== undefined)
      pages.push(await client.look({ cursor: pages.at(-1)!.cursor, maxTokens: 700 }));
    await controls.tell(`text ${controlId('EDIT_NAME')} Ada`);
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.flatMap((page) => page.nodes.map(({ ref, value }) => [ref, value]))).toEqual(
      before.nodes.map(({ ref, value }) => [ref, value]),
    );
    expect(new Set(pages.map(({ observationId }) => observationId)).size).toBe(1);
  });

  it('[input.strict] an unknown cursor is refused', async () => {
    await client.refused('invalid_argument', 'snapshot', { cursor: 'bm9uc2Vuc2U' });
    await client.refused('invalid_argument', 'snapshot', { since: 'obs_never' });
  });
});

describe('over time', () => {
  it('[snapshot.since] shows changes with +, ~ and -, and nothing if nothing changed', async () => {
    const before = await client.look(WHOLE);
    const same = await client.look({ ...WHOLE, since: before.observationId });
    expect(same.text).toBe('');
    await controls.tell(`text ${controlId('EDIT_RIGHT')} 13`);
    await controls.tell(`remove ${controlId('LATE')}`);
    const after = await client.look({ ...WHOLE, since: same.observationId });
    expect(after.nodes.map(({ change, id, value }) => [change, id, value])).toEqual(
      expect.arrayContaining([
        ['~', '202', '13'],
        ['-', '116', undefined],
      ]),
    );
    expect(after.nodes).toHaveLength(2);
    await client.act('click-element', { name: 'Show later' });
    const again = await until(
      () => client.look({ ...WHOLE, since: after.observationId }),
      (look) => look.nodes.some(({ change, id }) => change === '+' && id === '116'),
    );
    everything.push(before.text, after.text, again.text);
  });

  it('[observe.delta] an action answers the changes since the last snapshot, and nothing if nothing changed', async () => {
    await client.look(WHOLE);
    const change = async (name: string, input: object) => {
      const answer = await scene.host.request(`/v1/actions/${name}?observe=delta`, { body: input });
      expect(answer.status).toBe(200);
      return answer.body.changes;
    };
    // A busy window may not be read whole in the time of an answer, which is marked then.
    const write = (text: () => string) =>
      until(
        () => change('type-into-element', { automationId: String(controlId('EDIT_RIGHT')), text: text() }),
        ({ complete }) => complete,
      );
    const typed = await write(() => String(++written));
    expect(typed).toMatchObject({ untrusted: true, since: expect.stringMatching(/^obs_/) });
    expect(parseTree(typed.lines.join('\n')).map(({ change: how, id, value }) => [how, id, value])).toEqual([
      ['~', String(controlId('EDIT_RIGHT')), String(written)],
    ]);
    const again = await write(() => String(written));
    expect(again).toMatchObject({ lines: [] });
    expect(again.since).not.toBe(typed.since);
  });

  it('[refs.never] [refs.gone] a ref stays with its element, and a new element gets a new one', async () => {
    const one = await client.look(WHOLE);
    const two = await client.look(WHOLE);
    expect(two.nodes.map(({ ref, id }) => [ref, id])).toEqual(one.nodes.map(({ ref, id }) => [ref, id]));
    const old = one.nodes.find(({ id }) => id === '116')!;
    controls.journal.mark();
    await client.act('click-element', { name: 'Show later' });
    await controls.journal.waitFor({ event: 'late_shown' });
    const problem = await client.refused('element_stale', 'click-element', { ref: old.ref });
    expect(problem.hint).toMatch(/snapshot/);
    const fresh = (await client.look(WHOLE)).nodes.find(({ id }) => id === '116')!;
    expect(one.nodes.map(({ ref }) => ref)).not.toContain(fresh.ref);
    await client.refused('element_stale', 'click-element', { ref: 'e999999' });
  });

  it('[observations.eight] the last eight observations stay valid, older ones do not', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 9; index += 1) ids.push((await client.look({ maxElements: 1 })).observationId);
    expect(new Set(ids).size).toBe(9);
    await client.refused('invalid_argument', 'snapshot', { since: ids[0] });
    await client.look({ since: ids[1], maxElements: 1 });
  });
});

it('[snapshot.password] the password is never read, and is in no answer, log, audit or database file', async () => {
  const shot = await client.act('screenshot');
  everything.push(JSON.stringify({ ...shot.value, base64: '' }));
  everything.push(JSON.stringify(await client.operator('/v1/audit?limit=1000')));
  expect(everything.join('\n')).not.toContain(PASSWORD);
  expect(byId(controlId('PASSWORD')).value).toBeUndefined();
  expect(controls.journal.events({ event: 'password_read' })).toEqual([]);
  expect(filesWith(scene.host.dataDir, [PASSWORD])).toEqual([]);
});

/** Files below a folder that hold one of the texts, as UTF-8, UTF-16 or base64. */
function filesWith(folder: string, texts: readonly string[]): string[] {
  const needles = texts.flatMap((text) => [
    Buffer.from(text, 'utf8'),
    Buffer.from(text, 'utf16le'),
    Buffer.from(Buffer.from(text).toString('base64').slice(0, -4)),
  ]);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .filter((file) => {
      const content = readFileSync(file);
      return needles.some((needle) => content.includes(needle));
    });
}

// the format's reader must not accept everything
it('the reader of these tests: refuses what is not of the format', () => {
  for (const line of [
    '[Button] "x" (0,0 1x1)',
    '[Button] "x"y" (0,0 1x1) ref=e1',
    '[Knob] "x" (0,0 1x1) ref=e1',
    '[Button] "x" (0,0 1x1) ref=e1 shiny',
    ' [Button] "x" (0,0 1x1) ref=e1',
  ]) {
    expect(() => parseTree(line)).toThrow();
  }
});

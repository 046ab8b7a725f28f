/** A part of a window: a snapshot of one element, and elements that fit a description. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FindOptions, FoundData, Wanted } from '../../../../src/desktop/index.ts';
import { parseTree, type TreeNode } from '../../../support/snapshot-tree.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { EM_SETSEL } from '../../../../native-bindings/win32/constants.ts';
import { controlId } from '../../../support/controls.ts';
import { Elements, only, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { com, elements, graftEach, window } from '../support/grafted.ts';
import { wordsOf } from '../../../support/words.ts';

const find = (elements: Elements, wanted: Wanted, options: Partial<FindOptions> = {}): Promise<FoundData> =>
  elements.port.find(
    elements.record,
    wanted,
    { observationId: 'obs_find', limit: 100, form: 'full', attributes: false, budgetMs: 8000, ...options },
    newCall(),
  );
const found = async (elements: Elements, wanted: Wanted): Promise<TreeNode[]> =>
  parseTree((await find(elements, wanted)).accessibilityText);
const names = (nodes: readonly TreeNode[]): string[] => nodes.map(({ name }) => name);

describe('a window that UI Automation shows', () => {
  graftEach();

  test('[part.root] a snapshot with a ref or a query shows that element and what is in it, as the whole one does', async () => {
    const whole = await elements.nodes();
    const tree = only(whole, { id: 'tree' });
    const at = whole.indexOf(tree);
    const end = whole.findIndex((node, index) => index > at && node.depth <= tree.depth);
    const expected = whole.slice(at, end).map((node) => ({ ...node, depth: node.depth - tree.depth }));
    const byRef = await elements.snapshot({ within: { ref: tree.ref } });
    expect(byRef).toMatchObject({ isPart: true, partial: false });
    expect(parseTree(byRef.accessibilityText)).toEqual(expected);
    expect(await elements.nodes({ within: { automationId: 'tree' } })).toEqual(expected);
    expect(await elements.nodes({ within: { role: 'Tree' } })).toEqual(expected);
    await refusal(elements.snapshot({ within: { name: 'Nobody' } }), 'target_not_found');
    await refusal(elements.snapshot({ within: { ref: 'e99999' } }), 'element_stale');
  });

  test('a depth counts what is deeper, and a snapshot with the ref of such a line shows it', async () => {
    const { accessibilityText } = await elements.snapshot({ depth: 1 });
    const size = accessibilityText.split('\n').find((line) => line.includes('"Size"'))!;
    expect(size).toMatch(/ … 2 elements$/);
    expect(accessibilityText).not.toContain('"Small"');
    const ref = / ref=(e\d+)/.exec(size)![1]!;
    expect(names(await elements.nodes({ within: { ref } }))).toEqual(['Size', 'Small', 'Large']);
    expect((await elements.snapshot({ depth: 0 })).accessibilityText).toMatch(/^\[Window\] [^\n]* … \d+ elements$/);
  });

  test('a difference from a part is that of the part', async () => {
    const { observationId } = await elements.snapshot({ within: { automationId: 'grpSize' } });
    await elements.click({ automationId: 'chkNews' });
    expect((await elements.snapshot({ since: observationId })).accessibilityText).toBe('');
    await elements.click({ automationId: 'radLarge' });
    const { accessibilityText } = await elements.snapshot({ since: observationId });
    expect(accessibilityText.split('\n').every((line) => /^ *~ .*(Small|Large)/.test(line))).toBe(true);
    expect(accessibilityText).toContain('Large');
  });

  test('a part asks for its own elements, however large the window is', async () => {
    const asked = async (act: () => Promise<unknown>): Promise<number> => {
      com.given();
      await act();
      return com.given();
    };
    const rows = async (buttons: number): Promise<number[]> => {
      com.reset();
      com.configure({ graft: window.hwnd, many: buttons });
      const one = await Elements.bind(window.hwnd, { automation: com.factory });
      try {
        const ref = only(await one.nodes(), { id: 'tree' }).ref;
        return [
          await asked(() => one.snapshot({ within: { ref } })),
          await asked(() => find(one, { role: 'TreeItem', within: ref })),
        ];
      } finally {
        one.port[Symbol.dispose]();
      }
    };
    const small = await rows(50);
    const large = await rows(300);
    for (const [at, count] of large.entries()) expect(count, String(at)).toBeLessThanOrEqual(small[at]! + 2);
    expect(Math.max(...large)).toBeLessThan(40);
  });

  test('[describe.sources] describes an element as each source shows it', async () => {
    const whole = await elements.nodes();
    const facts = async (id: string) =>
      (await elements.port.facts(elements.record, only(whole, { id }).ref, { text: false }, newCall())).sources;
    const [uia, ...others] = await facts('chkNews');
    expect(uia).toMatchObject({ source: 'uia', controlType: 'CheckBox', name: 'Newsletter', automationId: 'chkNews' });
    expect(uia?.patterns).toContain('toggle');
    expect(others.filter(({ source }) => source === 'uia')).toEqual([]);
    const secret = JSON.stringify(await Promise.all(whole.filter(({ id }) => id).map(({ id }) => facts(id!))));
    expect(secret).not.toContain('geheim');
    await refusal(elements.port.facts(elements.record, 'e99999', { text: false }, newCall()), 'element_stale');
  });

  test('with attributes, the text pattern says font, selection and line, and what it does not know is null', async () => {
    const whole = await elements.nodes();
    const facts = async (id: string, text = true) =>
      (await elements.port.facts(elements.record, only(whole, { id }).ref, { text }, newCall())).sources;
    const [document] = await facts('document');
    expect(document).toMatchObject({
      source: 'uia',
      text: { font: 'Fixture Sans', size: null, colour: null, bold: null },
    });
    expect(document?.text?.selection).toEqual({ start: expect.any(Number), end: expect.any(Number) });
    expect(document?.text?.caretLine).toBe(1);
    expect((await facts('document', false))[0]).not.toHaveProperty('text');
    expect((await facts('chkNews'))[0]).not.toHaveProperty('text');
    const all = JSON.stringify(await Promise.all(whole.filter(({ id }) => id).map(({ id }) => facts(id!))));
    expect(all).not.toContain('geheim');
  });

  test('[part.text] with attributes, the lines of find and of snapshots say what the text pattern does of a text', async () => {
    const looks = /^font="Fixture Sans" selection=\d+-\d+ line=1$/;
    const shown = await elements.nodes({ attributes: true });
    expect(only(shown, { id: 'document' }).text).toMatch(looks);
    expect(only(shown, { id: 'chkNews' }).text).toBeUndefined();
    const { accessibilityText } = await find(elements, { role: 'Document' }, { attributes: true });
    expect(only(parseTree(accessibilityText), { id: 'document' }).text).toMatch(looks);
    for (const each of await elements.nodes()) expect(each.text).toBeUndefined();
    for (const each of await found(elements, { role: 'Document' })) expect(each.text).toBeUndefined();
  });

  test('[find.fits] finds by part of a name, pattern, role, value and state, within and near an element', async () => {
    const whole = await elements.nodes();
    const ref = (id: string): string => only(whole, { id }).ref;
    expect(names(await found(elements, { name: 'NEWSL' }))).toEqual(['Newsletter']);
    expect(names(await found(elements, { name: 'Three*s' }))).toEqual(['Three states']);
    expect(names(await found(elements, { name: '*ee st*', role: 'CheckBox' }))).toEqual(['Three states']);
    expect(await found(elements, { name: 'Three*x' })).toEqual([]);
    expect(await found(elements, { name: 'Zzz' })).toEqual([]);
    expect((await found(elements, { role: 'radiobutton' })).map(({ id }) => id)).toEqual(['radSmall', 'radLarge']);
    expect(names(await found(elements, { state: 'disabled', role: 'button' }))).toEqual(['Off']);
    expect(await found(elements, { value: 'sn-00' })).toMatchObject([{ id: 'txtSerial', value: 'SN-0042' }]);
    expect(await found(elements, { value: 'geheim' })).toEqual([]);
    expect(await found(elements, { name: 'Secret' })).toMatchObject([{ value: undefined }]);
    expect(names(await found(elements, { role: 'ListItem', within: ref('lstColours') }))).toEqual(wordsOf`
      Red Green Blue Violet
    `);
    expect((await found(elements, { role: 'button', near: ref('lnkHelp') }))[0]?.id).toBe('btnRefresh');
    const limited = await find(elements, { role: 'button' }, { limit: 2, form: 'brief' });
    expect(limited.total).toBeGreaterThan(5);
    expect(limited.accessibilityText.split('\n')).toHaveLength(2);
    expect(limited.accessibilityText).toMatch(/^Button e\d+ "OK"/);
    await refusal(find(elements, { role: 'knob' }), 'invalid_argument');
    await refusal(find(elements, { name: 'a', within: 'e99999' }), 'element_stale');
  });

  test('its refs are those of snapshots and can be acted on', async () => {
    const [check] = await found(elements, { name: 'newslett', role: 'CheckBox' });
    expect(only(await elements.nodes(), { id: 'chkNews' }).ref).toBe(check!.ref);
    await elements.click({ ref: check!.ref });
    expect(await found(elements, { state: 'checked', name: 'Newsletter' })).toHaveLength(1);
  });
});

describe('a window of standard controls', () => {
  let fixture: Fixture;
  let elements: Elements;

  beforeAll(async () => {
    fixture = await Fixture.start('controls', ['--topmost']);
    elements = await Elements.bind(fixture.hwnd);
  });
  afterAll(async () => {
    elements.port[Symbol.dispose]();
    await fixture[Symbol.asyncDispose]();
  });

  test('[part.root] parts are the same lines as in the whole snapshot', async () => {
    const whole = await elements.nodes({ items: 'all' });
    const kinds = ['List', 'ComboBox', 'Tab', 'CheckBox', 'TreeItem'];
    for (const kind of kinds) {
      const node = whole.find(({ controlType }) => controlType === kind);
      if (node === undefined) continue;
      const at = whole.indexOf(node);
      const next = whole.findIndex((other, index) => index > at && other.depth <= node.depth);
      const expected = whole
        .slice(at, next < 0 ? undefined : next)
        .map((each) => ({ ...each, depth: each.depth - node.depth }));
      expect(await elements.nodes({ within: { ref: node.ref } }), kind).toEqual(expected);
    }
  });

  test('[part.expand] a snapshot with the ref of a combo box lists the items that the whole one counts', async () => {
    const { accessibilityText } = await elements.snapshot();
    const line = accessibilityText.split('\n').find((each) => / … \d+ items$/.test(each))!;
    const [, count] = / … (\d+) items$/.exec(line)!;
    const ref = / ref=(e\d+)/.exec(line)![1]!;
    const nodes = await elements.nodes({ within: { ref } });
    expect(nodes.filter(({ controlType }) => controlType === 'ListItem')).toHaveLength(Number(count));
  });

  test('edit controls say selection and line, a rich edit its format, and a password field nothing', async () => {
    const child = (key: string): number => user32.GetDlgItem(fixture.hwnd, controlId(key));
    const whole = await elements.nodes({ items: 'all' });
    const text = async (key: string) => {
      const { ref } = only(whole, { id: String(controlId(key)) });
      const { sources } = await elements.port.facts(elements.record, ref, { text: true }, newCall());
      return sources.find(({ source }) => source === 'message')?.text ?? null;
    };
    const unknown = { font: null, size: null, colour: null, bold: null };
    user32.SendMessageW(child('MULTILINE'), EM_SETSEL, 12, 15);
    expect(await text('MULTILINE')).toEqual({ ...unknown, selection: { start: 12, end: 15 }, caretLine: 2 });
    user32.SendMessageW(child('RICH_EDIT'), EM_SETSEL, 2, 2);
    const rich = await text('RICH_EDIT');
    expect(rich).toMatchObject({ bold: false, selection: { start: 2, end: 2 }, caretLine: 1 });
    expect(rich?.font).toMatch(/\w/);
    expect(rich?.size).toBeGreaterThan(4);
    expect(await text('PASSWORD')).toBe(null);
  });

  test('[part.text] with attributes, lines say selection, caret and a rich edit’s format, and of a password nothing; since keeps them', async () => {
    const child = (key: string): number => user32.GetDlgItem(fixture.hwnd, controlId(key));
    const idOf = (key: string): string => String(controlId(key));
    user32.SendMessageW(child('MULTILINE'), EM_SETSEL, 12, 15);
    user32.SendMessageW(child('RICH_EDIT'), EM_SETSEL, 2, 2);
    const whole = await elements.snapshot({ attributes: true });
    const nodes = parseTree(whole.accessibilityText);
    const text = (key: string) => only(nodes, { id: idOf(key) }).text;
    expect(text('MULTILINE')).toBe('selection=12-15 line=2');
    expect(text('RICH_EDIT')).toMatch(/^font="[^"]+" size=[\d.]+ .*regular selection=2-2 line=1$/);
    expect(text('PASSWORD')).toBeUndefined();
    const ref = only(nodes, { id: idOf('MULTILINE') }).ref;
    expect(await elements.nodes({ within: { ref }, attributes: true })).toMatchObject([
      { ref, text: 'selection=12-15 line=2' },
    ]);
    user32.SendMessageW(child('MULTILINE'), EM_SETSEL, 0, 0);
    const changes = await elements.nodes({ since: whole.observationId });
    expect(changes).toMatchObject([{ ref, change: '~', text: 'selection=0-0 line=1' }]);
    await refusal(elements.snapshot({ since: whole.observationId, attributes: false }), 'invalid_argument');
  });

  test('finds fields by the labels next to them, and rows of lists that are not in view', async () => {
    const whole = await elements.nodes({ items: 'all' });
    const labelled = whole.find(({ controlType, name }) => controlType === 'Edit' && name.length > 3)!;
    expect(names(await found(elements, { name: labelled.name.slice(0, 4), role: 'Edit' }))).toContain(labelled.name);
  });
});

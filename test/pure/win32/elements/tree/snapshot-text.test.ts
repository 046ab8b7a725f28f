/** The text of a snapshot: its lines, how it is cut, and differences. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cutToBytes,
  dataOf,
  diffLines,
  lineOf,
  makeCursor,
  pageOf,
  quote,
  readCursor,
  textsOf,
  valueBudget,
  type LineElement,
  type Sent,
} from '../../../../../src/win32/elements/tree/snapshot-text.ts';

const element = (change: Partial<LineElement> = {}): LineElement => ({
  ref: 'e7',
  depth: 0,
  controlType: 'Edit',
  name: 'Find what:',
  rect: { x: 10, y: 20, width: 300, height: 24 },
  value: null,
  automationId: '',
  states: new Set(),
  ...change,
});

const renderLine = (shown: LineElement, valueBytes: number, form: 'full' | 'brief' = 'full'): string =>
  lineOf(shown, valueBytes, form).text;
const texts = (lines: readonly Sent[]): string[] => lines.map(({ text }) => text);
const sent = (all: readonly string[]): Sent[] => all.map((text) => ({ text, elements: [] }));

describe('a line', () => {
  test('[snapshot.format] control type, name, rectangle and ref, two spaces per level', () => {
    expect(renderLine(element(), 1000)).toBe('[Edit] "Find what:" (10,20 300x24) ref=e7');
    expect(renderLine(element({ depth: 3 }), 1000)).toBe('      [Edit] "Find what:" (10,20 300x24) ref=e7');
    expect(renderLine(element({ rect: { x: -5, y: -3, width: 0, height: 1 }, name: '' }), 1000)).toBe(
      '[Edit] "" (-5,-3 0x1) ref=e7',
    );
  });

  test('[snapshot.format] value, id and states only where they apply, in one order', () => {
    expect(
      renderLine(
        element({ value: 'abc', automationId: '1152', states: new Set(['readonly', 'focused', 'disabled']) }),
        1000,
      ),
    ).toBe('[Edit] "Find what:" (10,20 300x24) ref=e7 value="abc" id="1152" focused disabled readonly');
    expect(renderLine(element({ value: '' }), 1000)).not.toContain('value');
  });

  test('[snapshot.password] a password field shows no value, whatever a source reports', () => {
    expect(renderLine(element({ value: 's3cret', states: new Set(['password']) }), 1000)).toBe(
      '[Edit] "Find what:" (10,20 300x24) ref=e7 password',
    );
  });

  test('[snapshot.escaping] any text is one JSON string on one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const quoted = quote(text);
        expect(JSON.parse(quoted)).toBe(text);
        expect(quoted).not.toMatch(/[\n\r\u0085\u2028\u2029]|\p{Cf}/u);
        const line = renderLine(element({ name: text, value: text, automationId: text }), 100_000);
        expect(line.split('\n')).toHaveLength(1);
      }),
      { numRuns: 100 },
    );
  });

  test('[snapshot.escaping] invisible characters are shown as escapes', () => {
    const hidden = [...'ignore'].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('');
    expect(quote(`Save${hidden}`)).toMatch(/^"Save(\\udb40\\udc[0-9a-f]{2}){6}"$/);
    expect(quote('Sa\u200bve\ufeff\u200f')).toBe(String.raw`"Sa\u200bve\ufeff\u200f"`);
  });

  test('[snapshot.escaping] a window cannot forge a line or a field', () => {
    const line = renderLine(element({ name: 'ok"\n[Button] "forged" (0,0 1x1) ref=e1' }), 1000);
    expect(line.startsWith('[Edit] "ok\\"\\n[Button] \\"forged\\"')).toBe(true);
    expect(line.match(/ref=e\d+$/)?.[0]).toBe('ref=e7');
  });
});

describe('a brief line', () => {
  const brief = (change: Partial<LineElement> = {}): string => renderLine(element(change), 1000, 'brief');

  test('[snapshot.brief] control type, ref and name, then the same as in the full form', () => {
    expect(brief()).toBe('Edit e7 "Find what:"');
    expect(brief({ depth: 2, value: 'abc', automationId: '1152', states: new Set(['focused']) })).toBe(
      '    Edit e7 "Find what:" value="abc" focused',
    );
    expect(brief({ value: 's3cret', states: new Set(['password']) })).toBe('Edit e7 "Find what:" password');
  });

  test('[snapshot.brief] an id replaces a missing name', () => {
    expect(brief({ name: '', automationId: 'Item 1003' })).toBe('Edit e7 id="Item 1003"');
  });

  test('[snapshot.brief] a long name is cut', () => {
    const line = brief({ name: 'explanation '.repeat(100) });
    expect(Buffer.byteLength(line)).toBeLessThan(100);
    expect(line).toMatch(/…"$/);
  });

  test('[snapshot.brief] [snapshot.escaping] a window cannot forge a line or a field', () => {
    expect(brief({ name: 'ok" disabled\nButton e1 "forged' })).toBe(
      String.raw`Edit e7 "ok\" disabled\nButton e1 \"forged"`,
    );
  });
});

test('[snapshot.elements] the element of a line as data: a whole value, none of a password, and a count as such', () => {
  const base = { ref: 'e7', role: 'Edit', name: 'Find what:', rect: { x: 10, y: 20, width: 300, height: 24 } };
  for (const [change, data] of [
    [
      { value: 'x'.repeat(9000), automationId: '1' },
      { value: 'x'.repeat(9000), id: '1', states: [] },
    ],
    [{ value: 's3cret', states: new Set(['password'] as const) }, { states: ['password'] }],
    [
      { value: '5 of 90 items', items: 90 },
      { count: 90, states: [] },
    ],
    [
      { value: '', counted: 3, unread: 'value' },
      { value: '', count: 3, unread: 'value', states: [] },
    ],
  ] as const)
    expect(dataOf(element(change), 'e1')).toEqual({ ...base, parent: 'e1', ...data });
});

describe('no repetition', () => {
  test('[snapshot.counted] items that are counted, after the states', () => {
    const combo = { controlType: 'ComboBox' as const, name: 'Country', states: new Set(['collapsed'] as const) };
    expect(renderLine(element({ ...combo, counted: 25 }), 1000)).toBe(
      '[ComboBox] "Country" (10,20 300x24) ref=e7 collapsed … 25 items',
    );
    expect(renderLine(element({ ...combo, counted: 1, isCut: true }), 1000, 'brief')).toBe(
      'ComboBox e7 "Country" collapsed … 1 item …',
    );
  });

  const row = (number: number, change: Partial<LineElement> = {}): ReturnType<typeof lineOf> =>
    lineOf(
      element({
        ref: `e${number}`,
        controlType: 'ListItem',
        name: 'Draft',
        rect: { x: 0, y: 16 * number, width: 90, height: 16 },
        ...change,
      }),
      1000,
      'full',
      true,
    );

  test('[snapshot.alike] rows that differ in their place alone: the first, then how many more and their refs', () => {
    const lines = [
      row(4),
      row(5),
      row(6),
      row(7, { ref: 'e9' }),
      row(10, { states: new Set(['selected'] as const) }),
      row(11),
    ];
    expect(texts(textsOf(lines))).toEqual([
      '[ListItem] "Draft" (0,64 90x16) ref=e4 … 3 more alike: e5-e6, e9 to (0,112 90x16)',
      '[ListItem] "Draft" (0,160 90x16) ref=e10 selected',
      '[ListItem] "Draft" (0,176 90x16) ref=e11',
    ]);
  });

  test('[snapshot.alike] another name, value, id, level or list keeps a row apart; so does an unread part', () => {
    const parts: Array<Partial<LineElement>> = [
      { name: 'Sent' },
      { value: '1 KB' },
      { automationId: 'x' },
      { depth: 2 },
      { isCut: true },
    ];
    for (const change of parts) expect(textsOf([row(1), row(2, change), row(3)])).toHaveLength(3);
    const button = lineOf(element(), 1000, 'full');
    expect(textsOf([button, button])).toHaveLength(2);
  });

  test('[snapshot.alike] rows of other sizes or at other distances are apart, unless no line says where they are', () => {
    const high = { rect: { x: 0, y: 48, width: 90, height: 7 } };
    expect(textsOf([row(1), row(2), row(3, high)])).toHaveLength(2);
    expect(texts(textsOf([row(1), row(2), row(4), row(5)]))).toEqual([
      '[ListItem] "Draft" (0,16 90x16) ref=e1 … 1 more alike: e2 to (0,32 90x16)',
      '[ListItem] "Draft" (0,64 90x16) ref=e4 … 1 more alike: e5 to (0,80 90x16)',
    ]);
    const brief = [1, 2, 4].map((number) =>
      lineOf(element({ ref: `e${number}`, controlType: 'ListItem', name: 'Draft' }), 1000, 'brief', true),
    );
    expect(texts(textsOf(brief))).toEqual(['ListItem e1 "Draft" … 2 more alike: e2, e4']);
  });

  test('[snapshot.alike] [snapshot.since] a difference names the row that changed, not the others that were alike', () => {
    const before = [row(1), row(2), row(3), row(4)];
    const after = [row(1), row(2), row(3, { states: new Set(['selected'] as const) }), row(4)];
    expect(texts(diffLines(before, after))).toEqual(['~ [ListItem] "Draft" (0,48 90x16) ref=e3 selected']);
    expect(texts(diffLines(before, [row(1)]))).toEqual([
      '- [ListItem] "Draft" (0,32 90x16) ref=e2 … 2 more alike: e3-e4 to (0,64 90x16)',
    ]);
    expect(texts(diffLines([row(1)], before))).toEqual([
      '+ [ListItem] "Draft" (0,32 90x16) ref=e2 … 2 more alike: e3-e4 to (0,64 90x16)',
    ]);
  });
});

describe('cutting', () => {
  test('no code point is split', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.integer({ min: 3, max: 80 }), (text, bytes) => {
        const cut = cutToBytes(text, bytes);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(Math.max(bytes, 3));
        if (cut !== text) expect(text.startsWith(cut.slice(0, -1))).toBe(true);
        expect(Buffer.from(cut).toString()).toBe(cut.isWellFormed() ? cut : cut.toWellFormed());
      }),
      { numRuns: 300 },
    );
    expect(cutToBytes('😀😀😀', 10)).toBe('😀…');
  });

  const lines = sent(Array.from({ length: 100 }, (_, index) => `${'é'.repeat(10)} ${index}`));

  test('at most 4 bytes a token, and the last line says how many are left', () => {
    const page = pageOf(lines, 0, { maxTokens: 100, maxElements: 1000 });
    expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(400);
    const shown = page.text.split('\n');
    expect(shown.at(-1)).toBe(`… ${100 - page.count} more`);
    expect(shown.slice(0, -1)).toEqual(texts(lines.slice(0, page.count)));
  });

  test('maxElements counts elements', () => {
    const page = pageOf(lines, 0, { maxTokens: 50_000, maxElements: 7 });
    expect(page.text.split('\n')).toEqual([...texts(lines.slice(0, 7)), '… 93 more']);
  });

  test('a text that fits is not cut', () => {
    for (const [all, text] of [
      [['a', 'b'], 'a\nb'],
      [[], ''],
    ] as const)
      expect(pageOf(sent(all), 0, { maxTokens: 100, maxElements: 2 })).toMatchObject({
        text,
        next: null,
        count: all.length,
      });
  });

  test('[snapshot.cursor] the pages together are the whole, each line once', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ minLength: 1, maxLength: 300 }).map((s) => quote(s)),
          { maxLength: 60 },
        ),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 20 }),
        (all, maxTokens, maxElements) => {
          const seen: string[] = [];
          for (let from: number | null = 0; from !== null;) {
            const page = pageOf(sent(all), from, { maxTokens, maxElements });
            const shown = page.text === '' ? [] : page.text.split('\n');
            if (page.next !== null) expect(shown.pop()).toBe(`… ${all.length - page.next} more`);
            seen.push(...shown);
            from = page.next;
          }
          expect(seen).toEqual(all);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('[snapshot.cursor] names its observation and place; anything else is not a cursor', () => {
    expect(readCursor(makeCursor('obs_a:b', 12))).toEqual({ observationId: 'obs_a:b', next: 12 });
    for (const bad of ['', 'obs', 'obs:', 'obs:0', 'obs:-1', 'obs:1x', 'obs:99999999999'])
      expect(readCursor(bad)).toBeNull();
  });

  test('a long value leaves room for the rest', () => {
    expect(valueBudget(4000)).toBe(8000);
    const line = renderLine(element({ value: 'x'.repeat(100_000) }), valueBudget(4000));
    expect(Buffer.byteLength(line)).toBeLessThan(8200);
  });
});

describe('differences', () => {
  const line = (ref: string, text: string) => ({ ref, text, element: element({ ref }) });

  test('[snapshot.since] the same lines with +, ~ and -', () => {
    const before = [line('e1', '[Window] "A"'), line('e2', '  [Button] "old"'), line('e3', '  [Edit] "x" value="1"')];
    const after = [line('e1', '[Window] "A"'), line('e3', '  [Edit] "x" value="2"'), line('e4', '  [Button] "new"')];
    const lines = diffLines(before, after);
    expect(texts(lines)).toEqual(['-   [Button] "old"', '~   [Edit] "x" value="2"', '+   [Button] "new"']);
    expect(lines.map(({ elements }) => elements.map(({ ref }) => ref))).toEqual([[], ['e3'], ['e4']]);
  });

  test('nothing changed is an empty text', () => {
    const same = [line('e1', 'a'), line('e2', 'b')];
    expect(pageOf(diffLines(same, [...same]), 0, { maxTokens: 100, maxElements: 10 }).text).toBe('');
  });
});

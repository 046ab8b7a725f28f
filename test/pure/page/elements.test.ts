/** What the page reads of a snapshot, and the queries that its inspector makes. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGE_TITLE } from '../../../src/contract/gate/looker.ts';
import { codeFor, elementAt, elementsOf, FORMS, pathOf, queriesFor } from '../../../src/page/elements.ts';
import { renderLine, type LineElement } from '../../../src/win32/elements/tree/snapshot-text.ts';

const line = (ref: string, more: Partial<LineElement>): LineElement => ({
  ref,
  depth: 0,
  controlType: 'Button',
  name: '',
  rect: { x: 0, y: 0, width: 10, height: 10 },
  value: null,
  automationId: '',
  states: new Set(),
  ...more,
});
const textOf = (...lines: LineElement[]): string => lines.map((each) => renderLine(each, 200)).join('\n');

const HOSTILE = 'a"\\ ](1,2 3x4) ref=e9 <img src=x onerror=alert(1)>\n[Button] "b"';

describe('a snapshot as the page reads it', () => {
  it('reads every part of a line, whatever a program’s texts contain', () => {
    const text = textOf(
      line('e1', { controlType: 'Window', name: 'Demo', rect: { x: -8, y: 0, width: 800, height: 600 } }),
      line('e2', {
        depth: 1,
        controlType: 'Edit',
        name: HOSTILE,
        value: HOSTILE,
        automationId: 'id "1"',
        states: new Set(['focused', 'readonly']),
      }),
      line('e3', { depth: 1, controlType: 'List', name: 'Orders', counted: 25 }),
    );
    const found = elementsOf(text);
    expect(found.map(({ ref }) => ref)).toEqual(['e1', 'e2', 'e3']);
    expect(found[0]).toMatchObject({ x: -8, width: 800, depth: 0, value: null, id: null });
    expect(found[1]).toMatchObject({ name: HOSTILE, value: HOSTILE, id: 'id "1"', depth: 1 });
    expect(found[1]?.states.split(' ').sort()).toEqual(['focused', 'readonly']);
    expect(found[2]?.states).toBe('… 25 items');
  });

  it('finds the smallest element at a point, and its path', () => {
    const found = elementsOf(
      textOf(
        line('e1', { controlType: 'Window', name: 'Demo', rect: { x: 0, y: 0, width: 100, height: 100 } }),
        line('e2', { depth: 1, controlType: 'Group', name: 'Order', rect: { x: 10, y: 10, width: 50, height: 50 } }),
        line('e3', { depth: 2, name: 'OK', rect: { x: 20, y: 20, width: 10, height: 10 } }),
      ),
    );
    expect(elementAt(found, 25, 25)?.ref).toBe('e3');
    expect(elementAt(found, 15, 15)?.ref).toBe('e2');
    expect(elementAt(found, 200, 15)).toBeNull();
    expect(pathOf(found, found[2]!).map(({ name }) => name)).toEqual(['Demo', 'Order', 'OK']);
  });
});

describe('the query of an element', () => {
  const found = elementsOf(
    textOf(
      line('e1', { controlType: 'Text', name: 'Customer' }),
      line('e2', { controlType: 'Edit', name: 'customer', automationId: '1001' }),
      line('e3', { controlType: 'Button', name: 'Save' }),
      line('e4', { controlType: 'Button', name: '', automationId: '7' }),
      line('e5', { controlType: 'Button', name: '', automationId: '' }),
    ),
  );

  it('is the shortest that finds it alone, and none where none does', () => {
    const queries = found.map((each) => queriesFor(found, each)[0] ?? null);
    expect(queries).toEqual([
      { name: 'Customer', role: 'Text' },
      { name: 'customer', role: 'Edit' },
      { name: 'Save' },
      { automationId: '7' },
      null,
    ]);
  });

  it('is quoted for each client, so that a name cannot become code', () => {
    const name = `it's "$(reboot)" \`x\` \\`;
    const [element] = elementsOf(textOf(line('e1', { name })));
    const texts = FORMS.map((form) => codeFor(form, { title: name }, element!, { name }).split('\n'));
    const word = `'it'\\''s "$(reboot)" \`x\` \\'`;
    expect(texts[0]).toEqual([`uiahost bind-to-window --title ${word}`, `uiahost click-element --name ${word}`]);
    expect(texts[2]?.map((text) => JSON.parse(text))).toEqual([
      { name: 'bind_to_window', arguments: { title: name } },
      { name: 'click_element', arguments: { name } },
    ]);
    for (const text of texts.slice(3).flat()) expect(text).toContain(JSON.stringify(name));
  });
});

it('[page.own] has the title by which the host knows its windows', () => {
  const html = readFileSync(new URL('../../../src/page/index.html', import.meta.url), 'utf8');
  expect(html).toContain(`<title>${PAGE_TITLE}</title>`);
});

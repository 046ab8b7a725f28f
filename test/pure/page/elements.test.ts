/** What the page reads of a snapshot, and the queries that its inspector makes. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGE_TITLE } from '../../../src/contract/gate/looker.ts';
import { codeFor, elementAt, elementsOf, FORMS, pathOf, queriesFor } from '../../../src/page/elements.ts';
import type { ShownElement } from '../../../src/contract/element/element.ts';

const shown = (ref: string, more: Partial<ShownElement>): ShownElement => ({
  ref,
  role: 'Button',
  name: '',
  rect: { x: 0, y: 0, width: 10, height: 10 },
  states: [],
  ...more,
});

describe('a snapshot as the page reads it', () => {
  it('has the depth of each element, and its states in words', () => {
    const found = elementsOf([
      shown('e1', { role: 'Window', rect: { x: -8, y: 0, width: 800, height: 600 } }),
      shown('e2', { role: 'Edit', parent: 'e1', states: ['focused', 'readonly'], value: 'x' }),
      shown('e3', { role: 'List', parent: 'e2', count: 25 }),
    ]);
    expect(found[0]).toMatchObject({ x: -8, width: 800, depth: 0 });
    expect(found[1]).toMatchObject({ depth: 1, states: 'focused readonly', value: 'x' });
    expect(found[2]).toMatchObject({ depth: 2, states: '25 items' });
  });

  it('finds the smallest element at a point, and its path', () => {
    const found = elementsOf([
      shown('e1', { role: 'Window', name: 'Demo', rect: { x: 0, y: 0, width: 100, height: 100 } }),
      shown('e2', { parent: 'e1', role: 'Group', name: 'Order', rect: { x: 10, y: 10, width: 50, height: 50 } }),
      shown('e3', { parent: 'e2', name: 'OK', rect: { x: 20, y: 20, width: 10, height: 10 } }),
    ]);
    expect(elementAt(found, 25, 25)?.ref).toBe('e3');
    expect(elementAt(found, 15, 15)?.ref).toBe('e2');
    expect(elementAt(found, 200, 15)).toBeNull();
    expect(pathOf(found, found[2]!).map(({ name }) => name)).toEqual(['Demo', 'Order', 'OK']);
  });
});

describe('the query of an element', () => {
  const found = elementsOf([
    shown('e1', { role: 'Text', name: 'Customer' }),
    shown('e2', { role: 'Edit', name: 'customer', id: '1001' }),
    shown('e3', { role: 'Button', name: 'Save' }),
    shown('e4', { role: 'Button', name: '', id: '7' }),
    shown('e5', { role: 'Button', name: '' }),
  ]);

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
    const [element] = elementsOf([shown('e1', { name })]);
    const texts = FORMS.map((form) => codeFor(form, { title: name }, element!, { name }).split('\n'));
    const word = `'it'\\''s "$(reboot)" \`x\` \\'`;
    expect(texts[0]).toEqual([`uiahost bind-to-window --title ${word}`, `uiahost click-element --name ${word}`]);
    expect(texts[2]?.map((text) => JSON.parse(text))).toEqual([
      { name: 'bind_to_window', arguments: { title: name } },
      { name: 'click_element', arguments: { name } },
    ]);
    expect(codeFor('CLI', { title: 'A & B' }, element!, { name })).toContain(`--title "A & B"\n`);
    for (const text of texts.slice(3).flat()) expect(text).toContain(JSON.stringify(name));
  });
});

it('[page.own] has the title by which the host knows its windows', () => {
  const html = readFileSync(new URL('../../../src/page/index.html', import.meta.url), 'utf8');
  expect(html).toContain(`<title>${PAGE_TITLE}</title>`);
});

/**
 * Lists of which a reading shows a part: items out of view are searched with what the control offers, and never
 * reported as missing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TableData } from '../../../../src/contract/element/element.ts';
import { bare, dump, Elements, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';

const LIST_BOX = '230';
const LIST_VIEW = '240';
const VIRTUAL = '242';
const TREE = '243';
const COMBO = '221';

let fixture: Fixture;
let elements: Elements;

const readTable = async (id: string, from: number, count: number): Promise<TableData> =>
  elements.port.readTable(
    elements.record,
    await elements.ref({ automationId: id }, 'look'),
    { from, count },
    newCall({ deadlineMs: 60_000 }),
  );
const waitFor = (what: Parameters<Elements['port']['waitFor']>[1], deadlineMs: number) =>
  elements.port.waitFor(elements.record, what, newCall({ deadlineMs }));
/** With the time that a busy machine needs. */
const select = async (id: string, item: { name?: string; index?: number }) =>
  elements.port.select(
    elements.record,
    await elements.ref({ automationId: id }, 'select'),
    item,
    newCall({ deadlineMs: 60_000 }),
  );
const selectedIn = async (id: string): Promise<unknown> => {
  const state = (await dump(fixture)).get(Number(id));
  return state?.['selectedText'] ?? state?.['item'] ?? state?.['selected'];
};

/** One window for the tests of a group: to fill it takes seconds. */
function lists(rows: number): void {
  beforeAll(async () => {
    fixture = await Fixture.start('controls', ['--rows', String(rows), '--width', '560', '--height', '560']);
    elements = await Elements.bind(fixture.hwnd);
  });
  afterAll(() => fixture[Symbol.asyncDispose]());
}

describe('two hundred rows, the longer name in view', () => {
  lists(200);

  test('an exact name out of view wins over a longer one in view', async () => {
    for (const id of [LIST_BOX, LIST_VIEW, VIRTUAL]) {
      expect((await elements.select({ automationId: id }, { name: 'Row 20' })).outcome, id).toMatchObject({
        effect: 'confirmed',
      });
    }
    await elements.select({ automationId: COMBO }, { name: 'Row 20' });
    await elements.select({ automationId: TREE }, { name: 'Row 20' });
    const now = await dump(fixture);
    expect([LIST_VIEW, VIRTUAL].map((id) => now.get(Number(id))?.['selected'])).toEqual([180, 180]);
    expect([LIST_BOX, COMBO].map((id) => now.get(Number(id))?.['selectedText'])).toEqual(['Row 20', 'Row 20']);
    expect(now.get(Number(TREE))).toMatchObject({ item: 'Row 20' });
  });

  test('for a click by name as well: each list has such a row, so all of them are named', async () => {
    const error = await refusal(elements.context({ name: 'Row 21', role: 'ListItem' }), 'target_ambiguous');
    expect(new Set(error.candidates?.map(({ name }) => name))).toEqual(new Set(['Row 21']));
    await elements.click({ name: 'Row 20', role: 'TreeItem' });
    expect(await selectedIn(TREE)).toBe('Row 20');
  });

  test('part of a name is searched for in the whole list, and a single match is taken', async () => {
    await elements.select({ automationId: LIST_BOX }, { name: 'w 137' });
    expect(await selectedIn(LIST_BOX)).toBe('Row 137');
    expect(
      (await refusal(elements.select({ automationId: LIST_BOX }, { name: 'w 13' }), 'target_ambiguous')).candidates,
    ).toHaveLength(10);
  });

  test('after a complete search the item is reported missing', async () => {
    for (const id of [LIST_BOX, LIST_VIEW, VIRTUAL, COMBO, TREE]) {
      const error = await refusal(elements.select({ automationId: id }, { name: 'Row 9000' }), 'target_not_found');
      expect(error.message).toContain('has no item');
      expect(
        (await refusal(elements.select({ automationId: id }, { index: 9000 }), 'target_not_found')).message,
      ).toContain('none with index 9000');
    }
  });
});

/** Proxies show each row of a list box and a combo box: a reading of them all takes minutes (docs/standard-controls.md). */
bare(describe)('ten thousand rows', () => {
  lists(10_000);

  test('[lists.search] an item far away is selected by its name, in each kind of list', async () => {
    for (const id of [LIST_BOX, LIST_VIEW, VIRTUAL, COMBO, TREE]) {
      expect((await select(id, { name: 'Row 1000' })).outcome, id).toMatchObject({ effect: 'confirmed' });
    }
    const now = await dump(fixture);
    expect([LIST_VIEW, VIRTUAL].map((id) => now.get(Number(id))?.['selected'])).toEqual([9000, 9000]);
    expect([LIST_BOX, COMBO].map((id) => now.get(Number(id))?.['selectedText'])).toEqual(['Row 1000', 'Row 1000']);
    expect(now.get(Number(TREE))).toMatchObject({ item: 'Row 1000' });
  });

  test('[lists.search] an index needs no reading', async () => {
    for (const id of [LIST_BOX, LIST_VIEW, VIRTUAL, COMBO]) {
      expect((await select(id, { index: 9003 })).outcome, id).toMatchObject({ effect: 'confirmed' });
    }
    const now = await dump(fixture);
    expect([LIST_BOX, COMBO, LIST_VIEW, VIRTUAL].map((id) => now.get(Number(id))?.['selected'])).toEqual([
      9003, 9003, 9003, 9003,
    ]);
    // A group precedes each hundred rows.
    await select(TREE, { index: 9003 + 91 });
    expect(await selectedIn(TREE)).toBe('Row 997');
  });

  test('[lists.search] a click by name scrolls there and keeps its ref', async () => {
    const ref = (
      await elements.context({ name: 'Row 4321', role: 'TreeItem' }, 'click', newCall({ deadlineMs: 60_000 }))
    ).element!.ref;
    await elements.port.click(elements.record, ref, { delivery: 'background' }, newCall());
    expect(await selectedIn(TREE)).toBe('Row 4321');
    expect((await elements.context({ ref })).element).toMatchObject({
      ref,
      name: 'Row 4321',
      states: expect.not.arrayContaining(['offscreen']) as unknown,
    });
  });

  test('[table.rows] a range anywhere, with the number of all rows', async () => {
    for (const id of [LIST_BOX, LIST_VIEW, VIRTUAL, COMBO]) {
      const table = await readTable(id, 9_990, 100);
      expect(table.totalRows, id).toBe(10_000);
      expect(
        table.rows.map(({ index, cells }) => [index, cells[0]]),
        id,
      ).toEqual(Array.from({ length: 10 }, (_, row) => [9_990 + row, `Row ${10 - row}`]));
    }
    const tree = await readTable(TREE, 10_098, 10);
    expect(tree).toMatchObject({
      totalRows: 10_100,
      rows: [
        { cells: ['Row 2'], depth: 1 },
        { cells: ['Row 1'], depth: 1 },
      ],
    });
  });

  test('an existing item is never gone, in view or not', async () => {
    for (const role of ['ListItem', 'TreeItem']) {
      await refusal(
        waitFor({ query: { name: 'Row 9000', role }, condition: 'goes' }, 4000),
        role === 'TreeItem' ? 'deadline_exceeded' : 'target_ambiguous',
      );
    }
  });

  test('a search that is cut ends in time, lets others act meanwhile, and claims nothing', async () => {
    let turns = 0;
    const beat = setInterval(() => {
      turns++;
    }, 10);
    const since = performance.now();
    const call = newCall({ deadlineMs: 700 });
    const cut = await refusal(
      elements.context({ name: 'No such row', role: 'TreeItem' }, 'click', call),
      'deadline_exceeded',
    );
    expect(cut.message).toMatch(/unknown.* of 10100 items were searched/);
    expect(performance.now() - since).toBeLessThan(3000);
    const error = await refusal(
      elements.port.select(
        elements.record,
        await elements.ref({ automationId: TREE }, 'select'),
        { name: 'No such row' },
        call,
      ),
      'deadline_exceeded',
    );
    clearInterval(beat);
    expect(error.message).toMatch(/unknown.*Nothing was selected/);
    expect(turns).toBeGreaterThan(5);
  });

  test('an abort ends it', async () => {
    const stop = new AbortController();
    setTimeout(() => {
      stop.abort();
    }, 200);
    await refusal(
      elements.context(
        { name: 'No such row', role: 'TreeItem' },
        'click',
        newCall({ deadlineMs: 60_000, signal: stop.signal }),
      ),
      'cancelled',
    );
  });

  test('waiting for a missing element ends at its deadline and reports what was found so far', async () => {
    const since = performance.now();
    await refusal(waitFor({ query: { name: 'No such row' }, condition: 'appears' }, 2500), 'deadline_exceeded');
    expect(performance.now() - since).toBeLessThan(3500);
  });

  test('a reading shows the rows in view and the number of all items', async () => {
    const nodes = await elements.nodes();
    expect(nodes.length).toBeLessThan(200);
    expect(
      nodes.filter(({ controlType }) => controlType === 'List' || controlType === 'Tree').map(({ value }) => value),
    ).toEqual([
      expect.stringMatching(/ of 10000 items$/),
      expect.stringMatching(/ of 10000 items$/),
      expect.stringMatching(/ of 10000 items$/),
      expect.stringMatching(/ of 10100 items$/),
    ]);
  });
});

/** End to end: what is written into cells is what they hold, whatever it looks like and whatever others do there. */
import { describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import type { Fixture } from '../support/fixture.ts';
import { generatedRanges } from '../support/generated-ranges.ts';
import type { Scene } from '../support/scene.ts';
import { cellsShown, eachWorkbook, liveObjects } from '../support/workbook.ts';

let scene: Scene;
let book: Fixture;
let client: Client;
eachWorkbook((given) => void ({ scene, book, client } = given), {
  args: ['--books', 2],
  policy: { limits: { actionsPerMinute: 100_000 } },
});

/** Texts that a spreadsheet reads as something else when they are typed, and some that it does not. */
const TEXTS: readonly string[] = [
  ['=B2', '=1+1', '=SUM(A1:A3)', '=(', '= B2', ' =B2', '=', '==', "='x", '=HYPERLINK("http://x")'],
  ['+1', '+B2', '+', '-5', '-B2', '-', '--', '@x', '@SUM(A1)', '@'],
  ['007', '1', '1.50', '1,234', '1,234.5', '12%', '-12.5%', '1e5', '1E-3', '.5'],
  ['1-2', '1/2', '3/4/2024', '2024-01-02', 'Jan 5', '5 January', 'May-24', '5:30', '5:30 PM', '12:00:01'],
  ['TRUE', 'FALSE', 'true', 'False', '#N/A', '#DIV/0!', '#REF!', '#', '(5)', '$5'],
  ["'", "'007", "''", "it's", '"quoted"', 'two\nlines', '\ttab', ' ', '  padded  ', 'text 5/3'],
  ['漢字', '🦁 Löwe', 'x'.repeat(32_767), 'y'.repeat(8_204), 'null', 'undefined', '1 2 3', '007 James', '€5', '5 €'],
].flat();

describe('texts', () => {
  it('seventy texts that look like something else stay these texts, and no format changes', async () => {
    expect(new Set(TEXTS).size).toBe(70);
    const { value, outcome } = await client.act('write-range', {
      sheet: 'Data',
      range: 'B2',
      values: TEXTS.map((text) => [text]),
    });
    expect(value).toMatchObject({ written: TEXTS.length, formulas: 0, differing: [] });
    expect(outcome.effect).toBe('confirmed');
    const read = await client.act('read-range', { sheet: 'Data', range: `B2:B${String(TEXTS.length + 1)}` });
    expect(read.value.values).toEqual(TEXTS.map((text) => [text]));
    expect(read.value.formulas).toEqual({});
    const cells = Object.values(await cellsShown(book, `Data!B2:B${String(TEXTS.length + 1)}`));
    expect(cells.map(({ kind, formula, format }) => ({ kind, formula, format }))).toEqual(
      TEXTS.map(() => ({ kind: 'text', formula: null, format: null })),
    );
    expect(cells.find(({ text }) => text === '漢字')).toMatchObject({ prefix: false });
    expect(cells.find(({ text }) => text === '=B2')).toMatchObject({ prefix: true });
  });

  it('in cells of the format Text the text itself is written', async () => {
    await book.tell('format Data!B2 @');
    const { value } = await client.act('write-range', { sheet: 'Data', range: 'B2:C2', values: [['007', '007']] });
    expect(value.differing).toEqual([]);
    expect(await cellsShown(book, 'Data!B2:C2')).toMatchObject({ B2: { text: '007' }, C2: { text: '007' } });
  });

  it('dates of both date systems come back as the same days', async () => {
    const days = ['1900-01-01', '1900-02-28', '1900-03-01', '2024-02-29', '9999-12-31', '2026-11-23T14:30:05'];
    const values = [days.map((date) => ({ date }))];
    await client.act('write-range', { sheet: 'Data', range: 'B2:G2', values });
    expect((await client.act('read-range', { sheet: 'Data', range: 'B2:G2' })).value.values).toEqual(values);
  });

  it('a cell that shows a date which no calendar has is its number, and the cells next to it are read', async () => {
    for (const [cell, number] of Object.entries({ B2: '-5', C2: '2958466', D2: '45351' })) {
      await book.tell(`set Data!${cell} ${number}`);
      await book.tell(`format Data!${cell} m/d/yyyy`);
    }
    const read = async (range: string): Promise<unknown> =>
      (await client.act('read-range', { sheet: 'Data', range })).value.values;
    expect(await read('B2:C2')).toEqual([[-5, 2_958_466]]);
    expect(await read('D2')).toEqual([[{ date: '2024-02-29' }]]);
    expect(await read('B2:D2')).toEqual([[-5, 2_958_466, 45_351]]);
  });

  it.each([
    [0, 'without Formula2, as in older programs'],
    [2, 'with a Formula2 that refuses, as in Excel 2019'],
  ])('(%i) %s, Formula is used', async (how) => {
    await book.tell(`formula2 ${how}`);
    const { value } = await client.act('write-range', {
      sheet: 'Data',
      range: 'B2:B3',
      values: [[{ formula: '=1+1' }], [{ formula: '=B2*2' }]],
      overwrite: true,
    });
    expect(value.differing).toEqual([]);
    expect((await client.act('read-range', { sheet: 'Data', range: 'B2:B3' })).value).toMatchObject({
      values: [[2], [4]],
      formulas: { B2: '=1+1', B3: '=B2*2' },
    });
    const text = await client.act('write-range', {
      sheet: 'Data',
      range: 'B2:B3',
      values: [['plain'], [7]],
      overwrite: true,
    });
    expect(text.value.differing).toEqual([]);
    await book.tell('formula2 1');
  });
});

describe('generated ranges', () => {
  // `npm run sheets` takes 2,000.
  const count = Number(process.env['UIAHOST_SHEET_RANGES'] ?? 40);
  /** A run that prints nothing for long is ended. */
  const REPORT_EVERY = 100;
  it('are written and read back, cell by cell', { timeout: 60_000 + count * 3000 }, async () => {
    let done = 0;
    for (const { range, whole, values, expected } of generatedRanges(count, 20_261_123)) {
      const written = await client.act('write-range', { sheet: 'Data', range, values, overwrite: true });
      expect({ range, differing: written.value.differing }).toEqual({ range, differing: [] });
      const read = await client.act('read-range', { sheet: 'Data', range: whole, what: 'values', maxCells: 10_000 });
      expect({ range, values: read.value.values }).toEqual({ range, values: expected });
      done += 1;
      if (done % REPORT_EVERY === 0) console.log(`${String(done)} of ${String(count)} ranges`);
    }
    expect(await liveObjects(book)).toBe(0);
  });
});

describe('others at work', () => {
  it('two agents on two books of one process each reach their own', async () => {
    const second = book.journal.events({ event: 'book' }).find(({ index }) => index === 2)!;
    const other = new Client(scene.host, 'other');
    await other.bind({ hwnd: String(second['hwnd']) });
    await Promise.all(
      Array.from({ length: 6 }, (_, i) => [
        client.act('write-range', { sheet: 'Data', range: `A${i + 1}`, values: [[`first ${i}`]] }),
        other.act('write-range', { sheet: 'Data', range: `A${i + 1}`, values: [[`second ${i}`]] }),
      ]).flat(),
    );
    const column = (name: string): string[][] => Array.from({ length: 6 }, (_, i) => [`${name} ${i}`]);
    const range = { sheet: 'Data', range: 'A1:A6' };
    expect((await client.act('read-range', range)).value.values).toEqual(column('first'));
    expect((await other.act('read-range', range)).value.values).toEqual(column('second'));
    expect((await client.act('workbook-info')).value.workbook.name).toBe('Book1.xlsx');
    expect((await other.act('workbook-info')).value.workbook.name).toBe('Book2.xlsx');
    expect(await liveObjects(book)).toBe(0);
  });

  it('[sheet.person] a person types into a cell meanwhile: the write waits, and does not overwrite the person’s text', async () => {
    await book.tell('edit');
    const waiting = client.send('write-range', { sheet: 'Data', range: 'C3:C4', values: [['mine'], ['mine']] });
    await book.tell('set Data!C4 theirs');
    await book.tell('ready');
    const answer = await waiting;
    expect(answer.body).toMatchObject({ code: 'state_conflict', delivery: 'not_delivered' });
    expect(await cellsShown(book, 'Data!C3:C4')).toMatchObject({ C3: { kind: 'empty' }, C4: { text: 'theirs' } });
  });

  it.each([
    ['Value2', 'cells that were empty', false],
    ['Value2', 'cells with the digest that was read', true],
    ['Hidden', 'cells that were empty', false],
  ])(
    '[sheet.person] a person begins to type when a write is at %s, after the cells were read: %s are looked at again',
    async (member, _which, isExpected) => {
      const editing = (times: number): Promise<unknown> =>
        book.journal.waitFor(() => book.journal.events({ event: 'editing' }).length === times);
      const range = { sheet: 'Data', range: 'C3:C4' };
      const digest = (await client.act('read-range', range)).value.digest;
      await book.tell(`edit-at ${member}`);
      const waiting = client.send('write-range', {
        ...range,
        values: [['mine'], ['mine']],
        ...(isExpected ? { expect: digest } : {}),
      });
      await editing(1);
      await book.tell('set Data!C4 theirs');
      await book.tell('ready');
      expect((await waiting).body).toMatchObject({ code: 'state_conflict', delivery: 'not_delivered' });
      expect(await cellsShown(book, 'Data!C3:C4')).toMatchObject({ C3: { kind: 'empty' }, C4: { text: 'theirs' } });
      // Left alone, it is written once the person is done.
      await book.tell('edit-at Value2');
      const again = client.send('write-range', { sheet: 'Data', range: 'E3', values: [['mine']] });
      await editing(2);
      await book.tell('ready');
      expect((await again).body).toMatchObject({ outcome: { effect: 'confirmed' } });
      expect(await liveObjects(book)).toBe(0);
    },
  );

  it('a batch that is approved as a plan fills several ranges with one card', async () => {
    await client.policy({ level: 'control' });
    try {
      const steps = ['A1', 'C1', 'E1'].map((range) => ({
        action: 'write-range',
        input: { sheet: 'Data', range, values: [[range], [{ formula: '=1+1' }]] },
      }));
      const { actionId, card } = await client.pending('batch', { steps, approveAsPlan: true });
      await client.decide(card.approvalId, 'approve', { scope: 'plan' });
      const { result } = await client.ended(actionId);
      expect(result?.value.completed).toHaveLength(3);
      expect(result?.outcome.effect).toBe('confirmed');
      expect(await cellsShown(book, 'Data!A1:E1')).toMatchObject({ A1: { text: 'A1' }, E1: { text: 'E1' } });
    } finally {
      await client.policy({ level: 'full' });
    }
  });

  it('[sheet.approval] cells that change while a person decides void the approval', async () => {
    await client.policy({ level: 'control' });
    try {
      const { actionId, card } = await client.pending('write-range', { range: 'B2', values: [[1]], overwrite: true });
      expect(card.riskTags).toContain('destructive');
      await book.tell('set Sheet1!B2 99');
      await client.decide(card.approvalId, 'approve');
      expect((await client.ended(actionId)).error).toMatchObject({ code: 'state_conflict' });
      expect(await cellsShown(book, 'Sheet1!B2')).toMatchObject({ B2: { number: 99 } });
    } finally {
      await client.policy({ level: 'full' });
    }
  });
});

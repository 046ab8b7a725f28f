/** End to end: reading, writing and selecting cells of a spreadsheet window, seen by the program's own journal. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Fixture } from '../support/fixture.ts';
import { cellsShown, eachWorkbook, liveObjects } from '../support/workbook.ts';
import type { Scene } from '../support/scene.ts';

let scene: Scene;
let book: Fixture;
let client: Client;
eachWorkbook((given) => void ({ scene, book, client } = given));

describe('reading', () => {
  it('the workbook, its sheets, the selection and the separators', async () => {
    const { value, outcome, decision } = await client.act('workbook-info');
    expect(value).toEqual({
      application: { name: 'Microsoft Excel', version: '16.0' },
      workbook: {
        name: 'Book1.xlsx',
        path: 'C:\\Books\\Book1.xlsx',
        readOnly: false,
        saved: true,
        date1904: false,
        protectedView: false,
      },
      sheets: [
        { name: 'Sheet1', index: 1, visible: true, protected: false, usedRange: 'A1:C6', active: true },
        { name: 'Data', index: 2, visible: true, protected: false, usedRange: 'A1', active: false },
        { name: 'Chart', index: 3, visible: true, protected: false, usedRange: null, active: false },
        { name: 'Hidden', index: 4, visible: false, protected: false, usedRange: 'A1', active: false },
      ],
      selection: { sheet: 'Sheet1', range: 'A1', cells: 1 },
      calculation: 'automatic',
      separators: { decimal: '.', list: ',' },
    });
    expect(outcome).toMatchObject({ effect: 'none', delivery: 'none' });
    expect(decision).toMatchObject({ riskLevel: 'low' });
  });

  it('the used range: texts, numbers, dates, currencies, errors by name, formulas by address', async () => {
    const { value } = await client.act('read-range');
    expect(value).toEqual({
      sheet: 'Sheet1',
      range: 'A1:C6',
      rows: 6,
      columns: 3,
      values: [
        ['Name', 'Amount', 'Due'],
        ['Löwe 🦁', 1234.5, { date: '2024-02-29' }],
        ['007', -3, 19.99],
        [true, 1231.5, { error: '#DIV/0!' }],
        [{ error: '#N/A' }, 2463, { error: '#NAME?' }],
        ['two\nlines', null, null],
      ],
      formulas: { B4: '=B2+B3', C4: '=B2/0', B5: '=SUM(B2:B4)', C5: '=NOSUCH(1)' },
      nextRange: null,
      digest: expect.stringMatching(/^A1:C6\.[0-9a-f]{32}$/),
      untrusted: true,
    });
    expect(await liveObjects(book)).toBe(0);
  });

  it('values or formulas alone, serial dates, displayed texts, a name, the selection, whole columns', async () => {
    expect((await client.act('read-range', { range: 'B3:C4', what: 'values' })).value).not.toHaveProperty('formulas');
    expect((await client.act('read-range', { range: 'A4:B4', what: 'formulas' })).value).toMatchObject({
      values: [[true, null]],
      formulas: { B4: '=B2+B3' },
    });
    expect((await client.act('read-range', { range: 'C2', dates: 'serial' })).value.values).toEqual([
      [{ date: 45351 }],
    ]);
    await book.tell('narrow Sheet1 2');
    expect((await client.act('read-range', { range: 'A2:C3', text: true })).value.text).toEqual([
      ['Löwe 🦁', '###', '2/29/2024'],
      ['007', '###', '$19.99'],
    ]);
    await book.tell('name Rates =Data!$B$2:$C$3');
    await book.tell('set Data!B2 0.5');
    expect((await client.act('read-range', { range: 'Rates' })).value).toMatchObject({
      sheet: 'Data',
      range: 'B2:C3',
      values: [
        [0.5, null],
        [null, null],
      ],
    });
    expect((await client.act('read-range', { range: "'Data'!B2" })).value.values).toEqual([[0.5]]);
    await client.act('select-range', { range: 'A2:B2' });
    expect((await client.act('read-range', { range: 'selection' })).value).toMatchObject({ range: 'A2:B2' });
    expect((await client.act('read-range', { range: 'B:C' })).value).toMatchObject({ range: 'B1:C6' });
  });

  it('[sheet.next-range] a larger range comes in parts that reach every cell once', async () => {
    await book.tell('set Data!XFD1048576 last');
    const parts: string[] = [];
    let range: string | null = 'A1:C6';
    while (range !== null) {
      const { value } = await client.act('read-range', { range, maxCells: 4 });
      parts.push(value.range);
      range = value.nextRange;
    }
    expect(parts).toEqual(['A1:C1', 'A2:C2', 'A3:C3', 'A4:C4', 'A5:C5', 'A6:C6']);
    expect((await client.act('read-range', { sheet: 'Data', range: 'XFD1048576' })).value.values).toEqual([['last']]);
  });
});

describe('writing', () => {
  it('[sheet.write] every kind of value is written, read back, and reported with the previous content', async () => {
    const values = [
      ['text', 12.5, true, ''],
      [{ date: '2026-11-23' }, { error: '#N/A' }, { formula: '=sum(E1:F1)' }, null],
    ];
    const { value, outcome } = await client.act('write-range', { range: 'E1:H2', values });
    expect(value).toEqual({
      sheet: 'Sheet1',
      range: 'E1:H2',
      written: 7,
      formulas: 1,
      before: {
        values: [
          [null, null, null, null],
          [null, null, null, null],
        ],
        formulas: {},
      },
      beforeUrl: expect.stringMatching(/^\/v1\/artifacts\/[0-9a-f]{64}\/content$/),
      differing: [],
      undoCleared: true,
      macrosMayRun: false,
      saved: false,
    });
    expect(outcome).toMatchObject({ effect: 'confirmed', delivery: 'object-model', readBack: 'verified' });
    expect(outcome).toMatchObject({ focusChanged: false, cursorMoved: false });
    const cells = await cellsShown(book, 'Sheet1!E1:H2');
    expect(cells).toMatchObject({
      E1: { kind: 'text', text: 'text' },
      F1: { kind: 'number', number: 12.5 },
      G1: { kind: 'boolean', boolean: true },
      H1: { kind: 'empty' },
      E2: { kind: 'number', number: 46349, format: 'm/d/yyyy' },
      F2: { kind: 'error', error: '#N/A' },
      G2: { formula: '=sum(E1:F1)', number: 12.5 },
      H2: { kind: 'empty' },
    });
    expect(book.journal.events({ event: 'setting' })).toEqual([]);
    expect(book.journal.events({ event: 'saved' })).toEqual([]);
    expect(book.journal.events({ event: 'locale' })).toEqual([]);
    expect(await liveObjects(book)).toBe(0);
  });

  it('[sheet.before] the previous content is served whole at beforeUrl, however many cells, only with a token', async () => {
    const values = Array.from({ length: 120 }, (_, r) => [`text ${r}`, r]);
    await client.act('write-range', { sheet: 'Data', range: 'A1', values });
    await client.act('write-range', {
      sheet: 'Data',
      range: 'B120',
      values: [[{ formula: '=B1+B2' }]],
      overwrite: true,
    });
    const { value } = await client.act('write-range', {
      sheet: 'Data',
      range: 'A1:B120',
      values: values.map(() => ['new', 0]),
      overwrite: true,
    });
    expect(value).toMatchObject({ before: null, differing: [] });
    const { body, headers } = await scene.host.request(value.beforeUrl);
    expect(headers.get('content-type')).toContain('application/json');
    expect(body).toEqual({
      actionId: expect.any(String),
      sheet: 'Data',
      range: 'A1:B120',
      values: [...values.slice(0, 119), ['text 119', 1]],
      formulas: { B120: '=B1+B2' },
    });
    const record = await scene.host.request(value.beforeUrl.replace('/content', ''));
    expect(record.body).toMatchObject({ mimeType: 'application/json', contentHash: value.beforeUrl.split('/')[3] });
    expect((await fetch(`${scene.host.url}${value.beforeUrl}`)).status).toBe(401);
    expect((await scene.host.request(`/v1/artifacts/${'0'.repeat(64)}/content`)).status).toBe(404);
    await client.policy({ keepPictures: false });
    try {
      const unkept = await client.act('write-range', { sheet: 'Data', range: 'A1', values: [['x']], overwrite: true });
      expect(unkept.value).toMatchObject({ beforeUrl: null, before: { values: [['new']] } });
    } finally {
      await client.policy({ keepPictures: true });
    }
  });

  it('[sheet.overwrite] cells that are not empty need overwrite or the digest of a reading', async () => {
    const write = { range: 'A1:B1', values: [['new', 'other']] };
    const { detail } = await client.refused('state_conflict', 'write-range', write);
    expect(detail).toContain('A1');
    const read = (await client.act('read-range', { range: 'A1:C6' })).value;
    await book.tell('set Sheet1!C1 changed');
    await client.refused('state_conflict', 'write-range', { ...write, expect: read.digest });
    expect(book.journal.events({ event: 'changed' })).toEqual([]);
    const again = (await client.act('read-range', { range: 'A1:C6' })).value;
    const done = await client.act('write-range', { ...write, expect: again.digest });
    expect(done.value).toMatchObject({ differing: [], before: { values: [['Name', 'Amount']] } });
    expect(done.decision).toMatchObject({ riskLevel: 'high', riskTags: expect.arrayContaining(['destructive']) });
    const same = await client.act('write-range', { ...write, overwrite: true });
    expect(same).toMatchObject({ value: { differing: [] }, outcome: { effect: 'none', readBack: 'verified' } });
    const values = [['newer', 'other']];
    expect((await client.act('write-range', { ...write, values, overwrite: true })).outcome.effect).toBe('confirmed');
    await client.refused('invalid_argument', 'write-range', { range: 'E1', values: [['x']], expect: again.digest });
  });

  it('values that a cell did not keep are reported', async () => {
    await book.tell('merge Sheet1!E1:F1');
    const { value, outcome } = await client.act('write-range', { range: 'E1:F1', values: [['kept', 'lost']] });
    expect(value.differing).toEqual([{ cell: 'F1', wanted: 'lost', got: null }]);
    expect(outcome).toMatchObject({ effect: 'unverified', readBack: 'mismatch' });
  });

  it('a Worksheet_Change macro runs once for a write and never for a read; its changes are reported', async () => {
    await book.tell('macros 1');
    const ran = (): number => book.journal.events({ event: 'macro' }).length;
    await client.act('read-range');
    await client.act('workbook-info');
    expect(ran()).toBe(0);
    const write = { range: 'E1:F1', values: [['mine', 2]] };
    expect((await client.act('write-range', write)).value).toMatchObject({ macrosMayRun: true, differing: [] });
    expect(ran()).toBe(1);
    await book.tell('macro Sheet1!F1 of the macro');
    const { value, outcome } = await client.act('write-range', { ...write, overwrite: true });
    expect(value).toMatchObject({ macrosMayRun: true, differing: [{ cell: 'F1', wanted: 2, got: 'of the macro' }] });
    expect(outcome).toMatchObject({ effect: 'unverified', readBack: 'mismatch' });
    expect(book.journal.events({ event: 'setting' })).toEqual([]);
  });

  it('a formula that shows the number that was written is not that number', async () => {
    await book.tell('macros 1');
    await book.tell('macro Sheet1!F2 =1+1');
    const values = [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ];
    const { value, outcome } = await client.act('write-range', { range: 'E1:F3', values });
    expect(value).toMatchObject({ written: 6, differing: [{ cell: 'F2', wanted: 2, got: 2 }] });
    expect(outcome).toMatchObject({ effect: 'unverified', readBack: 'mismatch' });
  });

  it('cells that show money or days keep the numbers that were written', async () => {
    await book.tell('format Sheet1!E1 $#,##0.00');
    await book.tell('format Sheet1!E2 m/d/yyyy');
    const values = [[19.995], [46349.25], [{ date: '2026-11-25' }], [''], [null], ['text']];
    const { value, outcome } = await client.act('write-range', { range: 'E1:E6', values });
    expect(value).toMatchObject({ written: 5, differing: [] });
    expect(outcome).toMatchObject({ effect: 'confirmed', readBack: 'verified' });
  });

  it('selects cells, on another sheet too, and scrolls to them', async () => {
    const here = await client.act('select-range', { range: 'B2:C4' });
    expect(here.value).toEqual({ sheet: 'Sheet1', range: 'B2:C4', sheetChanged: false });
    expect(here.decision).toMatchObject({ riskLevel: 'medium' });
    const there = await client.act('select-range', { sheet: 'Data', range: 'AA100' });
    expect(there).toMatchObject({
      value: { sheet: 'Data', range: 'AA100', sheetChanged: true },
      outcome: { effect: 'confirmed', focusChanged: false },
    });
    expect(book.journal.events({ event: 'selected' }).map(({ sheet, range }) => `${sheet}!${range}`)).toEqual([
      'Sheet1!B2:C4',
      'Data!AA100',
    ]);
    await client.refused('state_conflict', 'select-range', { sheet: 'Hidden', range: 'A1' });
    expect(await liveObjects(book)).toBe(0);
  });
});

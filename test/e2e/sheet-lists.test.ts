/** End to end: hidden rows and columns, filtered lists, tables, merged cells, the 1904 date system, and sheets that are nearly empty. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Fixture } from '../support/fixture.ts';
import { cellsShown, eachWorkbook } from '../support/workbook.ts';

let book: Fixture;
let client: Client;
eachWorkbook((given) => void ({ book, client } = given), { leavesNoObject: true });

/** Every cell with its own text, so that a misplaced one shows. */
const grid = (rows: number, columns: number): string[][] =>
  Array.from({ length: rows }, (_r, r) => Array.from({ length: columns }, (_c, c) => `row ${r} column ${c}`));

describe('hidden cells', () => {
  it('a filtered list is read whole, and each value of a write goes where it belongs', async () => {
    for (const [at, name] of ['Item', 'apple', 'pear', 'pear', 'apple', 'plum', 'apple'].entries())
      await book.tell(`set Data!A${at + 1} ${name}`);
    await book.tell('filter Data!A1:C7 apple');
    const read = await client.act('read-range', { sheet: 'Data', range: 'A1:A7' });
    expect(read.value.values.flat()).toEqual(['Item', 'apple', 'pear', 'pear', 'apple', 'plum', 'apple']);
    const values = grid(7, 2);
    const { value, outcome } = await client.act('write-range', { sheet: 'Data', range: 'B1', values });
    expect(value).toMatchObject({ range: 'B1:C7', written: 14, differing: [] });
    expect(outcome.effect).toBe('confirmed');
    const cells = await cellsShown(book, 'Data!B1:C7');
    expect(Object.values(cells).map(({ text }) => text)).toEqual(values.flat());
  });

  it('hidden rows and columns in the middle, formulas among the values', async () => {
    await book.tell('hide Data!3:4');
    await book.tell('hide Data!C:C');
    const values: unknown[][] = grid(5, 4);
    values[2]![1] = { formula: '=1+1' };
    values[3]![3] = { date: '2026-11-23' };
    const { value } = await client.act('write-range', { sheet: 'Data', range: 'B2:E6', values });
    expect(value.differing).toEqual([]);
    const cells = await cellsShown(book, 'Data!B2:E6');
    expect(cells['C4']).toMatchObject({ formula: '=1+1' });
    expect(cells['E5']).toMatchObject({ number: 46349 });
    for (const [r, row] of grid(5, 4).entries())
      for (const [c, text] of row.entries()) {
        const address = `${'BCDE'[c]!}${String(r + 2)}`;
        if (address !== 'C4' && address !== 'E5') expect(cells[address]).toMatchObject({ text });
      }
    await book.tell('unhide Data!3:4');
    await book.tell('unhide Data!C:C');
    expect((await client.act('read-range', { sheet: 'Data', range: 'B2:B6' })).value.values).toEqual(
      grid(5, 1).map((row) => row),
    );
  });

  it('where every row is hidden, and in a single hidden row', async () => {
    await book.tell('hide Data!2:9');
    for (const [range, rows] of [
      ['B3', 3],
      ['B8', 1],
    ] as const) {
      const values = grid(rows, 3);
      const { value } = await client.act('write-range', { sheet: 'Data', range, values });
      expect(value.differing).toEqual([]);
      expect(Object.values(await cellsShown(book, `Data!${value.range}`)).map(({ text }) => text)).toEqual(
        values.flat(),
      );
    }
  });

  it('rows that a person hides while a write is on its way: each value still goes into its own cell', async () => {
    const values = grid(6, 3);
    await book.tell('hide-late Data!4:5');
    const { value, outcome } = await client.act('write-range', { sheet: 'Data', range: 'B2', values });
    expect(value).toMatchObject({ range: 'B2:D7', differing: [] });
    expect(outcome.effect).toBe('confirmed');
    expect(Object.values(await cellsShown(book, 'Data!B2:D7')).map(({ text }) => text)).toEqual(values.flat());
  });

  it('nothing hidden: the range is written in one call', async () => {
    await client.act('write-range', { sheet: 'Data', range: 'B2', values: grid(20, 5) });
    expect(book.journal.events({ event: 'changed' })).toHaveLength(1);
  });
});

describe('tables, merged cells and names', () => {
  it('a table and its columns are ranges, on another sheet too', async () => {
    for (const [cell, text] of Object.entries({ B2: 'Item', C2: 'Amount', B3: 'apple', C3: '3', B4: 'pear', C4: '4' }))
      await book.tell(`set Data!${cell} ${text}`);
    await book.tell('table Data!B2:C4 Orders');
    expect((await client.act('read-range', { range: 'Orders' })).value).toMatchObject({
      sheet: 'Data',
      range: 'B3:C4',
      values: [
        ['apple', 3],
        ['pear', 4],
      ],
    });
    expect((await client.act('read-range', { sheet: 'Data', range: 'Orders[Amount]' })).value).toMatchObject({
      range: 'C3:C4',
      values: [[3], [4]],
    });
    const { value } = await client.act('write-range', { range: 'orders[amount]', values: [[5], [6]], overwrite: true });
    expect(value).toMatchObject({ sheet: 'Data', range: 'C3:C4', differing: [], before: { values: [[3], [4]] } });
    await client.refused('invalid_argument', 'read-range', { range: 'Orders[Colour]' });
    await client.refused('invalid_argument', 'read-range', { range: 'Sales' });
  });

  it('in merged cells all but the first take nothing, and the answer says which', async () => {
    await book.tell('merge Data!B2:C3');
    const { value, outcome } = await client.act('write-range', { sheet: 'Data', range: 'A1', values: grid(4, 4) });
    expect(value.differing.map(({ cell }: { cell: string }) => cell)).toEqual(['C2', 'B3', 'C3']);
    expect(outcome).toMatchObject({ effect: 'unverified', readBack: 'mismatch' });
    expect(await cellsShown(book, 'Data!D4')).toMatchObject({ D4: { text: 'row 3 column 3' } });
  });

  it('merged areas are named, and what is put into or cleared in a covered cell is not confirmed', async () => {
    await book.tell('merge Data!B2:C3');
    const range = { sheet: 'Data', range: 'A1:D4' };
    expect((await client.act('read-range', range)).value.merged).toEqual(['B2:C3']);
    expect((await client.act('read-range', { sheet: 'Data', range: 'C3' })).value.merged).toEqual(['B2:C3']);
    expect((await client.act('read-range', { sheet: 'Data', range: 'D4:E5' })).value.merged).toBeUndefined();
    for (const value of ['text', 500, '']) {
      const done = await client.act('write-range', { sheet: 'Data', range: 'C2', values: [[value]], overwrite: true });
      expect(done.value).toMatchObject({ merged: ['B2:C3'], differing: [{ cell: 'C2', wanted: value }] });
      expect(done.outcome).toMatchObject({ effect: 'unverified', readBack: 'mismatch' });
    }
  });
});

describe('the 1904 date system', () => {
  const days = ['1904-01-02', '2024-02-29', '2026-11-23T14:30:05', '9999-12-31'];

  it('the same days are written and read, as ISO dates and as the workbook’s serial numbers', async () => {
    await book.tell('date1904 1');
    const values = [days.map((date) => ({ date }))];
    const range = { sheet: 'Data', range: 'B2:E2' };
    expect((await client.act('write-range', { ...range, values })).value.differing).toEqual([]);
    expect((await client.act('read-range', range)).value.values).toEqual(values);
    expect(await cellsShown(book, 'Data!C2')).toMatchObject({ C2: { number: 45_351 - 1462 } });
    const serial = (await client.act('read-range', { ...range, dates: 'serial' })).value.values;
    expect(serial[0][1]).toEqual({ date: 45_351 - 1462 });
    const again = await client.act('write-range', { sheet: 'Data', range: 'B3', values: serial });
    expect(again.value.differing).toEqual([]);
    expect((await client.act('read-range', { sheet: 'Data', range: 'B3:E3' })).value.values).toEqual(values);
  });

  it('a date before its first day is refused, and nothing is written', async () => {
    await book.tell('date1904 1');
    await client.refused('invalid_argument', 'write-range', {
      sheet: 'Data',
      range: 'B2',
      values: [[{ date: '1903-12-31' }]],
    });
    expect(await cellsShown(book, 'Data!B2')).toMatchObject({ B2: { kind: 'empty' } });
  });
});

it('[sheet.next-range] a sheet with two cells a million rows apart is read in parts, each within its limit', async () => {
  await book.tell('set Data!A1 first');
  await book.tell('set Data!XFD1048576 last');
  const { value } = await client.act('read-range', { sheet: 'Data' });
  expect(value).toMatchObject({ range: 'A1:BXX1', rows: 1, columns: 2000 });
  expect(value.values[0][0]).toBe('first');
  expect(value.nextRange).toBe('BXY1:XFD1,2:1048576');
  const column = await client.act('read-range', { sheet: 'Data', range: 'XFD:XFD', maxCells: 10_000 });
  expect(column.value).toMatchObject({ range: 'XFD1:XFD10000', nextRange: 'XFD10001:XFD1048576' });
  const last = await client.act('read-range', { sheet: 'Data', range: 'XFC1048575:XFD1048576' });
  expect(last.value.values).toEqual([
    [null, null],
    [null, 'last'],
  ]);
  const info = (await client.act('workbook-info')).value;
  expect(info.sheets[1]).toMatchObject({ name: 'Data', usedRange: 'A1:XFD1048576' });
});

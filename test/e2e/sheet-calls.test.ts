/** End to end: what the host asks of a spreadsheet program, counted in that program's own journal. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Fixture } from '../support/fixture.ts';
import { until } from '../support/until.ts';
import { eachWorkbook, liveObjects } from '../support/workbook.ts';
import { wordsOf } from '../support/words.ts';

let book: Fixture;
let client: Client;
eachWorkbook((given) => void ({ book, client } = given), { args: ['--books', 2] });

interface Call {
  readonly kind: string;
  readonly member: string;
  readonly book: number;
  readonly locale: number;
}

/** The calls that an action leads to for which nothing is kept of the actions before. */
async function callsOf(work: () => Promise<unknown>): Promise<Call[]> {
  await liveObjects(book);
  await book.tell('trace 1');
  const from = book.journal.events({ event: 'call' }).length;
  await work();
  await liveObjects(book);
  await book.tell('trace 0');
  return book.journal.events({ event: 'call' }).slice(from) as unknown as Call[];
}

const READ = { range: 'A1:C6' };
const WRITE = {
  sheet: 'Data',
  range: 'B2:C3',
  values: [
    ['a', 1],
    [{ formula: '=C2+1' }, { date: '2026-11-23' }],
  ],
};
const ACTIONS: ReadonlyArray<readonly [string, object]> = [
  ['workbook-info', {}],
  ['read-range', READ],
  ['read-range', { range: 'selection', text: true }],
  ['write-range', { ...WRITE, overwrite: true }],
  ['select-range', { range: 'B2' }],
];

describe('calls', () => {
  it('every one is English, begins at the bound window’s object, and never asks the application what is active', async () => {
    // The second book's window is the program's active one.
    for (const [name, input] of ACTIONS) {
      const calls = await callsOf(() => client.act(name, input));
      expect(calls.length).toBeGreaterThan(0);
      expect({ name, first: `${calls[0]!.kind}.${calls[0]!.member}` }).toEqual({ name, first: 'Window.Hwnd' });
      expect(calls.filter(({ locale }) => locale !== 0x409)).toEqual([]);
      expect(calls.filter((call) => call.book !== 1)).toEqual([]);
      const ofApplication = calls.filter(({ kind }) => kind === 'Application').map(({ member }) => member);
      for (const member of ofApplication)
        expect(['Name', 'Version', 'Calculation', 'International', 'IsSandboxed']).toContain(member);
    }
    expect(book.journal.events({ event: 'locale' })).toEqual([]);
    expect(book.journal.events({ event: 'setting' })).toEqual([]);
  });

  it('the window is compared before anything else is asked: another window’s object gets no further call', async () => {
    await book.tell('lie other');
    const calls = await callsOf(() => client.refused('target_not_found', 'write-range', WRITE));
    expect(new Set(calls.map(({ kind, member }) => `${kind}.${member}`))).toEqual(new Set(['Window.Hwnd']));
    await book.tell('lie not');
  });

  it('one cell takes ten, the next one eight, and a write and its reading back few more than its rectangles', async () => {
    const named = (calls: readonly Call[]): string[] => calls.map(({ kind, member }) => `${kind}.${member}`);
    await book.tell('set Data!F2 5');
    const one = (): Promise<unknown> => client.act('read-range', { sheet: 'Data', range: 'F2' });
    await one();
    expect(named(await callsOf(one))).toEqual(wordsOf`
      Window.Hwnd Window.Parent Workbook.Sheets Sheets.Item Worksheet.Name Worksheet.Visible Worksheet.Range
      Range.Value Range.Formula2 Range.MergeCells
    `);
    const two = await until(
      () =>
        callsOf(async () => {
          await one();
          await one();
        }),
      (calls) => calls.length < 20,
    );
    expect(named(two).slice(10)).toEqual(wordsOf`
      Window.Hwnd Sheets.Item Worksheet.Name Worksheet.Visible Worksheet.Range Range.Value Range.Formula2
      Range.MergeCells
    `);
    const rows = (...cells: unknown[]): unknown[][] => Array.from({ length: 8 }, () => cells);
    const write = (): Promise<unknown> =>
      client.act('write-range', { sheet: 'Data', range: 'G2:H9', values: rows('text', 1), overwrite: true });
    await write();
    const count = (calls: readonly string[], name: string): number => calls.filter((each) => each === name).length;
    const calls = named(await callsOf(write));
    expect(count(calls, 'Range.Value2')).toBe(1);
    // Read for the gate, immediately before the write, and back.
    expect(count(calls, 'Range.Value')).toBe(3);
    expect(calls.length).toBeLessThanOrEqual(40);
    await client.act('write-range', { sheet: 'Data', range: 'G2:H9', values: rows('', ''), overwrite: true });
    const empty = { sheet: 'Data', range: 'G2:H9', values: rows('text', 1) };
    // Cells that must be empty are looked at immediately before.
    expect(count(named(await callsOf(() => client.act('write-range', empty))), 'Range.Value')).toBe(3);
  });

  it('their number does not grow with the number of cells', async () => {
    const write = (rows: number): Promise<unknown> =>
      client.act('write-range', {
        sheet: 'Data',
        range: 'B2',
        values: Array.from({ length: rows }, (_, r) => [`text ${r}`, r, r % 2 === 0]),
        overwrite: true,
      });
    await write(2);
    const few = await callsOf(() => write(4));
    const many = await callsOf(() => write(900));
    expect(many.length).toBe(few.length);
    const read = (range: string): Promise<unknown> =>
      client.act('read-range', { sheet: 'Data', range, maxCells: 9000 });
    await read('B2:D4');
    expect((await callsOf(() => read('B2:D901'))).length).toBe((await callsOf(() => read('B2:D5'))).length);
  });
});

describe('answers of a program that refuses', () => {
  const BUSY = ['0x80010001', '0x8001010A', '0x8001010B', '0x800AC472'];
  it.each(BUSY)('[sheet.busy] %s is asked again', async (code) => {
    const calls = await callsOf(async () => {
      await book.tell(`refuse ${code} 1200`);
      await client.act('read-range', READ);
    });
    expect(calls.filter(({ member }) => member === 'Hwnd').length).toBeGreaterThan(1);
    await book.tell(`refuse ${code} 0`);
    const problem = await client.refused('state_conflict', 'read-range', { ...READ, deadlineMs: 1200 });
    expect(problem).toMatchObject({ retryable: true, delivery: 'not_delivered' });
    await book.tell('ready');
    expect(await liveObjects(book)).toBe(0);
  });

  const OTHERS: ReadonlyArray<readonly [string, string]> = [
    ['0x800A03EC', 'invalid_argument'],
    ['0x8002000B', 'invalid_argument'],
    ['0x80020005', 'invalid_argument'],
    ['0x800706BA', 'window_gone'],
    ['0x80010108', 'window_gone'],
    ['0x800401FD', 'window_gone'],
    ['0x800706B5', 'window_gone'],
    ['0x80004005', 'internal'],
  ];
  it.each(OTHERS)('%s is not asked again: %s', async (code, expected) => {
    await client.act('read-range', READ);
    const answers: unknown[] = [];
    const calls = await callsOf(async () => {
      await book.tell(`refuse ${code} 0`);
      answers.push((await client.send('read-range', READ)).body);
    });
    expect(calls.map(({ kind, member }) => `${kind}.${member}`)).toEqual(['Window.Hwnd']);
    expect(answers).toEqual([expect.objectContaining({ code: expected, delivery: 'not_delivered' })]);
    await book.tell('ready');
    expect((await client.act('read-range', READ)).value.range).toBe('A1:C6');
  });
});

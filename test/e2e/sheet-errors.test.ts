/** End to end: what spreadsheet actions answer where a program is busy, hangs, ends, lies, or refuses a request. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Fixture } from '../support/fixture.ts';
import type { Scene } from '../support/scene.ts';
import { cellsShown, eachWorkbook, liveObjects } from '../support/workbook.ts';

let scene: Scene;
let book: Fixture;
let client: Client;
eachWorkbook((given) => void ({ scene, book, client } = given), { args: ['--books', 2] });

const changes = (): unknown[] => book.journal.events({ event: 'changed' });
const READ = { range: 'A1:C6' };
const WRITE = { sheet: 'Data', range: 'B2', values: [['x']] };

describe('a window without a workbook’s object model', () => {
  it('[sheet.unsupported] any other program: unsupported, and where to go instead', async () => {
    const other = await scene.fixture('sentinel');
    await client.bind({ hwnd: other.hwnd });
    const problem = await client.refused('unsupported', 'read-range', READ);
    expect(problem.hint).toContain('read-table');
    expect(problem.delivery).toBe('not_delivered');
    await client.refused('unsupported', 'write-range', WRITE);
  });

  it('[sheet.unsupported] a program that claims the class and gives nothing, garbage, or another object', async () => {
    for (const lie of ['nothing', 'garbage', 'book']) {
      await book.tell(`lie ${lie}`);
      await client.refused('unsupported', 'read-range', READ);
      await client.refused('unsupported', 'write-range', WRITE);
    }
    await book.tell('lie other');
    await client.refused('target_not_found', 'read-range', READ);
    await client.refused('target_not_found', 'write-range', WRITE);
    expect(changes()).toEqual([]);
    expect(await liveObjects(book)).toBe(0);
    await book.tell('lie not');
    expect((await client.act('read-range', READ)).value.range).toBe('A1:C6');
  });
});

describe('a busy program', () => {
  it('[sheet.busy] is asked again until it answers', async () => {
    for (const how of ['filter', 'code']) {
      await book.tell(`refuse ${how} 600`);
      expect((await client.act('read-range', READ)).value.range).toBe('A1:C6');
      await book.tell(`refuse ${how} 600`);
      const values = [[how]];
      expect((await client.act('write-range', { ...WRITE, values, overwrite: true })).outcome.effect).toBe('confirmed');
    }
    expect(await liveObjects(book)).toBe(0);
  });

  it('[sheet.busy] until the deadline: state_conflict that can be tried again and names the edit or the dialog', async () => {
    await book.tell('edit');
    const edited = await client.refused('state_conflict', 'read-range', { ...READ, deadlineMs: 1500 });
    expect(edited).toMatchObject({ retryable: true, delivery: 'not_delivered' });
    expect(edited.detail).toContain('a cell is being edited');
    await book.tell('ready');
    await book.tell('dialog');
    expect((await client.refused('state_conflict', 'read-range', { ...READ, deadlineMs: 1500 })).detail).toContain(
      'Format Cells',
    );
    await book.tell('ready');
    expect((await client.act('read-range', READ)).value.range).toBe('A1:C6');
    expect(await liveObjects(book)).toBe(0);
  });
});

describe('a program that stops', () => {
  it('window_hung within the deadline; it answers later', async () => {
    await book.tell('hang-for 3000');
    await book.tell('hang-at UsedRange');
    const problem = await client.refused('window_hung', 'read-range', { deadlineMs: 1500 });
    expect(problem).toMatchObject({ retryable: true, delivery: 'not_delivered' });
    expect((await client.act('read-range', READ)).value.range).toBe('A1:C6');
  });

  it('the deadline passes after a write began: it may have been done, and the range is to be read again', async () => {
    await book.tell('hang-for 3000');
    await book.tell('hang-at Locked');
    await book.tell('protect Data 1');
    await client.refused('window_hung', 'write-range', { ...WRITE, deadlineMs: 1500 });
    await book.tell('protect Data 0');
    await liveObjects(book);
    await book.tell('hang-at HasVBProject');
    const before = await client.refused('window_hung', 'write-range', { ...WRITE, deadlineMs: 1500 });
    expect(before.delivery).toBe('not_delivered');
    expect(changes()).toEqual([]);
    await liveObjects(book);
    await client.act('read-range', READ);
    // The formula is put after the write began.
    await book.tell('hang-at Formula2');
    const problem = await client.refused('window_hung', 'write-range', {
      sheet: 'Data',
      range: 'D9',
      values: [[{ formula: '=1+1' }]],
      deadlineMs: 2500,
    });
    expect(problem.delivery).toBe('unknown');
    expect(problem.hint).toMatch(/read the range again/i);
    const kept = problem.partialResult as { before: unknown; beforeUrl: string };
    expect(kept.before).toEqual({ values: [[null]], formulas: {} });
    expect((await scene.host.request(kept.beforeUrl)).body).toMatchObject({
      sheet: 'Data',
      range: 'D9',
      values: [[null]],
    });
  });

  it('ends in the middle of an action: window_gone', async () => {
    await book.tell('die-at UsedRange');
    await client.refused('window_gone', 'read-range', {});
    await client.refused('window_gone', 'read-range', {});
  });

  it('ends in the middle of a write: window_gone, delivery unknown', async () => {
    await book.tell('die-at Formula2');
    const problem = await client.refused('window_gone', 'write-range', {
      sheet: 'Data',
      range: 'D9',
      values: [[{ formula: '=1+1' }]],
    });
    expect(problem.delivery).toBe('unknown');
  });
});

describe('what is refused', () => {
  it('[sheet.readonly] a protected sheet, a workbook for reading only, Protected View: target_readonly, and nothing is written', async () => {
    await book.tell('protect Data 1');
    expect((await client.refused('target_readonly', 'write-range', WRITE)).detail).toContain('protected');
    await book.tell('unlock Data!B2:C3');
    expect((await client.act('write-range', WRITE)).outcome.effect).toBe('confirmed');
    await book.tell('protect Data 0');
    await book.tell('readonly 1');
    await client.refused('target_readonly', 'write-range', { ...WRITE, overwrite: true });
    await book.tell('readonly 0');
    await book.tell('sandboxed 1');
    await client.refused('target_readonly', 'write-range', { ...WRITE, overwrite: true });
    expect((await client.act('workbook-info')).value.workbook.protectedView).toBe(true);
    expect(changes()).toHaveLength(1);
  });

  it('an unknown sheet, a wrong address, a sheet without cells, a broken formula: invalid_argument with the program’s own words', async () => {
    await client.refused('invalid_argument', 'read-range', { ...READ, sheet: 'Nowhere' });
    await client.refused('invalid_argument', 'read-range', { range: 'XFE1' });
    await client.refused('invalid_argument', 'read-range', { range: 'A1048577' });
    await client.refused('invalid_argument', 'read-range', { range: 'A1:B2,B2:C3' });
    await client.refused('invalid_argument', 'read-range', { sheet: 'Chart' });
    await client.refused('invalid_argument', 'read-range', { range: '[Other.xlsx]Sheet1!A1' });
    for (const range of ['A0', 'XFE1', 'A1048577', 'B2,D4', 'NoSuchName', '[Other.xlsx]Sheet1!A1'])
      await client.refused('invalid_argument', 'select-range', { range });
    await client.refused('invalid_argument', 'select-range', { range: 'A1', sheet: 'Nowhere' });
    await client.refused('invalid_argument', 'select-range', { range: 'A1', sheet: 'Chart' });
    expect(book.journal.events({ event: 'selected' })).toEqual([]);
    const name = await client.refused('invalid_argument', 'read-range', { range: 'NoSuchName' });
    expect(name.detail).toContain("Method 'Range' of object '_Worksheet' failed");
    const formula = await client.refused('invalid_argument', 'write-range', {
      sheet: 'Data',
      range: 'B2:B3',
      values: [[{ formula: '=1+1' }], [{ formula: '=(' }]],
    });
    expect(formula.detail).toContain('Application-defined or object-defined error');
    expect(await liveObjects(book)).toBe(0);
  });

  const bad: ReadonlyArray<readonly [string, object]> = [
    ['ragged rows', { range: 'B2', values: [['a', 'b'], ['c']] }],
    ['no rows', { range: 'B2', values: [] }],
    ['an empty row', { range: 'B2', values: [[]] }],
    ['nothing to write', { range: 'B2', values: [[null, null]] }],
    ['another size', { range: 'B2:C3', values: [['a']].concat([['b'], ['c']]) }],
    ['several rectangles', { range: 'B2,D4', values: [['a']] }],
    ['beyond the sheet', { range: 'XFD1048576', values: [['a', 'b']] }],
    ['ten thousand and one cells', { range: 'A1', values: Array.from({ length: 10_001 }, () => [1]) }],
    ['a hundred thousand cells', { range: 'A1', values: Array.from({ length: 1000 }, () => Array(100).fill(1)) }],
    ['overlapping rectangles', { range: 'B2:C3,C3:D4', values: [['a']] }],
    ['a range that does not exist', { range: 'A0', values: [['a']] }],
    ['a column that does not exist', { range: 'XFE1', values: [['a']] }],
    ['a row that does not exist', { range: 'A1048577', values: [['a']] }],
    ['a name that does not exist', { range: 'NoSuchName', values: [['a']] }],
    ['another sheet than the one given', { range: 'Sheet1!B2', values: [['a']] }],
    ['another workbook', { range: '[Other.xlsx]Data!B2', values: [['a']] }],
    ['an array in an array', { range: 'B2', values: [[['a']]] }],
    ['a lone surrogate', { range: 'B2', values: [['\ud83e']] }],
    ['32,768 characters', { range: 'B2', values: [['x'.repeat(32_768)]] }],
    ['254 line feeds', { range: 'B2', values: [['\n'.repeat(254)]] }],
    ['U+0000', { range: 'B2', values: [['a\0b']] }],
    ['a formula without =', { range: 'B2', values: [[{ formula: '1+1' }]] }],
    ['a formula of 8,193 characters', { range: 'B2', values: [[{ formula: `=${'1+'.repeat(4096)}1` }]] }],
    ['a date that no month has', { range: 'B2', values: [[{ date: '2026-02-30' }]] }],
    ['a date with a zone', { range: 'B2', values: [[{ date: '2026-02-03T10:00:00Z' }]] }],
    ['an unknown error', { range: 'B2', values: [[{ error: '#NOPE!' }]] }],
    ['a number beyond a cell’s', { range: 'B2', values: [[1.5e308]] }],
    ['an unknown kind', { range: 'B2', values: [[{ colour: 'red' }]] }],
    ['a digest that is none', { range: 'B2', values: [['a']], expect: 'yes' }],
    ['an unknown field', { range: 'B2', values: [['a']], save: true }],
  ];

  it('[sheet.values] values that no range or cell can hold are refused before anything is written', async () => {
    for (const [what, input] of bad) {
      const answer = await client.send('write-range', { sheet: 'Data', ...input });
      expect({ what, status: answer.status, code: (answer.body as { code?: string }).code }).toEqual({
        what,
        status: 400,
        code: 'invalid_argument',
      });
    }
    // JSON has neither; a number too large for a double is infinite.
    for (const number of ['NaN', 'Infinity', '-Infinity', '1e999']) {
      const answer = await fetch(`${scene.host.url}/v1/actions/write-range`, {
        method: 'POST',
        headers: { authorization: `Bearer ${scene.host.agentToken}`, 'content-type': 'application/json' },
        body: `{"sheet":"Data","range":"B2","values":[[${number}]]}`,
      });
      expect(answer.status).toBe(400);
    }
    const million = Array.from({ length: 1000 }, () => Array.from({ length: 1000 }, () => 1));
    await client.refused('payload_too_large', 'write-range', { sheet: 'Data', range: 'A1', values: million });
    expect(changes()).toEqual([]);
    expect(await cellsShown(book, 'Data!B2')).toMatchObject({ B2: { kind: 'empty' } });
  });
});

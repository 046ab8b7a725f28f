// What a person reads in a terminal of the actions on cells.
import { describe, expect, it } from 'vitest';
import { describeResult } from '../../../src/cli/action-commands.ts';
import { type ActionResult, looked } from '../../../src/contract/outcome.ts';
import { phrasesOf } from '../../support/words.ts';

const shown = (value: unknown, more: Partial<ActionResult['outcome']> = {}): string =>
  describeResult(
    { actionId: 'act_1', action: 'x', value, outcome: { ...looked(), ...more } } as unknown as ActionResult,
    false,
  );

describe('cells in a terminal', () => {
  it('a range is a table, with the next range and the digest as they are passed on', () => {
    const read = {
      sheet: 'Data',
      range: 'A1:B3',
      rows: 3,
      columns: 2,
      values: [
        ['Name', 'Amount'],
        ['Löwe', 12.5],
        ['\u001b[31mred', null],
      ],
      formulas: { B2: '=B9/2' },
      nextRange: 'A4:B9',
      digest: `A1:B3.${'a'.repeat(32)}`,
      untrusted: true,
    };
    expect(shown(read).split('\n')).toEqual([
      'Data!A1:B3, 3 × 2',
      '   A                B',
      '1  Name             Amount',
      '2  Löwe             12.5 (=B9/2)',
      '3  "\\u001b[31mred"',
      'More: --range A4:B9',
      `Digest for write-range --expect: A1:B3.${'a'.repeat(32)}`,
    ]);
  });

  it('what the table does not show is in words: a hidden sheet, merged cells', () => {
    const unseen = ['This sheet is hidden.', 'Merged, only the first cell of each holds something: B2:D3'];
    const place = { sheet: 'Data', hidden: true, range: 'B2', merged: ['B2:D3'] };
    const read = { ...place, rows: 1, columns: 1, values: [['q']], nextRange: null, digest: `B2.${'a'.repeat(32)}` };
    expect(
      shown({ ...read, untrusted: true })
        .split('\n')
        .slice(0, 3),
    ).toEqual(['Data!B2, 1 × 1', ...unseen]);
    const written = { ...place, written: 1, formulas: 0, before: null, beforeUrl: null, differing: [] };
    const lines = shown({ ...written, undoCleared: true, macrosMayRun: false, saved: false }).split('\n');
    expect(lines[0]).toMatch(/^Data!B2: 1 cell written,/);
    expect(lines.slice(1, 3)).toEqual(unseen);
  });

  it('a write prints what it did, what differs and what was there before', () => {
    const written = {
      sheet: 'Data',
      range: 'B2:C2',
      written: 2,
      formulas: 1,
      before: { values: [['old', 3]], formulas: {} },
      beforeUrl: null,
      differing: [{ cell: 'C2', wanted: 5, got: { error: '#N/A' } }],
      undoCleared: true,
      macrosMayRun: true,
      saved: false,
    };
    const lines = shown(written, { delivery: 'object-model', effect: 'unverified' }).split('\n');
    expect(lines[0]).toMatch(/^Data!B2:C2: 2 cells written \(formulas: 1\), not saved; .*undo list is empty.*macros/);
    expect(lines.slice(1)).toEqual([
      'Cells that hold something else than was written: 1',
      'cell  wanted  got',
      'C2    5       {"error":"#N/A"}',
      'Before:',
      '   B    C',
      '2  old  3',
      'x, unverified, sent by object-model',
    ]);
  });

  it('a workbook is its name, its sheets and its selection', () => {
    const info = {
      application: { name: 'Microsoft Excel', version: '16.0' },
      workbook: {
        name: 'a.xlsx',
        path: 'C:\\a.xlsx',
        readOnly: true,
        saved: false,
        date1904: false,
        protectedView: false,
      },
      sheets: [
        { name: 'Data', index: 1, visible: true, protected: false, usedRange: 'A1:C6', active: true },
        { name: 'Old', index: 2, visible: false, protected: true, usedRange: null, active: false },
      ],
      selection: { sheet: 'Data', range: 'B2', cells: 1 },
      calculation: 'automatic',
      separators: { decimal: '.', list: ',' },
    };
    expect(shown(info).split('\n')).toEqual(phrasesOf`
      a.xlsx in Microsoft Excel 16.0 (read-only, has unsaved changes) | C:\a.xlsx | sheet  used   is |
      Data   A1:C6  active | Old           hidden, protected | Selected: Data!B2 (1 cells) |
      Calculation automatic; decimal separator ., list separator ,
    `);
  });
});

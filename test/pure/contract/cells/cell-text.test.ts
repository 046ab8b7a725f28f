// Cells as a table for a model, and changes of a write for a card.
import { describe, expect, it } from 'vitest';
import { cellChanges, cellWords, rangeTable, tableRows } from '../../../../src/contract/cells/cell-text.ts';
import type { CellValue } from '../../../../src/contract/cells/sheet.ts';

describe('a range as a table', () => {
  it('has the letters of its columns, the numbers of its rows, and formulas next to their values', () => {
    const read = {
      sheet: 'My "data"',
      range: 'B2:D4',
      values: [
        ['Name', 'Amount', null],
        ['007', 1234.5, true],
        ['two\nlines', { error: '#N/A' }, { date: '2024-02-29' }],
      ] satisfies CellValue[][],
      formulas: { C3: '=SUM(A1:A9)' },
    };
    expect(rangeTable(read)).toBe(
      [
        '“My \\u{22}data\\u{22}” B2:D4',
        '\tB\tC\tD',
        '2\tName\tAmount\t',
        '3\t"007"\t1234.5 (=SUM(A1:A9))\tTRUE',
        '4\t"two\\nlines"\t#N/A\t2024-02-29',
      ].join('\n'),
    );
  });

  it('hides nothing, and takes no text for a number or for two cells', () => {
    expect(
      ['12', 'TRUE', '=B2', 'a\tb', 'a"b', ' a', '\u202ea', '', '#N/A', 'plain text'].map((text) => cellWords(text)),
    ).toEqual(['"12"', '"TRUE"', '"=B2"', '"a\\tb"', '"a\\"b"', '" a"', '"\\u202ea"', '""', '"#N/A"', 'plain text']);
    expect(cellWords(null)).toBe('');
    expect(cellWords(null, '=A1')).toBe('(=A1)');
  });

  it('keeps to its budget in whole rows, and says which range has the rest', () => {
    const values = Array.from({ length: 100 }, (_, at) => [`name ${at}`, at]);
    const text = rangeTable({ sheet: 'S', range: 'A1:B100', values }, 100);
    expect(new TextEncoder().encode(text).length).toBeLessThan(500);
    const lines = text.split('\n');
    const shown = lines.length - 3;
    expect(lines.at(-1)).toBe(`… ${100 - shown} more rows: read A${shown + 1}:B100`);
    expect(lines.at(-2)).toBe(`${shown}\tname ${shown - 1}\t${shown - 1}`);
    expect(
      rangeTable({ sheet: 'S', range: 'A1:A2', values: [['x'.repeat(900)], [1]] }, 100)
        .split('\n')
        .slice(2),
    ).toEqual([`1\t${'x'.repeat(900)}`, '… 1 more rows: read A2']);
    expect(tableRows({ range: 'A1:B100', values })).toHaveLength(101);
  });
});

describe('changes of a write', () => {
  const before = {
    range: 'B2:C3',
    values: [
      ['old', 5],
      [null, true],
    ] satisfies CellValue[][],
    formulas: { C2: '=A1' },
  };

  it('[sheet.card] overwritten cells come first, then formulas; texts alone are in quotation marks', () => {
    expect(
      cellChanges(
        [
          ['=B9', null],
          [{ formula: '=SUM(A1)' }, ''],
        ],
        before,
      ),
    ).toEqual({
      changes: [
        { cell: 'B2', before: '“old”', after: '“=B9”' },
        { cell: 'C3', before: 'TRUE', after: 'empty' },
        { cell: 'B3', before: 'empty', after: '=SUM(A1)' },
      ],
      more: 0,
    });
    expect(cellChanges([[null, { error: '#N/A' }]], before).changes).toEqual([
      { cell: 'C2', before: '=A1', after: '#N/A' },
    ]);
    expect(cellChanges([['pass']], before, true).changes).toEqual([{ cell: 'B2', before: '“old”', after: '••••' }]);
  });

  it('[sheet.card] a formula among many cells is shown', () => {
    const values = Array.from({ length: 100 }, (_, at) => [at === 99 ? { formula: '=X1' } : at]);
    const { changes, more } = cellChanges(values, { range: 'A1:A100', values: values.map(() => [null]), formulas: {} });
    expect(changes[0]).toEqual({ cell: 'A100', before: 'empty', after: '=X1' });
    expect([changes.length, more]).toEqual([30, 70]);
  });

  it('[sheet.card] no text can look like another cell or a formula', () => {
    const [change] = cellChanges([['a”\n=EXEC(1)\u202e']], { range: 'A1', values: [[null]], formulas: {} }).changes;
    expect(change?.after).toBe('“a\\u{201d} =EXEC(1)\\u{202e}”');
  });
});

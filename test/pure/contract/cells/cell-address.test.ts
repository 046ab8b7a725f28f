// Addresses of cells: what is one, what is not, and the arithmetic that reads a range in parts.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressHint,
  cellCount,
  cellName,
  cellsOf,
  columnName,
  columnNumber,
  findOverlap,
  firstPart,
  formatArea,
  formatAreas,
  intersectAreas,
  nextRange,
  parseAddress,
  type CellArea,
} from '../../../../src/contract/cells/cell-address.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { SHEET_COLUMNS as LAST_COLUMN, SHEET_ROWS as LAST_ROW } from '../../../../src/contract/cells/cells.ts';
import cases from '../../../fixtures/cells.json' with { type: 'json' };
import { wordsOf } from '../../../support/words.ts';

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof UiaHostError) return `${error.code} ${error.delivery}`;
    throw error;
  }
  return 'none';
};

const anyArea = fc
  .record({
    row: fc.integer({ min: 1, max: LAST_ROW }),
    column: fc.integer({ min: 1, max: LAST_COLUMN }),
    rows: fc.integer({ min: 1, max: 60 }),
    columns: fc.integer({ min: 1, max: 60 }),
  })
  .map((area) => ({
    ...area,
    rows: Math.min(area.rows, LAST_ROW - area.row + 1),
    columns: Math.min(area.columns, LAST_COLUMN - area.column + 1),
  }));

describe('addresses', () => {
  it.each(cases.addresses as Array<[text: string, sheet: string | null, areas: string]>)(
    '[sheet.address] reads %s',
    (text, sheet, areas) => {
      const found = parseAddress(text);
      expect(found).toMatchObject({ kind: 'areas', sheet });
      expect(found.kind === 'areas' && formatAreas(found.areas)).toBe(areas);
    },
  );

  it.each(wordsOf`Rate _rate Orders[Amount] Orders[[#All],[Amount]] Größe.2 XYZ2024 ID20250101 selection`)(
    '[sheet.address] leaves the name %s to the workbook',
    (name) => {
      expect(parseAddress(name)).toEqual({ kind: 'name', sheet: null, name });
      expect(parseAddress(`Data!${name}`)).toEqual({ kind: 'name', sheet: 'Data', name });
    },
  );

  it.each([
    ...wordsOf`
      A0 1 $ A1: :A1 A1:B2:C3 A1:XFE1 A1:A1048577 A1:A0 XFE:XFF 0:4 1:1048577 AAAA:AAAB A:3 A1:C R1C1 RC[-1] r[2]c
      A1;B2 A1, A1,Rate A1:B2,B2:C3 Data!A1,Other!B2 !A1 [Book2.xlsx]Data!A1
    `,
    '',
    '   ',
    'A1 B2',
    "''!A1",
    "'C:\\x\\[Book2.xlsx]Data'!A1",
    "'\\\\server\\share\\[b.xlsx]S'!A1",
    'a name of thirty-two characters!!A1',
    `${'x'.repeat(32)}!A1`,
    "cmd|'/c calc'!A0",
    'OFFSET(A1,1,1)',
    '=A1',
    'A1\u0000',
    '\ud800',
    'x'.repeat(256),
  ])('[sheet.address] refuses %j', (text) => {
    expect(codeOf(() => parseAddress(text))).toBe('invalid_argument not_delivered');
  });

  it.each(['#REF!', 'Data!', "'My sheet'!"])('[sheet.address] refuses %j with the whole of it', (text) => {
    expect(() => parseAddress(text)).toThrow(`“${text}” is not an address of cells.`);
  });

  it.each(cases.meant as Array<[string, string]>)(
    '[sheet.address] refuses %j and says that it is %s',
    (text, meant) => {
      expect(() => parseAddress(text)).toThrow(expect.objectContaining({ hint: `Give it as ${meant}.` }));
    },
  );

  it.each([
    ['A', 'A:A'],
    ['A1..B2', 'A1:B2'],
    ['Data.B2', 'Data!B2'],
  ])('what the workbook does not know as a name may be an address: %s is %s', (text, meant) => {
    expect(addressHint(text)).toBe(`Give it as ${meant}.`);
  });

  it.each(['A1:XFE1', 'XFE1', 'A1,Rate', '[Book2.xlsx]Data!A1', 'Jan-Mar', 'A1:B2,B2:C3'])(
    'has no other form for %s',
    (text) => expect(addressHint(text)).toContain('such as B2'),
  );

  it('does not suggest an address that is right, where its sheet is another', () => {
    expect(() => parseAddress('Data!A1', 'Other')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('such as B2') as unknown }),
    );
  });

  it('[sheet.address] refuses an address of more than 1,024 characters', () => {
    const cells = Array.from({ length: 400 }, (_, at) => `A${at + 1}`).join(',');
    expect(codeOf(() => parseAddress(cells))).toBe('invalid_argument not_delivered');
  });

  it('[sheet.address] takes the sheet from either place, and refuses two that differ', () => {
    expect(parseAddress('A1', 'Data')).toMatchObject({ sheet: 'Data' });
    expect(parseAddress('data!A1', 'Data')).toMatchObject({ sheet: 'data' });
    expect(codeOf(() => parseAddress('Data!A1', 'Other'))).toBe('invalid_argument not_delivered');
  });

  it('[sheet.address] writes any sheet and range so that they are read as the same', () => {
    const name = fc
      .string({ minLength: 1, maxLength: 31, unit: 'grapheme' })
      .filter((text) => text.length <= 31 && !/[:\\/?*[\]|\p{C}]/u.test(text));
    fc.assert(
      fc.property(name, anyArea, (sheet, area) => {
        const read = parseAddress(`'${sheet.replaceAll("'", "''")}'!${formatArea(area)}`);
        expect(read).toEqual({ kind: 'areas', sheet, areas: [area] });
      }),
    );
  });

  it('[sheet.address] numbers every column as it names it', () => {
    for (let column = 1; column <= LAST_COLUMN; column += 1) expect(columnNumber(columnName(column))).toBe(column);
    expect([columnName(1), columnName(26), columnName(27), columnName(LAST_COLUMN)]).toEqual(['A', 'Z', 'AA', 'XFD']);
  });
});

const all = (areas: readonly CellArea[]): string[] =>
  areas.flatMap((area) => [...cellsOf(area)].map(({ row, column }) => cellName(row, column)));

describe('rectangles', () => {
  it('[sheet.next-range] reaches every cell once, and never more than asked for', () => {
    fc.assert(
      fc.property(anyArea, fc.integer({ min: 1, max: 700 }), (area, most) => {
        const seen: string[] = [];
        let range: string | null = formatArea(area);
        while (range !== null) {
          const next = parseAddress(range);
          if (next.kind !== 'areas') throw new Error(range);
          const { part, rest } = firstPart(next.areas, most);
          expect(cellCount(part)).toBeLessThanOrEqual(most);
          seen.push(...all([part]));
          range = nextRange(rest);
        }
        expect(seen.length).toBe(cellCount(area));
        expect(new Set(seen)).toEqual(new Set(all([area])));
      }),
      { numRuns: 60 },
    );
  });

  it('[sheet.next-range] gives whole rows first, and parts of a row that is too long', () => {
    const part = (range: string, most: number): unknown => {
      const read = parseAddress(range);
      if (read.kind !== 'areas') throw new Error(range);
      const { part: first, rest } = firstPart(read.areas, most);
      return [formatArea(first), nextRange(rest)];
    };
    expect(part('A1:C10', 100)).toEqual(['A1:C10', null]);
    expect(part('A1:C10', 7)).toEqual(['A1:C2', 'A3:C10']);
    expect(part('A1:Z100', 10)).toEqual(['A1:J1', 'K1:Z1,A2:Z100']);
    expect(part('K1:Z1,A2:Z100', 100)).toEqual(['K1:Z1', 'A2:Z100']);
    expect(part('A:C', 2000)).toEqual(['A1:C666', 'A667:C1048576']);
    expect(part('2:3', 2000)).toEqual(['A2:BXX2', 'BXY2:XFD2,3:3']);
  });

  it('[sheet.address] finds what two rectangles share', () => {
    fc.assert(
      fc.property(
        fc.tuple(...Array.from({ length: 8 }, () => fc.integer({ min: 1, max: 9 }))),
        ([row, column, rows, columns, row2, column2, rows2, columns2]) => {
          const a = { row: row!, column: column!, rows: rows!, columns: columns! };
          const b = { row: row2!, column: column2!, rows: rows2!, columns: columns2! };
          const shared = all([a]).filter((cell) => all([b]).includes(cell));
          const found = intersectAreas(a, b);
          expect(found === null ? [] : all([found])).toEqual(shared);
          expect(findOverlap([a, b]) === null).toBe(shared.length === 0);
        },
      ),
    );
  });
});

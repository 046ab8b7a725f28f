/** Ranges with generated content, the same for the same seed: sizes, places and every kind of value. */
import { randomFrom } from './random.ts';
import { cellName, formatArea } from '../../src/contract/cells/cell-address.ts';
import { CELL_ERRORS, SHEET_COLUMNS, SHEET_ROWS } from '../../src/contract/cells/cells.ts';
import type { CellInput, CellValue } from '../../src/contract/cells/sheet.ts';

interface GeneratedRange {
  /** The whole range, or its first cell. */
  readonly range: string;
  readonly whole: string;
  readonly values: CellInput[][];
  /** What is read back. */
  readonly expected: CellValue[][];
}

const PIECES = [...'= + - @ " 0 7 1 / : . , % $ e Jan TRUE #N/A'.split(' '), "'", ' '];
const LETTERS = ['x', 'Löwe', '漢', '🦁', '\n', '\t', 'A1', '(', ')', '!', '&', '<b>', '\\'];
const ERRORS = Object.keys(CELL_ERRORS).slice(0, 7) as Array<keyof typeof CELL_ERRORS>;

function cellOf(random: () => number): readonly [CellInput, CellValue] {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const pieces = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick([...PIECES, ...LETTERS])).join('');
  switch (Math.floor(random() * 8)) {
    case 0: {
      const number = pick([0, 1, -1, 0.1, 1e15, 1e-300, 9e307, -123.456, Math.round(random() * 1e9) / 1e3]);
      return [number, number];
    }
    case 1: {
      const isTrue = random() < 0.5;
      return [isTrue, isTrue];
    }
    case 2: {
      const error = { error: pick(ERRORS) };
      return [error, error];
    }
    case 3: {
      const at = new Date(Date.UTC(1900, 2, 1) + Math.floor(random() * 2_950_000) * 86_400_000);
      const date = { date: at.toISOString().slice(0, 10) };
      return [date, date];
    }
    case 4:
      return ['', null];
    default: {
      const text = pieces();
      return [text, text];
    }
  }
}

/** This many ranges that do not overlap; each is up to 12 × 6 cells somewhere on the sheet, its far corner included. */
export function* generatedRanges(count: number, seed: number): Generator<GeneratedRange> {
  const random = randomFrom(seed);
  let nextRow = 1;
  let lastRow = SHEET_ROWS;
  for (let made = 0; made < count; made += 1) {
    const rows = 1 + Math.floor(random() * 12);
    const columns = 1 + Math.floor(random() * 6);
    const isFar = random() < 0.1;
    const row = isFar ? (lastRow -= rows) + 1 : (nextRow += rows) - rows;
    const column = isFar ? SHEET_COLUMNS - columns + 1 : 1 + Math.floor(random() * 60);
    const cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => cellOf(random)));
    const values = cells.map((line) => line.map(([wanted]) => wanted));
    const area = { row, column, rows, columns };
    yield {
      whole: formatArea(area),
      range: random() < 0.3 ? cellName(row, column) : formatArea(area),
      values,
      expected: cells.map((line) => line.map(([, expected]) => expected)),
    };
  }
}

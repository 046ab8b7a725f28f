/** Operations on rows, columns and ranges: insert, delete, move, merge, fill, sort, filter, duplicates. https://learn.microsoft.com/office/vba/api/excel.range(object) */
import { Dispatch, MISSING } from '../../../native-bindings/com/dispatch.ts';
import { ErrorValue } from '../../../native-bindings/com/variant-grid.ts';
import {
  cellName,
  columnNumber,
  formatArea,
  intersectAreas,
  type CellArea,
} from '../../contract/cells/cell-address.ts';
import { cellWords } from '../../contract/cells/cell-text.ts';
import { MOST_CELLS, SHEET_COLUMNS, SHEET_ROWS } from '../../contract/cells/cells.ts';
import { formulaKey, judgeFormula, shiftFormula } from '../../contract/cells/formula.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { conflict, wrong, type At, type Op, type Plan, type State } from './book-op.ts';
import { fromCell } from './cell-blocks.ts';
import { ifGiven } from './excel-errors.ts';
import { areasOf, findRange, mergedIn, oneArea, rangeAt, text, usedRange, type FoundRange } from './find-range.ts';
import { addressText, readCells } from './read-range.ts';
import { assertWritable, definedNames } from './write-range.ts';

/** https://learn.microsoft.com/office/vba/api/excel.xldeleteshiftdirection, .../excel.xlsortorder, .../excel.xlyesnoguess, .../excel.xlautofilteroperator, .../excel.xlsortorientation */
const SHIFT_UP = -4162;
const ASCENDING = 1;
const DESCENDING = 2;
const YES = 1;
const NO = 2;
const OR = 2;
const TOP_TO_BOTTOM = 1;

/** What one operation compares of cells before and after. */
const MOST_CHANGED = 100_000;

/** More blocks are deleted or filled by more calls than anybody waits for. */
const MOST_BLOCKS = 500;

/** Words of cells, row by row: null for an empty cell, a formula as such. */
type Words = Array<Array<string | null>>;

interface Cells {
  readonly at: At;
  readonly found: FoundRange;
  readonly area: CellArea;
  readonly range: Dispatch;
}

/** The range of a wish; whole rows and columns as far as the sheet is used, unless `isWhole`. Errors: target_readonly. */
async function cellsOf(at: At, isWhole = false): Promise<Cells> {
  const found = at.own(await findRange(at.book, { sheet: at.wish.sheet, range: at.wish.range }));
  let area = oneArea(found);
  if (!isWhole && (area.rows === SHEET_ROWS || area.columns === SHEET_COLUMNS)) {
    using used = await usedRange(found.sheet);
    area = intersectAreas(area, areasOf(text(await used.get('Address')))[0]) ?? { ...area, rows: 1, columns: 1 };
  }
  const range = at.own(await rangeAt(found.sheet, formatArea(area)));
  await assertWritable(found, range);
  return { at, found, area, range };
}

/** Formulas that move are other texts afterwards: they count as such, by their text, or by their value. Errors: invalid_argument for too many cells. */
async function wordsOf(
  { found }: Pick<Cells, 'found'>,
  area: CellArea,
  formulas: 'mark' | 'text' | 'value' = 'mark',
): Promise<Words> {
  if (area.rows * area.columns > MOST_CHANGED)
    throw wrong(`${addressText(area)} has more than ${MOST_CHANGED} cells`, 'Take a part of it.');
  using range = await rangeAt(found.sheet, formatArea(area));
  const read = await readCells(found, area, 'iso', range);
  return read.values.map((row, r) =>
    row.map((value, c) => {
      const formula = formulas === 'value' ? undefined : read.formulas[cellName(area.row + r, area.column + c)];
      if (formula !== undefined) return formulas === 'mark' ? 'a formula' : formulaKey(formula);
      return value === null ? null : cellWords(value);
    }),
  );
}

const stateOf = (words: Words, { row, column }: CellArea): State =>
  Object.fromEntries(words.flatMap((line, r) => line.map((word, c) => [cellName(row + r, column + c), word])));

const filledIn = (words: Words): number => words.flat().filter((word) => word !== null).length;
const cellsText = (count: number): string => `cells that are not empty: ${count}`;
const emptyLike = (lines: Words, count: number): Words =>
  Array.from({ length: count }, () => (lines[0] ?? []).map(() => null));
const turned = (words: Words): Words => (words[0] ?? []).map((_, c) => words.map((row) => row[c]!));

// Whole rows and columns.

interface Lines extends Cells {
  readonly isRows: boolean;
  readonly first: number;
  readonly count: number;
  /** The last row or column that is used. */
  readonly last: number;
  rect(first: number, count: number): CellArea;
  /** Lines from one on, in the other direction as far as the sheet is used. */
  words(first: number, count: number): Promise<Words>;
  object(first: number, count: number): Promise<Dispatch>;
  state(lines: Words, first: number): State;
}

async function linesOf(at: At): Promise<Lines> {
  const cells = await cellsOf(at, true);
  const { area, found } = cells;
  const isRows = area.columns === SHEET_COLUMNS;
  if (!isRows && area.rows !== SHEET_ROWS) throw wrong(`${addressText(area)} is not whole rows (2:4) or columns (B:C)`);
  using used = await usedRange(found.sheet);
  const [content] = areasOf(text(await used.get('Address')));
  const [width, height] = [content.column + content.columns - 1, content.row + content.rows - 1];
  const rect = (first: number, count: number): CellArea =>
    isRows
      ? { row: first, rows: count, column: 1, columns: width }
      : { row: 1, rows: height, column: first, columns: count };
  return {
    ...cells,
    isRows,
    first: isRows ? area.row : area.column,
    count: isRows ? area.rows : area.columns,
    last: isRows ? height : width,
    rect,
    async words(first, count) {
      const words = await wordsOf(cells, rect(first, count));
      return isRows ? words : turned(words);
    },
    async object(first, count) {
      const whole = isRows
        ? { row: first, rows: count, column: 1, columns: SHEET_COLUMNS }
        : { row: 1, rows: SHEET_ROWS, column: first, columns: count };
      return at.own(await rangeAt(found.sheet, formatArea(whole)));
    },
    state: (lines, first) => stateOf(isRows ? lines : turned(lines), rect(first, lines.length)),
  };
}

/** As many lines as are compared: to the end of what is used and `more`, within what one read takes. */
const compared = ({ rect, last }: Lines, first: number, more: number): number => {
  const { rows, columns } = rect(first, 1);
  return Math.max(1, Math.min(Math.max(last - first + 1, 0) + more, Math.floor(MOST_CELLS / (rows * columns))));
};

async function onLines(
  lines: Lines,
  verb: string,
  [first, length]: readonly [first: number, length: number],
  more: Pick<Plan, 'act' | 'loses'> & {
    readonly change: (lines: Words) => Words;
    /** Lines behind them that are seen afterwards. */
    readonly behind?: number;
  },
): Promise<Plan> {
  const { found, isRows, area } = lines;
  const what = `${verb} the ${isRows ? 'rows' : 'columns'} ${formatArea(area)} of ${quoted(found.sheetName)}`;
  const read = await lines.words(first, length + (more.behind ?? 0));
  const wanted = lines.state(more.change(read).slice(0, length), first);
  const { loses = null } = more;
  return {
    what,
    sheet: found.sheetName,
    range: formatArea(area),
    now: async () => lines.state(await lines.words(first, length), first),
    wanted: () => wanted,
    act: more.act,
    loses: loses === null ? null : `it would ${what} (${loses})`,
  };
}

// Ranges.

const onCells = ({ found, area }: Cells, verb: string, plan: Omit<Plan, 'what' | 'sheet' | 'range'>): Plan => ({
  ...plan,
  what: `${verb} ${quoted(found.sheetName)} ${addressText(area)} (${area.rows * area.columns} cells)`,
  sheet: found.sheetName,
  range: addressText(area),
});

/** How many rows are hidden, by halves: true for all, false for none, null for some. */
async function hiddenRows(sheet: Dispatch, first: number, count: number): Promise<number> {
  using range = await rangeAt(sheet, `${first}:${first + count - 1}`);
  const answer = await ifGiven(() => range.get('Hidden'), false);
  if (typeof answer === 'boolean') return answer ? count : 0;
  if (count === 1) return 0;
  const half = Math.floor(count / 2);
  return (await hiddenRows(sheet, first, half)) + (await hiddenRows(sheet, first + half, count - half));
}

/** Errors: state_conflict, since the program leaves hidden rows where they are, and refuses merged cells. */
async function assertPlain({ found, area, range }: Cells, verb: string): Promise<void> {
  const hidden = await hiddenRows(found.sheet, area.row, area.rows);
  if (hidden > 0)
    throw conflict(
      `${hidden} of the rows are hidden, and would not be ${verb}`,
      'Show them first: edit-cells with op unfilter, or by hand.',
    );
  const [merged] = await mergedIn(found.sheet, range, area);
  if (merged !== undefined)
    throw conflict(`${addressText(merged)} is merged`, 'Unmerge it first: edit-cells with op unmerge.');
}

/** The rows below the header, and where they begin. */
const bodyOf = ({ at, area }: Cells): CellArea => {
  const skip = at.wish['header'] === false ? 0 : 1;
  if (area.rows <= skip) throw wrong(`${addressText(area)} has no rows below its header`);
  return { ...area, row: area.row + skip, rows: area.rows - skip };
};

/** Columns by letter, `-B` for descending, as places inside the area. */
function columnsOf({
  at,
  area,
}: Cells): Array<{ readonly at: number; readonly isDown: boolean; readonly letter: string }> {
  return ((at.wish['by'] ?? []) as readonly string[]).map((given) => {
    const letter = given.replace(/^-/, '').toUpperCase();
    const place = columnNumber(letter) - area.column;
    if (place < 0 || place >= area.columns) throw wrong(`The column ${letter} is not in ${addressText(area)}`);
    return { at: place, isDown: given.startsWith('-'), letter };
  });
}

/** What sorting puts first: numbers, texts, false, true, errors; empty cells last in both directions. https://support.microsoft.com/office/77b781bf-5074-41b0-897a-dc37d4515f27 */
const rankOf = (value: unknown): number =>
  value === null
    ? 5
    : typeof value === 'number'
      ? 0
      : typeof value === 'string'
        ? 1
        : typeof value === 'boolean'
          ? value
            ? 3
            : 2
          : 4;

function compareCells(a: unknown, b: unknown, isDown: boolean): number {
  const [rank, other] = [rankOf(a), rankOf(b)];
  if (rank === 5 || other === 5) return rank - other;
  const order =
    rank !== other
      ? rank - other
      : rank === 0
        ? (a as number) - (b as number)
        : rank === 1
          ? (a as string).localeCompare(b as string, undefined, { sensitivity: 'base' })
          : 0;
  return isDown ? -order : order;
}

/** Runs of neighbouring numbers, the last first: what is deleted moves nothing that is still to be deleted. */
function runsFromBelow(rows: readonly number[]): Array<readonly [first: number, count: number]> {
  const runs: Array<[number, number]> = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] + last[1] === row) last[1] += 1;
    else runs.push([row, 1]);
  }
  if (runs.length > MOST_BLOCKS)
    throw wrong(`These are more than ${MOST_BLOCKS} separate blocks; take a part of the range`);
  return runs.toReversed();
}

/** The filter of the table that the range is in, or of its sheet; null where there is none. */
const filterOf = ({ at, found, range }: Cells): Promise<Dispatch | null> =>
  ifGiven(async () => {
    const table = await ifGiven(async () => at.own(await range.object('ListObject', 'ListObject')), null);
    return at.own(await (table ?? found.sheet).object('AutoFilter', 'AutoFilter'));
  }, null);

async function filterState(cells: Cells, field: number): Promise<State> {
  const filter = await filterOf(cells);
  if (filter === null) return { filter: null, criteria: null };
  using whole = await filter.object('Range', 'Range');
  using filters = await filter.object('Filters', 'Filters');
  const criteria = await ifGiven(async () => {
    using one = await filters.object('Item', 'Filter', [field]);
    if ((await one.get('On')) !== true) return null;
    const second = await ifGiven(() => one.get('Criteria2'), null);
    return [await one.get('Criteria1'), second].filter((each) => typeof each === 'string').join(' or ');
  }, null);
  return { filter: addressText(areasOf(text(await whole.get('Address')))[0]), criteria };
}

const hiddenFacts =
  ({ found, area }: Cells) =>
  async (): Promise<State> => ({
    hiddenRows: await hiddenRows(found.sheet, area.row, area.rows),
  });

/** Cells that show an error: the first of them. */
const errorFacts = (cells: Cells) => async (): Promise<State> => {
  const read = await readCells(cells.found, cells.area, 'iso', cells.range);
  const errors = read.values.flatMap((row, r) =>
    row.flatMap((value, c) =>
      typeof value === 'object' && value !== null && 'error' in value
        ? [`${cellName(cells.area.row + r, cells.area.column + c)} ${value.error}`]
        : [],
    ),
  );
  return errors.length === 0 ? {} : { errors: errors.length, firstErrors: errors.slice(0, 10).join(', ') };
};

/** https://learn.microsoft.com/office/vba/api/excel.worksheet.evaluate takes no longer ones. */
const LONGEST_TRIED = 255;

/** The error that a formula gives; null for none, and where trying it could reach outside or run code. */
async function tried({ at, found }: Cells, formula: string): Promise<string | null> {
  const book = await at.book.book();
  const isPlain = judgeFormula(formula).reason === null && formula.length <= LONGEST_TRIED;
  if (!isPlain || (await ifGiven(() => book.get('HasVBProject'), true)) === true) return null;
  if (Object.keys(await definedNames(at.book, [[{ formula }]])).length > 0) return null;
  const value = await ifGiven(() => found.sheet.get('Evaluate', [formula], 'Range'), null);
  if (value instanceof Dispatch) value[Symbol.dispose]();
  const error = value instanceof ErrorValue ? fromCell(value, undefined, { dates: 'iso', is1904: false }) : null;
  return typeof error === 'object' && error !== null && 'error' in error ? error.error : null;
}

/** A fill as it would be: cells by address, each with the cell whose content it gets. */
async function fill(
  cells: Cells,
  verb: string,
  sourceOf: (words: Words, r: number, c: number) => number | null,
  act: () => Promise<void>,
): Promise<Plan> {
  const { area, found } = cells;
  const words = await wordsOf(cells, area, 'text');
  const wanted = words.map((row, r) =>
    row.map((word, c) => {
      const source = sourceOf(words, r, c);
      const from = source === null ? null : words[source]![c]!;
      return source === null ? word : from?.startsWith('=') ? formulaKey(shiftFormula(from, r - source, 0)) : from;
    }),
  );
  const lost = words.flatMap((row, r) => row.filter((word, c) => word !== null && word !== wanted[r]![c])).length;
  // Moving changes no function: the copied ones are judged.
  const formulas = new Set(words.flat().filter((word) => word?.startsWith('=')));
  return onCells(cells, verb, {
    now: async () => stateOf(await wordsOf(cells, area, 'text'), area),
    wanted: () => stateOf(wanted, area),
    act,
    loses:
      lost === 0
        ? null
        : `it would overwrite ${lost} cells of ${quoted(found.sheetName)} ${addressText(area)} that are not empty`,
    formulas: [...formulas].filter((each) => each !== null),
    facts: errorFacts(cells),
  });
}

const merging =
  (isMerge: boolean): Op =>
  async (at) => {
    const cells = await cellsOf(at);
    const { area, found, range } = cells;
    if (isMerge) {
      const covered = Object.entries(stateOf(await wordsOf(cells, area), area)).filter(
        ([cell, word]) => word !== null && cell !== cellName(area.row, area.column),
      );
      if (covered.length > 0)
        throw conflict(
          `Merging would delete what ${covered.length} covered cells hold, the first is ${covered[0]![0]}`,
          'Move or clear them first, so that only the first cell holds something.',
        );
    }
    return onCells(cells, isMerge ? 'merge' : 'unmerge', {
      now: async () => ({ merged: (await mergedIn(found.sheet, range, area)).map(addressText).join(', ') || null }),
      wanted: () => ({ merged: isMerge && area.rows * area.columns > 1 ? addressText(area) : null }),
      act: () => at.run(range, isMerge ? 'Merge' : 'UnMerge'),
    });
  };

export const CELL_OPS: Readonly<Record<string, Op>> = {
  async insert(at) {
    const lines = await linesOf(at);
    const { first, count } = lines;
    return onLines(lines, 'insert', [first, compared(lines, first, count)], {
      change: (read) => [...emptyLike(read, count), ...read],
      act: async () => at.run(await lines.object(first, count), 'Insert'),
    });
  },
  async delete(at) {
    const lines = await linesOf(at);
    const { first, count } = lines;
    const filled = filledIn(await lines.words(first, count));
    return onLines(lines, 'delete', [first, compared(lines, first, 0)], {
      change: (read) => read.slice(count),
      behind: count,
      act: async () => at.run(await lines.object(first, count), 'Delete'),
      loses: filled === 0 ? null : cellsText(filled),
    });
  },
  async move(at) {
    const lines = await linesOf(at);
    const { first, count, isRows } = lines;
    const given = String(at.wish.to);
    const target = isRows ? Number(given) : columnNumber(given);
    if (!(isRows ? /^\d{1,7}$/ : /^[a-z]{1,3}$/i).test(given) || target < 1)
      throw wrong(`to: ${quoted(given)} is not a ${isRows ? 'row, such as 5' : 'column, such as F'}`);
    const isStay = target >= first && target <= first + count;
    const from = Math.min(first, target);
    return onLines(lines, `before ${given} move`, [from, Math.max(first + count, target) - from], {
      change: (read) => {
        if (isStay) return read;
        const own = read.slice(first - from, first - from + count);
        return target < first ? [...own, ...read.toSpliced(first - from, count)] : [...read.slice(count), ...own];
      },
      async act() {
        // By a cut with its destination, which leaves the clipboard alone: https://learn.microsoft.com/office/vba/api/excel.range.cut
        await at.run(await lines.object(target, count), 'Insert');
        const source = await lines.object(target < first ? first + count : first, count);
        await at.run(source, 'Cut', await lines.object(target, count));
        await at.run(await lines.object(target < first ? first + count : first, count), 'Delete');
      },
    });
  },
  merge: merging(true),
  unmerge: merging(false),
  async fill_down(at) {
    const cells = await cellsOf(at);
    if (cells.area.rows < 2) throw wrong('The row to copy and at least one row below it are needed');
    return fill(
      cells,
      'fill down',
      (_words, r) => (r === 0 ? null : 0),
      () => at.run(cells.range, 'FillDown'),
    );
  },
  async fill_blanks(at) {
    const cells = await cellsOf(at);
    const { area, found } = cells;
    const words = await wordsOf(cells, area, 'text');
    const sourceOf = (all: Words, r: number, c: number): number | null => {
      if (all[r]![c] !== null) return null;
      const above = all.slice(0, r).findLastIndex((row) => row[c] !== null);
      return above < 0 ? null : above;
    };
    return fill(cells, 'fill the empty cells from above in', sourceOf, async () => {
      for (let c = 0; c < area.columns; c += 1) {
        const blank = words.flatMap((_, r) => (sourceOf(words, r, c) === null ? [] : [r]));
        for (const [first, count] of runsFromBelow(blank)) {
          using run = await rangeAt(
            found.sheet,
            formatArea({ row: area.row + first - 1, rows: count + 1, column: area.column + c, columns: 1 }),
          );
          await at.run(run, 'FillDown');
        }
      }
    });
  },
  async fill_formula(at) {
    const cells = await cellsOf(at);
    const { area, range, found } = cells;
    const formula = String(at.wish['formula']);
    const words = await wordsOf(cells, area, 'text');
    const wanted = words.map((row, r) => row.map((_, c) => formulaKey(shiftFormula(formula, r, c))));
    const lost = filledIn(words.map((row, r) => row.map((word, c) => (word === wanted[r]![c] ? null : word))));
    const error = await tried(cells, formula);
    return onCells(
      cells,
      `put the formula ${quoted(formula, 60)}${error === null ? '' : `, which gives ${error} in its first cell,`} into`,
      {
        now: async () => stateOf(await wordsOf(cells, area, 'text'), area),
        wanted: () => stateOf(wanted, area),
        async act() {
          if ((await ifGiven(() => at.set(range, 'Formula2', formula), 'refused')) === 'refused')
            await at.set(range, 'Formula', formula);
        },
        loses:
          lost === 0
            ? null
            : `it would overwrite ${lost} cells of ${quoted(found.sheetName)} ${addressText(area)} that are not empty`,
        formulas: [formula],
        facts: errorFacts(cells),
      },
    );
  },
  async sort(at) {
    const cells = await cellsOf(at);
    await assertPlain(cells, 'sorted');
    const { area, found, range } = cells;
    const body = bodyOf(cells);
    const keys = columnsOf(cells);
    if (keys.length === 0 || keys.length > 3) throw wrong('by: one to three columns are needed');
    using rows = await rangeAt(found.sheet, formatArea(body));
    const { values } = await readCells(found, body, 'serial', rows);
    const plain = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && 'date' in value ? value.date : value;
    const keyOf = (r: number, { at: c }: { readonly at: number }): unknown => plain(values[r]![c]);
    const words = await wordsOf(cells, body);
    const order = words
      .map((_, r) => r)
      .sort((a, b) => keys.reduce((known, key) => known || compareCells(keyOf(a, key), keyOf(b, key), key.isDown), 0));
    const wanted = stateOf(
      order.map((r) => words[r]!),
      body,
    );
    const rowsIn = (state: State): string => {
      const all = Object.values(state);
      const lines = Array.from({ length: body.rows }, (_, r) =>
        JSON.stringify(all.slice(r * body.columns, (r + 1) * body.columns)),
      );
      return lines.sort().join('\n');
    };
    const sorted = keys.map(({ letter, isDown }) => `${letter}${isDown ? ' descending' : ''}`).join(', ');
    const keyAt = async (index: number): Promise<Dispatch | typeof MISSING> => {
      const key = keys[index];
      return key === undefined ? MISSING : at.own(await rangeAt(found.sheet, cellName(area.row, area.column + key.at)));
    };
    const orderAt = (index: number): number => (keys[index]?.isDown === true ? DESCENDING : ASCENDING);
    return onCells(cells, `sort by ${sorted}:`, {
      now: async () => stateOf(await wordsOf(cells, body), body),
      wanted: () => wanted,
      // https://learn.microsoft.com/office/vba/api/excel.range.sort: by position, since settings that are left out are those of the sort before.
      act: async () =>
        at.run(
          range,
          'Sort',
          await keyAt(0),
          orderAt(0),
          await keyAt(1),
          MISSING,
          orderAt(1),
          await keyAt(2),
          orderAt(2),
          at.wish['header'] === false ? NO : YES,
          1,
          false,
          TOP_TO_BOTTOM,
        ),
      // Texts are ordered by the program's language: the same rows in an order without a number out of place.
      verdict: (before, after) => {
        if (rowsIn(before) !== rowsIn(after)) return 'unverified';
        const isSame = Object.keys(wanted).every((cell) => wanted[cell] === after[cell]);
        const isNumbers = values.every((_, r) => keys.every((key) => typeof keyOf(r, key) === 'number'));
        const isMoved = Object.keys(before).some((cell) => before[cell] !== after[cell]);
        return isSame || (!isNumbers && isMoved) ? 'changed' : 'unverified';
      },
    });
  },
  async filter(at) {
    const cells = await cellsOf(at);
    const { area, range } = cells;
    const [key, ...others] = columnsOf(cells);
    const criteria = at.wish['criteria'] as readonly string[];
    if (key === undefined || others.length > 0) throw wrong('by: one column is needed');
    const now = await filterState(cells, key.at + 1);
    if (now['filter'] !== null && now['filter'] !== addressText(area))
      throw conflict(
        `The sheet has a filter on ${now['filter']} already, and takes one`,
        `Filter ${now['filter']}, or remove it by hand.`,
      );
    return onCells(cells, `filter by ${key.letter} (${criteria.map((each) => quoted(each, 40)).join(' or ')})`, {
      now: () => filterState(cells, key.at + 1),
      wanted: () => ({ filter: addressText(area), criteria: criteria.join(' or ') }),
      // https://learn.microsoft.com/office/vba/api/excel.range.autofilter
      act: () =>
        at.run(range, 'AutoFilter', key.at + 1, criteria[0]!, ...(criteria.length > 1 ? [OR, criteria[1]!] : [])),
      facts: hiddenFacts(cells),
    });
  },
  async unfilter(at) {
    const cells = await cellsOf(at);
    const filter = await filterOf(cells);
    return onCells(cells, 'show all rows of', {
      now: async () => ({ filtered: filter !== null && (await filter.get('FilterMode')) === true }),
      wanted: () => ({ filtered: false }),
      act: () => at.run(filter!, 'ShowAllData'),
      facts: hiddenFacts(cells),
    });
  },
  async remove_duplicates(at) {
    const cells = await cellsOf(at);
    await assertPlain(cells, 'compared');
    const { found } = cells;
    const body = bodyOf(cells);
    const keys = columnsOf(cells).map(({ at: c }) => c);
    const words = await wordsOf(cells, body, 'value');
    const seen = new Set<string>();
    const gone = words.flatMap((row, r) => {
      const key = JSON.stringify(keys.length === 0 ? row : keys.map((c) => row[c])).toLowerCase();
      if (seen.has(key)) return [r];
      seen.add(key);
      return [];
    });
    const runs = runsFromBelow(gone);
    const moved = await wordsOf(cells, body);
    const wanted = stateOf([...moved.filter((_, r) => !gone.includes(r)), ...emptyLike(moved, gone.length)], body);
    const listed = gone
      .slice(0, 50)
      .map((r) => body.row + r)
      .join(', ');
    return onCells(
      cells,
      `delete ${gone.length} rows that repeat others${gone.length === 0 ? '' : ` (${listed})`} in`,
      {
        now: async () => stateOf(await wordsOf(cells, body), body),
        wanted: () => wanted,
        async act() {
          // Exactly the rows that the card names: the program's own command compares what is displayed.
          for (const [first, rows] of runs) {
            using run = await rangeAt(found.sheet, formatArea({ ...body, row: body.row + first, rows }));
            await at.run(run, 'Delete', SHIFT_UP);
          }
        },
        loses: gone.length === 0 ? null : `it would delete ${gone.length} rows that repeat others`,
        facts: async () => ({ removedRows: gone.length, rows: listed }),
      },
    );
  },
};

/** Operations on rows, columns and ranges: insert, delete, move, merge, fill, sort, filter, duplicates. https://learn.microsoft.com/office/vba/api/excel.range(object) */
import { MISSING, type Dispatch, type DispatchInput } from '../../../native-bindings/com/dispatch.ts';
import { ErrorValue, type GridValue } from '../../../native-bindings/com/variant-grid.ts';
import {
  addressText,
  cellCount,
  cellName,
  cellsOf,
  columnName,
  columnNumber,
  formatArea,
  type CellArea,
} from '../../contract/cells/cell-address.ts';
import { cellWords } from '../../contract/cells/cell-text.ts';
import { MOST_CELLS, SHEET_COLUMNS, SHEET_ROWS } from '../../contract/cells/cells.ts';
import { formulaKey, judgeFormula, shiftFormula } from '../../contract/cells/formula.ts';
import { quoted } from '../../contract/json/quoted.ts';
import * as op from './book-op.ts';
import { isSame, onCells, type Cells, type Op, type Plan, type State } from './book-op.ts';
import { bandsOf, fromCell } from './cell-blocks.ts';
import { conflict, given, ifGiven, wrong } from './excel-errors.ts';
import { areasAt, contentOf, mergedIn, rangeAt } from './find-range.ts';
import { eachCell, readCells } from './read-range.ts';
import { definedNames } from './write-range.ts';

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

/** Rows that an answer names. */
const MOST_NAMED = 50;

/** Words of cells, row by row: null for an empty cell. */
type Words = ReadonlyArray<ReadonlyArray<string | null>>;

/** A formula that moves is another text afterwards: it counts as such, unless `isText`. Errors: invalid_argument for too many cells. */
async function wordsOf({ found }: Cells, area: CellArea, isText = false): Promise<Words> {
  if (cellCount(area) > MOST_CHANGED)
    throw wrong(`${addressText(area)} has more than ${MOST_CHANGED} cells`, 'Take a part of it.');
  const { values, formulas } = await readCells(found, area);
  return values.map((row, r) =>
    row.map((value, c) => {
      const formula = formulas[cellName(area.row + r, area.column + c)];
      if (formula !== undefined) return isText ? formulaKey(formula) : 'a formula';
      return value === null ? null : cellWords(value);
    }),
  );
}

const stateOf = (words: Words, area: CellArea): State =>
  Object.fromEntries([...cellsOf(area)].map(({ row, column, at: [r, c] }) => [cellName(row, column), words[r]![c]!]));

/** What is compared is an area of the range, cell by cell. */
const compared = (cells: Cells, area: CellArea, wanted: Words, isText = false): Pick<Plan, 'now' | 'wanted'> => ({
  now: async () => stateOf(await wordsOf(cells, area, isText), area),
  wanted: stateOf(wanted, area),
});

const emptyLike = (lines: Words, count: number): Words =>
  Array.from({ length: count }, () => (lines[0] ?? []).map(() => null));
const turned = (words: Words): Words => (words[0] ?? []).map((_, c) => words.map((row) => row[c]!));

// Whole rows and columns.

interface Lines {
  /** Lines from the first that can differ, as they would be; `own` and `to` are places among them. */
  change(lines: Words, count: number, own: number, to: number): Words;
  /** Members, each of lines as many as are meant, with others as their argument. */
  steps(first: number, count: number, to: number): ReadonlyArray<readonly [member: string, at: number, to?: number]>;
}

async function onLines(verb: string, { change, steps }: Lines, cells: Cells): Promise<Plan> {
  const { at, area, found } = cells;
  const isRows = area.columns === SHEET_COLUMNS;
  if (!isRows && area.rows !== SHEET_ROWS) throw wrong(`${addressText(area)} is not whole rows (2:4) or columns (B:C)`);
  const [first, count] = isRows ? [area.row, area.rows] : [area.column, area.columns];
  const wish = String(at.wish.to ?? (isRows ? first : columnName(first)));
  if (!(isRows ? /^[1-9]\d{0,6}$/ : /^[a-z]{1,3}$/i).test(wish))
    throw wrong(`to: ${quoted(wish)} is not a ${isRows ? 'row, such as 5' : 'column, such as F'}`);
  const to = isRows ? Number(wish) : columnNumber(wish);
  const rect = (start: number, size: number, end?: number): CellArea =>
    isRows
      ? { row: start, rows: size, column: 1, columns: end ?? SHEET_COLUMNS }
      : { row: 1, rows: end ?? SHEET_ROWS, column: start, columns: size };
  // To the end of what is used, as far as one read goes.
  const { row, rows, column, columns } = await contentOf(found.sheet);
  const [width, height] = [column + columns - 1, row + rows - 1];
  const [last, end] = isRows ? [height, width] : [width, height];
  const start = Math.min(first, to);
  const rest = Math.min(last + 1 + count - start, Math.floor(MOST_CELLS / end));
  const length = Math.max(Math.max(first + count, to) - start, rest);
  const turn = (words: Words): Words => (isRows ? words : turned(words));
  const before = turn(await wordsOf(cells, rect(start, length + count, end)));
  const wanted = change(before, count, first - start, to - start).slice(0, length);
  const lost = before
    .slice(0, count)
    .flat()
    .filter((word) => word !== null).length;
  const line = isRows ? 'row' : 'column';
  const lines = count === 1 ? `${line} ${formatArea(area).split(':')[0]!}` : `${line}s ${formatArea(area)}`;
  const what = `${verb} ${lines} ${verb === 'insert' ? 'in' : 'of'} ${quoted(found.sheetName)}`;
  const object = (line: number): Promise<Dispatch> => rangeAt(found.sheet, rect(line, count));
  return {
    what: verb === 'move' ? `${what} to ${line} ${wish}` : what,
    sheet: found.sheetName,
    range: formatArea(area),
    ...compared(cells, rect(start, length, end), turn(wanted)),
    async act() {
      for (const [member, from, target] of steps(first, count, to))
        await at.run(await object(from), member, ...(target === undefined ? [] : [await object(target)]));
    },
    loses: verb === 'delete' && lost > 0 ? `it would ${what} (cells that are not empty: ${lost})` : null,
  };
}

const LINES: Readonly<Record<string, Lines>> = {
  insert: {
    change: (lines, count) => [...emptyLike(lines, count), ...lines],
    steps: (first) => [['Insert', first]],
  },
  delete: { change: (lines, count) => lines.slice(count), steps: (first) => [['Delete', first]] },
  // By a cut with its destination, which leaves the clipboard alone: https://learn.microsoft.com/office/vba/api/excel.range.cut
  move: {
    change: (lines, count, own, to) =>
      lines.toSpliced(own, count).toSpliced(Math.max(0, to - count), 0, ...lines.slice(own, own + count)),
    steps(first, count, to) {
      const source = to < first ? first + count : first;
      return [
        ['Insert', to],
        ['Cut', source, to],
        ['Delete', source],
      ];
    },
  },
};

// Ranges.

const hiddenIn = async ({ found, area }: Cells): Promise<{ hiddenRows: number }> => ({
  hiddenRows: (await bandsOf(found.sheet, true, area.row, area.rows)).filter(({ isHidden }) => isHidden).length,
});

/** The rows below the header. Errors: state_conflict, since the program leaves hidden rows where they are, and refuses merged cells. */
async function bodyOf(cells: Cells): Promise<CellArea> {
  const { at, found, area, range } = cells;
  const { hiddenRows } = await hiddenIn(cells);
  if (hiddenRows > 0)
    throw conflict(`Rows are hidden (${hiddenRows})`, 'Show them first: edit-cells with op unfilter.');
  const [merged] = await mergedIn(found.sheet, range, area);
  if (merged !== undefined)
    throw conflict(`${addressText(merged)} is merged`, 'Unmerge it first: edit-cells with op unmerge.');
  const skip = at.wish['header'] === false ? 0 : 1;
  if (area.rows <= skip) throw wrong(`${addressText(area)} has no rows below its header`);
  return { ...area, row: area.row + skip, rows: area.rows - skip };
}

/** A column by its letter, `-B` for descending, as its place inside the area. */
interface Key {
  readonly c: number;
  readonly isDown: boolean;
}

function keysOf({ at, area }: Cells, [least, most]: readonly [least: number, most: number]): Key[] {
  const given = (at.wish['by'] ?? []) as readonly string[];
  if (given.length < least || given.length > most) throw wrong(`by: ${least} to ${most} columns are needed`);
  return given.map((key) => {
    const c = columnNumber(key.replace('-', '')) - area.column;
    if (c < 0 || c >= area.columns) throw wrong(`The column ${key.replace('-', '')} is not in ${addressText(area)}`);
    return { c, isDown: key.startsWith('-') };
  });
}

/** Numbers, texts, false, true, errors; empty cells last in both directions. https://support.microsoft.com/office/77b781bf-5074-41b0-897a-dc37d4515f27 */
const KINDS = ['number', 'string', 'boolean', 'object'];
function compareCells(a: GridValue, b: GridValue, isDown: boolean): number {
  const isEmpty = (value: GridValue): boolean => value === undefined || value === null;
  if (isEmpty(a) || isEmpty(b)) return Number(isEmpty(a)) - Number(isEmpty(b));
  const order =
    KINDS.indexOf(typeof a) - KINDS.indexOf(typeof b) ||
    (typeof a === 'string' ? a.localeCompare(String(b), undefined, { sensitivity: 'base' }) : Number(a) - Number(b));
  return (isDown ? -order : order) || 0;
}

/** Runs of neighbouring rows, the last first: what is deleted moves nothing that is still to be deleted. */
function runsFromBelow(rows: readonly number[]): Array<readonly [first: number, count: number]> {
  const runs: Array<[number, number]> = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] + last[1] === row) last[1] += 1;
    else runs.push([row, 1]);
  }
  if (runs.length > MOST_BLOCKS) throw wrong(`These are more than ${MOST_BLOCKS} blocks; take a part of the range`);
  return runs.toReversed();
}

/** The filter of the table that the range is in, or of its sheet; null where there is none. */
const filterOf = ({ found, range }: Cells): Promise<Dispatch | null> =>
  ifGiven(async () => {
    const table = await ifGiven(() => range.object('ListObject'), null);
    return await (table ?? found.sheet).object('AutoFilter');
  }, null);

async function filterState(cells: Cells, field: number): Promise<State> {
  const filter = await filterOf(cells);
  if (filter === null) return { filter: null, criteria: null };
  const [whole] = await areasAt(await filter.object('Range'));
  const criteria = await ifGiven(async () => {
    const one = await (await filter.object('Filters')).object('Item', 'Filter', [field]);
    if ((await one.get('On')) !== true) return null;
    const both = [await one.get('Criteria1'), await given(one, 'Criteria2')];
    return both.filter((each) => typeof each === 'string').join(' or ');
  }, null);
  return { filter: addressText(whole), criteria };
}

/** https://learn.microsoft.com/office/vba/api/excel.worksheet.evaluate takes no longer ones. */
const LONGEST_TRIED = 255;

/** The error that a formula gives; null for none, and where trying it could reach outside or run code. */
async function tried({ at, found }: Cells, formula: string): Promise<string | null> {
  const book = await at.book.book();
  const isPlain = judgeFormula(formula).reason === null && formula.length <= LONGEST_TRIED;
  if (!isPlain || (await ifGiven(() => book.get('HasVBProject'), true)) === true) return null;
  if (Object.keys(await definedNames(at.book, [{ formula }])).length > 0) return null;
  const value = await ifGiven(() => found.sheet.get('Evaluate', [formula], 'Range'), null);
  return value instanceof ErrorValue ? cellWords(fromCell(value, undefined, { dates: 'iso', is1904: false })) : null;
}

/** Formulas into cells: `formulaAt` gives what a cell holds then, undefined where it stays. */
function fill(
  cells: Cells,
  verb: string,
  words: Words,
  change: {
    readonly to: (r: number, c: number) => string | null | undefined;
    readonly formulas: readonly string[];
    readonly act: () => Promise<void>;
  },
): Plan {
  const { area, found } = cells;
  const wanted = words.map((row, r) =>
    row.map((word, c) => {
      const to = change.to(r, c);
      return to === undefined ? word : to?.startsWith('=') ? formulaKey(to) : to;
    }),
  );
  const lost = words.flatMap((row, r) => row.filter((word, c) => word !== null && word !== wanted[r]![c])).length;
  const where = `${quoted(found.sheetName)} ${addressText(area)}`;
  return onCells(cells, verb, {
    ...compared(cells, area, wanted, true),
    act: change.act,
    loses: lost === 0 ? null : `it would overwrite ${where} (cells that are not empty: ${lost})`,
    formulas: change.formulas,
    async facts() {
      const errors = eachCell(await readCells(found, area)).flatMap(({ cell, value }) =>
        value instanceof Object && 'error' in value ? `${cell} ${value.error}` : [],
      );
      return errors.length === 0 ? {} : { errors: errors.length, firstErrors: errors.slice(0, 10).join(', ') };
    },
  });
}

/** The content of the cell `from` rows above, as it is further down. Moving changes no function: the copied formulas are judged. */
const copied = (word: string | null, rows: number): string | null =>
  word?.startsWith('=') === true ? shiftFormula(word, rows, 0) : word;
const formulasIn = (words: Words): string[] =>
  [...new Set(words.flat().filter((word) => word?.startsWith('=')))].map(String);

function merging(isMerge: boolean): CellsOp {
  return async (cells) => {
    const { at, area, found, range } = cells;
    const [, ...covered] = isMerge ? Object.entries(stateOf(await wordsOf(cells, area), area)) : [];
    const held = covered.filter(([, word]) => word !== null);
    if (held.length > 0)
      throw conflict(
        `Merging would delete what covered cells hold (${held.length}), the first is ${held[0]![0]}`,
        'Move or clear them first, so that only the first cell holds something.',
      );
    return onCells(cells, isMerge ? 'merge' : 'unmerge', {
      now: async () => ({ merged: (await mergedIn(found.sheet, range, area)).map(addressText).join(', ') || null }),
      wanted: { merged: isMerge && cellCount(area) > 1 ? addressText(area) : null },
      act: () => at.run(range, isMerge ? 'Merge' : 'UnMerge'),
    });
  };
}

type CellsOp = (cells: Cells) => Promise<Plan>;
const RANGES: Readonly<Record<string, CellsOp>> = {
  merge: merging(true),
  unmerge: merging(false),
  async fill_down(cells) {
    const { at, area, range } = cells;
    if (area.rows < 2) throw wrong('The row to copy and at least one row below it are needed');
    const words = await wordsOf(cells, area, true);
    return fill(cells, 'fill down', words, {
      to: (r, c) => (r === 0 ? undefined : copied(words[0]![c]!, r)),
      formulas: formulasIn(words.slice(0, 1)),
      act: () => at.run(range, 'FillDown'),
    });
  },
  async fill_blanks(cells) {
    const { at, area, found } = cells;
    const words = await wordsOf(cells, area, true);
    const last = (words[0] ?? []).map(() => -1);
    /** The filled row that an empty cell takes from; -1 for none. */
    const above = words.map((row, r) =>
      row.map((word, c) => {
        if (word === null) return last[c]!;
        last[c] = r;
        return -1;
      }),
    );
    return fill(cells, 'fill empty cells from above in', words, {
      to: (r, c) => (above[r]![c]! < 0 ? undefined : copied(words[above[r]![c]!]![c]!, r - above[r]![c]!)),
      formulas: formulasIn(words),
      async act() {
        for (let c = 0; c < area.columns; c += 1)
          for (const [first, count] of runsFromBelow([...words.keys()].filter((r) => above[r]![c]! >= 0))) {
            const run = { row: area.row + first - 1, rows: count + 1, column: area.column + c, columns: 1 };
            await at.run(await rangeAt(found.sheet, run), 'FillDown');
          }
      },
    });
  },
  async fill_formula(cells) {
    const { at, area, range } = cells;
    const formula = String(at.wish['formula']);
    const error = await tried(cells, formula);
    const gives = error === null ? '' : `, which gives ${error} in its first cell,`;
    return fill(cells, `put the formula ${quoted(formula, 60)}${gives} into`, await wordsOf(cells, area, true), {
      to: (r, c) => shiftFormula(formula, r, c),
      formulas: [formula],
      async act() {
        const isOlder = (await ifGiven(() => at.set(range, 'Formula2', formula), true)) === true;
        if (isOlder) await at.set(range, 'Formula', formula);
      },
    });
  },
  async sort(cells) {
    const { at, area, found, range } = cells;
    const body = await bodyOf(cells);
    const keys = keysOf(cells, [1, 3]);
    const [words, { raw }] = [await wordsOf(cells, body), await readCells(found, body)];
    const compare = (a: number, b: number): number =>
      keys.reduce((known, { c, isDown }) => known || compareCells(raw[a]![c], raw[b]![c], isDown), 0);
    const order = [...words.keys()].sort(compare);
    const { now, wanted } = compared(
      cells,
      body,
      order.map((r) => words[r]!),
    );
    const rowsIn = (state: State): string => {
      const all = Object.values(state);
      const rows = [...words.keys()].map((r) => JSON.stringify(all.slice(r * body.columns, (r + 1) * body.columns)));
      return rows.sort().join('\n');
    };
    const hasTexts = raw.some((row) => keys.some(({ c }) => typeof row[c] !== 'number'));
    const by = keys.map(({ c, isDown }) => `column ${columnName(area.column + c)}${isDown ? ' descending' : ''}`);
    return onCells(cells, 'sort', {
      how: ` by ${by.join(', then ')}`,
      now,
      wanted,
      async act() {
        const objects: DispatchInput[] = [];
        for (const { c } of keys) objects.push(await rangeAt(found.sheet, cellName(area.row, area.column + c)));
        const [key1, key2 = MISSING, key3 = MISSING] = objects;
        const [one, two, three] = [0, 1, 2].map((index) => (keys[index]?.isDown === true ? DESCENDING : ASCENDING));
        const header = at.wish['header'] === false ? NO : YES;
        // https://learn.microsoft.com/office/vba/api/excel.range.sort: by position, since settings that are left out are those of the sort before.
        await at.run(range, 'Sort', key1, one, key2, MISSING, two, key3, three, header, 1, false, TOP_TO_BOTTOM);
      },
      // Texts are ordered by the program's language: the same rows, in an order that is not foretold.
      isRight: (before, after) => isSame(after, wanted) || (hasTexts && rowsIn(before) === rowsIn(after)),
    });
  },
  async filter(cells) {
    const { at, area, range } = cells;
    const [{ c }] = keysOf(cells, [1, 1]) as [Key];
    const criteria = at.wish['criteria'] as readonly string[];
    const now = (): Promise<State> => filterState(cells, c + 1);
    const { filter } = await now();
    if (filter !== null && filter !== addressText(area))
      throw conflict(
        `The sheet has a filter on ${filter} already, and takes one`,
        `Filter that, or remove it by hand.`,
      );
    const by = ` by column ${columnName(area.column + c)}: ${criteria.map((each) => quoted(each, 40)).join(' or ')}`;
    return onCells(cells, 'filter', {
      how: by,
      now,
      wanted: { filter: addressText(area), criteria: criteria.join(' or ') },
      // https://learn.microsoft.com/office/vba/api/excel.range.autofilter
      act: () => at.run(range, 'AutoFilter', c + 1, criteria[0]!, ...criteria.slice(1).flatMap((each) => [OR, each])),
      facts: () => hiddenIn(cells),
    });
  },
  async unfilter(cells) {
    const filter = await filterOf(cells);
    return onCells(cells, 'show all rows of', {
      now: async () => ({ filtered: (await filter?.get('FilterMode')) === true }),
      wanted: { filtered: false },
      act: () => cells.at.run(filter!, 'ShowAllData'),
      facts: () => hiddenIn(cells),
    });
  },
  async remove_duplicates(cells) {
    const { at, found } = cells;
    const body = await bodyOf(cells);
    const keys = keysOf(cells, [0, 10]);
    const [words, { values }] = [await wordsOf(cells, body), await readCells(found, body)];
    const seen = new Set<string>();
    const isNew = values.map((row) => {
      const key = JSON.stringify(keys.length === 0 ? row : keys.map(({ c }) => row[c])).toLowerCase();
      return seen.size < seen.add(key).size;
    });
    const gone = [...words.keys()].filter((r) => !isNew[r]);
    const rows = gone
      .slice(0, MOST_NAMED)
      .map((r) => body.row + r)
      .join(', ');
    const runs = runsFromBelow(gone);
    const isOne = gone.length === 1;
    const what = isOne ? 'delete 1 row that repeats another' : `delete ${gone.length} rows that repeat others`;
    return onCells(cells, `${what} (row${isOne ? '' : 's'} ${rows || 'none'}) in`, {
      ...compared(cells, body, [...words.filter((_, r) => isNew[r]), ...emptyLike(words, gone.length)]),
      async act() {
        // Exactly the rows that the card names: the program's own command compares what is displayed.
        for (const [first, count] of runs)
          await at.run(await rangeAt(found.sheet, { ...body, row: body.row + first, rows: count }), 'Delete', SHIFT_UP);
      },
      loses: gone.length === 0 ? null : `it would ${what}`,
      facts: async () => ({ removedRows: gone.length, rows }),
    });
  },
};

export const CELL_OPS: Readonly<Record<string, Op>> = Object.fromEntries([
  ...Object.entries(LINES).map(([verb, lines]): [string, Op] => [
    verb,
    async (at) => onLines(verb, lines, await op.cellsOf(at, true)),
  ]),
  ...Object.entries(RANGES).map(([name, plan]): [string, Op] => [name, async (at) => plan(await op.cellsOf(at))]),
]);

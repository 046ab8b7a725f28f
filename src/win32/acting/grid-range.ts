/**
 * Ranges of a grid that has no object model, cell by cell by UI Automation: what cells show, as text, and the formulas of a spreadsheet.
 * Limited to one grid in view; formats and the workbook are not known.
 */
import { createHash } from 'node:crypto';
import {
  cellName,
  cellsOf,
  firstPart,
  formatArea,
  intersectAreas,
  nextRange,
  parseAddress,
  type CellArea,
} from '../../contract/cells/cell-address.ts';
import { checkCellValues } from '../../contract/cells/cell-values.ts';
import { textsAmong } from '../../contract/cells/cells.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isSameFormula, judgeFormula } from '../../contract/cells/formula.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CellInput, CellsBefore, RangeRead, RangeSelected } from '../../contract/cells/sheet.ts';
import type { CellsWritten, ReadCells, WriteCells } from '../../desktop/index.ts';
import { isReadOnly, setValue, isSelected, selectAlone } from '../elements/sources/patterns.ts';
import { compareText } from '../elements/tree/text-equality.ts';
import { Turns } from '../windows/waiting.ts';
import { ROWS_RESERVE_MS } from './grid-table.ts';
import type { OpenGrid } from './open-grid.ts';

/** Each cell is several calls to the program, and the answer repeats what it held. */
const MAX_WRITTEN = 200;

const unsupported = (what: string, hint: string): UiaHostError =>
  new UiaHostError('unsupported', `${what}; nothing was done.`, { hint });

/** The first rectangles of the range that the grid has. Errors: invalid_argument, target_not_found, unsupported. */
function areasOf(grid: OpenGrid, range: string | undefined, sheet: string | undefined): [CellArea, ...CellArea[]] {
  const whole = { row: 1, column: 1, rows: grid.rows, columns: grid.columns };
  if (range?.toLowerCase() === 'selection')
    throw unsupported('The selection of this grid is not known', 'Give an A1 address.');
  const address = range === undefined ? null : parseAddress(range, sheet ?? null);
  const named = address?.sheet ?? sheet ?? null;
  if (named !== null && named.toLowerCase() !== grid.name.toLowerCase())
    throw new UiaHostError(
      'target_not_found',
      `The window shows the grid ${quoted(grid.name)} only; nothing was done.`,
      {
        hint: 'Leave out the sheet.',
      },
    );
  if (address === null) return [whole];
  if (address.kind === 'name')
    throw new UiaHostError('invalid_argument', `${quoted(address.name)} is not an A1 address; nothing was done.`);
  const areas = address.areas.map((area) => intersectAreas(area, whole));
  if (areas.some((area) => area === null))
    throw new UiaHostError(
      'invalid_argument',
      `The grid has ${grid.rows} × ${grid.columns} cells; ${quoted(range ?? '')} is not in it, and nothing was done.`,
    );
  return areas as [CellArea, ...CellArea[]];
}

/** What cells show; an empty text is null. And their formulas, by address. */
interface Texts {
  readonly values: Array<Array<string | null>>;
  readonly formulas: Record<string, string>;
}

/** What the cells show, realised where they are virtual; an empty text is null. Errors: deadline_exceeded. */
async function readTexts({ target, cells }: OpenGrid, area: CellArea): Promise<Texts> {
  const values = Array.from({ length: area.rows }, (): Array<string | null> => []);
  const formulas: Record<string, string> = {};
  const turns = new Turns();
  for (const { row, column, at } of cellsOf(area)) {
    if (target.deadline.remaining(ROWS_RESERVE_MS) <= 0 || target.call.signal.aborted)
      throw new UiaHostError('deadline_exceeded', `Not all of ${formatArea(area)} was read before the deadline.`, {
        hint: 'Read fewer cells at a time (maxCells), or give a longer deadlineMs.',
      });
    const cell = await cells.read(row - 1, column - 1);
    values[at[0]]!.push(cell === null || cell.text === '' ? null : cell.text);
    if (cell !== null && cell.formula !== null) formulas[cellName(row, column)] = cell.formula;
    await turns.next();
  }
  return { values, formulas };
}

const digestOf = (area: CellArea, { values, formulas }: Texts): string =>
  `${formatArea(area)}.${createHash('sha256')
    .update(JSON.stringify([values, formulas]))
    .digest('hex')
    .slice(0, 32)}`;

export async function readGridRange(grid: OpenGrid, wanted: ReadCells): Promise<RangeRead> {
  if (wanted.what === 'formulas' && !grid.cells.hasFormulas)
    throw unsupported('This grid shows what cells hold, not their formulas', 'Read with what: values.');
  const { part, rest } = firstPart(areasOf(grid, wanted.range, wanted.sheet), wanted.maxCells);
  const texts = await readTexts(grid, part);
  const { formulas } = texts;
  const isFormula = (r: number, c: number): boolean => cellName(part.row + r, part.column + c) in formulas;
  // With formulas alone, cells that have one do not repeat its result.
  const values =
    wanted.what === 'formulas'
      ? texts.values.map((row, r) => row.map((text, c) => (isFormula(r, c) ? null : text)))
      : texts.values;
  return {
    sheet: grid.name,
    range: formatArea(part),
    rows: part.rows,
    columns: part.columns,
    values,
    ...(grid.cells.hasFormulas && wanted.what !== 'values' ? { formulas } : {}),
    ...(wanted.text ? { text: texts.values.map((row) => row.map((text) => text ?? '')) } : {}),
    nextRange: nextRange(rest),
    digest: digestOf(part, texts),
  };
}

/** The text that is put into a cell. Errors: unsupported where the program may read it as something else. */
function textOf(value: Exclude<CellInput, null>): string {
  if (typeof value === 'string') {
    if (judgeFormula(value).verdict === 'harmless') return value;
    throw unsupported(`This grid may take the text ${quoted(value)} for a formula`, 'Write such a text by hand.');
  }
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number') return String(value);
  if ('formula' in value) return value.formula;
  throw unsupported(
    'This grid takes texts, numbers and formulas only',
    'Write dates and errors as the program shows them.',
  );
}

interface Aim {
  readonly area: CellArea;
  readonly now: Texts['values'];
  readonly before: CellsBefore;
}

/** Everything that can be refused is refused before the first cell is changed. */
async function aim(grid: OpenGrid, { sheet, range, values, overwrite, expect }: WriteCells): Promise<Aim> {
  const [first, ...others] = areasOf(grid, range, sheet);
  if (others.length > 0)
    throw unsupported('Several ranges are written one by one', 'Write one range; a batch carries several.');
  const area = checkCellValues(first, values);
  if (area.row + area.rows - 1 > grid.rows || area.column + area.columns - 1 > grid.columns)
    throw new UiaHostError(
      'invalid_argument',
      `The values end beyond the grid of ${grid.rows} × ${grid.columns} cells; nothing was done.`,
    );
  if (area.rows * area.columns > MAX_WRITTEN)
    throw unsupported(`This grid is written cell by cell, at most ${MAX_WRITTEN} at a time`, 'Write fewer cells.');
  for (const value of values.flat()) if (value !== null) textOf(value);
  const texts = await readTexts(grid, area);
  const now = texts.values;
  const filled = [...cellsOf(area)].filter(({ at: [r, c] }) => values[r]![c] !== null && now[r]![c] !== null).length;
  const digest = digestOf(area, texts);
  if (expect !== undefined && expect !== digest)
    throw new UiaHostError(
      'state_conflict',
      `The cells ${formatArea(area)} no longer hold what was read; nothing was done.`,
      {
        hint: 'Read this very range again, and give its digest.',
      },
    );
  if (expect === undefined && !overwrite && filled > 0)
    throw new UiaHostError(
      'state_conflict',
      `${filled} cells of ${formatArea(area)} are not empty; nothing was done.`,
      {
        hint: 'Give expect with the digest of what was read, or overwrite: true.',
      },
    );
  for (const { row, column, at } of cellsOf(area)) {
    if (values[at[0]]![at[1]] === null) continue;
    using cell = await grid.cells.item(row - 1, column - 1);
    if (cell === null || isReadOnly(cell) !== false)
      throw new UiaHostError(
        'target_readonly',
        `${cellName(row, column)} cannot be edited in place; nothing was done.`,
      );
  }
  return {
    area,
    now,
    before: {
      sheet: grid.name,
      range: formatArea(area),
      values: now,
      texts: textsAmong(now),
      formulas: texts.formulas,
      filled,
      digest,
    },
  };
}

export const gridBefore = async (grid: OpenGrid, wanted: WriteCells): Promise<CellsBefore> =>
  (await aim(grid, wanted)).before;

/** `isProven`: every cell was read back as it was written; the result of a formula proves nothing about the formula. */
export async function writeGridRange(
  grid: OpenGrid,
  wanted: WriteCells,
): Promise<CellsWritten & { readonly isProven: boolean }> {
  const { area, now, before } = await aim(grid, wanted);
  const { tools, root, description, deadline, call } = grid.target;
  tools.pending.require(root, description);
  let written = 0;
  for (const { row, column, at } of cellsOf(area)) {
    const value = wanted.values[at[0]]![at[1]]!;
    if (value === null) continue;
    using cell = await grid.cells.item(row - 1, column - 1);
    const started = cell === null ? null : setValue(cell, textOf(value));
    const ended =
      started === null
        ? null
        : await tools.pending.run(root, `SetValue of ${cellName(row, column)}`, started, () => false, deadline, call);
    if (ended?.kind !== 'returned')
      throw new UiaHostError(
        'deadline_exceeded',
        `The program did not finish writing ${cellName(row, column)}; ${written} cells were written before.`,
        {
          delivery: 'unknown',
          hint: 'Read the range before writing again.',
          partialResult: before,
        },
      );
    written += 1;
  }
  const { values: after, formulas } = await readTexts(grid, area);
  const formulaCount = wanted.values.flat().filter((value) => typeof value === 'object' && value !== null).length;
  const differing = [...cellsOf(area)].flatMap(({ row, column, at: [r, c] }) => {
    const value = wanted.values[r]![c]!;
    if (value === null) return [];
    const got = after[r]![c] ?? null;
    const isSame =
      typeof value === 'object'
        ? isFormulaHeld(grid, value, formulas[cellName(row, column)], got)
        : compareText(textOf(value), got ?? '') !== 'mismatch';
    return isSame ? [] : [{ cell: cellName(row, column), wanted: value, got }];
  });
  return {
    written: {
      sheet: grid.name,
      range: formatArea(area),
      written,
      formulas: formulaCount,
      before: { values: now, formulas: before.formulas },
      differing,
      undoCleared: true,
      macrosMayRun: true,
      saved: false,
    },
    before,
    filled: before.filled,
    isProven: differing.length === 0 && (grid.cells.hasFormulas || formulaCount === 0),
  };
}

/** Where the grid gives no formulas, a cell that shows something is all that is known. */
function isFormulaHeld(
  grid: OpenGrid,
  value: Exclude<CellInput, string | number | boolean | null>,
  formula: string | undefined,
  got: string | null,
): boolean {
  if (!grid.cells.hasFormulas) return got !== null;
  return 'formula' in value && formula !== undefined && isSameFormula(formula, value.formula);
}

export async function selectGridCell(
  grid: OpenGrid,
  wanted: { readonly sheet: string | undefined; readonly range: string },
): Promise<RangeSelected & { readonly isConfirmed: boolean }> {
  const [area, ...others] = areasOf(grid, wanted.range, wanted.sheet);
  if (others.length > 0 || area.rows * area.columns !== 1)
    throw unsupported('Of this grid one cell at a time can be selected', 'Give the address of one cell.');
  using cell = await grid.cells.item(area.row - 1, area.column - 1);
  const started = cell === null ? null : selectAlone(cell);
  if (cell === null || started === null)
    throw unsupported('The cells of this grid cannot be selected', 'Click the cell instead.');
  const { tools, root, deadline, call } = grid.target;
  await tools.pending.run(root, `Select ${formatArea(area)}`, started, () => false, deadline, call);
  return { sheet: grid.name, range: formatArea(area), sheetChanged: false, isConfirmed: isSelected(cell) === true };
}

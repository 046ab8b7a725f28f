/**
 * Ranges of a grid that has no object model, cell by cell: what its cells show, as text. Limited to one grid in view; formulas,
 * formats and the workbook are not known.
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
import { judgeFormula } from '../../contract/cells/formula.ts';
import type { CellInput, CellsBefore, RangeRead, RangeSelected } from '../../contract/cells/sheet.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext, CellsWritten, Done, ReadCells, WriteCells } from '../../desktop/index.ts';
import { targetOf, type ActionTools } from '../elements/finding/element-target.ts';
import { refOf } from '../elements/finding/locate.ts';
import { readWindow } from '../elements/reading/observe.ts';
import { compareText } from '../elements/tree/text-equality.ts';
import { walk } from '../elements/tree/tree.ts';
import { heldText } from '../evidence/held-text.ts';
import { Turns } from '../windows/waiting.ts';
import { startWitness } from '../windows/witness.ts';
import { GridEditor, type EditableCell } from './grid-editor.ts';
import { ROWS_RESERVE_MS } from './grid-table.ts';

/** Each cell is several calls to the program, and the answer repeats what it held. */
const MAX_WRITTEN = 200;

const unsupported = (what: string, hint: string): UiaHostError =>
  new UiaHostError('unsupported', `${what}; nothing was done.`, { hint });
const conflict = (what: string, hint: string): UiaHostError =>
  new UiaHostError('state_conflict', `${what}; nothing was done.`, { hint });

/** Uses the window's only grid in view; null if it has none. Errors: target_ambiguous with the grids. */
export async function useGrid<T>(
  tools: ActionTools,
  record: BindingRecord,
  call: CallContext,
  use: (grid: GridEditor) => Promise<T>,
): Promise<T | null> {
  if (tools.read.automation === null) return null;
  const { root } = readWindow(record, tools.read);
  const grids = walk(root).filter(({ capabilities, states }) => capabilities.has('grid') && !states.has('offscreen'));
  const [node, ...others] = grids;
  if (node === undefined) return null;
  const hwnd = Number(record.hwnd);
  if (others.length > 0)
    throw new UiaHostError('target_ambiguous', `The window shows ${grids.length} grids; nothing was done.`, {
      hint: 'Use read-table and write-cell with the ref of one of them.',
      candidates: grids.slice(0, 10).map((grid) => ({
        ref: refOf(tools.refs, hwnd, grid),
        role: grid.controlType,
        name: grid.name,
        automationId: grid.automationId,
      })),
    });
  using grid = GridEditor.open(await targetOf(tools, record, refOf(tools.refs, hwnd, node), call));
  return grid === null ? null : await use(grid);
}

/** The first rectangles of the range that the grid has. Errors: invalid_argument, target_not_found, unsupported. */
function areasOf(grid: GridEditor, range: string | undefined, sheet: string | undefined): [CellArea, ...CellArea[]] {
  const whole = { row: 1, column: 1, rows: grid.rows, columns: grid.columns };
  if (range?.toLowerCase() === 'selection')
    throw unsupported('The selection of this grid is not known', 'Give an A1 address.');
  const address = range === undefined ? null : parseAddress(range, sheet ?? null);
  const named = address?.sheet ?? sheet ?? null;
  if (named !== null && named.toLowerCase() !== grid.name.toLowerCase())
    throw new UiaHostError(
      'target_not_found',
      `The window shows the grid ${quoted(grid.name)} only; nothing was done.`,
      { hint: 'Leave out the sheet.' },
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

/** What cells show; an empty text is null. */
type Texts = Array<Array<string | null>>;

/** Errors: deadline_exceeded. */
async function readTexts(grid: GridEditor, area: CellArea): Promise<Texts> {
  const { deadline, call } = grid.target;
  const texts = Array.from({ length: area.rows }, (): Array<string | null> => []);
  const turns = new Turns();
  for (const { row, column, at } of cellsOf(area)) {
    if (deadline.remaining(ROWS_RESERVE_MS) <= 0 || call.signal.aborted)
      throw new UiaHostError('deadline_exceeded', `Not all of ${formatArea(area)} was read before the deadline.`, {
        hint: 'Read fewer cells at a time (maxCells), or give a longer deadlineMs.',
      });
    texts[at[0]]!.push((await grid.text(row - 1, column - 1)) || null);
    await turns.next();
  }
  return texts;
}

const digestOf = (area: CellArea, texts: Texts): string =>
  `${formatArea(area)}.${createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32)}`;

export async function readGridRange(grid: GridEditor, wanted: ReadCells): Promise<RangeRead> {
  if (wanted.what === 'formulas')
    throw unsupported('This grid shows what cells hold, not their formulas', 'Read with what: values.');
  const { part, rest } = firstPart(areasOf(grid, wanted.range, wanted.sheet), wanted.maxCells);
  const values = await readTexts(grid, part);
  return {
    sheet: grid.name,
    range: formatArea(part),
    rows: part.rows,
    columns: part.columns,
    values,
    ...(wanted.text ? { text: values.map((row) => row.map((text) => text ?? '')) } : {}),
    nextRange: nextRange(rest),
    digest: digestOf(part, values),
  };
}

/** The text that is put into a cell. Errors: unsupported where the program may read it as something else. */
function textOf(value: Exclude<CellInput, null>): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string')
    throw unsupported('This grid takes texts and numbers only', 'Write dates and errors as the program shows them.');
  if (judgeFormula(value).verdict === 'harmless') return value;
  throw unsupported(`This grid may take the text ${quoted(value)} for a formula`, 'Write such a text by hand.');
}

/** What is put into one cell. */
interface Change {
  readonly name: string;
  /** Its row and column in the area. */
  readonly at: readonly [number, number];
  readonly value: Exclude<CellInput, null>;
  readonly text: string;
  readonly cell: EditableCell;
}

interface Aim {
  readonly area: CellArea;
  readonly now: Texts;
  readonly before: CellsBefore;
  readonly changes: readonly Change[];
}

/** Everything that can be refused is refused before the first cell is changed. */
async function aim(grid: GridEditor, { sheet, range, values, overwrite, expect }: WriteCells): Promise<Aim> {
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
  const given = [...cellsOf(area)].flatMap(({ row, column, at }) => {
    const value = values[at[0]]![at[1]]!;
    return value === null ? [] : [{ row, column, at, value, text: textOf(value) }];
  });
  const now = await readTexts(grid, area);
  const filled = given.filter(({ at: [r, c] }) => now[r]![c] !== null).length;
  const digest = digestOf(area, now);
  if (expect !== undefined && expect !== digest)
    throw conflict(
      `The cells ${formatArea(area)} no longer hold what was read`,
      'Read this very range again, and give its digest.',
    );
  if (expect === undefined && !overwrite && filled > 0)
    throw conflict(
      `${filled} cells of ${formatArea(area)} are not empty`,
      'Give expect with the digest of what was read, or overwrite: true.',
    );
  const changes: Change[] = [];
  for (const { row, column, ...change } of given) {
    const [name, cell] = [cellName(row, column), await grid.cell(row - 1, column - 1)];
    if (cell === null)
      throw new UiaHostError('target_readonly', `${name} cannot be edited in place; nothing was done.`);
    changes.push({ ...change, name, cell });
  }
  const before = {
    sheet: grid.name,
    range: formatArea(area),
    values: now,
    texts: textsAmong(now),
    formulas: {},
    filled,
    digest,
  };
  return { area, now, before, changes };
}

export const gridBefore = async (grid: GridEditor, wanted: WriteCells): Promise<CellsBefore> =>
  (await aim(grid, wanted)).before;

export async function writeGridRange(grid: GridEditor, wanted: WriteCells): Promise<Done<CellsWritten>> {
  const witness = startWitness();
  const { area, now, before, changes } = await aim(grid, wanted);
  const { tools, root, description, deadline, node } = grid.target;
  tools.pending.require(root, description);
  for (const [written, { name, cell, text }] of changes.entries()) {
    const step = await cell.write(text);
    if (step.result !== 'delivered' || step.isUnfinished === true)
      throw new UiaHostError(
        'deadline_exceeded',
        `The program did not finish writing ${name}; ${written} cells were written before.`,
        { delivery: 'unknown', hint: 'Read the range before writing again.', partialResult: before },
      );
  }
  const differences = (held: Texts): CellsWritten['written']['differing'] =>
    changes.flatMap(({ name, at: [r, c], value, text }) => {
      const got = held[r]![c] ?? null;
      return compareText(text, got ?? '') === 'mismatch' ? [{ cell: name, wanted: value, got }] : [];
    });
  const read = (): Promise<Texts> => readTexts(grid, area);
  const after = (await heldText(node.hwnd, read, (held) => differences(held).length === 0, deadline)) ?? now;
  const differing = differences(after);
  const isRight = differing.length === 0;
  const wasThere = differences(now).length === 0;
  return {
    value: {
      written: {
        sheet: grid.name,
        range: formatArea(area),
        written: changes.length,
        formulas: 0,
        before: { values: now, formulas: {} },
        differing,
        undoCleared: true,
        macrosMayRun: true,
        saved: false,
      },
      before,
      filled: before.filled,
    },
    outcome: witness.outcome({
      effect: !isRight ? 'unverified' : wasThere ? 'none' : 'confirmed',
      delivery: 'uia-value',
      evidence: [{ kind: 'cells', before: before.filled, after: changes.length - differing.length }],
      attempts: [{ rung: 'uia-value', result: 'delivered', reason: 'SetValue, cell by cell' }],
      readBack: isRight ? 'verified' : 'mismatch',
    }),
  };
}

export async function selectGridCell(
  grid: GridEditor,
  wanted: { readonly sheet: string | undefined; readonly range: string },
): Promise<Done<RangeSelected>> {
  const witness = startWitness();
  const [area, ...others] = areasOf(grid, wanted.range, wanted.sheet);
  if (others.length > 0 || area.rows * area.columns !== 1)
    throw unsupported('This grid selects one cell at a time', 'Give the address of one cell.');
  const seen = await grid.select(area.row - 1, area.column - 1);
  if (seen === null) throw unsupported('The cells of this grid cannot be selected', 'Click the cell instead.');
  const range = formatArea(area);
  return {
    value: { sheet: grid.name, range, sheetChanged: false },
    outcome: witness.outcome({
      effect: !seen.after ? 'unverified' : seen.before ? 'none' : 'confirmed',
      delivery: 'uia-selection-item',
      evidence: [{ kind: 'selection', before: seen.before ? range : null, after: seen.after ? range : null }],
      attempts: [{ rung: 'uia-selection-item', result: 'delivered', reason: 'Select' }],
    }),
  };
}

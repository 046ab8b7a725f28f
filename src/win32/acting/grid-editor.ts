/** Grids that UI Automation shows: their text cells, found, read, edited in place and selected, and their rows. */
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import { ComError } from '../../../native-bindings/com/hresult.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { didYouMean, nearest } from '../../contract/json/near.ts';
import { quoted } from '../../contract/json/quoted.ts';
import {
  type ElementTarget,
  elementOf,
  type ActionTools,
  requireEnabled,
  targetOf,
} from '../elements/finding/element-target.ts';
import { GridCells, columnHeaders, gridSize, itemsInside } from '../elements/sources/grid-patterns.ts';
import { realize, setValue } from '../exits/patterns.ts';
import { isReadOnly, isSelected } from '../elements/sources/patterns.ts';
import { type Tried, failed, refused } from '../drivers/driver.ts';
import { runCall } from './pattern-ways.ts';
import { ITEMS } from '../../contract/element/control-types.ts';
import type { TableData } from '../../contract/element/element.ts';
import type { TableRange, CallContext, CellWrite, Done } from '../../desktop/index.ts';
import { refOf } from '../elements/finding/locate.ts';
import type { TreeNode } from '../elements/tree/tree.ts';
import { Turns } from '../windows/waiting.ts';
import { LVS_EDITLABELS } from '../../../native-bindings/win32/constants.ts';
import { RemoteBlocks } from '../elements/tree/remote-memory.ts';
import { editLabel } from '../drivers/list-view/index.ts';
import { cellText, columnCount, columnTitles, isReport, rowCount } from '../drivers/list-view/rows.ts';
import { withTemporaryFocus } from '../input/temporary-focus.ts';
import { Asker } from '../windows/ask.ts';
import type { WindowInfo } from '../windows/window-info.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Attempt } from '../../contract/outcome.ts';
import { compareText, effectOfText, shownDifference } from '../elements/tree/text-difference.ts';
import { heldText } from '../evidence/edit-state.ts';
import { startAftermath } from '../evidence/late-foreground.ts';
import { receiverAt } from '../elements/finding/text-target.ts';

/** A cell that was found: what it holds, and the way to change it. */
interface EditableCell {
  read(): Promise<string | null> | string | null;
  /** Tries to write; a refusal says why. */
  write(text: string): Promise<Tried>;
}

/** Rows and columns are numbered from 0. Null: not a grid. */
function openGrid(target: ElementTarget) {
  const { automation } = target.tools.read;
  if (automation === null || !target.node.capabilities.has('grid')) return null;
  using stack = new DisposableStack();
  const element = elementOf(target);
  if (element === null) return null;
  stack.use(element);
  const cells = GridCells.open(element, automation);
  if (cells === null) return null;
  stack.use(cells);
  const size = gridSize(element);
  const held = stack.move();
  return {
    rows: size?.rows ?? 0,
    columns: size?.columns ?? 0,
    /** Titles of the columns; empty where they have none. */
    titles: columnHeaders(element),
    cells,
    [Symbol.dispose]: () => held.dispose(),
  };
}

/** Null: its cells have no Value pattern. Errors: target_not_found, target_readonly, unsupported where it hides what it holds. */
async function editableCell(
  target: ElementTarget,
  cells: GridCells,
  row: number,
  column: number,
): Promise<EditableCell | null> {
  const { description } = target;
  using cell = await cells.item(row, column);
  if (cell === null)
    throw new UiaHostError(
      'target_not_found',
      `${description} has no cell in row ${row}, column ${column}. Nothing was changed.`,
    );
  if (cells.isPassword(cell))
    throw new UiaHostError(
      'unsupported',
      `The cell in row ${row}, column ${column} of ${description} hides what it holds. Nothing was changed.`,
      { hint: 'Use type-into-element on the cell, with its ref.' },
    );
  const readOnly = isReadOnly(cell);
  if (readOnly === null) return null;
  if (readOnly)
    throw new UiaHostError(
      'target_readonly',
      `The cell in row ${row}, column ${column} of ${description} is read-only. Nothing was overwritten.`,
    );
  return {
    read: () => cells.text(row, column),
    write: async (text) => {
      // The item is fetched again: a grid may replace its cells whenever one changes.
      using live = await cells.item(row, column);
      const gone = failed('uia-value', 'the cell is gone');
      const set = (): ReturnType<typeof setValue> | Tried => (live === null ? gone : (setValue(live, text) ?? gone));
      return runCall({ ...target, description: `a cell of ${description}` }, 'uia-value', 'SetValue', set);
    },
  };
}

/** Errors: target_not_found with near names, target_ambiguous. */
function columnIndex(column: number | string, titles: readonly string[], count: number, of: string): number {
  if (typeof column === 'number') {
    if (column < count) return column;
    throw new UiaHostError(
      'target_not_found',
      `${of} has ${count} columns; column ${column} does not exist. Nothing was changed.`,
    );
  }
  const same = [
    (title: string) => title === column,
    (title: string) => title.trim().toLowerCase() === column.trim().toLowerCase(),
  ].map((fits) => titles.flatMap((title, index) => (fits(title) ? [index] : [])));
  const found = same.find((indices) => indices.length > 0) ?? [];
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new UiaHostError(
      'target_ambiguous',
      `${of} has ${found.length} columns named ${quoted(column)}: ${found.join(', ')}. Nothing was changed.`,
      { hint: 'Give the number of the column.' },
    );
  const suggestions = nearest(
    column,
    titles.filter((title) => title !== ''),
  );
  const near = suggestions.length === 0 ? '.' : `; ${didYouMean(suggestions.map((title) => quoted(title)))}`;
  throw new UiaHostError(
    'target_not_found',
    `${of} has no column named ${quoted(column)}${near} Nothing was changed.`,
    {
      suggestions,
      hint: 'See the columns with read-table, or give the number of the column, from 0.',
    },
  );
}

/** Errors: target_not_found. */
function requireRow(row: number, count: number, of: string): void {
  if (row < count) return;
  throw new UiaHostError(
    'target_not_found',
    `${of} has ${count} rows; row ${row} does not exist. Nothing was changed.`,
    {
      hint: 'Rows are numbered from 0, as in read-table.',
    },
  );
}

/** Part of the deadline (ms) reserved for returning the rows read so far. */
export const ROWS_RESERVE_MS = 200;

/** Reads rows; what was read so far is in the error. Errors: window_hung. */
async function rowsOf(target: ElementTarget, table: () => TableData, read: () => Promise<void>): Promise<TableData> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    const partial = table();
    throw new UiaHostError(
      'window_hung',
      `${target.description} failed to answer after ${partial.rows.length} rows (${error.code}).`,
      { partialResult: partial },
    );
  }
  return table();
}

/**
 * Each cell is read by its row and column, and realised first if it is virtual. The deadline is checked before each.
 */
export async function gridTable(target: ElementTarget, range: TableRange): Promise<TableData | null> {
  using grid = openGrid(target);
  if (grid === null) return null;
  const shown = columnsOf(range, grid.columns);
  const rows: TableData['rows'] = [];
  const table: TableData = {
    ...shown.note,
    columns: shown.indices.map((column) => grid.titles[column] ?? ''),
    rows,
    totalRows: grid.rows,
  };
  const turns = new Turns();
  const requireTime = (): void => {
    if (target.deadline.remaining(ROWS_RESERVE_MS) > 0 && !target.call.signal.aborted) return;
    throw new UiaHostError(
      'deadline_exceeded',
      `${rows.length} rows of ${shown.indices.length} columns of ${target.description} were read before the deadline.`,
      {
        partialResult: table,
        hint: 'Read fewer columns (fromColumn, columnCount) or fewer rows at a time.',
      },
    );
  };
  return await rowsOf(
    target,
    () => table,
    async () => {
      for (let index = range.from; index < Math.min(grid.rows, range.from + range.count); index++) {
        const cells: string[] = [];
        for (const column of shown.indices) {
          requireTime();
          cells.push((await grid.cells.text(index, column)) ?? '');
          await turns.next();
        }
        rows.push({ index, cells });
      }
    },
  );
}

/**
 * A virtualising list without a grid: items are read in order, and those of the range are realised. One column: the
 * names. Null if the list does not enumerate its items. Errors: deadline_exceeded with the rows read so far,
 * window_hung.
 */
export async function containerTable(
  target: ElementTarget,
  element: IUIAutomationElement,
  range: TableRange,
): Promise<TableData | null> {
  const rows: TableData['rows'] = [];
  let count = 0;
  const shown = columnsOf(range, 1);
  const table = (): TableData => ({ ...shown.note, columns: shown.indices.map(() => ''), rows, totalRows: count });
  const turns = new Turns();
  await rowsOf(target, table, async () => {
    for (const item of itemsInside(element)) {
      if (target.deadline.remaining(ROWS_RESERVE_MS) <= 0 || target.call.signal.aborted) {
        throw new UiaHostError(
          'deadline_exceeded',
          `${rows.length} rows of ${target.description} were read, and ${count} of its items counted, before the deadline.`,
          {
            partialResult: table(),
            hint: 'Read fewer rows at a time, or give a longer deadlineMs.',
          },
        );
      }
      if (count >= range.from && count < range.from + range.count) {
        await realize(item);
        const name = item.get_CurrentName() ?? '';
        rows.push({ index: count, cells: shown.indices.map(() => name), selected: isSelected(item) === true });
      }
      count += 1;
      await turns.next();
    }
  });
  return count === 0 ? null : table();
}

/** Items without a grid: the texts inside a row are its cells, else one column. */
export function listTable(target: ElementTarget, range: TableRange): TableData {
  const flat: Array<{ node: TreeNode; depth: number }> = [];
  const collect = (node: TreeNode, depth: number): void => {
    for (const child of node.children) {
      const isRow = ITEMS.has(child.controlType);
      if (isRow) flat.push({ node: child, depth });
      collect(child, isRow ? depth + 1 : depth);
    }
  };
  collect(target.node, 0);
  const isTree = target.node.controlType === 'Tree';
  const rows = flat.slice(range.from, range.from + range.count).map(({ node, depth }, offset) => {
    const texts = node.children
      .filter((child) => child.controlType === 'Text' || child.controlType === 'Edit')
      .map((child) => child.name);
    return {
      index: range.from + offset,
      ref: refOf(target.tools.refs, target.root, node),
      cells: texts.length > 1 ? texts : [node.name],
      selected: node.states.has('selected'),
      ...(isTree ? { depth } : {}),
    };
  });
  const shown = columnsOf(range, Math.max(1, ...rows.map(({ cells }) => cells.length)));
  return {
    ...shown.note,
    columns: shown.indices.map(() => ''),
    totalRows: flat.length,
    rows: rows.map((row) => ({ ...row, cells: shown.indices.map((column) => row.cells[column] ?? '') })),
  };
}

/** A sheet has thousands of columns, of which a caller rarely wants more. */
const USUAL_COLUMNS = 100;

/** The indices of the wanted columns, and a note for the answer if they are not all. */
export function columnsOf(
  { fromColumn = 0, columnCount = USUAL_COLUMNS }: TableRange,
  all: number,
): { readonly indices: number[]; readonly note: { fromColumn?: number; totalColumns?: number } } {
  const count = Math.max(0, Math.min(columnCount, all - fromColumn));
  const indices = Array.from({ length: count }, (_, offset) => fromColumn + offset);
  return { indices, note: count === all ? {} : { fromColumn, totalColumns: all } };
}

const LABEL_MS = 5000;
/** Editing ends with a key that the field is sent, so a few messages are processed. */
const MESSAGES = 3;

/** The label of a row of a list view, read through memory in its program. Errors: target_not_found, target_ambiguous, target_readonly, unsupported. */
function labelCell(
  { description, deadline, root }: ElementTarget,
  info: WindowInfo,
  blocks: RemoteBlocks,
  { row, column }: CellWrite,
): EditableCell {
  const { hwnd, style } = info;
  const memory = blocks.for(hwnd);
  if (memory === null)
    throw new UiaHostError(
      'unsupported',
      `${description} can only be read through the memory of its program, which the policy or Windows forbids. Nothing was changed.`,
    );
  const asker = (): Asker => new Asker(deadline.share(LABEL_MS));
  const first = asker();
  requireRow(row, rowCount(first, hwnd), description);
  const count = columnCount(first, info);
  const columns = isReport(style) ? Array.from({ length: count }, (_, at) => at) : [];
  const titles = columnTitles(first, memory, info, columns);
  if (columnIndex(column, titles, count, description) !== 0)
    throw new UiaHostError(
      'unsupported',
      `Only the first column of ${description} can be edited in place. Nothing was changed.`,
      { hint: 'Programs usually change the other columns in a dialog, which opening the row shows.' },
    );
  if ((style & LVS_EDITLABELS) === 0)
    throw new UiaHostError(
      'target_readonly',
      `The rows of ${description} cannot be edited in place. Nothing was overwritten.`,
    );
  return {
    read: () => cellText(asker(), memory, hwnd, row, 0),
    /** The list view needs the focus of its program: Windows opens no field without it. */
    async write(text) {
      let step: Tried = refused('message', 'the list opened no field for it');
      const edit = (): void => {
        step = editLabel(asker(), hwnd, row, text);
      };
      await withTemporaryFocus(receiverAt(hwnd, 'system focus'), root, edit, MESSAGES, deadline);
      return step;
    },
  };
}

/** Text in an outcome is for a quick check; the full text is in the cell. */
const EVIDENCE_LENGTH = 1000;

const quiet = async (read: () => Promise<string | null> | string | null): Promise<string | null> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ComError) return null;
    throw error;
  }
};

async function writeAndRead(
  target: ElementTarget,
  cell: EditableCell,
  { row, column, text, expect }: CellWrite,
): Promise<{ readonly step: Tried; readonly before: string | null; readonly after: string | null }> {
  const before = await quiet(cell.read);
  if (expect !== undefined && before !== expect)
    throw new UiaHostError(
      'state_conflict',
      `The cell in row ${row}, column ${quoted(String(column)).slice(1, -1)} of ${target.description} holds ${before === null ? 'what could not be read' : quoted(before)}, not ${quoted(expect)}. Nothing was changed.`,
      { hint: 'Read the table again; its rows may have moved.' },
    );
  const step = await cell.write(text);
  if (step.result !== 'delivered') return { step, before, after: null };
  const read = (): Promise<string | null> => quiet(cell.read);
  const isTaken = (now: string): boolean => compareText(text, now) !== 'mismatch';
  const after = await heldText(target.node.hwnd, read, isTaken, target.deadline, { isKept: false });
  return { step, before, after };
}

/**
 * Errors: target_not_found (row, column), target_ambiguous (column name), target_readonly, state_conflict (`expect`), unsupported
 * where cells cannot be edited in place.
 */
export async function writeElementCell(
  tools: ActionTools,
  record: BindingRecord,
  ref: string,
  wanted: CellWrite,
  call: CallContext,
): Promise<Done<boolean>> {
  const aftermath = startAftermath(record, call);
  const target = await targetOf(tools, record, ref, call);
  requireEnabled(target);
  tools.pending.require(target.root, target.description);
  using grid = openGrid(target);
  using blocks = new RemoteBlocks(tools.read.remoteControlMemory);
  let cell: EditableCell | null = null;
  if (grid !== null) {
    requireRow(wanted.row, grid.rows, target.description);
    const column = columnIndex(wanted.column, grid.titles, grid.columns, target.description);
    cell = await editableCell(target, grid.cells, wanted.row, column);
  }
  const { node, located } = target;
  const entry = node.locator.kind === 'window' ? located.observed.windows.entries.get(node.hwnd) : undefined;
  if (entry?.kind === 'list-view') cell ??= labelCell(target, entry.info, blocks, wanted);
  if (cell === null)
    throw new UiaHostError(
      'unsupported',
      `${target.description} has no cells that can be edited in place. Nothing was changed.`,
      {
        hint: 'Name a grid or a list view. Programs often edit in a dialog or a field instead: take a snapshot and use type-into-element.',
      },
    );
  const { step, before, after } = await writeAndRead(target, cell, wanted);
  const { isUnfinished, ...attempt } = step;
  if (attempt.result !== 'delivered') throw notWritten(target, wanted, attempt);
  const readBack = after === null ? undefined : compareText(wanted.text, after);
  const isOpen = after === null || readBack === undefined || (isUnfinished === true && readBack === 'mismatch');
  const effect = isOpen ? 'unverified' : effectOfText(before, after, readBack);
  return aftermath.of(target.node, {
    effect,
    delivery: attempt.rung,
    evidence: after === null ? [] : [{ kind: 'value', ...shownDifference(before, after, EVIDENCE_LENGTH) }],
    attempts: [attempt],
    ...(readBack === undefined ? {} : { readBack }),
  });
}

function notWritten(
  { description }: ElementTarget,
  { row }: CellWrite,
  { result, rung, reason }: Attempt,
): UiaHostError {
  if (result === 'refused')
    return new UiaHostError(
      'target_readonly',
      `The cell in row ${row} of ${description} cannot be edited (${rung}: ${reason}). Nothing was overwritten.`,
    );
  return new UiaHostError(
    'unsupported',
    `The cell in row ${row} of ${description} could not be edited: ${rung}: ${reason}.`,
    {
      delivery: 'unknown',
    },
  );
}

/** Rows of grids and lists that UI Automation exposes. */
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import { ComError } from '../../../native-bindings/com/hresult.ts';
import { ITEMS } from '../../contract/element/control-types.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { TableData, TableRange } from '../../desktop/index.ts';
import { refOf } from '../elements/finding/locate.ts';
import { itemsInside } from '../elements/sources/grid-patterns.ts';
import { realize } from '../exits/patterns.ts';
import { isSelected } from '../elements/sources/patterns.ts';
import type { TreeNode } from '../elements/tree/tree.ts';
import { Turns } from '../windows/waiting.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';
import { GridEditor } from './grid-editor.ts';

/** Part of the deadline (ms) reserved for returning the rows read so far. */
export const ROWS_RESERVE_MS = 200;

/**
 * Each cell is read by its row and column, and realised first if it is virtual. The deadline is checked before each.
 */
export async function gridTable(target: ElementTarget, range: TableRange): Promise<TableData | null> {
  using grid = GridEditor.open(target);
  if (grid === null) return null;
  const shown = columnsOf(range, grid.columns);
  const titles = grid.titles();
  const rows: TableData['rows'] = [];
  const table: TableData = {
    ...shown.note,
    columns: shown.indices.map((column) => titles[column] ?? ''),
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
  try {
    for (let index = range.from; index < Math.min(grid.rows, range.from + range.count); index++) {
      const cells: string[] = [];
      for (const column of shown.indices) {
        requireTime();
        cells.push((await grid.text(index, column)) ?? '');
        await turns.next();
      }
      rows.push({ index, cells });
    }
  } catch (error) {
    if (error instanceof ComError)
      throw new UiaHostError(
        'window_hung',
        `${target.description} failed to answer after ${rows.length} rows (${error.code}).`,
        { partialResult: table },
      );
    throw error;
  }
  return table;
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
  try {
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
  } catch (error) {
    if (error instanceof ComError)
      throw new UiaHostError(
        'window_hung',
        `${target.description} failed to answer after ${rows.length} rows (${error.code}).`,
        { partialResult: table() },
      );
    throw error;
  }
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

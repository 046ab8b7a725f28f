/** Rows of grids and lists that UI Automation shows. */
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { ComError } from '../../../../native-bindings/com/hresult.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import type { TableData, TableRange } from '../../../desktop/index.ts';
import { refOf } from '../locate.ts';
import { cellText, gridSize } from '../patterns/grid.ts';
import { columnHeaders } from '../patterns/table.ts';
import type { TreeNode } from '../tree.ts';
import type { ActionTarget } from './target.ts';

const RESERVE_MS = 200;
const ROW_TYPES: ReadonlySet<string> = new Set(['ListItem', 'DataItem', 'TreeItem']);

/** Each cell is asked for by its own row and column, and made real first where it is virtual. */
export async function gridTable(target: ActionTarget, element: IUIAutomationElement, range: TableRange): Promise<TableData | null> {
  const size = gridSize(element);
  if (size === null) return null;
  const titles = columnHeaders(element);
  const columns = Array.from({ length: size.columns }, (_, column) => titles[column] ?? '');
  const rows: TableData['rows'] = [];
  const table: TableData = { columns, rows, totalRows: size.rows };
  try {
    for (let index = range.from; index < Math.min(size.rows, range.from + range.count); index++) {
      if (target.deadline.remaining(RESERVE_MS) <= 0 || target.call.signal.aborted) {
        throw new UiaHostError('deadline_exceeded', `${rows.length} rows of ${target.description} were read before the deadline.`, { partialResult: table });
      }
      const cells: string[] = [];
      for (let column = 0; column < size.columns; column++) cells.push(await cellText(element, index, column) ?? '');
      rows.push({ index, cells });
    }
  } catch (error) {
    if (error instanceof ComError) throw new UiaHostError('window_hung', `${target.description} failed to answer after ${rows.length} rows (${error.code}).`, { partialResult: table });
    throw error;
  }
  return table;
}

/** Items without a grid: one column, and the texts inside of a row as its cells. */
export function listTable(target: ActionTarget, range: TableRange): TableData {
  const flat: Array<{ node: TreeNode; depth: number }> = [];
  const collect = (node: TreeNode, depth: number): void => {
    for (const child of node.children) {
      const isRow = ROW_TYPES.has(child.controlType);
      if (isRow) flat.push({ node: child, depth });
      collect(child, isRow ? depth + 1 : depth);
    }
  };
  collect(target.node, 0);
  const isTree = target.node.controlType === 'Tree';
  const rows = flat.slice(range.from, range.from + range.count).map(({ node, depth }, offset) => {
    const texts = node.children.filter((child) => child.controlType === 'Text' || child.controlType === 'Edit').map((child) => child.name);
    return {
      index: range.from + offset, ref: refOf(target.tools.refs, target.root, node), cells: texts.length > 1 ? texts : [node.name], selected: node.states.has('selected'), ...(isTree ? { depth } : {}),
    };
  });
  return { columns: Array.from({ length: Math.max(1, ...rows.map(({ cells }) => cells.length)) }, () => ''), rows, totalRows: flat.length };
}

/**
 * Blocks of cells between hidden rows and columns. Excel puts the first element of an array into every cell that is seen, and
 * nothing into the others, where a range has hidden rows or columns among several:
 * https://github.com/xlwings/xlwings/issues/747, https://github.com/netoffice/NetOffice/issues/2
 */
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { formatArea, intersectAreas, type CellArea } from '../../contract/cells/cell-address.ts';
import { SHEET_COLUMNS, SHEET_ROWS } from '../../contract/cells/cells.ts';
import type { Block } from './cell-blocks.ts';
import { isRefusal, lacksMember } from './excel-errors.ts';

/** Rows or columns next to each other that are written as one. */
interface Run {
  readonly first: number;
  readonly count: number;
}

type WholeArea = (run: Run) => CellArea;
const wholeRows: WholeArea = ({ first, count }) => ({ row: first, rows: count, column: 1, columns: SHEET_COLUMNS });
const wholeColumns: WholeArea = ({ first, count }) => ({ row: 1, rows: SHEET_ROWS, column: first, columns: count });

/** True: all are hidden, false: none is, null: some are. */
async function hidden(sheet: Dispatch, area: CellArea): Promise<unknown> {
  try {
    using range = await sheet.object('Range', 'Range', [formatArea(area)]);
    return await range.get('Hidden');
  } catch (error) {
    // Another program that has no such property: what is read back tells whether the cells took their values.
    if (lacksMember(error) || isRefusal(error)) return false;
    throw error;
  }
}

/** Visible rows or columns in runs, each hidden one alone. */
async function runsOf(sheet: Dispatch, whole: WholeArea, run: Run): Promise<Run[]> {
  const { first, count } = run;
  if (count === 1) return [run];
  const answer = await hidden(sheet, whole(run));
  if (answer === false) return [run];
  if (answer === true) return Array.from({ length: count }, (_, at) => ({ first: first + at, count: 1 }));
  const half = Math.floor(count / 2);
  return [
    ...(await runsOf(sheet, whole, { first, count: half })),
    ...(await runsOf(sheet, whole, { first: first + half, count: count - half })),
  ];
}

/** The part of a block that is in an area. */
function partOf(block: Block, area: CellArea): Block[] {
  const part = intersectAreas(block.area, area);
  if (part === null) return [];
  const top = part.row - block.area.row;
  const left = part.column - block.area.column;
  const values = block.values.slice(top, top + part.rows).map((row) => row.slice(left, left + part.columns));
  return [{ ...block, area: part, address: formatArea(part), values }];
}

/** The same cells, in blocks that have no hidden rows or columns among several. */
export async function betweenHidden(
  sheet: Dispatch,
  area: CellArea,
  blocks: readonly Block[],
): Promise<readonly Block[]> {
  const rows = await runsOf(sheet, wholeRows, { first: area.row, count: area.rows });
  const columns = await runsOf(sheet, wholeColumns, { first: area.column, count: area.columns });
  if (rows.length === 1 && columns.length === 1) return blocks;
  const places = rows.flatMap((down) =>
    columns.map((across) => ({ row: down.first, rows: down.count, column: across.first, columns: across.count })),
  );
  return blocks.flatMap((block) => places.flatMap((place) => partOf(block, place)));
}

/** Merged cells: only the first of an area holds something, and a person sees nothing of what is put into the others. */
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { cellsOf, type CellArea } from '../../contract/cells/cell-address.ts';
import { isRefusal, lacksMember } from './excel-errors.ts';
import { areasOf, text } from './find-range.ts';

/** Each cell is asked, which takes a call: beyond this many it is only known that there are merged cells. */
const MOST_ASKED = 400;

const isInside = (area: CellArea, row: number, column: number): boolean =>
  row >= area.row && row < area.row + area.rows && column >= area.column && column < area.column + area.columns;

/** A cell of a merged area that is not its first. */
export const isCovered = (merged: readonly CellArea[], row: number, column: number): boolean =>
  merged.some((area) => isInside(area, row, column) && !(row === area.row && column === area.column));

/**
 * The merged areas that a rectangle meets.
 * Source: learn.microsoft.com/office/vba/api/excel.range.mergecells (null: some are), .../excel.range.mergearea
 */
export async function mergedIn(sheet: Dispatch, range: Dispatch, area: CellArea): Promise<CellArea[]> {
  const merged: CellArea[] = [];
  try {
    if ((await range.get('MergeCells')) === false) return merged;
    using cells = await sheet.object('Cells', 'Range');
    let asked = 0;
    for (const { row, column } of cellsOf(area)) {
      if (merged.some((each) => isInside(each, row, column))) continue;
      if ((asked += 1) > MOST_ASKED) break;
      using cell = await cells.object('Item', 'Range', [row, column]);
      using whole = await cell.object('MergeArea', 'Range');
      const [found] = areasOf(text(await whole.get('Address')));
      if (found !== undefined && found.rows * found.columns > 1) merged.push(found);
    }
  } catch (error) {
    // Other programs have no merged cells.
    if (!lacksMember(error) && !isRefusal(error)) throw error;
  }
  return merged;
}

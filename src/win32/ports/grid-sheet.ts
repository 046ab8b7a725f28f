/** The sheet topic where a window has no object model: by the cells that UI Automation shows of its one grid. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { WorkbookInfo } from '../../contract/cells/sheet.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext, SheetPort } from '../../desktop/index.ts';
import type { GridEditor } from '../acting/grid-editor.ts';
import { gridBefore, readGridRange, selectGridCell, writeGridRange } from '../acting/grid-range.ts';

/** The window's grid; see `useGrid`. */
export interface GridFinder {
  withGrid<T>(record: BindingRecord, call: CallContext, use: (grid: GridEditor) => Promise<T>): Promise<T | null>;
}

/**
 * The object model's port, and the grid's where the window has no object model. What neither has is the error of the first. Errors
 * in addition: target_ambiguous where the window shows several grids.
 */
export function orGrid(excel: SheetPort, grids: GridFinder): SheetPort {
  const either =
    <W, T>(
      byModel: (record: BindingRecord, wanted: W, call: CallContext) => Promise<T>,
      byGrid: (grid: GridEditor, wanted: W) => Promise<T>,
    ) =>
    async (record: BindingRecord, wanted: W, call: CallContext): Promise<T> => {
      try {
        return await byModel(record, wanted, call);
      } catch (error) {
        if (!(error instanceof UiaHostError) || error.code !== 'unsupported') throw error;
        const found = await grids.withGrid(record, call, async (grid) => ({ value: await byGrid(grid, wanted) }));
        if (found === null) throw error;
        return found.value;
      }
    };
  const info = either<null, WorkbookInfo>(
    (record, _, call) => excel.info(record, call),
    async ({ name, rows, columns }) => {
      throw new UiaHostError(
        'unsupported',
        `This window has no object model: nothing is known of its workbook but the grid ${name} of ${rows} × ${columns} cells.`,
        { hint: 'Use read-range, write-range and select-range: they work on the cells of that grid, as text.' },
      );
    },
  );
  return {
    info: (record, call) => info(record, null, call),
    read: either(excel.read, readGridRange),
    before: either(excel.before, async (grid, { sheet, range, write }) =>
      write === null ? null : gridBefore(grid, { sheet, range, ...write }),
    ),
    write: either(excel.write, writeGridRange),
    select: either(excel.select, selectGridCell),
  };
}

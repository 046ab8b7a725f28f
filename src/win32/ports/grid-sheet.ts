/** The sheet topic where a window has no object model: by the cells that UI Automation shows of its one grid. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext, SheetPort } from '../../desktop/index.ts';
import { gridBefore, readGridRange, selectGridCell, writeGridRange } from '../acting/grid-range.ts';
import type { OpenGrid } from '../acting/open-grid.ts';
import { startWitness } from '../windows/witness.ts';

/** The window's grid; see `useGrid`. */
export interface GridFinder {
  withGrid<T>(record: BindingRecord, call: CallContext, use: (grid: OpenGrid) => Promise<T>): Promise<T | null>;
}

/**
 * The object model's port, and the grid's where the window has no object model. What neither has is the error of the first. Errors
 * in addition: target_ambiguous where the window shows several grids.
 */
export function orGrid(excel: SheetPort, grids: GridFinder): SheetPort {
  const either = async <T>(
    record: BindingRecord,
    call: CallContext,
    byModel: () => Promise<T>,
    byGrid: (grid: OpenGrid) => Promise<T>,
  ): Promise<T> => {
    try {
      return await byModel();
    } catch (error) {
      if (!(error instanceof UiaHostError) || error.code !== 'unsupported') throw error;
      const found = await grids.withGrid(record, call, async (grid) => ({ value: await byGrid(grid) }));
      if (found === null) throw error;
      return found.value;
    }
  };
  return {
    info: (record, call) =>
      either(
        record,
        call,
        () => excel.info(record, call),
        async ({ name, rows, columns }) => {
          throw new UiaHostError(
            'unsupported',
            `This window has no object model: of its workbook nothing is known but the grid ${name} of ${rows} × ${columns} cells.`,
            { hint: 'Use read-range, write-range and select-range: they work on the cells of that grid, as text.' },
          );
        },
      ),
    read: (record, wanted, call) =>
      either(
        record,
        call,
        () => excel.read(record, wanted, call),
        (grid) => readGridRange(grid, wanted),
      ),
    before: (record, aim, call) =>
      either(
        record,
        call,
        () => excel.before(record, aim, call),
        async (grid) => {
          const { sheet, range, write } = aim;
          return write === null ? null : gridBefore(grid, { sheet, range, ...write });
        },
      ),
    async write(record, wanted, call) {
      const witness = startWitness();
      return either(
        record,
        call,
        () => excel.write(record, wanted, call),
        async (grid) => {
          const { isProven, ...value } = await writeGridRange(grid, wanted);
          const { differing, written } = value.written;
          return {
            value,
            outcome: witness.outcome({
              effect: isProven ? 'confirmed' : 'unverified',
              delivery: 'uia-value',
              evidence: [{ kind: 'cells', before: value.filled, after: written - differing.length }],
              attempts: [{ rung: 'uia-value', result: 'delivered', reason: 'SetValue, cell by cell' }],
              ...(differing.length > 0
                ? { readBack: 'mismatch' as const }
                : isProven
                  ? { readBack: 'verified' as const }
                  : {}),
            }),
          };
        },
      );
    },
    async select(record, wanted, call) {
      const witness = startWitness();
      return either(
        record,
        call,
        () => excel.select(record, wanted, call),
        async (grid) => {
          const { isConfirmed, ...value } = await selectGridCell(grid, wanted);
          return {
            value,
            outcome: witness.outcome({
              effect: isConfirmed ? 'confirmed' : 'unverified',
              delivery: 'uia-selection-item',
              evidence: [{ kind: 'selection', before: null, after: value.range }],
              attempts: [{ rung: 'uia-selection-item', result: 'delivered', reason: 'Select' }],
            }),
          };
        },
      );
    },
  };
}

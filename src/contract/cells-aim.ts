/** What a call does with cells, and what is counted of it. */
import type { CellInput } from './sheet.ts';

/** What a call does with cells, for the gate. */
export interface CellsAim {
  readonly sheet: string | undefined;
  readonly range: string;
  /** Null where they are only selected. */
  readonly write: {
    readonly values: ReadonlyArray<readonly CellInput[]>;
    /** Cells that are not empty may be overwritten. */
    readonly overwrite: boolean;
    /** What the caller read before; cells that still hold it may be overwritten. */
    readonly expect: string | undefined;
  } | null;
}

/** The formulas among the cells to write, in reading order. */
export function formulasOf(values: ReadonlyArray<readonly CellInput[]>): string[] {
  const formulas: string[] = [];
  for (const row of values)
    for (const cell of row)
      if (typeof cell === 'object' && cell !== null && 'formula' in cell) formulas.push(cell.formula);
  return formulas;
}

/** How many cells a write changes: all but those that it leaves. */
export function cellsWritten(values: ReadonlyArray<readonly CellInput[]>): number {
  let count = 0;
  for (const row of values) for (const cell of row) if (cell !== null) count += 1;
  return count;
}

/** Which columns of a table are read. No Windows calls. */
import type { TableRange } from '../../desktop/index.ts';

/** A sheet has thousands of columns, of which a caller rarely wants more. */
export const USUAL_COLUMNS = 100;

/** The indices of the wanted columns, and a note for the answer if they are not all. */
export function columnsOf(
  { fromColumn = 0, columnCount = USUAL_COLUMNS }: TableRange,
  all: number,
): { readonly indices: number[]; readonly note: { fromColumn?: number; totalColumns?: number } } {
  const count = Math.max(0, Math.min(columnCount, all - fromColumn));
  const indices = Array.from({ length: count }, (_, offset) => fromColumn + offset);
  return { indices, note: count === all ? {} : { fromColumn, totalColumns: all } };
}

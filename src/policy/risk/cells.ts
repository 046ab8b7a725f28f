/** The risk of writing cells: what they replace, how many they are, and formulas. */
import { cellsWritten, formulasOf, MANY_CELLS, type CellsAim, type CellsBefore } from '../../contract/sheet.ts';
import type { RiskLevel } from '../../contract/permissions.ts';
import type { Findings } from './findings.ts';

/** Adds what is found, and returns the least level of the write. */
export function lookAtCells({ write }: CellsAim, before: CellsBefore | null, found: Findings): RiskLevel {
  if (write === null) return 'low';
  const count = cellsWritten(write.values);
  if (before !== null && before.filled > 0)
    found.add('destructive', `it overwrites ${String(before.filled)} cells that are not empty`);
  if (count > MANY_CELLS) found.add('destructive', `it writes ${String(count)} cells`);
  return found.has('destructive') || formulasOf(write.values).length > 0 ? 'high' : 'low';
}

/** The risk of writing cells: what they replace, how many they are, and formulas. */
import { cellName } from '../../contract/cell-address.ts';
import { areaOf } from '../../contract/cell-text.ts';
import { judgeFormula, type FormulaVerdict } from '../../contract/formula.ts';
import type { RiskLevel } from '../../contract/permissions.ts';
import { cellsWritten, formulasOf, type CellsAim } from '../../contract/cells-aim.ts';
import { MANY_CELLS } from '../../contract/cells.ts';
import type { CellsBefore } from '../../contract/sheet.ts';
import type { Findings } from './findings.ts';

/** A formula that reaches outside the workbook. */
export interface FormulaFinding {
  /** Its cell, or its place among the values where the range is not known. */
  readonly cell: string;
  readonly verdict: FormulaVerdict;
  readonly reason: string;
}

/** The formulas that reach outside, in reading order; names are resolved by what the workbook said. */
export function outsideFormulas({ range, write }: CellsAim, before: CellsBefore | null): FormulaFinding[] {
  const area = areaOf(before?.range ?? range);
  const names = before?.names ?? {};
  const nameOf = (name: string): string | null => names[name] ?? null;
  const found: FormulaFinding[] = [];
  const values = write?.values ?? [];
  for (let r = 0; r < values.length; r += 1) {
    const row = values[r]!;
    for (let c = 0; c < row.length; c += 1) {
      const value = row[c]!;
      if (typeof value !== 'object' || value === null || !('formula' in value)) continue;
      const { verdict, reason } = judgeFormula(value.formula, nameOf);
      if (reason === null) continue;
      const cell = area === null ? `row ${r + 1}, column ${c + 1}` : cellName(area.row + r, area.column + c);
      found.push({ cell, verdict, reason });
    }
  }
  return found;
}

/** Adds what is found, and returns the least level of the write. */
export function lookAtCells(aim: CellsAim, before: CellsBefore | null, found: Findings): RiskLevel {
  const { write } = aim;
  if (write === null) return 'low';
  const count = cellsWritten(write.values);
  if (before !== null && before.filled > 0)
    found.add('destructive', `it overwrites ${String(before.filled)} cells that are not empty`);
  if (count > MANY_CELLS) found.add('destructive', `it writes ${String(count)} cells`);
  const outside = outsideFormulas(aim, before).find(({ verdict }) => verdict === 'external_submit');
  if (outside !== undefined)
    found.add('external_submit', `the formula in ${outside.cell} reaches outside the workbook: ${outside.reason}`);
  return found.has('destructive') || formulasOf(write.values).length > 0 ? 'high' : 'low';
}

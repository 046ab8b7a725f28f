/** The risk of writing cells: what they replace, how many they are, and formulas. */
import { cellName } from '../../../contract/cells/cell-address.ts';
import { areaOf } from '../../../contract/cells/cell-text.ts';
import { judgeFormula, type FormulaVerdict } from '../../../contract/cells/formula.ts';
import type { RiskLevel } from '../../../contract/gate/permissions.ts';
import { cellsToWrite } from '../../../contract/cells/cell-values.ts';
import { MANY_CELLS } from '../../../contract/cells/cells.ts';
import type { CellsAim, CellsBefore } from '../../../contract/cells/sheet.ts';
import type { Findings } from './surroundings.ts';

/** A formula that reaches outside the workbook. */
export interface FormulaFinding {
  /** Its cell, or its place among the values where the range is not known. */
  readonly cell: string;
  readonly verdict: FormulaVerdict;
  readonly reason: string;
}

/** How many names the formulas use. */
export const namesIn = ({ write }: CellsAim): number =>
  write === null
    ? 0
    : new Set(cellsToWrite(write.values).formulas.flatMap(({ formula }) => judgeFormula(formula).names)).size;

/** The formulas that reach outside, in reading order; names are resolved by what the workbook said. */
export function outsideFormulas({ range, write }: CellsAim, before: CellsBefore | null): FormulaFinding[] {
  const area = areaOf(before?.range ?? range);
  const names = before?.names ?? {};
  const nameOf = (name: string): string | null => names[name] ?? null;
  const found: FormulaFinding[] = [];
  for (const { row, column, formula } of write === null ? [] : cellsToWrite(write.values).formulas) {
    const { verdict, reason } = judgeFormula(formula, nameOf);
    if (reason === null) continue;
    const cell =
      area === null ? `row ${row + 1}, column ${column + 1}` : cellName(area.row + row, area.column + column);
    found.push({ cell, verdict, reason });
  }
  return found;
}

/** Adds what is found, and returns the least level of the write. */
export function lookAtCells(aim: CellsAim, before: CellsBefore | null, found: Findings): RiskLevel {
  const { write } = aim;
  if (write === null) return 'low';
  const { written: count, formulas } = cellsToWrite(write.values);
  if (before !== null && before.filled > 0)
    found.add('destructive', `it overwrites ${String(before.filled)} cells that are not empty`);
  if (count > MANY_CELLS) found.add('destructive', `it writes ${String(count)} cells`);
  const outside = outsideFormulas(aim, before).find(({ verdict }) => verdict === 'external_submit');
  if (outside !== undefined)
    found.add('external_submit', `the formula in ${outside.cell} reaches outside the workbook: ${outside.reason}`);
  return found.has('destructive') || formulas.length > 0 ? 'high' : 'low';
}

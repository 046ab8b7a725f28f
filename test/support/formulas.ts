/** Formulas that reach outside the workbook, in many disguises. */
import type { FormulaVerdict } from '../../src/contract/cells/formula.ts';
import cases from '../fixtures/cells.json' with { type: 'json' };

/** Each reaches outside; the first of a pair is the disguise. */
export const DISGUISES = cases.disguises as unknown as ReadonlyArray<
  readonly [formula: string, verdict: FormulaVerdict]
>;

/** Grids and tables. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementinggrid and .../uiauto-implementingtable */
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { PatternId } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationGridPattern } from '../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';
import { realize } from './scroll-item.ts';
import { isReadOnly, readValue } from './value.ts';

/** Null: no grid. */
export function gridSize(element: IUIAutomationElement): { readonly rows: number; readonly columns: number } | null {
  using pattern = patternOf(element, PatternId.GridPattern, IUIAutomationGridPattern);
  return pattern === null ? null : { rows: pattern.get_CurrentRowCount(), columns: pattern.get_CurrentColumnCount() };
}

/** The text of a cell, which is made real first where it is virtual; null where there is none. */
export async function cellText(element: IUIAutomationElement, row: number, column: number): Promise<string | null> {
  using pattern = patternOf(element, PatternId.GridPattern, IUIAutomationGridPattern);
  if (pattern === null) return null;
  using cell = pattern.GetItem(row, column);
  if (cell === null) return null;
  await realize(cell);
  if (cell.get_CurrentIsPassword()) return '';
  const value = isReadOnly(cell) === null ? null : readValue(cell);
  return value === null || value === '' ? cell.get_CurrentName() ?? '' : value;
}

/**
 * Grid and Table patterns. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementinggrid and
 * .../uiauto-implementingtable
 */
import type {
  IUIAutomationCacheRequest,
  IUIAutomationElement,
} from '../../../../../native-bindings/uia/automation.generated.ts';
import { PatternId, PropertyId } from '../../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationGridPattern } from '../../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';
import { realize } from './scroll-item.ts';
import type { Automation } from '../uia-client.ts';
import { plain } from './plain.ts';

/** Null: not a grid. */
export function gridSize(element: IUIAutomationElement): { readonly rows: number; readonly columns: number } | null {
  using pattern = patternOf(element, PatternId.GridPattern, IUIAutomationGridPattern);
  return pattern === null ? null : { rows: pattern.get_CurrentRowCount(), columns: pattern.get_CurrentColumnCount() };
}

/** Properties of a cell fetched in one call; its value is separate, since that of a password field is never read. */
const CELL = [
  PropertyId.IsPassword,
  PropertyId.Name,
  PropertyId.IsValuePatternAvailable,
  PropertyId.IsVirtualizedItemPatternAvailable,
] as const;

/** What a cell shows, and its formula where the grid is a spreadsheet that gives them. */
export interface CellTexts {
  readonly text: string;
  readonly formula: string | null;
}

/** Reads the cells of one grid; disposable. */
export class GridCells implements Disposable {
  readonly #pattern: IUIAutomationGridPattern;
  readonly #facts: IUIAutomationCacheRequest;
  readonly #value: IUIAutomationCacheRequest;
  /** Null: the grid is not a spreadsheet. */
  readonly #formula: IUIAutomationCacheRequest | null;

  private constructor(pattern: IUIAutomationGridPattern, automation: Automation, isSpreadsheet: boolean) {
    this.#pattern = pattern;
    this.#facts = automation.request(CELL, false);
    this.#value = automation.request([PropertyId.ValueValue], false);
    this.#formula = isSpreadsheet ? automation.request([PropertyId.SpreadsheetItemFormula], false) : null;
  }

  /** Null: not a grid. */
  static open(element: IUIAutomationElement, automation: Automation): GridCells | null {
    const pattern = patternOf(element, PatternId.GridPattern, IUIAutomationGridPattern);
    if (pattern === null) return null;
    const isSpreadsheet = plain(element.GetCurrentPropertyValueEx(PropertyId.IsSpreadsheetPatternAvailable, true));
    return new GridCells(pattern, automation, isSpreadsheet === true);
  }

  /** Whether cells give their formulas. */
  get hasFormulas(): boolean {
    return this.#formula !== null;
  }

  /** The text of a cell, realised first if it is virtual; null if there is no cell. Errors: ComError. */
  async text(row: number, column: number): Promise<string | null> {
    return (await this.read(row, column))?.text ?? null;
  }

  /** The same with its formula. */
  async read(row: number, column: number): Promise<CellTexts | null> {
    using cell = this.#pattern.GetItem(row, column);
    if (cell === null) return null;
    using first = cell.BuildUpdatedCache(this.#facts);
    if (first === null) return null;
    if (!isTrue(first, PropertyId.IsVirtualizedItemPatternAvailable)) return this.#read(cell, first);
    await realize(cell);
    using real = cell.BuildUpdatedCache(this.#facts);
    return real === null ? null : this.#read(cell, real);
  }

  /** The cell, realised first if it is virtual; null if there is none. The caller disposes of it. Errors: ComError. */
  async item(row: number, column: number): Promise<IUIAutomationElement | null> {
    const cell = this.#pattern.GetItem(row, column);
    if (cell === null) return null;
    try {
      await realize(cell);
      return cell;
    } catch (error) {
      cell[Symbol.dispose]();
      throw error;
    }
  }

  isPassword(cell: IUIAutomationElement): boolean {
    using facts = cell.BuildUpdatedCache(this.#facts);
    return facts !== null && isTrue(facts, PropertyId.IsPassword);
  }

  #read(cell: IUIAutomationElement, facts: IUIAutomationElement): CellTexts {
    if (isTrue(facts, PropertyId.IsPassword)) return { text: '', formula: null };
    using valued = isTrue(facts, PropertyId.IsValuePatternAvailable) ? cell.BuildUpdatedCache(this.#value) : null;
    const value = valued === null ? '' : textOf(valued, PropertyId.ValueValue);
    const text = value === '' ? textOf(facts, PropertyId.Name) : value;
    using calculated = this.#formula === null ? null : cell.BuildUpdatedCache(this.#formula);
    const formula = calculated === null ? '' : textOf(calculated, PropertyId.SpreadsheetItemFormula);
    // A cell with a constant may give that instead.
    return { text, formula: /^=[^]/.test(formula) && formula !== text ? formula : null };
  }

  [Symbol.dispose](): void {
    this.#formula?.[Symbol.dispose]();
    this.#value[Symbol.dispose]();
    this.#facts[Symbol.dispose]();
    this.#pattern[Symbol.dispose]();
  }
}

const isTrue = (element: IUIAutomationElement, property: number): boolean =>
  plain(element.GetCachedPropertyValueEx(property, true)) === true;

function textOf(element: IUIAutomationElement, property: number): string {
  const value = plain(element.GetCachedPropertyValueEx(property, true));
  return typeof value === 'string' ? value : '';
}

/**
 * The patterns of grids, tables and lists that virtualise their items. Source:
 * learn.microsoft.com/windows/win32/winauto/uiauto-implementinggrid and .../uiauto-implementingtable
 */
import type {
  IUIAutomationCacheRequest,
  IUIAutomationElement,
} from '../../../../native-bindings/uia/automation.generated.ts';
import { PatternId, PropertyId } from '../../../../native-bindings/uia/identifiers.generated.ts';
import {
  IUIAutomationGridPattern,
  IUIAutomationTablePattern,
  IUIAutomationItemContainerPattern,
} from '../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf, realize } from '../../exits/patterns.ts';
import type { Automation } from './uia-client.ts';
import { cachedOf } from './automation-node.ts';

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

/** Reads the cells of one grid; disposable. */
export class GridCells implements Disposable {
  readonly #pattern: IUIAutomationGridPattern;
  readonly #facts: IUIAutomationCacheRequest;
  readonly #value: IUIAutomationCacheRequest;

  private constructor(pattern: IUIAutomationGridPattern, automation: Automation) {
    this.#pattern = pattern;
    this.#facts = automation.request(CELL, false);
    this.#value = automation.request([PropertyId.ValueValue], false);
  }

  /** Null: not a grid. */
  static open(element: IUIAutomationElement, automation: Automation): GridCells | null {
    const pattern = patternOf(element, PatternId.GridPattern, IUIAutomationGridPattern);
    return pattern === null ? null : new GridCells(pattern, automation);
  }

  /** The text of a cell, realised first if it is virtual; null if there is no cell. Errors: ComError. */
  async text(row: number, column: number): Promise<string | null> {
    using cell = this.#pattern.GetItem(row, column);
    if (cell === null) return null;
    using first = cell.BuildUpdatedCache(this.#facts);
    if (first === null) return null;
    if (!isTrue(first, PropertyId.IsVirtualizedItemPatternAvailable)) return this.#text(cell, first);
    await realize(cell);
    using real = cell.BuildUpdatedCache(this.#facts);
    return real === null ? null : this.#text(cell, real);
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

  #text(cell: IUIAutomationElement, facts: IUIAutomationElement): string {
    if (isTrue(facts, PropertyId.IsPassword)) return '';
    using valued = isTrue(facts, PropertyId.IsValuePatternAvailable) ? cell.BuildUpdatedCache(this.#value) : null;
    const value = valued === null ? '' : textOf(valued, PropertyId.ValueValue);
    return value === '' ? textOf(facts, PropertyId.Name) : value;
  }

  [Symbol.dispose](): void {
    this.#value[Symbol.dispose]();
    this.#facts[Symbol.dispose]();
    this.#pattern[Symbol.dispose]();
  }
}

const isTrue = (element: IUIAutomationElement, property: number): boolean => cachedOf(element)(property) === true;

function textOf(element: IUIAutomationElement, property: number): string {
  const value = cachedOf(element)(property);
  return typeof value === 'string' ? value : '';
}

// Table pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingtable

/** Column titles; empty where there are none. */
export function columnHeaders(element: IUIAutomationElement): string[] {
  using pattern = patternOf(element, PatternId.TablePattern, IUIAutomationTablePattern);
  using headers = pattern === null ? null : pattern.GetCurrentColumnHeaders();
  const count = headers === null ? 0 : headers.get_Length();
  return Array.from({ length: count }, (_, index) => {
    using header = headers!.GetElement(index);
    return header === null ? '' : (header.get_CurrentName() ?? '');
  });
}

// ItemContainer pattern: lists that virtualise their items. Source:
// learn.microsoft.com/windows/win32/winauto/uiauto-implementingitemcontainer

/** Matches any item. */
const ANY = 0;

/**
 * The first item with exactly this name, realised or not, which the caller disposes of; null if there is none. Errors:
 * ComError.
 */
export function itemNamed(container: IUIAutomationElement, name: string): IUIAutomationElement | null {
  return itemsNamed(container, name, 1)[0] ?? null;
}

/** The first `most` items with exactly this name, realised or not, which the caller disposes of. Errors: ComError. */
export function itemsNamed(container: IUIAutomationElement, name: string, most: number): IUIAutomationElement[] {
  using pattern = patternOf(container, PatternId.ItemContainerPattern, IUIAutomationItemContainerPattern);
  const found: IUIAutomationElement[] = [];
  if (pattern === null) return found;
  while (found.length < most) {
    const next = pattern.FindItemByProperty(found.at(-1) ?? null, PropertyId.Name, name);
    if (next === null) break;
    found.push(next);
  }
  return found;
}

/** Every item in order, realised or not; each is disposed of when the next is requested. Errors: ComError. */
export function* itemsInside(container: IUIAutomationElement): Generator<IUIAutomationElement, void> {
  using pattern = patternOf(container, PatternId.ItemContainerPattern, IUIAutomationItemContainerPattern);
  let item = pattern?.FindItemByProperty(null, ANY, undefined) ?? null;
  while (item !== null) {
    using current: IUIAutomationElement = item;
    item = null;
    yield current;
    item = pattern!.FindItemByProperty(current, ANY, undefined);
  }
}

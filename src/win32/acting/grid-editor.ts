/** The text cells of a grid that UI Automation shows: found by row and column, read, edited in place. */
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import { HRESULT } from '../../../native-bindings/com/hresult.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { didYouMean, nearest } from '../../contract/json/near.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { elementOf, type ElementTarget } from '../elements/finding/element-target.ts';
import { GridCells, columnHeaders, gridSize } from '../elements/sources/grid-patterns.ts';
import { setValue } from '../exits/patterns.ts';
import { attemptAfter, attemptOf, isReadOnly } from '../elements/sources/patterns.ts';
import { delivered, failed, unfinished, type Tried } from '../elements/sources/ways.ts';

/** A cell that was found: what it holds, and the way to change it. */
export interface EditableCell {
  read(): Promise<string | null> | string | null;
  /** Tries to write; a refusal says why. */
  write(text: string): Promise<Tried>;
}

/** Rows and columns are numbered from 0. Disposable. */
export class GridEditor implements Disposable {
  readonly target: ElementTarget;
  readonly rows: number;
  readonly columns: number;
  readonly #element: IUIAutomationElement;
  readonly #cells: GridCells;

  private constructor(target: ElementTarget, element: IUIAutomationElement, cells: GridCells) {
    const size = gridSize(element);
    this.target = target;
    this.rows = size?.rows ?? 0;
    this.columns = size?.columns ?? 0;
    this.#element = element;
    this.#cells = cells;
  }

  /** Null: not a grid. */
  static open(target: ElementTarget): GridEditor | null {
    const { automation } = target.tools.read;
    if (automation === null || !target.node.capabilities.has('grid')) return null;
    const element = elementOf(target);
    const cells = element === null ? null : GridCells.open(element, automation);
    if (element !== null && cells !== null) return new GridEditor(target, element, cells);
    element?.[Symbol.dispose]();
    return null;
  }

  /** Titles of the columns; empty where they have none. */
  titles(): string[] {
    return columnHeaders(this.#element);
  }

  /** What a cell shows, realised first if it is virtual; a password's cell shows nothing. Null: there is no cell. */
  text(row: number, column: number): Promise<string | null> {
    return this.#cells.text(row, column);
  }

  /** Null: its cells have no Value pattern. Errors: target_not_found, target_readonly, unsupported where it hides what it holds. */
  async cell(row: number, column: number): Promise<EditableCell | null> {
    const { description } = this.target;
    using cell = await this.#cells.item(row, column);
    if (cell === null)
      throw new UiaHostError(
        'target_not_found',
        `${description} has no cell in row ${row}, column ${column}. Nothing was changed.`,
      );
    if (this.#cells.isPassword(cell))
      throw new UiaHostError(
        'unsupported',
        `The cell in row ${row}, column ${column} of ${description} hides what it holds. Nothing was changed.`,
        { hint: 'Use type-into-element on the cell, with its ref.' },
      );
    const readOnly = isReadOnly(cell);
    if (readOnly === null) return null;
    if (readOnly)
      throw new UiaHostError(
        'target_readonly',
        `The cell in row ${row}, column ${column} of ${description} is read-only. Nothing was overwritten.`,
      );
    return {
      read: () => this.text(row, column),
      write: async (text) => {
        // The item is fetched again: a grid may replace its cells whenever one changes.
        using live = await this.#cells.item(row, column);
        return live === null ? failed('uia-value', 'the cell is gone') : this.#set(live, text);
      },
    };
  }

  async #set(cell: IUIAutomationElement, text: string): Promise<Tried> {
    const { tools, root, description, deadline, call } = this.target;
    try {
      const started = setValue(cell, text);
      if (started === null) return failed('uia-value', 'the cell is gone');
      const work = `SetValue of a cell of ${description}`;
      const ended = await tools.pending.run({ root, description: work }, started, () => false, deadline, call);
      if (ended.kind === 'failed') return attemptAfter('uia-value', 'SetValue', ended.error, description);
      if (ended.kind === 'pending') return unfinished('uia-value', 'SetValue', ' yet');
      return ended.hresult === HRESULT.S_FALSE
        ? failed('uia-value', 'SetValue did nothing (S_FALSE)')
        : delivered('uia-value', 'SetValue');
    } catch (error) {
      return attemptOf('uia-value', error, description);
    }
  }

  [Symbol.dispose](): void {
    this.#cells[Symbol.dispose]();
    this.#element[Symbol.dispose]();
  }
}

/** Errors: target_not_found with near names, target_ambiguous. */
export function columnIndex(column: number | string, titles: readonly string[], count: number, of: string): number {
  if (typeof column === 'number') {
    if (column < count) return column;
    throw new UiaHostError(
      'target_not_found',
      `${of} has ${count} columns; column ${column} does not exist. Nothing was changed.`,
    );
  }
  const same = [
    (title: string) => title === column,
    (title: string) => title.trim().toLowerCase() === column.trim().toLowerCase(),
  ].map((fits) => titles.flatMap((title, index) => (fits(title) ? [index] : [])));
  const found = same.find((indices) => indices.length > 0) ?? [];
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new UiaHostError(
      'target_ambiguous',
      `${of} has ${found.length} columns named ${quoted(column)}: ${found.join(', ')}. Nothing was changed.`,
      { hint: 'Give the number of the column.' },
    );
  const suggestions = nearest(
    column,
    titles.filter((title) => title !== ''),
  );
  const near = suggestions.length === 0 ? '.' : `; ${didYouMean(suggestions.map((title) => quoted(title)))}`;
  throw new UiaHostError(
    'target_not_found',
    `${of} has no column named ${quoted(column)}${near} Nothing was changed.`,
    {
      suggestions,
      hint: 'See the columns with read-table, or give the number of the column, from 0.',
    },
  );
}

/** Errors: target_not_found. */
export function requireRow(row: number, count: number, of: string): void {
  if (row < count) return;
  throw new UiaHostError(
    'target_not_found',
    `${of} has ${count} rows; row ${row} does not exist. Nothing was changed.`,
    {
      hint: 'Rows are numbered from 0, as in read-table.',
    },
  );
}

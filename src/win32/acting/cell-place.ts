/** Where a cell is in its table: rows by number, columns by number or name. No Windows calls. */
import { UiaHostError } from '../../contract/errors.ts';
import { didYouMean, nearest } from '../../contract/json/near.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { Step } from '../elements/sources/rungs.ts';

/** A cell that was found: what it holds, and the way to change it. */
export interface EditableCell {
  read(): Promise<string | null> | string | null;
  /** Tries to write; a refusal says why. */
  write(text: string): Promise<Step>;
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

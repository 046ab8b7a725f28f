/** Parts that several views have: a table, words to search for, and a row of buttons of which one is chosen. */
import type { Signal } from '@preact/signals';
import type { ComponentChild } from 'preact';

/** The first cell of each row names it; `id` tells rows apart. */
export interface TableRow {
  readonly id: string | number;
  readonly cells: readonly ComponentChild[];
}

export function Table({
  label,
  columns,
  rows,
  isTall = false,
}: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  readonly isTall?: boolean;
}) {
  return (
    <div class={`scrolls ${isTall ? 'is-tall' : ''}`} tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells: [name, ...cells] }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => (
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function SearchRow(given: { readonly id: string; readonly label: string; readonly words: Signal<string> }) {
  const { id, label, words } = given;
  return (
    <div class="row">
      <label for={id}>{label}</label>
      <input id={id} type="search" value={words.value} onInput={(event) => (words.value = event.currentTarget.value)} />
    </div>
  );
}

export function ButtonRow<T extends string>({
  label,
  of,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly of: readonly T[];
  readonly chosen: T | undefined;
  readonly onChoose: (each: T) => void;
}) {
  return (
    <div class="row" role="group" aria-label={label}>
      {of.map((each) => (
        <button key={each} type="button" aria-pressed={chosen === each} onClick={() => onChoose(each)}>
          {each}
        </button>
      ))}
    </div>
  );
}

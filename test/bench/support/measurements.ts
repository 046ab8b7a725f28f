/** What benches share: quantiles, the table of their figures, and its place in docs/measurements.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The value that this share of the values stays below. */
export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

/** `[≤ 150 ms, ok]`: the mark of a figure and whether it misses it; empty without a mark. */
export const markCells = (figure: number, mark: number | undefined, unit = 'ms'): [string, string] =>
  mark === undefined ? ['', ''] : [`≤ ${mark} ${unit}`, figure > mark ? 'misses' : 'ok'];

/** A Markdown table with aligned columns; all but the first are right-aligned. */
export function tableOf(head: readonly string[], lines: ReadonlyArray<readonly string[]>): string {
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  return [
    line(head),
    `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`,
    ...lines.map(line),
  ].join('\n');
}

/** Prints a bench's figures: the table, or with `--json` the rows. `--write` also puts the table into docs/measurements.md. */
export function report(bench: string, rows: readonly object[], table: string, rounds: number): void {
  process.stdout.write(`${process.argv.includes('--json') ? JSON.stringify(rows, null, 2) : table}\n`);
  if (process.argv.includes('--write')) writeMeasurements(bench, table, rounds);
}

/** Puts a bench's table into docs/measurements.md, between its marks there, with the day and the machine. */
function writeMeasurements(bench: string, table: string, rounds: number): void {
  const file = fileURLToPath(new URL('../../../docs/measurements.md', import.meta.url));
  const [start, end] = [`<!-- ${bench}: start -->`, `<!-- ${bench}: end -->`];
  const text = readFileSync(file, 'utf8');
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${file} has no place for these figures (${start} … ${end})`);
  const machine = `${new Date().toISOString().slice(0, 10)}, ${process.platform === 'win32' ? 'Windows' : 'Linux'} ${release()}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${rounds} rounds.`;
  writeFileSync(file, `${text.slice(0, from)}${start}\n${machine}\n\n${table}\n${text.slice(to)}`);
}

/** Writes a measurement’s table into docs/measurements.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Puts a bench's table into docs/measurements.md, between its marks there, with the day and the machine. */
export function writeMeasurements(bench: string, table: string, rounds: number): void {
  const file = fileURLToPath(new URL('../../../docs/measurements.md', import.meta.url));
  const [start, end] = [`<!-- ${bench}: start -->`, `<!-- ${bench}: end -->`];
  const text = readFileSync(file, 'utf8');
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${file} has no place for these figures (${start} … ${end})`);
  const machine = `${new Date().toISOString().slice(0, 10)}, ${process.platform === 'win32' ? 'Windows' : 'Linux'} ${release()}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${rounds} rounds.`;
  writeFileSync(file, `${text.slice(0, from)}${start}\n${machine}\n\n${table}\n${text.slice(to)}`);
}

/**
 * What a generator does with its files: writes each that differs, or with `--check`, as in `npm run check`, names it
 * and fails.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.mjs';

/** @param files each by its path from the root; null for a file that is not made any more */
export function keepFiles(files: Iterable<readonly [name: string, text: string | null]>): void {
  for (const [name, text] of files) {
    const file = path.join(root, name);
    if ((existsSync(file) ? readFileSync(file, 'utf8') : null) === text) continue;
    if (process.argv.includes('--check')) {
      process.stderr.write(`${name} is stale. Try: node scripts/generate.mjs\n`);
      process.exitCode = 1;
    } else if (text === null) {
      rmSync(file);
      process.stdout.write(`removed ${name}\n`);
    } else {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      process.stdout.write(`wrote ${name}\n`);
    }
  }
}

/**
 * For a page that comes from a run's results: `--check` compares the names that it lists with the wanted ones, `--from
 * FOLDER` writes it from the results there; without either it stays.
 */
export function keepReport(
  name: string,
  command: string,
  {
    listed,
    wanted,
    text,
  }: { listed: (page: string) => readonly string[]; wanted: readonly string[]; text: (folder: string) => string },
): void {
  const file = path.join(root, name);
  const folder = process.argv[process.argv.indexOf('--from') + 1];
  if (process.argv.includes('--from') && folder !== undefined) keepFiles([[name, text(folder)]]);
  else if (!process.argv.includes('--check')) process.stdout.write(`${name} comes from a run: ${command}\n`);
  else {
    const found = listed(readFileSync(file, 'utf8'));
    const problems = [
      ...wanted.filter((each) => !found.includes(each)).map((each) => `missing: ${each}`),
      ...found.filter((each) => !wanted.includes(each)).map((each) => `no longer there: ${each}`),
      ...found.filter((each, index) => found.indexOf(each) !== index).map((each) => `twice: ${each}`),
    ];
    if (problems.length === 0) return;
    process.stderr.write(`${problems.slice(0, 20).join('\n')}\n${name} is stale. Try: ${command}\n`);
    process.exitCode = 1;
  }
}

/**
 * docs/delivery-matrix.md. `--from FOLDER`: writes it from the results that a run of the catalogue left in that folder
 * (`npm run delivery-matrix` does both);
 * without random actions there, those of the document stay. `--check`, part of `npm run check`: fails if the committed document does not
 * list exactly the catalogue's rows.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rowName } from '../test/catalogue/coverage.ts';
import type { RandomFigures } from '../test/catalogue/random.ts';
import { markdown, rowsIn, type RowReport } from '../test/catalogue/report.ts';
import { TARGETS } from '../test/catalogue/row.ts';
import { CATALOGUE } from '../test/catalogue/rows.ts';
import { IS } from '../test/catalogue/target-names.ts';

const file = fileURLToPath(new URL('../docs/delivery-matrix.md', import.meta.url));

function check(): string[] {
  const listed = rowsIn(readFileSync(file, 'utf8'));
  const wanted = TARGETS.flatMap((target) => CATALOGUE[target].map((row) => rowName(target, row)));
  return [
    ...wanted.filter((name) => !listed.includes(name)).map((name) => `not in the document: ${name}`),
    ...listed.filter((name) => !wanted.includes(name)).map((name) => `not in the catalogue: ${name}`),
    ...listed.filter((name, index) => listed.indexOf(name) !== index).map((name) => `twice in the document: ${name}`),
  ];
}

const EARLIER = 'They are of an earlier run than the rows below.';

/** The random actions as the committed document has them, for a run of the catalogue alone. */
function earlierRandom(): string {
  const [, section = ''] = /\n## Random actions\n([\s\S]*?)\n\n## /.exec(readFileSync(file, 'utf8')) ?? [];
  return section.includes(EARLIER) ? section : section.replace('\n', ` ${EARLIER}\n`);
}

function write(folder: string): void {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const random = existsSync(join(folder, 'random.json')) ? (read('random.json') as RandomFigures) : earlierRandom();
  writeFileSync(
    file,
    markdown(read('catalogue.json') as RowReport[], random, (target) => IS[target]),
  );
  process.stdout.write('docs/delivery-matrix.md is written\n');
}

const [command, folder] = process.argv.slice(2);
if (command === '--check') {
  const problems = check();
  for (const problem of problems.slice(0, 20)) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) {
    process.stderr.write('docs/delivery-matrix.md does not match the catalogue. Try: npm run delivery-matrix\n');
    process.exitCode = 1;
  }
} else if (command === '--from' && folder !== undefined) write(folder);
else {
  process.stderr.write('usage: generate-delivery-matrix.ts --check | --from FOLDER\n');
  process.exitCode = 2;
}

/**
 * docs/delivery-matrix.md: every row of the catalogue, from a run of it (`npm run delivery-matrix`). Without random actions
 * in the run's results, those of the document stay.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowName } from '../test/catalogue/coverage.ts';
import type { RandomFigures } from '../test/catalogue/random.ts';
import { markdown, rowsIn, type RowReport } from '../test/catalogue/report.ts';
import { TARGETS } from '../test/catalogue/row.ts';
import { CATALOGUE } from '../test/catalogue/rows.ts';
import { IS } from '../test/catalogue/target-names.ts';
import { keepReport } from './lib/generated.ts';

const page = 'docs/delivery-matrix.md';

const EARLIER = 'They are of an earlier run than the rows below.';

/** The random actions as the committed document has them, for a run of the catalogue alone. */
function earlierRandom(): string {
  const [, section = ''] =
    /\n## Random actions\n([\s\S]*?)\n\n## /.exec(readFileSync(new URL(`../${page}`, import.meta.url), 'utf8')) ?? [];
  return section.includes(EARLIER) ? section : section.replace('\n', ` ${EARLIER}\n`);
}

keepReport(page, 'node scripts/delivery-matrix.mjs', {
  listed: rowsIn,
  wanted: TARGETS.flatMap((target) => CATALOGUE[target].map((row) => rowName(target, row))),
  text: (folder) => {
    const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const random = existsSync(join(folder, 'random.json')) ? (read('random.json') as RandomFigures) : earlierRandom();
    return markdown(read('catalogue.json') as RowReport[], random, (target) => IS[target]);
  },
});

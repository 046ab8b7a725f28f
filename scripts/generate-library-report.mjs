// docs/library.api.md, the report of the library's public API. Without arguments: writes it. `--check`,
// part of `npm run check`: fails if the committed one differs, so that reviewers see changes of the public types.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeDeclarations } from './lib/declarations.mjs';
import { root } from './lib/places.mjs';

const committed = path.join(root, 'docs/library.api.md');
const folder = mkdtempSync(path.join(root, 'node_modules/.library-report-'));
try {
  const report = path.join(folder, 'library.api.md');
  writeDeclarations(folder, { report });
  const wanted = readFileSync(report, 'utf8');
  if (!process.argv.includes('--check')) writeFileSync(committed, wanted);
  else if (wanted !== readFileSync(committed, 'utf8')) {
    process.stderr.write(
      'docs/library.api.md does not match the exports of src/index.ts. Try: node scripts/generate-library-report.mjs\n',
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

// docs/library.api.md, the report of the library's public API. It is committed, so that
// reviewers see changes of the public types.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeDeclarations } from './lib/declarations.mjs';
import { keepFiles } from './lib/generated.ts';
import { root } from './lib/places.mjs';

const folder = mkdtempSync(path.join(root, 'node_modules/.library-report-'));
try {
  const report = path.join(folder, 'library.api.md');
  writeDeclarations(folder, { report });
  keepFiles([['docs/library.api.md', readFileSync(report, 'utf8')]]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * The templates for Group Policy in installer/policy/, from src/policy/file/registry-values.ts, the policy's schema and the
 * texts in scripts/lib/policy-texts.ts. Without arguments: writes them. `--check`, part of `npm run check`: fails when the
 * committed ones differ, or break a rule of the format.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { templateProblems } from './lib/admx-check.ts';
import { admx, adml } from './lib/policy-templates.ts';

const folder = fileURLToPath(new URL('../installer/policy', import.meta.url));
const files: ReadonlyArray<[name: string, text: string]> = [
  ['uiahost.admx', admx()],
  ['en-US/uiahost.adml', adml('en-US')],
  ['de-DE/uiahost.adml', adml('de-DE')],
];
const problems = templateProblems(
  files[0]![1],
  Object.fromEntries(files.slice(1).map(([name, text]) => [path.dirname(name), text])),
);

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
} else if (process.argv.includes('--check')) {
  for (const [name, text] of files) {
    const file = path.join(folder, name);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    process.stderr.write(
      `installer/policy/${name} differs from the policy. Try: node scripts/generate-policy-templates.ts\n`,
    );
    process.exitCode = 1;
  }
} else {
  for (const [name, text] of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  process.stdout.write(`installer/policy: ${files.length} files\n`);
}

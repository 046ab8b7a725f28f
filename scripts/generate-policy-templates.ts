/**
 * The templates for Group Policy in installer/policy/, from src/policy/file/registry-values.ts, the policy's schema and the
 * texts in scripts/lib/policy-texts.ts. Fails where they break a rule of the format.
 */
import path from 'node:path';
import { templateProblems } from './lib/admx-check.ts';
import { keepFiles } from './lib/generated.ts';
import { admx, adml } from './lib/policy-templates.ts';

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
} else keepFiles(files.map(([name, text]) => [`installer/policy/${name}`, text]));

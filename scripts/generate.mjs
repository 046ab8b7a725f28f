// `npm run generate`: makes everything generated. What comes from outside the checkout stays, unless its place is given:
// `-- --headers DIR` (include folder of mingw-w64, 12 or later), `-- --metadata DIR` (of cargo vendor, with
// windows-sys and windows).
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePackages, toolNode } from './lib/dependencies.mjs';
import { root } from './lib/places.mjs';
import { fail, say, SetupError } from './lib/progress.mjs';

try {
  const { values } = parseArgs({ options: { headers: { type: 'string' }, metadata: { type: 'string' } } });
  await ensurePackages();
  if (values.metadata !== undefined) run('read-metadata.ts', values.metadata);
  else say('native-bindings/metadata.tsv stays: --metadata DIR reads it again');
  if (values.headers === undefined) say('native-bindings/*/headers.tsv stay: --headers DIR reads them again');
  for (const file of readdirSync(path.join(root, 'scripts'))
    .filter((name) => name.startsWith('generate-'))
    .sort())
    run(
      file,
      ...(file === 'generate-bindings.ts' && values.headers !== undefined ? ['--headers', values.headers] : []),
    );
} catch (error) {
  fail(error);
}

/**
 * @param {string} file
 * @param {string[]} args
 */
function run(file, ...args) {
  const { status } = spawnSync(toolNode(), [path.join(root, 'scripts', file), ...args], { stdio: 'inherit' });
  if (status !== 0) throw new SetupError(`${file} failed.`);
}

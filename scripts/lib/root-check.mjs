// What may lie in the root of the repository: what a tool or a build leaves there is committed unnoticed otherwise.
import { execFileSync } from 'node:child_process';
import { root } from './places.mjs';

const ALLOWED = new Set(
  [
    '.ci .devcontainer .github bin clients docs examples installer native-bindings schemas scripts src test',
    '.dependency-cruiser.cjs .editorconfig .git-blame-ignore-revs .gitattributes .gitignore .npmrc',
    '.oxfmtrc.json .oxlintrc.json knip.jsonc tsconfig.json tsconfig.node20.json tsconfig.scripts.json',
    'vitest.config.ts vitest.native.config.ts package.json package-lock.json',
    'CHANGELOG.md CODE_OF_CONDUCT.md CONTRIBUTING.md LICENSE README.md SECURITY.md',
  ].flatMap((names) => names.split(' ')),
);

/**
 * The faults, one per line; undefined if there are none, or outside a checkout.
 * @returns {string | undefined}
 */
export function rootProblems() {
  let listed;
  try {
    listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
  const names = new Set(listed.split('\0').map((file) => file.split('/', 1)[0]));
  const problems = [...names]
    .filter((name) => name !== '' && !ALLOWED.has(name))
    .map(
      (name) => `${name} does not belong in the root. Remove it, ignore it, or name it in scripts/lib/root-check.mjs`,
    );
  return problems.length === 0 ? undefined : problems.join('\n');
}

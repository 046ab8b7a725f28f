/**
 * Compares the promises of the docs (`[type.left]` behind a sentence of docs/behaviour.md or another page) with the titles of
 * the tests, which cite them in the same way. Part of `npm run check`. Fails for a promise that no test of `npm test` or
 * `npm run test:all` cites, for a citation that no page has, and for an id that is there twice. `--list` prints which command
 * shows each promise.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { idsIn, promisesIn } from './lib/promises.mjs';
import { commandOf, testFiles } from './lib/suites.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const TEST_FUNCTIONS = new Set(['describe', 'it', 'test']);

/** The name at the start of `it`, `it.each(rows)`, `describe.each(rows)`. */
function functionName(callee: ts.Expression): string | undefined {
  if (ts.isIdentifier(callee)) return callee.text;
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) return functionName(callee.expression);
  return ts.isTaggedTemplateExpression(callee) ? functionName(callee.tag) : undefined;
}

/** The ids that the titles of a file's tests and groups cite. */
function citationsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, false, ts.ScriptKind.TS);
  const cited: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && TEST_FUNCTIONS.has(functionName(node.expression) ?? '')) {
      const [title] = node.arguments;
      if (title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
        cited.push(...idsIn(source.text.slice(title.pos, title.end)));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return cited;
}

const promises = promisesIn();
const known = new Set(promises.map(({ id }) => id));
const shownBy = new Map<string, Set<string>>();
const problems: string[] = promises
  .filter(({ id }, at) => promises.findIndex((other) => other.id === id) !== at)
  .map(({ id, page }) => `docs/${page} has the promise ${id} a second time`);

for (const file of testFiles())
  for (const id of citationsIn(join(root, file)))
    if (known.has(id)) shownBy.set(id, (shownBy.get(id) ?? new Set()).add(commandOf(file)));
    else
      problems.push(`${file} cites ${id}, which no page of docs promises: take the id out of the title, or promise it`);

/** The shortest command that shows a promise: all tests of `npm test` are part of `npm run test:all` too. */
const commandFor = (id: string): string | undefined =>
  ['node scripts/test.mjs', 'node scripts/test.mjs --all'].find((command) => shownBy.get(id)?.has(command));
problems.push(
  ...promises
    .filter(({ id }) => commandFor(id) === undefined)
    .map(
      ({ id, page }) =>
        `docs/${page} promises ${id}, which no test of node scripts/test.mjs or node scripts/test.mjs --all cites`,
    ),
);

if (process.argv.includes('--list'))
  for (const { id, page } of promises) process.stdout.write(`${id} (${page}): ${commandFor(id) ?? 'no test'}\n`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
const count = (command: string): number => promises.filter(({ id }) => commandFor(id) === command).length;
process.stdout.write(
  `${promises.length} promises: ${count('node scripts/test.mjs')} shown by node scripts/test.mjs, ${count('node scripts/test.mjs --all')} more by node scripts/test.mjs --all\n`,
);
if (problems.length > 0) process.exitCode = 1;

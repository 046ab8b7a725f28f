/**
 * Compares the requirements (test/requirements/index.ts) with the titles of the tests, which cite them as `[id]`. Part of
 * `npm run check`. Fails for a requirement that no test of `npm test` or `npm run test:all` cites, for a citation of an unknown
 * id, for duplicate ids or sentences, and for a source that does not exist. `--list` prints which command shows each
 * requirement.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { sectionName } from './lib/links-check.mjs';
import { commandOf, testFiles } from './lib/suites.mjs';
import { requirements } from '../test/requirements/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const TEST_FUNCTIONS = new Set(['describe', 'it', 'test']);

/** The name at the start of `it`, `it.each(rows)`, `describe.each(rows)`. */
function functionName(callee: ts.Expression): string | undefined {
  if (ts.isIdentifier(callee)) return callee.text;
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee) || ts.isTaggedTemplateExpression(callee)) {
    return functionName(ts.isTaggedTemplateExpression(callee) ? callee.tag : callee.expression);
  }
  return undefined;
}

/** The titles of a file's tests and groups, unchanged. */
function titlesIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, false, ts.ScriptKind.TS);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    const [title] = ts.isCallExpression(node) ? node.arguments : [];
    if (title !== undefined && ts.isCallExpression(node) && TEST_FUNCTIONS.has(functionName(node.expression) ?? '')) {
      if (ts.isStringLiteral(title) || ts.isNoSubstitutionTemplateLiteral(title)) titles.push(title.text);
      else if (ts.isTemplateExpression(title))
        titles.push(
          [title.head, ...title.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…'),
        );
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

function doubled(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}

/** The sections of a page, as its links name them. */
function sectionsOf(page: string): Set<string> {
  const file = join(root, 'docs', `${page}.md`);
  if (!existsSync(file)) return new Set();
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(headings.map(sectionName));
}

const sections = new Map<string, Set<string>>();

/** Whether a requirement's source exists: `page#section` of docs/, or `seeds/FILE` of schemas/. */
function exists(source: string): boolean {
  if (source.startsWith('seeds/')) return existsSync(join(root, 'schemas', source));
  const [page = '', section = ''] = source.split('#');
  if (!sections.has(page)) sections.set(page, sectionsOf(page));
  return sections.get(page)!.has(section);
}

const known = new Set(requirements.map(({ id }) => id));
const prefixes = new Set([...known].map((id) => id.split('.')[0]));
const isCitation = (text: string): boolean =>
  known.has(text) || (text.includes('.') && prefixes.has(text.split('.')[0]));

const shownBy = new Map<string, Set<string>>();
let cited = 0;
const unknown: string[] = [];
const files = testFiles();
for (const file of files) {
  for (const title of titlesIn(join(root, file))) {
    for (const [, id = ''] of title.matchAll(/\[([a-z][A-Za-z0-9.-]*)\]/g)) {
      if (known.has(id)) {
        shownBy.set(id, (shownBy.get(id) ?? new Set()).add(commandOf(file)));
        cited += 1;
      } else if (isCitation(id)) unknown.push(`${id} (${file}: ${title})`);
    }
  }
}

/** The shortest command that shows a requirement: all tests of `npm test` are part of `npm run test:all` too. */
const commandFor = (id: string): string | undefined =>
  ['npm test', 'npm run test:all', 'nightly'].find((command) => shownBy.get(id)?.has(command));

const problems: Array<[string, string[]]> = [
  ['Two requirements have the id', doubled(requirements.map(({ id }) => id))],
  ['Two requirements say the same', doubled(requirements.map(({ text }) => text))],
  ['No test cites', requirements.filter(({ id }) => !shownBy.has(id)).map(({ id, text }) => `${id}: ${text}`)],
  [
    'Shown by a nightly command alone',
    requirements.filter(({ id }) => commandFor(id) === 'nightly').map(({ id, text }) => `${id}: ${text}`),
  ],
  ['A test cites an unknown requirement', unknown],
  [
    'The source is neither a section of a page in docs/ (behaviour#sessions) nor a file of schemas/seeds (seeds/computer-executor.txt)',
    requirements.filter(({ source }) => !exists(source)).map(({ id, source }) => `${id}: ${source}`),
  ],
];

for (const [what, found] of problems) for (const one of found) process.stderr.write(`${what}: ${one}\n`);
if (process.argv.includes('--list'))
  for (const { id } of requirements) process.stdout.write(`${id}: ${commandFor(id) ?? 'no test'}\n`);
const count = (command: string): number => requirements.filter(({ id }) => commandFor(id) === command).length;
process.stdout.write(
  `${requirements.length} requirements: ${count('npm test')} shown by npm test, ${count('npm run test:all')} more by npm run test:all (${cited} citations in ${files.length} files)\n`,
);
if (problems.some(([, found]) => found.length > 0)) process.exitCode = 1;

/**
 * Compares the requirements (test/requirements/index.ts) with the titles of the tests, which cite them as `[id]`. Part of
 * `npm run check`. Fails for a requirement that no test cites and that is not listed as still to come, for one listed
 * as still to come that a test cites, for a citation of an unknown id, for duplicate ids or sentences, and for a source
 * that does not exist.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { sectionName } from './lib/links-check.mjs';
import { requirements, toCome } from '../test/requirements/index.ts';

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

const citedBy = new Map<string, number>();
const unknown: string[] = [];
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .sort();
for (const file of files) {
  for (const title of titlesIn(join(root, 'test', file))) {
    for (const [, id = ''] of title.matchAll(/\[([a-z][A-Za-z0-9.-]*)\]/g)) {
      if (known.has(id)) citedBy.set(id, (citedBy.get(id) ?? 0) + 1);
      else if (isCitation(id)) unknown.push(`${id} (test/${file}: ${title})`);
    }
  }
}

const later = new Set(toCome);
const problems: Array<[string, string[]]> = [
  ['Two requirements have the id', doubled(requirements.map(({ id }) => id))],
  ['Two requirements say the same', doubled(requirements.map(({ text }) => text))],
  [
    'No test cites',
    requirements.filter(({ id }) => !citedBy.has(id) && !later.has(id)).map(({ id, text }) => `${id}: ${text}`),
  ],
  ['Listed as still to come, but a test cites it', toCome.filter((id) => citedBy.has(id))],
  ['Listed as still to come, but not a requirement', toCome.filter((id) => !known.has(id))],
  ['Listed as still to come twice', doubled(toCome)],
  ['A test cites an unknown requirement', unknown],
  [
    'The source is neither a section of a page in docs/ (behaviour#sessions) nor a file of schemas/seeds (seeds/computer-executor.txt)',
    requirements.filter(({ source }) => !exists(source)).map(({ id, source }) => `${id}: ${source}`),
  ],
];

for (const [what, found] of problems) for (const one of found) process.stderr.write(`${what}: ${one}\n`);
const cited = [...citedBy.values()].reduce((total, count) => total + count, 0);
process.stdout.write(
  `${requirements.length} requirements: ${citedBy.size} shown by tests (${cited} citations in ${files.length} files), ${toCome.length} still to come\n`,
);
if (problems.some(([, found]) => found.length > 0)) process.exitCode = 1;

/** Commands that a person is given to type: the same in every shell, with npm's short forms only next to them. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { withBlocked } from '../../../scripts/lib/progress.mjs';
import { pages, textOf } from '../../support/pages.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const files = ['bin', 'scripts', 'src', 'test/catalogue', 'test/tasks']
  .flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true }).map(
      (file) => `${folder}/${String(file).replaceAll('\\', '/')}`,
    ),
  )
  .filter((file) => /\.(?:m?[jt]s|tsx|json)$/.test(file));

/** Windows PowerShell, as Windows comes, refuses npm in these. */
const SHORT = /\bnpm (?:start|test|run [\w:-]+)/;
/** What may be printed with the short form alone, and why. */
const ALONE: ReadonlyArray<readonly [file: RegExp, why: string]> = [
  [/^scripts\/smoke\.mjs$/, 'it tries npm itself'],
  [/^scripts\/(?:bindings\/|read-metadata)/, 'the first line of committed files that are made from given folders'],
  [/^src\/contract\/process\/settings\.(?:json|ts)$/, 'a word of the table: who may set a variable'],
  [/^scripts\/generate-settings\.ts$/, 'the same word'],
];

/** The texts of a source, without its comments. */
function textsIn(file: string): string[] {
  const texts: string[] = [];
  if (!/npm |node scripts\//.test(textOf(file))) return texts;
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) texts.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true));
  return texts;
}

test('a page gives a command as node runs it, and npm’s short form only in the same line', () => {
  const lines = pages.flatMap((page) =>
    textOf(page)
      .split('\n')
      .map((line) => `${page}: ${line}`),
  );
  expect(lines.filter((line) => SHORT.test(line) && !line.includes('node scripts/'))).toEqual([]);
  expect(lines.filter((line) => line.includes('node scripts/')).length).toBeGreaterThan(50);
});

test('a script, a command and an error print a command as node runs it', () => {
  const printed = files
    .filter((file) => !ALONE.some(([alone]) => alone.test(file)))
    .flatMap((file) => textsIn(file).map((text) => `${file}: ${text}`));
  expect(printed.filter((line) => SHORT.test(line) && !line.includes('node scripts/'))).toEqual([]);
  expect(printed.filter((line) => line.includes('node scripts/')).length).toBeGreaterThan(20);
});

test('a file that Windows blocks is explained by what blocks it', () => {
  for (const text of ['Error: spawn UNKNOWN', "code: 'ERR_DLOPEN_FAILED'"]) {
    expect(withBlocked(text, 'win32')).toMatch(/Smart App Control.*WDAC/s);
    expect(withBlocked(text, 'linux')).toBe(text);
  }
  expect(withBlocked('Error: ENOENT', 'win32')).toBe('Error: ENOENT');
});

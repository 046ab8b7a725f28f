/**
 * Windows' constants are generated from its headers: reports numbers that are typed by hand under a Windows name.
 *
 *   node scripts/check-constants.ts
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import * as constants from '../native-bindings/win32/constants.ts';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const KNOWN: ReadonlySet<string> = new Set(Object.keys(constants));
/** Prefixes, up to the first underscore, that names of ours have too: for these only Windows' exact names count. */
const PLAIN_WORDS: ReadonlySet<string> = new Set([
  'CTRL',
  'DEFAULT',
  'EVENT',
  'FILE',
  'INPUT',
  'KEY',
  'LEFT',
  'OPEN',
  'OWNER',
  'PAGE',
  'PROCESS',
  'RIGHT',
  'SHIFT',
  'STILL',
  'WAIT',
]);
/** WM, VK, GWL and so on: a new constant of a family is found even if the list does not have it yet. */
const FAMILIES: ReadonlySet<string> = new Set(
  [...KNOWN]
    .flatMap((name) => (name.includes('_') ? [name.split('_', 1)[0]!] : []))
    .filter((word) => !PLAIN_WORDS.has(word)),
);
/** Our own limits, such as `TOKEN_MS`. */
const OURS = /_(MS|BYTES|UNITS|LENGTH)$/;

const isWindowsName = (name: string): boolean =>
  KNOWN.has(name) ||
  (/^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name) && FAMILIES.has(name.split('_', 1)[0]!) && !OURS.test(name));

/** `-16`, `0x80 | 0x20`, `(1 << 4) as const`: no name has a part in it. */
function isNumber(node: ts.Expression): boolean {
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) return true;
  if (ts.isPrefixUnaryExpression(node)) return isNumber(node.operand);
  if (ts.isBinaryExpression(node)) return isNumber(node.left) && isNumber(node.right);
  return (
    (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) &&
    isNumber(node.expression)
  );
}

/** `line: NAME = value` for each variable, member and property of a source that gives a Windows name to a number. */
export function declaredConstants(source: string): string[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      (ts.isVariableDeclaration(node) ||
        ts.isPropertyAssignment(node) ||
        ts.isPropertyDeclaration(node) ||
        ts.isEnumMember(node)) &&
      node.initializer !== undefined &&
      isNumber(node.initializer) &&
      isWindowsName(node.name.getText(file))
    ) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      found.push(`${line}: ${node.name.getText(file)} = ${node.initializer.getText(file)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function main(): number {
  const problems = ['src', 'native-bindings'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.generated.ts'))
      .sort()
      .flatMap((file) =>
        declaredConstants(readFileSync(join(ROOT, folder, file), 'utf8')).map((at) => `${folder}/${file}:${at}`),
      ),
  );
  for (const problem of problems) console.error(problem);
  if (problems.length > 0)
    console.error(
      'Windows’ constants come from native-bindings/win32/constants.ts. Add the name to native-bindings/win32/constants/wanted.txt (CONTRIBUTING.md).',
    );
  return problems.length === 0 ? 0 : 1;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main();

// Conditions and formatted texts of an MSI, judged by their documented grammar alone: what another reader of MSI files allows
// beyond it says nothing about Windows. learn.microsoft.com/windows/win32/msi/conditional-statement-syntax and /formatted

import { properties } from './tables.mjs';

/** Integers of a condition, as the manuals of two makers of installers give their range. */
const MOST_INTEGER = 32_767;
/** Names of properties and of table keys: learn.microsoft.com/windows/win32/msi/identifier */
const IDENTIFIER = String.raw`[A-Za-z_][\w.]{0,71}`;
const TOKEN = new RegExp(
  String.raw`\s*(?:(?<literal>"[^"]*")|(?<integer>-?\d+\b)|(?<operator>~?(?:><|<<|>>|<=|>=|<>|=|<|>))|(?<bracket>[()])|(?<symbol>[%$?&!]?${IDENTIFIER}))`,
  'y',
);
const LOGICAL = /^(?:AND|OR|XOR|EQV|IMP)$/i;

/** Properties that Windows Installer sets by itself and that the conditions and texts here use. */
const OF_WINDOWS_INSTALLER = new Set([
  'CommonAppDataFolder',
  'Installed',
  'MsiNTProductType',
  'OutOfDiskSpace',
  'ProductVersion',
  'ProgramFiles64Folder',
  'REMOVE',
  'RestrictedUserControl',
  'UPGRADINGPRODUCTCODE',
  'UserLanguageID',
  'VersionNT',
]);

/** @typedef {{ kind: string, text: string }} Token */

/** @returns {Token[] | string} the tokens, or what is wrong */
function tokensOf(condition) {
  /** @type {Token[]} */
  const tokens = [];
  for (TOKEN.lastIndex = 0; condition.slice(TOKEN.lastIndex).trim() !== '';) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(condition);
    if (found?.groups === undefined) return `cannot be read from ${JSON.stringify(condition.slice(from).trim())} on`;
    const [kind = '', text = ''] = Object.entries(found.groups).find(([, value]) => value !== undefined) ?? [];
    tokens.push({ kind, text });
  }
  return tokens;
}

/**
 * What is wrong with a condition; undefined if nothing is.
 * @param {string} condition
 * @param {ReadonlySet<string>} known names of properties that something sets
 * @returns {string | undefined}
 */
export function conditionProblem(condition, known) {
  const tokens = tokensOf(condition);
  if (typeof tokens === 'string') return tokens;
  let at = 0;
  const next = () => tokens[at];
  const is = (kind, text) => next()?.kind === kind && (text === undefined || next()?.text.toUpperCase() === text);
  const fail = (expected) => {
    throw new Error(`expected ${expected}, found ${next()?.text ?? 'the end'}`);
  };
  const value = () => {
    if (is('integer')) {
      const { text } = /** @type {Token} */ (next());
      if (Math.abs(Number(text)) > MOST_INTEGER) throw new Error(`${text} is beyond ±${MOST_INTEGER}`);
    } else if (is('symbol') && !LOGICAL.test(next()?.text ?? '') && !is('symbol', 'NOT')) {
      const { text } = /** @type {Token} */ (next());
      if (/^\w/.test(text) && !known.has(text) && !OF_WINDOWS_INSTALLER.has(text))
        throw new Error(`nothing sets the property ${text}`);
    } else if (!is('literal')) fail('a value');
    at += 1;
  };
  const term = () => {
    if (is('bracket', '(')) {
      at += 1;
      expression();
      if (!is('bracket', ')')) fail('a closing bracket');
      at += 1;
      return;
    }
    value();
    if (!is('operator')) return;
    const { text: operator } = /** @type {Token} */ (next());
    const left = /** @type {Token} */ (tokens[at - 1]);
    at += 1;
    value();
    const right = /** @type {Token} */ (tokens[at - 1]);
    if (operator.startsWith('~') && [left, right].some(({ kind }) => kind === 'integer'))
      throw new Error(`${operator} compares texts, and one of ${left.text} and ${right.text} is an integer`);
    if (/^~?(?:><|<<|>>)$/.test(operator) && [left, right].some(({ text }) => /^"-?\d+"$/.test(text)))
      throw new Error(`${operator} compares bits of integers, and ${left.text} or ${right.text} may count as one`);
    if (/^[<>]=?$/.test(operator) && [left, right].some(({ kind }) => kind === 'literal'))
      throw new Error(`${operator} orders integers, and one of ${left.text} and ${right.text} is a text`);
  };
  const factor = () => {
    if (is('symbol', 'NOT')) at += 1;
    term();
  };
  const expression = () => {
    factor();
    while (next()?.kind === 'symbol' && LOGICAL.test(next()?.text ?? '')) {
      at += 1;
      factor();
    }
  };
  try {
    expression();
    return at < tokens.length ? `goes on with ${next()?.text} where it should end` : undefined;
  } catch (error) {
    return error.message;
  }
}

/** What may stand between square brackets, after their documented forms. */
const REFERENCE = new RegExp(String.raw`^(?:[#$!%]?${IDENTIFIER}|~|\d+)$`);

/**
 * What is wrong with a formatted text; undefined if nothing is.
 * @param {string} text
 * @param {ReadonlySet<string>} known names of properties that something sets, and of files after `#`
 * @returns {string | undefined}
 */
export function formattedProblem(text, known) {
  // `[\x]` is the letter x, whatever it is
  const plain = text.replaceAll(/\[\\.\]/g, '');
  if (/[[\]]/.test(plain.replaceAll(/\[[^[\]]*\]/g, ''))) return 'has a square bracket without its other half';
  for (const [, inside = ''] of plain.matchAll(/\[([^[\]]*)\]/g)) {
    if (!REFERENCE.test(inside)) return `[${inside}] is none of the documented forms`;
    const name = inside.replace(/^[$!]/, '#');
    if (/^[A-Za-z_#]/.test(name) && !known.has(name) && !OF_WINDOWS_INSTALLER.has(name))
      return `[${inside}] names nothing that is there`;
  }
  const braces = plain.match(/[{}]/g) ?? [];
  let depth = 0;
  for (const brace of braces) {
    depth += brace === '{' ? 1 : -1;
    if (depth < 0) break;
  }
  return depth === 0 ? undefined : 'has a curly brace without its other half';
}

/** Columns that hold formatted text, of the tables that this MSI has. */
const FORMATTED = {
  CustomAction: ['Target'],
  DrLocator: ['Path'],
  Environment: ['Value'],
  Error: ['Message'],
  LaunchCondition: ['Description'],
  MsiLockPermissionsEx: ['SDDLText'],
  MsiServiceConfigFailureActions: ['Name', 'Command'],
  Registry: ['Key', 'Name', 'Value'],
  ServiceControl: ['Name', 'Arguments'],
  ServiceInstall: ['Name', 'DisplayName', 'StartName', 'Arguments', 'Description'],
};

/**
 * What is wrong with the conditions, formatted texts and names of properties, one line each.
 * @param {Record<string, import('./read.mjs').Table>} tables
 * @returns {string[]}
 */
export function grammarProblems(tables) {
  const rows = (name) => tables[name]?.rows ?? [];
  const set = rows('CustomAction').filter(({ Type }) => (Number(Type) & 63) === 51);
  const names = [
    ...rows('Property').map(({ Property }) => Property),
    ...rows('AppSearch').map(({ Property }) => Property),
    ...rows('Directory').map(({ Directory }) => Directory),
    ...rows('Upgrade').map(({ ActionProperty }) => ActionProperty),
    ...set.map(({ Source }) => Source),
    ...properties.map(({ name }) => name),
  ];
  const known = new Set([...names, ...rows('File').map(({ File }) => `#${File}`)]);
  const isName = new RegExp(`^${IDENTIFIER}$`);
  const problems = names
    .filter((name) => name !== '' && !isName.test(name))
    .map((name) => `${name} is not an identifier`);
  for (const [table, { columns, rows: all }] of Object.entries(tables))
    for (const row of all) {
      const where = `${table} ${row[columns[0] ?? '']}`;
      const no = (problem, text) =>
        problem === undefined || problems.push(`${where}: ${JSON.stringify(text)} ${problem}`);
      if (columns.includes('Condition') && row.Condition) no(conditionProblem(row.Condition, known), row.Condition);
      for (const column of FORMATTED[table] ?? [])
        if (row[column]) no(formattedProblem(row[column], known), row[column]);
    }
  return problems;
}

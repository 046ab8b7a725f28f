// Checks that comments and titles of tests use plain words: none has a phrase of banned-words.json, which also binds
// the texts of errors. And that docs/behaviour.md, and each line of it, is no longer than a person reads at once.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.mjs';

/** The folders whose comments and titles are checked. */
const FOLDERS = ['src', 'native-bindings', 'scripts', 'examples', 'test'];
const SOURCE = /\.(?:ts|mjs|cjs)$/;
const GENERATED = /\.generated\.|(?:^|\/)dist\//;
const COMMENT = /^\s*(?:\/\*[^]*?\*\/|(?:\s*\/\/.*(?:\n|$))+)/gm;
const TITLE =
  /(?:^|\s)(?:(?:describe|it|test)(?:\.\w+)*|[^\n]*[)`])\(\s*(?:'((?:\\.|[^'\\\n])*)'|`((?:\\.|[^`\\])*)`)/gm;
/** Quoted words and code are examples, not prose. */
const QUOTED = /`[^`]*`|“[^”]*”|"[^"]*"/g;
const CITATION = /\[[a-z][A-Za-z0-9.-]*\] ?/g;
/** Words of docs/behaviour.md, and of a line of it. */
const MOST_WORDS = 9000;
const LONGEST_LINE = 60;

/**
 * `pattern` binds the texts of errors, and comments and titles where these have no pattern of their own.
 * @typedef {{ readonly pattern: string, readonly comments?: string, readonly titles?: string, readonly write: string }}
 * Rule
 */

/** @type {readonly Rule[]} */
const RULES = JSON.parse(readFileSync(new URL('banned-words.json', import.meta.url), 'utf8'));

/**
 * @param {readonly string[]} texts
 * @param {(rule: Rule) => string} patternOf
 * @param {readonly Rule[]} rules
 * @returns {string[]}
 */
function faultsOf(texts, patternOf, rules) {
  const prose = texts.map((text) => text.replace(QUOTED, '“”').replace(/\s+/g, ' ').trim());
  return rules.flatMap((rule) => {
    const pattern = new RegExp(patternOf(rule), 'iu');
    return prose.flatMap((text) => {
      const found = pattern.exec(text);
      return found === null ? [] : [`“${found[0]}”: write ${rule.write}`];
    });
  });
}

/**
 * The banned phrases in the comments of a source, each with the words to use instead.
 * @param {string} text
 * @returns {string[]}
 */
export function wordFaults(text, rules = RULES) {
  const comments = (text.match(COMMENT) ?? []).map((comment) => comment.replace(/\n\s*(?:\*|\/\/)?/g, ' '));
  return faultsOf(comments, ({ pattern, comments: own }) => own ?? pattern, rules);
}

/**
 * The same for the titles of a file's tests, without the promises that they cite.
 * @param {string} text
 * @returns {string[]}
 */
export function titleFaults(text, rules = RULES) {
  const titles = [...text.matchAll(TITLE)].map(([, plain, template]) =>
    (plain ?? template ?? '').replace(CITATION, ''),
  );
  return faultsOf(titles, ({ pattern, titles: own }) => own ?? pattern, rules);
}

/**
 * Whether a page of promises has too many words, and its lines that have, by their beginnings. Ids are words, the signs of
 * lists and tables are none.
 * @param {string} page
 * @returns {string[]}
 */
export function promiseFaults(page) {
  const all = page.split(/\s+/).filter(Boolean).length;
  const long = page
    .split('\n')
    .filter((line) => line.split(/\s+/).filter((word) => !/^[-|]*$/.test(word)).length > LONGEST_LINE)
    .map((line) => `“${line.slice(0, 60)}…” has more than ${LONGEST_LINE} words: make it two promises`);
  return all > MOST_WORDS ? [...long, `it has ${all} words, more than ${MOST_WORDS}: tests hold the details`] : long;
}

/**
 * The faults of all files below the folders, one per line; undefined if there are none.
 * @returns {Promise<string | undefined>}
 */
export async function wordProblems(folders = FOLDERS, base = root) {
  const faults = folders.flatMap((folder) =>
    readdirSync(path.join(base, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => path.posix.join(folder, name.replaceAll('\\', '/')))
      .filter((file) => SOURCE.test(file) && !GENERATED.test(file) && !file.includes('node_modules/'))
      .sort()
      .flatMap((file) => {
        const text = readFileSync(path.join(base, file), 'utf8');
        return [...wordFaults(text), ...(file.endsWith('.test.ts') ? titleFaults(text) : [])].map(
          (fault) => `${file} has ${fault}`,
        );
      }),
  );
  const promises = promiseFaults(readFileSync(path.join(base, 'docs', 'behaviour.md'), 'utf8'));
  const all = [...faults, ...promises.map((fault) => `docs/behaviour.md: ${fault}`)];
  return all.length === 0 ? undefined : all.join('\n');
}

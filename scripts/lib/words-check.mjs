// Checks that comments use plain words: none has a phrase of banned-words.json, which also binds the texts of errors.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.mjs';

/** The folders whose comments are checked. */
const FOLDERS = ['src', 'native-bindings', 'scripts'];
const SOURCE = /\.(?:ts|mjs|cjs)$/;
const GENERATED = /\.generated\.|(?:^|\/)dist\//;
const COMMENT = /^\s*(?:\/\*[^]*?\*\/|(?:\s*\/\/.*(?:\n|$))+)/gm;
/** Quoted words and code are examples, not prose. */
const QUOTED = /`[^`]*`|“[^”]*”|"[^"]*"/g;

/** @typedef {{ readonly pattern: string, readonly comments?: string, readonly write: string }} Rule */

/** @type {readonly Rule[]} */
const RULES = JSON.parse(readFileSync(new URL('banned-words.json', import.meta.url), 'utf8'));

/**
 * The banned phrases in the comments of a source, each with the words to use instead.
 * @param {string} text
 * @returns {string[]}
 */
export function wordFaults(text, rules = RULES) {
  const comments = (text.match(COMMENT) ?? []).map((comment) =>
    comment
      .replace(/\n\s*(?:\*|\/\/)?/g, ' ')
      .replace(QUOTED, '')
      .replace(/\s+/g, ' '),
  );
  return rules.flatMap(({ pattern, comments: own, write }) => {
    const rule = new RegExp(own ?? pattern, 'iu');
    return comments.flatMap((comment) => {
      const found = rule.exec(comment);
      return found === null ? [] : [`“${found[0]}”: write ${write}`];
    });
  });
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
      .flatMap((file) =>
        wordFaults(readFileSync(path.join(base, file), 'utf8')).map((fault) => `${file} has ${fault}`),
      ),
  );
  return faults.length === 0 ? undefined : faults.join('\n');
}

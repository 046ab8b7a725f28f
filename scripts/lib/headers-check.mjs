// Checks that every hand-written source file begins with a comment that says what the file is for.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.mjs';

/** The folders that `npm run check` searches. */
const FOLDERS = ['src', 'native-bindings', 'scripts', 'test'];
const SOURCE = /\.(?:ts|tsx|mjs|c)$/;
const GENERATED = /\.generated\.|(?:^|\/)dist\//;
/** Minimum number of words of such a comment. */
const FEWEST_WORDS = 3;

/**
 * The fault of a source file's head; null if there is none.
 * @param {string} text
 * @returns {string | null}
 */
export function headerFault(text) {
  const head = text.replace(/^#!.*\n/, '').replace(/^(?:\s*\/\/ (?:@ts-|cc:).*\n)+/, '');
  const comment = /^\s*(?:\/\*[^]*?\*\/|(?:\/\/.*\n?)+)/.exec(head)?.[0];
  if (comment === undefined) return 'begins without a comment that says what it is for';
  const words = comment.match(/\p{L}[\p{L}\p{N}’'-]*/gu) ?? [];
  return words.length < FEWEST_WORDS ? 'begins with a comment that says too little' : null;
}

/**
 * The faults of all files below the folders, as text; undefined if there are none.
 * @returns {Promise<string | undefined>}
 */
export async function headerProblems(folders = FOLDERS, base = root) {
  const faults = [];
  for (const folder of folders) {
    for (const name of readdirSync(path.join(base, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      const file = path.posix.join(folder, name.replaceAll('\\', '/'));
      if (!SOURCE.test(file) || GENERATED.test(file) || file.includes('node_modules/')) continue;
      const fault = headerFault(readFileSync(path.join(base, file), 'utf8'));
      if (fault !== null) faults.push(`${file} ${fault}`);
    }
  }
  return faults.length === 0 ? undefined : faults.join('\n');
}

// Checks that every hand-written source file begins with a comment that says what the file is for.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.mjs';

/** `npm run check` looks below these. */
export const FOLDERS = ['src', 'native-bindings', 'scripts', 'test'];
const SOURCE = /\.(?:ts|mjs|c)$/;
const GENERATED = /\.generated\.|(?:^|\/)dist\//;
/** The fewest words that can say what a file is for. */
const FEWEST_WORDS = 3;

/**
 * What is wrong with the head of a source file; null where nothing is.
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
 * The faults of all files below the folders, as text; undefined when there are none.
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

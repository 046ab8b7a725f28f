// The promises of the docs: an id in brackets behind the sentence or in the row that promises something, `[type.left]`.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.mjs';

const ID = /\[([a-z][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)+)\](?!\()/g;
const CODE = /^```[\s\S]*?^```$|`[^`\n]*`/gm;

/**
 * The ids in a text, in their order.
 * @param {string} text
 * @returns {string[]}
 */
export const idsIn = (text) => [...text.matchAll(ID)].map(([, id]) => id);

/**
 * Each promise with its page, in their order.
 * @returns {Array<{ id: string, page: string }>}
 */
export function promisesIn(base = path.join(root, 'docs')) {
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .flatMap((page) =>
      idsIn(readFileSync(path.join(base, page), 'utf8').replaceAll(CODE, '')).map((id) => ({ id, page })),
    );
}

/** The ids of all promises. */
export const promisedIds = () => new Set(promisesIn().map(({ id }) => id));

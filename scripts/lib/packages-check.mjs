// What package-lock.json may contain: licences compatible with Apache-2.0, and no registry host.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.mjs';

const allowed = new Set([
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  '0BSD',
  'Unlicense',
]);
/** libvips is a separate library file, which anyone can replace, as the LGPL requires. */
const lesser = { licence: 'LGPL-3.0-or-later', packages: /(^|\/)@img\/sharp-(libvips-)?[\w-]+$/ };

/**
 * Lines about packages of the product (not of its development) whose licence is not in the list; undefined if there are
 * none.
 */
export function licenceProblems(lock = readLock()) {
  const problems = Object.entries(lock.packages)
    .filter(([place, entry]) => place !== '' && !entry.dev && !entry.link)
    .flatMap(([place, entry]) => {
      const name = place.replace(/^.*node_modules\//, '');
      const licence = entry.license ?? licenceOnDisk(place);
      if (!licence) return [`${name}: no licence is stated`];
      return accepts(licence, name)
        ? []
        : [`${name}: ${licence} is not in the list (${[...allowed].join(', ')}; ${lesser.licence} for libvips)`];
    });
  return problems.length ? problems.join('\n') : undefined;
}

/** A licence expression by SPDX: OR means one is enough, AND that all are needed. No package here uses parentheses. */
function accepts(expression, name) {
  return expression
    .replace(/[()]/g, '')
    .split(/\s+OR\s+/)
    .some((choice) =>
      choice
        .split(/\s+AND\s+/)
        .every((licence) => allowed.has(licence) || (licence === lesser.licence && lesser.packages.test(name))),
    );
}

function licenceOnDisk(place) {
  const file = path.join(root, place, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).license : undefined;
}

/** A lock that names a registry's host works only where that host can be reached; .npmrc prevents that. */
export function lockProblems(lock = readLock()) {
  const named = Object.entries(lock.packages)
    .filter(([, entry]) => entry.resolved && !entry.link)
    .map(([place, entry]) => `${place}: resolved ${entry.resolved}`);
  const unpinned = Object.entries(lock.packages)
    .filter(([place, entry]) => place !== '' && !entry.link && !entry.integrity)
    .map(([place]) => `${place}: no integrity`);
  const problems = [...named, ...unpinned];
  return problems.length
    ? `${problems.join('\n')}\nTry: npm install --package-lock-only (with the checkout's .npmrc)`
    : undefined;
}

const readLock = () => JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));

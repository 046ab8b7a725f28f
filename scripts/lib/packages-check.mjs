// What package-lock.json may contain: licences that go with Apache-2.0, and no host from which it was made.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.mjs';

const allowed = new Set(['MIT', 'Apache-2.0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', '0BSD']);
/** libvips is a library of its own file, which anyone can replace: what the LGPL asks for. */
const lesser = { licence: 'LGPL-3.0-or-later', packages: /(^|\/)@img\/sharp-(libvips-)?[\w-]+$/ };

/** Lines about packages of the product (not of its development) whose licence is not in the list; undefined for none. */
export function licenceProblems(lock = readLock()) {
  const problems = Object.entries(lock.packages)
    .filter(([place, entry]) => place !== '' && !entry.dev && !entry.link)
    .flatMap(([place, entry]) => {
      const name = place.replace(/^.*node_modules\//, '');
      const licence = entry.license ?? licenceOnDisk(place);
      if (!licence) return [`${name}: no licence is named`];
      return accepts(licence, name)
        ? []
        : [`${name}: ${licence} is not in the list (${[...allowed].join(', ')}; ${lesser.licence} for libvips)`];
    });
  return problems.length ? problems.join('\n') : undefined;
}

/** A licence expression by SPDX: OR means one is enough, AND that all are needed. Parentheses are not used by anyone here. */
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

/** A lock that names a registry's host works only where that host is reached: .npmrc keeps them out. */
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

// Checks the links between the project's pages: each linked file and section must exist.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.mjs';

/** The anchor of a section: lower case, spaces as hyphens, other punctuation omitted. */
export const sectionName = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const withoutCode = (text) => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

/**
 * The faults, one per line; undefined if there are none.
 * @returns {Promise<string | undefined>}
 */
export async function linkProblems() {
  const pages = [
    ...readdirSync(root).map((name) => name),
    ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
  ].filter((name) => name.endsWith('.md'));
  const sections = new Map();
  const sectionsOf = (file) => {
    if (!sections.has(file))
      sections.set(
        file,
        new Set(
          [...withoutCode(readFileSync(file, 'utf8')).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
            sectionName(heading),
          ),
        ),
      );
    return sections.get(file);
  };
  const problems = [];
  for (const page of pages) {
    const text = withoutCode(readFileSync(path.join(root, page), 'utf8'));
    for (const [, target] of text.matchAll(/\]\(([^()\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [name, section] = target.split('#');
      const file = name === '' ? path.join(root, page) : path.resolve(path.join(root, path.dirname(page)), name);
      if (!existsSync(file)) problems.push(`${page}: ${target} does not exist`);
      else if (section !== undefined && (!statSync(file).isFile() || !sectionsOf(file).has(section)))
        problems.push(`${page}: ${target} has no such section`);
    }
  }
  return problems.length === 0 ? undefined : problems.join('\n');
}

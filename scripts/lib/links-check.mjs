// Links between the project's pages: each file that a page names is there, and so is each section.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.mjs';

/** The name that a link gives a section: lower case, blanks as hyphens, other marks left out. */
export const sectionName = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const withoutCode = (text) => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

/**
 * What is wrong, a line each; undefined where every link leads somewhere.
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
      if (!existsSync(file)) problems.push(`${page}: ${target} is not there`);
      else if (section !== undefined && (!statSync(file).isFile() || !sectionsOf(file).has(section)))
        problems.push(`${page}: ${target} has no such section`);
    }
  }
  return problems.length === 0 ? undefined : problems.join('\n');
}

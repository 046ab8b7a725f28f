/** Each never, always, refused and asked of the threat model and the guides is tied to the tests that show it. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { requirements } from '../../requirements/index.ts';
import { sentences } from '../../requirements/sentences.ts';

const root = new URL('../../../', import.meta.url);
const pages = (folder: string): string[] =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}${name}`);
/** What a person reads to decide; docs/behaviour.md is tied to its requirements by their sources. */
const FILES = [
  'README.md',
  ...['threat-model', 'agents', 'approvals', 'concepts', 'configuration', 'audit'].map((name) => `docs/${name}.md`),
  ...pages('docs/guides/'),
  ...pages('docs/deploy/'),
];
const WORDS = /\b(?:never|always|refuse[sd]?|asked|asks)\b/i;

/** Sentences and cells of tables; headings and examples are none. */
function sentencesOf(file: string): string[] {
  let isCode = false;
  return readFileSync(new URL(file, root), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('```')) isCode = !isCode;
      if (isCode || line.startsWith('#')) return [];
      return (line.startsWith('|') ? line.split('|') : [line]).flatMap((part) =>
        part.trim().split(/(?<=[.!?])\s+(?=[A-Z`\u201c*[])|; /),
      );
    })
    .filter((sentence) => WORDS.test(sentence));
}

it('[threats.sentences] each such sentence is in the table once, with requirements that exist', () => {
  const known = new Set(requirements.map(({ id }) => id));
  const problems: string[] = [];
  for (const file of FILES) {
    const rows = sentences.filter((row) => row.file === file);
    const found = sentencesOf(file);
    for (const sentence of found) {
      const count = rows.filter(({ says }) => sentence.includes(says)).length;
      if (count !== 1) problems.push(`${file}: ${count} rows for: ${sentence}`);
    }
    for (const { says } of rows)
      if (!found.some((sentence) => sentence.includes(says))) problems.push(`${file}: no sentence says: ${says}`);
  }
  for (const { file, says, shownBy, why } of sentences) {
    if (!FILES.includes(file)) problems.push(`${file} is not among the pages that are read`);
    if ((shownBy.length === 0) !== (why !== undefined)) problems.push(`${file}: ${says}: tests, or what it is about`);
    for (const id of shownBy) if (!known.has(id)) problems.push(`${file}: ${says}: there is no requirement ${id}`);
  }
  expect(problems).toEqual([]);
});

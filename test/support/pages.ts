/** The pages that people read, and the command lines in them. */
import { readFileSync, readdirSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
export const textOf = (page: string): string => readFileSync(new URL(page, root), 'utf8');
export const pages = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'installer/README.md',
  ...['docs', 'docs/clients', 'docs/deploy', 'docs/guides', 'examples'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/** Command lines of a page, in its examples and between back quotes; `uiahost proof 1` is what an answer proves itself with. */
export function commandLines(text: string, programs = /^uiahost (?!proof 1)[a-z-]/): string[] {
  const examples = [...text.matchAll(/```\w*\n([\s\S]*?)```/g)].flatMap(([, body = '']) => body.split('\n'));
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, body = '']) => body);
  return [...examples, ...quoted]
    .map((line) => line.trim().replace(/^(?:\$ |> |npx )/, ''))
    .filter((line) => programs.test(line));
}

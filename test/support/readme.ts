/** The commands that the README tells people to paste, unchanged. */
import { readFileSync } from 'node:fs';

/** The shell blocks of a section, each as its commands; continued lines stay together. Errors: there are none. */
export function readmeCommands(section: string): string[][] {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const text = readme.split(/^## /m).find((part) => part.startsWith(section));
  const blocks = [...(text ?? '').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  if (blocks.length === 0) throw new Error(`The README has no shell block in a section "${section}"`);
  return blocks.map((block) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('#')),
  );
}

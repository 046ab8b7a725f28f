/** The commands that the README tells people to paste, unchanged. */
import { readFileSync } from 'node:fs';

/** `console`: the same in every shell. `sh`: for Unix shells and Git Bash. */
export type ReadmeShell = 'console' | 'sh';

/** A section's blocks for a shell, each as its commands; continued lines stay together. Errors: there are none. */
export function readmeCommands(section: string, shell: ReadmeShell): string[][] {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const text = readme.split(/^## /m).find((part) => part.startsWith(section));
  const pattern = new RegExp(`^\`\`\`${shell}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  const blocks = [...(text ?? '').matchAll(pattern)].map(([, block = '']) => block);
  if (blocks.length === 0) throw new Error(`The README has no ${shell} block in a section "${section}"`);
  return blocks.map((block) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('#')),
  );
}

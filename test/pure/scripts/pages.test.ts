/** What pages promise each other: one source for what two of them need, and sections by their names. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { sectionName } from '../../../scripts/lib/links-check.mjs';
import { createProgram } from '../../../src/cli/program.ts';
import { commandLines, pages, textOf } from '../../support/pages.ts';

const rowsOf = (page: string, section: string): string[] => {
  const text = textOf(page)
    .split(/^## /m)
    .find((part) => part.startsWith(section));
  return (text ?? '').split('\n').filter((line) => line.startsWith('| '));
};

test('docs/behaviour.md alone lists the departures from the given contracts, and the README links to them', () => {
  expect(rowsOf('docs/behaviour.md', 'Departures from the given contracts').length).toBeGreaterThan(10);
  expect(rowsOf('README.md', 'Where it departs from the contracts')).toEqual([]);
  expect(textOf('README.md')).toContain('](docs/behaviour.md#departures-from-the-given-contracts)');
});

test('a section is linked by its heading in lower case, with hyphens and without marks', () => {
  expect(['The gate', 'A click, from the request to Windows and back', 'Who’s there?'].map(sectionName)).toEqual([
    'the-gate',
    'a-click-from-the-request-to-windows-and-back',
    'whos-there',
  ]);
});

const root = new URL('../../../', import.meta.url);
const program = createProgram({ output: { out() {}, err() {} }, env: {}, version: '0' });

/** The words of a command line that are no command where one must stand, and the options that its command does not have. */
function unknownIn(line: string): string[] {
  let command: Command = program;
  const options = [...program.options];
  for (const word of line
    .split(/ [|#&>] |\\$/)[0]!
    .split(/\s+/)
    .slice(1)) {
    if (word.startsWith('-')) {
      const [name] = /^--?[a-z-]+/.exec(word) ?? ['--help'];
      const isKnown = [...options, ...below(command)].some(({ long, short }) => long === name || short === name);
      // The inputs of the page's routine are flags too.
      const isInput = command.name() === 'run' && textOf('docs/routines.md').includes(`\n  ${name.slice(2)}: { type:`);
      if (!isKnown && !isInput && name !== '--help') return [word];
      continue;
    }
    // "a|b" lists commands: what follows may be of any of them
    const next = word.includes('|')
      ? undefined
      : command.commands.find((each) => [each.name(), ...each.aliases()].includes(word));
    if (next === undefined) {
      if (isGroup(command) && /^[a-z][a-z-]*$/.test(word)) return [word];
      continue;
    }
    command = next;
    options.push(...next.options);
  }
  return [];
}
const isGroup = ({ commands, registeredArguments }: Command): boolean =>
  commands.length > 0 && registeredArguments.length === 0;
const below = ({ commands }: Command): Command['options'] =>
  commands.flatMap((each) => [...each.options, ...below(each)]);

test('each command line in the pages has commands and options that exist', () => {
  const problems: string[] = [];
  let seen = 0;
  for (const page of pages)
    for (const line of commandLines(textOf(page))) {
      seen += 1;
      for (const word of unknownIn(line)) problems.push(`${page}: ${word} in: ${line}`);
    }
  expect(problems).toEqual([]);
  expect(seen).toBeGreaterThan(150);
});

/** Flags that the script does not name: as a text, or as an option of parseArgs. */
function unknownFlags(line: string): string[] {
  const [, file = '', given = ''] = /^node (\S+)([^#]*)/.exec(line) ?? [];
  const text = textOf(file);
  return [...given.matchAll(/(?<![\w-])--([a-z-]+)/g)]
    .map(([, flag = '']) => flag)
    .filter((flag) => !new RegExp(`--${flag}(?![\\w-])|(?<![\\w-])'?${flag}'?: \\{ type:`).test(text));
}

test('each line for node and npm in the pages has a file that Node 20 runs, with flags that it has, or a script of package.json', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const problems: string[] = [];
  let seen = 0;
  for (const page of pages)
    for (const line of commandLines(textOf(page), /^(?:npm (?:run |start|test)|node [^-]\S*\.m?[jt]s)/)) {
      seen += 1;
      const [tool, first = '', second = ''] = line.split(/\s+/);
      const name = first === 'run' ? second : first;
      if (name.includes('NAME')) continue;
      const isThere = tool === 'npm' ? name in scripts : name.endsWith('.mjs') && existsSync(new URL(name, root));
      const unknown =
        name === 'bin/uiahost.mjs'
          ? unknownIn(line.replace(/^node \S+/, 'uiahost'))
          : isThere && tool === 'node'
            ? unknownFlags(line)
            : [];
      if (!isThere || unknown.length > 0) problems.push(`${page}: ${[...unknown, line].join(' in: ')}`);
    }
  expect(problems).toEqual([]);
  expect(seen).toBeGreaterThan(60);
});

/**
 * docs/receivers.md from the table of receivers (`src/contract/ways/receivers.ts`). `--check`, part of `npm run check`:
 * fails if the committed document is another.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  cellOf,
  INPUTS,
  RECEIVERS,
  TOOLKITS,
  USUAL,
  type Carrier,
  type Input,
  type Toolkit,
} from '../src/contract/ways/receivers.ts';

const file = fileURLToPath(new URL('../docs/receivers.md', import.meta.url));

const HEADS: Readonly<Record<Input, string>> = {
  click: 'click',
  drag: 'drag',
  wheel: 'wheel',
  hover: 'hover',
  characters: 'characters',
  breaks: 'line breaks, tabs',
  keys: 'keys',
  chords: 'Ctrl, Shift',
  alt: 'Alt',
  letters: 'menu letters',
};
const MARKS: Readonly<Record<Carrier, string>> = {
  message: 'yes',
  alone: 'yes, alone',
  state: 'key state',
  front: 'in front',
  console: 'console',
  element: 'elements',
  real: '**no**',
  lost: '**lost**',
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** One line for each reason, with all inputs that share it. */
function reasons(cells: Partial<Readonly<Record<Input, { readonly by: Carrier; readonly why: string }>>>): string[] {
  const by = Map.groupBy(Object.entries(cells), ([, { why }]) => why);
  return [...by].map(([why, inputs]) => `${inputs.map(([input]) => HEADS[input as Input]).join(', ')}: ${why}`);
}

function lost(toolkit: Toolkit): string[] {
  const { loses } = RECEIVERS[toolkit];
  return loses === undefined ? [] : [`- characters that it loses: ${loses.why}.`];
}

function markdown(): string {
  const special = TOOLKITS.filter((toolkit) => Object.keys(RECEIVERS[toolkit].cells).length > 0);
  const unproven = TOOLKITS.reduce((sum, each) => sum + INPUTS.length - RECEIVERS[each].seen.length, 0);
  return [
    '<!-- Made by `node scripts/generate-receivers.ts` from src/contract/ways/receivers.ts. Do not edit. -->',
    '# Receivers: what works in the background, in which toolkit, and why',
    '',
    'A program in the background gets input as messages. Most programs take everything from the message. Some ask Windows for the real cursor, buttons or keys instead, and then do something else than the message says: press what the person’s pointer rests on, or type the letter of a key with Alt. This table says which input each toolkit takes. The host sends what is trusted, and refuses the rest before anything is sent, with what works instead.',
    '',
    'A window is recognised by its class, or by that of a window around it.',
    '',
    row(['toolkit', 'window classes', ...INPUTS.map((input) => HEADS[input])]),
    row(['---', '---', ...INPUTS.map(() => '---')]),
    ...TOOLKITS.map((toolkit) => {
      const { name, classes, seen } = RECEIVERS[toolkit];
      const shown = classes === null ? '' : `\`${classes.source.replaceAll('|', '\\|')}\``;
      const mark = (input: Input): string => `${MARKS[cellOf(toolkit, input).by]}${seen.includes(input) ? '' : ' ?'}`;
      return row([name, shown, ...INPUTS.map(mark)]);
    }),
    '',
    '- **yes**: the message carries it.',
    '- **yes, alone**: the key is posted while nothing of the text is in the queue, and nothing follows before the queue is empty.',
    '- **key state**: the message is posted while the key counts as held in the program’s thread, through an attached input queue: never within a second of a person’s own input. A window in front gets real keys instead.',
    '- **in front**: the message carries it while the program is in front; while another one is, it is refused (`unsupported`).',
    '- **console**: key events of the console behind the window, never messages.',
    '- **elements**: by patterns of UI Automation: text for fields, and commands that name the keys as their own.',
    '- **no**: refused (`unsupported`). `delivery: "foreground"` works, with the window in front.',
    '- **lost**: it does not arrive, and is not refused: a menu that a program draws cannot be told from its other windows.',
    `- **?**: unproven: read in the source or the documentation below, and shown by no test and no program that was driven: ${unproven} of ${TOOLKITS.length * INPUTS.length}. No program of the toolkit could be had or started under Wine, or those that were driven lack what the input is for, such as a menu. What an answer calls \`confirmed\` never rests on this table.`,
    '',
    '## Text',
    '- Characters are sent, not posted: the window has handled each of them before the next one leaves. So a slow program is never run ahead of, a stop ends the text at once, and no key finds a character of the text in the queue.',
    '- An answer counts the characters that the window has taken. Only text that is read back is `confirmed`.',
    '- A character beyond U+FFFF, such as 🦊, comes in two halves. Toolkits that lose it are named below; a text with one is refused there (`unsupported`), by real input too, and arrives by `type` with `viaClipboard`.',
    '',
    '## Why',
    'Where nothing else is said:',
    '',
    ...reasons(USUAL).map((line) => `- ${line}.`),
    '',
    ...special.flatMap((toolkit) => [
      `**${RECEIVERS[toolkit].name}**`,
      '',
      ...reasons(RECEIVERS[toolkit].cells).map((line) => `- ${line}.`),
      ...lost(toolkit),
      '',
    ]),
    '## Sources',
    '“Driven” means a real program of that toolkit under Wine; the rest is read in its public source.',
    '',
    row(['toolkit', 'source']),
    row(['---', '---']),
    ...TOOLKITS.map((toolkit) => row([RECEIVERS[toolkit].name, RECEIVERS[toolkit].source])),
    '',
  ].join('\n');
}

if (process.argv[2] === '--check') {
  if (readFileSync(file, 'utf8') !== markdown()) {
    process.stderr.write('docs/receivers.md is not that of the table. Try: node scripts/generate-receivers.ts\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, markdown());
  process.stdout.write('docs/receivers.md is written\n');
}

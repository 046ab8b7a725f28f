/** The prompt that a terminal shows, and the line that Enter would submit. Pure: no Windows calls. */
import type { ShownConsole } from '../element/element.ts';
import { promptOf, yesNoOf } from './prompt.ts';
import YES_NO_WORDS from './prompt-words.json' with { type: 'json' };

/** A prompt, and whether at most one letter is typed after it. */
export interface ShownPrompt {
  /** The row with the choice. */
  readonly text: string;
  readonly isUnanswered: boolean;
}

const isFull = (row: string, width: number): boolean => width > 0 && row.trimEnd().length >= width;

/**
 * The whole line of the cursor, wherever the cursor is in it: wrapped rows belong together. Null if the cursor is out
 * of view.
 */
export function lineOf({ rows, width, cursor }: ShownConsole): string | null {
  if (rows[cursor.y] === undefined) return null;
  let from = cursor.y;
  while (from > 0 && isFull(rows[from - 1] ?? '', width)) from -= 1;
  let to = cursor.y;
  while (to + 1 < rows.length && isFull(rows[to] ?? '', width)) to += 1;
  return rows
    .slice(from, to + 1)
    .join('')
    .trimEnd();
}

/** Rows from the end in which a menu counts: those above were answered long ago. */
const MENU_ROWS = 24;
/** Rows between the two halves of a choice. */
const MENU_SPAN = 8;

const lowered = (text: string): string => text.normalize('NFC').toLocaleLowerCase('en');
const AGREES = new Set([
  ...YES_NO_WORDS.flatMap(({ yes }) => yes),
  'allow',
  'approve',
  'accept',
  'proceed',
  'trust',
  'continue',
  'always',
  'run',
  'apply',
]);
const REFUSES = new Set([
  ...YES_NO_WORDS.flatMap(({ no }) => no),
  'deny',
  'reject',
  'decline',
  'cancel',
  'abort',
  'exit',
  'skip',
  'never',
  "don't",
  'don’t',
  'quit',
]);

/** Frames, and the marks before the chosen one of several. */
const DECOR = new RegExp('^[\\s│┃|║╎▌▎▏╭╰├─❯›»>●○◉◯▶→➜*•·-]+', 'u');
const NUMBER = /^[([]?[0-9a-z]{1,2}[\])}.:)]\s*/iu;
/** What marks a row as one of several choices rather than a sentence. */
const CHOICE = new RegExp('^[\\s│┃|║]*(?:[❯›»●○◉◯▶→➜▌*•]|[([]?[0-9a-z]{1,2}[\\])}.:)]\\s)', 'iu');
/** Between the cells of a row: spaces, or a frame. */
const CELL_BORDER = new RegExp('\\s{3,}|[│┃║▌]', 'u');

/** The first word of a choice. */
function firstWord(cell: string): string {
  const text = cell.replace(DECOR, '').replace(NUMBER, '');
  return lowered(/^[\p{L}\p{M}'\u2019]+/u.exec(text)?.[0] ?? '');
}

/** Two rows, or two cells of one row, of which one accepts and one refuses; the row that accepts. */
function menuIn(rows: readonly string[]): string | null {
  const cells = rows.flatMap((row, at) =>
    row
      .split(CELL_BORDER)
      .filter((cell) => cell.trim() !== '')
      .map((cell) => ({ at, row, cell, word: firstWord(cell), isChoice: CHOICE.test(cell) || CHOICE.test(row) })),
  );
  for (const yes of cells) {
    if (!AGREES.has(yes.word)) continue;
    const no = cells.find(
      (other) =>
        REFUSES.has(other.word) &&
        Math.abs(other.at - yes.at) <= MENU_SPAN &&
        (other.at !== yes.at || other.cell !== yes.cell),
    );
    if (no !== undefined && (yes.isChoice || no.isChoice || no.at === yes.at)) return yes.row;
  }
  return null;
}

/** The mark of the choice that Enter takes. */
const MARKED = new RegExp('^[\\s│┃|║]*[❯›»▶➜●>]\\s', 'u');
/** The frame before a choice, its mark, and the blanks in place of a mark. */
const BEFORE_CHOICE = new RegExp('^[\\s│┃|║]*(?:[❯›»▶➜●○>](?=\\s))?\\s*', 'u');
const AFTER_CHOICE = new RegExp('[\\s│┃|║]+$', 'u');

/** A choice of a menu, and how many steps down it is from the marked one. */
export interface MenuChoice {
  readonly text: string;
  readonly steps: number;
}

/** Column of a choice's text. */
const indent = (row: string): number => BEFORE_CHOICE.exec(row)?.[0].length ?? 0;
const choiceText = (row: string): string => row.slice(indent(row)).replace(AFTER_CHOICE, '');

/** The rows of the menu around a marked row: they begin in its column, and what continues one begins further right. */
function menuRows(rows: readonly string[], marked: number): [from: number, to: number] {
  const column = indent(rows[marked]!);
  const belongs = (at: number): boolean =>
    Math.abs(at - marked) <= MENU_SPAN && choiceText(rows[at] ?? '') !== '' && indent(rows[at]!) >= column;
  let [from, to] = [marked, marked];
  while (belongs(from - 1)) from -= 1;
  while (belongs(to + 1)) to += 1;
  return [from, to];
}

function choiceAround(rows: readonly string[], marked: number, answer: 'yes' | 'no'): MenuChoice | null {
  const [from, to] = menuRows(rows, marked);
  const isNumbered = NUMBER.test(choiceText(rows[marked]!));
  const choices = rows
    .slice(from, to + 1)
    .map((row, index) => ({ at: from + index, row, word: firstWord(row) }))
    // a choice may continue in a row without a number
    .filter(({ row }) => !isNumbered || NUMBER.test(choiceText(row)));
  const [yes, no] = [AGREES, REFUSES].map((words) => choices.findIndex(({ word }) => words.has(word))) as [
    number,
    number,
  ];
  if (yes < 0 || no < 0 || choices.filter(({ row }) => MARKED.test(row)).length !== 1) return null;
  const wanted = answer === 'yes' ? yes : no;
  return { text: choiceText(choices[wanted]!.row), steps: wanted - choices.findIndex(({ at }) => at === marked) };
}

/**
 * The choice that means yes or no in the last menu with one choice in each row, one of them marked; null if the screen
 * shows no such menu. If several mean the same, the first counts: "Yes" comes before "Yes, always".
 */
export function choiceIn(rows: readonly string[], answer: 'yes' | 'no'): MenuChoice | null {
  const filled = rows.findLastIndex((row) => row.trim() !== '');
  for (let at = filled; at >= 0 && at > filled - MENU_ROWS; at -= 1) {
    const choice = MARKED.test(rows[at] ?? '') ? choiceAround(rows, at, answer) : null;
    if (choice !== null) return choice;
  }
  return null;
}

/** Letters to choose by, without a pair of words: `[Y,N]?`, `([y]/n)`, `(Y)es/(N)o`, `Ok? (y)`. */
const LETTERS =
  /\[[\p{L}\d](?:,[\p{L}\d])+\]\s*\?|[([]\s*[([]?y(?:es)?[)\]]?\s*[/|,]\s*[([]?no?\b|\(y\)es\b|\?\s*[([]y(?:es)?[)\]]/iu;
/** \u21b5 and \u23ce: signs for the Enter key. */
const HINT =
  /\bpress (?:enter|return|any key|y)\b|\b(?:enter|return|\u21b5|\u23ce) to (?:confirm|select|continue|submit|approve|accept|allow|proceed)\b|\besc(?:ape)? to (?:cancel|reject|deny|interrupt the request)\b/iu;
/** After the bracketed choice only what belongs to it, and at most one letter. */
const UNANSWERED = /[\])}][\s?:>.]*(?:[\p{L}\d]\s*)?$/u;

/**
 * The prompt that the terminal shows, of an agent's command line (a menu of answers) or of any program (a list of
 * letters); null if it shows none. Without a cursor the last row counts as its own.
 */
export function shownPrompt({
  rows,
  width,
  cursor,
}: {
  readonly rows: readonly string[];
  readonly width: number;
  readonly cursor: ShownConsole['cursor'] | null;
}): ShownPrompt | null {
  const filled = rows.map((row) => row.trimEnd()).filter((row) => row !== '');
  const atCursor = cursor === null ? filled.slice(-1).join('').trim() : promptOf({ rows, width, cursor });
  if (yesNoOf(atCursor) !== null || LETTERS.test(atCursor))
    return { text: atCursor, isUnanswered: UNANSWERED.test(atCursor) };
  const last = filled.slice(-MENU_ROWS);
  const menu = menuIn(last) ?? last.find((row) => HINT.test(row)) ?? null;
  return menu === null ? null : { text: menu.replace(DECOR, '').trim(), isUnanswered: true };
}

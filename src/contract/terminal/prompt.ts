/** What a console asks, and how it expects yes and no to be written. Pure: no Windows calls. */
import YES_NO_WORDS from './prompt-words.json' with { type: 'json' };

// The table: how programs of several languages write yes and no in a question, as letters ("[J/n]") or as words ("Yes/No"),
// lower case. A pair of letters consists of the first letters of the first words. A pair counts only if both halves belong to
// one language, so that "(a/b)" is not mistaken for a yes-or-no question.

/** What a console shows. */
export interface ShownRows {
  /** From the top. */
  readonly rows: readonly string[];
  /** Columns: a full row may continue in the next. */
  readonly width: number;
  readonly cursor: { readonly x: number; readonly y: number };
}

/** A prompt is at most this long; anything before it is other output. */
const MOST_ROWS = 4;
/** A question, with its choices a row each, is at most this long. */
const QUESTION_ROWS = 8;

const trimmed = (row: string): string => row.replace(/\s+$/u, '');

/** Whether a row continues in the next one: its last cell is used. */
const isFull = (row: string, width: number): boolean => row.length >= width && trimmed(row).length === row.length;

/**
 * The text that waits for an answer: the cursor's row up to the cursor, with the rows before it that wrapped into it;
 * if that is empty, the last row above with text. Empty on an empty screen.
 */
export function promptOf(screen: ShownRows): string {
  const { rows, width } = screen;
  const last = Math.min(rows.length - 1, screen.cursor.y);
  let row = last;
  let text = last < 0 ? '' : trimmed((rows[last] ?? '').slice(0, Math.max(0, screen.cursor.x)));
  for (; text === '' && row > 0; row -= 1) text = trimmed(rows[row - 1] ?? '');
  for (let taken = 1; taken < MOST_ROWS && row > 0 && isFull(rows[row - 1] ?? '', width); taken += 1, row -= 1)
    text = (rows[row - 1] ?? '') + text;
  return text.trim();
}

/** The rows of the question, from the prompt upwards: rows without a gap belong together. */
function questionOf({ rows, cursor }: ShownRows): string[] {
  let row = Math.min(rows.length - 1, cursor.y);
  while (row > 0 && trimmed(rows[row] ?? '') === '') row -= 1;
  const above = rows.slice(Math.max(0, row - QUESTION_ROWS + 1), row).map((each) => each.trim());
  return above.slice(above.lastIndexOf('') + 1).reverse();
}

export interface YesNo {
  readonly yes: string;
  readonly no: string;
}

interface Option {
  /** As shown. */
  readonly text: string;
  readonly lower: string;
}

const lowered = (text: string): string => text.normalize('NFC').toLocaleLowerCase('en');

/** Alternatives of a list like `y/n`, `Yes/No/All`, `yes/no/[fingerprint]`. */
function optionsOf(list: string): Option[] {
  return list
    .split(/[/|,]/)
    .map((part) => part.replaceAll(/[[\](){}<>"'*\s]/gu, ''))
    .filter((part) => part !== '')
    .map((text) => ({ text, lower: lowered(text) }));
}

const first = (words: readonly string[]): string => String.fromCodePoint(words[0]?.codePointAt(0) ?? 0);

/** The pair of one language among the alternatives: its words, or the letters that they begin with. */
function pairOf(options: readonly Option[]): YesNo | null {
  const find = (names: readonly string[]): Option | undefined => options.find(({ lower }) => names.includes(lower));
  const letters = YES_NO_WORDS.map(({ yes, no }) => ({ yes: [first(yes)], no: [first(no)] }));
  for (const { yes, no } of [...YES_NO_WORDS, ...letters]) {
    const positive = find(yes);
    const negative = find(no);
    if (positive !== undefined && negative !== undefined) return { yes: positive.text, no: negative.text };
  }
  return null;
}

/** `(y/n)`, `[J/n]`, `[Y,N]`, `(Yes/No/All)`, `yes/no`, `<o|n>`; spaces around a slash do not count. */
const LISTS =
  /\[[\p{L}\p{M}](?:,[\p{L}\p{M}])+\]|[[({<]?\s*[\p{L}\p{M}]+(?:\s*[/|]\s*[[({<]?[\p{L}\p{M}?]+[\])}>]?)+\s*[\])}>]?/gu;
/**
 * What is typed, and its meaning: PowerShell's `[Y] Yes  [A] Yes to All  [N] No`, numbers before words (`1) No`), and
 * letters marked in their words (`(Y)es/(N)o`).
 */
const CHOICES =
  /(?:\[([\p{L}\p{M}]+)\]|(?<!\S)\[?(\d+)[\]).:])\s+([\p{L}\p{M}]+)(?=\s|$)|[[(](\p{L})[\])]([\p{L}\p{M}]+)/gu;
/** `Type yes or no`: two words and a short one between them. */
const TWO_WORDS = /(?<![\p{L}\p{M}])(?=([\p{L}\p{M}]+),?\s\p{L}{1,4}\s([\p{L}\p{M}]+))/gu;
/** `Ok to go on? (y)`: the letter that agrees, alone. */
const ONE_LETTER = /\?\s*[([](\p{L})[\])][\s:>]*$/u;
/** A word in quotes or capitals: what is to be typed out. */
const SPELLED = /['"“‘`«]([\p{L}\p{M}]+)['"”’`»]|(?<![\p{L}\p{M}])(\p{Lu}{2,})(?![\p{L}\p{M}])/gu;
/** A row that ends so has no answer yet. */
const UNANSWERED = /[\])}>?:]\s*$/u;

/** Yes and no of a list of choices, each with what is typed and its meaning. */
function pairOfChoices(prompt: string): YesNo | null {
  const choices = [...prompt.matchAll(CHOICES)].map(([, letters, number, word, first = '', rest = '']) => ({
    typed: letters ?? number ?? first,
    word: lowered(word ?? first + rest),
  }));
  for (const { yes, no } of YES_NO_WORDS) {
    // The first of several counts: "Yes to All" comes after "Yes".
    const positive = choices.find(({ word }) => yes.includes(word));
    const negative = choices.find(({ word }) => no.includes(word));
    if (positive !== undefined && negative !== undefined) return { yes: positive.typed, no: negative.typed };
  }
  return null;
}

/** The pair of a lone letter that agrees, where all languages that have it refuse by one letter. */
function pairOfLetter(prompt: string): YesNo | null {
  const yes = ONE_LETTER.exec(prompt)?.[1];
  const no = YES_NO_WORDS.filter((each) => yes !== undefined && first(each.yes) === lowered(yes)).map((each) =>
    first(each.no),
  );
  return yes !== undefined && new Set(no).size === 1 ? { yes, no: no[0]! } : null;
}

/**
 * How the prompt itself writes yes and no, in its own case; null if it does not show it. A list in brackets takes
 * precedence over a bare one, which may be part of a path, and the one nearest to the cursor over those further away.
 */
export function yesNoOf(prompt: string): YesNo | null {
  const choices = pairOfChoices(prompt);
  if (choices !== null) return choices;
  const lists = [...prompt.matchAll(LISTS)]
    .map(([list]) => ({ isBracketed: /^[[({<]/.test(list), pair: pairOf(optionsOf(list)) }))
    .filter(({ pair }) => pair !== null);
  const words = [...prompt.matchAll(TWO_WORDS)].map(([, one, other]) => pairOf(optionsOf(`${one}/${other}`)));
  return (
    (lists.findLast(({ isBracketed }) => isBracketed) ?? lists.at(-1))?.pair ??
    words.findLast((pair) => pair !== null && pair.yes.length > 1 && pair.no.length > 1) ??
    pairOfLetter(prompt)
  );
}

/** The word that the question spells out and that means this answer: `Only 'yes' will be accepted`, `(type YES to confirm)`. */
function spelledOut(question: readonly string[], answer: 'yes' | 'no'): string | null {
  const words = question.flatMap((row) =>
    [...row.matchAll(SPELLED)].map(([, quoted, capitals]) => quoted ?? capitals!),
  );
  return words.find((word) => YES_NO_WORDS.some((each) => each[answer].includes(lowered(word)))) ?? null;
}

/** What is typed for yes or no, as the question shows it; null if it does not show it, and anything would be a guess. */
export function answerTo(shown: ShownRows, answer: 'yes' | 'no'): string | null {
  const prompt = promptOf(shown);
  const above = questionOf(shown);
  const pair =
    yesNoOf(prompt) ??
    pairOfChoices([...above].reverse().join(' ')) ??
    above.flatMap((row) => (UNANSWERED.test(row) ? (yesNoOf(row) ?? []) : []))[0];
  return pair === undefined ? spelledOut([prompt, ...above], answer) : pair[answer];
}

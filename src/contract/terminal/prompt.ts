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
  for (const { yes, no } of YES_NO_WORDS) {
    const positive = find(yes);
    const negative = find(no);
    if (positive !== undefined && negative !== undefined) return { yes: positive.text, no: negative.text };
  }
  for (const { yes, no } of YES_NO_WORDS) {
    const positive = find([first(yes)]);
    const negative = find([first(no)]);
    if (positive !== undefined && negative !== undefined) return { yes: positive.text, no: negative.text };
  }
  return null;
}

/** `(y/n)`, `[J/n]`, `(Yes/No/All)`, `yes/no`, `<o|n>`; spaces around a slash do not count. */
const LISTS = /[[({<]?\s*[\p{L}\p{M}]+(?:\s*[/|]\s*[[({<]?[\p{L}\p{M}?]+[\])}>]?)+\s*[\])}>]?/gu;
/** PowerShell's: `[Y] Yes  [A] Yes to All  [N] No`: the letter in brackets is what is typed. */
const CHOICES = /\[([\p{L}\p{M}]+)\]\s+([\p{L}\p{M}]+)(?=\s|$)/gu;

/** Yes and no of a list of choices, each a letter and its meaning. */
function pairOfChoices(prompt: string): YesNo | null {
  const choices = [...prompt.matchAll(CHOICES)].map((match) => ({
    typed: match[1] ?? '',
    word: lowered(match[2] ?? ''),
  }));
  for (const { yes, no } of YES_NO_WORDS) {
    // The first of several counts: "Yes to All" comes after "Yes".
    const positive = choices.find(({ word }) => yes.includes(word));
    const negative = choices.find(({ word }) => no.includes(word));
    if (positive !== undefined && negative !== undefined) return { yes: positive.typed, no: negative.typed };
  }
  return null;
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
  return (lists.findLast(({ isBracketed }) => isBracketed) ?? lists.at(-1))?.pair ?? null;
}

/** What is typed for yes or no. */
export function answerTo(
  prompt: string,
  answer: 'yes' | 'no',
): { readonly text: string; readonly from: 'prompt' | 'default' } {
  const shown = yesNoOf(prompt);
  return shown === null
    ? { text: answer === 'yes' ? 'y' : 'n', from: 'default' }
    : { text: shown[answer], from: 'prompt' };
}

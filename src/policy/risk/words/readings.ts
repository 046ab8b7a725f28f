/**
 * The ways in which a person can read a text: by its actual letters, and by how they look. Letters of other alphabets
 * that look like Latin ones, digits in their place, spaced-out letters, and words split by a mark are restored here, before
 * the lexicon reads. A further reading can only add findings.
 */
import confusables from './confusables.json' with { type: 'json' };
import { INVISIBLE, tokenise } from './text.ts';

export interface Reading {
  readonly tokens: readonly string[];
  /** Its words were joined from spaced-out letters, so word ends are unknown. */
  readonly isJoined: boolean;
}

/** Anything longer is a document and is read unchanged. */
const MAX_READ = 2000;
const LATIN = 26;
/** Letters on coloured backgrounds, and those of flags: the A of each. */
const GROUNDS = [0x1f150, 0x1f170, 0x1f1e6];

/** Represents what looks like both i and l. */
const I_OR_L = 'I';

/**
 * Letters of other alphabets by the Latin letter they look like.
 * Source: unicode.org/Public/security/10.0.0/confusables.txt (Unicode Technical Standard 39, under the Unicode License v3), limited to
 * letters that look like unaccented Latin, plus Latin small capitals by their character names.
 */
const LOOKS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(confusables).flatMap(([latin, letters]) => [...letters].map((letter) => [letter, latin] as const)),
  ...GROUNDS.flatMap((first) =>
    Array.from(
      { length: LATIN },
      (_, at) => [String.fromCodePoint(first + at), String.fromCodePoint(0x61 + at)] as const,
    ),
  ),
]);
/** Digits and signs used in place of letters. */
const SIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    0: 'o',
    1: I_OR_L,
    3: 'e',
    4: 'a',
    5: 's',
    7: 't',
    8: 'b',
    '@': 'a',
    $: 's',
    '€': 'e',
    '!': I_OR_L,
    '|': I_OR_L,
  }),
);

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/** A word as it looks; unchanged unless all of it looks Latin. */
function looksOf(word: string, iOrL: 'i' | 'l'): string {
  // A capital I among lower-case letters is read as an l.
  const plain = word.replace(/(?<=[a-z])I(?=[a-z])/g, iOrL);
  if (isAscii(plain)) return plain;
  const latin = [...plain.normalize('NFD')]
    .filter((letter) => !/\p{M}/u.test(letter))
    .map((letter) => LOOKS.get(letter) ?? letter)
    .map((letter) => (letter === I_OR_L ? iOrL : letter))
    .join('');
  return isAscii(latin) ? latin : plain;
}

/** Short words of another alphabet often look Latin by chance: не, нет, в. Next to words that do not, they are taken literally. */
const LONGER_THAN_CHANCE = 4;

/** A text as its words look. */
function latinLook(text: string, iOrL: 'i' | 'l'): string {
  const words = /[\p{L}\p{N}\p{M}\p{So}]+/gu;
  const hasOthers = (text.match(words) ?? []).some((word) => /\p{L}/u.test(word) && !isAscii(looksOf(word, iOrL)));
  return text.replace(words, (word) =>
    hasOthers && word.length < LONGER_THAN_CHANCE && !/[A-Za-z]/.test(word) ? word : looksOf(word, iOrL),
  );
}

/** Whole words with digits and signs in place of letters. */
function unsigned(word: string, iOrL: 'i' | 'l'): string {
  if (!/[0134578@$\u20ac!|]/.test(word) || (word.match(/[A-Za-z]/g)?.length ?? 0) < 2) return word;
  // A mark that ends a sentence or a choice does not represent a letter.
  return word
    .replace(/[0134578@$\u20ac]|[!|](?=.*[A-Za-z])/g, (sign) => SIGNS.get(sign) ?? sign)
    .replaceAll(I_OR_L, iOrL);
}

/** Joins spaced-out letters. A gap wider than the others separates words. */
function joined(text: string): string {
  return text.replace(/(?<![\p{L}\p{N}])\p{L}(?:[^\p{L}\p{N}]{1,5}\p{L}(?![\p{L}\p{N}]))+/gu, (run) => {
    const gaps = run.match(/[^\p{L}\p{N}]+/gu) ?? [];
    // Two letters form a word only if there is nothing else.
    if (gaps.length < 2 && run.length < text.trim().length) return run;
    const least = Math.min(...gaps.map((gap) => gap.length));
    return run.replace(/[^\p{L}\p{N}]+/gu, (gap) => (gap.length > least ? ' ' : ''));
  });
}

/** Words split by a mark: middle dots, bullets, apostrophes, dashes. */
const uncut = (text: string): string =>
  text.replace(/(?<=\p{L})[-_\u00b7.\u2022*~^+'\u2019"|/\\\u2010-\u2015](?=\p{L})/gu, '');

/** `(D)elete`, `[D]elete`, also in full-width brackets. */
const unbracketed = (text: string): string =>
  text.replace(/[([{\uff08\uff3b]\s?(\p{L})\s?[)\]}\uff09\uff3d](?=\p{L})/gu, '$1');

/** Text after a direction override is displayed in reverse. */
const turned = (text: string): string =>
  text.replace(/[\u202e\u2067]([^\u202c\u2069]*)/gu, (_, part: string) => [...part].reverse().join(''));

export function readings(text: string): readonly Reading[] {
  const found: Reading[] = [{ tokens: tokenise(text), isJoined: false }];
  if (text.length > MAX_READ) return found;
  const known = new Set([found[0]!.tokens.join(' ')]);
  const add = (shown: string, isJoined = false): void => {
    const tokens = tokenise(shown);
    const key = tokens.join(' ');
    if (known.has(key)) return;
    known.add(key);
    found.push({ tokens, isJoined });
  };
  const bare = turned(text).normalize('NFKC').replace(INVISIBLE, '');
  const shown = new Set([bare]);
  for (const iOrL of ['i', 'l'] as const) {
    const latin = latinLook(bare, iOrL);
    shown.add(latin).add(latin.replace(/\S+/g, (word) => unsigned(word, iOrL)));
  }
  for (const one of shown) {
    add(one);
    add(unbracketed(one));
    add(uncut(one));
    add(joined(one), true);
  }
  return found;
}

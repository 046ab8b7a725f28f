/** Finds the risk tags of a name or sentence in every language’s lexicon. */
import type { ProposalRiskTag } from '../../../contract/gate/permissions.ts';
import { readings } from './readings.ts';
import { BORDER, foldText, hasCjk, tokenise, withoutAccessKeys } from './text.ts';
import paste from './languages/paste.json' with { type: 'json' };
import type { CardLanguage } from '../../../contract/gate/card-words.ts';
import chinese from './languages/chinese.json' with { type: 'json' };
import english from './languages/english.json' with { type: 'json' };
import french from './languages/french.json' with { type: 'json' };
import german from './languages/german.json' with { type: 'json' };
import japanese from './languages/japanese.json' with { type: 'json' };
import portuguese from './languages/portuguese.json' with { type: 'json' };
import russian from './languages/russian.json' with { type: 'json' };
import spanish from './languages/spanish.json' with { type: 'json' };
import ukrainian from './languages/ukrainian.json' with { type: 'json' };

/**
 * The words for one tag; `*` matches any letters at a word's beginning or end.
 * Entries are compared without case, accents and punctuation, at word borders (languages without blanks: anywhere).
 */
interface TagWords {
  /** Count anywhere in the name of the activated element. */
  readonly anywhere: readonly string[];
  /** Count only as the whole name: in a longer one they mean something else. */
  readonly whole?: readonly string[];
  /** Count only in the text of a dialog whose plain answer (OK, Yes, Continue) is given. */
  readonly sentence?: readonly string[];
}

/** The words of one language. */
interface LanguageLexicon {
  readonly language: string;
  /** False for languages that write words without blanks. */
  readonly hasBlanks: boolean;
  readonly tags: Readonly<Record<ProposalRiskTag, TagWords>>;
  /** Phrases that look like a hit but are not; removed before the search. */
  readonly innocent: readonly string[];
  /** Words up to three words before a hit that negate it. */
  readonly negators: readonly string[];
  /** The same directly after a hit. */
  readonly negatorsAfter: readonly string[];
  /** Words directly before a hit that revoke it: undo, cancel. */
  readonly cancellers: readonly string[];
  /** Words that end the scope of a negation: and, or, but. */
  readonly joiners: readonly string[];
  /** Whole names that answer any dialog with yes. */
  readonly affirmatives: readonly string[];
  /** Whole names that answer no; on a question about saving they discard work. */
  readonly refusals: readonly string[];
  /** Phrases of a dialog that asks whether to keep work. */
  readonly saveQuestions: readonly string[];
  /** Surrounding texts that show that a user is signed in. */
  readonly signedIn: readonly string[];
  /** Labels of fields that take a secret. */
  readonly passwordLabels: readonly string[];
}

/** By the language of the cards: in each that a card speaks, words of risk are known. */
export const LEXICONS: Readonly<Record<CardLanguage, LanguageLexicon>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  ja: japanese,
  zh: chinese,
  ru: russian,
  uk: ukrainian,
};
export const LANGUAGES: readonly LanguageLexicon[] = Object.values(LEXICONS);

/** `name`: of the activated element. `sentence`: text of the dialog being answered. */
export type Reading = 'name' | 'sentence';

export interface TagHit {
  readonly tag: ProposalRiskTag;
  /** The words that were found, in folded form. */
  readonly words: string;
  readonly language: string;
}

/** A negator applies to at most the third word after it. */
const NEGATION_REACH = 3;

type Role = 'anywhere' | 'sentence' | 'innocent' | 'negator' | 'canceller';

/** The tokens of a phrase in a language with blanks. A wildcard occurs only at the beginning or end of a token. */
interface Phrase {
  readonly tokens: readonly string[];
  readonly role: Role;
  readonly tag: ProposalRiskTag | null;
  readonly language: LanguageLexicon;
}

/** Phrases by first token; phrases that begin with a wildcard are separate. */
class PhraseIndex {
  readonly #byFirst = new Map<string, Phrase[]>();
  readonly #wild: Phrase[] = [];

  add(
    entries: readonly string[] | undefined,
    role: Role,
    tag: ProposalRiskTag | null,
    language: LanguageLexicon,
  ): void {
    for (const entry of entries ?? []) {
      // The star must survive tokenising, so a private-use letter replaces it.
      const tokens = tokenise(entry.replaceAll('*', 'ǂ'))
        .filter((token) => token !== BORDER)
        .map((token) => token.replaceAll('ǂ', '*'));
      const [first] = tokens;
      if (first === undefined) continue;
      const phrase: Phrase = { tokens, role, tag, language };
      if (first.includes('*')) this.#wild.push(phrase);
      else this.#byFirst.set(first, [...(this.#byFirst.get(first) ?? []), phrase]);
    }
  }

  /** Every phrase that begins at the token. */
  *at(tokens: readonly string[], from: number): Generator<Phrase> {
    for (const phrase of this.#byFirst.get(tokens[from] ?? '') ?? [])
      if (matchesFrom(phrase, tokens, from)) yield phrase;
    for (const phrase of this.#wild) if (matchesFrom(phrase, tokens, from)) yield phrase;
  }
}

function matchesToken(pattern: string, token: string | undefined): boolean {
  if (token === undefined) return false;
  if (pattern.endsWith('*')) return token !== BORDER && token.startsWith(pattern.slice(0, -1));
  if (pattern.startsWith('*')) return token !== BORDER && token.endsWith(pattern.slice(1));
  return token === pattern;
}

function matchesFrom(phrase: Phrase, tokens: readonly string[], from: number): boolean {
  return phrase.tokens.every((pattern, index) => matchesToken(pattern, tokens[from + index]));
}

const TAGS = Object.keys(LEXICONS.en.tags) as ProposalRiskTag[];

const SPACED = ((): { index: PhraseIndex; joiners: Map<LanguageLexicon, Set<string>> } => {
  const index = new PhraseIndex();
  const joiners = new Map<LanguageLexicon, Set<string>>();
  for (const language of LANGUAGES.filter((one) => one.hasBlanks)) {
    for (const tag of TAGS) {
      index.add(language.tags[tag].anywhere, 'anywhere', tag, language);
      index.add(language.tags[tag].sentence, 'sentence', tag, language);
    }
    index.add(language.innocent, 'innocent', null, language);
    index.add(language.negators, 'negator', null, language);
    index.add(language.cancellers, 'canceller', null, language);
    joiners.set(language, new Set(language.joiners.flatMap((entry) => tokenise(entry))));
  }
  return { index, joiners };
})();

interface Span {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}
const isInside = (inner: Span, outer: Span): boolean => inner.from >= outer.from && inner.to <= outer.to;

/** Hits among the tokens; negated and innocent ones are left out. */
function findSpaced(tokens: readonly string[], reading: Reading): TagHit[] {
  const hits: Array<Span & { phrase: Phrase }> = [];
  const innocents: Span[] = [];
  const turners: Array<Span & { role: Role }> = [];
  for (let from = 0; from < tokens.length; from++) {
    for (const phrase of SPACED.index.at(tokens, from)) {
      const span = { from, to: from + phrase.tokens.length };
      if (phrase.role === 'innocent') innocents.push(span);
      else if (phrase.role === 'negator' || phrase.role === 'canceller') turners.push({ ...span, role: phrase.role });
      else if (phrase.role === 'anywhere' || reading === 'sentence') hits.push({ ...span, phrase });
    }
  }
  return hits
    .filter((hit) => !innocents.some((span) => isInside(hit, span)))
    .filter((hit) => !turners.some((turner) => turns(turner, hit, tokens)))
    .map(({ phrase, from, to }) => ({
      tag: phrase.tag ?? 'destructive',
      words: tokens.slice(from, to).join(' '),
      language: phrase.language.language,
    }));
}

/** A word of this length also counts inside joined letters; a shorter one only at their beginning. */
const SURE_LENGTH = 5;
const SHORTEST = 3;

/** Words in joined letters, where word ends are unknown: `d e l e t e a l l`. */
function findJoined(tokens: readonly string[]): TagHit[] {
  const hits: TagHit[] = [];
  for (const token of tokens) {
    for (let from = 0; from < token.length; from++) {
      for (let to = from + (from === 0 ? SHORTEST : SURE_LENGTH); to <= token.length; to++) {
        const words = token.slice(from, to);
        for (const {
          role,
          tag,
          tokens: { length },
          language,
        } of SPACED.index.at([words], 0)) {
          if (role === 'anywhere' && tag !== null && length === 1)
            hits.push({ tag, words, language: language.language });
        }
      }
    }
  }
  return hits;
}

/** A negator reaches across two words, a canceller across one; neither across a clause's end or an "and". */
function turns(turner: Span & { role: Role }, hit: Span & { phrase: Phrase }, tokens: readonly string[]): boolean {
  const gap = hit.from - turner.to;
  if (gap < 0 || gap > (turner.role === 'negator' ? NEGATION_REACH - 1 : 1)) return false;
  const joiners = SPACED.joiners.get(hit.phrase.language);
  return !tokens.slice(turner.to, hit.from).some((token) => token === BORDER || joiners?.has(token));
}

/** One regular expression for a list in text without blanks, longest first. */
function alternation(entries: readonly string[]): RegExp | null {
  const sorted = entries
    .map((entry) =>
      squeeze(entry)
        .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll('*', '[a-z]*'),
    )
    .filter((entry) => entry !== '')
    .sort((a, b) => b.length - a.length);
  return sorted.length === 0 ? null : new RegExp(sorted.join('|'), 'gu');
}

/** Folded, without blanks. Clause marks stay, so that words do not join across them. */
function squeeze(text: string): string {
  return foldText(withoutAccessKeys(text)).replace(/\s+/gu, '');
}

/** Words split by marks: `削・除`. */
const withoutMarks = (text: string): string => text.replace(/(?<=\p{L})[^\p{L}\p{N}](?=\p{L})/gu, '');

interface UnspacedTables {
  readonly language: LanguageLexicon;
  readonly tags: ReadonlyArray<readonly [ProposalRiskTag, anywhere: RegExp | null, sentence: RegExp | null]>;
  readonly innocent: RegExp | null;
  readonly before: readonly string[];
  readonly cancellers: readonly string[];
  readonly after: readonly string[];
}

const UNSPACED: readonly UnspacedTables[] = LANGUAGES.filter((one) => !one.hasBlanks).map((language) => ({
  language,
  tags: TAGS.map((tag) => {
    const words: TagWords = language.tags[tag];
    return [tag, alternation(words.anywhere), alternation(words.sentence ?? [])] as const;
  }),
  innocent: alternation(language.innocent),
  before: language.negators.map(squeeze),
  cancellers: language.cancellers.map(squeeze),
  after: language.negatorsAfter.map(squeeze),
}));

function spansOf(pattern: RegExp | null, text: string): Array<Span & { words: string }> {
  return pattern === null
    ? []
    : [...text.matchAll(pattern)].map((match) => ({
        from: match.index,
        to: match.index + match[0].length,
        words: match[0],
      }));
}

function findUnspaced(text: string, reading: Reading): TagHit[] {
  const squeezed = squeeze(text);
  const found: TagHit[] = [];
  for (const tables of UNSPACED) {
    const innocents = spansOf(tables.innocent, squeezed);
    for (const [tag, anywhere, sentence] of tables.tags) {
      const spans = [...spansOf(anywhere, squeezed), ...(reading === 'sentence' ? spansOf(sentence, squeezed) : [])];
      for (const span of spans) {
        if (innocents.some((innocent) => isInside(span, innocent))) continue;
        const head = squeezed.slice(0, span.from);
        const tail = squeezed.slice(span.to);
        // A negator of one character must come directly before; longer ones reach across two.
        const isNegated =
          tables.before.some(
            (word) => head.endsWith(word) || (word.length > 1 && head.slice(-word.length - 2).includes(word)),
          ) ||
          tables.cancellers.some((word) => head.endsWith(word)) ||
          tables.after.some((word) => tail.startsWith(word));
        if (!isNegated) found.push({ tag, words: span.words, language: tables.language.language });
      }
    }
  }
  return found;
}

/** Whole names, folded, without clause marks. */
class NameSet {
  readonly #names = new Set<string>();

  constructor(pick: (language: LanguageLexicon) => readonly string[] | undefined) {
    for (const language of LANGUAGES)
      for (const entry of pick(language) ?? []) this.#names.add(wholeName(tokenise(entry), language.hasBlanks));
  }

  has(tokens: readonly string[]): boolean {
    return this.#names.has(wholeName(tokens, true)) || this.#names.has(wholeName(tokens, false));
  }
}
const wholeName = (tokens: readonly string[], hasBlanks: boolean): string =>
  tokens.filter((token) => token !== BORDER).join(hasBlanks ? ' ' : '');

const WHOLE_TAGS: ReadonlyArray<readonly [ProposalRiskTag, NameSet]> = TAGS.map((tag) => [
  tag,
  new NameSet((language) => language.tags[tag].whole),
]);
const AFFIRMATIVES = new NameSet((language) => language.affirmatives);
const REFUSALS = new NameSet((language) => language.refusals);

/** Names and dialog texts are shorter; anything longer is a document, and only its beginning is read. */
const MAX_LENGTH = 8000;

/** The risk tags for the words of a name or of a dialog's text. */
export function findTagWords(whole: string, reading: Reading): readonly TagHit[] {
  const text = whole.slice(0, MAX_LENGTH);
  const hits: TagHit[] = [];
  for (const { tokens, isJoined } of readings(text)) {
    hits.push(...findSpaced(tokens, reading));
    if (isJoined) hits.push(...findJoined(tokens));
    if (reading === 'name') {
      for (const [tag, names] of WHOLE_TAGS)
        if (names.has(tokens)) hits.push({ tag, words: wholeName(tokens, true), language: 'any' });
    }
  }
  if (hasCjk(text)) for (const shown of new Set([text, withoutMarks(text)])) hits.push(...findUnspaced(shown, reading));
  return hits;
}

/** The first clause, where a name has several: "Yes, delete it" begins with a yes. */
function firstClause(tokens: readonly string[]): readonly string[] {
  const border = tokens.indexOf(BORDER);
  return border === -1 ? tokens : tokens.slice(0, border);
}
const isNamed =
  (names: NameSet) =>
  (text: string): boolean =>
    readings(text).some(({ tokens }) => names.has(tokens) || names.has(firstClause(tokens)));

/** Whether it answers any dialog with yes: OK, Yes, Continue. */
export const isAffirmative = isNamed(AFFIRMATIVES);
/** Whether it answers no, which discards work if the question is about saving. */
export const isRefusal = isNamed(REFUSALS);

/** Whether it has letters of a script that no language of the lexicon uses: its meaning is unknown. */
export const isUnreadable = (text: string): boolean =>
  readings(text).every(
    ({ tokens }) =>
      tokens.some((token) => /\p{L}/u.test(token)) &&
      !tokens.some((token) =>
        /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(token),
      ),
  );

/** Whether a text contains one of a list's phrases, in any language. */
function phraseFinder(pick: (language: LanguageLexicon) => readonly string[]): (text: string) => boolean {
  const index = new PhraseIndex();
  const unspaced: RegExp[] = [];
  for (const language of LANGUAGES) {
    if (language.hasBlanks) index.add(pick(language), 'anywhere', null, language);
    else {
      const pattern = alternation(pick(language));
      if (pattern !== null) unspaced.push(pattern);
    }
  }
  return (text) => {
    if (readings(text).some(({ tokens }) => tokens.some((_, from) => !index.at(tokens, from).next().done))) return true;
    if (!hasCjk(text)) return false;
    const squeezed = squeeze(text);
    return unspaced.some((pattern) => squeezed.search(pattern) !== -1);
  };
}

/** Whether a dialog asks if work should be kept. */
export const asksToSave = phraseFinder((language) => language.saveQuestions);
/** Whether a text shows that a user is signed in: Sign out, My account. */
export const showsSignedIn = phraseFinder((language) => language.signedIn);
/** Whether it is the label of a field that takes a secret. */
export const isPasswordLabel = phraseFinder((language) => language.passwordLabels);

/** `btnDeleteAccount` → `btn Delete Account`: an identifier's words, for elements without a name. */
export function identifierWords(identifier: string): string {
  return identifier.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ').replace(/[_\-.:]+/g, ' ');
}

/** How programs name the Paste command, as whole words, and anywhere in languages that put no blanks between words. */
const PASTE = new RegExp(`(?:^|[^\\p{L}])(?:${paste.words.join('|')})(?:$|[^\\p{L}])|${paste.unspaced.join('|')}`, 'u');

export const saysPaste = (name: string): boolean => PASTE.test(foldText(withoutAccessKeys(name)));

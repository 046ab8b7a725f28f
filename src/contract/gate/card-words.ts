/** What a card says, in the languages that it speaks: one file a language. Without zod, because the overlay uses it. */
import german from './languages/de.json' with { type: 'json' };
import english from './languages/en.json' with { type: 'json' };
import spanish from './languages/es.json' with { type: 'json' };
import french from './languages/fr.json' with { type: 'json' };
import japanese from './languages/ja.json' with { type: 'json' };
import portuguese from './languages/pt.json' with { type: 'json' };
import russian from './languages/ru.json' with { type: 'json' };
import ukrainian from './languages/uk.json' with { type: 'json' };
import chinese from './languages/zh.json' with { type: 'json' };

/**
 * A sentence in parts: `act` and `where` name phrases (`#click`), all others are what the phrases mention: quoted words
 * of programs and agents, numbers, or further phrases.
 */
export type Sentence = Readonly<Record<string, string>>;

/** The words of one language; the compiler checks that none is missing. */
export type CardWords = typeof english;

export const ENGLISH: CardWords = english;

/** All, by their code. The compiler wants words of risk for each: src/policy/risk/words/languages.ts. */
export const CARD_LANGUAGES = {
  de: german,
  en: english,
  es: spanish,
  fr: french,
  ja: japanese,
  pt: portuguese,
  ru: russian,
  uk: ukrainian,
  zh: chinese,
} satisfies Record<string, CardWords>;

export type CardLanguage = keyof typeof CARD_LANGUAGES;

/** The primary part of Windows' language id. Source: learn.microsoft.com/windows/win32/intl/language-identifier-constants-and-strings */
const IDS: Readonly<Record<CardLanguage, number>> = {
  de: 0x07,
  en: 0x09,
  es: 0x0a,
  fr: 0x0c,
  ja: 0x11,
  pt: 0x16,
  ru: 0x19,
  uk: 0x22,
  zh: 0x04,
};
const BY_ID: ReadonlyMap<number, CardWords> = new Map(
  Object.entries(CARD_LANGUAGES).map(([code, words]) => [IDS[code as CardLanguage], words]),
);

/** The words for a language id of Windows; English where the card does not speak it. */
export const wordsFor = (languageId: number): CardWords => BY_ID.get(languageId & 0x3ff) ?? english;

const lookUp = (table: object, key: string): string | undefined =>
  Object.hasOwn(table, key) ? (table as Readonly<Record<string, string>>)[key] : undefined;

/** A phrase by its name: `#click`, `#role.Button`. Undefined for other words. */
function phraseOf({ phrases, roles }: CardWords, value: string): string | undefined {
  if (value.startsWith('#role.')) return lookUp(roles, value.slice('#role.'.length)) ?? roles.Custom;
  return value.startsWith('#') ? lookUp(phrases, value.slice(1)) : undefined;
}

/** Phrases in phrases; a sentence is never deeper, and none may refer to itself. */
const DEEPEST = 6;

/** Puts the values into a text: `{name}` becomes `values.name`, which may name a phrase itself. */
export function fill(words: CardWords, text: string, values: Sentence, depth = 0): string {
  return text.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = lookUp(values, key) ?? '';
    const phrase = depth < DEEPEST ? phraseOf(words, value) : undefined;
    return phrase === undefined ? value : fill(words, phrase, values, depth + 1);
  });
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** What would happen and where: `Click the button “Send” in “Mail”, window “Inbox”`. */
export const sayWhat = (words: CardWords, sentence: Sentence): string =>
  capital(fill(words, '{act}{where}', sentence).trim());

/** The whole sentence: `The agent “claude” wants to click the button “Send” in “Mail”, window “Inbox”.` Null: the host itself asks. */
export const sayWhoAndWhat = (
  words: CardWords,
  sentence: Sentence,
  agent: { readonly name: string; readonly client: string | null } | null,
): string =>
  capital(
    agent === null
      ? fill(words, words.phrases.asksHost, sentence)
      : fill(words, words.phrases.asks, {
          ...sentence,
          agent: agent.client === null ? '#agent' : '#agentCalls',
          agentName: agent.name,
          client: agent.client ?? '',
        }),
  );

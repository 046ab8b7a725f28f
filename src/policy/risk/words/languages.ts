/** The words that carry a risk tag, one file a language and one line a tag. Their shape is checked by the compiler and by data.test.ts. */
import type { CardLanguage } from '../../../contract/gate/card-words.ts';
import type { ProposalRiskTag } from '../../../contract/gate/permissions.ts';
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
export interface TagWords {
  /** Count anywhere in the name of the activated element. */
  readonly anywhere: readonly string[];
  /** Count only as the whole name: in a longer one they mean something else. */
  readonly whole?: readonly string[];
  /** Count only in the text of a dialog whose plain answer (OK, Yes, Continue) is given. */
  readonly sentence?: readonly string[];
}

/** The words of one language. */
export interface LanguageLexicon {
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

/** The shape of one language’s lexicon. */
import type { ProposalRiskTag } from '../../../contract/permissions.ts';

/**
 * Words that give one tag; `*` means any letters at a word's beginning or end.
 * Entries are compared without case, accents and punctuation, at word borders (languages without blanks: anywhere).
 */
export interface TagWords {
  /** Count wherever they stand in the name of what is activated. */
  readonly anywhere: readonly string[];
  /** Count only as the whole name: words that mean something else inside a longer one. */
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
  /** Phrases that look like a hit and are none; taken out before the search. */
  readonly innocent: readonly string[];
  /** Words before a hit, within three words, that turn it round. */
  readonly negators: readonly string[];
  /** The same right behind a hit. */
  readonly negatorsAfter: readonly string[];
  /** Words directly before a hit that take it back: undo, cancel. */
  readonly cancellers: readonly string[];
  /** Words that end the reach of a negation: and, or, but. */
  readonly joiners: readonly string[];
  /** Whole names that say yes to whatever the dialog asks. */
  readonly affirmatives: readonly string[];
  /** Whole names that say no; on a question about saving they throw work away. */
  readonly refusals: readonly string[];
  /** A dialog that asks whether work shall be kept. */
  readonly saveQuestions: readonly string[];
  /** Surroundings that show that somebody is signed in. */
  readonly signedIn: readonly string[];
  /** Labels of fields that take a secret. */
  readonly passwordLabels: readonly string[];
}

/**
 * Which texts are constant and so can label a neighbouring field: a counter, a clock or a status message labels
 * nothing. Judged by their form if that is conclusive, else by having been seen to change. No Windows calls.
 */

/** Ends in a value: “Clicks: 0”, “size=12 KB”, “Time left: 0:12”. `\uff1a` is the full-width colon. */
const ENDS_IN_VALUE = /[=:\uff1a]\s*[-+(]?\p{N}[\p{N}\s.,:/%)]*(?:\p{L}{1,3}(?:\/s)?)?$/u;
/**
 * Begins with an amount, as messages do: “3 of 9 files”, “65 % done”. A trailing colon makes it a label nevertheless.
 */
const BEGINS_WITH_AMOUNT = /^\W*\p{N}[\p{N}.,]*(?:\s|%)/u;

/** Whether the form of a text shows that it is a value rather than a name. */
export function isValueText(text: string): boolean {
  const words = text.trim();
  if (!/\p{L}/u.test(words)) return /\p{N}/u.test(words);
  return ENDS_IN_VALUE.test(words) || (BEGINS_WITH_AMOUNT.test(words) && !/[:\uff1a]$/u.test(words));
}

interface Seen {
  text: string;
  /** By its form; a window asks it of each of its texts in every reading. */
  isValue: boolean;
  changes: number;
  isLive: boolean;
}

/** Limits the memory of a host that runs for weeks. */
const MAX_KEPT = 20_000;
/** A wizard page may put a new label into an existing text once; a text that keeps changing is not a label. */
const MAX_CHANGES = 1;

const withoutNumbers = (text: string): string => text.replaceAll(/\p{N}+/gu, '#');

/** Remembers which texts have been seen to change. */
export class TextWatch {
  readonly #seen = new Map<string, Seen>();

  /** Records an element's current text. @param identity constant for the lifetime of the element */
  isLive(identity: string, text: string): boolean {
    const seen = this.#seen.get(identity);
    if (seen === undefined) {
      const isValue = isValueText(text);
      this.#seen.set(identity, { text, isValue, changes: 0, isLive: false });
      for (const oldest of this.#seen.keys()) {
        if (this.#seen.size <= MAX_KEPT) break;
        this.#seen.delete(oldest);
      }
      return isValue;
    }
    if (seen.text !== text) {
      seen.changes += 1;
      const isNumberAlone = withoutNumbers(seen.text) === withoutNumbers(text);
      seen.isLive ||= isNumberAlone || (seen.changes > MAX_CHANGES && !/[:\uff1a]\s*$/u.test(text));
      seen.text = text;
      seen.isValue = isValueText(text);
    }
    return seen.isLive || seen.isValue;
  }
}

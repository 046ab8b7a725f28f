/**
 * Which texts stand still and so can name what is beside them: a counter, a clock or a message of what the program does
 * just now names nothing. By their form where that tells, else by having been seen to change. No Windows in here.
 */

/** Ends in a value: “Clicks: 0”, “size=12 KB”, “Time left: 0:12”. `\uff1a` is the full-width colon. */
const ENDS_IN_VALUE = /[=:\uff1a]\s*[-+(]?\p{N}[\p{N}\s.,:/%)]*(?:\p{L}{1,3}(?:\/s)?)?$/u;
/** Begins with an amount, as messages do: “3 of 9 files”, “65 % done”. A colon behind it makes it a label all the same. */
const BEGINS_WITH_AMOUNT = /^\W*\p{N}[\p{N}.,]*(?:\s|%)/u;

/** Whether the form of a text says that it is a value and not a name. */
export function isValueText(text: string): boolean {
  const words = text.trim();
  if (!/\p{L}/u.test(words)) return /\p{N}/u.test(words);
  return ENDS_IN_VALUE.test(words) || (BEGINS_WITH_AMOUNT.test(words) && !/[:\uff1a]$/u.test(words));
}

interface Seen {
  text: string;
  changes: number;
  isLive: boolean;
}

/** Bounds the memory of a host that runs for weeks. */
const MOST_KEPT = 20_000;
/** A page of a wizard may write one new label into an old text; what goes on changing is no label. */
const MOST_CHANGES = 1;

const withoutNumbers = (text: string): string => text.replaceAll(/\p{N}+/gu, '#');

/** Remembers which texts have been seen to change. */
export class TextWatch {
  readonly #seen = new Map<string, Seen>();

  /** Notes what an element says now. @param identity the same as long as the element lives */
  isLive(identity: string, text: string): boolean {
    const seen = this.#seen.get(identity);
    if (seen === undefined) {
      this.#seen.set(identity, { text, changes: 0, isLive: false });
      for (const oldest of this.#seen.keys()) {
        if (this.#seen.size <= MOST_KEPT) break;
        this.#seen.delete(oldest);
      }
      return isValueText(text);
    }
    if (seen.text !== text) {
      seen.changes += 1;
      const isNumberAlone = withoutNumbers(seen.text) === withoutNumbers(text);
      seen.isLive ||= isNumberAlone || (seen.changes > MOST_CHANGES && !/[:\uff1a]\s*$/u.test(text));
      seen.text = text;
    }
    return seen.isLive || isValueText(text);
  }
}

/** Greatest number of characters (grapheme clusters) that the strip shows. */
export const MESSAGE_CHARACTERS = 120;

/** Text of a strip without a message. */
export const DEFAULT_MESSAGE = 'uiahost is working in this window';

/** White space that breaks lines becomes one blank, which keeps words apart. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Not drawn: control characters, halves of a surrogate pair, and marks that reorder the text around them. */
const NOT_DRAWN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The strip's text for a message: one line without control characters, at most 120 characters, none cut in two. */
export function indicatorMessage(message: string | undefined): string {
  const line = (message ?? '').replace(BREAKS, ' ').replace(NOT_DRAWN, '').trim();
  let kept = '';
  let count = 0;
  for (const { segment } of characters.segment(line)) {
    if (count === MESSAGE_CHARACTERS) break;
    kept += segment;
    count += 1;
  }
  return kept === '' ? DEFAULT_MESSAGE : kept.trimEnd();
}

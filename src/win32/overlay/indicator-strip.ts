/** The status strip's words, and its place on the bound window. Pure. */
import { fill, type CardWords } from '../../contract/gate/card-words.ts';
import type { Rect } from '../../contract/element/geometry.ts';

/** Greatest number of characters (grapheme clusters) that the strip shows. */
export const MESSAGE_CHARACTERS = 120;

/** Text of a strip without a message. */
export const DEFAULT_MESSAGE = 'uiahost is working in this window';

/** White space that breaks lines becomes one blank, which keeps words apart. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Not drawn: control characters, halves of a surrogate pair, and marks that reorder the text around them. */
const NOT_DRAWN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** One line without control characters, at most 120 characters, none cut in two; '' if nothing is left. */
function cleaned(message: string | undefined): string {
  const line = (message ?? '').replace(BREAKS, ' ').replace(NOT_DRAWN, '').trim();
  let kept = '';
  let count = 0;
  for (const { segment } of characters.segment(line)) {
    if (count === MESSAGE_CHARACTERS) break;
    kept += segment;
    count += 1;
  }
  return kept.trimEnd();
}

/** The message that a strip shows. */
export const indicatorMessage = (message: string | undefined): string => cleaned(message) || DEFAULT_MESSAGE;

/** What could look like the end of the quotation. */
const QUOTES = /["\u201c-\u201f]/g;

/** The strip’s text: a message is quoted as the agent’s words, since the strip is a window of the host; a looker’s is its name. */
export function stripText(message: string | undefined, words: CardWords, isLooker = false): string {
  const said = cleaned(message);
  if (isLooker) return fill(words, words.ui.stripLooks, { name: said });
  return said === '' ? words.ui.stripWorks : fill(words, words.ui.stripSays, { message: said.replace(QUOTES, "'") });
}

/** Sizes at 96 DPI, in pixels. */
const PADDING = 8;
const MARK = 4;

/** Inner distances of the strip in physical pixels. */
export interface StripMeasures {
  readonly padding: number;
  /** Width of the coloured mark on the left. */
  readonly mark: number;
  /** Width at which the text wraps. */
  readonly textWidth: number;
  readonly width: number;
}

/** Widths of a window's strip, never wider than the window, and its text. `frame`: the window's visible part, screen pixels; `dpi` of its monitor. */
export function stripMeasures(frame: Rect, dpi: number): StripMeasures {
  const scale = dpi / 96;
  const padding = Math.round(PADDING * scale);
  const mark = Math.round(MARK * scale);
  return { padding, mark, width: frame.width, textWidth: Math.max(1, frame.width - mark - 2 * padding) };
}

/**
 * The strip's place: inside the window along its lower edge, since the title bar must stay visible and a maximised window
 * leaves no room outside. Never outside the window. Screen pixels; `textHeight` as measured for `textWidth`.
 */
export function stripPlace(frame: Rect, measures: StripMeasures, textHeight: number): Rect {
  const height = Math.min(frame.height, textHeight + measures.padding);
  return { x: frame.x, y: frame.y + frame.height - height, width: measures.width, height };
}

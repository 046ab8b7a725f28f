/** Where the status strip is placed on the bound window, and how wide it is. */
import type { Rect } from '../../contract/element/geometry.ts';

/** Sizes at 96 DPI, in pixels. */
const PADDING = 8;
const MARK = 4;
const LEAST_WIDTH = 160;

/** Inner distances of the strip in physical pixels. */
export interface StripMeasures {
  readonly padding: number;
  /** Width of the coloured mark on the left. */
  readonly mark: number;
  /** Width at which the text wraps. */
  readonly textWidth: number;
  readonly width: number;
}

/** Widths of a window's strip and its text. `frame`: the window's visible part, screen pixels; `dpi` of its monitor. */
export function stripMeasures(frame: Rect, dpi: number): StripMeasures {
  const scale = dpi / 96;
  const padding = Math.round(PADDING * scale);
  const mark = Math.round(MARK * scale);
  const width = Math.max(frame.width, Math.round(LEAST_WIDTH * scale));
  return { padding, mark, width, textWidth: width - mark - 2 * padding };
}

/**
 * The strip's place: inside the window along its lower edge, since the title bar must stay visible and a maximised window
 * leaves no room outside. Screen pixels; `textHeight` as measured for `textWidth`.
 */
export function stripPlace(frame: Rect, measures: StripMeasures, textHeight: number): Rect {
  const height = textHeight + measures.padding;
  return { x: frame.x, y: frame.y + Math.max(0, frame.height - height), width: measures.width, height };
}

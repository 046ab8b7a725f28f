/** What the layout of a card is made of: texts, boxes and its picture. */
import type { Rect } from '../../contract/element/geometry.ts';

export type FontName = 'caption' | 'title' | 'text' | 'strong' | 'code' | 'button' | 'small';

/** Size of a text that wraps at `width` (without: a single line). */
export type Measure = (
  text: string,
  font: FontName,
  width?: number,
) => { readonly width: number; readonly height: number };

export type Item =
  | {
      readonly kind: 'text';
      readonly rect: Rect;
      readonly text: string;
      readonly font: FontName;
      readonly colour: 'text' | 'secondary' | 'risk-text' | 'chosen-text';
    }
  | { readonly kind: 'box'; readonly rect: Rect; readonly look: 'panel' | 'risk' | 'tag' | 'quote-bar' | 'bullet' }
  | { readonly kind: 'picture'; readonly rect: Rect };

/** The fonts of a card at one scale. */
import {
  CLEARTYPE_QUALITY,
  DEFAULT_CHARSET,
  FF_MODERN,
  FF_SWISS,
  FIXED_PITCH,
} from '../../../native-bindings/win32/constants.ts';
import { gdi32 } from '../../../native-bindings/win32/gdi32.ts';
import type { FontName } from './layout.ts';

const MODERN_FIXED = FF_MODERN | FIXED_PITCH;

/** Height in pixels at 96 DPI, weight, face. */
const FONTS: Readonly<Record<FontName, readonly [height: number, weight: number, face: string, family: number]>> = {
  caption: [12, 400, 'Segoe UI', FF_SWISS],
  small: [13, 400, 'Segoe UI', FF_SWISS],
  text: [15, 400, 'Segoe UI', FF_SWISS],
  strong: [14, 600, 'Segoe UI', FF_SWISS],
  title: [18, 600, 'Segoe UI', FF_SWISS],
  button: [16, 600, 'Segoe UI', FF_SWISS],
  code: [14, 400, 'Consolas', MODERN_FIXED],
};

/** The card's fonts at one scale (DPI / 96), created on first use. */
export class Fonts implements Disposable {
  readonly scale: number;
  readonly #handles = new Map<FontName, number>();

  constructor(scale: number) {
    this.scale = scale;
  }

  /** An HFONT, owned by this object. */
  handle(name: FontName): number {
    const known = this.#handles.get(name);
    if (known !== undefined) return known;
    const [height, weight, face, family] = FONTS[name];
    const made = gdi32.CreateFontW(
      -Math.round(height * this.scale),
      0,
      0,
      0,
      weight,
      0,
      0,
      0,
      DEFAULT_CHARSET,
      0,
      0,
      CLEARTYPE_QUALITY,
      family,
      face,
    );
    this.#handles.set(name, made);
    return made;
  }

  [Symbol.dispose](): void {
    for (const handle of this.#handles.values()) gdi32.DeleteObject(handle);
    this.#handles.clear();
  }
}

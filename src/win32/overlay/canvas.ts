/** A bitmap in memory that GDI draws on and that is copied to the window as a whole, and the fonts of its texts. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { gdi32 } from '../../../native-bindings/win32/gdi32.ts';
import { BITMAPINFOHEADER, RECT } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { FontName } from './layout.ts';
import { swapped } from './theme.ts';

const MODERN_FIXED = m.FF_MODERN | m.FIXED_PITCH;

/** Height in pixels at 96 DPI, weight, face. */
const FONTS: Readonly<Record<FontName, readonly [height: number, weight: number, face: string, family: number]>> = {
  caption: [12, 400, 'Segoe UI', m.FF_SWISS],
  small: [13, 400, 'Segoe UI', m.FF_SWISS],
  text: [15, 400, 'Segoe UI', m.FF_SWISS],
  strong: [14, 600, 'Segoe UI', m.FF_SWISS],
  title: [18, 600, 'Segoe UI', m.FF_SWISS],
  button: [16, 600, 'Segoe UI', m.FF_SWISS],
  strip: [13, 600, 'Segoe UI', m.FF_SWISS],
  code: [14, 400, 'Consolas', MODERN_FIXED],
};

/** The overlay's fonts at one scale (DPI / 96), created on first use. */
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
      m.DEFAULT_CHARSET,
      0,
      0,
      m.CLEARTYPE_QUALITY,
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

const rectMemory = ({ x, y, width, height }: Rect): Buffer =>
  RECT.alloc({ left: x, top: y, right: x + width, bottom: y + height });

/** A bitmap in memory that is drawn on with GDI and then copied at once, so that a half-drawn card is never visible. */
export class Canvas implements Disposable {
  readonly width: number;
  readonly height: number;
  readonly dc: number;
  readonly #bitmap: number;
  readonly #previous: number;
  readonly #fonts: Fonts;

  /** Errors: plain Error if GDI is out of memory. */
  constructor(width: number, height: number, fonts: Fonts) {
    this.width = width;
    this.height = height;
    this.#fonts = fonts;
    const screen = user32.GetDC(0);
    try {
      this.dc = gdi32.CreateCompatibleDC(screen);
      this.#bitmap = gdi32.CreateCompatibleBitmap(screen, width, height);
    } finally {
      user32.ReleaseDC(0, screen);
    }
    if (this.dc === 0 || this.#bitmap === 0) throw new Error(`GDI has no memory for a picture of ${width}×${height}.`);
    this.#previous = gdi32.SelectObject(this.dc, this.#bitmap);
    gdi32.SetBkMode(this.dc, m.TRANSPARENT);
    gdi32.SetStretchBltMode(this.dc, m.HALFTONE);
  }

  /** The HBITMAP, for reading its pixels, which requires that no context has it selected. */
  read<T>(use: (dc: number, bitmap: number) => T): T {
    gdi32.SelectObject(this.dc, this.#previous);
    try {
      return use(this.dc, this.#bitmap);
    } finally {
      gdi32.SelectObject(this.dc, this.#bitmap);
    }
  }

  plain(rect: Rect, colour: number): void {
    const brush = gdi32.CreateSolidBrush(swapped(colour));
    user32.FillRect(this.dc, rectMemory(rect), brush);
    gdi32.DeleteObject(brush);
  }

  /** A rectangle with round corners; null omits the fill or the line. */
  round(
    rect: Rect,
    radius: number,
    fill: number | null,
    line: { readonly colour: number; readonly width: number } | null,
  ): void {
    const brush = fill === null ? gdi32.GetStockObject(m.NULL_BRUSH) : gdi32.CreateSolidBrush(swapped(fill));
    const pen =
      line === null ? gdi32.GetStockObject(m.NULL_PEN) : gdi32.CreatePen(m.PS_SOLID, line.width, swapped(line.colour));
    const [oldBrush, oldPen] = [gdi32.SelectObject(this.dc, brush), gdi32.SelectObject(this.dc, pen)];
    // Without a line GDI omits the last row and column.
    const more = line === null ? 1 : 0;
    gdi32.RoundRect(
      this.dc,
      rect.x,
      rect.y,
      rect.x + rect.width + more,
      rect.y + rect.height + more,
      radius * 2,
      radius * 2,
    );
    gdi32.SelectObject(this.dc, oldBrush);
    gdi32.SelectObject(this.dc, oldPen);
    if (fill !== null) gdi32.DeleteObject(brush);
    if (line !== null) gdi32.DeleteObject(pen);
  }

  measure(text: string, font: FontName, width?: number): { width: number; height: number } {
    const memory = rectMemory({ x: 0, y: 0, width: width ?? 0, height: 0 });
    this.#withFont(font, () =>
      user32.DrawTextW(
        this.dc,
        text,
        -1,
        memory,
        m.DT_CALCRECT | m.DT_NOPREFIX | (width === undefined ? m.DT_SINGLELINE : m.DT_WORDBREAK | m.DT_EDITCONTROL),
      ),
    );
    return { width: memory.readInt32LE(8), height: memory.readInt32LE(12) };
  }

  /** Text that wraps and is clipped to the rectangle. */
  wrapped(text: string, font: FontName, rect: Rect, colour: number, align: 'left' | 'centre' = 'left'): void {
    gdi32.SetTextColor(this.dc, swapped(colour));
    // DT_EDITCONTROL breaks words that are longer than a line, as addresses and paths are.
    const how = m.DT_NOPREFIX | m.DT_WORDBREAK | m.DT_EDITCONTROL | (align === 'left' ? 0 : m.DT_CENTER);
    this.#withFont(font, () => user32.DrawTextW(this.dc, text, -1, rectMemory(rect), how));
  }

  /** One line, with an ellipsis if it does not fit. */
  line(text: string, font: FontName, rect: Rect, colour: number, align: 'left' | 'centre' | 'right' = 'left'): void {
    gdi32.SetTextColor(this.dc, swapped(colour));
    const side = align === 'left' ? 0 : align === 'centre' ? m.DT_CENTER : m.DT_RIGHT;
    this.#withFont(font, () =>
      user32.DrawTextW(
        this.dc,
        text,
        -1,
        rectMemory(rect),
        m.DT_NOPREFIX | m.DT_SINGLELINE | m.DT_VCENTER | m.DT_END_ELLIPSIS | side,
      ),
    );
  }

  /** Clips drawing to `rect` while `draw` runs. */
  clipped(rect: Rect, draw: () => void): void {
    const region = gdi32.CreateRectRgn(rect.x, rect.y, rect.x + rect.width, rect.y + rect.height);
    gdi32.SelectClipRgn(this.dc, region);
    try {
      draw();
    } finally {
      gdi32.SelectClipRgn(this.dc, 0);
      gdi32.DeleteObject(region);
    }
  }

  /** Draws a part of an image (four bytes per pixel, rows from the top) into a rectangle. */
  image(
    source: { readonly width: number; readonly height: number; readonly pixels: Uint8Array },
    from: Rect,
    to: Rect,
  ): void {
    using copy = new Canvas(source.width, source.height, this.#fonts);
    const info = BITMAPINFOHEADER.alloc({
      biSize: BITMAPINFOHEADER.size,
      biWidth: source.width,
      biHeight: -source.height,
      biPlanes: 1,
      biBitCount: 32,
    });
    gdi32.SetDIBitsToDevice(
      copy.dc,
      0,
      0,
      source.width,
      source.height,
      0,
      0,
      0,
      source.height,
      source.pixels,
      info,
      m.DIB_RGB_COLORS,
    );
    gdi32.StretchBlt(
      this.dc,
      to.x,
      to.y,
      to.width,
      to.height,
      copy.dc,
      from.x,
      from.y,
      from.width,
      from.height,
      m.SRCCOPY,
    );
  }

  copyTo(dc: number): void {
    gdi32.BitBlt(dc, 0, 0, this.width, this.height, this.dc, 0, 0, m.SRCCOPY);
  }

  [Symbol.dispose](): void {
    gdi32.SelectObject(this.dc, this.#previous);
    gdi32.DeleteObject(this.#bitmap);
    gdi32.DeleteDC(this.dc);
  }

  #withFont(font: FontName, draw: () => void): void {
    const previous = gdi32.SelectObject(this.dc, this.#fonts.handle(font));
    try {
      draw();
    } finally {
      gdi32.SelectObject(this.dc, previous);
    }
  }
}

/** Drawing and pixels: gdi32.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const gdi32 = bindLibrary('gdi32.dll', {
  /** A memory device context. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-createcompatibledc */
  CreateCompatibleDC: fn('handle', ['handle dc']),
  /** A bitmap like the context's. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-createcompatiblebitmap */
  CreateCompatibleBitmap: fn('handle', ['handle dc', 'int32 width', 'int32 height']),
  /** A bitmap whose pixels can be read directly; their address goes to a uint64. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-createdibsection */
  CreateDIBSection: fn('handle', [
    'handle dc',
    'ptr info',
    'uint32 usage',
    'ptr bits',
    'handle section',
    'uint32 offset',
  ]),
  /** Puts an object in a context; the previous one. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-selectobject */
  SelectObject: fn('handle', ['handle dc', 'handle object']),
  /** A stock brush, pen or font; not to be deleted. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-getstockobject */
  GetStockObject: fn('handle', ['int32 index']),
  /**
   * Deletes a bitmap, brush, font, pen or region.
   * https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-deleteobject
   */
  DeleteObject: fn('bool', ['handle object']),
  /** Deletes a memory context. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-deletedc */
  DeleteDC: fn('bool', ['handle dc']),
  /** Whether x counts from the right; the previous layout. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-setlayout */
  SetLayout: fn('uint32', ['handle dc', 'uint32 layout']),
  /** Copies pixels. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-bitblt */
  BitBlt: fn('bool', [
    'handle to',
    'int32 x',
    'int32 y',
    'int32 width',
    'int32 height',
    'handle from',
    'int32 fromX',
    'int32 fromY',
    'uint32 operation',
  ]),
  /** Copies and scales pixels. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-stretchblt */
  StretchBlt: fn('bool', [
    'handle to',
    'int32 x',
    'int32 y',
    'int32 width',
    'int32 height',
    'handle from',
    'int32 fromX',
    'int32 fromY',
    'int32 fromWidth',
    'int32 fromHeight',
    'uint32 operation',
  ]),
  /** How to scale. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-setstretchbltmode */
  SetStretchBltMode: fn('int32', ['handle dc', 'int32 mode']),
  /** Pixels of a bitmap (BITMAPINFOHEADER; negative height = top down). https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-getdibits */
  GetDIBits: fn('int32', [
    'handle dc',
    'handle bitmap',
    'uint32 start',
    'uint32 lines',
    'ptr bits',
    'ptr info',
    'uint32 usage',
  ]),
  /** Draws pixels. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-setdibitstodevice */
  SetDIBitsToDevice: fn('int32', [
    'handle dc',
    'int32 x',
    'int32 y',
    'uint32 width',
    'uint32 height',
    'int32 fromX',
    'int32 fromY',
    'uint32 start',
    'uint32 lines',
    'ptr bits',
    'ptr info',
    'uint32 usage',
  ]),
  /** Finishes what is batched; before reading a DIB section. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-gdiflush */
  GdiFlush: fn('bool', []),
  /** BITMAP, LOGFONTW … https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-getobjectw */
  GetObjectW: fn('int32', ['handle object', 'int32 size', 'ptr info']),
  /** A brush, 0x00BBGGRR. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-createsolidbrush */
  CreateSolidBrush: fn('handle', ['uint32 colour']),
  /** A pen. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-createpen */
  CreatePen: fn('handle', ['int32 style', 'int32 width', 'uint32 colour']),
  /** A font. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-createfontw */
  CreateFontW: fn('handle', [
    'int32 height',
    'int32 width',
    'int32 escapement',
    'int32 orientation',
    'int32 weight',
    'uint32 italic',
    'uint32 underline',
    'uint32 strikeOut',
    'uint32 charset',
    'uint32 outPrecision',
    'uint32 clipPrecision',
    'uint32 quality',
    'uint32 pitchAndFamily',
    'str16 face',
  ]),
  /** Colour of text; the previous one. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-settextcolor */
  SetTextColor: fn('uint32', ['handle dc', 'uint32 colour']),
  /** Colour behind text; the previous one. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-setbkcolor */
  SetBkColor: fn('uint32', ['handle dc', 'uint32 colour']),
  /** 1 = transparent behind text. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-setbkmode */
  SetBkMode: fn('int32', ['handle dc', 'int32 mode']),
  /** Outlined and filled rectangle. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-rectangle */
  Rectangle: fn('bool', ['handle dc', 'int32 left', 'int32 top', 'int32 right', 'int32 bottom']),
  /** The same with round corners. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-roundrect */
  RoundRect: fn('bool', [
    'handle dc',
    'int32 left',
    'int32 top',
    'int32 right',
    'int32 bottom',
    'int32 width',
    'int32 height',
  ]),
  /** Fills with the brush. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-patblt */
  PatBlt: fn('bool', ['handle dc', 'int32 x', 'int32 y', 'int32 width', 'int32 height', 'uint32 operation']),
  /** A region. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-createrectrgn */
  CreateRectRgn: fn('handle', ['int32 left', 'int32 top', 'int32 right', 'int32 bottom']),
  /** Lets only a region be drawn on (0 = everything); the region is copied. https://learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-selectcliprgn */
  SelectClipRgn: fn('int32', ['handle dc', 'handle region']),
});

/** Bitmaps, fonts, blending. Reference: https://learn.microsoft.com/windows/win32/api/wingdi/ */
import { chars, layout } from '../../layout.ts';

/** A negative `biHeight` means top down. */
export const BITMAPINFOHEADER = layout('BITMAPINFOHEADER', {
  biSize: 'uint32',
  biWidth: 'int32',
  biHeight: 'int32',
  biPlanes: 'uint16',
  biBitCount: 'uint16',
  biCompression: 'uint32',
  biSizeImage: 'uint32',
  biXPelsPerMeter: 'int32',
  biYPelsPerMeter: 'int32',
  biClrUsed: 'uint32',
  biClrImportant: 'uint32',
});
export const BITMAP = layout('BITMAP', {
  bmType: 'int32',
  bmWidth: 'int32',
  bmHeight: 'int32',
  bmWidthBytes: 'int32',
  bmPlanes: 'uint16',
  bmBitsPixel: 'uint16',
  bmBits: 'ptr',
});
export const BLENDFUNCTION = layout('BLENDFUNCTION', {
  BlendOp: 'uint8',
  BlendFlags: 'uint8',
  SourceConstantAlpha: 'uint8',
  AlphaFormat: 'uint8',
});
export const LOGFONTW = layout('LOGFONTW', {
  lfHeight: 'int32',
  lfWidth: 'int32',
  lfEscapement: 'int32',
  lfOrientation: 'int32',
  lfWeight: 'int32',
  lfItalic: 'uint8',
  lfUnderline: 'uint8',
  lfStrikeOut: 'uint8',
  lfCharSet: 'uint8',
  lfOutPrecision: 'uint8',
  lfClipPrecision: 'uint8',
  lfQuality: 'uint8',
  lfPitchAndFamily: 'uint8',
  lfFaceName: chars(32),
});

/** Icons of programs as data URLs. */
import { gdi32 } from '../../../native-bindings/win32/gdi32.ts';
import { BITMAP, ICONINFO } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { encodeRgbaPng } from '../imaging/encode.ts';
import { readBitmap } from '../imaging/gdi.ts';
import { isForeignPath } from '../system/trust.ts';
import { linkedProgram } from './sources.ts';

/** Edge of an icon in pixels: enough for lists of applications at usual scales. */
const ICON_EDGE = 48;
const NO_FILE = 0xffff_ffff;

function bitmapSize(bitmap: number): { width: number; height: number } | null {
  const info = BITMAP.alloc();
  if (gdi32.GetObjectW(bitmap, BITMAP.size, info) === 0) return null;
  const { bmWidth, bmHeight } = BITMAP.read(info);
  return { width: bmWidth, height: bmHeight };
}

function pixelsOf(bitmap: number, size: { width: number; height: number }): Int32Array | null {
  const screen = user32.GetDC(0);
  if (screen === 0) return null;
  try {
    return readBitmap(screen, bitmap, size)?.pixels ?? null;
  } finally {
    user32.ReleaseDC(0, screen);
  }
}

/** Pixels of an icon handle. Source: learn.microsoft.com/windows/win32/api/winuser/ns-winuser-iconinfo */
function readIcon(icon: number): { width: number; height: number; rgba: Buffer } | null {
  const memory = ICONINFO.alloc();
  if (!user32.GetIconInfo(icon, memory)) return null;
  const { hbmMask, hbmColor } = ICONINFO.read(memory);
  try {
    const size = hbmColor === 0 ? null : bitmapSize(hbmColor);
    if (size === null) return null;
    const colours = pixelsOf(hbmColor, size);
    const mask = hbmMask === 0 ? null : pixelsOf(hbmMask, size);
    return colours === null ? null : { ...size, rgba: iconToRgba(colours, mask) };
  } finally {
    for (const bitmap of [hbmMask, hbmColor]) if (bitmap !== 0) gdi32.DeleteObject(bitmap);
  }
}

/** An icon of a file in 48 pixels; null if it has none. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-privateextracticonsw */
function extractIcon(file: string, index: number): { width: number; height: number; rgba: Buffer } | null {
  const icon = Buffer.alloc(8);
  const id = Buffer.alloc(4);
  const count = user32.PrivateExtractIconsW(file, index, ICON_EDGE, ICON_EDGE, icon, id, 1, 0);
  const handle = Number(icon.readBigUInt64LE(0));
  if (count === 0 || count === NO_FILE || handle === 0) return null;
  try {
    return readIcon(handle);
  } finally {
    user32.DestroyIcon(handle);
  }
}

/** Icon of a program, or of the program that a link starts, as a PNG data URL with transparency; undefined if there is none. */
export async function iconDataUrl(file: string): Promise<string | undefined> {
  const link = /\.lnk$/i.test(file) ? linkedProgram(file) : null;
  const places =
    link === null
      ? [{ file, index: 0 }]
      : [
          ...(link.iconLocation === '' ? [] : [{ file: link.iconLocation, index: link.iconIndex }]),
          { file: link.executable, index: 0 },
        ];
  for (const place of places) {
    if (isForeignPath(place.file)) continue;
    const icon = extractIcon(place.file, place.index);
    if (icon !== null)
      return `data:image/png;base64,${(await encodeRgbaPng(icon.width, icon.height, icon.rgba)).toString('base64')}`;
  }
  return undefined;
}

// Pixels of an icon as RGBA.

/**
 * Colour pixels of an icon (0xAARRGGBB) and its mask → RGBA bytes. Icons older than Windows XP have no alpha: a white
 * pixel of their mask is transparent. Source: learn.microsoft.com/windows/win32/menurc/icons
 */
export function iconToRgba(colours: Int32Array, mask: Int32Array | null): Buffer {
  const hasAlpha = colours.some((pixel) => pixel >>> 24 !== 0);
  const rgba = Buffer.alloc(colours.length * 4);
  colours.forEach((pixel, index) => {
    const isMasked = mask !== null && ((mask[index] ?? 0) & 0x00ff_ffff) !== 0;
    rgba[index * 4] = pixel >>> 16;
    rgba[index * 4 + 1] = pixel >>> 8;
    rgba[index * 4 + 2] = pixel;
    rgba[index * 4 + 3] = hasAlpha ? pixel >>> 24 : isMasked ? 0 : 255;
  });
  return rgba;
}

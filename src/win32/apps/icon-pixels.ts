/** Pixels of an icon as RGBA. No Windows in here. */
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

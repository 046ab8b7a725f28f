/** Reads type and size of PNG, JPEG and WebP from their structure, and refuses anything but one complete still picture. */
import { crc32 } from 'node:zlib';
import type { ImageMimeType } from '../contract/artifact.ts';

export interface ImageFacts {
  readonly mimeType: ImageMimeType;
  readonly width: number;
  readonly height: number;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Which of the three types the first bytes indicate; null for any other. */
export function sniffMimeType(bytes: Buffer): ImageMimeType | null {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return null;
}

/**
 * Type and size of a still picture, read from its structure: every part is walked to the end of the bytes, so that truncated
 * files, files with appended data, and animations are refused. Null for anything else.
 */
export function parseImage(bytes: Buffer): ImageFacts | null {
  const mimeType = sniffMimeType(bytes);
  if (mimeType === null) return null;
  try {
    const size = PARSERS[mimeType](bytes);
    return size === null || size.width < 1 || size.height < 1 ? null : { mimeType, ...size };
  } catch (error) {
    // Reading past the end: a truncated file.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

type Size = { width: number; height: number };
type Parser = (bytes: Buffer) => Size | null;

const PARSERS: Record<ImageMimeType, Parser> = {
  'image/png': parsePng,
  'image/jpeg': parseJpeg,
  'image/webp': parseWebp,
};

/** www.w3.org/TR/png-3: signature, then chunks of length, type, data, CRC; IHDR first, IEND last. */
function parsePng(bytes: Buffer): Size | null {
  let size: Size | null = null;
  let hasData = false;
  for (let at = PNG_SIGNATURE.length; ;) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (bytes.readUInt32BE(end - 4) !== crc32(bytes.subarray(at + 4, end - 4))) return null;
    if (size === null) {
      if (type !== 'IHDR' || length !== 13) return null;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (type === 'acTL') return null;
    if (type === 'IDAT') hasData = true;
    if (type === 'IEND') return hasData && end === bytes.length ? size : null;
    at = end;
  }
}

/** www.w3.org/Graphics/JPEG/itu-t81.pdf, annex B: marker segments; the frame header (SOFn) has the size; EOI ends it. */
function parseJpeg(bytes: Buffer): Size | null {
  if (bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) return null;
  let size: Size | null = null;
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    // After the start of scan comes entropy-coded data, whose end was checked above.
    if (marker === 0xda) return size;
    if (marker === 0xd9 || marker === 0xd8) return null;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
}

const ANIMATION_FLAG = 0x02;

/** developers.google.com/speed/webp/docs/riff_container: RIFF chunks; VP8 or VP8L has the picture, VP8X the canvas. */
function parseWebp(bytes: Buffer): Size | null {
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return null;
  let canvas: Size | null = null;
  let frame: Size | null = null;
  for (let at = 12; at < bytes.length;) {
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = at + 8;
    if (type === 'VP8X') {
      if ((bytes.readUInt8(data) & ANIMATION_FLAG) !== 0) return null;
      canvas = { width: bytes.readUIntLE(data + 4, 3) + 1, height: bytes.readUIntLE(data + 7, 3) + 1 };
    } else if (type === 'VP8 ') {
      if (bytes.readUIntBE(data + 3, 3) !== 0x9d012a) return null;
      frame = { width: bytes.readUInt16LE(data + 6) & 0x3fff, height: bytes.readUInt16LE(data + 8) & 0x3fff };
    } else if (type === 'VP8L') {
      if (bytes.readUInt8(data) !== 0x2f) return null;
      const bits = bytes.readUInt32LE(data + 1);
      frame = { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    at = data + length + (length % 2);
    if (at > bytes.length) return null;
  }
  if (frame === null) return null;
  return canvas ?? frame;
}

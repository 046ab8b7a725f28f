// A PNG writer for pictures of the desktop: needs nothing but Node, so it works before anything is installed.
import * as zlib from 'node:zlib';

/** PNG of RGB bytes (three a pixel, row by row). Format: www.w3.org/TR/png-3. */
export function encodePng(width, height, rgb) {
  const stride = width * 3;
  const filtered = Buffer.allocUnsafe((stride + 1) * height);
  for (let row = 0; row < height; row += 1) {
    const to = row * (stride + 1);
    const from = row * stride;
    // filter 2, "up": equal rows become zeros, which is what screens are made of
    filtered[to] = row === 0 ? 0 : 2;
    if (row === 0) rgb.copy(filtered, to + 1, from, from + stride);
    else for (let column = 0; column < stride; column += 1) filtered[to + 1 + column] = rgb[from + column] - rgb[from - stride + column];
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8); // eight bits, true colour
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header), chunk('IDAT', zlib.deflateSync(filtered, { level: 6 })), chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

let table;
/** zlib's own where Node has it (22 and newer); otherwise the same, by a table. */
function crc32(bytes) {
  if (zlib.crc32) return zlib.crc32(bytes);
  table ??= Uint32Array.from({ length: 256 }, (_, value) => {
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value;
  });
  let crc = 0xffffffff;
  for (const byte of bytes) crc = table[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

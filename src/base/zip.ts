/**
 * Writes a zip archive in memory, from a few small files: deflated, names in UTF-8, no dates but the given one, so that the same
 * files give the same bytes. The runtime has no archive library, and zlib of Node does the compression.
 * Source: APPNOTE.TXT 6.3.10, 4.3 (pkware.com/appnote)
 */
import { deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  /** With forward slashes, relative. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** 2.0: deflate. */
const VERSION = 20;
/** Names are UTF-8. */
const UTF8 = 0x0800;
const DEFLATED = 8;

const CRC_TABLE = Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = (rest & 1) === 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest >>> 0;
});

/** zlib.crc32 is newer than the oldest Node that runs the command. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Date and time as MS-DOS has them: two seconds' steps, from 1980. */
function dosTime(date: Date): { time: number; date: number } {
  const year = Math.max(1980, date.getUTCFullYear());
  return {
    time: (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
    date: ((year - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
  };
}

export function zip(entries: readonly ZipEntry[], at: Date): Buffer {
  const { time, date } = dosTime(at);
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const path = Buffer.from(name, 'utf8');
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(UTF8, 2);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt16LE(time, 6);
    common.writeUInt16LE(date, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.alloc(4);
    local.writeUInt32LE(LOCAL);
    const begin = Buffer.alloc(6);
    begin.writeUInt32LE(CENTRAL, 0);
    begin.writeUInt16LE(VERSION, 4);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    parts.push(local, common, path, packed);
    central.push(begin, common, rest, path);
    offset += local.length + common.length + path.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

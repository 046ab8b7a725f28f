/** Reading `.lnk` files. No Windows in here. */
import * as m from '../../../native-bindings/win32/constants.ts';
/**
 * The target of a `.lnk` file, read from its bytes: without the shell, an apartment or any access to the network.
 * Source: learn.microsoft.com/openspecs/windows_protocols/ms-shllink (sections 2.1 to 2.5)
 */
export interface ShellLink {
  /** Full path or a path with variables (`%windir%\…`); null if the link names a shell item instead of a file. */
  readonly target: string | null;
  readonly arguments: string;
  readonly workingDirectory: string;
  /** The icon's file, if it is not the target; with variables. */
  readonly iconLocation: string;
  readonly iconIndex: number;
}

const HEADER_BYTES = 0x4c;
/** CLSID 00021401-0000-0000-C000-000000000046. */
const LINK_CLASS = '0114020000000000c000000000000046';
/** Extra data block with a path that has variables. */
const ENVIRONMENT_BLOCK = m.EXP_SZ_LINK_SIG;

/** A cursor over the file; reading past the end throws, and the link counts as unreadable. */
class Reader {
  readonly #bytes: Buffer;
  at = 0;
  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  uint16(): number {
    const value = this.#bytes.readUInt16LE(this.at);
    this.at += 2;
    return value;
  }

  /** A counted string of section 2.4. */
  counted(isUnicode: boolean): string {
    const count = this.uint16();
    const bytes = count * (isUnicode ? 2 : 1);
    if (this.at + bytes > this.#bytes.length) throw new RangeError('the link ends inside a string');
    const text = this.#bytes.toString(isUnicode ? 'utf16le' : 'latin1', this.at, this.at + bytes);
    this.at += bytes;
    return text;
  }
}

function untilNul(bytes: Buffer, at: number, isUnicode: boolean): string {
  let end = at;
  if (isUnicode) while (end + 1 < bytes.length && bytes.readUInt16LE(end) !== 0) end += 2;
  else while (end < bytes.length && bytes[end] !== 0) end += 1;
  return bytes.toString(isUnicode ? 'utf16le' : 'latin1', at, end);
}

/** The local path of a LinkInfo structure (section 2.3); '' if the target is not on a drive. */
function localPath(bytes: Buffer, at: number): string {
  const headerSize = bytes.readUInt32LE(at + 4);
  const flags = bytes.readUInt32LE(at + 8);
  if ((flags & 1) === 0) return '';
  if (headerSize >= 0x24) {
    const base = bytes.readUInt32LE(at + 0x1c);
    const suffix = bytes.readUInt32LE(at + 0x20);
    if (base !== 0) return untilNul(bytes, at + base, true) + (suffix === 0 ? '' : untilNul(bytes, at + suffix, true));
  }
  const base = bytes.readUInt32LE(at + 0x10);
  const suffix = bytes.readUInt32LE(at + 0x18);
  return base === 0
    ? ''
    : untilNul(bytes, at + base, false) + (suffix === 0 ? '' : untilNul(bytes, at + suffix, false));
}

function environmentTarget(bytes: Buffer, from: number): string {
  for (let at = from; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32LE(at);
    if (size < 8 || at + size > bytes.length) return '';
    // 260 bytes in the system's code page, then 260 UTF-16 units.
    if (bytes.readUInt32LE(at + 4) === ENVIRONMENT_BLOCK && size >= 0x314)
      return untilNul(bytes.subarray(at + 268, at + 788), 0, true);
    at += size;
  }
  return '';
}

/** Reads a link; null for bytes that are not a link or end too early. */
export function readShellLink(bytes: Buffer): ShellLink | null {
  try {
    if (
      bytes.length < HEADER_BYTES ||
      bytes.readUInt32LE(0) !== HEADER_BYTES ||
      bytes.toString('hex', 4, 20) !== LINK_CLASS
    )
      return null;
    const flags = bytes.readUInt32LE(0x14);
    const iconIndex = bytes.readInt32LE(0x38);
    const reader = new Reader(bytes, HEADER_BYTES);
    if ((flags & m.SLDF_HAS_ID_LIST) !== 0) reader.at += reader.uint16();
    let target = '';
    if ((flags & m.SLDF_HAS_LINK_INFO) !== 0) {
      target = localPath(bytes, reader.at);
      reader.at += bytes.readUInt32LE(reader.at);
    }
    const isUnicode = (flags & m.SLDF_UNICODE) !== 0;
    const next = (flag: number): string => ((flags & flag) === 0 ? '' : reader.counted(isUnicode));
    next(m.SLDF_HAS_NAME);
    next(m.SLDF_HAS_RELPATH);
    const workingDirectory = next(m.SLDF_HAS_WORKINGDIR);
    const args = next(m.SLDF_HAS_ARGS);
    const iconLocation = next(m.SLDF_HAS_ICONLOCATION);
    const variable = environmentTarget(bytes, reader.at);
    return {
      target: (variable === '' ? target : variable) || null,
      arguments: args,
      workingDirectory,
      iconLocation,
      iconIndex,
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

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
  /** The icon's file, if it is not the target; with variables. */
  readonly iconLocation: string;
  readonly iconIndex: number;
}

const HEADER_BYTES = 0x4c;
/** CLSID 00021401-0000-0000-C000-000000000046. */
const LINK_CLASS = '0114020000000000c000000000000046';
/** Extra data block with a path that has variables. */
const ENVIRONMENT_BLOCK = m.EXP_SZ_LINK_SIG;

const encodingOf = (isUnicode: boolean): 'utf16le' | 'latin1' => (isUnicode ? 'utf16le' : 'latin1');

const untilNul = (bytes: Buffer, at: number, isUnicode: boolean): string =>
  bytes.toString(encodingOf(isUnicode), at).split('\0', 1)[0]!;

/** The local path of a LinkInfo structure (section 2.3); '' if the target is not on a drive. */
function localPath(bytes: Buffer, at: number): string {
  const isUnicode = bytes.readUInt32LE(at + 4) >= 0x24 && bytes.readUInt32LE(at + 0x1c) !== 0;
  const [base, suffix] = (isUnicode ? [0x1c, 0x20] : [0x10, 0x18]).map((place) => bytes.readUInt32LE(at + place)) as [
    number,
    number,
  ];
  if ((bytes.readUInt32LE(at + 8) & 1) === 0 || base === 0) return '';
  return untilNul(bytes, at + base, isUnicode) + (suffix === 0 ? '' : untilNul(bytes, at + suffix, isUnicode));
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
    let at = HEADER_BYTES;
    if ((flags & m.SLDF_HAS_ID_LIST) !== 0) at += 2 + bytes.readUInt16LE(at);
    let target = '';
    if ((flags & m.SLDF_HAS_LINK_INFO) !== 0) {
      target = localPath(bytes, at);
      at += bytes.readUInt32LE(at);
    }
    const isUnicode = (flags & m.SLDF_UNICODE) !== 0;
    /** A counted string of section 2.4. */
    const next = (flag: number): string => {
      if ((flags & flag) === 0) return '';
      const begin = at + 2;
      at = begin + bytes.readUInt16LE(at) * (isUnicode ? 2 : 1);
      if (at > bytes.length) throw new RangeError('the link ends inside a string');
      return bytes.toString(encodingOf(isUnicode), begin, at);
    };
    for (const flag of [m.SLDF_HAS_NAME, m.SLDF_HAS_RELPATH, m.SLDF_HAS_WORKINGDIR]) next(flag);
    const [args, iconLocation] = [next(m.SLDF_HAS_ARGS), next(m.SLDF_HAS_ICONLOCATION)];
    const variable = environmentTarget(bytes, at);
    return { target: variable || target || null, arguments: args, iconLocation, iconIndex: bytes.readInt32LE(0x38) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

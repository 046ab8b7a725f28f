/** Names of programs from their version resources. */
import { readMemory, readString16 } from '../../../native-bindings/library.ts';
import { version } from '../../../native-bindings/win32/version.ts';

const hex4 = (value: number): string => value.toString(16).padStart(4, '0');

/** Language and code page pairs to try if the file lists none: US English in Unicode and Windows-1252, neutral. */
const USUAL = ['040904b0', '040904e4', '000004b0'];

/**
 * `FileDescription` of a program: the name that Windows itself shows for it. Null where the file has no version resource.
 * Source: learn.microsoft.com/windows/win32/api/winver/nf-winver-verqueryvaluew
 */
export function fileDescription(path: string): string | null {
  const unused = Buffer.alloc(4);
  const size = version.GetFileVersionInfoSizeW(path, unused);
  if (size === 0) return null;
  const data = Buffer.alloc(size);
  if (!version.GetFileVersionInfoW(path, 0, size, data)) return null;
  const address = Buffer.alloc(8);
  const length = Buffer.alloc(4);
  const query = (name: string): { at: bigint; length: number } | null =>
    version.VerQueryValueW(data, name, address, length) && length.readUInt32LE(0) > 0
      ? { at: address.readBigUInt64LE(0), length: length.readUInt32LE(0) }
      : null;
  const listed: string[] = [];
  const translation = query('\\VarFileInfo\\Translation');
  if (translation !== null) {
    const pairs = readMemory(translation.at, translation.length);
    for (let at = 0; at + 4 <= pairs.length; at += 4)
      listed.push(hex4(pairs.readUInt16LE(at)) + hex4(pairs.readUInt16LE(at + 2)));
  }
  for (const language of [...listed, ...USUAL]) {
    const value = query(`\\StringFileInfo\\${language}\\FileDescription`);
    const text = value === null ? '' : readString16(value.at).trim();
    if (text !== '') return text;
  }
  return null;
}

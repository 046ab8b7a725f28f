/** Known folders, Windows' folders, long paths. */
import { guid } from '../../../native-bindings/com/guid.ts';
import { readString16 } from '../../../native-bindings/library.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { ole32 } from '../../../native-bindings/win32/ole32.ts';
import { shell32 } from '../../../native-bindings/win32/shell32.ts';

/** Known folders. Source: learn.microsoft.com/windows/win32/shell/knownfolderid */
export const KNOWN_FOLDERS = {
  /** Start menu of this user. */
  programs: guid('a77f5d77-2e2b-44c3-a6a2-aba601054a51'),
  /** Start menu of all users. */
  commonPrograms: guid('0139d44e-6afe-49f2-8690-3dafcae6ffb8'),
  programFiles: guid('905e63b6-c1bf-494e-b29c-65b732d3d21a'),
  localAppData: guid('f1b32785-6fba-4fcf-9d55-7b8e7f157091'),
  programData: guid('62ab5d82-fdc1-4dc3-a9dd-070d1d495d97'),
} as const;

/** Path of a known folder; null if the system does not have it. Source: learn.microsoft.com/windows/win32/api/shlobj_core/nf-shlobj_core-shgetknownfolderpath */
export function knownFolder(name: keyof typeof KNOWN_FOLDERS): string | null {
  const path = Buffer.alloc(8);
  const result = shell32.SHGetKnownFolderPath(KNOWN_FOLDERS[name], 0, 0, path);
  const memory = path.readBigUInt64LE(0);
  try {
    return result < 0 || memory === 0n ? null : readString16(memory);
  } finally {
    ole32.CoTaskMemFree(memory === 0n ? null : memory);
  }
}

/** `C:\Windows\System32`. */
export function systemFolder(): string {
  const path = Buffer.alloc(1040);
  return path.toString('utf16le', 0, kernel32.GetSystemDirectoryW(path, 520) * 2);
}

/** `C:\Windows`. */
export function windowsFolder(): string {
  const path = Buffer.alloc(1040);
  return path.toString('utf16le', 0, kernel32.GetWindowsDirectoryW(path, 520) * 2);
}

/** The path with long names instead of short ones (`PROGRA~1`); unchanged if it does not exist. Source: learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-getlongpathnamew */
export function longPath(path: string): string {
  const long = Buffer.alloc(65_534);
  const units = kernel32.GetLongPathNameW(path, long, 32_767);
  return units === 0 || units > 32_767 ? path : long.toString('utf16le', 0, units * 2);
}

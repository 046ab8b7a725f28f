/** Program files: which paths name one, whether it is a console program, and whether it is made with Chromium. */
import { IMAGE_SUBSYSTEM_WINDOWS_CUI } from '../../../native-bindings/win32/constants.ts';
import { statSync, openSync, readSync, closeSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { placeOfPath } from '../../contract/gate/app-match.ts';
import { isForeignPath } from '../system/trust.ts';
import { longPath } from './folders.ts';
import { attempt } from '../../contract/attempt.ts';

const PROGRAM = /\.(exe|com)$/i;

/** Whether a path names an executable: scripts and documents are not opened as applications. */
export function isProgramPath(text: string): boolean {
  return PROGRAM.test(text);
}

export function isFile(file: string): boolean {
  return attempt(() => statSync(file).isFile(), false);
}

/**
 * The full path of an existing program, with long names and plain separators; null for anything else. A program on another
 * machine is assumed to exist: its path is not touched before a person has allowed it to start.
 */
export function existingProgram(text: string): string | null {
  if (!isProgramPath(text) || !path.win32.isAbsolute(text)) return null;
  const normal = path.win32.normalize(text);
  if (isForeignPath(normal))
    return placeOfPath(normal) === 'device'
      ? null
      : normal.replace(/^\\\\[?]\\(UNC\\)?/i, (_prefix, unc?: string) => (unc === undefined ? '' : '\\\\'));
  return isFile(normal) ? longPath(normal) : null;
}

/** Whether a program runs in a console, by its header. Source: learn.microsoft.com/windows/win32/debug/pe-format (optional header, Subsystem) */
export function isConsoleProgram(file: string): boolean {
  const handle = attempt(() => openSync(file, 'r'), null);
  if (handle === null) return false;
  try {
    const header = Buffer.alloc(4096);
    const read = readSync(handle, header, 0, header.length, 0);
    const at = read >= 0x40 ? header.readUInt32LE(0x3c) : 0;
    // Subsystem is at the same place in 32-bit and 64-bit headers: 68 bytes into the optional header, 24 after the signature.
    return (
      at > 0 &&
      at + 24 + 70 <= read &&
      header.toString('latin1', at, at + 2) === 'PE' &&
      header.readUInt16LE(at + 24 + 68) === IMAGE_SUBSYSTEM_WINDOWS_CUI
    );
  } catch {
    return false;
  } finally {
    closeSync(handle);
  }
}

// Programs made with Chromium: browsers, Electron, CEF. They share a switch, which other programs would misread.

/**
 * Chromium's switch that builds the accessibility tree from the start instead of on request.
 * Source: chromium.org/developers/design-documents/accessibility
 */
export const ACCESSIBILITY_SWITCH = '--force-renderer-accessibility';

/** Files that each Chromium brings: its Unicode data, its V8 start data, its resources, or its library. */
const CHROMIUM_FILES: ReadonlySet<string> = new Set([
  'icudtl.dat',
  'v8_context_snapshot.bin',
  'snapshot_blob.bin',
  'chrome_100_percent.pak',
  'libcef.dll',
  'chrome.dll',
  'msedge.dll',
]);
/** Installers keep each version in a folder of its own, next to the program. */
const MOST_FOLDERS = 50;

/** Whether a folder listing has a file of Chromium. */
export const hasChromiumFile = (names: readonly string[]): boolean =>
  names.some((name) => CHROMIUM_FILES.has(name.toLowerCase()));

function list(folder: string): Array<{ readonly name: string; isDirectory(): boolean }> {
  return attempt(() => readdirSync(folder, { withFileTypes: true }), []);
}

/** Whether a program is made with Chromium, by the files next to it or in a folder next to it. */
export function isMadeWithChromium(executable: string): boolean {
  const folder = path.win32.dirname(executable);
  const entries = list(folder);
  if (hasChromiumFile(entries.map(({ name }) => name))) return true;
  return entries
    .filter((entry) => entry.isDirectory())
    .slice(0, MOST_FOLDERS)
    .some(({ name }) => hasChromiumFile(list(path.win32.join(folder, name)).map((entry) => entry.name)));
}

/** Program files: which paths name one, and whether it is a console program. */
import { IMAGE_SUBSYSTEM_WINDOWS_CUI } from '../../../native-bindings/win32/constants.ts';
import { statSync, openSync, readSync, closeSync } from 'node:fs';
import path from 'node:path';
import { placeOfPath } from '../../contract/gate/paths.ts';
import { isForeignPath } from '../system/foreign-path.ts';
import { longPath } from './folders.ts';

const PROGRAM = /\.(exe|com)$/i;

/** Whether a path names an executable: scripts and documents are not opened as applications. */
export function isProgramPath(text: string): boolean {
  return PROGRAM.test(text);
}

export function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
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
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch {
    return false;
  }
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

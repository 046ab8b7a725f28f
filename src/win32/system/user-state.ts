/**
 * What holds for a user in whatever data directory a host runs, in the user's registry (`HKCU\Software\uiahost`): the
 * emergency stop, and which policy a person agreed to for each directory. Short calls that never block.
 */
import { win32 } from 'node:path';
import { HKEY_CURRENT_USER } from '../../../native-bindings/win32/constants.ts';
import { watchRegistry } from './policy-registry.ts';
import { flushRegistry, RegistryKey, setRegistryValue } from './registry.ts';

const KEY = 'Software\\uiahost';
const STOP = 'Stop';
/** A value for each data directory, by its path. */
const FOLDERS = `${KEY}\\Folders`;

/** Two spellings of a path are one directory. */
const nameOf = (folder: string): string => win32.resolve(folder).toLowerCase();

/** Errors of every method: permission_denied where the registry refuses. */
export const USER_STATE = {
  /** Who pressed the emergency stop; empty once it was released, null if nothing is kept. */
  readStop(): string | null {
    using key = RegistryKey.require(HKEY_CURRENT_USER, KEY);
    return key?.has(STOP) === true ? (key.text(STOP) ?? 'unknown') : null;
  },
  /** Returns when it is on the disk. */
  writeStop(by: string): void {
    setRegistryValue(HKEY_CURRENT_USER, KEY, STOP, by);
    flushRegistry(HKEY_CURRENT_USER, KEY);
  },
  /** Calls `changed` when a host of this user, in whatever session, may have changed something. Returns what ends it. */
  watch: (changed: () => void): (() => void) => watchRegistry([HKEY_CURRENT_USER], KEY, 0, changed),
  /** What was kept for a data directory; null if nothing was. */
  readFolder(folder: string): string | null {
    using key = RegistryKey.require(HKEY_CURRENT_USER, FOLDERS);
    return key?.text(nameOf(folder)) ?? null;
  },
  writeFolder(folder: string, text: string): void {
    setRegistryValue(HKEY_CURRENT_USER, FOLDERS, nameOf(folder), text);
    flushRegistry(HKEY_CURRENT_USER, FOLDERS);
  },
} as const;

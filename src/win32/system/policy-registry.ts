/**
 * Group Policy's values as they are in the registry, and when they change. Unlike other readers of the registry this one
 * reports a key that cannot be read instead of answering that nothing is set. Short calls that never block.
 * Source: learn.microsoft.com/previous-versions/windows/desktop/policy/registry-based-policy
 */
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import type { PolicyRegistryContent, RegistryContent, RegistryEntry } from '../../contract/gate/registry-content.ts';
import { descriptorOf } from './acl.ts';
import { untrustedKeyWriters } from './descriptor.ts';
import { expandVariables, flushRegistry, RegistryKey, removeRegistryKey, setRegistryValue } from './registry.ts';
import { ADMINISTRATION, whyOthersCan } from './trust.ts';
import { SETTINGS, type SettingName } from '../../contract/process/settings.ts';
import { win32 } from 'node:path';

const HIVES = {
  machine: { root: m.HKEY_LOCAL_MACHINE, name: 'HKEY_LOCAL_MACHINE', security: 'MACHINE' },
  user: { root: m.HKEY_CURRENT_USER, name: 'HKEY_CURRENT_USER', security: 'CURRENT_USER' },
} as const;
type Hive = keyof typeof HIVES;

const KINDS: ReadonlyMap<number, string> = new Map([
  [m.REG_SZ, 'REG_SZ'],
  [m.REG_EXPAND_SZ, 'REG_EXPAND_SZ'],
  [m.REG_BINARY, 'REG_BINARY'],
  [m.REG_DWORD, 'REG_DWORD'],
  [m.REG_MULTI_SZ, 'REG_MULTI_SZ'],
  [m.REG_QWORD, 'REG_QWORD'],
]);

/** Longest name of a value and of a key, with its NUL. Source: learn.microsoft.com/windows/win32/sysinfo/registry-element-size-limits */
const VALUE_NAME_UNITS = 16_384;
const KEY_NAME_UNITS = 256;
/** Largest value that is read; the longest text of a policy has 2,048 characters. */
const DATA_BYTES = 65_536;
/** A policy has keys of one level below its own. */
const MOST_DEPTH = 2;

const failed = (error: number): string => `Windows error ${error}`;

function entryOf(name: string, kind: number, data: Buffer): RegistryEntry {
  const label = KINDS.get(kind) ?? `type ${kind}`;
  if (kind === m.REG_DWORD) return { name, kind: label, value: data.length === 4 ? data.readUInt32LE(0) : null };
  if (kind !== m.REG_SZ && kind !== m.REG_EXPAND_SZ) return { name, kind: label, value: null };
  // Every text ends at its first NUL; one without any is still the text.
  const text = data.toString('utf16le', 0, data.length - (data.length % 2)).split('\0', 1)[0] ?? '';
  return { name, kind: label, value: kind === m.REG_EXPAND_SZ ? expandVariables(text) : text };
}

/** Everything of an open key. */
function contentOf(key: number, name: string, depth: number): RegistryContent {
  const unreadable = (why: string): RegistryContent => ({ name, entries: [], keys: [], unreadable: why });
  const entries: RegistryEntry[] = [];
  const valueName = Buffer.alloc(VALUE_NAME_UNITS * 2);
  const units = Buffer.alloc(4);
  const kind = Buffer.alloc(4);
  const data = Buffer.alloc(DATA_BYTES);
  const size = Buffer.alloc(4);
  for (let index = 0; ; index += 1) {
    units.writeUInt32LE(VALUE_NAME_UNITS, 0);
    size.writeUInt32LE(DATA_BYTES, 0);
    const result = advapi32.RegEnumValueW(key, index, valueName, units, null, kind, data, size);
    if (result === m.ERROR_NO_MORE_ITEMS) break;
    const label = valueName.toString('utf16le', 0, units.readUInt32LE(0) * 2);
    if (result === m.ERROR_MORE_DATA) return unreadable(`a value of it is larger than ${DATA_BYTES} bytes`);
    if (result !== m.ERROR_SUCCESS) return unreadable(failed(result));
    entries.push(entryOf(label, kind.readUInt32LE(0), data.subarray(0, size.readUInt32LE(0))));
  }
  const keys: RegistryContent[] = [];
  const keyName = Buffer.alloc(KEY_NAME_UNITS * 2);
  for (let index = 0; ; index += 1) {
    units.writeUInt32LE(KEY_NAME_UNITS, 0);
    const result = advapi32.RegEnumKeyExW(key, index, keyName, units, null, null, null, null);
    if (result === m.ERROR_NO_MORE_ITEMS) break;
    if (result !== m.ERROR_SUCCESS) return unreadable(failed(result));
    const child = keyName.toString('utf16le', 0, units.readUInt32LE(0) * 2);
    const content = depth < MOST_DEPTH ? read(key, child, child, depth + 1) : null;
    if (content !== null) keys.push(content);
  }
  return { name, entries, keys, unreadable: null };
}

/** Null only for a key that does not exist. */
function read(root: number, path: string, name: string, depth: number): RegistryContent | null {
  const opened = Buffer.alloc(8);
  const result = advapi32.RegOpenKeyExW(root, path, 0, (m.KEY_READ | m.KEY_WOW64_64KEY) >>> 0, opened);
  if (result === m.ERROR_FILE_NOT_FOUND) return null;
  if (result !== m.ERROR_SUCCESS) return { name, entries: [], keys: [], unreadable: failed(result) };
  const key = Number(opened.readBigInt64LE(0));
  try {
    return contentOf(key, name, depth);
  } finally {
    advapi32.RegCloseKey(key);
  }
}

/** Which accounts other than the administrators can change a key; null if none can. A key that says nothing counts as writable. */
const whyWritable = (hive: Hive, path: string): string | null =>
  whyOthersCan(
    `${HIVES[hive].name}\\${path}`,
    (descriptor) => untrustedKeyWriters(descriptor, ADMINISTRATION),
    'can change that key',
    () => descriptorOf(`${HIVES[hive].security}\\${path}`, m.SE_REGISTRY_KEY),
  );

/** What is set under this key in both hives, in the 64-bit view. */
export function readPolicyRegistry(path: string): PolicyRegistryContent {
  const of = (hive: Hive): RegistryContent | null => read(HIVES[hive].root, path, `${HIVES[hive].name}\\${path}`, 0);
  const [machine, user] = [of('machine'), of('user')];
  return {
    machine,
    user,
    writable: {
      machine: machine === null ? null : whyWritable('machine', path),
      user: user === null ? null : whyWritable('user', path),
    },
  };
}

/** How often the notifications are polled: one call that reads no registry. */
const LOOK_EVERY_MS = 500;
/** Group Policy removes values and writes them again; what is there between is not a policy. */
const QUIET_MS = 1000;
/** A key that keeps changing is read nevertheless. */
const LONGEST_MS = 10_000;

/** Notifications about a key and what is in it; where the key does not exist, about the nearest one above it. */
function notifications(root: number, path: string): Disposable & { hasCome(): boolean } {
  const event = kernel32.CreateEventW(null, true, false, null);
  let key = 0;
  const close = (): void => {
    if (key !== 0) advapi32.RegCloseKey(key);
    key = 0;
  };
  const arm = (): void => {
    close();
    const opened = Buffer.alloc(8);
    for (let at = path; key === 0; at = at.slice(0, Math.max(0, at.lastIndexOf('\\')))) {
      if (advapi32.RegOpenKeyExW(root, at, 0, (m.KEY_NOTIFY | m.KEY_WOW64_64KEY) >>> 0, opened) === m.ERROR_SUCCESS)
        key = Number(opened.readBigInt64LE(0));
      else if (!at.includes('\\')) return;
    }
    kernel32.ResetEvent(event);
    // Else a notification ends with the thread that asked.
    const filter = (m.REG_NOTIFY_CHANGE_NAME | m.REG_NOTIFY_CHANGE_LAST_SET | m.REG_NOTIFY_THREAD_AGNOSTIC) >>> 0;
    advapi32.RegNotifyChangeKeyValue(key, true, filter, event, true);
  };
  arm();
  return {
    /** Whether something changed since the last call. */
    hasCome() {
      if (kernel32.WaitForSingleObject(event, 0) !== m.WAIT_OBJECT_0) return false;
      arm();
      return true;
    },
    [Symbol.dispose]() {
      close();
      kernel32.CloseHandle(event);
    },
  };
}

/** Calls `changed` when something under the key has changed in either hive and is quiet again. Returns what ends it. */
export const watchPolicyRegistry = (path: string, changed: () => void): (() => void) =>
  watchRegistry([m.HKEY_LOCAL_MACHINE, m.HKEY_CURRENT_USER], path, QUIET_MS, changed);

/** The same for the machine's hive alone, as a service needs it. */
export const watchMachineRegistry = (path: string, changed: () => void): (() => void) =>
  watchRegistry([m.HKEY_LOCAL_MACHINE], path, QUIET_MS, changed);

/** Calls `changed` when something under the key has changed in one of the hives and was quiet for `quietMs`. Returns what ends it. */
function watchRegistry(roots: readonly number[], path: string, quietMs: number, changed: () => void): () => void {
  const watched = roots.map((root) => notifications(root, path));
  let firstAt = 0;
  let lastAt = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    // Each is asked: a skipped one would answer at the next look, as a second change.
    if (watched.map((each) => each.hasCome()).includes(true)) {
      lastAt = now;
      if (firstAt === 0) firstAt = now;
    }
    if (firstAt === 0 || (now - lastAt < quietMs && now - firstAt < LONGEST_MS)) return;
    firstAt = 0;
    changed();
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    for (const each of watched) each[Symbol.dispose]();
  };
}

// What administrators set for the whole machine, in keys of HKEY_LOCAL_MACHINE that only they can write.

/** The MSI writes it and removes it. */
const MACHINE_KEY = 'SOFTWARE\\uiahost';

/** The port that the MSI's property PORT gave; undefined where nothing is installed. */
export function machinePort(): string | undefined {
  using key = RegistryKey.open(m.HKEY_LOCAL_MACHINE, MACHINE_KEY);
  return key?.text('Port') ?? undefined;
}

/** Source: learn.microsoft.com/windows/win32/procthread/environment-variables */
const ENVIRONMENT_KEY = 'SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment';

/** Our variables in the machine's environment, whatever the environment of this process says. */
export function machineEnvironment(): Partial<Record<SettingName, string>> {
  using key = RegistryKey.open(m.HKEY_LOCAL_MACHINE, ENVIRONMENT_KEY);
  const names = Object.keys(SETTINGS) as SettingName[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = key?.text(name) ?? null;
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** No level, no job of a fleet, no token, a user's own included: what stops effects is first. Errors: permission_denied. */
export function forbidByPolicy(key: string): void {
  setRegistryValue(m.HKEY_LOCAL_MACHINE, key, 'Level', 'disabled');
  setRegistryValue(m.HKEY_LOCAL_MACHINE, key, 'Fleet', 0);
  removeRegistryKey(m.HKEY_LOCAL_MACHINE, `${key}\\Tokens`);
  setRegistryValue(m.HKEY_LOCAL_MACHINE, key, 'TokensNotBefore', new Date().toISOString());
  flushRegistry(m.HKEY_LOCAL_MACHINE, key);
}

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
    using key = RegistryKey.require(m.HKEY_CURRENT_USER, KEY);
    return key?.has(STOP) === true ? (key.text(STOP) ?? 'unknown') : null;
  },
  /** Returns when it is on the disk. */
  writeStop(by: string): void {
    setRegistryValue(m.HKEY_CURRENT_USER, KEY, STOP, by);
    flushRegistry(m.HKEY_CURRENT_USER, KEY);
  },
  /** Calls `changed` when a host of this user, in whatever session, may have changed something. Returns what ends it. */
  watch: (changed: () => void): (() => void) => watchRegistry([m.HKEY_CURRENT_USER], KEY, 0, changed),
  /** What was kept for a data directory; null if nothing was. */
  readFolder(folder: string): string | null {
    using key = RegistryKey.require(m.HKEY_CURRENT_USER, FOLDERS);
    return key?.text(nameOf(folder)) ?? null;
  },
  writeFolder(folder: string, text: string): void {
    setRegistryValue(m.HKEY_CURRENT_USER, FOLDERS, nameOf(folder), text);
    flushRegistry(m.HKEY_CURRENT_USER, FOLDERS);
  },
} as const;

/** Reading and writing the registry. Source: learn.microsoft.com/windows/win32/sysinfo/registry-functions */
import { text16 } from '../../../native-bindings/library.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { UiaHostError } from '../../contract/errors.ts';

/** Which of the two registries of 64-bit Windows. Source: learn.microsoft.com/windows/win32/winprog64/accessing-an-alternate-registry-view */
const VIEW_FLAGS = { 64: m.KEY_WOW64_64KEY, 32: m.KEY_WOW64_32KEY } as const;
export type RegistryView = keyof typeof VIEW_FLAGS;

/** Longest name of a key, with its NUL. */
const NAME_UNITS = 256;
const VALUE_BYTES = 65_536;

/** An open key, closed when it goes out of scope. */
export class RegistryKey implements Disposable {
  readonly #handle: number;
  readonly #view: RegistryView;

  private constructor(handle: number, view: RegistryView) {
    this.#handle = handle;
    this.#view = view;
  }

  /** Null if the key does not exist or may not be read. */
  static open(root: number, path: string, view: RegistryView = 64): RegistryKey | null {
    const opened = Buffer.alloc(8);
    if (advapi32.RegOpenKeyExW(root, path, 0, m.KEY_READ | VIEW_FLAGS[view], opened) !== m.ERROR_SUCCESS) return null;
    return new RegistryKey(Number(opened.readBigInt64LE(0)), view);
  }

  /** Null only if the key does not exist. Errors: permission_denied for a key that may not be read. */
  static require(root: number, path: string): RegistryKey | null {
    const opened = Buffer.alloc(8);
    const result = advapi32.RegOpenKeyExW(root, path, 0, m.KEY_READ | m.KEY_WOW64_64KEY, opened);
    if (result === m.ERROR_FILE_NOT_FOUND) return null;
    if (result !== m.ERROR_SUCCESS)
      throw new UiaHostError(
        'permission_denied',
        `The registry key ${path} cannot be read (Windows error ${result}).`,
        {
          hint: 'Give this user the right to read that key again.',
        },
      );
    return new RegistryKey(Number(opened.readBigInt64LE(0)), 64);
  }

  static isMissing(root: number, path: string): boolean {
    using key = RegistryKey.open(root, path);
    return key === null;
  }

  child(name: string): RegistryKey | null {
    return RegistryKey.open(this.#handle, name, this.#view);
  }

  /** Names of the keys inside. */
  names(): string[] {
    const names: string[] = [];
    const text = Buffer.alloc(NAME_UNITS * 2);
    const units = Buffer.alloc(4);
    for (let index = 0; ; index++) {
      units.writeUInt32LE(NAME_UNITS, 0);
      if (advapi32.RegEnumKeyExW(this.#handle, index, text, units, null, null, null, null) !== m.ERROR_SUCCESS)
        return names;
      names.push(text.toString('utf16le', 0, units.readUInt32LE(0) * 2));
    }
  }

  /** A text value, with variables expanded if it is of that kind; null if there is none. '' names the default value. */
  text(name: string): string | null {
    const value = this.#value(name);
    if (value === null || (value.kind !== m.REG_SZ && value.kind !== m.REG_EXPAND_SZ)) return null;
    const text = text16(value.data);
    return value.kind === m.REG_EXPAND_SZ ? expandVariables(text) : text;
  }

  number(name: string): number | null {
    const value = this.#value(name);
    return value !== null && value.kind === m.REG_DWORD && value.data.length >= 4 ? value.data.readUInt32LE(0) : null;
  }

  /** Whether there is a value of that name, of any kind. */
  has(name: string): boolean {
    return this.#value(name) !== null;
  }

  #value(name: string, bytes = VALUE_BYTES): { kind: number; data: Buffer } | null {
    const kind = Buffer.alloc(4);
    const size = Buffer.alloc(4);
    const data = Buffer.alloc(bytes);
    size.writeUInt32LE(bytes, 0);
    const result = advapi32.RegQueryValueExW(this.#handle, name, null, kind, data, size);
    // It says how much it needs.
    if (result === m.ERROR_MORE_DATA && size.readUInt32LE(0) > bytes) return this.#value(name, size.readUInt32LE(0));
    if (result !== m.ERROR_SUCCESS) return null;
    return { kind: kind.readUInt32LE(0), data: data.subarray(0, size.readUInt32LE(0)) };
  }

  [Symbol.dispose](): void {
    advapi32.RegCloseKey(this.#handle);
  }
}

/** `%windir%` → `C:\Windows`. Source: learn.microsoft.com/windows/win32/api/processenv/nf-processenv-expandenvironmentstringsw */
export function expandVariables(text: string): string {
  if (!text.includes('%')) return text;
  const expanded = Buffer.alloc(VALUE_BYTES);
  const units = kernel32.ExpandEnvironmentStringsW(text, expanded, VALUE_BYTES / 2);
  return units === 0 || units > VALUE_BYTES / 2 ? text : expanded.toString('utf16le', 0, (units - 1) * 2);
}

/** Opens a key for writing, making it and its parents if they are missing, and runs `work` with it. Errors: permission_denied. */
function withWritableKey<T>(root: number, path: string, work: (key: number) => T): T {
  const opened = Buffer.alloc(8);
  const result = advapi32.RegCreateKeyExW(
    root,
    path,
    0,
    null,
    m.REG_OPTION_NON_VOLATILE,
    m.KEY_SET_VALUE | VIEW_FLAGS[64],
    null,
    opened,
    null,
  );
  if (result !== m.ERROR_SUCCESS) throw denied(path, result);
  const key = Number(opened.readBigInt64LE(0));
  try {
    return work(key);
  } finally {
    advapi32.RegCloseKey(key);
  }
}

const denied = (path: string, error: number): UiaHostError =>
  new UiaHostError('permission_denied', `The registry key ${path} could not be changed (Windows error ${error}).`, {
    hint: 'Run the command in a terminal that was opened with "Run as administrator".',
  });

/** A value as the registry keeps it. Source: learn.microsoft.com/windows/win32/sysinfo/registry-value-types */
function encoded(value: string | number | readonly string[], isExpanded: boolean): { kind: number; data: Buffer } {
  if (typeof value === 'number') {
    const data = Buffer.alloc(4);
    data.writeUInt32LE(value, 0);
    return { kind: m.REG_DWORD, data };
  }
  if (typeof value === 'string')
    return { kind: isExpanded ? m.REG_EXPAND_SZ : m.REG_SZ, data: Buffer.from(`${value}\0`, 'utf16le') };
  return { kind: m.REG_MULTI_SZ, data: Buffer.from(`${value.map((each) => `${each}\0`).join('')}\0`, 'utf16le') };
}

/** Sets text (with `isExpanded`, variables in it are expanded by its readers), several texts, or a number. Errors: permission_denied. */
export function setRegistryValue(
  root: number,
  path: string,
  name: string,
  value: string | number | readonly string[],
  isExpanded = false,
): void {
  const { kind, data } = encoded(value, isExpanded);
  withWritableKey(root, path, (key) => {
    const result = advapi32.RegSetValueExW(key, name, 0, kind, data, data.length);
    if (result !== m.ERROR_SUCCESS) throw denied(path, result);
  });
}

/** Writes what was changed below a key to the disk now, not some seconds later. Errors: permission_denied. */
export function flushRegistry(root: number, path: string): void {
  withWritableKey(root, path, (key) => {
    const result = advapi32.RegFlushKey(key);
    if (result !== m.ERROR_SUCCESS) throw denied(path, result);
  });
}

/** Removes a value; a missing value is not an error. Errors: permission_denied. */
export function removeRegistryValue(root: number, path: string, name: string): void {
  if (RegistryKey.isMissing(root, path)) return;
  withWritableKey(root, path, (key) => {
    const result = advapi32.RegDeleteValueW(key, name);
    if (result !== m.ERROR_SUCCESS && result !== m.ERROR_FILE_NOT_FOUND) throw denied(path, result);
  });
}

/** Removes a key without subkeys; a missing key is not an error. Errors: permission_denied. */
export function removeRegistryKey(root: number, path: string): void {
  const result = advapi32.RegDeleteKeyExW(root, path, VIEW_FLAGS[64], 0);
  if (result !== m.ERROR_SUCCESS && result !== m.ERROR_FILE_NOT_FOUND) throw denied(path, result);
}

/** The content of a registry key as plain data: what the reader of Windows' registry finds and the policy judges. */

/** One value. `kind` is Windows' name of its type (`REG_SZ`). */
export interface RegistryEntry {
  /** Empty for the key's default value. */
  readonly name: string;
  readonly kind: string;
  /** Text of a REG_SZ or REG_EXPAND_SZ, number of a REG_DWORD; null for every other kind, and for damaged data. */
  readonly value: string | number | null;
}

export interface RegistryContent {
  /** Name below its parent; for the topmost key its whole path, `HKEY_LOCAL_MACHINE\…`. */
  readonly name: string;
  readonly entries: readonly RegistryEntry[];
  readonly keys: readonly RegistryContent[];
  /** Why the key could not be read; then it has no entries. */
  readonly unreadable: string | null;
}

/** What is set under `Software\Policies\uiahost`. */
export interface PolicyRegistryContent {
  /** HKEY_LOCAL_MACHINE; null where the key does not exist. */
  readonly machine: RegistryContent | null;
  /** HKEY_CURRENT_USER. */
  readonly user: RegistryContent | null;
  /** Who else than administrators can change a key, in sentences; such a key only narrows. */
  readonly writable: { readonly machine: string | null; readonly user: string | null };
}

/**
 * Security descriptors as text (SDDL): who owns a file or folder, and who may change or read it. No Windows in here.
 * Source: learn.microsoft.com/windows/win32/secauthz/security-descriptor-string-format, …/ace-strings, …/sid-strings
 */

export const SYSTEM = 'S-1-5-18';
export const ADMINISTRATORS = 'S-1-5-32-544';
/** Owns the files of Windows. */
export const TRUSTED_INSTALLER = 'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464';
/** Stands for the object's owner. Source: learn.microsoft.com/windows-server/identity/ad-ds/manage/understand-security-identifiers */
const OWNER_RIGHTS = 'S-1-3-4';

/** The aliases that matter here; any other is kept as text and never trusted. */
const ALIASES: Readonly<Record<string, string>> = {
  SY: SYSTEM,
  BA: ADMINISTRATORS,
  BU: 'S-1-5-32-545',
  WD: 'S-1-1-0',
  AU: 'S-1-5-11',
  IU: 'S-1-5-4',
  CO: 'S-1-3-0',
  OW: OWNER_RIGHTS,
  LS: 'S-1-5-19',
  NS: 'S-1-5-20',
  AN: 'S-1-5-7',
};

/** Two-letter codes of rights and of common sets of rights, as access masks. */
const RIGHTS: Readonly<Record<string, number>> = {
  GA: 0x1000_0000,
  GR: 0x8000_0000,
  GW: 0x4000_0000,
  GX: 0x2000_0000,
  RC: 0x2_0000,
  SD: 0x1_0000,
  WD: 0x4_0000,
  WO: 0x8_0000,
  FA: 0x1f_01ff,
  FR: 0x12_0089,
  FW: 0x12_0116,
  FX: 0x12_00a0,
  CC: 0x1,
  DC: 0x2,
  LC: 0x4,
  SW: 0x8,
  RP: 0x10,
  WP: 0x20,
  DT: 0x40,
  LO: 0x80,
  CR: 0x100,
};

/** Rights to add to the object, to delete it or its contents, or to take control of it. */
const CHANGES = 0x2 | 0x4 | 0x10 | 0x40 | 0x1_0000 | 0x4_0000 | 0x8_0000 | 0x1000_0000 | 0x4000_0000;
/** Rights to replace a folder's contents with another file or folder, which needs no right to add new ones. */
const REPLACES = 0x40 | 0x1_0000 | 0x4_0000 | 0x8_0000 | 0x1000_0000 | 0x4000_0000;
/** Rights to read the object, or to gain that right. */
const READS = 0x1 | 0x4_0000 | 0x8_0000 | 0x1000_0000 | 0x8000_0000;

interface Entry {
  readonly allows: boolean;
  /** Applies only to what is created inside. */
  readonly isForContents: boolean;
  readonly mask: number;
  readonly trustee: string;
}

export interface Descriptor {
  /** A SID; empty where the text has none. */
  readonly owner: string;
  /** Null without an access list: then everyone has full access. */
  readonly entries: readonly Entry[] | null;
}

const sidOf = (text: string): string => ALIASES[text] ?? text;

function maskOf(text: string): number {
  if (/^0x/i.test(text)) return Number(text);
  let mask = 0;
  // An unknown code counts as every right.
  for (let at = 0; at < text.length; at += 2) mask |= RIGHTS[text.slice(at, at + 2)] ?? 0x1f_01ff;
  return mask >>> 0;
}

export function parseDescriptor(sddl: string): Descriptor {
  const owner = /O:((?:S-[\d-]+)|[A-Z]{2})(?=[GDS]:|$)/.exec(sddl)?.[1] ?? '';
  const list = /D:([A-Z_]*)((?:\([^)]*\))*)/.exec(sddl);
  if (list === null || list[1]?.includes('NO_ACCESS_CONTROL') === true) return { owner: sidOf(owner), entries: null };
  const entries = [...(list[2] ?? '').matchAll(/\(([^)]*)\)/g)].map(([, text = '']): Entry => {
    const [type = '', flags = '', rights = '', , , trustee = ''] = text.split(';');
    return {
      allows: !/^(?:D|OD|XD|AU|OU|AL|OL|ML)$/.test(type),
      isForContents: flags.includes('IO'),
      mask: maskOf(rights),
      trustee: sidOf(trustee),
    };
  });
  return { owner: sidOf(owner), entries };
}

/**
 * SIDs outside `trusted` with one of these rights. Deny entries are ignored, which errs on the safe side. The owner counts
 * too: it can grant itself any right.
 */
function untrusted({ owner, entries }: Descriptor, trusted: ReadonlySet<string>, mask: number): string[] {
  const found =
    entries === null
      ? ['S-1-1-0']
      : entries
          .filter((entry) => entry.allows && !entry.isForContents && (entry.mask & mask) !== 0)
          .map(({ trustee }) => (trustee === OWNER_RIGHTS ? owner : trustee));
  return [...new Set([owner, ...found])].filter((sid) => !trusted.has(sid));
}

/** SIDs outside `trusted` that can change the object or gain that right. */
export const untrustedWriters = (descriptor: Descriptor, trusted: ReadonlySet<string>): string[] =>
  untrusted(descriptor, trusted, CHANGES);

/** SIDs outside `trusted` that can replace the folder or its contents. */
export const untrustedReplacers = (descriptor: Descriptor, trusted: ReadonlySet<string>): string[] =>
  untrusted(descriptor, trusted, REPLACES);

/** SIDs outside `trusted` that can read the object or gain that right. */
export const untrustedReaders = (descriptor: Descriptor, trusted: ReadonlySet<string>): string[] =>
  untrusted(descriptor, trusted, READS | CHANGES);

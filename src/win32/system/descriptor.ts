/**
 * Security descriptors as text (SDDL): who owns a file or folder, and who may change or read it. No Windows in here.
 * Source: learn.microsoft.com/windows/win32/secauthz/security-descriptor-string-format, …/ace-strings, …/sid-strings
 */
import {
  ADS_RIGHT_ACTRL_DS_LIST,
  ADS_RIGHT_DS_CONTROL_ACCESS,
  ADS_RIGHT_DS_CREATE_CHILD,
  ADS_RIGHT_DS_DELETE_CHILD,
  ADS_RIGHT_DS_DELETE_TREE,
  ADS_RIGHT_DS_LIST_OBJECT,
  ADS_RIGHT_DS_READ_PROP,
  ADS_RIGHT_DS_SELF,
  ADS_RIGHT_DS_WRITE_PROP,
  DELETE,
  FILE_ALL_ACCESS,
  FILE_APPEND_DATA,
  FILE_DELETE_CHILD,
  FILE_GENERIC_EXECUTE,
  FILE_GENERIC_READ,
  FILE_GENERIC_WRITE,
  FILE_READ_DATA,
  FILE_WRITE_DATA,
  FILE_WRITE_EA,
  GENERIC_ALL,
  GENERIC_EXECUTE,
  GENERIC_READ,
  GENERIC_WRITE,
  KEY_ALL_ACCESS,
  KEY_CREATE_LINK,
  KEY_CREATE_SUB_KEY,
  KEY_EXECUTE,
  KEY_READ,
  KEY_SET_VALUE,
  KEY_WRITE,
  READ_CONTROL,
  WRITE_DAC,
  WRITE_OWNER,
} from '../../../native-bindings/win32/constants.ts';

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
  GA: GENERIC_ALL,
  GR: GENERIC_READ,
  GW: GENERIC_WRITE,
  GX: GENERIC_EXECUTE,
  RC: READ_CONTROL,
  SD: DELETE,
  WD: WRITE_DAC,
  WO: WRITE_OWNER,
  FA: FILE_ALL_ACCESS,
  FR: FILE_GENERIC_READ,
  FW: FILE_GENERIC_WRITE,
  FX: FILE_GENERIC_EXECUTE,
  KA: KEY_ALL_ACCESS,
  KR: KEY_READ,
  KW: KEY_WRITE,
  KX: KEY_EXECUTE,
  CC: ADS_RIGHT_DS_CREATE_CHILD,
  DC: ADS_RIGHT_DS_DELETE_CHILD,
  LC: ADS_RIGHT_ACTRL_DS_LIST,
  SW: ADS_RIGHT_DS_SELF,
  RP: ADS_RIGHT_DS_READ_PROP,
  WP: ADS_RIGHT_DS_WRITE_PROP,
  DT: ADS_RIGHT_DS_DELETE_TREE,
  LO: ADS_RIGHT_DS_LIST_OBJECT,
  CR: ADS_RIGHT_DS_CONTROL_ACCESS,
};

/** Rights to add to the object, to delete it or its contents, or to take control of it. */
const CHANGES =
  FILE_WRITE_DATA |
  FILE_APPEND_DATA |
  FILE_WRITE_EA |
  FILE_DELETE_CHILD |
  DELETE |
  WRITE_DAC |
  WRITE_OWNER |
  GENERIC_ALL |
  GENERIC_WRITE;
/** Rights to replace a folder's contents with another file or folder, which needs no right to add new ones. */
const REPLACES = FILE_DELETE_CHILD | DELETE | WRITE_DAC | WRITE_OWNER | GENERIC_ALL | GENERIC_WRITE;
/** Rights to change a registry key. */
const KEY_CHANGES =
  KEY_SET_VALUE | KEY_CREATE_SUB_KEY | KEY_CREATE_LINK | DELETE | WRITE_DAC | WRITE_OWNER | GENERIC_ALL | GENERIC_WRITE;
/** Rights to read the object, or to gain that right. */
const READS = FILE_READ_DATA | WRITE_DAC | WRITE_OWNER | GENERIC_ALL | GENERIC_READ;

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
  for (let at = 0; at < text.length; at += 2) mask |= RIGHTS[text.slice(at, at + 2)] ?? FILE_ALL_ACCESS;
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

/** SIDs outside `trusted` that can change the registry key or gain that right. */
export const untrustedKeyWriters = (descriptor: Descriptor, trusted: ReadonlySet<string>): string[] =>
  untrusted(descriptor, trusted, KEY_CHANGES);

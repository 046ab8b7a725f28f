/**
 * Security descriptors: who owns a file, folder or registry key, and who may change or read it. No Windows in here.
 * Read from their bytes, never from their text (SDDL): Windows writes some accounts there as aliases that depend on the
 * machine, the built-in Administrator as "LA" for example, so that the same account has two spellings.
 * Source: learn.microsoft.com/openspecs/windows_protocols/ms-dtyp (2.4.2 SID, 2.4.4 ACE, 2.4.5 ACL, 2.4.6 SECURITY_DESCRIPTOR)
 */
import * as m from '../../../native-bindings/win32/constants.ts';

export const SYSTEM = 'S-1-5-18';
export const ADMINISTRATORS = 'S-1-5-32-544';
/** Owns the files of Windows. */
export const TRUSTED_INSTALLER = 'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464';
export const EVERYONE = 'S-1-1-0';
/** Stands for the object's owner. Source: learn.microsoft.com/windows-server/identity/ad-ds/manage/understand-security-identifiers */
const OWNER_RIGHTS = 'S-1-3-4';

/** Rights to add to the object, to delete it or its contents, or to take control of it. */
const CHANGES =
  m.FILE_WRITE_DATA |
  m.FILE_APPEND_DATA |
  m.FILE_WRITE_EA |
  m.FILE_DELETE_CHILD |
  m.DELETE |
  m.WRITE_DAC |
  m.WRITE_OWNER |
  m.GENERIC_ALL |
  m.GENERIC_WRITE;
/** Rights to replace a folder's contents with another file or folder, which needs no right to add new ones. */
const REPLACES = m.FILE_DELETE_CHILD | m.DELETE | m.WRITE_DAC | m.WRITE_OWNER | m.GENERIC_ALL | m.GENERIC_WRITE;
/** Rights to change a registry key. */
const KEY_CHANGES =
  m.KEY_SET_VALUE |
  m.KEY_CREATE_SUB_KEY |
  m.KEY_CREATE_LINK |
  m.DELETE |
  m.WRITE_DAC |
  m.WRITE_OWNER |
  m.GENERIC_ALL |
  m.GENERIC_WRITE;
/** Rights to read the object, or to gain that right. */
const READS = m.FILE_READ_DATA | m.WRITE_DAC | m.WRITE_OWNER | m.GENERIC_ALL | m.GENERIC_READ;

interface Entry {
  readonly allows: boolean;
  /** Applies only to what is created inside. */
  readonly isForContents: boolean;
  readonly mask: number;
  /** A SID; empty where the entry's kind is unknown. */
  readonly trustee: string;
}

export interface Descriptor {
  /** A SID; empty where there is none. */
  readonly owner: string;
  /** Null without an access list: then everyone has full access. */
  readonly entries: readonly Entry[] | null;
}

const DENY: ReadonlySet<number> = new Set([
  m.ACCESS_DENIED_ACE_TYPE,
  m.ACCESS_DENIED_OBJECT_ACE_TYPE,
  m.ACCESS_DENIED_CALLBACK_ACE_TYPE,
  m.ACCESS_DENIED_CALLBACK_OBJECT_ACE_TYPE,
]);
/** Their SID follows the access mask. */
const PLAIN: ReadonlySet<number> = new Set([
  m.ACCESS_ALLOWED_ACE_TYPE,
  m.ACCESS_ALLOWED_CALLBACK_ACE_TYPE,
  m.ACCESS_DENIED_ACE_TYPE,
  m.ACCESS_DENIED_CALLBACK_ACE_TYPE,
]);
/** Their SID follows the access mask, flags, and up to two GUIDs. */
const OF_OBJECTS: ReadonlySet<number> = new Set([
  m.ACCESS_ALLOWED_OBJECT_ACE_TYPE,
  m.ACCESS_ALLOWED_CALLBACK_OBJECT_ACE_TYPE,
  m.ACCESS_DENIED_OBJECT_ACE_TYPE,
  m.ACCESS_DENIED_CALLBACK_OBJECT_ACE_TYPE,
]);
const GUID_BYTES = 16;

/** The text of the SID at this place, for example S-1-5-18. */
export function sidAt(bytes: Buffer, at: number): string {
  const authority = bytes.readUIntBE(at + 2, 6);
  const parts = Array.from({ length: bytes.readUInt8(at + 1) }, (_, index) => bytes.readUInt32LE(at + 8 + 4 * index));
  return ['S', bytes.readUInt8(at), authority < 2 ** 32 ? authority : `0x${authority.toString(16)}`, ...parts].join(
    '-',
  );
}

function entryAt(bytes: Buffer, at: number): Entry {
  const type = bytes.readUInt8(at);
  const isForContents = (bytes.readUInt8(at + 1) & m.INHERIT_ONLY_ACE) !== 0;
  if (!PLAIN.has(type) && !OF_OBJECTS.has(type))
    // An unknown kind of entry counts as every right for an unknown account.
    return { allows: true, isForContents, mask: m.FILE_ALL_ACCESS, trustee: '' };
  let sid = at + 8;
  if (OF_OBJECTS.has(type)) {
    const guids = bytes.readUInt32LE(sid);
    sid += 4;
    for (const present of [m.ACE_OBJECT_TYPE_PRESENT, m.ACE_INHERITED_OBJECT_TYPE_PRESENT])
      if ((guids & present) !== 0) sid += GUID_BYTES;
  }
  return { allows: !DENY.has(type), isForContents, mask: bytes.readUInt32LE(at + 4), trustee: sidAt(bytes, sid) };
}

/** Reads a self-relative descriptor. Throws RangeError for bytes that are not one. */
export function readDescriptor(bytes: Buffer): Descriptor {
  const owner = bytes.readUInt32LE(4);
  const list = (bytes.readUInt16LE(2) & m.SE_DACL_PRESENT) === 0 ? 0 : bytes.readUInt32LE(16);
  const entries: Entry[] = [];
  if (list !== 0)
    for (let index = 0, at = list + 8; index < bytes.readUInt16LE(list + 4); index++) {
      entries.push(entryAt(bytes, at));
      at += bytes.readUInt16LE(at + 2);
    }
  return { owner: owner === 0 ? '' : sidAt(bytes, owner), entries: list === 0 ? null : entries };
}

/**
 * SIDs outside `trusted` with one of these rights. Deny entries are ignored, which errs on the safe side. The owner counts
 * too: it can grant itself any right.
 */
function untrusted({ owner, entries }: Descriptor, trusted: ReadonlySet<string>, mask: number): string[] {
  const found =
    entries === null
      ? [EVERYONE]
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

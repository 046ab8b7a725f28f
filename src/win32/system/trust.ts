/** Which files and folders are trusted: only those no other user can write. Short calls that never block. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, win32 } from 'node:path';
import { UiaHostError } from '../../contract/errors.ts';
import { descriptorOf, ownUserSid, restrictToUser } from './acl.ts';
import {
  ADMINISTRATORS,
  untrustedWriters,
  readDescriptor,
  untrustedReaders,
  untrustedReplacers,
  SYSTEM,
  TRUSTED_INSTALLER,
  type Descriptor,
} from './descriptor.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { placeOfPath } from '../../contract/gate/app-match.ts';
import { guid } from '../../../native-bindings/com/guid.ts';
import { addressOf } from '../../../native-bindings/library.ts';
import { WINTRUST_DATA, WINTRUST_FILE_INFO } from '../../../native-bindings/win32/structs.ts';
import { wintrust } from '../../../native-bindings/win32/wintrust.ts';
import { attempt } from '../../contract/attempt.ts';
import { ntdll } from '../../../native-bindings/win32/ntdll.ts';
import type { AppControl } from '../../contract/process/doctor.ts';
import { RegistryKey } from './registry.ts';

// Whether a path leads to another machine or to a device, by its text and its drive's type. Touches no file.

const DRIVE = /^(?:[\\/]{2}[?.][\\/]|[\\/]\?\?[\\/])?([A-Za-z]):/;

export function isForeignPath(
  path: string,
  driveType: (root: string) => number = (root) => kernel32.GetDriveTypeW(root),
): boolean {
  const place = placeOfPath(path);
  if (place === 'remote' || place === 'device') return true;
  const drive = DRIVE.exec(path.trim())?.[1]?.toUpperCase();
  return drive !== undefined && driveType(`${drive}:\\`) === m.DRIVE_REMOTE;
}

export const ADMINISTRATION: ReadonlySet<string> = new Set([SYSTEM, ADMINISTRATORS, TRUSTED_INSTALLER]);

const who = (sids: readonly string[]): string => sids.map((sid) => (sid === '' ? 'an unknown owner' : sid)).join(', ');

/** Why a place is not trusted: it cannot be read, or others can change it. Null if it is. */
export function whyOthersCan(
  path: string,
  others: (descriptor: Descriptor) => string[],
  what: string,
  read: (path: string) => Buffer = descriptorOf,
): string | null {
  const descriptor = attempt(() => readDescriptor(read(path)), null);
  if (descriptor === null) return `${path}: cannot read its owner and access list`;
  const found = others(descriptor);
  return found.length === 0 ? null : `${path}: ${who(found)} ${what}`;
}

/**
 * Why an administrators' file is not trusted: another account owns it or its folder, or can change either. Null if
 * it is trusted.
 */
export function whyNotAdministrators(file: string): string | null {
  const others = (descriptor: Descriptor): string[] => untrustedWriters(descriptor, ADMINISTRATION);
  return whyNotAdministratorsFolder(dirname(file)) ?? whyOthersCan(file, others, 'can change that file');
}

/** Why a folder is not the administrators': another account owns it or can change it. Null if it is. */
export const whyNotAdministratorsFolder = (
  folder: string,
  read: (path: string) => Buffer = descriptorOf,
): string | null =>
  whyOthersCan(folder, (descriptor) => untrustedWriters(descriptor, ADMINISTRATION), 'can change that folder', read);

/**
 * Why a program may not be what its name claims: an account other than the administrators can write the file or its
 * folder, or replace a folder above it. Null if none can.
 * Source: learn.microsoft.com/windows/win32/fileio/file-access-rights-constants
 */
export function whyNotProtected(
  file: string,
  read: (path: string) => Buffer = descriptorOf,
  trusted: ReadonlySet<string> = ADMINISTRATION,
): string | null {
  const changers = (descriptor: Descriptor): string[] => untrustedWriters(descriptor, trusted);
  const folder = win32.dirname(file);
  let why =
    whyOthersCan(file, changers, 'can change that file', read) ??
    whyOthersCan(folder, changers, 'can change that folder', read);
  for (
    let below = folder, above = win32.dirname(folder);
    why === null && above !== below;
    below = above, above = win32.dirname(above)
  ) {
    why = whyOthersCan(
      above,
      (descriptor) => untrustedReplacers(descriptor, trusted),
      'can replace what is in that folder',
      read,
    );
  }
  return why;
}

/** Lifetime of a verdict on an unchanged file: a change of the rights on the folders above does not show in the file. */
const VERDICT_MS = 30_000;
const verdicts = new Map<string, { readonly file: string; readonly until: number; readonly isProtected: boolean }>();

/**
 * Whether administrators alone can write a program and the folders up to the root. False for files on another machine,
 * and for files whose rights cannot be read.
 */
export function isProtectedProgram(file: string): boolean {
  if (isForeignPath(file)) return false;
  const key = file.toLowerCase();
  const seen = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (seen === undefined) return false;
  const identity = `${seen.dev}:${seen.ino}:${seen.ctimeNs}`;
  const now = performance.now();
  const kept = verdicts.get(key);
  if (kept !== undefined && kept.file === identity && now < kept.until) return kept.isProtected;
  const isProtected = whyNotProtected(win32.normalize(file)) === null;
  if (verdicts.size >= 1000) verdicts.clear();
  verdicts.set(key, { file: identity, until: now + VERDICT_MS, isProtected });
  return isProtected;
}

const own = (): ReadonlySet<string> => new Set([...ADMINISTRATION, ownUserSid()]);

/** Why a program may be replaced by another account than the administrators' and this user's. Null if none can. */
export const whyNotOwnProgram = (file: string): string | null => whyNotProtected(file, descriptorOf, own());

/** Why one of these files or folders is not trusted: an account other than the administrators' and this user's can change it. */
export function whyNotOwnFiles(
  places: readonly string[],
  read: (path: string) => Buffer = descriptorOf,
): string | null {
  for (const place of places) {
    const why = whyOthersCan(place, (descriptor) => untrustedWriters(descriptor, own()), 'can change it', read);
    if (why !== null) return why;
  }
  return null;
}

/** Why this user's folder is not safe for data: another account owns it or can put files into it. Null if it is safe. */
export const whyNotOwnFolder = (folder: string, read: (path: string) => Buffer = descriptorOf): string | null =>
  whyOthersCan(folder, (descriptor) => untrustedWriters(descriptor, own()), 'can put files into that folder', read);

/** Why a file does not keep a secret: another account owns it, can read it or can change it. Null if it does. */
export const whyNotOwnSecret = (file: string): string | null =>
  whyOthersCan(file, (descriptor) => untrustedReaders(descriptor, own()), 'can read or change that file');

/** Why a folder of the user's data is unsafe, and which of its secrets are: others can read or change them. */
export const whyUnsafe = (folder: string, secrets: readonly string[]): string[] => {
  const files = secrets.map((name) => join(folder, name)).filter((file) => existsSync(file));
  return [whyNotOwnFolder(folder), ...files.map(whyNotOwnSecret)].filter((why) => why !== null);
};

/**
 * Makes this user's folder safe for data by removing other accounts' rights.
 * Errors: permission_denied if another account owns it; nothing was changed then.
 */
export function secureOwnFolder(folder: string): void {
  const why = whyNotOwnFolder(folder);
  if (why === null) return;
  if (!own().has(ownerOf(folder))) throw unsafe(why);
  restrictToUser(folder);
  const still = whyNotOwnFolder(folder);
  if (still !== null) throw unsafe(still);
}

/** Errors: permission_denied for an existing file or folder that another account owns or can change. */
export function assertOwnFiles(places: readonly string[]): void {
  const why = whyNotOwnFiles(places.filter((place) => existsSync(place)));
  if (why !== null) throw unsafe(why);
}

/** Whether an account other than this one and the administrators owns a file or folder. */
export const isOwnedByOthers = (place: string, read: (path: string) => Buffer = descriptorOf): boolean =>
  !own().has(ownerOf(place, read));

/** Empty if it cannot be read. */
function ownerOf(place: string, read: (path: string) => Buffer = descriptorOf): string {
  return attempt(() => readDescriptor(read(place)).owner, '');
}

const unsafe = (why: string): UiaHostError =>
  new UiaHostError('permission_denied', `The data directory is not safe to use: ${why}. The host did not start.`, {
    hint: 'Check who created it; then remove it, take ownership of it, or choose another folder with UIAHOST_DATA_DIR.',
  });

// The Authenticode signature of a file, judged by Windows without looking anything up on the network. It reads the whole file.

/** WINTRUST_ACTION_GENERIC_VERIFY_V2. Source: learn.microsoft.com/windows/win32/api/wintrust/nf-wintrust-winverifytrust */
const VERIFY = guid('00aac56b-cd44-11d0-8cc2-00c04fc295ee');

export type Signature = { readonly state: 'valid' | 'unsigned' } | { readonly state: 'bad'; readonly error: string };

/** Null where the system cannot judge signatures. */
export function signatureOf(file: string): Signature | null {
  if (!wintrust.has('WinVerifyTrust')) return null;
  const path = Buffer.from(`${file}\0`, 'utf16le');
  const info = WINTRUST_FILE_INFO.alloc({ cbStruct: WINTRUST_FILE_INFO.size, pcwszFilePath: addressOf(path) });
  const data = WINTRUST_DATA.alloc({
    cbStruct: WINTRUST_DATA.size,
    dwUIChoice: m.WTD_UI_NONE,
    fdwRevocationChecks: m.WTD_REVOKE_NONE,
    dwUnionChoice: m.WTD_CHOICE_FILE,
    pFile: addressOf(info),
    dwStateAction: m.WTD_STATEACTION_VERIFY,
  });
  // A window of −1: no window may be shown.
  const result = wintrust.WinVerifyTrust(-1, VERIFY, data);
  data.writeUInt32LE(m.WTD_STATEACTION_CLOSE, WINTRUST_DATA.at.dwStateAction);
  wintrust.WinVerifyTrust(-1, VERIFY, data);
  // Read here so that neither buffer is collected before the calls return.
  if (path.length + info.length === 0) return null;
  if (result === 0) return { state: 'valid' };
  if (result >>> 0 === m.TRUST_E_NOSIGNATURE >>> 0) return { state: 'unsigned' };
  return { state: 'bad', error: `0x${(result >>> 0).toString(16)}` };
}

/** SystemCodeIntegrityInformation: two numbers of 32 bits, the length and the options. Source: the page of NtQuerySystemInformation. */
const CODE_INTEGRITY = 103;
const BYTES = 8;
/** CODEINTEGRITY_OPTION_UMCI_ENABLED and CODEINTEGRITY_OPTION_UMCI_AUDITMODE_ENABLED: for programs, not for drivers. */
const [ENFORCED, AUDITED] = [0x04, 0x08];
/** Its VerifiedAndReputablePolicyState by number. Source: learn.microsoft.com/windows/apps/develop/smart-app-control/test-your-app-with-smart-app-control */
const POLICY = String.raw`SYSTEM\CurrentControlSet\Control\CI\Policy`;
const SMART = ['off', 'enforced', 'audited'] as const;

function programs(): AppControl['programs'] {
  const info = Buffer.alloc(BYTES);
  info.writeUInt32LE(BYTES, 0);
  if (ntdll.NtQuerySystemInformation(CODE_INTEGRITY, info, BYTES, null) !== 0) return 'unknown';
  const options = info.readUInt32LE(4);
  if ((options & AUDITED) !== 0) return 'audited';
  return (options & ENFORCED) === 0 ? 'off' : 'enforced';
}

export function appControl(): AppControl {
  using policy = RegistryKey.open(m.HKEY_LOCAL_MACHINE, POLICY);
  const state = policy?.number('VerifiedAndReputablePolicyState') ?? null;
  return { programs: programs(), smart: state === null ? 'unknown' : (SMART[state] ?? 'unknown') };
}

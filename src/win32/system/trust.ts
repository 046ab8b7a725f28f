/** Which files and folders are trusted: only those no other user can write. Short calls that never block. */
import { existsSync, statSync } from 'node:fs';
import { dirname, win32 } from 'node:path';
import { UiaHostError } from '../../contract/errors.ts';
import { isForeignPath } from './foreign-path.ts';
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

const ADMINISTRATION: ReadonlySet<string> = new Set([SYSTEM, ADMINISTRATORS, TRUSTED_INSTALLER]);

const who = (sids: readonly string[]): string => sids.map((sid) => (sid === '' ? 'an unknown owner' : sid)).join(', ');

function judge(
  path: string,
  others: (descriptor: Descriptor) => string[],
  what: string,
  read: (path: string) => Buffer = descriptorOf,
): string | null {
  let descriptor: Descriptor;
  try {
    descriptor = readDescriptor(read(path));
  } catch {
    return `${path}: cannot read its owner and access list`;
  }
  const found = others(descriptor);
  return found.length === 0 ? null : `${path}: ${who(found)} ${what}`;
}

/**
 * Why an administrators' file is not trusted: another account owns it or its folder, or can change either. Null if
 * it is trusted.
 */
export function whyNotAdministrators(file: string): string | null {
  const others = (descriptor: Descriptor): string[] => untrustedWriters(descriptor, ADMINISTRATION);
  return whyNotAdministratorsFolder(dirname(file)) ?? judge(file, others, 'can change that file');
}

/** Why a folder is not the administrators': another account owns it or can change it. Null if it is. */
export const whyNotAdministratorsFolder = (
  folder: string,
  read: (path: string) => Buffer = descriptorOf,
): string | null =>
  judge(folder, (descriptor) => untrustedWriters(descriptor, ADMINISTRATION), 'can change that folder', read);

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
    judge(file, changers, 'can change that file', read) ?? judge(folder, changers, 'can change that folder', read);
  for (
    let below = folder, above = win32.dirname(folder);
    why === null && above !== below;
    below = above, above = win32.dirname(above)
  ) {
    why = judge(
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
    const why = judge(place, (descriptor) => untrustedWriters(descriptor, own()), 'can change it', read);
    if (why !== null) return why;
  }
  return null;
}

/** Why this user's folder is not safe for data: another account owns it or can put files into it. Null if it is safe. */
export const whyNotOwnFolder = (folder: string, read: (path: string) => Buffer = descriptorOf): string | null =>
  judge(folder, (descriptor) => untrustedWriters(descriptor, own()), 'can put files into that folder', read);

/** Why a file does not keep a secret: another account owns it, can read it or can change it. Null if it does. */
export const whyNotOwnSecret = (file: string): string | null =>
  judge(file, (descriptor) => untrustedReaders(descriptor, own()), 'can read or change that file');

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
  try {
    return readDescriptor(read(place)).owner;
  } catch {
    return '';
  }
}

const unsafe = (why: string): UiaHostError =>
  new UiaHostError('permission_denied', `The data directory is not safe to use: ${why}. The host did not start.`, {
    hint: 'Check who created it; then remove it, take ownership of it, or choose another folder with UIAHOST_DATA_DIR.',
  });

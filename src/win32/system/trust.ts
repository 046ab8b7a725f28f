/** Which files and folders are believed: those that nobody else can write. Short calls that wait for nobody. */
import { existsSync, statSync } from 'node:fs';
import { dirname, win32 } from 'node:path';
import { UiaHostError } from '../../contract/errors.ts';
import { isForeignPath } from './foreign.ts';
import { descriptorOf, ownUserSid, restrictToUser } from './acl.ts';
import {
  ADMINISTRATORS,
  changersBeside,
  parseDescriptor,
  readersBeside,
  replacersBeside,
  SYSTEM,
  TRUSTED_INSTALLER,
  type Descriptor,
} from './descriptor.ts';

const ADMINISTRATION: ReadonlySet<string> = new Set([SYSTEM, ADMINISTRATORS, TRUSTED_INSTALLER]);

const who = (sids: readonly string[]): string =>
  sids.map((sid) => (sid === '' ? 'an owner who cannot be read' : sid)).join(', ');

function judge(
  path: string,
  others: (descriptor: Descriptor) => string[],
  what: string,
  read: (path: string) => string = descriptorOf,
): string | null {
  let sddl: string;
  try {
    sddl = read(path);
  } catch {
    return `${path}: its owner and access list cannot be read`;
  }
  const found = others(parseDescriptor(sddl));
  return found.length === 0 ? null : `${path}: ${who(found)} ${what}`;
}

/**
 * Why a file of the administrators is not believed: somebody else owns it or its folder, or can change either. Null where
 * it is believed.
 */
export function whyNotAdministrators(file: string): string | null {
  const others = (descriptor: Descriptor): string[] => changersBeside(descriptor, ADMINISTRATION);
  return judge(dirname(file), others, 'can change that folder') ?? judge(file, others, 'can change that file');
}

/**
 * Why a program could be another one than its name says: somebody beside the administrators can write the file or its folder,
 * or put another folder in the place of one above it. Null where nobody can.
 * Source: learn.microsoft.com/windows/win32/fileio/file-access-rights-constants
 */
export function whyNotProtected(file: string, read: (path: string) => string = descriptorOf): string | null {
  const changers = (descriptor: Descriptor): string[] => changersBeside(descriptor, ADMINISTRATION);
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
      (descriptor) => replacersBeside(descriptor, ADMINISTRATION),
      'can replace what is in that folder',
      read,
    );
  }
  return why;
}

/** How long a verdict holds for a file that has not changed: the rights on the folders above it are not seen in the file. */
const VERDICT_MS = 30_000;
const verdicts = new Map<string, { readonly file: string; readonly until: number; readonly isProtected: boolean }>();

/** Whether administrators alone can write a program and the folders up to the root. False for what lies on another machine, and for what cannot be read. */
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

/** Why this user's folder is not safe to keep data in: somebody else owns it or can put files into it. Null where it is. */
export const whyNotOwnFolder = (folder: string): string | null =>
  judge(folder, (descriptor) => changersBeside(descriptor, own()), 'can put files into that folder');

/** Why a secret in a file is none: somebody else owns it, can read it or can change it. Null where it is one. */
export const whyNotOwnSecret = (file: string): string | null =>
  judge(file, (descriptor) => readersBeside(descriptor, own()), 'can read or change that file');

/**
 * Makes a folder of this user's safe to keep data in: what others may do in it is taken from them.
 * Errors: permission_denied where it is somebody else's; nothing was changed then.
 */
export function secureOwnFolder(folder: string): void {
  const why = whyNotOwnFolder(folder);
  if (why === null) return;
  if (!own().has(ownerOf(folder))) throw unsafe(why);
  restrictToUser(folder);
  const still = whyNotOwnFolder(folder);
  if (still !== null) throw unsafe(still);
}

/** Errors: permission_denied for a file or folder that is there and that somebody else owns or can change. */
export function assertOwnFiles(places: readonly string[]): void {
  for (const place of places) {
    const why = existsSync(place)
      ? judge(place, (descriptor) => changersBeside(descriptor, own()), 'can change it')
      : null;
    if (why !== null) throw unsafe(why);
  }
}

/** Empty where it cannot be read. */
function ownerOf(place: string): string {
  try {
    return parseDescriptor(descriptorOf(place)).owner;
  } catch {
    return '';
  }
}

const unsafe = (why: string): UiaHostError =>
  new UiaHostError('permission_denied', `The data directory is not safe to use: ${why}. The host did not start.`, {
    hint: 'Look at who put it there; remove it or take it over, or choose another folder with UIAHOST_DATA_DIR.',
  });

/** Which files and folders are believed: those that nobody else can write. Short calls that wait for nobody. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { UiaHostError } from '../../contract/errors.ts';
import { descriptorOf, ownUserSid, restrictToUser } from './acl.ts';
import { ADMINISTRATORS, changersBeside, parseDescriptor, readersBeside, SYSTEM, TRUSTED_INSTALLER, type Descriptor } from './descriptor.ts';

const ADMINISTRATION: ReadonlySet<string> = new Set([SYSTEM, ADMINISTRATORS, TRUSTED_INSTALLER]);

const who = (sids: readonly string[]): string => sids.map((sid) => (sid === '' ? 'an owner who cannot be read' : sid)).join(', ');

function judge(path: string, others: (descriptor: Descriptor) => string[], what: string): string | null {
  let sddl: string;
  try {
    sddl = descriptorOf(path);
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

const own = (): ReadonlySet<string> => new Set([...ADMINISTRATION, ownUserSid()]);

/** Why this user's folder is not safe to keep data in: somebody else owns it or can put files into it. Null where it is. */
export const whyNotOwnFolder = (folder: string): string | null => judge(folder, (descriptor) => changersBeside(descriptor, own()), 'can put files into that folder');

/** Why a secret in a file is none: somebody else owns it, can read it or can change it. Null where it is one. */
export const whyNotOwnSecret = (file: string): string | null => judge(file, (descriptor) => readersBeside(descriptor, own()), 'can read or change that file');

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
    const why = existsSync(place) ? judge(place, (descriptor) => changersBeside(descriptor, own()), 'can change it') : null;
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

const unsafe = (why: string): UiaHostError => new UiaHostError('permission_denied', `The data directory is not safe to use: ${why}. The host did not start.`, {
  hint: 'Look at who put it there; remove it or take it over, or choose another folder with UIAHOST_DATA_DIR.',
});

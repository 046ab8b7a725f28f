/** Which files and folders are believed: those that nobody else can write. Short calls that wait for nobody. */
import { dirname } from 'node:path';
import { descriptorOf, ownUserSid } from './acl.ts';
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

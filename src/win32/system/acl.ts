/** Who may read files that hold secrets. Short calls that never block: the host's main process makes them. */
import { readMemory } from '../../../native-bindings/library.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { EVERYONE, readDescriptor } from './descriptor.ts';
import { Token, freed, userOfToken, withDescriptor } from './given.ts';

/** Nothing is inherited from the parent folder. */
const PROTECTED_DACL = (m.DACL_SECURITY_INFORMATION | m.PROTECTED_DACL_SECURITY_INFORMATION) >>> 0;

let own: string | undefined;

/** SID of the user this process runs as, as text (`S-1-5-21-…`). */
export function ownUserSid(): string {
  if (own !== undefined) return own;
  using token = Token.of(m.TOKEN_QUERY);
  const user = token === null ? null : userOfToken(token);
  if (user === null) throw failed('read its own user');
  return (own = user);
}

function failed(what: string, code = kernel32.GetLastError()): UiaHostError {
  return new UiaHostError('internal', `The host could not ${what} (Windows error ${code}).`);
}

/**
 * Gives only one user (this one, by default) and the system access to a file or folder, and blocks inheritance from the parent folder. Files
 * created inside a folder later inherit the same list. The list is read back; throws if it did not take effect, so that
 * no secret is written. Source: learn.microsoft.com/windows/win32/api/aclapi/nf-aclapi-setnamedsecurityinfow
 */
export function restrictToUser(path: string, sid: string = ownUserSid()): void {
  const attributes = kernel32.GetFileAttributesW(path);
  if (attributes === m.INVALID_FILE_ATTRIBUTES) throw failed(`find ${path}`);
  const inherit = (attributes & m.FILE_ATTRIBUTE_DIRECTORY) !== 0 ? 'OICI' : '';
  const sddl = `D:P(A;${inherit};FA;;;SY)(A;${inherit};FA;;;${sid})`;
  const isRestricted = withDescriptor(
    sddl,
    () => failed('make an access list'),
    (memory) => {
      const allowed = new Set(trusteesOf(bytesOf(memory)));
      const isDone = (): boolean => trusteesOf(descriptorOf(path)).every((trustee) => allowed.has(trustee));
      const present = Buffer.alloc(4);
      const list = Buffer.alloc(8);
      const defaulted = Buffer.alloc(4);
      if (!advapi32.GetSecurityDescriptorDacl(memory, present, list, defaulted)) throw failed('read the access list');
      const result = advapi32.SetNamedSecurityInfoW(
        path,
        m.SE_FILE_OBJECT,
        PROTECTED_DACL,
        null,
        null,
        list.readBigUInt64LE(0),
        null,
      );
      if (result !== 0) throw failed(`restrict ${path}`, result);
      if (isDone()) return true;
      // Wine 10 adds the folder's entries in spite of the protection; this call sets the descriptor unchanged.
      if (!advapi32.SetFileSecurityW(path, PROTECTED_DACL, memory)) throw failed(`restrict ${path}`);
      return isDone();
    },
  );
  if (!isRestricted)
    throw new UiaHostError(
      'internal',
      `Other users can still open ${path} after it was restricted; its file system may not support access lists.`,
    );
}

/** SIDs in the access list of a descriptor; everyone's where it has none. */
export const trusteesOf = (descriptor: Buffer): string[] =>
  readDescriptor(descriptor).entries?.map(({ trustee }) => trustee) ?? [EVERYONE];

/**
 * Owner and access list of a file or folder, or of a registry key (`MACHINE\\…`), as a self-relative descriptor.
 * Source: learn.microsoft.com/windows/win32/api/aclapi/nf-aclapi-getnamedsecurityinfow
 */
export function descriptorOf(path: string, kind: number = m.SE_FILE_OBJECT): Buffer {
  const descriptor = Buffer.alloc(8);
  const part = Buffer.alloc(8);
  const parts = m.OWNER_SECURITY_INFORMATION | m.DACL_SECURITY_INFORMATION;
  const result = advapi32.GetNamedSecurityInfoW(path, kind, parts, null, null, part, null, descriptor);
  if (result !== 0) throw failed(`read the owner and access list of ${path}`, result);
  return freed(descriptor.readBigUInt64LE(0), bytesOf);
}

/** The same of an open file or folder. Source: learn.microsoft.com/windows/win32/api/aclapi/nf-aclapi-getsecurityinfo */
export function descriptorOfHandle(handle: number): Buffer {
  const descriptor = Buffer.alloc(8);
  const parts = m.OWNER_SECURITY_INFORMATION | m.DACL_SECURITY_INFORMATION;
  const result = advapi32.GetSecurityInfo(handle, m.SE_FILE_OBJECT, parts, null, null, null, null, descriptor);
  if (result !== 0) throw failed('read the owner and access list of an open folder', result);
  return freed(descriptor.readBigUInt64LE(0), bytesOf);
}

const bytesOf = (descriptor: bigint): Buffer =>
  readMemory(descriptor, advapi32.GetSecurityDescriptorLength(descriptor));

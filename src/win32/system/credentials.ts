/**
 * Secrets of the host in the Windows credential manager, `uiahost:NAME`. Short calls that never block.
 * Source: learn.microsoft.com/windows/win32/secauthn/authentication-functions (credentials management)
 */
import { peekPointers } from '../../../native-bindings/com/memory.ts';
import { addressOf, readMemory, readString16 } from '../../../native-bindings/library.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { CREDENTIALW } from '../../../native-bindings/win32/structs.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { MAX_SECRET_UNITS, SecretRef } from '../../contract/gate/secret.ts';
import { freed } from './given.ts';

/** CRED_MAX_CREDENTIAL_BLOB_SIZE. Source: learn.microsoft.com/windows/win32/api/wincred/ns-wincred-credentialw */
const MAX_SECRET_BYTES = MAX_SECRET_UNITS * 2;

/** An entry without its secret. */
export interface CredentialEntry {
  readonly name: string;
  /** The user name that the person entered. */
  readonly userName: string;
  /** Free text; the host stores the application that the secret is for. */
  readonly comment: string;
}

function requireName(name: string): void {
  if (!SecretRef.safeParse(name).success)
    throw new UiaHostError(
      'invalid_argument',
      'The name of a secret is uiahost:NAME, where NAME has letters, digits, dots, dashes and underscores.',
    );
}

function failed(what: string, name: string): UiaHostError {
  const error = kernel32.GetLastError();
  if (error === m.ERROR_NOT_FOUND)
    return new UiaHostError('not_found', `The credential manager has no ${name}.`, {
      hint: 'A person adds it with `uiahost secret set` or in the Windows credential manager.',
    });
  return new UiaHostError('internal', `The credential manager could not ${what} ${name} (Windows error ${error}).`);
}

const textAt = (address: bigint): string => (address === 0n ? '' : readString16(address));
const terminated = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le');

function toEntry(credential: ReturnType<typeof CREDENTIALW.readAt>): CredentialEntry {
  return {
    name: textAt(credential.TargetName),
    userName: textAt(credential.UserName),
    comment: textAt(credential.Comment),
  };
}

/** The entry and its secret. Errors: invalid_argument for a name without the host's prefix, not_found. */
export function readCredential(name: string): CredentialEntry & { readonly secret: string } {
  requireName(name);
  const found = Buffer.alloc(8);
  if (!advapi32.CredReadW(name, m.CRED_TYPE_GENERIC, 0, found)) throw failed('read', name);
  return freed(
    found.readBigUInt64LE(0),
    (memory) => {
      const credential = CREDENTIALW.readAt(memory);
      const bytes =
        credential.CredentialBlobSize === 0
          ? Buffer.alloc(0)
          : readMemory(credential.CredentialBlob, credential.CredentialBlobSize);
      // Windows' own dialog and cmdkey store UTF-16.
      const secret = bytes.toString('utf16le');
      bytes.fill(0);
      return { ...toEntry(credential), secret };
    },
    advapi32.CredFree,
  );
}

/** Stores or replaces an entry. Errors: invalid_argument for a name without the host's prefix or a secret of more than 1,280 UTF-16 units. */
export function writeCredential(entry: CredentialEntry & { readonly secret: string }): void {
  requireName(entry.name);
  const secret = Buffer.from(entry.secret, 'utf16le');
  if (secret.length > MAX_SECRET_BYTES)
    throw new UiaHostError(
      'invalid_argument',
      `The credential manager takes at most ${MAX_SECRET_UNITS} UTF-16 units.`,
    );
  const [name, userName, comment] = [terminated(entry.name), terminated(entry.userName), terminated(entry.comment)];
  const credential = CREDENTIALW.alloc({
    Type: m.CRED_TYPE_GENERIC,
    TargetName: addressOf(name),
    Comment: addressOf(comment),
    UserName: addressOf(userName),
    CredentialBlobSize: secret.length,
    CredentialBlob: secret.length === 0 ? 0n : addressOf(secret),
    Persist: m.CRED_PERSIST_LOCAL_MACHINE,
  });
  try {
    if (!advapi32.CredWriteW(credential, 0)) throw failed('write', entry.name);
  } finally {
    // Keeps the buffers alive until the call returns, and wipes the secret.
    for (const memory of [name, userName, comment, secret]) memory.fill(0);
  }
}

/** Removes an entry; false where there was none. */
export function deleteCredential(name: string): boolean {
  requireName(name);
  if (advapi32.CredDeleteW(name, m.CRED_TYPE_GENERIC, 0)) return true;
  if (kernel32.GetLastError() === m.ERROR_NOT_FOUND) return false;
  throw failed('delete', name);
}

/** Every entry of the host, by name; no secrets. */
export function listCredentials(): CredentialEntry[] {
  const count = Buffer.alloc(4);
  const found = Buffer.alloc(8);
  if (!advapi32.CredEnumerateW('uiahost:*', 0, count, found)) {
    if (kernel32.GetLastError() === m.ERROR_NOT_FOUND) return [];
    throw failed('list', 'uiahost:*');
  }
  return freed(
    found.readBigUInt64LE(0),
    (memory) =>
      peekPointers(memory, count.readUInt32LE(0))
        .map((address) => CREDENTIALW.readAt(address))
        .filter((credential) => credential.Type === m.CRED_TYPE_GENERIC)
        .map(toEntry)
        .filter(({ name }) => SecretRef.safeParse(name).success)
        .sort((one, other) => one.name.localeCompare(other.name)),
    advapi32.CredFree,
  );
}

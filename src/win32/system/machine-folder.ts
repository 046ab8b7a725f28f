/** The folder of the machine's data: everyone can read it, administrators alone can write. Short calls that never block. */
import { lstatSync, mkdirSync, renameSync, unlinkSync } from 'node:fs';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import {
  DACL_SECURITY_INFORMATION,
  OWNER_SECURITY_INFORMATION,
  PROTECTED_DACL_SECURITY_INFORMATION,
  SDDL_REVISION_1,
} from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isOwnedByOthers, whyNotAdministratorsFolder } from './trust.ts';

/** Owned by the administrators; the system and they may do everything, users read. Nothing is inherited from above. */
const ADMINISTRATORS_ONLY = 'O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)';

/**
 * Makes the folder, or restores its rights. Any user may create folders in %ProgramData%, so a folder that another account
 * owns, and a link in its place, are moved aside with their contents: another account's files are not trusted.
 * Returns why it is still not safe (a file system without rights); null if it is.
 * Source: learn.microsoft.com/windows/win32/api/winbase/nf-winbase-setfilesecurityw
 */
export function secureMachineFolder(folder: string): string | null {
  const seen = lstatSync(folder, { throwIfNoEntry: false });
  // for a link or a junction, this removes only the link
  if (seen?.isSymbolicLink() === true) unlinkSync(folder);
  else if (seen !== undefined && isOwnedByOthers(folder)) renameSync(folder, `${folder}.untrusted-${Date.now()}`);
  mkdirSync(folder, { recursive: true });
  const descriptor = Buffer.alloc(8);
  const size = Buffer.alloc(4);
  if (
    !advapi32.ConvertStringSecurityDescriptorToSecurityDescriptorW(
      ADMINISTRATORS_ONLY,
      SDDL_REVISION_1,
      descriptor,
      size,
    )
  )
    throw failed('make an access list');
  const memory = descriptor.readBigUInt64LE(0);
  try {
    const what = (OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION) >>> 0;
    if (!advapi32.SetFileSecurityW(folder, what, memory)) throw failed(`set the rights of ${folder}`);
  } finally {
    kernel32.LocalFree(memory);
  }
  return whyNotAdministratorsFolder(folder);
}

function failed(what: string): UiaHostError {
  return new UiaHostError('internal', `Setup could not ${what} (Windows error ${kernel32.GetLastError()}).`);
}

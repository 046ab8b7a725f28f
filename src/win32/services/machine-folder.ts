/**
 * The machine's folder (`%ProgramData%\uiahost`): users read it, administrators write it. Any user may make folders in
 * %ProgramData%: a folder of another account, or a link to elsewhere, is never given rights. The service refuses it,
 * the setup moves it aside. What is judged is what gets the rights: both are done on one handle, which opens a link
 * itself and not its target, and while it is open nothing can take the folder's place.
 */
import { join } from 'node:path';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { SECURITY_ATTRIBUTES } from '../../../native-bindings/win32/structs.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { knownFolder } from '../apps/folders.ts';
import { descriptorOfHandle, trusteesOf } from '../system/acl.ts';
import { isOwnedByOthers, whyNotAdministratorsFolder, whyNotOwnFolder } from '../system/trust.ts';
import { withDescriptor } from '../system/given.ts';

/** Owned by the administrators; the system and they may do everything, users read. Nothing is inherited from above. */
const ADMINISTRATORS_ONLY = 'O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FRFX;;;BU)';
const SECRET = 'O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)';
/** LocalService may read and change it, without the right to change rights. */
const BY_THE_LINK = '(A;OICI;0x1301bf;;;LS)';
/** What the fleet's link keeps. */
const OF_THE_LINK = `${SECRET}${BY_THE_LINK}`;
const ALLOWED: Readonly<Record<string, ReadonlySet<string>>> = {
  [ADMINISTRATORS_ONLY]: new Set(['S-1-5-18', 'S-1-5-32-544', 'S-1-5-32-545']),
  [SECRET]: new Set(['S-1-5-18', 'S-1-5-32-544']),
  [OF_THE_LINK]: new Set(['S-1-5-18', 'S-1-5-32-544', 'S-1-5-19']),
};
const PARTS =
  (m.OWNER_SECURITY_INFORMATION | m.DACL_SECURITY_INFORMATION | m.PROTECTED_DACL_SECURITY_INFORMATION) >>> 0;
const ACCESS = (m.READ_CONTROL | m.WRITE_DAC | m.WRITE_OWNER | m.FILE_READ_ATTRIBUTES) >>> 0;
/** How often something that another program puts in its place is moved aside before the setup gives up. */
const MOST_TRIES = 5;

/** Windows supplies the path: the environment may be anyone's. Null if the system has no such folder. */
export function machineFolder(): string | null {
  const folder = knownFolder('programData');
  return folder === null ? null : join(folder, 'uiahost');
}

const refused = (folder: string, why: string): UiaHostError =>
  new UiaHostError('permission_denied', `The machine’s folder ${folder} is not used: ${why}.`, {
    hint: 'Check who made it, then remove it as an administrator; the service makes it again.',
  });

const failure = (what: string, code = kernel32.GetLastError()): string => `${what} (Windows error ${code})`;

/** The folder itself, open. Without the right to share its deletion, so that nothing can take its place meanwhile. */
class HeldFolder implements Disposable {
  readonly #path: string;
  #handle: number;

  /** Makes the folder with these rights if nothing is there. Errors: permission_denied. */
  constructor(path: string, descriptor: bigint) {
    this.#path = path;
    const security = SECURITY_ATTRIBUTES.alloc({
      nLength: SECURITY_ATTRIBUTES.size,
      lpSecurityDescriptor: descriptor,
      bInheritHandle: false,
    });
    // It fails for whatever is there already, which is then opened and judged.
    const isMade = kernel32.CreateDirectoryW(path, security);
    const why = isMade ? '' : failure('it cannot be made');
    const flags = (m.FILE_FLAG_OPEN_REPARSE_POINT | m.FILE_FLAG_BACKUP_SEMANTICS) >>> 0;
    const share = m.FILE_SHARE_READ | m.FILE_SHARE_WRITE;
    this.#handle = kernel32.CreateFileW(path, ACCESS, share, null, m.OPEN_EXISTING, flags, 0);
    if (this.#handle === m.INVALID_HANDLE_VALUE)
      throw refused(path, `${why === '' ? '' : `${why}, and `}${failure('it cannot be opened')}`);
  }

  readonly #read = (): Buffer => descriptorOfHandle(this.#handle);

  /** Why it is not ours to use, before it is given any rights; null if it is. */
  whyNot(): string | null {
    const information = Buffer.alloc(52);
    if (!kernel32.GetFileInformationByHandle(this.#handle, information)) return failure('it cannot be read');
    const attributes = information.readUInt32LE(0);
    if ((attributes & m.FILE_ATTRIBUTE_DIRECTORY) === 0 || (attributes & m.FILE_ATTRIBUTE_REPARSE_POINT) !== 0)
      return 'it is a link or not a folder';
    // An account that owns it can give itself any right again.
    if (!isOwnedByOthers(this.#path, this.#read)) return null;
    return whyNotOwnFolder(this.#path, this.#read) ?? 'another account owns it';
  }

  /** Errors: permission_denied. */
  restrict(descriptor: bigint, rights: string): void {
    const [owner, list, ignored] = [Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(4)];
    advapi32.GetSecurityDescriptorOwner(descriptor, owner, ignored);
    advapi32.GetSecurityDescriptorDacl(descriptor, Buffer.alloc(4), list, ignored);
    const [sid, dacl] = [owner.readBigUInt64LE(0), list.readBigUInt64LE(0)];
    const result = advapi32.SetSecurityInfo(this.#handle, m.SE_FILE_OBJECT, PARTS, sid, null, dacl, null);
    if (result !== 0) throw refused(this.#path, failure('its rights cannot be set', result));
    if (trusteesOf(this.#read()).every((trustee) => ALLOWED[rights]?.has(trustee))) return;
    // Wine 10 adds the entries of the folder above in spite of the protection; this call sets the descriptor unchanged.
    if (!advapi32.SetKernelObjectSecurity(this.#handle, PARTS, descriptor))
      throw refused(this.#path, failure('its rights cannot be set'));
  }

  /** Why others than this account and the administrators can still write into it, and why others than the administrators. */
  verdict(): { own: string | null; administrators: string | null } {
    return {
      own: whyNotOwnFolder(this.#path, this.#read),
      administrators: whyNotAdministratorsFolder(this.#path, this.#read),
    };
  }

  letGo(): void {
    if (this.#handle !== m.INVALID_HANDLE_VALUE) kernel32.CloseHandle(this.#handle);
    this.#handle = m.INVALID_HANDLE_VALUE;
  }

  [Symbol.dispose](): void {
    this.letGo();
  }
}

const noList = (): UiaHostError =>
  new UiaHostError('internal', `Windows made no access list (error ${kernel32.GetLastError()}).`);

/** Makes and restricts one folder. What is refused is given to `otherwise`, which throws or clears the place. */
function secure(
  folder: string,
  otherwise: (why: string) => void,
  rights = ADMINISTRATORS_ONLY,
): ReturnType<HeldFolder['verdict']> {
  return withDescriptor(rights, noList, (descriptor) => {
    for (let left = MOST_TRIES; left > 0; left -= 1) {
      using held = new HeldFolder(folder, descriptor);
      const why = held.whyNot();
      if (why === null) {
        held.restrict(descriptor, rights);
        return held.verdict();
      }
      held.letGo();
      otherwise(why);
    }
    throw refused(folder, 'another program keeps putting something in its place');
  });
}

/**
 * The folder of the machine's data, for the setup: another account's folder, a link or a file in its place is moved
 * aside with its contents. Returns why it is still not the administrators' alone (a file system without rights); null
 * if it is. Errors: permission_denied.
 */
export function secureMachineFolder(folder: string): string | null {
  return secure(folder, (why) => {
    if (!kernel32.MoveFileExW(folder, `${folder}.untrusted-${Date.now()}`, 0))
      throw refused(folder, `${why}, and ${failure('it cannot be moved aside')}`);
  }).administrators;
}

/** A folder of the machine, made and restricted with those above it. Errors: permission_denied where another account owns one. */
export const openMachineFolder = (name: string): string => openFolders([name, ADMINISTRATORS_ONLY]);

/**
 * The folders of a machine that joins a fleet: that of its credentials, for the system and administrators alone, and below it
 * the link's own. Errors: permission_denied.
 */
export function openFleetFolders(): { readonly folder: string; readonly link: string } {
  return {
    folder: openFolders(['fleet', SECRET]),
    link: openFolders(['fleet', SECRET], ['link', OF_THE_LINK]),
  };
}

function openFolders(...inside: ReadonlyArray<readonly [name: string, rights: string]>): string {
  const machine = machineFolder();
  if (machine === null) throw refused('%ProgramData%\\uiahost', 'the system has no such folder');
  let folder = machine;
  for (const [name, rights] of [['', ADMINISTRATORS_ONLY] as const, ...inside]) {
    folder = join(folder, name);
    const { own } = secure(
      folder,
      (why) => {
        throw refused(folder, why);
      },
      rights,
    );
    // the link's folders are for another account, by their rights
    if (own !== null && !rights.endsWith(BY_THE_LINK)) throw refused(folder, own);
  }
  return folder;
}

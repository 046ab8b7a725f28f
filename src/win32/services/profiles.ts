/** The user profiles of this machine, and whether their accounts still exist. */
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import { ERROR_NONE_MAPPED, HKEY_LOCAL_MACHINE } from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { RegistryKey } from '../system/registry.ts';

/** Source: learn.microsoft.com/windows/win32/shell/knownfolderid (FOLDERID_Profile), and the profile list that Windows keeps there. */
const PROFILES = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList';

export interface Profile {
  readonly sid: string;
  readonly path: string;
  /** `unknown`: no domain controller answered, so nothing follows from it. */
  readonly account: 'exists' | 'gone' | 'unknown';
}

/** Whether Windows knows an account by its SID. It may wait for a domain controller. */
function accountOf(sid: string): Profile['account'] {
  const converted = Buffer.alloc(8);
  if (!advapi32.ConvertStringSidToSidW(sid, converted)) return 'unknown';
  const memory = converted.readBigUInt64LE(0);
  try {
    const [name, domain] = [Buffer.alloc(1024), Buffer.alloc(1024)];
    const [letters, domainLetters] = [Buffer.alloc(4), Buffer.alloc(4)];
    for (const each of [letters, domainLetters]) each.writeUInt32LE(512);
    if (advapi32.LookupAccountSidW(null, memory, name, letters, domain, domainLetters, Buffer.alloc(4)))
      return 'exists';
    return kernel32.GetLastError() === ERROR_NONE_MAPPED ? 'gone' : 'unknown';
  } finally {
    kernel32.LocalFree(memory);
  }
}

/** Profiles of users, without those of Windows' own services. */
export function userProfiles(): Profile[] {
  using list = RegistryKey.open(HKEY_LOCAL_MACHINE, PROFILES);
  return (list?.names() ?? [])
    .filter((sid) => /^S-1-(5-21|12-1)-[0-9-]+$/.test(sid))
    .flatMap((sid) => {
      using key = list?.child(sid) ?? null;
      const path = key?.text('ProfileImagePath') ?? null;
      return path === null ? [] : [{ sid, path, account: accountOf(sid) }];
    });
}

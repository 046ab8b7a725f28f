/**
 * The sessions of this machine in which a person is signed in, for a service. Session 0 has no person's desktop.
 * Source: learn.microsoft.com/windows/win32/termserv/terminal-services-sessions
 */
import { readString16, text16 } from '../../../native-bindings/library.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { WTS_SESSION_INFOW } from '../../../native-bindings/win32/structs.ts';
import { wtsapi32 } from '../../../native-bindings/win32/wtsapi32.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import { peek32 } from '../../../native-bindings/com/memory.ts';
import { sidAt } from '../system/descriptor.ts';
import { RegistryKey } from '../system/registry.ts';
import { Token, freed, sidIn, tokenInformation, userOfToken } from '../system/given.ts';
import { sessionInformation, takeSessions } from '../system/session.ts';

const SERVICES = 0;
/** What WTSGetActiveConsoleSessionId answers while no session is attached to the console. */
const NO_SESSION = 0xffff_ffff;

/** Ids of the connected and the disconnected sessions; the console's alone where the system lists none. */
function sessionIds(): number[] {
  const listed = takeSessions(
    (address, count) => wtsapi32.WTSEnumerateSessionsW(m.WTS_CURRENT_SERVER, 0, 1, address, count),
    (memory, count) =>
      Array.from({ length: count }, (_, index) =>
        WTS_SESSION_INFOW.readAt(memory + BigInt(index * WTS_SESSION_INFOW.size)),
      )
        .filter(({ State }) => State === m.WTSActive || State === m.WTSDisconnected)
        .map(({ SessionId }) => SessionId),
  );
  const ids = (listed ?? []).filter((id) => id !== SERVICES);
  const console = kernel32.WTSGetActiveConsoleSessionId();
  return ids.length > 0 || console === NO_SESSION || console === SERVICES ? ids : [console];
}

/**
 * The token of the session's user; null if no user is signed in there, or this process is not a service of the system.
 * Source: learn.microsoft.com/windows/win32/api/wtsapi32/nf-wtsapi32-wtsqueryusertoken
 */
export function userToken(session: number): Token | null {
  if (session === SERVICES) return null;
  const token = Buffer.alloc(8);
  return wtsapi32.WTSQueryUserToken(session, token) ? new Token(token) : null;
}

const text = (session: number, kind: number): string =>
  sessionInformation(session, kind, (memory) => readString16(memory)) ?? '';

/** `DOMAIN\user`; null if it is not known. */
export function sessionUser(session: number): string | null {
  const user = text(session, m.WTSUserName);
  const domain = text(session, m.WTSDomainName);
  if (user === '') return null;
  return domain === '' ? user : `${domain}\\${user}`;
}

/** Whether a person is signed in to the session. */
export function hasUser(session: number): boolean {
  using token = userToken(session);
  return token !== null;
}

/** Sessions in which a person is signed in. */
export const userSessions = (): number[] => sessionIds().filter(hasUser);

// Who is signed in to a session, as SIDs, and where that person sits.

export interface SessionAccount {
  readonly user: string;
  readonly groups: readonly string[];
  /** Over the network (Remote Desktop), not at the machine's console. */
  readonly isRemote: boolean;
}

/** An entry of SID_AND_ATTRIBUTES: an address and a number. */
const ENTRY_BYTES = 16;
/** Source: learn.microsoft.com/windows/win32/api/wtsapi32/ne-wtsapi32-wts_info_class: 0 is the console. */
const isRemoteSession = (session: number): boolean =>
  sessionInformation(session, m.WTSClientProtocolType, (memory) => (peek32(memory) & 0xffff) !== 0) ?? false;

/** Null if no user is signed in, or this process may not ask. */
export function sessionAccount(session: number): SessionAccount | null {
  using token = userToken(session);
  if (token === null) return null;
  const user = userOfToken(token);
  const groups = tokenInformation(token, m.TokenGroups);
  if (user === null || groups === null) return null;
  const count = groups.readUInt32LE(0);
  return {
    user,
    groups: Array.from({ length: count }, (_, index) => sidIn(groups, 8 + index * ENTRY_BYTES)),
    isRemote: isRemoteSession(session),
  };
}

/** SID of `DOMAIN\\name`, of a name, or of a SID itself; null for an unknown account. It may wait for a domain controller. */
export function accountSid(name: string): string | null {
  if (/^S-1-[0-9-]+$/i.test(name)) return name.toUpperCase();
  const sid = Buffer.alloc(68);
  const domain = Buffer.alloc(512);
  const [sidBytes, domainLetters] = [Buffer.alloc(4), Buffer.alloc(4)];
  sidBytes.writeUInt32LE(sid.length);
  domainLetters.writeUInt32LE(domain.length / 2);
  return advapi32.LookupAccountNameW(null, name, sid, sidBytes, domain, domainLetters, Buffer.alloc(4))
    ? sidAt(sid, 0)
    : null;
}

// The user profiles of this machine, and whether their accounts still exist.

/** Source: learn.microsoft.com/windows/win32/shell/knownfolderid (FOLDERID_Profile), and the profile list that Windows keeps there. */
const PROFILES = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList';

export interface Profile {
  readonly sid: string;
  readonly path: string;
  /** `unknown`: the account's domain did not answer, so nothing follows from it. */
  readonly account: 'exists' | 'gone' | 'unknown';
}

/** An account by its SID, in the system's language; `gone` where Windows finds none. It may wait for a domain controller. */
export function accountOf(sid: string): { name: string; domain: string } | 'gone' | 'unknown' {
  const converted = Buffer.alloc(8);
  if (!advapi32.ConvertStringSidToSidW(sid, converted)) return 'unknown';
  return freed(converted.readBigUInt64LE(0), (memory) => {
    const [name, domain] = [Buffer.alloc(1024), Buffer.alloc(1024)];
    const [letters, domainLetters] = [Buffer.alloc(4), Buffer.alloc(4)];
    for (const each of [letters, domainLetters]) each.writeUInt32LE(512);
    if (advapi32.LookupAccountSidW(null, memory, name, letters, domain, domainLetters, Buffer.alloc(4)))
      return { name: text16(name), domain: text16(domain) };
    return kernel32.GetLastError() === m.ERROR_NONE_MAPPED ? 'gone' : 'unknown';
  });
}

/**
 * Windows also finds no name where its question runs out of time, so an account is gone only if its domain knows the built-in
 * administrator. A device knows names of Entra ID (S-1-12-1) from sign-ins alone: none of those is ever gone.
 */
export function accountState(sid: string, find = accountOf): Profile['account'] {
  const account = find(sid);
  if (account !== 'gone') return account === 'unknown' ? account : 'exists';
  return sid.startsWith('S-1-5-21-') && typeof find(sid.replace(/-\d+$/, '-500')) === 'object' ? account : 'unknown';
}

/** Profiles of users, without those of Windows' own services. */
export function userProfiles(): Profile[] {
  using list = RegistryKey.open(m.HKEY_LOCAL_MACHINE, PROFILES);
  return (list?.names() ?? [])
    .filter((sid) => /^S-1-(5-21|12-1)-[0-9-]+$/.test(sid))
    .flatMap((sid) => {
      using key = list?.child(sid) ?? null;
      const path = key?.text('ProfileImagePath') ?? null;
      return path === null ? [] : [{ sid, path, account: accountState(sid) }];
    });
}

/** Who is signed in to a session, as SIDs, and where that person sits. */
import { addressOf } from '../../../native-bindings/library.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import {
  TokenGroups,
  TokenUser,
  WTS_CURRENT_SERVER,
  WTSClientProtocolType,
} from '../../../native-bindings/win32/constants.ts';
import { wtsapi32 } from '../../../native-bindings/win32/wtsapi32.ts';
import { peek32 } from '../../../native-bindings/com/memory.ts';
import { sidAt } from '../system/descriptor.ts';
import { userToken } from './user-sessions.ts';

export interface SessionAccount {
  readonly user: string;
  readonly groups: readonly string[];
  /** Over the network (Remote Desktop), not at the machine's console. */
  readonly isRemote: boolean;
}

/** An entry of SID_AND_ATTRIBUTES: an address and a number. */
const ENTRY_BYTES = 16;
/** A token of a member of 1,000 groups, Windows' limit, fits several times. */
const MOST_BYTES = 256 * 1024;

function information(token: number, kind: number): Buffer | null {
  const data = Buffer.alloc(MOST_BYTES);
  return advapi32.GetTokenInformation(token, kind, data, data.length, Buffer.alloc(4)) ? data : null;
}

/** The SID that an address within the same memory leads to. */
const sidIn = (data: Buffer, at: number): string => sidAt(data, Number(data.readBigUInt64LE(at) - addressOf(data)));

/** SID of a token's user; null if it cannot be read. */
export function userOfToken(token: number): string | null {
  const user = information(token, TokenUser);
  return user === null ? null : sidIn(user, 0);
}

/** Source: learn.microsoft.com/windows/win32/api/wtsapi32/ne-wtsapi32-wts_info_class: 0 is the console. */
function isRemoteSession(session: number): boolean {
  const [address, bytes] = [Buffer.alloc(8), Buffer.alloc(4)];
  if (!wtsapi32.WTSQuerySessionInformationW(WTS_CURRENT_SERVER, session, WTSClientProtocolType, address, bytes))
    return false;
  const memory = address.readBigUInt64LE(0);
  if (memory === 0n) return false;
  try {
    return (peek32(memory) & 0xffff) !== 0;
  } finally {
    wtsapi32.WTSFreeMemory(memory);
  }
}

/** Null if no user is signed in, or this process may not ask. */
export function sessionAccount(session: number): SessionAccount | null {
  using token = userToken(session);
  if (token === null) return null;
  const user = userOfToken(token.handle);
  const groups = information(token.handle, TokenGroups);
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

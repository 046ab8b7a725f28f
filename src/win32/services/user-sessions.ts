/**
 * The sessions of this machine in which a person is signed in, for a service. Session 0 has no person's desktop.
 * Source: learn.microsoft.com/windows/win32/termserv/terminal-services-sessions
 */
import { readString16 } from '../../../native-bindings/library.ts';
import {
  WTS_CURRENT_SERVER,
  WTSActive,
  WTSDisconnected,
  WTSDomainName,
  WTSUserName,
} from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { WTS_SESSION_INFOW } from '../../../native-bindings/win32/structs.ts';
import { wtsapi32 } from '../../../native-bindings/win32/wtsapi32.ts';

const SERVICES = 0;
/** What WTSGetActiveConsoleSessionId answers while no session is attached to the console. */
const NO_SESSION = 0xffff_ffff;

/** Frees the memory that a call of wtsapi32 filled in. */
function taking<T>(
  fill: (address: Buffer, count: Buffer) => boolean,
  read: (memory: bigint, count: number) => T,
): T | null {
  const address = Buffer.alloc(8);
  const count = Buffer.alloc(4);
  if (!fill(address, count)) return null;
  const memory = address.readBigUInt64LE(0);
  if (memory === 0n) return null;
  try {
    return read(memory, count.readUInt32LE(0));
  } finally {
    wtsapi32.WTSFreeMemory(memory);
  }
}

/** Ids of the connected and the disconnected sessions; the console's alone where the system lists none. */
function sessionIds(): number[] {
  const listed = taking(
    (address, count) => wtsapi32.WTSEnumerateSessionsW(WTS_CURRENT_SERVER, 0, 1, address, count),
    (memory, count) =>
      Array.from({ length: count }, (_, index) =>
        WTS_SESSION_INFOW.readAt(memory + BigInt(index * WTS_SESSION_INFOW.size)),
      )
        .filter(({ State }) => State === WTSActive || State === WTSDisconnected)
        .map(({ SessionId }) => SessionId),
  );
  const ids = (listed ?? []).filter((id) => id !== SERVICES);
  const console = kernel32.WTSGetActiveConsoleSessionId();
  return ids.length > 0 || console === NO_SESSION || console === SERVICES ? ids : [console];
}

/** A token of the session's user, closed when it goes out of scope. */
export interface UserToken extends Disposable {
  readonly handle: number;
}

/**
 * The token of the session's user; null if no user is signed in there, or this process is not a service of the system.
 * Source: learn.microsoft.com/windows/win32/api/wtsapi32/nf-wtsapi32-wtsqueryusertoken
 */
export function userToken(session: number): UserToken | null {
  if (session === SERVICES) return null;
  const token = Buffer.alloc(8);
  if (!wtsapi32.WTSQueryUserToken(session, token)) return null;
  const handle = Number(token.readBigUInt64LE(0));
  return { handle, [Symbol.dispose]: () => void kernel32.CloseHandle(handle) };
}

const text = (session: number, kind: number): string =>
  taking(
    (address, bytes) => wtsapi32.WTSQuerySessionInformationW(WTS_CURRENT_SERVER, session, kind, address, bytes),
    (memory) => readString16(memory),
  ) ?? '';

/** `DOMAIN\user`; null if it is not known. */
export function sessionUser(session: number): string | null {
  const user = text(session, WTSUserName);
  const domain = text(session, WTSDomainName);
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

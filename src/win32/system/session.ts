/** The user session that this process runs in: its desktop, its connection, the version of Windows. Nothing here waits for another program. */
import { peek32 } from '../../../native-bindings/com/memory.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { ntdll } from '../../../native-bindings/win32/ntdll.ts';
import { OSVERSIONINFOEXW } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { wtsapi32 } from '../../../native-bindings/win32/wtsapi32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { freed } from './given.ts';

/** Session of this process: 0 is the services' session, which has no desktop of a person. Source: learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-processidtosessionid */
export const ownSession = (): number => sessionOf(kernel32.GetCurrentProcessId()) ?? 0;

/** Session of a process; null if there is no such process. */
export function sessionOf(pid: number): number | null {
  const session = Buffer.alloc(4);
  return kernel32.ProcessIdToSessionId(pid, session) ? session.readUInt32LE(0) : null;
}

/** Errors: desktop_unavailable in the session of the services, where a host could see and reach nothing. */
export function assertUserSession(session = ownSession()): void {
  if (session !== 0) return;
  throw new UiaHostError(
    'desktop_unavailable',
    'The host does not start in session 0: that session belongs to the services of Windows and has no desktop of a person.',
    {
      hint: 'Let the Windows service uiahost start a host in each user’s session (uiahost service install, uiahost service start), or run uiahost start as a signed-in user.',
    },
  );
}

/**
 * Name of the desktop that has the input: Default, Winlogon (lock screen, elevation prompt), Screen-saver; null if it
 * may not be opened, which means that it is not the default one. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-openinputdesktop
 */
export function inputDesktop(): string | null {
  const desktop = user32.OpenInputDesktop(0, false, m.DESKTOP_READOBJECTS);
  if (desktop === 0) return null;
  try {
    const name = Buffer.alloc(512);
    const needed = Buffer.alloc(4);
    return user32.GetUserObjectInformationW(desktop, m.UOI_NAME, name, name.length, needed)
      ? name.toString('utf16le', 0, Math.max(0, needed.readUInt32LE(0) - 2))
      : null;
  } finally {
    user32.CloseDesktop(desktop);
  }
}

/** Reads the memory that a call of wtsapi32 filled in, and frees it; null if it filled in none. */
export function takeSessions<T>(
  fill: (address: Buffer, count: Buffer) => boolean,
  read: (memory: bigint, count: number) => T,
): T | null {
  const [address, count] = [Buffer.alloc(8), Buffer.alloc(4)];
  const memory = fill(address, count) ? address.readBigUInt64LE(0) : 0n;
  const free = (given: bigint): void => wtsapi32.WTSFreeMemory(given);
  return memory === 0n ? null : freed(memory, (given) => read(given, count.readUInt32LE(0)), free);
}

/** One WTS_INFO_CLASS of a session; null if the system does not have it. */
export const sessionInformation = <T>(
  session: number,
  kind: number,
  read: (address: bigint, bytes: number) => T,
): T | null =>
  takeSessions(
    (address, bytes) =>
      wtsapi32.has('WTSQuerySessionInformationW') &&
      wtsapi32.WTSQuerySessionInformationW(m.WTS_CURRENT_SERVER, session, kind, address, bytes),
    read,
  );

/** Whether the session is connected to a person's console or remote client. True where the system cannot say: it then has one session. */
export function isConnected(session: number): boolean {
  return (
    sessionInformation(session, m.WTSConnectState, (memory, bytes) =>
      bytes >= 4 ? peek32(memory) === m.WTSActive : true,
    ) ?? true
  );
}

/**
 * Whether the session is locked. WTSINFOEXW: level, then session id, connect state and flags after 8 bytes of level and
 * padding. Source: learn.microsoft.com/windows/win32/api/wtsapi32/ns-wtsapi32-wtsinfoex_level1_w
 */
export function isLocked(session: number): boolean {
  const flags = sessionInformation(session, m.WTSSessionInfoEx, (memory, bytes) =>
    bytes >= 20 && peek32(memory) === 1 ? peek32(memory + 16n) : null,
  );
  return flags === m.WTS_SESSIONSTATE_LOCK;
}

/** Shown over the network. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getsystemmetrics */
export function isRemote(): boolean {
  return user32.GetSystemMetrics(m.SM_REMOTESESSION) !== 0;
}

/** The real version of Windows, not the one reported to programs without a manifest. Source: learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-rtlgetversion */
export function windowsVersion(): { text: string; isServer: boolean } {
  const memory = OSVERSIONINFOEXW.alloc({ dwOSVersionInfoSize: OSVERSIONINFOEXW.size });
  if (ntdll.RtlGetVersion(memory) !== 0) return { text: 'unknown', isServer: false };
  const version = OSVERSIONINFOEXW.read(memory);
  return {
    text: `${version.dwMajorVersion}.${version.dwMinorVersion}.${version.dwBuildNumber}`,
    isServer: version.wProductType !== m.VER_NT_WORKSTATION,
  };
}

/** Sessions: wtsapi32.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const wtsapi32 = bindLibrary('wtsapi32.dll', {
  /** Connect state, user, protocol …, freed with WTSFreeMemory (uint64). https://learn.microsoft.com/windows/win32/api/wtsapi32/nf-wtsapi32-wtsquerysessioninformationw */
  WTSQuerySessionInformationW: fn('bool', ['handle server', 'uint32 session', 'int32 kind', 'ptr buffer', 'ptr bytes']),
  /** WTS_SESSION_INFOWs, freed with WTSFreeMemory. https://learn.microsoft.com/windows/win32/api/wtsapi32/nf-wtsapi32-wtsenumeratesessionsw */
  WTSEnumerateSessionsW: fn('bool', [
    'handle server',
    'uint32 reserved',
    'uint32 version',
    'ptr sessions',
    'ptr count',
  ]),
  /** Gives them back. https://learn.microsoft.com/windows/win32/api/wtsapi32/nf-wtsapi32-wtsfreememory */
  WTSFreeMemory: fn('void', ['ptr memory']),
  /** Token of a session's user; services only (uint64). https://learn.microsoft.com/windows/win32/api/wtsapi32/nf-wtsapi32-wtsqueryusertoken */
  WTSQueryUserToken: fn('bool', ['uint32 session', 'ptr token']),
});

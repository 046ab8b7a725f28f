/** Facts that only ntdll.dll provides. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const ntdll = bindLibrary('ntdll.dll', {
  /** Parent process, command line …; NTSTATUS. https://learn.microsoft.com/windows/win32/api/winternl/nf-winternl-ntqueryinformationprocess */
  NtQueryInformationProcess: fn('int32', ['handle process', 'int32 kind', 'ptr info', 'uint32 size', 'ptr returned']),
  /** Whether unsigned programs run …; NTSTATUS. https://learn.microsoft.com/windows/win32/api/winternl/nf-winternl-ntquerysysteminformation */
  NtQuerySystemInformation: fn('int32', ['int32 kind', 'ptr info', 'uint32 size', 'ptr returned']),
  /** OSVERSIONINFOEXW without compatibility lies; NTSTATUS 0. https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-rtlgetversion */
  RtlGetVersion: fn('int32', ['ptr version']),
});

/** Processes, jobs, memory, consoles. Reference: https://learn.microsoft.com/windows/win32/api/processthreadsapi/ */
import { at, bytes, chars, layout } from '../../layout.ts';
import { COORD, SMALL_RECT } from './geometry.ts';

export const FILETIME = layout('FILETIME', { dwLowDateTime: 'uint32', dwHighDateTime: 'uint32' });
export const SYSTEMTIME = layout('SYSTEMTIME', {
  wYear: 'uint16',
  wMonth: 'uint16',
  wDayOfWeek: 'uint16',
  wDay: 'uint16',
  wHour: 'uint16',
  wMinute: 'uint16',
  wSecond: 'uint16',
  wMilliseconds: 'uint16',
});
/** Where a manifest is from: `lpSource` is a file. https://learn.microsoft.com/windows/win32/api/winbase/ns-winbase-actctxw */
export const ACTCTXW = layout('ACTCTXW', {
  cbSize: 'uint32',
  dwFlags: 'uint32',
  lpSource: 'ptr',
  wProcessorArchitecture: 'uint16',
  wLangId: 'uint16',
  lpAssemblyDirectory: 'ptr',
  lpResourceName: 'ptr',
  lpApplicationName: 'ptr',
  hModule: 'handle',
});
export const SECURITY_ATTRIBUTES = layout('SECURITY_ATTRIBUTES', {
  nLength: 'uint32',
  lpSecurityDescriptor: 'ptr',
  bInheritHandle: 'bool',
});
export const STARTUPINFOW = layout('STARTUPINFOW', {
  cb: 'uint32',
  lpReserved: 'ptr',
  lpDesktop: 'ptr',
  lpTitle: 'ptr',
  dwX: 'uint32',
  dwY: 'uint32',
  dwXSize: 'uint32',
  dwYSize: 'uint32',
  dwXCountChars: 'uint32',
  dwYCountChars: 'uint32',
  dwFillAttribute: 'uint32',
  dwFlags: 'uint32',
  wShowWindow: 'uint16',
  cbReserved2: 'uint16',
  lpReserved2: 'ptr',
  hStdInput: 'handle',
  hStdOutput: 'handle',
  hStdError: 'handle',
});
export const STARTUPINFOEXW = layout('STARTUPINFOEXW', { StartupInfo: STARTUPINFOW, lpAttributeList: 'ptr' });
export const PROCESS_INFORMATION = layout('PROCESS_INFORMATION', {
  hProcess: 'handle',
  hThread: 'handle',
  dwProcessId: 'uint32',
  dwThreadId: 'uint32',
});
export const PROCESSENTRY32W = layout('PROCESSENTRY32W', {
  dwSize: 'uint32',
  cntUsage: 'uint32',
  th32ProcessID: 'uint32',
  th32DefaultHeapID: 'uintptr',
  th32ModuleID: 'uint32',
  cntThreads: 'uint32',
  th32ParentProcessID: 'uint32',
  pcPriClassBase: 'int32',
  dwFlags: 'uint32',
  szExeFile: chars(260),
});
export const THREADENTRY32 = layout('THREADENTRY32', {
  dwSize: 'uint32',
  cntUsage: 'uint32',
  th32ThreadID: 'uint32',
  th32OwnerProcessID: 'uint32',
  tpBasePri: 'int32',
  tpDeltaPri: 'int32',
  dwFlags: 'uint32',
});
export const PROCESS_MEMORY_COUNTERS = layout('PROCESS_MEMORY_COUNTERS', {
  cb: 'uint32',
  PageFaultCount: 'uint32',
  PeakWorkingSetSize: 'uintptr',
  WorkingSetSize: 'uintptr',
  QuotaPeakPagedPoolUsage: 'uintptr',
  QuotaPagedPoolUsage: 'uintptr',
  QuotaPeakNonPagedPoolUsage: 'uintptr',
  QuotaNonPagedPoolUsage: 'uintptr',
  PagefileUsage: 'uintptr',
  PeakPagefileUsage: 'uintptr',
});
export const PROCESS_BASIC_INFORMATION = layout('PROCESS_BASIC_INFORMATION', {
  ExitStatus: 'int32',
  PebBaseAddress: 'ptr',
  AffinityMask: 'uintptr',
  BasePriority: 'int32',
  UniqueProcessId: 'uintptr',
  InheritedFromUniqueProcessId: 'uintptr',
});
export const MEMORYSTATUSEX = layout('MEMORYSTATUSEX', {
  dwLength: 'uint32',
  dwMemoryLoad: 'uint32',
  ullTotalPhys: 'uint64',
  ullAvailPhys: 'uint64',
  ullTotalPageFile: 'uint64',
  ullAvailPageFile: 'uint64',
  ullTotalVirtual: 'uint64',
  ullAvailVirtual: 'uint64',
  ullAvailExtendedVirtual: 'uint64',
});
export const SYSTEM_INFO = layout('SYSTEM_INFO', {
  wProcessorArchitecture: 'uint16',
  wReserved: 'uint16',
  dwPageSize: 'uint32',
  lpMinimumApplicationAddress: 'ptr',
  lpMaximumApplicationAddress: 'ptr',
  dwActiveProcessorMask: 'uintptr',
  dwNumberOfProcessors: 'uint32',
  dwProcessorType: 'uint32',
  dwAllocationGranularity: 'uint32',
  wProcessorLevel: 'uint16',
  wProcessorRevision: 'uint16',
});
export const OSVERSIONINFOEXW = layout('OSVERSIONINFOEXW', {
  dwOSVersionInfoSize: 'uint32',
  dwMajorVersion: 'uint32',
  dwMinorVersion: 'uint32',
  dwBuildNumber: 'uint32',
  dwPlatformId: 'uint32',
  szCSDVersion: chars(128),
  wServicePackMajor: 'uint16',
  wServicePackMinor: 'uint16',
  wSuiteMask: 'uint16',
  wProductType: 'uint8',
  wReserved: 'uint8',
});
export const JOBOBJECT_BASIC_LIMIT_INFORMATION = layout('JOBOBJECT_BASIC_LIMIT_INFORMATION', {
  PerProcessUserTimeLimit: 'int64',
  PerJobUserTimeLimit: 'int64',
  LimitFlags: 'uint32',
  MinimumWorkingSetSize: 'uintptr',
  MaximumWorkingSetSize: 'uintptr',
  ActiveProcessLimit: 'uint32',
  Affinity: 'uintptr',
  PriorityClass: 'uint32',
  SchedulingClass: 'uint32',
});
/** `IoInfo`: six uint64 counters. */
export const JOBOBJECT_EXTENDED_LIMIT_INFORMATION = layout('JOBOBJECT_EXTENDED_LIMIT_INFORMATION', {
  BasicLimitInformation: JOBOBJECT_BASIC_LIMIT_INFORMATION,
  IoInfo: bytes(48, 8),
  ProcessMemoryLimit: 'uintptr',
  JobMemoryLimit: 'uintptr',
  PeakProcessMemoryUsed: 'uintptr',
  PeakJobMemoryUsed: 'uintptr',
});
export const OVERLAPPED = layout('OVERLAPPED', {
  Internal: 'uintptr',
  InternalHigh: 'uintptr',
  Offset: 'uint32',
  OffsetHigh: 'uint32',
  hEvent: 'handle',
});

/** https://learn.microsoft.com/windows/console/console-screen-buffer-info-str */
export const CONSOLE_SCREEN_BUFFER_INFO = layout('CONSOLE_SCREEN_BUFFER_INFO', {
  dwSize: COORD,
  dwCursorPosition: COORD,
  wAttributes: 'uint16',
  srWindow: SMALL_RECT,
  dwMaximumWindowSize: COORD,
});
/** `UnicodeChar` of the union. https://learn.microsoft.com/windows/console/key-event-record-str */
export const KEY_EVENT_RECORD = layout('KEY_EVENT_RECORD', {
  bKeyDown: 'bool',
  wRepeatCount: 'uint16',
  wVirtualKeyCode: 'uint16',
  wVirtualScanCode: 'uint16',
  uChar: 'uint16',
  dwControlKeyState: 'uint32',
});
/** 20 bytes; `EventType` 1 = key. https://learn.microsoft.com/windows/console/input-record-str */
export const INPUT_RECORD = layout('INPUT_RECORD', { EventType: 'uint16', Event: at(4, KEY_EVENT_RECORD) });
/** https://learn.microsoft.com/windows/console/char-info-str */
export const CHAR_INFO = layout('CHAR_INFO', { Char: 'uint16', Attributes: 'uint16' });

/** Processes, memory, files, consoles: kernel32.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, callback, fn } from '../library.ts';

/** Called for Ctrl+C and similar events. https://learn.microsoft.com/windows/console/handlerroutine */
const ConsoleCtrlHandler = callback('bool', ['uint32 event']);

/** Called on a thread of the pool when an object that is waited for is signalled. https://learn.microsoft.com/windows/win32/api/winnt/nc-winnt-waitortimercallbackfunc */
export const WaitCallback = callback('void', ['ptr context', 'uint32 isTimeOut']);

/** Called for each name of a type of resource. https://learn.microsoft.com/windows/win32/api/libloaderapi/nc-libloaderapi-enumresnameprocw */
const EnumResNameProc = callback('bool', ['handle module', 'ptr type', 'ptr name', 'intptr data']);

export const kernel32 = bindLibrary('kernel32.dll', {
  // Errors, memory, modules
  /** Language id of the user interface. https://learn.microsoft.com/windows/win32/api/winnls/nf-winnls-getuserdefaultuilanguage */
  GetUserDefaultUILanguage: fn('uint16', []),
  /** Error of the last call on this thread (kept by koffi across calls). https://learn.microsoft.com/windows/win32/api/errhandlingapi/nf-errhandlingapi-getlasterror */
  GetLastError: fn('uint32', []),
  /** Sets it. https://learn.microsoft.com/windows/win32/api/errhandlingapi/nf-errhandlingapi-setlasterror */
  SetLastError: fn('void', ['uint32 error']),
  /** Memory for the clipboard. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-globalalloc */
  GlobalAlloc: fn('handle', ['uint32 flags', 'uintptr bytes']),
  /** Its address. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-globallock */
  GlobalLock: fn('ptr', ['handle memory']),
  /** False and no error when it is no longer locked. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-globalunlock */
  GlobalUnlock: fn('bool', ['handle memory']),
  /** Its size. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-globalsize */
  GlobalSize: fn('uintptr', ['handle memory']),
  /** Frees it; 0 = done. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-globalfree */
  GlobalFree: fn('handle', ['handle memory']),
  /**
   * Frees what a system function allocated; 0n = done.
   * https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-localfree
   */
  LocalFree: fn('ptr', ['ptr memory']),
  /** Memory that LocalFree takes. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-localalloc */
  LocalAlloc: fn('ptr', ['uint32 flags', 'uintptr bytes']),
  /** A loaded module; null = this program. https://learn.microsoft.com/windows/win32/api/libloaderapi/nf-libloaderapi-getmodulehandlew */
  GetModuleHandleW: fn('handle', ['str16 name']),
  /** The module at an address, pinned or counted (uint64). https://learn.microsoft.com/windows/win32/api/libloaderapi/nf-libloaderapi-getmodulehandleexw */
  GetModuleHandleExW: fn('bool', ['uint32 flags', 'ptr nameOrAddress', 'ptr module']),
  /** ACTCTXW: an activation context, by which a thread gets the DLL versions that a manifest names; -1 = refused. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-createactctxw */
  CreateActCtxW: fn('handle', ['ptr context']),
  /** Makes it this thread's; a cookie for the end. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-activateactctx */
  ActivateActCtx: fn('bool', ['handle context', 'ptr cookie']),
  /** Loads a module, also as data only. https://learn.microsoft.com/windows/win32/api/libloaderapi/nf-libloaderapi-loadlibraryexw */
  LoadLibraryExW: fn('handle', ['str16 name', 'handle reserved', 'uint32 flags']),
  /** The names of a type's resources (integers or texts), those of the language file included. https://learn.microsoft.com/windows/win32/api/libloaderapi/nf-libloaderapi-enumresourcenamesw */
  EnumResourceNamesW: fn('bool', ['handle module', 'ptr type', EnumResNameProc, 'intptr data']),
  /** Frees it. https://learn.microsoft.com/windows/win32/api/libloaderapi/nf-libloaderapi-freelibrary */
  FreeLibrary: fn('bool', ['handle module']),
  /** Where DLLs that are named without a folder are searched for. https://learn.microsoft.com/windows/win32/api/libloaderapi/nf-libloaderapi-setdefaultdlldirectories */
  SetDefaultDllDirectories: fn('bool', ['uint32 flags']),
  /** The system directory. https://learn.microsoft.com/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsystemdirectoryw */
  GetSystemDirectoryW: fn('uint32', ['ptr path', 'uint32 capacity']),
  /** The Windows directory. https://learn.microsoft.com/windows/win32/api/sysinfoapi/nf-sysinfoapi-getwindowsdirectoryw */
  GetWindowsDirectoryW: fn('uint32', ['ptr path', 'uint32 capacity']),
  /** Milliseconds since the start, 32 bits (the clock of window messages). https://learn.microsoft.com/windows/win32/api/sysinfoapi/nf-sysinfoapi-gettickcount */
  GetTickCount: fn('uint32', []),
  /** Milliseconds since the start. https://learn.microsoft.com/windows/win32/api/sysinfoapi/nf-sysinfoapi-gettickcount64 */
  GetTickCount64: fn('uint64', []),
  /** SYSTEM_INFO. https://learn.microsoft.com/windows/win32/api/sysinfoapi/nf-sysinfoapi-getnativesysteminfo */
  GetNativeSystemInfo: fn('void', ['ptr info']),
  /** Blocks this thread. https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-sleep */
  Sleep: fn('void', ['uint32 milliseconds']),

  // Processes and threads
  /** Id of this process. https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-getcurrentprocessid */
  GetCurrentProcessId: fn('uint32', []),
  /** Id of this thread. https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-getcurrentthreadid */
  GetCurrentThreadId: fn('uint32', []),
  /** Pseudo handle of this process (-1). https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-getcurrentprocess */
  GetCurrentProcess: fn('handle', []),
  /** A process by id; 0 = failed. https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-openprocess */
  OpenProcess: fn('handle', ['uint32 access', 'bool inherit', 'uint32 process']),
  /** Closes a handle. https://learn.microsoft.com/windows/win32/api/handleapi/nf-handleapi-closehandle */
  CloseHandle: fn('bool', ['handle object']),
  /** Inheritable or not. https://learn.microsoft.com/windows/win32/api/handleapi/nf-handleapi-sethandleinformation */
  SetHandleInformation: fn('bool', ['handle object', 'uint32 mask', 'uint32 flags']),
  /** Path of its program; capacity is a uint32 in and out. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-queryfullprocessimagenamew */
  QueryFullProcessImageNameW: fn('bool', ['handle process', 'uint32 flags', 'ptr path', 'ptr capacity']),
  /** Four FILETIMEs; `created` tells reused ids apart. https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-getprocesstimes */
  GetProcessTimes: fn('bool', ['handle process', 'ptr created', 'ptr ended', 'ptr kernel', 'ptr user']),
  /** uint32; 259 = still running. https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-getexitcodeprocess */
  GetExitCodeProcess: fn('bool', ['handle process', 'ptr code']),
  /** Kills it. https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-terminateprocess */
  TerminateProcess: fn('bool', ['handle process', 'uint32 code']),
  /** Starts a program; the command line must be writable memory. https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw */
  CreateProcessW: fn('bool', [
    'str16 program',
    'ptr commandLine',
    'ptr processAttributes',
    'ptr threadAttributes',
    'bool inherit',
    'uint32 flags',
    'ptr environment',
    'str16 directory',
    'ptr startup',
    'ptr information',
  ]),
  /** uint32: its session. https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-processidtosessionid */
  ProcessIdToSessionId: fn('bool', ['uint32 process', 'ptr session']),
  /** Session at the physical console; 0xFFFFFFFF while it changes. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-wtsgetactiveconsolesessionid */
  WTSGetActiveConsoleSessionId: fn('uint32', []),
  /** Two uint16 machine types (0 = native). https://learn.microsoft.com/windows/win32/api/wow64apiset/nf-wow64apiset-iswow64process2 */
  IsWow64Process2: fn('bool', ['handle process', 'ptr processMachine', 'ptr nativeMachine']),
  /** int32: whether a 32-bit program on 64-bit Windows. https://learn.microsoft.com/windows/win32/api/wow64apiset/nf-wow64apiset-iswow64process */
  IsWow64Process: fn('bool', ['handle process', 'ptr wow64']),
  /** Prepares a list for CreateProcess. https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-initializeprocthreadattributelist */
  InitializeProcThreadAttributeList: fn('bool', ['ptr list', 'uint32 count', 'uint32 flags', 'ptr size']),
  /** Adds to it. https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-updateprocthreadattribute */
  UpdateProcThreadAttribute: fn('bool', [
    'ptr list',
    'uint32 flags',
    'uintptr attribute',
    'ptr value',
    'uintptr size',
    'ptr previous',
    'ptr returned',
  ]),
  /**
   * Frees it.
   * https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-deleteprocthreadattributelist
   */
  DeleteProcThreadAttributeList: fn('void', ['ptr list']),
  /** 0 signalled, 258 time-out, 0xFFFFFFFF failed. https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-waitforsingleobject */
  WaitForSingleObject: fn('uint32', ['handle object', 'uint32 milliseconds']),
  /** Calls a function on a thread of the pool once an object is signalled (handle of the wait). https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-registerwaitforsingleobject */
  RegisterWaitForSingleObject: fn('bool', [
    'ptr wait',
    'handle object',
    WaitCallback,
    'ptr context',
    'uint32 milliseconds',
    'uint32 flags',
  ]),
  /** Ends such a wait. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-unregisterwait */
  UnregisterWait: fn('bool', ['handle wait']),
  /** A named mutex; error 183 = it was there. https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-createmutexw */
  CreateMutexW: fn('handle', ['ptr attributes', 'bool own', 'str16 name']),
  /** Releases it. https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-releasemutex */
  ReleaseMutex: fn('bool', ['handle mutex']),
  /** An existing mutex; 0 = failed. https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-openmutexw */
  OpenMutexW: fn('handle', ['uint32 access', 'bool inherit', 'str16 name']),
  /** A named event. https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-createeventw */
  CreateEventW: fn('handle', ['ptr attributes', 'bool manual', 'bool signalled', 'str16 name']),
  /** Signals it. https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-setevent */
  SetEvent: fn('bool', ['handle event']),
  /** Takes the signal back. https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-resetevent */
  ResetEvent: fn('bool', ['handle event']),
  /** A list of processes, threads or modules; -1 = failed. https://learn.microsoft.com/windows/win32/api/tlhelp32/nf-tlhelp32-createtoolhelp32snapshot */
  CreateToolhelp32Snapshot: fn('handle', ['uint32 flags', 'uint32 process']),
  /** PROCESSENTRY32W (set `dwSize` first). https://learn.microsoft.com/windows/win32/api/tlhelp32/nf-tlhelp32-process32firstw */
  Process32FirstW: fn('bool', ['handle snapshot', 'ptr entry']),
  /** The next one. https://learn.microsoft.com/windows/win32/api/tlhelp32/nf-tlhelp32-process32nextw */
  Process32NextW: fn('bool', ['handle snapshot', 'ptr entry']),
  /** AppUserModelID of a packaged process; 15703 = it has none. https://learn.microsoft.com/windows/win32/api/appmodel/nf-appmodel-getapplicationusermodelid */
  GetApplicationUserModelId: fn('int32', ['handle process', 'ptr length', 'ptr id']),
  /** Replaces %NAME%. https://learn.microsoft.com/windows/win32/api/processenv/nf-processenv-expandenvironmentstringsw */
  ExpandEnvironmentStringsW: fn('uint32', ['str16 text', 'ptr expanded', 'uint32 capacity']),

  // Memory of another process
  /** Memory there; 0n = failed. https://learn.microsoft.com/windows/win32/api/memoryapi/nf-memoryapi-virtualallocex */
  VirtualAllocEx: fn('ptr', ['handle process', 'ptr address', 'uintptr bytes', 'uint32 kind', 'uint32 protection']),
  /** Frees it. https://learn.microsoft.com/windows/win32/api/memoryapi/nf-memoryapi-virtualfreeex */
  VirtualFreeEx: fn('bool', ['handle process', 'ptr address', 'uintptr bytes', 'uint32 kind']),
  /** Copies from there. https://learn.microsoft.com/windows/win32/api/memoryapi/nf-memoryapi-readprocessmemory */
  ReadProcessMemory: fn('bool', ['handle process', 'ptr address', 'ptr into', 'uintptr bytes', 'ptr read']),
  /** Copies there. https://learn.microsoft.com/windows/win32/api/memoryapi/nf-memoryapi-writeprocessmemory */
  WriteProcessMemory: fn('bool', ['handle process', 'ptr address', 'ptr from', 'uintptr bytes', 'ptr written']),

  // Files
  /** Opens a file, pipe or console buffer; -1 = failed. https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-createfilew */
  CreateFileW: fn('handle', [
    'str16 path',
    'uint32 access',
    'uint32 share',
    'ptr security',
    'uint32 disposition',
    'uint32 flags',
    'handle template',
  ]),
  /** Reads. https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-readfile */
  ReadFile: fn('bool', ['handle file', 'ptr into', 'uint32 bytes', 'ptr read', 'ptr overlapped']),
  /** Writes. https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-writefile */
  WriteFile: fn('bool', ['handle file', 'ptr from', 'uint32 bytes', 'ptr written', 'ptr overlapped']),
  /** Makes one folder, with a descriptor. https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-createdirectoryw */
  CreateDirectoryW: fn('bool', ['str16 path', 'ptr security']),
  /** 52 bytes about an open file; its attributes come first. https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-getfileinformationbyhandle */
  GetFileInformationByHandle: fn('bool', ['handle file', 'ptr information']),
  /** Attributes; 0xFFFFFFFF = failed. https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-getfileattributesw */
  GetFileAttributesW: fn('uint32', ['str16 path']),
  /** What a drive is, by its root `X:\\`; 4 = of another machine. https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-getdrivetypew */
  GetDriveTypeW: fn('uint32', ['str16 root']),
  /** Path with long names. https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-getlongpathnamew */
  GetLongPathNameW: fn('uint32', ['str16 path', 'ptr long', 'uint32 capacity']),
  /** Renames over, written through if asked. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-movefileexw */
  MoveFileExW: fn('bool', ['str16 from', 'str16 to', 'uint32 flags']),
  /** A pipe without a name: two handles (uint64). https://learn.microsoft.com/windows/win32/api/namedpipeapi/nf-namedpipeapi-createpipe */
  CreatePipe: fn('bool', ['ptr reading', 'ptr writing', 'ptr attributes', 'uint32 bytes']),
  /** How much of a pipe can be read without waiting. https://learn.microsoft.com/windows/win32/api/namedpipeapi/nf-namedpipeapi-peeknamedpipe */
  PeekNamedPipe: fn('bool', [
    'handle pipe',
    'ptr into',
    'uint32 bytes',
    'ptr read',
    'ptr available',
    'ptr leftOfMessage',
  ]),

  // Consoles
  /** Joins another process's console. https://learn.microsoft.com/windows/console/attachconsole */
  AttachConsole: fn('bool', ['uint32 process']),
  /** Leaves it. https://learn.microsoft.com/windows/console/freeconsole */
  FreeConsole: fn('bool', []),
  /** Makes one. https://learn.microsoft.com/windows/console/allocconsole */
  AllocConsole: fn('bool', []),
  /** Its window. https://learn.microsoft.com/windows/console/getconsolewindow */
  GetConsoleWindow: fn('hwnd', []),
  /** CONSOLE_SCREEN_BUFFER_INFO. https://learn.microsoft.com/windows/console/getconsolescreenbufferinfo */
  GetConsoleScreenBufferInfo: fn('bool', ['handle output', 'ptr info']),
  /** Characters on its screen. https://learn.microsoft.com/windows/console/readconsoleoutputcharacterw */
  ReadConsoleOutputAttribute: fn('bool', [
    'handle output',
    'ptr attributes',
    'uint32 length',
    'coord from',
    'ptr read',
  ]),
  ReadConsoleOutputCharacterW: fn('bool', ['handle output', 'ptr text', 'uint32 length', 'coord from', 'ptr read']),
  /** Puts INPUT_RECORDs (20 bytes each) in its input. https://learn.microsoft.com/windows/console/writeconsoleinputw */
  WriteConsoleInputW: fn('bool', ['handle input', 'ptr records', 'uint32 count', 'ptr written']),
  /** Looks at its input. https://learn.microsoft.com/windows/console/peekconsoleinputw */
  PeekConsoleInputW: fn('bool', ['handle input', 'ptr records', 'uint32 count', 'ptr read']),
  /** uint32: its mode. https://learn.microsoft.com/windows/console/getconsolemode */
  GetConsoleMode: fn('bool', ['handle console', 'ptr mode']),
  /** Handles Ctrl+C; null and true ignore it. https://learn.microsoft.com/windows/console/setconsolectrlhandler */
  SetConsoleCtrlHandler: fn('bool', [ConsoleCtrlHandler, 'bool add']),
  /** Sends Ctrl+C or Ctrl+Break to a group. https://learn.microsoft.com/windows/console/generateconsolectrlevent */
  GenerateConsoleCtrlEvent: fn('bool', ['uint32 event', 'uint32 group']),
});

/**
 * Harmless arguments for every bound function, and the reasons why others are not called.
 *
 * What is not in `CALLS` gets zeros, empty strings, callbacks that answer 0, and 4 KiB of zeroed memory for each pointer.
 */
import { callbackAnsweringZero, memory, scratch, type Arguments } from './arguments.ts';
import { guid } from '../../../../native-bindings/com/guid.ts';
import { advapi32 } from '../../../../native-bindings/win32/advapi32.ts';
import { comctl32 } from '../../../../native-bindings/win32/comctl32.ts';
import { dwmapi } from '../../../../native-bindings/win32/dwmapi.ts';
import { gdi32 } from '../../../../native-bindings/win32/gdi32.ts';
import { kernel32 } from '../../../../native-bindings/win32/kernel32.ts';
import { ntdll } from '../../../../native-bindings/win32/ntdll.ts';
import { ole32 } from '../../../../native-bindings/win32/ole32.ts';
import { oleacc } from '../../../../native-bindings/win32/oleacc.ts';
import { oleaut32 } from '../../../../native-bindings/win32/oleaut32.ts';
import { shcore } from '../../../../native-bindings/win32/shcore.ts';
import { shell32 } from '../../../../native-bindings/win32/shell32.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { userenv } from '../../../../native-bindings/win32/userenv.ts';
import { uxtheme } from '../../../../native-bindings/win32/uxtheme.ts';
import { version } from '../../../../native-bindings/win32/version.ts';
import { iphlpapi } from '../../../../native-bindings/win32/iphlpapi.ts';
import { wintrust } from '../../../../native-bindings/win32/wintrust.ts';
import { wtsapi32 } from '../../../../native-bindings/win32/wtsapi32.ts';

/** In the order in which they are called. */
export const LIBRARIES = {
  kernel32,
  user32,
  gdi32,
  shell32,
  dwmapi,
  comctl32,
  uxtheme,
  shcore,
  advapi32,
  ole32,
  oleaut32,
  oleacc,
  iphlpapi,
  wintrust,
  wtsapi32,
  version,
  userenv,
  ntdll,
};

const IID_ACCESSIBLE = guid('618736e0-3c3d-11cf-810c-00aa00389b71');
const IID_SHELL_ITEM = guid('43826d1e-e718-42ee-bc55-a1e261c37bfe');
const OBJID_CLIENT = 0xfffffffc;
const accessible = (): bigint => {
  const out = new BigUint64Array(1);
  oleacc.AccessibleObjectFromWindow(user32.GetDesktopWindow(), OBJID_CLIENT, IID_ACCESSIBLE, out);
  return out[0]!;
};
/** So that a waiting message loop has something to take. */
const withMessage =
  (...args: unknown[]) =>
  () => {
    user32.PostThreadMessageW(kernel32.GetCurrentThreadId(), 0, 0, 0);
    return args;
  };
const here = (): [number, number] => {
  const point = Buffer.alloc(8);
  user32.GetCursorPos(point);
  return [point.readInt32LE(0), point.readInt32LE(4)];
};
const bstr = (): bigint => oleaut32.SysAllocStringLen('text', 4);
const KERNEL = 'C:\\windows\\system32\\kernel32.dll';
const versionData = (): Buffer => {
  const data = scratch();
  version.GetFileVersionInfoW(KERNEL, 0, data.length, data);
  return data;
};
const sid = Buffer.from('010100000000000512000000', 'hex');

/** Arguments where zeros will not do. */
export const CALLS: Readonly<Record<string, Arguments>> = {
  'kernel32.GetModuleHandleW': [null],
  'kernel32.GetModuleHandleExW': [2, null, scratch],
  'kernel32.LoadLibraryExW': ['user32.dll', 0, 2],
  'kernel32.EnumResourceNamesW': [0, 9n, callbackAnsweringZero, 0],
  'kernel32.LocalFree': () => [kernel32.LocalAlloc(0, 16)],
  'kernel32.GlobalFree': () => [kernel32.GlobalAlloc(2, 16)],
  'kernel32.CreateProcessW': [null, scratch, null, null, false, 0, null, null, scratch, scratch],
  'kernel32.InitializeProcThreadAttributeList': [null, 1, 0, scratch],
  'kernel32.UpdateProcThreadAttribute': () => {
    const list = scratch();
    kernel32.InitializeProcThreadAttributeList(list, 1, 0, Buffer.from('0010000000000000', 'hex'));
    return [list, 0, 0x20000, memory(Buffer.alloc(8)), 8, null, null];
  },
  'kernel32.DeleteProcThreadAttributeList': () => {
    const list = scratch();
    kernel32.InitializeProcThreadAttributeList(list, 1, 0, Buffer.from('0010000000000000', 'hex'));
    return [list];
  },
  'kernel32.CreateMutexW': [null, false, null],
  'kernel32.CreateEventW': [null, false, false, null],
  'kernel32.CreateToolhelp32Snapshot': [2, 0],
  'kernel32.ExpandEnvironmentStringsW': ['%PATH%', scratch, 2000],
  'kernel32.SetConsoleCtrlHandler': [null, false],
  // No such event: refused. A real one would end the test runner, which shares the console.
  'kernel32.GenerateConsoleCtrlEvent': [9, 0],
  'kernel32.GetFileAttributesW': ['C:\\windows'],
  'kernel32.SetLastError': [0],

  'user32.SetThreadDpiAwarenessContext': [-4],
  'user32.SetProcessDpiAwarenessContext': [-4],
  'user32.GetAwarenessFromDpiAwarenessContext': [-4],
  'user32.GetSystemMetrics': [0],
  'user32.SystemParametersInfoW': [1, 0, scratch, 0],
  'user32.EnumDisplayMonitors': [0, null, callbackAnsweringZero, 0],
  'user32.EnumDisplayDevicesW': [
    null,
    0,
    () => {
      const m = scratch();
      m.writeUInt32LE(840, 0);
      return m;
    },
    0,
  ],
  'user32.LockSetForegroundWindow': [2],
  'user32.GetMessageW': withMessage(scratch(), 0, 0, 0),
  'user32.SetCursorPos': here,
  'user32.RegisterHotKey': [0, 0x7a01, 0x7, 0x87],
  'user32.UnregisterHotKey': [0, 0x7a01],
  'user32.SetTimer': [0, 0, 60_000, null],
  // Without a template: refused. With one, the call would wait for the end of its dialog.
  'user32.DialogBoxIndirectParamW': [0, null, 0, null, 0],
  'user32.CreateWindowExW': [0, 'no such class', null, 0, 0, 0, 0, 0, 0, 0, 0, null],
  'user32.SetWindowsHookExW': [0, null, 0, 0],
  'user32.SetWinEventHook': [1, 1, 0, null, 0, 0, 0],
  'user32.MsgWaitForMultipleObjectsEx': [0, null, 0, 0x4ff, 0],
  'user32.RegisterClipboardFormatW': ['uiahost test'],
  'user32.RegisterWindowMessageW': ['uiahost test'],
  'user32.LoadCursorW': [0, 32512],
  'user32.CreateCursor': [0, 0, 0, 16, 16, scratch, scratch],
  'user32.DrawTextW': [0, 'x', 1, scratch, 0x400],
  'user32.OpenInputDesktop': [0, false, 1],
  'user32.GetUserObjectInformationW': () => [
    user32.GetThreadDesktop(kernel32.GetCurrentThreadId()),
    2,
    scratch(),
    512,
    scratch(),
  ],
  'user32.ToUnicodeEx': [0x41, 0x1e, scratch, scratch, 8, 4, 0],

  'gdi32.SelectObject': () => [gdi32.CreateCompatibleDC(0), gdi32.GetStockObject(0)],
  'gdi32.SetLayout': () => [gdi32.CreateCompatibleDC(0), 0],
  'gdi32.CreateFontW': [-12, 0, 0, 0, 400, 0, 0, 0, 1, 0, 0, 5, 0, 'Segoe UI'],
  'gdi32.CreateCompatibleBitmap': () => [gdi32.CreateCompatibleDC(0), 1, 1],

  'shell32.CommandLineToArgvW': ['program "an argument"', scratch],
  'shell32.SHCreateItemFromParsingName': () => {
    ole32.CoInitializeEx(null, 0);
    return ['C:\\windows', null, IID_SHELL_ITEM, scratch()];
  },

  'advapi32.OpenSCManagerW': [null, null, 1],
  'advapi32.RegisterServiceCtrlHandlerExW': ['uiahost-none', null, null],
  'advapi32.RegisterEventSourceW': [null, 'uiahost'],
  'advapi32.SetNamedSecurityInfoW': ['C:\\no\\such\\file', 1, 4, null, null, null, null],
  'advapi32.SetFileSecurityW': ['C:\\no\\such\\file', 4, null],
  'advapi32.GetNamedSecurityInfoW': ['C:\\windows', 1, 4, null, null, null, null, scratch],
  'advapi32.ConvertStringSidToSidW': ['S-1-5-18', scratch],
  'advapi32.LookupAccountSidW': () => [
    null,
    sid,
    scratch(),
    Buffer.from('00010000', 'hex'),
    scratch(),
    Buffer.from('00010000', 'hex'),
    scratch(),
  ],
  'advapi32.LookupAccountNameW': () => [
    null,
    'SYSTEM',
    scratch(),
    Buffer.from('44000000', 'hex'),
    scratch(),
    Buffer.from('64000000', 'hex'),
    scratch(),
  ],
  'advapi32.ConvertStringSecurityDescriptorToSecurityDescriptorW': ['D:P(A;;FA;;;SY)', 1, scratch, scratch],
  'advapi32.CredReadW': ['uiahost-none', 1, 0, scratch],
  'advapi32.CredEnumerateW': ['uiahost-none*', 0, scratch, scratch],
  'advapi32.CredDeleteW': ['uiahost-none', 1, 0],
  'advapi32.CredFree': [null],
  'advapi32.RegOpenKeyExW': [-2147483646, 'Software', 0, 0x20019, scratch],
  'advapi32.RegCreateKeyExW': [0, 'none', 0, null, 0, 0, null, scratch, scratch],

  'ole32.CoInitializeEx': [null, 0],
  'ole32.CoUninitialize': () => {
    ole32.CoInitializeEx(null, 0);
    return [];
  },
  'ole32.CoIncrementMTAUsage': [scratch],
  'ole32.CoTaskMemFree': () => [ole32.CoTaskMemAlloc(16)],
  'ole32.CoTaskMemAlloc': [16],

  'oleaut32.SysAllocStringLen': ['text', 4],
  'oleaut32.SysFreeString': () => [bstr()],
  'oleaut32.SysStringLen': () => [bstr()],
  'oleaut32.SafeArrayCreateVector': [3, 0, 2],
  'oleaut32.SafeArrayDestroy': [null],
  'oleaut32.SafeArrayGetDim': [null],
  'oleaut32.SafeArrayGetVartype': [null, scratch],
  'oleaut32.SafeArrayGetLBound': [null, 1, scratch],
  'oleaut32.SafeArrayGetUBound': [null, 1, scratch],
  'oleaut32.SafeArrayAccessData': [null, scratch],
  'oleaut32.SafeArrayUnaccessData': [null],
  'oleaut32.SafeArrayPutElement': [null, scratch, scratch],
  'oleacc.AccessibleObjectFromWindow': () => [user32.GetDesktopWindow(), OBJID_CLIENT, IID_ACCESSIBLE, scratch()],
  'oleacc.AccessibleChildren': () => [accessible(), 0, 1, scratch(), scratch()],
  'oleacc.WindowFromAccessibleObject': () => [accessible(), scratch()],

  'wtsapi32.WTSFreeMemory': [null],
  'version.GetFileVersionInfoSizeW': [KERNEL, null],
  'version.GetFileVersionInfoW': [KERNEL, 0, 4096, scratch],
  'version.VerQueryValueW': () => [versionData(), '\\', scratch(), scratch()],
  'userenv.DestroyEnvironmentBlock': () => {
    const out = new BigUint64Array(1);
    userenv.CreateEnvironmentBlock(out, 0, false);
    return [out[0]];
  },
};

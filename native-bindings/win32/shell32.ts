/** The shell: shell32.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const shell32 = bindLibrary('shell32.dll', {
  /** SHFILEINFOW: icon, display name, type. https://learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-shgetfileinfow */
  SHGetFileInfoW: fn('uintptr', ['str16 path', 'uint32 attributes', 'ptr info', 'uint32 size', 'uint32 flags']),
  /** Icons of a file (handles, 8 bytes each). https://learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-extracticonexw */
  ExtractIconExW: fn('uint32', ['str16 file', 'int32 index', 'ptr large', 'ptr small', 'uint32 count']),
  /** SHELLEXECUTEINFOW: opens a file, program or shell item. https://learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-shellexecuteexw */
  ShellExecuteExW: fn('bool', ['ptr info']),
  /** IPropertyStore of a window (AppUserModelID). https://learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-shgetpropertystoreforwindow */
  SHGetPropertyStoreForWindow: fn('hresult', ['hwnd window', 'ptr iid', 'ptr store']),
  /** Path of a known folder, to be freed with CoTaskMemFree. https://learn.microsoft.com/windows/win32/api/shlobj_core/nf-shlobj_core-shgetknownfolderpath */
  SHGetKnownFolderPath: fn('hresult', ['ptr folderId', 'uint32 flags', 'handle token', 'ptr path']),
  /** A shell item by path or `shell:` name. https://learn.microsoft.com/windows/win32/api/shobjidl_core/nf-shobjidl_core-shcreateitemfromparsingname */
  SHCreateItemFromParsingName: fn('hresult', ['str16 path', 'ptr context', 'ptr iid', 'ptr item']),
  /** AppUserModelID that this process chose. https://learn.microsoft.com/windows/win32/api/shobjidl_core/nf-shobjidl_core-getcurrentprocessexplicitappusermodelid */
  GetCurrentProcessExplicitAppUserModelID: fn('hresult', ['ptr id']),
  /** Chooses it. https://learn.microsoft.com/windows/win32/api/shobjidl_core/nf-shobjidl_core-setcurrentprocessexplicitappusermodelid */
  SetCurrentProcessExplicitAppUserModelID: fn('hresult', ['str16 id']),
  /** Splits a command line; to be freed with LocalFree. https://learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-commandlinetoargvw */
  CommandLineToArgvW: fn('ptr', ['str16 commandLine', 'ptr count']),
  /** Whether a person is presenting or playing full screen. https://learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-shqueryusernotificationstate */
  SHQueryUserNotificationState: fn('hresult', ['ptr state']),
  /** Task bar place and state. https://learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-shappbarmessage */
  SHAppBarMessage: fn('uintptr', ['uint32 message', 'ptr data']),
  /** Whether this process is elevated as a member of Administrators. https://learn.microsoft.com/windows/win32/api/shlobj_core/nf-shlobj_core-isuseranadmin */
  IsUserAnAdmin: fn('bool', []),
  /** NOTIFYICONDATAW: adds, changes or removes an icon of the notification area. https://learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-shell_notifyiconw */
  Shell_NotifyIconW: fn('bool', ['uint32 message', 'ptr data']),
  /** SHSTOCKICONINFO: a system icon. https://learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-shgetstockiconinfo */
  SHGetStockIconInfo: fn('hresult', ['int32 id', 'uint32 flags', 'ptr info']),
});

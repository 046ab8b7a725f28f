/** The shell: shell32.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const shell32 = bindLibrary('shell32.dll', {
  /** Path of a known folder, to be freed with CoTaskMemFree. https://learn.microsoft.com/windows/win32/api/shlobj_core/nf-shlobj_core-shgetknownfolderpath */
  SHGetKnownFolderPath: fn('hresult', ['ptr folderId', 'uint32 flags', 'handle token', 'ptr path']),
  /** A shell item by path or `shell:` name. https://learn.microsoft.com/windows/win32/api/shobjidl_core/nf-shobjidl_core-shcreateitemfromparsingname */
  SHCreateItemFromParsingName: fn('hresult', ['str16 path', 'ptr context', 'ptr iid', 'ptr item']),
  /** Splits a command line; to be freed with LocalFree. https://learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-commandlinetoargvw */
  CommandLineToArgvW: fn('ptr', ['str16 commandLine', 'ptr count']),
  /** NOTIFYICONDATAW: adds, changes or removes an icon of the notification area. https://learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-shell_notifyiconw */
  Shell_NotifyIconW: fn('bool', ['uint32 message', 'ptr data']),
});

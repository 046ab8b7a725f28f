/** Signatures of files: wintrust.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const wintrust = bindLibrary('wintrust.dll', {
  /** Verifies a WINTRUST_DATA by an action (GUID); 0 = trusted. https://learn.microsoft.com/windows/win32/api/wintrust/nf-wintrust-winverifytrust */
  WinVerifyTrust: fn('int32', ['hwnd window', 'ptr action', 'ptr data']),
});

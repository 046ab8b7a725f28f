/** The window compositor: dwmapi.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const dwmapi = bindLibrary('dwmapi.dll', {
  /** Cloaked, visible frame … of a window. https://learn.microsoft.com/windows/win32/api/dwmapi/nf-dwmapi-dwmgetwindowattribute */
  DwmGetWindowAttribute: fn('hresult', ['hwnd window', 'uint32 attribute', 'ptr value', 'uint32 size']),
});

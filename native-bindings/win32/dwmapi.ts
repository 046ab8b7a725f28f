/** The window compositor: dwmapi.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const dwmapi = bindLibrary('dwmapi.dll', {
  /** Cloaked, visible frame … of a window. https://learn.microsoft.com/windows/win32/api/dwmapi/nf-dwmapi-dwmgetwindowattribute */
  DwmGetWindowAttribute: fn('hresult', ['hwnd window', 'uint32 attribute', 'ptr value', 'uint32 size']),
  /** Corners, dark title … of a window of this process. https://learn.microsoft.com/windows/win32/api/dwmapi/nf-dwmapi-dwmsetwindowattribute */
  DwmSetWindowAttribute: fn('hresult', ['hwnd window', 'uint32 attribute', 'ptr value', 'uint32 size']),
  /** int32: whether windows are composed. https://learn.microsoft.com/windows/win32/api/dwmapi/nf-dwmapi-dwmiscompositionenabled */
  DwmIsCompositionEnabled: fn('hresult', ['ptr enabled']),
  /** Waits for the next composed frame. https://learn.microsoft.com/windows/win32/api/dwmapi/nf-dwmapi-dwmflush */
  DwmFlush: fn('hresult', []),
  /** MARGINS: lets the frame reach in. https://learn.microsoft.com/windows/win32/api/dwmapi/nf-dwmapi-dwmextendframeintoclientarea */
  DwmExtendFrameIntoClientArea: fn('hresult', ['hwnd window', 'ptr margins']),
});

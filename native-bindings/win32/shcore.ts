/** DPI of monitors: shcore.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const shcore = bindLibrary('shcore.dll', {
  /** Two uint32. https://learn.microsoft.com/windows/win32/api/shellscalingapi/nf-shellscalingapi-getdpiformonitor */
  GetDpiForMonitor: fn('hresult', ['handle monitor', 'int32 kind', 'ptr dpiX', 'ptr dpiY']),
  /** Windows 8.1's way, before SetProcessDpiAwarenessContext. https://learn.microsoft.com/windows/win32/api/shellscalingapi/nf-shellscalingapi-setprocessdpiawareness */
  SetProcessDpiAwareness: fn('hresult', ['int32 awareness']),
});

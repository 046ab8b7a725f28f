/** Microsoft Active Accessibility: oleacc.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const oleacc = bindLibrary('oleacc.dll', {
  /** IAccessible of a window or part of it (uint64). Waits for the window's thread. https://learn.microsoft.com/windows/win32/api/oleacc/nf-oleacc-accessibleobjectfromwindow */
  AccessibleObjectFromWindow: fn('hresult', ['hwnd window', 'uint32 object', 'ptr iid', 'ptr accessible']),
  /** VARIANTs (24 bytes each): child ids or IDispatch. https://learn.microsoft.com/windows/win32/api/oleacc/nf-oleacc-accessiblechildren */
  AccessibleChildren: fn('hresult', ['ptr container', 'int32 start', 'int32 count', 'ptr children', 'ptr obtained']),
  /** Its window (uint64). https://learn.microsoft.com/windows/win32/api/oleacc/nf-oleacc-windowfromaccessibleobject */
  WindowFromAccessibleObject: fn('hresult', ['ptr accessible', 'ptr window']),
  /** The object that WM_GETOBJECT answered. https://learn.microsoft.com/windows/win32/api/oleacc/nf-oleacc-objectfromlresult */
  ObjectFromLresult: fn('hresult', ['uintptr result', 'ptr iid', 'uintptr wParam', 'ptr object']),
});

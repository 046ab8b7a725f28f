/** Microsoft Active Accessibility: oleacc.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const oleacc = bindLibrary('oleacc.dll', {
  /** IAccessible of a window or part of it (uint64). Waits for the window's thread. https://learn.microsoft.com/windows/win32/api/oleacc/nf-oleacc-accessibleobjectfromwindow */
  AccessibleObjectFromWindow: fn('hresult', ['hwnd window', 'uint32 object', 'ptr iid', 'ptr accessible']),
  /** IAccessible under a screen point and VARIANT child id. https://learn.microsoft.com/windows/win32/api/oleacc/nf-oleacc-accessibleobjectfrompoint */
  AccessibleObjectFromPoint: fn('hresult', ['point at', 'ptr accessible', 'ptr child']),
  /** IAccessible that an event is about. https://learn.microsoft.com/windows/win32/api/oleacc/nf-oleacc-accessibleobjectfromevent */
  AccessibleObjectFromEvent: fn('hresult', [
    'hwnd window',
    'uint32 object',
    'uint32 child',
    'ptr accessible',
    'ptr childVariant',
  ]),
  /** VARIANTs (24 bytes each): child ids or IDispatch. https://learn.microsoft.com/windows/win32/api/oleacc/nf-oleacc-accessiblechildren */
  AccessibleChildren: fn('hresult', ['ptr container', 'int32 start', 'int32 count', 'ptr children', 'ptr obtained']),
  /** Its window (uint64). https://learn.microsoft.com/windows/win32/api/oleacc/nf-oleacc-windowfromaccessibleobject */
  WindowFromAccessibleObject: fn('hresult', ['ptr accessible', 'ptr window']),
  /** Name of a role in the system's language. https://learn.microsoft.com/windows/win32/api/oleacc/nf-oleacc-getroletextw */
  GetRoleTextW: fn('uint32', ['uint32 role', 'ptr text', 'uint32 capacity']),
  /** Name of a state bit. https://learn.microsoft.com/windows/win32/api/oleacc/nf-oleacc-getstatetextw */
  GetStateTextW: fn('uint32', ['uint32 state', 'ptr text', 'uint32 capacity']),
  /** The object that WM_GETOBJECT answered. https://learn.microsoft.com/windows/win32/api/oleacc/nf-oleacc-objectfromlresult */
  ObjectFromLresult: fn('hresult', ['uintptr result', 'ptr iid', 'uintptr wParam', 'ptr object']),
  /** Process of a window with the rights that accessibility needs. https://learn.microsoft.com/windows/win32/api/oleacc/nf-oleacc-getprocesshandlefromhwnd */
  GetProcessHandleFromHwnd: fn('handle', ['hwnd window']),
});

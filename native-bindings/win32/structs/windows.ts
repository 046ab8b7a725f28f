/** Windows, messages, menus, monitors. Reference: https://learn.microsoft.com/windows/win32/api/winuser/ */
import { at, bytes, chars, layout } from '../../layout.ts';
import { POINT, RECT } from './geometry.ts';

export const MSG = layout('MSG', {
  hwnd: 'hwnd',
  message: 'uint32',
  wParam: 'uintptr',
  lParam: 'intptr',
  time: 'uint32',
  pt: POINT,
});
export const WINDOWPLACEMENT = layout('WINDOWPLACEMENT', {
  length: 'uint32',
  flags: 'uint32',
  showCmd: 'uint32',
  ptMinPosition: POINT,
  ptMaxPosition: POINT,
  rcNormalPosition: RECT,
});
export const WINDOWINFO = layout('WINDOWINFO', {
  cbSize: 'uint32',
  rcWindow: RECT,
  rcClient: RECT,
  dwStyle: 'uint32',
  dwExStyle: 'uint32',
  dwWindowStatus: 'uint32',
  cxWindowBorders: 'uint32',
  cyWindowBorders: 'uint32',
  atomWindowType: 'uint16',
  wCreatorVersion: 'uint16',
});
/** `rgstate`: six uint32 of the title bar and its buttons. */
export const TITLEBARINFO = layout('TITLEBARINFO', { cbSize: 'uint32', rcTitleBar: RECT, rgstate: bytes(24, 4) });
export const WINDOWPOS = layout('WINDOWPOS', {
  hwnd: 'hwnd',
  hwndInsertAfter: 'hwnd',
  x: 'int32',
  y: 'int32',
  cx: 'int32',
  cy: 'int32',
  flags: 'uint32',
});
export const WNDCLASSEXW = layout('WNDCLASSEXW', {
  cbSize: 'uint32',
  style: 'uint32',
  lpfnWndProc: 'ptr',
  cbClsExtra: 'int32',
  cbWndExtra: 'int32',
  hInstance: 'handle',
  hIcon: 'handle',
  hCursor: 'handle',
  hbrBackground: 'handle',
  lpszMenuName: 'ptr',
  lpszClassName: 'ptr',
  hIconSm: 'handle',
});
export const CREATESTRUCTW = layout('CREATESTRUCTW', {
  lpCreateParams: 'ptr',
  hInstance: 'handle',
  hMenu: 'handle',
  hwndParent: 'hwnd',
  cy: 'int32',
  cx: 'int32',
  y: 'int32',
  x: 'int32',
  style: 'int32',
  lpszName: 'ptr',
  lpszClass: 'ptr',
  dwExStyle: 'uint32',
});
export const PAINTSTRUCT = layout('PAINTSTRUCT', {
  hdc: 'handle',
  fErase: 'bool',
  rcPaint: RECT,
  fRestore: 'bool',
  fIncUpdate: 'bool',
  rgbReserved: bytes(32),
});
export const FLASHWINFO = layout('FLASHWINFO', {
  cbSize: 'uint32',
  hwnd: 'hwnd',
  dwFlags: 'uint32',
  uCount: 'uint32',
  dwTimeout: 'uint32',
});
export const COPYDATASTRUCT = layout('COPYDATASTRUCT', { dwData: 'uintptr', cbData: 'uint32', lpData: 'ptr' });
export const NMHDR = layout('NMHDR', { hwndFrom: 'hwnd', idFrom: 'uintptr', code: 'uint32' });
export const COMBOBOXINFO = layout('COMBOBOXINFO', {
  cbSize: 'uint32',
  rcItem: RECT,
  rcButton: RECT,
  stateButton: 'uint32',
  hwndCombo: 'hwnd',
  hwndItem: 'hwnd',
  hwndList: 'hwnd',
});
export const SCROLLINFO = layout('SCROLLINFO', {
  cbSize: 'uint32',
  fMask: 'uint32',
  nMin: 'int32',
  nMax: 'int32',
  nPage: 'uint32',
  nPos: 'int32',
  nTrackPos: 'int32',
});
/** `rgstate`: six uint32 of the bar and its parts. */
export const SCROLLBARINFO = layout('SCROLLBARINFO', {
  cbSize: 'uint32',
  rcScrollBar: RECT,
  dxyLineButton: 'int32',
  xyThumbTop: 'int32',
  xyThumbBottom: 'int32',
  reserved: 'int32',
  rgstate: bytes(24, 4),
});
export const MENUITEMINFOW = layout('MENUITEMINFOW', {
  cbSize: 'uint32',
  fMask: 'uint32',
  fType: 'uint32',
  fState: 'uint32',
  wID: 'uint32',
  hSubMenu: 'handle',
  hbmpChecked: 'handle',
  hbmpUnchecked: 'handle',
  dwItemData: 'uintptr',
  dwTypeData: 'ptr',
  cch: 'uint32',
  hbmpItem: 'handle',
});
/** `_focusBits` are two bit fields: bit 0 the bar has the focus, bit 1 the item. */
export const MENUBARINFO = layout('MENUBARINFO', {
  cbSize: 'uint32',
  rcBar: RECT,
  hMenu: 'handle',
  hwndMenu: 'hwnd',
  _focusBits: 'uint32',
});
export const MONITORINFOEXW = layout('MONITORINFOEXW', {
  cbSize: 'uint32',
  rcMonitor: RECT,
  rcWork: RECT,
  dwFlags: 'uint32',
  szDevice: chars(32),
});
export const DISPLAY_DEVICEW = layout('DISPLAY_DEVICEW', {
  cb: 'uint32',
  DeviceName: chars(32),
  DeviceString: chars(128),
  StateFlags: 'uint32',
  DeviceID: chars(128),
  DeviceKey: chars(128),
});
/** The display members of the union; the printer's are left out. https://learn.microsoft.com/windows/win32/api/wingdi/ns-wingdi-devmodew */
export const DEVMODEW = layout('DEVMODEW', {
  dmDeviceName: chars(32),
  dmSpecVersion: 'uint16',
  dmDriverVersion: 'uint16',
  dmSize: 'uint16',
  dmDriverExtra: 'uint16',
  dmFields: 'uint32',
  dmPosition: at(76, POINT),
  dmDisplayOrientation: 'uint32',
  dmDisplayFixedOutput: 'uint32',
  dmColor: 'int16',
  dmDuplex: 'int16',
  dmYResolution: 'int16',
  dmTTOption: 'int16',
  dmCollate: 'int16',
  dmFormName: chars(32),
  dmLogPixels: 'uint16',
  dmBitsPerPel: 'uint32',
  dmPelsWidth: 'uint32',
  dmPelsHeight: 'uint32',
  dmDisplayFlags: 'uint32',
  dmDisplayFrequency: 'uint32',
  dmICMMethod: 'uint32',
  dmICMIntent: 'uint32',
  dmMediaType: 'uint32',
  dmDitherType: 'uint32',
  dmReserved1: 'uint32',
  dmReserved2: 'uint32',
  dmPanningWidth: 'uint32',
  dmPanningHeight: 'uint32',
});
export const USEROBJECTFLAGS = layout('USEROBJECTFLAGS', { fInherit: 'bool', fReserved: 'bool', dwFlags: 'uint32' });
export const ICONINFO = layout('ICONINFO', {
  fIcon: 'bool',
  xHotspot: 'uint32',
  yHotspot: 'uint32',
  hbmMask: 'handle',
  hbmColor: 'handle',
});
export const HIGHCONTRASTW = layout('HIGHCONTRASTW', { cbSize: 'uint32', dwFlags: 'uint32', lpszDefaultScheme: 'ptr' });
export const MINMAXINFO = layout('MINMAXINFO', {
  ptReserved: POINT,
  ptMaxSize: POINT,
  ptMaxPosition: POINT,
  ptMinTrackSize: POINT,
  ptMaxTrackSize: POINT,
});
export const ACCEL = layout('ACCEL', { fVirt: 'uint8', key: 'uint16', cmd: 'uint16' });

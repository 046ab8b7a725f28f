/** The shell, property values, version resources. Reference: https://learn.microsoft.com/windows/win32/api/shellapi/ */
import { at, bytes, chars, layout } from '../../layout.ts';
import { RECT } from './geometry.ts';
import { GUID } from './security.ts';

export const SHFILEINFOW = layout('SHFILEINFOW', {
  hIcon: 'handle',
  iIcon: 'int32',
  dwAttributes: 'uint32',
  szDisplayName: chars(260),
  szTypeName: chars(80),
});
/** `hIcon` shares its offset with `hMonitor`. */
export const SHELLEXECUTEINFOW = layout('SHELLEXECUTEINFOW', {
  cbSize: 'uint32',
  fMask: 'uint32',
  hwnd: 'hwnd',
  lpVerb: 'ptr',
  lpFile: 'ptr',
  lpParameters: 'ptr',
  lpDirectory: 'ptr',
  nShow: 'int32',
  hInstApp: 'handle',
  lpIDList: 'ptr',
  lpClass: 'ptr',
  hkeyClass: 'handle',
  dwHotKey: 'uint32',
  hMonitor: 'handle',
  hProcess: 'handle',
});
/** `uVersion` shares its offset with `uTimeout`. */
export const NOTIFYICONDATAW = layout('NOTIFYICONDATAW', {
  cbSize: 'uint32',
  hWnd: 'hwnd',
  uID: 'uint32',
  uFlags: 'uint32',
  uCallbackMessage: 'uint32',
  hIcon: 'handle',
  szTip: chars(128),
  dwState: 'uint32',
  dwStateMask: 'uint32',
  szInfo: chars(256),
  uVersion: 'uint32',
  szInfoTitle: chars(64),
  dwInfoFlags: 'uint32',
  guidItem: GUID,
  hBalloonIcon: 'handle',
});
export const APPBARDATA = layout('APPBARDATA', {
  cbSize: 'uint32',
  hWnd: 'hwnd',
  uCallbackMessage: 'uint32',
  uEdge: 'uint32',
  rc: RECT,
  lParam: 'intptr',
});
export const SHSTOCKICONINFO = layout('SHSTOCKICONINFO', {
  cbSize: 'uint32',
  hIcon: 'handle',
  iSysImageIndex: 'int32',
  iIcon: 'int32',
  szPath: chars(260),
});
/** https://learn.microsoft.com/windows/win32/api/wtypes/ns-wtypes-propertykey */
export const PROPERTYKEY = layout('PROPERTYKEY', { fmtid: GUID, pid: 'uint32' });
/** A few members of the union. https://learn.microsoft.com/windows/win32/api/propidlbase/ns-propidlbase-propvariant */
export const PROPVARIANT = layout('PROPVARIANT', {
  vt: 'uint16',
  boolVal: at(8, 'int16'),
  ulVal: at(8, 'uint32'),
  uhVal: at(8, 'uint64'),
  pwszVal: at(8, 'ptr'),
  cal: at(8, bytes(16, 8)),
});
/** A few members of the union; `com/variant.ts` reads and writes it. https://learn.microsoft.com/windows/win32/api/oaidl/ns-oaidl-variant */
export const VARIANT = layout('VARIANT', {
  vt: 'uint16',
  boolVal: at(8, 'int16'),
  lVal: at(8, 'int32'),
  llVal: at(8, 'int64'),
  dblVal: at(8, 'double'),
  bstrVal: at(8, 'ptr'),
  punkVal: at(8, 'ptr'),
  parray: at(8, 'ptr'),
  pRecInfo: at(16, 'ptr'),
});
/** https://learn.microsoft.com/windows/win32/api/verrsrc/ns-verrsrc-vs_fixedfileinfo */
export const VS_FIXEDFILEINFO = layout('VS_FIXEDFILEINFO', {
  dwSignature: 'uint32',
  dwStrucVersion: 'uint32',
  dwFileVersionMS: 'uint32',
  dwFileVersionLS: 'uint32',
  dwProductVersionMS: 'uint32',
  dwProductVersionLS: 'uint32',
  dwFileFlagsMask: 'uint32',
  dwFileFlags: 'uint32',
  dwFileOS: 'uint32',
  dwFileType: 'uint32',
  dwFileSubtype: 'uint32',
  dwFileDateMS: 'uint32',
  dwFileDateLS: 'uint32',
});

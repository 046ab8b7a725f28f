/**
 * Structures that common controls read in their own process, as 64-bit programs lay them out; `narrow`, as 32-bit ones
 * do. A control must get its own program's layout: a 64-bit item in a 32-bit program's memory can crash it.
 * Reference: https://learn.microsoft.com/windows/win32/api/commctrl/
 */
import { bytes, layout } from '../../layout.ts';
import { POINT, RECT } from './geometry.ts';
import { SYSTEMTIME } from './processes.ts';
import { NMHDR } from './windows.ts';

export const LVITEMW = layout('LVITEMW', {
  mask: 'uint32',
  iItem: 'int32',
  iSubItem: 'int32',
  state: 'uint32',
  stateMask: 'uint32',
  pszText: 'ptr',
  cchTextMax: 'int32',
  iImage: 'int32',
  lParam: 'intptr',
  iIndent: 'int32',
  iGroupId: 'int32',
  cColumns: 'uint32',
  puColumns: 'ptr',
  piColFmt: 'ptr',
  iGroup: 'int32',
});
/** No pointers: every program has it alike. Source: learn.microsoft.com/windows/win32/api/richedit/ns-richedit-charformatw */
export const CHARFORMATW = layout('CHARFORMATW', {
  cbSize: 'uint32',
  dwMask: 'uint32',
  dwEffects: 'uint32',
  yHeight: 'int32',
  yOffset: 'int32',
  crTextColor: 'uint32',
  bCharSet: 'uint8',
  bPitchAndFamily: 'uint8',
  szFaceName: bytes(64, 2),
});
export const LVFINDINFOW = layout('LVFINDINFOW', {
  flags: 'uint32',
  psz: 'ptr',
  lParam: 'intptr',
  pt: POINT,
  vkDirection: 'uint32',
});
export const LVCOLUMNW = layout('LVCOLUMNW', {
  mask: 'uint32',
  fmt: 'int32',
  cx: 'int32',
  pszText: 'ptr',
  cchTextMax: 'int32',
  iSubItem: 'int32',
  iImage: 'int32',
  iOrder: 'int32',
  cxMin: 'int32',
  cxDefault: 'int32',
  cxIdeal: 'int32',
});
export const LVHITTESTINFO = layout('LVHITTESTINFO', {
  pt: POINT,
  flags: 'uint32',
  iItem: 'int32',
  iSubItem: 'int32',
  iGroup: 'int32',
});
export const TVITEMEXW = layout('TVITEMEXW', {
  mask: 'uint32',
  hItem: 'handle',
  state: 'uint32',
  stateMask: 'uint32',
  pszText: 'ptr',
  cchTextMax: 'int32',
  iImage: 'int32',
  iSelectedImage: 'int32',
  cChildren: 'int32',
  lParam: 'intptr',
  iIntegral: 'int32',
  uStateEx: 'uint32',
  hwnd: 'hwnd',
  iExpandedImage: 'int32',
  iReserved: 'int32',
});
export const TCITEMW = layout('TCITEMW', {
  mask: 'uint32',
  dwState: 'uint32',
  dwStateMask: 'uint32',
  pszText: 'ptr',
  cchTextMax: 'int32',
  iImage: 'int32',
  lParam: 'intptr',
});
export const TBBUTTON = layout('TBBUTTON', {
  iBitmap: 'int32',
  idCommand: 'int32',
  fsState: 'uint8',
  fsStyle: 'uint8',
  bReserved: bytes(6, 1, 2),
  dwData: 'uintptr',
  iString: 'intptr',
});
export const TBBUTTONINFOW = layout('TBBUTTONINFOW', {
  cbSize: 'uint32',
  dwMask: 'uint32',
  idCommand: 'int32',
  iImage: 'int32',
  fsState: 'uint8',
  fsStyle: 'uint8',
  cx: 'uint16',
  lParam: 'uintptr',
  pszText: 'ptr',
  cchText: 'int32',
});
export const COMBOBOXEXITEMW = layout('COMBOBOXEXITEMW', {
  mask: 'uint32',
  iItem: 'intptr',
  pszText: 'ptr',
  cchTextMax: 'int32',
  iImage: 'int32',
  iSelectedImage: 'int32',
  iOverlay: 'int32',
  iIndent: 'int32',
  lParam: 'intptr',
});
export const MCHITTESTINFO = layout('MCHITTESTINFO', {
  cbSize: 'uint32',
  pt: POINT,
  uHit: 'uint32',
  st: SYSTEMTIME,
  rc: RECT,
  iOffset: 'int32',
  iRow: 'int32',
  iCol: 'int32',
});
export const TTTOOLINFOW = layout('TTTOOLINFOW', {
  cbSize: 'uint32',
  uFlags: 'uint32',
  hwnd: 'hwnd',
  uId: 'uintptr',
  rect: RECT,
  hinst: 'handle',
  lpszText: 'ptr',
  lParam: 'intptr',
  lpReserved: 'ptr',
});
export const HDITEMW = layout('HDITEMW', {
  mask: 'uint32',
  cxy: 'int32',
  pszText: 'ptr',
  hbm: 'handle',
  cchTextMax: 'int32',
  fmt: 'int32',
  lParam: 'intptr',
  iImage: 'int32',
  iOrder: 'int32',
  type: 'uint32',
  pvFilter: 'ptr',
  state: 'uint32',
});
export const REBARBANDINFOW = layout('REBARBANDINFOW', {
  cbSize: 'uint32',
  fMask: 'uint32',
  fStyle: 'uint32',
  clrFore: 'uint32',
  clrBack: 'uint32',
  lpText: 'ptr',
  cch: 'uint32',
  iImage: 'int32',
  hwndChild: 'hwnd',
  cxMinChild: 'uint32',
  cyMinChild: 'uint32',
  cx: 'uint32',
  hbmBack: 'handle',
  wID: 'uint32',
  cyChild: 'uint32',
  cyMaxChild: 'uint32',
  cyIntegral: 'uint32',
  cxIdeal: 'uint32',
  lParam: 'intptr',
  cxHeader: 'uint32',
  rcChevronLocation: RECT,
  uChevronState: 'uint32',
});
/** The plain form of TVINSERTSTRUCTW: its union has a TVITEMEXW. */
export const TVINSERTSTRUCTW = layout('TVINSERTSTRUCTW', {
  hParent: 'handle',
  hInsertAfter: 'handle',
  itemex: TVITEMEXW,
});
export const INITCOMMONCONTROLSEX = layout('INITCOMMONCONTROLSEX', { dwSize: 'uint32', dwICC: 'uint32' });
export const NMLISTVIEW = layout('NMLISTVIEW', {
  hdr: NMHDR,
  iItem: 'int32',
  iSubItem: 'int32',
  uNewState: 'uint32',
  uOldState: 'uint32',
  uChanged: 'uint32',
  ptAction: POINT,
  lParam: 'intptr',
});
export const NMCUSTOMDRAW = layout('NMCUSTOMDRAW', {
  hdr: NMHDR,
  dwDrawStage: 'uint32',
  hdc: 'handle',
  rc: RECT,
  dwItemSpec: 'uintptr',
  uItemState: 'uint32',
  lItemlParam: 'intptr',
});

/**
 * Messages with which a second witness queries the standard controls. Source:
 * learn.microsoft.com/windows/win32/controls
 */
export const EM_SETSEL = 0x00b1;
export const EM_GETFIRSTVISIBLELINE = 0x00ce;
export const CB_GETCURSEL = 0x0147;
export const TB_GETSTATE = 0x0412;
export const LVM_GETNEXTITEM = 0x100c;
export const LVNI_SELECTED = 2;
export const TCM_GETCURSEL = 0x130b;

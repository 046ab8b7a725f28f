/**
 * The closed list of messages that only read. From WM_USER on a number means something else in each class of window, so
 * it counts only for the kind of control that it belongs to. Opening messages of menus (WM_INITMENU) count as reading:
 * Windows sends them before it looks up an accelerator, and programs enable their entries then.
 */
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { ControlKind } from './classes.ts';
import { kindOfWindow } from './window-info.ts';

/** Messages below WM_USER: the same in every window. */
const SYSTEM: ReadonlySet<number> = new Set(
  [
    [m.WM_NULL, m.WM_GETTEXT, m.WM_GETTEXTLENGTH, m.WM_GETOBJECT, m.WM_GETDLGCODE, m.WM_NCHITTEST],
    [m.WM_MDIGETACTIVE, m.WM_INITMENU, m.WM_INITMENUPOPUP],
    [m.EM_GETSEL, m.EM_GETLINECOUNT, m.EM_GETFIRSTVISIBLELINE, m.EM_LINEINDEX, m.EM_LINEFROMCHAR, m.EM_GETPASSWORDCHAR],
    [m.BM_GETCHECK, m.EM_GETLIMITTEXT, m.SBM_GETPOS, m.SBM_GETRANGE],
    [m.CB_FINDSTRINGEXACT, m.CB_GETCOUNT, m.CB_GETCURSEL, m.CB_GETDROPPEDSTATE, m.CB_GETLBTEXT, m.CB_GETLBTEXTLEN],
    [
      m.LB_FINDSTRINGEXACT,
      m.LB_GETCOUNT,
      m.LB_GETCURSEL,
      m.LB_GETITEMRECT,
      m.LB_GETSEL,
      m.LB_GETSELCOUNT,
      m.LB_GETTEXT,
    ],
    [m.LB_GETTEXTLEN, m.LB_GETTOPINDEX],
  ].flat(),
);

const LIST_VIEW = [
  [m.LVM_FINDITEMW, m.LVM_GETCOUNTPERPAGE, m.LVM_GETEDITCONTROL, m.LVM_GETEXTENDEDLISTVIEWSTYLE, m.LVM_GETHEADER],
  [m.LVM_GETCOLUMNWIDTH],
  [
    m.LVM_GETIMAGELIST,
    m.LVM_GETITEMCOUNT,
    m.LVM_GETITEMRECT,
    m.LVM_GETITEMSTATE,
    m.LVM_GETITEMTEXTW,
    m.LVM_GETNEXTITEM,
  ],
  [m.LVM_GETSELECTEDCOUNT, m.LVM_GETTOPINDEX, m.LVM_HITTEST, m.LVM_MAPIDTOINDEX, m.LVM_MAPINDEXTOID],
].flat();
const TREE_VIEW = [
  [m.TVM_GETCOUNT, m.TVM_GETIMAGELIST, m.TVM_GETITEMRECT, m.TVM_GETITEMSTATE, m.TVM_GETITEMW, m.TVM_GETNEXTITEM],
  [m.TVM_GETVISIBLECOUNT, m.TVM_HITTEST],
].flat();
const TOOL_BAR = [
  [m.TB_BUTTONCOUNT, m.TB_GETBUTTON, m.TB_GETBUTTONINFOW, m.TB_GETEXTENDEDSTYLE, m.TB_GETITEMRECT, m.TB_GETSTATE],
  m.TB_GETTOOLTIPS,
].flat();

/** Messages of a class. */
const OF_KIND: Partial<Readonly<Record<ControlKind, readonly number[]>>> = {
  'list-view': LIST_VIEW,
  'tree-view': TREE_VIEW,
  'tool-bar': TOOL_BAR,
  tab: [m.TCM_GETCURSEL, m.TCM_GETITEMCOUNT, m.TCM_GETITEMRECT, m.TCM_GETITEMW],
  edit: [m.EM_GETCUEBANNER],
  header: [m.HDM_GETITEMCOUNT, m.HDM_GETITEMRECT, m.HDM_GETITEMW],
  'status-bar': [m.SB_GETPARTS, m.SB_GETRECT, m.SB_GETTEXTLENGTHW, m.SB_GETTEXTW, m.SB_ISSIMPLE],
  'track-bar': [m.TBM_GETPOS, m.TBM_GETRANGEMAX, m.TBM_GETRANGEMIN],
  'up-down': [m.UDM_GETBUDDY, m.UDM_GETPOS32, m.UDM_GETRANGE32],
  'progress-bar': [m.PBM_GETPOS],
  link: [m.LM_HITTEST],
  'combo-box': [m.CB_GETCUEBANNER, m.CBEM_GETEDITCONTROL, m.CBEM_GETITEMW],
  'rich-edit': [m.EM_GETCHARFORMAT],
  'hot-key': [m.HKM_GETHOTKEY],
  'date-time': [m.DTM_GETRANGE, m.DTM_GETSYSTEMTIME],
  calendar: [m.MCM_GETCURSEL, m.MCM_GETMAXSELCOUNT, m.MCM_GETRANGE, m.MCM_GETSELRANGE, m.MCM_HITTEST],
  rebar: [m.RB_GETBANDCOUNT, m.RB_GETBANDINFOW],
  tooltip: [m.TTM_ENUMTOOLSW, m.TTM_GETTEXTW, m.TTM_GETTOOLCOUNT],
  dialog: [m.DM_GETDEFID],
};

/** A window keeps its class; its handle may go to another window, which takes longer than this (ms). */
const KEPT_MS = 50;
let last = { hwnd: 0, kind: 'other' as ControlKind, at: 0 };

function kindNow(hwnd: number): ControlKind {
  const at = performance.now();
  if (last.hwnd !== hwnd || at - last.at > KEPT_MS) last = { hwnd, kind: kindOfWindow(hwnd), at };
  return last.kind;
}

let registered = 0;
/**
 * Asks the CheckedListBox of Windows Forms for the mark of an item: the number is the session’s.
 * Source: dotnet/winforms CheckedListBox.cs (WndProc)
 */
export const formsCheckMessage = (): number => (registered ||= user32.RegisterWindowMessageW('LBC_GETCHECKSTATE'));

/** Whether a message to this window only reads. */
export const isReading = (hwnd: number, message: number): boolean =>
  SYSTEM.has(message) ||
  (OF_KIND[kindNow(hwnd)]?.includes(message) ?? false) ||
  (kindNow(hwnd) === 'list-box' && message === formsCheckMessage());

/** Controls that a few messages read: buttons, fields, positions, links, dates, headers, tabs, status bars, rebars, custom text. */
import {
  BM_GETCHECK,
  BS_OWNERDRAW,
  BS_TYPEMASK,
  BST_CHECKED,
  BST_INDETERMINATE,
  PBM_GETPOS,
  PBS_MARQUEE,
  SBM_GETPOS,
  TBM_GETPOS,
  UDM_GETBUDDY,
  UDM_GETPOS32,
  HKM_GETHOTKEY,
  HOTKEYF_ALT,
  HOTKEYF_CONTROL,
  HOTKEYF_SHIFT,
  DTM_GETSYSTEMTIME,
  DTS_SHOWNONE,
  GDT_VALID,
  MCM_GETCURSEL,
  MCM_GETSELRANGE,
  MCS_MULTISELECT,
  VK_F1,
  VK_F24,
  HDF_OWNERDRAW,
  HDI_FORMAT,
  HDI_TEXT,
  HDM_GETITEMCOUNT,
  HDM_GETITEMRECT,
  HDM_GETITEMW,
  TCIF_TEXT,
  TCM_GETCURSEL,
  TCM_GETITEMCOUNT,
  TCM_GETITEMRECT,
  TCM_GETITEMW,
  TCS_OWNERDRAWFIXED,
  SB_GETPARTS,
  SB_GETRECT,
  SB_GETTEXTLENGTHW,
  SB_GETTEXTW,
  SB_ISSIMPLE,
  SBT_OWNERDRAW,
  RBBIM_CHILD,
  RBBIM_TEXT,
  RB_GETBANDCOUNT,
  RB_GETBANDINFOW,
  DLGC_HASSETSEL,
  DLGC_WANTALLKEYS,
  DLGC_WANTCHARS,
  DLGC_WANTTAB,
  EM_GETCUEBANNER,
  EM_GETLINECOUNT,
  EM_GETPASSWORDCHAR,
  EM_GETSEL,
  ES_MULTILINE,
  LM_HITTEST,
  WM_GETDLGCODE,
  WS_CHILD,
} from '../../../../../native-bindings/win32/constants.ts';
import { withoutAccelerator } from '../../../../contract/element/element-words.ts';
import { buttonKind } from '../../../windows/classes.ts';
import type { WindowEntry } from '../child-windows.ts';
import {
  type ControlReader,
  type ReadContext,
  itemNode,
  askRemote,
  askRemoteRect,
  askText,
  clientToScreen,
  answeredText,
  remoteText,
  TEXT_AT,
  TEXT_UNITS,
} from './items.ts';
import { windowText, descendantsOf, readWindowInfo, type WindowInfo } from '../../../windows/window-info.ts';
import { HDITEMW, TCITEMW, REBARBANDINFOW } from '../../../../../native-bindings/win32/structs.ts';
import { NO_DATE } from '../../../../contract/element/picked.ts';
import { rectCentre } from '../../../../contract/element/coordinates.ts';
import type { Point } from '../../../../contract/element/geometry.ts';
import type { RemoteMemory } from '../../tree/remote-memory.ts';
import type { TreeNode } from '../../tree/tree.ts';
import { addressOf } from '../../../../../native-bindings/library.ts';
import { selectText } from '../../../exits/messages.ts';
import type { Asker } from '../../../windows/ask.ts';

// Check boxes and radio buttons. Source: learn.microsoft.com/windows/win32/controls/bm-getcheck

export const readButton: ControlReader = ({ info, node }, { asker }) => {
  const kind = buttonKind(info.style);
  if ((info.style & BS_TYPEMASK) === BS_OWNERDRAW) node.unread = 'state';
  if (kind !== 'check' && kind !== 'radio') return;
  const check = asker.ask(info.hwnd, BM_GETCHECK);
  if (check === BST_CHECKED) node.states.add(kind === 'radio' ? 'selected' : 'checked');
  if (check === BST_INDETERMINATE) node.states.add('mixed');
};

// Edit and rich edit controls. A password field's text is never requested.

/** What the window returns as its text, or the mark that it keeps that to itself. */
function readText(node: TreeNode, asker: Asker): void {
  node.value = asker.text(node.hwnd);
  if (node.value === null) node.unread = 'value';
}

/**
 * What a field shows while it is empty; null if there is nothing, or it did not answer.
 * Source: learn.microsoft.com/windows/win32/controls/em-getcuebanner, .../cb-getcuebanner
 */
export function askCue(asker: Asker, memory: RemoteMemory | null, hwnd: number, message: number): string | null {
  if (memory === null) return null;
  memory.write(TEXT_AT, Buffer.alloc(2));
  const answer = asker.ask(hwnd, message, memory.address + BigInt(TEXT_AT), TEXT_UNITS);
  if (answer === null) memory.abandon();
  return answer === null || answer === 0 ? null : remoteText(memory).trim() || null;
}

/** A field of several lines has none, and a rich edit knows another message by that number. */
export const fieldCue = (
  { info, kind }: WindowEntry,
  { asker, remote }: Pick<ReadContext, 'asker' | 'remote'>,
): string | null =>
  kind === 'edit' && (info.style & ES_MULTILINE) === 0
    ? askCue(asker, remote.for(info.hwnd), info.hwnd, EM_GETCUEBANNER)
    : null;

export const readEdit: ControlReader = ({ node }, { asker }) => {
  if (!node.states.has('password')) readText(node, asker);
};

// Controls with a position. Source: learn.microsoft.com/windows/win32/controls/trackbar-control-reference and
// related pages

const position =
  (message: number): ControlReader =>
  ({ info, node }, { asker }) => {
    const value = asker.ask(info.hwnd, message);
    // Positions are signed 32-bit values, whatever the upper half of the result contains.
    if (value !== null) node.value = String(value | 0);
  };

export const readTrackBar = position(TBM_GETPOS);
/** A marquee moves without a value. */
export const readProgressBar: ControlReader = (entry, context) => {
  if ((entry.info.style & PBS_MARQUEE) === 0) position(PBM_GETPOS)(entry, context);
};
/** It shares its field's label: the two are one control to a person. */
export const readUpDown: ControlReader = (entry, context) => {
  position(UDM_GETPOS32)(entry, context);
  entry.node.buddy = context.asker.ask(entry.info.hwnd, UDM_GETBUDDY) ?? 0;
};
export const readScrollBar = position(SBM_GETPOS);

// SysLink: a text with links in it. Source: learn.microsoft.com/windows/win32/controls/syslink-overview

/** The links of a SysLink text, in order. */
export function linksOf(markup: string): string[] {
  return [...markup.matchAll(/<a(?:\s[^>]*)?>(.*?)<\/a>/gis)].map((match) => match[1]!);
}

/** LHITTESTINFO: the point, and the LITEM there with the number of its link. Source: learn.microsoft.com/windows/win32/api/commctrl/ns-commctrl-lhittestinfo */
const LINK_HIT = { bytes: 4288, link: 12 };
/** Near the beginning of a text, whose first word is a link in many. */
const TEXT_BEGIN: Point = { x: 4, y: 6 };

/**
 * A point (client pixels) of each link that is at the beginning or in the middle of the text, by its number: only the control
 * knows which part of its text a link is, and tells it of one point at a time. Null if it did not answer.
 */
export function linkPoints(
  asker: Asker,
  memory: RemoteMemory,
  { hwnd, client: { width, height } }: Pick<WindowInfo, 'hwnd' | 'client'>,
): ReadonlyMap<number, Point> | null {
  const points = new Map<number, Point>();
  for (const point of [TEXT_BEGIN, rectCentre({ x: 0, y: 0, width, height })]) {
    const hit = Buffer.alloc(LINK_HIT.bytes);
    hit.writeInt32LE(point.x, 0);
    hit.writeInt32LE(point.y, 4);
    memory.write(0, hit);
    const isOnLink = askRemote(asker, memory, hwnd, LM_HITTEST);
    if (isOnLink === null) return null;
    const link = isOnLink === 0 ? undefined : memory.read(LINK_HIT.link, 4)?.readInt32LE(0);
    if (link !== undefined) points.set(link, point);
  }
  return points;
}

export const readLink: ControlReader = ({ info, node }, { asker, remote }) => {
  const links = linksOf(windowText(info.hwnd));
  const memory = links.length === 0 ? null : remote.for(info.hwnd);
  const points = memory === null ? null : linkPoints(asker, memory, info);
  if (points === null) {
    if (links.length > 0) [node.itemCount, node.unread] = [links.length, 'items'];
    return;
  }
  const toScreen = clientToScreen(info);
  for (const [index, name] of links.entries()) {
    const point = points.get(index);
    node.children.push(
      itemNode(node, {
        kind: 'link',
        identity: `link:${index}:${name}`,
        index,
        controlType: 'Hyperlink',
        name,
        rect: point === undefined ? node.rect : toScreen({ ...point, width: 1, height: 1 }),
        states: point === undefined ? ['offscreen'] : [],
        unread: point === undefined ? 'place' : null,
      }),
    );
  }
};

// Date, calendar, IP address and hot key. Source:
// learn.microsoft.com/windows/win32/controls/individual-control-info

const SYSTEMTIME_BYTES = 16;

/** Whether a picker that may be without a date has one; null if it did not answer. */
export function hasDate(asker: Asker, memory: RemoteMemory, hwnd: number): boolean | null {
  const answer = askRemote(asker, memory, hwnd, DTM_GETSYSTEMTIME);
  return answer === null ? null : answer === GDT_VALID;
}

/** The date as displayed. A picker with a check mark may have none, and keeps its text then. */
export const readDateTime: ControlReader = ({ info, node }, { asker, remote }) => {
  if ((info.style & DTS_SHOWNONE) === 0) {
    readText(node, asker);
    return;
  }
  const memory = remote.for(info.hwnd);
  const has = memory === null ? null : hasDate(asker, memory, info.hwnd);
  if (has === null) node.unread = 'value';
  else if (has) readText(node, asker);
  else node.value = NO_DATE;
  if (has === true) node.states.add('checked');
};

/** A day of a SYSTEMTIME as an ISO date; null if there is none. */
function isoDay(time: Buffer | null, at = 0): string | null {
  if (time === null || time.readUInt16LE(at) === 0) return null;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(time.readUInt16LE(at)).padStart(4, '0')}-${two(time.readUInt16LE(at + 2))}-${two(time.readUInt16LE(at + 6))}`;
}

/** The selected day as an ISO date; of several the first and the last: `2026-12-03/2026-12-05`. Null if it did not answer. */
export function selectedDays(
  { hwnd, style }: Pick<WindowInfo, 'hwnd' | 'style'>,
  asker: Asker,
  memory: RemoteMemory,
): string | null {
  const isRange = (style & MCS_MULTISELECT) !== 0;
  if (!askRemote(asker, memory, hwnd, isRange ? MCM_GETSELRANGE : MCM_GETCURSEL)) return null;
  const times = memory.read(0, 2 * SYSTEMTIME_BYTES);
  const first = isoDay(times);
  const last = isRange ? isoDay(times, SYSTEMTIME_BYTES) : first;
  return first === null || last === null || first === last ? first : `${first}/${last}`;
}

export const readCalendar: ControlReader = ({ info, node }, { asker, remote }) => {
  const memory = remote.for(info.hwnd);
  node.value = memory === null ? null : selectedDays(info, asker, memory);
  if (node.value === null) node.unread = 'value';
};

/** The four edits inside an IP address, of which each may be blank: its own text has 0 for those. Null if it did not answer. */
export function addressText(asker: Asker, hwnd: number): string | null {
  const fields = descendantsOf(hwnd)
    .map((field) => ({ field, x: readWindowInfo(field)?.rect.x ?? 0 }))
    .sort((one, other) => one.x - other.x)
    .map(({ field }) => asker.text(field));
  if (fields.length !== 4 || fields.includes(null)) return asker.text(hwnd);
  return fields.every((text) => text === '') ? '' : fields.join('.');
}

export const readIpAddress: ControlReader = ({ info, node }, { asker }) => {
  node.value = addressText(asker, info.hwnd);
  if (node.value === null) node.unread = 'value';
};

const MODIFIERS = [
  [HOTKEYF_CONTROL, 'Ctrl'],
  [HOTKEYF_SHIFT, 'Shift'],
  [HOTKEYF_ALT, 'Alt'],
] as const;

/** A virtual-key code in its usual spelling. */
function keyName(code: number): string {
  if (code >= 0x30 && code <= 0x5a) return String.fromCharCode(code);
  return code >= VK_F1 && code <= VK_F24 ? `F${code - VK_F1 + 1}` : `0x${code.toString(16)}`;
}

export const readHotKey: ControlReader = ({ info, node }, { asker }) => {
  const key = asker.ask(info.hwnd, HKM_GETHOTKEY);
  if (key === null) return;
  const code = key & 0xff;
  const modifiers = (key >> 8) & 0xff;
  node.value =
    code === 0
      ? ''
      : [...MODIFIERS.flatMap(([bit, name]) => ((modifiers & bit) === 0 ? [] : [name])), keyName(code)].join('+');
};

// Column headers. Source: learn.microsoft.com/windows/win32/controls/header-control-reference

/** A column's title, and whether its program draws it or keeps it to itself; null if the control did not answer. */
export function columnTitle(
  asker: Asker,
  memory: RemoteMemory,
  header: number,
  index: number,
): { readonly title: string; readonly isDrawn: boolean } | null {
  memory.write(
    0,
    memory
      .layoutOf(HDITEMW)
      .alloc({ mask: HDI_TEXT | HDI_FORMAT, pszText: memory.address + BigInt(TEXT_AT), cchTextMax: TEXT_UNITS }),
  );
  if (!askText(asker, memory, header, HDM_GETITEMW, { wParam: index }) && asker.isPartial) return null;
  const layout = memory.layoutOf(HDITEMW);
  const back = memory.read(0, layout.size);
  if (back === null) return null;
  const { pszText, fmt } = layout.read(back);
  const title = answeredText(memory, pszText);
  return { title: title ?? '', isDrawn: title === null || (fmt & HDF_OWNERDRAW) !== 0 };
}

export const readHeader: ControlReader = ({ info, node }, { asker, remote }) => {
  const count = asker.ask(info.hwnd, HDM_GETITEMCOUNT);
  if (count === null || count <= 0) return;
  const memory = remote.for(info.hwnd);
  if (memory === null) {
    [node.itemCount, node.unread] = [count, 'items'];
    return;
  }
  const toScreen = clientToScreen(info);
  for (let index = 0; index < count!; index++) {
    const column = columnTitle(asker, memory, info.hwnd, index);
    const rect = column === null ? null : askRemoteRect(asker, memory, info.hwnd, HDM_GETITEMRECT, { wParam: index });
    if (column === null || rect === null) break;
    const { title, isDrawn } = column;
    node.children.push(
      itemNode(node, {
        kind: 'header-item',
        identity: `column:${index}:${title}`,
        index,
        controlType: 'HeaderItem',
        name: title,
        rect: toScreen(rect),
        unread: isDrawn && title === '' ? 'text' : null,
      }),
    );
  }
};

// Tab controls. Source: learn.microsoft.com/windows/win32/controls/tab-control-reference

export const readTab: ControlReader = ({ info, node }, { asker, remote }) => {
  const count = asker.ask(info.hwnd, TCM_GETITEMCOUNT);
  if (count === null || count <= 0) return;
  const memory = remote.for(info.hwnd);
  if (memory === null) {
    [node.itemCount, node.unread] = [count, 'items'];
    return;
  }
  const selected = asker.ask(info.hwnd, TCM_GETCURSEL);
  const toScreen = clientToScreen(info);
  for (let index = 0; index < count; index++) {
    memory.write(
      0,
      memory
        .layoutOf(TCITEMW)
        .alloc({ mask: TCIF_TEXT, pszText: memory.address + BigInt(TEXT_AT), cchTextMax: TEXT_UNITS }),
    );
    if (!askText(asker, memory, info.hwnd, TCM_GETITEMW, { wParam: index }) && asker.isPartial) break;
    const layout = memory.layoutOf(TCITEMW);
    const back = memory.read(0, layout.size);
    const read = back === null ? null : answeredText(memory, layout.read(back).pszText);
    const text = withoutAccelerator(read ?? '');
    const rect = askRemoteRect(asker, memory, info.hwnd, TCM_GETITEMRECT, { wParam: index });
    if (rect === null) break;
    node.children.push(
      itemNode(node, {
        kind: 'tab-item',
        identity: `tab:${index}:${text}`,
        index,
        controlType: 'TabItem',
        name: text,
        rect: toScreen(rect),
        states: index === selected ? ['selected'] : [],
        // An icon alone has no text; what its program draws is unknown.
        unread: text === '' && (read === null || (info.style & TCS_OWNERDRAWFIXED) !== 0) ? 'text' : null,
      }),
    );
  }
};

// Status bars. Source: learn.microsoft.com/windows/win32/controls/status-bar-reference

/** A part's text; it is not known where the program draws or keeps it. Null if the bar did not answer. */
function partText(
  asker: Asker,
  memory: RemoteMemory,
  hwnd: number,
  index: number,
): { readonly text: string; readonly isKnown: boolean } | null {
  const length = asker.ask(hwnd, SB_GETTEXTLENGTHW, index);
  if (length === null) return null;
  // The low word is the length, the high word the drawing style; a longer text would be written past the end.
  const units = length & 0xffff;
  if (((length >>> 16) & SBT_OWNERDRAW) !== 0 || units >= TEXT_UNITS) return { text: '', isKnown: false };
  memory.write(TEXT_AT, Buffer.alloc(2));
  if (askRemote(asker, memory, hwnd, SB_GETTEXTW, { wParam: index, offset: TEXT_AT }) === null) return null;
  const text = remoteText(memory);
  return { text, isKnown: text !== '' || units === 0 };
}

export const readStatusBar: ControlReader = ({ info, node }, { asker, remote }) => {
  const count = asker.ask(info.hwnd, SB_GETPARTS);
  const isSimple = asker.ask(info.hwnd, SB_ISSIMPLE);
  const memory = count === null || count <= 0 || isSimple === 1 ? null : remote.for(info.hwnd);
  if (memory === null) {
    // The whole bar is one text, or its parts must not be read: the first part is the window's text.
    const text = asker.text(info.hwnd);
    if (text === null) node.unread = 'value';
    else if (text !== '') node.value = text;
    if (count !== null && count > 1 && isSimple !== 1) [node.itemCount, node.unread] = [count, 'items'];
    return;
  }
  node.name = '';
  const toScreen = clientToScreen(info);
  for (let index = 0; index < count!; index++) {
    const part = partText(asker, memory, info.hwnd, index);
    const rect = part === null ? null : askRemoteRect(asker, memory, info.hwnd, SB_GETRECT, { wParam: index });
    if (part === null) break;
    if (rect === null) continue;
    node.children.push(
      itemNode(node, {
        kind: 'status-part',
        identity: `part:${index}`,
        index,
        controlType: 'Text',
        name: part.text,
        rect: toScreen(rect),
        unread: part.isKnown ? null : 'text',
      }),
    );
  }
};

// Rebars: a band's text names the control inside it. Source:
// learn.microsoft.com/windows/win32/controls/rebar-control-reference

export const readRebar: ControlReader = ({ info }, { asker, remote, windows }) => {
  const count = asker.ask(info.hwnd, RB_GETBANDCOUNT);
  const memory = count === null || count <= 0 ? null : remote.for(info.hwnd);
  if (memory === null) return;
  const layout = memory.layoutOf(REBARBANDINFOW);
  for (let index = 0; index < count!; index++) {
    memory.write(
      0,
      layout.alloc({
        cbSize: layout.size,
        fMask: RBBIM_TEXT | RBBIM_CHILD,
        lpText: memory.address + BigInt(TEXT_AT),
        cch: TEXT_UNITS,
      }),
    );
    if (!askText(asker, memory, info.hwnd, RB_GETBANDINFOW, { wParam: index })) return;
    const back = memory.read(0, layout.size);
    if (back === null) return;
    const { lpText, hwndChild } = layout.read(back);
    const text = withoutAccelerator(answeredText(memory, lpText) ?? '');
    const child = windows.entries.get(hwndChild)?.node;
    if (text === '' || child === undefined || child.name !== '') continue;
    child.label = text;
    child.name = text;
  }
};

/** Limit on the text read from Windows' own copy. */
const KEPT_UNITS = 2047;
const NOT_ANSWERED = 0xffff_ffff;

/** Custom text controls (Scintilla, SynEdit and similar): read here for snapshots, for typing and for the effect of keys. */
export interface CustomText {
  readonly text: string;
  /** The control itself handles Enter, and no surrounding dialog takes it first. */
  readonly takesEnter: boolean;
  readonly takesTab: boolean;
}

/**
 * Windows keeps the caption that the window was created with; a control with its own text returns a different one, or
 * reports that it has a selection.
 */
function isOwn(hwnd: number, text: string, code: number, asker: Asker): boolean {
  const kept = windowText(hwnd);
  const isKept = kept.length >= KEPT_UNITS ? text.startsWith(kept) : text === kept;
  return !isKept || (code & DLGC_HASSETSEL) !== 0 || (asker.ask(hwnd, EM_GETLINECOUNT) ?? 0) > 0;
}

/**
 * Null for a window that takes no characters, has no text of its own, or hides what is typed. The caller has checked
 * that it is not a standard control.
 */
export function readCustomText(hwnd: number, asker: Asker): CustomText | null {
  if (((readWindowInfo(hwnd)?.style ?? 0) & WS_CHILD) === 0) return null;
  const code = asker.ask(hwnd, WM_GETDLGCODE);
  if (code === null || (code & (DLGC_WANTCHARS | DLGC_WANTALLKEYS | DLGC_HASSETSEL)) === 0) return null;
  if (asker.ask(hwnd, EM_GETPASSWORDCHAR) !== 0) return null;
  const text = asker.text(hwnd);
  if (text === null || !isOwn(hwnd, text, code, asker)) return null;
  return {
    text,
    takesEnter: (code & DLGC_WANTALLKEYS) !== 0,
    takesTab: (code & (DLGC_WANTALLKEYS | DLGC_WANTTAB)) !== 0,
  };
}

/** A selection in the control's own units: characters or bytes, line ends as one or two. */
export interface CustomSelection {
  readonly start: number;
  readonly end: number;
}

/** Null where the control does not answer. */
export function customSelection(hwnd: number, asker: Asker): CustomSelection | null {
  const memory = Buffer.alloc(8, 0xff);
  if (asker.ask(hwnd, EM_GETSEL, addressOf(memory), addressOf(memory) + 4n) === null) return null;
  const [start, end] = [memory.readUInt32LE(0), memory.readUInt32LE(4)];
  return start === NOT_ANSWERED || end === NOT_ANSWERED ? null : { start, end };
}

/** False if the control did not apply it. */
export function setCustomSelection(hwnd: number, { start, end }: CustomSelection, asker: Asker): boolean {
  selectText(asker, hwnd, start, end);
  const now = customSelection(hwnd, asker);
  return now !== null && now.start === start && now.end === end;
}

/** Selects all of a non-empty text and returns its end in the control's units. Null if it does not select. */
export function selectAllCustom(hwnd: number, asker: Asker): number | null {
  selectText(asker, hwnd, 0, -1);
  const all = customSelection(hwnd, asker);
  return all === null || all.start !== 0 || all.end === 0 ? null : all.end;
}

/** A custom window that holds text is a document. */
export const readCustomEditor: ControlReader = ({ info, node }, { asker }) => {
  if (node.children.length > 0) return;
  const own = readCustomText(info.hwnd, asker);
  if (own === null) return;
  node.controlType = 'Document';
  node.value = own.text;
};

/**
 * Custom text controls (Scintilla, SynEdit and similar): their text and caret. The only reader for snapshots, for
 * typing into an element and for the effect of keys.
 */
import { addressOf } from '../../../../../native-bindings/library.ts';
import {
  DLGC_HASSETSEL,
  DLGC_WANTALLKEYS,
  DLGC_WANTCHARS,
  DLGC_WANTTAB,
  EM_GETLINECOUNT,
  EM_GETPASSWORDCHAR,
  EM_GETSEL,
  EM_SETSEL,
  WM_GETDLGCODE,
  WS_CHILD,
} from '../../../../../native-bindings/win32/constants.ts';
import type { Asker } from '../../../windows/ask.ts';
import { windowText, readWindowInfo } from '../../../windows/window-info.ts';
import type { ControlReader } from './items.ts';

/** Limit on the text read from Windows' own copy. */
const KEPT_UNITS = 2047;
const NOT_ANSWERED = 0xffff_ffff;

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
  asker.ask(hwnd, EM_SETSEL, start, end);
  const now = customSelection(hwnd, asker);
  return now !== null && now.start === start && now.end === end;
}

/** Selects all of a non-empty text and returns its end in the control's units. Null if it does not select. */
export function selectAllCustom(hwnd: number, asker: Asker): number | null {
  asker.ask(hwnd, EM_SETSEL, 0, -1);
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

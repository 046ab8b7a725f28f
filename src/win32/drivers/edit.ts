/** Edit and rich edit controls, and custom editors. A password field is never asked for its text. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { CHARFORMATW } from '../../../native-bindings/win32/structs/controls.ts';
import { addressOf } from '../../../native-bindings/library.ts';
import type { RemoteMemory } from '../elements/tree/remote-memory.ts';
import type { TreeNode } from '../elements/tree/tree.ts';
import { along, writing, change, changeWithin, textIn, visit, type Change } from '../exits/messages.ts';
import { charactersOf } from '../exits/fits.ts';
import type { Asker } from '../windows/ask.ts';
import { windowText, readWindowInfo } from '../windows/window-info.ts';
import type { ControlReader, ReadContext, WindowEntry, Driver, Question } from './driver.ts';
import { askRemote, remoteText, TEXT_AT, TEXT_UNITS } from './items.ts';

/** What the window returns as its text, or the mark that it keeps that to itself. */
export function readText(node: TreeNode, asker: Asker): void {
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

/** A field of several lines has none. */
const fieldCue = ({ info }: WindowEntry, { asker, remote }: Pick<ReadContext, 'asker' | 'remote'>): string | null =>
  (info.style & m.ES_MULTILINE) === 0 ? askCue(asker, remote.for(info.hwnd), info.hwnd, m.EM_GETCUEBANNER) : null;

const readEdit: ControlReader = ({ node }, { asker }) => {
  if (!node.states.has('password')) readText(node, asker);
};

/** Selects a part of a text; -1 as the end is the end of the text. Null where the control does not answer. */
export const selectText = (asker: Asker, hwnd: number, start: number, end: number): number | null =>
  change(asker, hwnd, m.EM_SETSEL, start, end);

/** Puts text in the place of the selection, undoable. Source: learn.microsoft.com/windows/win32/controls/em-replacesel */
export function replaceSelectedText(asker: Asker, hwnd: number, text: string): number | null {
  return change(asker, hwnd, m.EM_REPLACESEL, 1, Buffer.from(`${text}\0`, 'utf16le'));
}

/** The most characters that a field takes; 0 where that is not known. */
export const mostCharacters = (asker: Asker, hwnd: number): number => asker.ask(hwnd, m.EM_GETLIMITTEXT) ?? 0;

/** Whether it shows a character of its own in place of each typed one; also where it does not answer. */
export const hidesText = (asker: Asker, hwnd: number): boolean => asker.ask(hwnd, m.EM_GETPASSWORDCHAR) !== 0;

/** The line of a position; null where the control does not answer. */
export const lineOf = (asker: Asker, hwnd: number, position: number): number | null =>
  asker.ask(hwnd, m.EM_LINEFROMCHAR, position);

/** The position at which a line begins; null where the control does not answer. */
export const startOfLine = (asker: Pick<Asker, 'ask'>, hwnd: number, line: number): number | null =>
  asker.ask(hwnd, m.EM_LINEINDEX, line);

/** The first line in view; null where the control does not answer. */
export const firstLineInView = (asker: Pick<Asker, 'ask'>, hwnd: number): number | null =>
  asker.ask(hwnd, m.EM_GETFIRSTVISIBLELINE);

/** Past the end of any text: the control uses the end instead. */
const END_OF_TEXT = 0x7fff_fffe;
/** Source: learn.microsoft.com/windows/win32/controls/edit-controls-text-operations */
const KEYS: Readonly<Record<string, readonly [message: number, wParam: number, lParam: number]>> = {
  'ctrl+a': [m.EM_SETSEL, 0, -1],
  'ctrl+c': [m.WM_COPY, 0, 0],
  'ctrl+insert': [m.WM_COPY, 0, 0],
  'ctrl+x': [m.WM_CUT, 0, 0],
  'shift+delete': [m.WM_CUT, 0, 0],
  'ctrl+v': [m.WM_PASTE, 0, 0],
  'shift+insert': [m.WM_PASTE, 0, 0],
  'ctrl+z': [m.WM_UNDO, 0, 0],
  'ctrl+home': [m.EM_SETSEL, 0, 0],
  'ctrl+end': [m.EM_SETSEL, END_OF_TEXT, END_OF_TEXT],
};

/** Does what a key combination does by the message for it, without key state; null where it did not answer. */
export function pressByMessage(hwnd: number, chord: string): 'none' | 'done' | null {
  const message = KEYS[chord];
  if (message === undefined) return 'none';
  visit(hwnd);
  if (changeWithin(hwnd, ...message, 2000) === null) return null;
  if (message[0] === m.EM_SETSEL && chord !== 'ctrl+a') changeWithin(hwnd, m.EM_SCROLLCARET, 0, 0, 500);
  return 'done';
}

/** How a rich edit's selected text looks; null where it did not answer. Source: learn.microsoft.com/windows/win32/controls/em-getcharformat */
export function formatOfSelection(
  asker: Asker,
  memory: RemoteMemory,
  hwnd: number,
): ReturnType<typeof CHARFORMATW.read> | null {
  memory.write(0, CHARFORMATW.alloc({ cbSize: CHARFORMATW.size }));
  const answer = askRemote(asker, memory, hwnd, m.EM_GETCHARFORMAT, { wParam: m.SCF_SELECTION });
  const back = answer === null ? null : memory.read(0, CHARFORMATW.size);
  return back === null ? null : CHARFORMATW.read(back, 0);
}

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
  return !isKept || (code & m.DLGC_HASSETSEL) !== 0 || (asker.ask(hwnd, m.EM_GETLINECOUNT) ?? 0) > 0;
}

/**
 * Null for a window that takes no characters, has no text of its own, or hides what is typed. The caller has checked
 * that it is not a standard control.
 */
export function readCustomText(hwnd: number, asker: Asker): CustomText | null {
  if (((readWindowInfo(hwnd)?.style ?? 0) & m.WS_CHILD) === 0) return null;
  const code = asker.ask(hwnd, m.WM_GETDLGCODE);
  if (code === null || (code & (m.DLGC_WANTCHARS | m.DLGC_WANTALLKEYS | m.DLGC_HASSETSEL)) === 0) return null;
  if (hidesText(asker, hwnd)) return null;
  const text = asker.text(hwnd);
  if (text === null || !isOwn(hwnd, text, code, asker)) return null;
  return {
    text,
    takesEnter: (code & m.DLGC_WANTALLKEYS) !== 0,
    takesTab: (code & (m.DLGC_WANTALLKEYS | m.DLGC_WANTTAB)) !== 0,
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
  if (asker.ask(hwnd, m.EM_GETSEL, addressOf(memory), addressOf(memory) + 4n) === null) return null;
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
const readCustomEditor: ControlReader = ({ info, node }, { asker }) => {
  if (node.children.length > 0) return;
  const own = readCustomText(info.hwnd, asker);
  if (own === null) return;
  node.controlType = 'Document';
  node.value = own.text;
};

const ASKS = [
  [m.EM_GETSEL, m.EM_GETLINECOUNT, m.EM_GETFIRSTVISIBLELINE, m.EM_LINEINDEX, m.EM_LINEFROMCHAR],
  [m.EM_GETPASSWORDCHAR, m.EM_GETLIMITTEXT],
].flat();
const questions: readonly Question[] = [['scroll-position', m.EM_GETFIRSTVISIBLELINE]];

/** What of a text that replaces the selection is compared with the permitted one. */
const strokesOf: Change['sent'] = (_, lParam) =>
  Buffer.isBuffer(lParam) ? { strokes: charactersOf(textIn(lParam)) } : {};

export const edit: Driver = {
  kinds: ['edit'],
  asks: [...ASKS, m.EM_GETCUEBANNER],
  changes: [...along(m.EM_SETSEL, m.EM_SCROLLCARET), ...writing(m.EM_REPLACESEL, strokesOf)],
  read: readEdit,
  cue: fieldCue,
  questions,
};

/** It knows another message by the number of EM_GETCUEBANNER. */
export const richEdit: Driver = { kinds: ['rich-edit'], asks: [m.EM_GETCHARFORMAT], read: readEdit, questions };

/** Windows of a program's own, which may be editors. */
export const customEditor: Driver = { kinds: ['other'], asks: [], read: readCustomEditor };

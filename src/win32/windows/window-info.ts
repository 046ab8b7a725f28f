/** Window handles, and what Windows knows of a window without its program: never waits. */
import { text16 } from '../../../native-bindings/library.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { GUITHREADINFO } from '../../../native-bindings/win32/structs.ts';
import type { Point, Rect } from '../../contract/element/geometry.ts';
import { clientArea, outerRect, readRect, toScreen } from './rects.ts';
import { kindOfClass, type ControlKind } from './classes.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { attempt } from '../../contract/attempt.ts';

const textOut = Buffer.alloc(4096);
/** Longer than a class name may be, with its end. */
const CLASS_UNITS = 260;

export interface WindowInfo {
  readonly hwnd: number;
  readonly className: string;
  /** As it was last read. */
  style: number;
  readonly exStyle: number;
  /** Screen pixels. */
  readonly rect: Rect;
  readonly client: Rect;
  /** Control id; 0 for windows without one. */
  readonly id: number;
}

/** What a caller knows of a window already. */
interface KnownOfInfo {
  readonly className?: string;
  readonly id?: number;
  readonly rect?: Rect | undefined;
  readonly style?: number;
}

/** What is read when it is first needed: few callers need more than rectangle, class and style. */
class ReadWindow implements WindowInfo {
  readonly hwnd: number;
  rect: Rect;
  style: number;
  #className: string | undefined;
  #id: number | undefined;
  #client: Rect | undefined;
  #exStyle: number | undefined;

  constructor(hwnd: number, rect: Rect, style: number, known: KnownOfInfo) {
    this.hwnd = hwnd;
    this.rect = rect;
    this.style = style;
    this.#className = known.className;
    this.#id = known.id;
  }

  get className(): string {
    return (this.#className ??= classNameOf(this.hwnd));
  }

  get id(): number {
    return (this.#id ??= (this.style & m.WS_CHILD) === 0 ? 0 : controlId(this.hwnd));
  }

  get client(): Rect {
    return (this.#client ??= clientArea(this.hwnd) ?? this.rect);
  }

  get exStyle(): number {
    return (this.#exStyle ??= windowExtendedStyle(this.hwnd));
  }

  move(by: Point): void {
    this.rect = { ...this.rect, x: this.rect.x + by.x, y: this.rect.y + by.y };
    this.#client = undefined;
  }
}

/** Follows a window that was moved with its container. */
export function moveInfo(info: WindowInfo, by: Point): void {
  if (info instanceof ReadWindow) info.move(by);
}

/** Null once the window is gone. Client area, class, id and extended style are read when they are first used. */
export function readWindowInfo(hwnd: number, known: KnownOfInfo = {}): WindowInfo | null {
  const rect = known.rect ?? outerRect(hwnd);
  return rect === null ? null : new ReadWindow(hwnd, rect, known.style ?? windowStyle(hwnd), known);
}

/** The id that a child window was given; a top-level window has its menu in this place. */
export const controlId = (hwnd: number): number => user32.GetWindowLongPtrW(hwnd, m.GWLP_ID) | 0;

export function classNameOf(hwnd: number): string {
  return text16(textOut, user32.GetClassNameW(hwnd, textOut, CLASS_UNITS));
}

/**
 * The class that a program's own class is derived from, if Windows knows it: `Edit` for a `WindowsForms10.EDIT.…`.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-realgetwindowclassw
 */
function realClassOf(hwnd: number): string {
  return text16(textOut, user32.RealGetWindowClassW(hwnd, textOut, CLASS_UNITS));
}

export function windowStyle(hwnd: number): number {
  return user32.GetWindowLongW(hwnd, m.GWL_STYLE) >>> 0;
}

const regionMemory = Buffer.alloc(16);
const NO_REGION = 0;

/** Whether it has a region, so that parts of its rectangle are not its own. */
export const isShaped = (hwnd: number): boolean => user32.GetWindowRgnBox(hwnd, regionMemory) !== NO_REGION;

export function windowExtendedStyle(hwnd: number): number {
  return user32.GetWindowLongW(hwnd, m.GWL_EXSTYLE) >>> 0;
}

/**
 * Whether a control is a password field, by class and style alone, so that no message can reveal its contents. An
 * edit control sets the style by itself when it gets EM_SETPASSWORDCHAR later.
 * Source: learn.microsoft.com/windows/win32/controls/edit-control-styles
 */
export function isPasswordEdit(hwnd: number): boolean {
  if ((windowStyle(hwnd) & m.ES_PASSWORD) === 0) return false;
  // Other classes use the bit for other things; rich edits and wrappers have “edit” in their names.
  return realClassOf(hwnd).toLowerCase() === 'edit' || /edit|textbox/i.test(classNameOf(hwnd));
}

/**
 * The text that Windows stores for a window: a title, the text of a button or a static text, but not what an edit control
 * contains. Empty for password fields, for which it may be the password that the field was created with.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-internalgetwindowtext
 */
export function windowText(hwnd: number, style: number = windowStyle(hwnd)): string {
  if ((style & m.ES_PASSWORD) !== 0 && isPasswordEdit(hwnd)) return '';
  return text16(textOut, user32.InternalGetWindowText(hwnd, textOut, textOut.length / 2));
}

/** Window class of an open menu. */
export const MENU_CLASS = '#32768';

export const parentOf = (hwnd: number): number => user32.GetAncestor(hwnd, m.GA_PARENT);
export const rootOf = (hwnd: number): number => user32.GetAncestor(hwnd, m.GA_ROOT);
export const ownerOf = (hwnd: number): number => user32.GetWindow(hwnd, m.GW_OWNER);

/** Whether input reaches the window: neither it nor an ancestor is disabled. */
export function isEnabledThroughout(hwnd: number): boolean {
  const desktop = user32.GetDesktopWindow();
  for (let at = hwnd; at !== 0 && at !== desktop; at = parentOf(at)) if (!user32.IsWindowEnabled(at)) return false;
  return true;
}

/** Whether input can reach a part of a top-level window, or that window itself: it and all above it are shown and enabled. */
export function isReachableIn(root: number, hwnd: number): boolean {
  for (let at = hwnd; at !== 0; at = parentOf(at)) {
    if ((windowStyle(at) & (m.WS_VISIBLE | m.WS_DISABLED)) !== m.WS_VISIBLE) return false;
    if (at === root) return true;
  }
  return false;
}

/** A thread's GUITHREADINFO; null if Windows does not report it. Source: learn.microsoft.com/windows/win32/api/winuser/ns-winuser-guithreadinfo */
function guiOf(thread: number): Buffer | null {
  const gui = GUITHREADINFO.alloc({ cbSize: GUITHREADINFO.size });
  return user32.GetGUIThreadInfo(thread, gui) ? gui : null;
}

/** The window with a thread's keyboard focus; 0 if it has none or Windows does not report it. */
export function focusOf(thread: number): number {
  return Number(guiOf(thread)?.readBigInt64LE(GUITHREADINFO.at.hwndFocus) ?? 0n);
}

/** The active window of a thread, which is the foreground window only if the thread has the foreground; 0 if it has none. */
export function activeOf(thread: number): number {
  return Number(guiOf(thread)?.readBigInt64LE(GUITHREADINFO.at.hwndActive) ?? 0n);
}

const MENU_MODES = m.GUI_INMENUMODE | m.GUI_SYSTEMMENUMODE | m.GUI_POPUPMENUMODE;

/** The window to which the open menu of a thread belongs; 0 if none is open or Windows does not report it. */
export function menuOwnerOf(thread: number): number {
  return Number(guiOf(thread)?.readBigInt64LE(GUITHREADINFO.at.hwndMenuOwner) ?? 0n);
}

/** Whether a menu of the thread is open and gets its keys. */
export function isInMenu(thread: number): boolean {
  return ((guiOf(thread)?.readUInt32LE(GUITHREADINFO.at.flags) ?? 0) & MENU_MODES) !== 0;
}

/** The place of a thread's caret, screen pixels; null if it has none or Windows does not report it. */
export function caretRect(thread: number): Rect | null {
  const gui = guiOf(thread);
  const hwnd = Number(gui?.readBigInt64LE(GUITHREADINFO.at.hwndCaret) ?? 0n);
  if (gui === null || hwnd === 0) return null;
  const { x, y, width, height } = readRect(gui, GUITHREADINFO.at.rcCaret);
  const place = toScreen(hwnd, { x, y });
  return place === null ? null : { ...place, width, height };
}

/** Every descendant, parents before children, topmost first. */
export function descendantsOf(hwnd: number): number[] {
  const found: number[] = [];
  user32.EnumChildWindows(
    hwnd,
    (child) => {
      found.push(child);
      return true;
    },
    0,
  );
  return found;
}

/** Every top-level window, topmost first. */
export function topLevelWindows(): number[] {
  const found: number[] = [];
  user32.EnumWindows((hwnd) => {
    found.push(hwnd);
    return true;
  }, 0);
  return found;
}

/** Every visible top-level window, topmost first: most of a desktop's are hidden. Nothing above it can hide one. */
export function visibleTopWindows(): number[] {
  return topLevelWindows().filter((hwnd) => (windowStyle(hwnd) & m.WS_VISIBLE) !== 0);
}

/** Visible top-level windows of a process, topmost first. */
export function topWindowsOf(process: number): number[] {
  return visibleTopWindows().filter((hwnd) => windowProcess(hwnd) === process);
}

// The kind of control that a window is.

/** The standard control of the window's class, or of the class that it is derived from; `other` if Windows knows neither. */
export function kindOfWindow(hwnd: number, className: string = classNameOf(hwnd)): ControlKind {
  return kindOfClass(className) ?? kindOfClass(realClassOf(hwnd)) ?? 'other';
}

/** A button that its program draws: a push button, a check box or a radio button to a person. */
export const isDrawnButton = (hwnd: number): boolean =>
  (windowStyle(hwnd) & m.BS_TYPEMASK) === m.BS_OWNERDRAW && kindOfWindow(hwnd) === 'button';

/** At most this many windows before a control are looked at. */
const MOST_BEFORE = 100;

/** The text of the nearest static before a control, shown or not: what the system's proxies call the control. */
export function textBefore(hwnd: number): string {
  let at = user32.GetWindow(hwnd, m.GW_HWNDPREV);
  for (let tried = 0; at !== 0 && tried < MOST_BEFORE; tried++) {
    if (kindOfWindow(at) === 'static') return windowText(at);
    at = user32.GetWindow(at, m.GW_HWNDPREV);
  }
  return '';
}

// Edit controls, which are password fields by their style.

/** Whether a window is an edit control by its class, which never changes. Rich edits and wrappers have “edit” in their names. */
export const isEditClass = (hwnd: number, className: string, isSystemClass: boolean): boolean =>
  /edit|textbox/i.test(className) || (!isSystemClass && realClassOf(hwnd).toLowerCase() === 'edit');

/** Whether an edit control is a password field now. Its style changes without a report. */
export const isPasswordField = (edit: number): boolean => (windowStyle(edit) & m.ES_PASSWORD) !== 0;

const processMemory = Buffer.alloc(4);

/**
 * A handle in text form (decimal or 0x…) → number; null if it cannot be a window's. Handles have 32
 * significant bits and may come sign-extended. Source: learn.microsoft.com/windows/win32/winprog64/interprocess-communication
 */
export function parseHwnd(text: string): number | null {
  const value = attempt(() => BigInt(text), 0n);
  const high = value >> 32n;
  if (value <= 0n || (high !== 0n && high !== 0xffff_ffffn)) return null;
  return Number(value & 0xffff_ffffn);
}

/**
 * Thread and process of a window; zeros once it is gone.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowthreadprocessid
 */
export function threadOf(hwnd: number): { thread: number; process: number } {
  const thread = user32.GetWindowThreadProcessId(hwnd, processMemory);
  return thread === 0 ? { thread: 0, process: 0 } : { thread, process: processMemory.readUInt32LE(0) };
}

/** Process of a window, 0 once it is gone. */
export function windowProcess(hwnd: number): number {
  return threadOf(hwnd).process;
}

/** The frame of a packaged app, whose content is another process's. One process owns the frames of all such apps. */
export const FRAME_CLASS = 'ApplicationFrameWindow';

/** The window of a packaged app's own process in its frame; 0 for other windows, and while the app is suspended. */
export const coreOf = (root: number, className: string = classNameOf(root)): number =>
  className === FRAME_CLASS ? user32.FindWindowExW(root, 0, 'Windows.UI.Core.CoreWindow', null) : 0;

/** Deeper than any program's chain of owners; also ends a ring that forms during the walk. */
const MOST_OWNERS = 16;

/**
 * The last window in the chain of owners; the window itself if it has no owner. By GW_OWNER, because GetAncestor
 * ignores the owner of a window without WS_POPUP.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getparent
 */
export function rootOwner(hwnd: number): number {
  let last = hwnd;
  for (let depth = 0; depth < MOST_OWNERS; depth += 1) {
    const owner = user32.GetWindow(last, m.GW_OWNER);
    if (owner === 0) break;
    last = owner;
  }
  return last;
}

let ownConsole: number | undefined;

/**
 * The console window that this process writes to: typing into it would reach the host. It never changes, since only
 * helper processes attach to other consoles.
 */
export function isOwnConsole(hwnd: number): boolean {
  ownConsole ??= kernel32.GetConsoleWindow();
  return hwnd !== 0 && ownConsole === hwnd;
}

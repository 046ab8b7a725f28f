/**
 * The windows that belong to another one: its dialogs, also those of other processes, its menus and flyouts. Found by
 * owner, by the program's processes, and for windows that have no owner by thread or by the action that opened them.
 */
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { isCloaked } from './describe.ts';
import {
  FRAME_CLASS,
  coreOf,
  rootOwner,
  threadOf,
  windowProcess,
  MENU_CLASS,
  classNameOf,
  kindOfWindow,
  topLevelWindows,
  menuOwnerOf,
  visibleTopWindows,
  ownerOf,
  windowExtendedStyle,
  windowStyle,
  windowText,
} from './window-info.ts';
import { outerRect } from './rects.ts';

/**
 * Windows in which toolkits show menus, lists and flyouts. Sources: the classes that tools report for XAML, the Windows
 * App SDK and Office (github.com/microsoft/microsoft-ui-xaml, github.com/FlaUI/FlaUI).
 */
const POPUP_CLASSES: ReadonlySet<string> = new Set([
  MENU_CLASS,
  'xaml_windowedpopupclass',
  'microsoft.ui.content.popupwindowsitebridge',
  'net ui tool window',
  'net ui tool window layered',
]);
/** They explain something else, or repeat what a combo box shows. */
const NEVER: ReadonlySet<string> = new Set(['tooltips_class32', 'combolbox', 'ime', 'msctfime ui', 'sysshadow']);

const isPopupClass = (className: string): boolean => POPUP_CLASSES.has(className.toLowerCase());

/** Tooltips and drop-down lists come and go by themselves; menus count, since a click can open one. */
export function isDialogLike(hwnd: number): boolean {
  if (isPopupClass(classNameOf(hwnd))) return true;
  return (windowExtendedStyle(hwnd) & (m.WS_EX_TOOLWINDOW | m.WS_EX_NOACTIVATE)) === 0;
}

/**
 * Tells from now on whether a window that is shown proves something: not a tooltip, and not what was only hidden and has
 * neither title nor contents.
 */
export function newsSince(): (hwnd: number) => boolean {
  const known = new Set(topLevelWindows());
  return (hwnd) => {
    const kind = kindOfWindow(hwnd);
    const isFull = (): boolean => windowText(hwnd) !== '' || user32.GetWindow(hwnd, m.GW_CHILD) !== 0;
    return (
      kind !== 'tooltip' && (!known.has(hwnd) || kind === 'list-box' || isPopupClass(classNameOf(hwnd)) || isFull())
    );
  };
}

/** The processes behind a window: its own, and for a packaged app's frame the app's. */
export function processesOf(root: number): ReadonlySet<number> {
  const core = coreOf(root);
  return new Set([windowProcess(root), ...(core === 0 ? [] : [windowProcess(core)])]);
}

/** Whether the chain of owners of a window reaches `root`. */
function isOwnedBy(hwnd: number, root: number): boolean {
  return hwnd !== root && ownersOf(hwnd).includes(root);
}

function ownersOf(hwnd: number): number[] {
  const owners: number[] = [];
  const last = rootOwner(hwnd);
  for (let at = hwnd; at !== last && owners.length < 32; owners.push(at)) at = user32.GetWindow(at, m.GW_OWNER);
  return owners;
}

const isShown = (hwnd: number): boolean => {
  if (user32.IsIconic(hwnd) || isCloaked(hwnd)) return false;
  const rect = outerRect(hwnd);
  return rect !== null && rect.width > 1 && rect.height > 1;
};

/** A menu or flyout without an owner, of the window's own thread, or the menu that Windows says is the window's. */
function isLoosePopup(hwnd: number, root: number, className: string): boolean {
  if (!isPopupClass(className) || user32.GetWindow(hwnd, m.GW_OWNER) !== 0) return false;
  const { thread } = threadOf(hwnd);
  const owner = className === MENU_CLASS ? menuOwnerOf(thread) : 0;
  if (owner !== 0) return owner === root || user32.IsChild(root, owner);
  return thread === threadOf(root).thread || thread === threadOf(coreOf(root)).thread;
}

/** Whether it came with an action on `root`, or is owned by a window that did. */
const isOpenedFrom = (hwnd: number, root: number): boolean =>
  isAnyOpened() && (cameWith(hwnd, root) || ownersOf(hwnd).some((owner) => cameWith(owner, root)));

/** The visible windows that belong to `root`, topmost first. */
export function popupsOf(root: number): number[] {
  return visibleTopWindows().filter((hwnd) => {
    if (hwnd === root) return false;
    const className = classNameOf(hwnd);
    const belongs = isOwnedBy(hwnd, root) || isLoosePopup(hwnd, root, className) || isOpenedFrom(hwnd, root);
    return belongs && !NEVER.has(className.toLowerCase()) && isShown(hwnd);
  });
}

/**
 * The visible top-level windows of a window's program: of its processes, and of others if they are owned by it. The
 * frames of other packaged apps are not among them, although one process has them all.
 * @param processes those of `root`, for when it may be gone
 */
export function applicationWindows(root: number, processes: ReadonlySet<number> = processesOf(root)): number[] {
  const isFrame = classNameOf(root) === FRAME_CLASS;
  return visibleTopWindows().filter(
    (hwnd) =>
      hwnd === root ||
      (processes.has(windowProcess(hwnd)) && !(isFrame && classNameOf(hwnd) === FRAME_CLASS)) ||
      isOwnedBy(hwnd, root),
  );
}

// Windows that came with an action and have no owner: dialogs of toolkits that give theirs none. They belong to
// the window that was acted on, as an owned dialog does. A further main window of the program stays a window by
// itself.

/** More than a program has open at a time. */
const MOST_KEPT = 256;

interface Opened {
  readonly hwnd: number;
  /** A reused handle usually belongs to another thread. */
  readonly thread: number;
  /** The window that was acted on, and the windows that it opened with itself. */
  readonly from: readonly number[];
}

const opened = new Map<number, Opened>();

const isStill = ({ hwnd, thread }: Opened): boolean =>
  user32.IsWindow(hwnd) && threadOf(hwnd).thread === thread && ownerOf(hwnd) === 0;

/** Main windows can be minimised or maximised, or are on the taskbar at their program's request. */
export const isMainWindow = (hwnd: number): boolean =>
  (windowStyle(hwnd) & (m.WS_MINIMIZEBOX | m.WS_MAXIMIZEBOX)) !== 0 ||
  (windowExtendedStyle(hwnd) & m.WS_EX_APPWINDOW) !== 0;

/** An action on `bound` opened this window. @param isModal `bound` cannot be used until it is answered */
export function noteOpened(hwnd: number, bound: number, isModal: boolean): void {
  if (ownerOf(hwnd) !== 0 || windowProcess(hwnd) !== windowProcess(bound) || (!isModal && isMainWindow(hwnd))) return;
  for (const [each, part] of opened) if (opened.size >= MOST_KEPT || !isStill(part)) opened.delete(each);
  opened.set(hwnd, { hwnd, thread: threadOf(hwnd).thread, from: [bound, ...(opened.get(bound)?.from ?? [])] });
}

/** Whether it came with an action on `root`, or on a window that did. */
export function cameWith(hwnd: number, root: number): boolean {
  const part = opened.get(hwnd);
  return part !== undefined && part.from.includes(root) && isStill(part);
}

/** Whether any such window is known: saves asking for owners. */
const isAnyOpened = (): boolean => opened.size > 0;

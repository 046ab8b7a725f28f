/**
 * Windows that came with an action and have no owner: dialogs of toolkits that give theirs none. They belong to the window
 * that was acted on, as an owned dialog does. A further main window of the program stays a window by itself.
 */
import { WS_EX_APPWINDOW, WS_MAXIMIZEBOX, WS_MINIMIZEBOX } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { threadOf, windowProcess } from './handle.ts';
import { ownerOf, windowExtendedStyle, windowStyle } from './window-info.ts';

/** More than a program has open at a time. */
const MOST_KEPT = 256;

/** What is remembered of one, as plain data. */
export interface OpenedPart {
  readonly hwnd: number;
  /** A handle that is used again belongs to another thread, as a rule. */
  readonly thread: number;
  /** The window that was acted on, and those that it came with itself. */
  readonly from: readonly number[];
}

const opened = new Map<number, OpenedPart>();

const isStill = ({ hwnd, thread }: OpenedPart): boolean =>
  user32.IsWindow(hwnd) && threadOf(hwnd).thread === thread && ownerOf(hwnd) === 0;

/** Main windows can be minimised or maximised, or are on the taskbar because their program says so. */
const isMainWindow = (hwnd: number): boolean =>
  (windowStyle(hwnd) & (WS_MINIMIZEBOX | WS_MAXIMIZEBOX)) !== 0 || (windowExtendedStyle(hwnd) & WS_EX_APPWINDOW) !== 0;

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
export const isAnyOpened = (): boolean => opened.size > 0;

/** Forgets the windows of a process and returns what was known of them. */
export function giveOpened(process: number): OpenedPart[] {
  const given = [...opened.values()].filter(({ hwnd }) => windowProcess(hwnd) === process);
  for (const { hwnd } of given) opened.delete(hwnd);
  return given;
}

/** Continues what another worker knew. */
export function receiveOpened(parts: readonly OpenedPart[]): void {
  for (const part of parts) opened.set(part.hwnd, part);
}

/**
 * The closed list of messages that only read: here those of all windows, and of each kind of control what its driver
 * names. From WM_USER on a number means something else in each class of window, so it counts only for the kind of control
 * that it belongs to. Opening messages of menus (WM_INITMENU) count as reading:
 * Windows sends them before it looks up an accelerator, and programs enable their entries then.
 */
import * as m from '../../../native-bindings/win32/constants.ts';
import type { ControlKind } from './classes.ts';
import { kindOfWindow } from './window-info.ts';

/** Messages that only read in every window; the drivers add those below WM_USER (`admitAsks`). */
const ANYWHERE = new Set<number>(
  [
    [m.WM_NULL, m.WM_GETTEXT, m.WM_GETTEXTLENGTH, m.WM_GETOBJECT, m.WM_GETDLGCODE, m.WM_NCHITTEST],
    [m.WM_MDIGETACTIVE, m.WM_INITMENU, m.WM_INITMENUPOPUP],
  ].flat(),
);

/** WM_USER, where the messages of classes begin: the first of a dialog's. Source: learn.microsoft.com/windows/win32/winmsg/wm-user */
const OF_CLASSES = m.DM_GETDEFID;

/** Messages of a class. */
const OF_KIND = new Map<ControlKind, Set<number>>([['dialog', new Set([m.DM_GETDEFID])]]);

/** Adds what a driver asks its kinds of control, once at start. Errors: of the program itself, for what is there already. */
export function admitAsks(kinds: readonly ControlKind[], messages: readonly number[]): void {
  for (const message of messages)
    for (const kind of message < OF_CLASSES ? [null] : kinds) {
      const table = kind === null ? ANYWHERE : (OF_KIND.get(kind) ?? new Set());
      if (table.has(message)) throw new RangeError(`0x${message.toString(16)} is in two drivers.`);
      table.add(message);
      if (kind !== null) OF_KIND.set(kind, table);
    }
}

/** A window keeps its class; its handle may go to another window, which takes longer than this (ms). */
const KEPT_MS = 50;
let last = { hwnd: 0, kind: 'other' as ControlKind, at: 0 };

function kindNow(hwnd: number): ControlKind {
  const at = performance.now();
  if (last.hwnd !== hwnd || at - last.at > KEPT_MS) last = { hwnd, kind: kindOfWindow(hwnd), at };
  return last.kind;
}

/** Whether a message to this window only reads. */
export const isReading = (hwnd: number, message: number): boolean =>
  ANYWHERE.has(message) || (OF_KIND.get(kindNow(hwnd))?.has(message) ?? false);

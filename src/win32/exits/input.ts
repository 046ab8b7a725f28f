/** Keys and mouse: real input, messages posted to a window, key events of a console. */
import {
  CTRL_C_EVENT,
  INPUT_KEYBOARD,
  KEYEVENTF_EXTENDEDKEY,
  KEYEVENTF_KEYUP,
  KEYEVENTF_UNICODE,
  WM_CHAR,
} from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { INPUT } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Point, Rect } from '../../contract/element/geometry.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { noteInjected } from '../windows/person.ts';
import { virtualDesktop } from '../windows/place.ts';
import { leave } from './leaving.ts';

/** One keyboard event for SendInput: a virtual key, or one UTF-16 unit. */
export type KeyEvent =
  | { readonly vk: number; readonly scan: number; readonly extended: boolean; readonly up: boolean }
  | { readonly unit: number; readonly up: boolean };

/** One pointer event; `at` in screen pixels. */
export interface MouseEventSpec {
  readonly flags: number;
  readonly at?: Point;
  readonly data?: number;
}

/** Several events in one call, so that nothing can intervene. Errors: unsupported if the system does not accept all. */
function sendInput(memory: Buffer, count: number, what: string): void {
  const sent = user32.SendInput(count, memory, INPUT.size);
  noteInjected();
  if (sent === count) return;
  throw new UiaHostError(
    'unsupported',
    `Windows accepted only ${sent} of ${count} ${what} events; another desktop or a window of higher integrity has the input.`,
    { delivery: sent === 0 ? 'not_delivered' : 'unknown' },
  );
}

/** Real keys. Errors: unsupported if the system accepts none of them. */
export function sendKeyEvents(events: readonly KeyEvent[]): void {
  if (events.length === 0) return;
  leave(events.every(({ up }) => up) ? ['along'] : ['keys', 'text']);
  const memory = Buffer.alloc(INPUT.size * events.length);
  events.forEach((event, index) => {
    const at = index * INPUT.size;
    memory.writeUInt32LE(INPUT_KEYBOARD, at);
    const isUnit = 'unit' in event;
    memory.writeUInt16LE(isUnit ? 0 : event.vk, at + 8);
    memory.writeUInt16LE(isUnit ? event.unit : event.scan, at + 10);
    const flags =
      (isUnit ? KEYEVENTF_UNICODE : event.extended ? KEYEVENTF_EXTENDEDKEY : 0) | (event.up ? KEYEVENTF_KEYUP : 0);
    memory.writeUInt32LE(flags, at + 12);
  });
  sendInput(memory, events.length, 'keyboard');
}

/** Real pointer events. Errors: unsupported if the system accepts none of them. */
export function sendMouseEvents(events: readonly MouseEventSpec[]): void {
  leave(['press', 'point']);
  const desktop = virtualDesktop();
  const memory = Buffer.alloc(INPUT.size * events.length);
  events.forEach(({ flags, at, data = 0 }, index) => {
    const offset = index * INPUT.size;
    const absolute = at === undefined ? { x: 0, y: 0 } : toAbsolute(at, desktop);
    memory.writeInt32LE(absolute.x, offset + 8);
    memory.writeInt32LE(absolute.y, offset + 12);
    memory.writeInt32LE(data | 0, offset + 16);
    memory.writeUInt32LE(flags, offset + 20);
  });
  sendInput(memory, events.length, 'pointer');
}

/**
 * A screen point in SendInput's units, 0…65535 across the virtual desktop, rounded so that Windows' division gives the
 * same pixel. Source: learn.microsoft.com/windows/win32/api/winuser/ns-winuser-mouseinput (remarks)
 */
export function toAbsolute(point: Point, desktop: Rect): Point {
  const scale = (at: number, size: number): number => Math.min(65_535, Math.ceil((at * 65_536) / size));
  return { x: scale(point.x - desktop.x, desktop.width), y: scale(point.y - desktop.y, desktop.height) };
}

/** A key message. False if Windows does not accept it. Source: learn.microsoft.com/windows/win32/inputdev/wm-keydown */
export function postKeyMessage(hwnd: number, message: number, vk: number, lParam: number): boolean {
  leave(['keys', 'text']);
  return user32.PostMessageW(hwnd, message, vk, lParam);
}

/** A text as characters, one for each UTF-16 unit. Whether all of it was posted. Source: learn.microsoft.com/windows/win32/inputdev/wm-char */
export function postCharacters(hwnd: number, units: string): boolean {
  leave(['text', 'keys']);
  for (let index = 0; index < units.length; index++)
    if (!user32.PostMessageW(hwnd, WM_CHAR, units.charCodeAt(index), 1)) return false;
  return true;
}

/** A mouse message; `lParam` has the packed point. False if Windows does not accept it. */
export function postMouseMessage(hwnd: number, message: number, wParam: number, lParam: number): boolean {
  leave(['press', 'point']);
  return user32.PostMessageW(hwnd, message, wParam, lParam);
}

/** Which keys count as pressed in the thread whose queue this one has joined. */
export const setKeyState = (state: Buffer): boolean => {
  leave(['keys', 'text']);
  return user32.SetKeyboardState(state);
};

// Consoles: in the helper's process, which is attached to one.

/** Key events into a console's input; how many were written, null where Windows refused. Source: learn.microsoft.com/windows/console/writeconsoleinput */
export function writeConsoleInput(input: number, records: Buffer, count: number): number | null {
  leave(['keys', 'text', 'console']);
  const written = Buffer.alloc(4);
  return kernel32.WriteConsoleInputW(input, records, count, written) ? written.readUInt32LE(0) : null;
}

/** Ctrl+C as the console's signal. Source: learn.microsoft.com/windows/console/generateconsolectrlevent */
export function sendConsoleInterrupt(processGroup: number): boolean {
  leave(['keys', 'console']);
  return kernel32.GenerateConsoleCtrlEvent(CTRL_C_EVENT, processGroup);
}

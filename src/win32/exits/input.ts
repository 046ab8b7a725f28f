/** Keys and mouse: real input, messages posted to a window, key events of a console. */
import {
  CTRL_C_EVENT,
  INPUT_KEYBOARD,
  KEYEVENTF_EXTENDEDKEY,
  KEYEVENTF_KEYUP,
  KEYEVENTF_UNICODE,
  MOUSEEVENTF_LEFTDOWN,
  MOUSEEVENTF_LEFTUP,
  MOUSEEVENTF_MIDDLEDOWN,
  MOUSEEVENTF_MIDDLEUP,
  MOUSEEVENTF_RIGHTDOWN,
  MOUSEEVENTF_RIGHTUP,
  SM_SWAPBUTTON,
  WM_CHAR,
  WM_KEYUP,
  WM_LBUTTONDBLCLK,
  WM_LBUTTONDOWN,
  WM_LBUTTONUP,
  WM_MBUTTONDBLCLK,
  WM_MBUTTONDOWN,
  WM_MBUTTONUP,
  WM_RBUTTONDBLCLK,
  WM_RBUTTONDOWN,
  WM_RBUTTONUP,
  WM_SYSKEYUP,
} from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { INPUT } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Button } from '../../contract/gate/exit.ts';
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

const BUTTONS = [
  ['left', MOUSEEVENTF_LEFTDOWN],
  ['right', MOUSEEVENTF_RIGHTDOWN],
  ['middle', MOUSEEVENTF_MIDDLEDOWN],
] as const satisfies ReadonlyArray<readonly [Button, number]>;
const UPS = MOUSEEVENTF_LEFTUP | MOUSEEVENTF_RIGHTUP | MOUSEEVENTF_MIDDLEUP;

/** The button that a person's setting makes of a physical one, and the other way round: left and right may be swapped. */
export const asConfigured = (button: Button): Button =>
  button !== 'middle' && user32.GetSystemMetrics(SM_SWAPBUTTON) !== 0 ? (button === 'left' ? 'right' : 'left') : button;

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
  const pressed = events.filter(({ up }) => !up);
  const text = pressed.every((event) => 'unit' in event)
    ? String.fromCharCode(...pressed.map((event) => ('unit' in event ? event.unit : 0)))
    : null;
  // Line breaks and chords are keys, whatever field gets them.
  if (pressed.length === 0) leave(['release']);
  else if (text === null) leave(['keys', 'console']);
  else leave(['keys', 'text', 'console'], { text });
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
  const down = events.flatMap(({ flags }) => BUTTONS.filter(([, flag]) => (flags & flag) !== 0));
  const isRelease = down.length === 0 && events.every(({ flags }) => (flags & UPS) !== 0);
  if (isRelease) leave(['release']);
  else leave(['point'], down[0] === undefined ? {} : { button: asConfigured(down[0][0]) });
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
  leave(message === WM_KEYUP || message === WM_SYSKEYUP ? ['release'] : ['keys', 'console']);
  return user32.PostMessageW(hwnd, message, vk, lParam);
}

/** A text as characters, one for each UTF-16 unit. Whether all of it was posted. Source: learn.microsoft.com/windows/win32/inputdev/wm-char */
export function postCharacters(hwnd: number, units: string): boolean {
  // Control characters are keys, whatever takes them.
  leave(/[\p{Cc}]/u.test(units) ? ['keys', 'console'] : ['text', 'keys', 'console'], { text: units });
  for (let index = 0; index < units.length; index++)
    if (!user32.PostMessageW(hwnd, WM_CHAR, units.charCodeAt(index), 1)) return false;
  return true;
}

const DOWN: ReadonlyMap<number, Button> = new Map([
  [WM_LBUTTONDOWN, 'left'],
  [WM_LBUTTONDBLCLK, 'left'],
  [WM_RBUTTONDOWN, 'right'],
  [WM_RBUTTONDBLCLK, 'right'],
  [WM_MBUTTONDOWN, 'middle'],
  [WM_MBUTTONDBLCLK, 'middle'],
]);
const UP: ReadonlySet<number> = new Set([WM_LBUTTONUP, WM_RBUTTONUP, WM_MBUTTONUP]);

/** A mouse message; `lParam` has the packed point. False if Windows does not accept it. */
export function postMouseMessage(hwnd: number, message: number, wParam: number, lParam: number): boolean {
  const button = DOWN.get(message);
  if (UP.has(message)) leave(['release']);
  // Items of a container are chosen by a click where nothing else does it.
  else if (button === undefined) leave(['point', 'along']);
  else leave(['press', 'point', 'choose'], { button });
  return user32.PostMessageW(hwnd, message, wParam, lParam);
}

/** Which keys count as pressed in the thread whose queue this one has joined. */
export const setKeyState = (state: Buffer): boolean => {
  leave(['keys', 'along']);
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

/** Keys and mouse: real input, messages posted to a window, key events of a console. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { INPUT, INPUT_RECORD, KEY_EVENT_RECORD } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Button } from '../../contract/gate/exit.ts';
import type { Point, Rect } from '../../contract/element/geometry.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { noteInjected } from '../windows/person.ts';
import { virtualDesktop } from '../windows/place.ts';
import { keyThatTypes, layoutOf, type KeyChange, type TypingKey } from '../windows/key-codes.ts';
import { threadOf } from '../windows/window-info.ts';
import { charactersOf, type Stroke } from './fits.ts';
import { inParts, leave } from './leaving.ts';

/** One keyboard event for SendInput: a virtual key, or one UTF-16 unit. */
export type KeyEvent = KeyChange | { readonly unit: number; readonly up: boolean };

/** One pointer event; `at` in screen pixels. */
export interface MouseEventSpec {
  readonly flags: number;
  readonly at?: Point;
  readonly data?: number;
}

const BUTTONS = [
  ['left', m.MOUSEEVENTF_LEFTDOWN],
  ['right', m.MOUSEEVENTF_RIGHTDOWN],
  ['middle', m.MOUSEEVENTF_MIDDLEDOWN],
] as const satisfies ReadonlyArray<readonly [Button, number]>;
const UPS = m.MOUSEEVENTF_LEFTUP | m.MOUSEEVENTF_RIGHTUP | m.MOUSEEVENTF_MIDDLEUP;

/** The button that a person's setting makes of a physical one, and the other way round: left and right may be swapped. */
export const asConfigured = (button: Button): Button =>
  button !== 'middle' && user32.GetSystemMetrics(m.SM_SWAPBUTTON) !== 0
    ? button === 'left'
      ? 'right'
      : 'left'
    : button;

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

/** What goes down: units in a row are the characters that they make. */
function strokesOf(events: readonly KeyEvent[]): Stroke[] {
  const strokes: Stroke[] = [];
  let units = '';
  const flush = (): void => {
    strokes.push(...charactersOf(units));
    units = '';
  };
  for (const event of events) {
    if (event.up) continue;
    if ('unit' in event) units += String.fromCharCode(event.unit);
    else {
      flush();
      strokes.push({ vk: event.vk });
    }
  }
  flush();
  return strokes;
}

/** Real keys. Errors: unsupported if the system accepts none of them. */
export function sendKeyEvents(events: readonly KeyEvent[]): void {
  if (events.length === 0) return;
  const memory = keyInputs(events);
  sendInput(memory, memory.length / INPUT.size, 'keyboard');
}

/** Key events as SendInput takes them, which the permit must allow. */
function keyInputs(events: readonly KeyEvent[]): Buffer {
  const strokes = strokesOf(events);
  const layout = layoutOf(threadOf(user32.GetForegroundWindow()).thread);
  // Line breaks and chords are keys, whatever field gets them.
  if (strokes.length === 0) leave(['release']);
  else
    leave(strokes.every((stroke) => 'character' in stroke) ? ['keys', 'text', 'console'] : ['keys', 'console'], {
      strokes,
      layout,
    });
  const isPlain = events.some((event) => 'unit' in event) && isKeyboardPlain();
  const pressed = events.flatMap((event) =>
    isPlain && 'unit' in event ? byKey(event, keyThatTypes(event.unit, layout)) : [event],
  );
  const memory = Buffer.alloc(INPUT.size * pressed.length);
  pressed.forEach((event, index) => {
    const at = index * INPUT.size;
    memory.writeUInt32LE(m.INPUT_KEYBOARD, at);
    const isUnit = 'unit' in event;
    memory.writeUInt16LE(isUnit ? 0 : event.vk, at + 8);
    memory.writeUInt16LE(isUnit ? event.unit : event.scan, at + 10);
    const flags =
      (isUnit ? m.KEYEVENTF_UNICODE : event.extended ? m.KEYEVENTF_EXTENDEDKEY : 0) |
      (event.up ? m.KEYEVENTF_KEYUP : 0);
    memory.writeUInt32LE(flags, at + 12);
  });
  return memory;
}

const ALTERING = [m.VK_SHIFT, m.VK_CONTROL, m.VK_LMENU, m.VK_RMENU];
/** Asked without a reset: what watches a person asks for those. */
const WINDOWS_KEYS = [m.VK_LWIN, m.VK_RWIN];

/** Whether a key types what its layout says: no modifier is down, and capitals are not locked. */
const isKeyboardPlain = (): boolean =>
  (user32.GetKeyState(m.VK_CAPITAL) & 1) === 0 &&
  ALTERING.every((vk) => user32.GetAsyncKeyState(vk) >= 0) &&
  WINDOWS_KEYS.every((vk) => user32.GetKeyState(vk) >= 0);

const SHIFT = { vk: m.VK_SHIFT, scan: 0x2a, extended: false };

/** A character as its key, which programs that take keys alone get too; Shift goes down before and up after it. */
function byKey(unit: Extract<KeyEvent, { unit: number }>, key: TypingKey | null): readonly KeyEvent[] {
  if (key === null) return [unit];
  const { up } = unit;
  const own = { vk: key.vk, scan: key.scan, extended: false, up };
  if (!key.isShifted) return [own];
  return up ? [own, { ...SHIFT, up }] : [{ ...SHIFT, up }, own];
}

/**
 * Real pointer events; `held` goes down before them in the same call, so that nothing can lift it in between.
 * Errors: unsupported if the system accepts none of them.
 */
export function sendMouseEvents(events: readonly MouseEventSpec[], held: readonly KeyEvent[] = []): void {
  const keys = held.length === 0 ? Buffer.alloc(0) : keyInputs(held);
  const down = events.flatMap(({ flags }) => BUTTONS.filter(([, flag]) => (flags & flag) !== 0));
  const isRelease = down.length === 0 && events.every(({ flags }) => (flags & UPS) !== 0);
  if (isRelease) leave(['release']);
  else leave(['point'], down[0] === undefined ? {} : { button: asConfigured(down[0][0]), presses: down.length });
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
  sendInput(Buffer.concat([keys, memory]), keys.length / INPUT.size + events.length, 'pointer');
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
  if (message === m.WM_KEYUP || message === m.WM_SYSKEYUP) leave(['release']);
  else leave(['keys', 'console'], { strokes: [{ vk }], layout: layoutOf(threadOf(hwnd).thread) });
  return user32.PostMessageW(hwnd, message, vk, lParam);
}

/** A text as characters, one for each UTF-16 unit. Whether all of it was posted. Source: learn.microsoft.com/windows/win32/inputdev/wm-char */
export function postCharacters(hwnd: number, units: string): boolean {
  // Control characters are keys, whatever takes them.
  leave(/[\p{Cc}]/u.test(units) ? ['keys', 'console'] : ['text', 'keys', 'console'], { strokes: charactersOf(units) });
  for (let index = 0; index < units.length; index++)
    if (!user32.PostMessageW(hwnd, m.WM_CHAR, units.charCodeAt(index), 1)) return false;
  return true;
}

/** Longer than any call (ms). */
const NO_LIMIT = 0x7fff_ffff;

/**
 * A message past the queue; resolves once its procedure has returned: a procedure that looks into its queue meanwhile
 * takes the next message first. Never with a time limit: whether a window has a message that came too late is not known.
 * False if the window is gone. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-sendmessagetimeoutw
 */
async function sendWhole(hwnd: number, message: number, wParam: number, lParam: number): Promise<boolean> {
  const out = Buffer.alloc(8);
  return (
    (await user32.SendMessageTimeoutW.async(hwnd, message, wParam, lParam, m.SMTO_ERRORONEXIT, NO_LIMIT, out)) !== 0
  );
}

/** One character, a unit at a time. False if Windows does not accept it, or where it was stopped in between. */
export async function sendCharacter(hwnd: number, cluster: string, isStopped: () => boolean): Promise<boolean> {
  leave(/[\p{Cc}]/u.test(cluster) ? ['keys', 'console'] : ['text', 'keys', 'console'], {
    strokes: charactersOf(cluster),
  });
  for (let index = 0; index < cluster.length; index++)
    if ((index > 0 && isStopped()) || !(await sendWhole(hwnd, m.WM_CHAR, cluster.charCodeAt(index), 1))) return false;
  return true;
}

/** A key without meaning, before characters: not assigned to any. Source: learn.microsoft.com/windows/win32/inputdev/virtual-key-codes */
const NO_KEY = 0xe8;
const RELEASED = 0xc000_0001;

export async function sendNeutralKey(hwnd: number): Promise<boolean> {
  leave(['text', 'keys', 'console'], { strokes: [] });
  return (await sendWhole(hwnd, m.WM_KEYDOWN, NO_KEY, 1)) && sendWhole(hwnd, m.WM_KEYUP, NO_KEY, RELEASED);
}

const DOWN: ReadonlyMap<number, Button> = new Map([
  [m.WM_LBUTTONDOWN, 'left'],
  [m.WM_LBUTTONDBLCLK, 'left'],
  [m.WM_RBUTTONDOWN, 'right'],
  [m.WM_RBUTTONDBLCLK, 'right'],
  [m.WM_MBUTTONDOWN, 'middle'],
  [m.WM_MBUTTONDBLCLK, 'middle'],
]);
/** The second press of two: an item that is chosen gets none. */
const AGAIN: ReadonlySet<number> = new Set([m.WM_LBUTTONDBLCLK, m.WM_RBUTTONDBLCLK, m.WM_MBUTTONDBLCLK]);
const UP: ReadonlySet<number> = new Set([m.WM_LBUTTONUP, m.WM_RBUTTONUP, m.WM_MBUTTONUP]);

const HELD_IN_MESSAGE = [
  [m.MK_CONTROL, 'ctrl'],
  [m.MK_SHIFT, 'shift'],
] as const;

/** A mouse message; `lParam` has the packed point. False if Windows does not accept it. */
export function postMouseMessage(hwnd: number, message: number, wParam: number, lParam: number): boolean {
  const button = DOWN.get(message);
  // The low half is the same in all of them.
  const held = HELD_IN_MESSAGE.filter(([bit]) => (wParam & bit) !== 0).map(([, name]) => name);
  if (UP.has(message)) leave(['release']);
  else if (held.length > 0) leave(['point'], { held, ...(button === undefined ? {} : { button, presses: 1 }) });
  // Items of a container are chosen by a click where nothing else does it.
  else if (button === undefined) leave(['point', 'along']);
  else
    leave(AGAIN.has(message) ? ['press', 'point'] : ['press', 'point', 'choose'], { button, presses: 1, by: 'click' });
  return user32.PostMessageW(hwnd, message, wParam, lParam);
}

/** Which keys count as pressed in the thread whose queue this one has joined. */
export const setKeyState = (state: Buffer): boolean => {
  leave(['keys', 'along']);
  return user32.SetKeyboardState(state);
};

// Consoles: in the helper's process, which is attached to one, and sees one part of a call at a time.

const HELD_IN_CONSOLE: ReadonlyArray<readonly [bits: number, vk: number]> = [
  [m.LEFT_CTRL_PRESSED | m.RIGHT_CTRL_PRESSED, m.VK_CONTROL],
  [m.LEFT_ALT_PRESSED | m.RIGHT_ALT_PRESSED, m.VK_MENU],
  [m.SHIFT_PRESSED, m.VK_SHIFT],
];

/** Keys of a console that have no character of their own, with the modifiers that count as held. */
function consoleStrokes(records: Buffer, count: number): Stroke[] {
  const strokes: Stroke[] = [];
  for (let index = 0; index < count; index += 1) {
    const {
      bKeyDown,
      wVirtualKeyCode: vk,
      uChar,
      dwControlKeyState: state,
    } = KEY_EVENT_RECORD.read(records, index * INPUT_RECORD.size + INPUT_RECORD.at.Event);
    if (!bKeyDown) continue;
    // A modifier that is pressed alone counts as held in its own event.
    const held = HELD_IN_CONSOLE.filter(([bits, key]) => (state & bits) !== 0 && key !== vk).map(([, key]) => ({
      vk: key,
    }));
    if (uChar >= 0x20 && held.every((key) => key.vk === m.VK_SHIFT))
      strokes.push({ character: String.fromCharCode(uChar) });
    else strokes.push(...held, { vk });
  }
  return joined(strokes);
}

/** Halves of a character are written one by one. */
function joined(strokes: readonly Stroke[]): Stroke[] {
  const text = (part: readonly Stroke[]): string =>
    part.map((one) => ('character' in one ? one.character : '')).join('');
  const parts: Stroke[][] = [];
  for (const stroke of strokes) {
    const last = parts.at(-1);
    if ('character' in stroke && last !== undefined && 'character' in last[0]!) last.push(stroke);
    else parts.push([stroke]);
  }
  return parts.flatMap((part) => ('character' in part[0]! ? charactersOf(text(part)) : part));
}

/** Key events into a console's input; how many were written, null where Windows refused. Source: learn.microsoft.com/windows/console/writeconsoleinput */
export function writeConsoleInput(input: number, records: Buffer, count: number): number | null {
  inParts();
  leave(['keys', 'text', 'console'], { strokes: consoleStrokes(records, count), layout: user32.GetKeyboardLayout(0) });
  const written = Buffer.alloc(4);
  return kernel32.WriteConsoleInputW(input, records, count, written) ? written.readUInt32LE(0) : null;
}

/** Ctrl+C as the console's signal. Source: learn.microsoft.com/windows/console/generateconsolectrlevent */
export function sendConsoleInterrupt(processGroup: number): boolean {
  leave(['keys'], { chords: ['ctrl+c', 'ctrl+pause'] });
  return kernel32.GenerateConsoleCtrlEvent(m.CTRL_C_EVENT, processGroup);
}

/** Text and key combinations in the form of a console's input. No Windows in here. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { ConsoleKey, Stroke, KeyName } from './console-protocol.ts';
import { INPUT_RECORD, KEY_EVENT_RECORD } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';

const ALL_HELD =
  m.RIGHT_ALT_PRESSED | m.LEFT_ALT_PRESSED | m.RIGHT_CTRL_PRESSED | m.LEFT_CTRL_PRESSED | m.SHIFT_PRESSED;

/** A letter's key code is its capital; Windows has no name for it. */
const C_KEY = 0x43;

/** A key of a combination in the target's layout. */
export interface PressedKey {
  readonly vk: number;
  readonly scan: number;
  readonly extended: boolean;
  readonly key: { readonly modifier: 'ctrl' | 'alt' | 'shift' | 'win' | null; readonly side: 'left' | 'right' | null };
}

function heldBit({ key: { modifier, side } }: PressedKey): number {
  switch (modifier) {
    case 'ctrl':
      return side === 'right' ? m.RIGHT_CTRL_PRESSED : m.LEFT_CTRL_PRESSED;
    case 'alt':
      return side === 'right' ? m.RIGHT_ALT_PRESSED : m.LEFT_ALT_PRESSED;
    case 'shift':
      return m.SHIFT_PRESSED;
    default:
      return 0;
  }
}

/**
 * Keys of a combination, each with its held modifiers; modifiers count as keys only if no other key is pressed. Null for
 * one with the Windows key, which a console's input cannot represent.
 */
export function consoleKeys(keys: readonly PressedKey[]): ConsoleKey[] | null {
  if (keys.some(({ key }) => key.modifier === 'win')) return null;
  const held = keys.reduce((bits, key) => bits | heldBit(key), 0);
  const rest = keys.filter(({ key }) => key.modifier === null);
  return (rest.length === 0 ? keys : rest).map(({ vk, scan, extended }) => ({
    vk,
    scan,
    state: held | (extended ? m.ENHANCED_KEY : 0),
  }));
}

/** Whether the console turns it into a signal instead of input, in this input mode. */
export function isInterrupt(keys: readonly ConsoleKey[], inputMode: number): boolean {
  const [key] = keys;
  if (keys.length !== 1 || key === undefined || (inputMode & m.ENABLE_PROCESSED_INPUT) === 0) return false;
  const held = key.state & ALL_HELD;
  return key.vk === C_KEY && held !== 0 && (held & ~(m.LEFT_CTRL_PRESSED | m.RIGHT_CTRL_PRESSED)) === 0;
}

/** Strokes that are written before the next check for an abort. */
const CHUNK = 100;

/** A text as strokes: line ends are Enter, tabs are Tab. Errors: invalid_argument for other control characters, which act as commands. */
export function strokesOf(text: string): Stroke[] {
  const strokes: Stroke[] = [];
  const lines = text.replaceAll(/\r\n|\n/g, '\r');
  for (let at = 0; at < lines.length; at += 1) {
    const unit = lines.charCodeAt(at);
    if (unit === 13) strokes.push({ key: 'enter' });
    else if (unit === 9) strokes.push({ key: 'tab' });
    else if (unit < 32 || (unit >= 0x7f && unit < 0xa0)) {
      throw new UiaHostError(
        'invalid_argument',
        `The text contains the control character U+${unit.toString(16).padStart(4, '0').toUpperCase()}, which terminals treat as a command; nothing was typed.`,
      );
    } else strokes.push({ unit });
  }
  return strokes;
}

/** Parts of at most `CHUNK` strokes; surrogate pairs stay whole. */
export function* chunksOf(strokes: readonly Stroke[]): Generator<readonly Stroke[]> {
  for (let from = 0; from < strokes.length;) {
    let to = Math.min(strokes.length, from + CHUNK);
    const last = strokes[to - 1];
    if (to < strokes.length && last !== undefined && 'unit' in last && last.unit >= 0xd800 && last.unit < 0xdc00)
      to += 1;
    yield strokes.slice(from, to);
    from = to;
  }
}

// Key events as console input records.

/** Either Ctrl, either Alt, Shift, as bits of the key state. */
const HELD: ReadonlyArray<readonly [bits: number, vk: number]> = [
  [m.LEFT_CTRL_PRESSED | m.RIGHT_CTRL_PRESSED, m.VK_CONTROL],
  [m.LEFT_ALT_PRESSED | m.RIGHT_ALT_PRESSED, m.VK_MENU],
  [m.SHIFT_PRESSED, m.VK_SHIFT],
];
const KEY_IS_DOWN = 0x80;
/** ToUnicodeEx must not leave a dead key pending. */
const KEEP_KEYBOARD_STATE = 4;

interface KeyData {
  readonly vk: number;
  readonly scan: number;
  readonly unit: number;
  readonly state: number;
}

/** Source: learn.microsoft.com/windows/win32/inputdev/virtual-key-codes, learn.microsoft.com/windows/win32/inputdev/about-keyboard-input#scan-codes */
const KEYS: Readonly<Record<KeyName, KeyData>> = {
  enter: { vk: m.VK_RETURN, scan: 0x1c, unit: 13, state: 0 },
  escape: { vk: m.VK_ESCAPE, scan: 0x01, unit: 27, state: 0 },
  tab: { vk: m.VK_TAB, scan: 0x0f, unit: 9, state: 0 },
  // Without ENHANCED_KEY a program takes arrows for those of the number pad.
  up: { vk: m.VK_UP, scan: 0x48, unit: 0, state: m.ENHANCED_KEY },
  down: { vk: m.VK_DOWN, scan: 0x50, unit: 0, state: m.ENHANCED_KEY },
};

/** The key that types a character, alone or with Shift; none if it needs more, since programs read those states as commands. */
function keyOf(unit: number): KeyData {
  const code = user32.VkKeyScanW(unit);
  const shift = (code >> 8) & 0xff;
  if (code === -1 || shift > 1) return { vk: 0, scan: 0, unit, state: 0 };
  const vk = code & 0xff;
  return { vk, scan: user32.MapVirtualKeyW(vk, m.MAPVK_VK_TO_VSC), unit, state: shift === 1 ? m.SHIFT_PRESSED : 0 };
}

/**
 * INPUT_RECORDs of key events, a press and a release for each stroke.
 * Source: learn.microsoft.com/windows/console/key-event-record-str
 */
export function keyRecords(strokes: readonly Stroke[]): KeyRecords {
  return recordsOf(
    strokes
      .map((stroke) => ('key' in stroke ? KEYS[stroke.key] : keyOf(stroke.unit)))
      .flatMap((key) => [
        { ...key, isDown: true },
        { ...key, isDown: false },
      ]),
  );
}

/** INPUT_RECORDs of keys that are pressed together: down in order, up in reverse order. */
export function chordRecords(keys: readonly ConsoleKey[], layout: number): KeyRecords {
  const downs = keys.map((key) => ({ ...key, unit: unitOf(key, layout), isDown: true }));
  return recordsOf([...downs, ...downs.map((key) => ({ ...key, isDown: false })).reverse()]);
}

export interface KeyRecords {
  readonly records: Buffer;
  readonly count: number;
}

function recordsOf(events: ReadonlyArray<KeyData & { readonly isDown: boolean }>): KeyRecords {
  const records = INPUT_RECORD.alloc({}, Math.max(1, events.length));
  events.forEach(({ vk, scan, unit, state, isDown }, index) => {
    const place = index * INPUT_RECORD.size;
    INPUT_RECORD.write(records, { EventType: m.KEY_EVENT }, place);
    KEY_EVENT_RECORD.write(
      records,
      {
        bKeyDown: isDown,
        wRepeatCount: 1,
        wVirtualKeyCode: vk,
        wVirtualScanCode: scan,
        uChar: unit,
        dwControlKeyState: state,
      },
      place + INPUT_RECORD.at.Event,
    );
  });
  return { records, count: events.length };
}

/** The character that a key types with its held modifiers, a control character for most keys with Ctrl; 0 for none. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-tounicodeex */
function unitOf({ vk, scan, state }: ConsoleKey, layout: number): number {
  const keyState = Buffer.alloc(256);
  for (const [bits, key] of HELD) if ((state & bits) !== 0) keyState[key] = KEY_IS_DOWN;
  const text = Buffer.alloc(16);
  const units = user32.ToUnicodeEx(
    vk,
    scan,
    keyState,
    text,
    8,
    KEEP_KEYBOARD_STATE,
    layout === 0 ? user32.GetKeyboardLayout(0) : layout,
  );
  return units > 0 ? text.readUInt16LE(0) : 0;
}

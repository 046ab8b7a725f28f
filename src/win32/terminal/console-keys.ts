/** Text and key combinations in the form of a console's input. No Windows in here. */
import {
  ENABLE_PROCESSED_INPUT,
  ENHANCED_KEY,
  LEFT_ALT_PRESSED,
  LEFT_CTRL_PRESSED,
  RIGHT_ALT_PRESSED,
  RIGHT_CTRL_PRESSED,
  SHIFT_PRESSED,
} from '../../../native-bindings/win32/constants.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { ConsoleKey, Stroke } from './console-protocol.ts';

const ALL_HELD = RIGHT_ALT_PRESSED | LEFT_ALT_PRESSED | RIGHT_CTRL_PRESSED | LEFT_CTRL_PRESSED | SHIFT_PRESSED;

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
      return side === 'right' ? RIGHT_CTRL_PRESSED : LEFT_CTRL_PRESSED;
    case 'alt':
      return side === 'right' ? RIGHT_ALT_PRESSED : LEFT_ALT_PRESSED;
    case 'shift':
      return SHIFT_PRESSED;
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
    state: held | (extended ? ENHANCED_KEY : 0),
  }));
}

/** Whether the console turns it into a signal instead of input, in this input mode. */
export function isInterrupt(keys: readonly ConsoleKey[], inputMode: number): boolean {
  const [key] = keys;
  if (keys.length !== 1 || key === undefined || (inputMode & ENABLE_PROCESSED_INPUT) === 0) return false;
  const held = key.state & ALL_HELD;
  return key.vk === C_KEY && held !== 0 && (held & ~(LEFT_CTRL_PRESSED | RIGHT_CTRL_PRESSED)) === 0;
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

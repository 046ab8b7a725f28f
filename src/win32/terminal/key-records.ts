import { INPUT_RECORD, KEY_EVENT_RECORD } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { KeyName, Stroke } from './key-strokes.ts';

const KEY_EVENT = 1;
/** Keys of the block between the letters and the number pad: without it a program takes arrows for those of the pad. */
const ENHANCED_KEY = 0x0100;
const SHIFT_PRESSED = 0x0010;
const MAPVK_VK_TO_VSC = 0;

interface KeyData { readonly vk: number; readonly scan: number; readonly unit: number; readonly state: number }

/** Source: learn.microsoft.com/windows/win32/inputdev/virtual-key-codes, learn.microsoft.com/windows/win32/inputdev/about-keyboard-input#scan-codes */
const KEYS: Readonly<Record<KeyName, KeyData>> = {
  enter: { vk: 0x0d, scan: 0x1c, unit: 13, state: 0 },
  escape: { vk: 0x1b, scan: 0x01, unit: 27, state: 0 },
  tab: { vk: 0x09, scan: 0x0f, unit: 9, state: 0 },
  up: { vk: 0x26, scan: 0x48, unit: 0, state: ENHANCED_KEY },
  down: { vk: 0x28, scan: 0x50, unit: 0, state: ENHANCED_KEY },
};

/** The key that types a character by itself or with Shift; none for what needs more, since programs read those states as commands. */
function keyOf(unit: number): KeyData {
  const code = user32.VkKeyScanW(unit);
  const shift = (code >> 8) & 0xff;
  if (code === -1 || shift > 1) return { vk: 0, scan: 0, unit, state: 0 };
  const vk = code & 0xff;
  return { vk, scan: user32.MapVirtualKeyW(vk, MAPVK_VK_TO_VSC), unit, state: shift === 1 ? SHIFT_PRESSED : 0 };
}

/**
 * INPUT_RECORDs of key events, a press and a release for each stroke.
 * Source: learn.microsoft.com/windows/console/key-event-record-str
 */
export function keyRecords(strokes: readonly Stroke[]): { readonly records: Buffer; readonly count: number } {
  const count = strokes.length * 2;
  const records = INPUT_RECORD.alloc({}, Math.max(1, count));
  const at = INPUT_RECORD.at.Event;
  let place = 0;
  for (const stroke of strokes) {
    const { vk, scan, unit, state } = 'key' in stroke ? KEYS[stroke.key] : keyOf(stroke.unit);
    for (const bKeyDown of [true, false]) {
      INPUT_RECORD.write(records, { EventType: KEY_EVENT }, place);
      KEY_EVENT_RECORD.write(records, { bKeyDown, wRepeatCount: 1, wVirtualKeyCode: vk, wVirtualScanCode: scan, uChar: unit, dwControlKeyState: state }, place + at);
      place += INPUT_RECORD.size;
    }
  }
  return { records, count };
}

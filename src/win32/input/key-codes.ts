/** Resolves keys to virtual-key and scan codes in a thread's keyboard layout, and sends them as real input. */
import {
  MAPVK_VK_TO_VSC_EX,
  INPUT_KEYBOARD,
  KEYEVENTF_EXTENDEDKEY,
  KEYEVENTF_KEYUP,
  KEYEVENTF_UNICODE,
} from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Key } from '../../contract/keys/keys.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { INPUT } from '../../../native-bindings/win32/structs.ts';
import { noteInjected } from '../windows/person.ts';

const SHIFT_STATE = 1;
const CTRL_STATE = 2;
const ALT_STATE = 4;

/** A key in the layout of the target thread. */
export interface ResolvedKey {
  readonly key: Key;
  readonly vk: number;
  readonly scan: number;
  readonly extended: boolean;
  /** Modifiers that the layout needs to type the character: `plus` on a German keyboard needs none, on a US one Shift. */
  readonly needs: { readonly shift: boolean; readonly ctrl: boolean; readonly alt: boolean };
}

/**
 * Layout of the thread that will receive the keys. Source:
 * learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getkeyboardlayout
 */
export function layoutOf(thread: number): number {
  return user32.GetKeyboardLayout(thread);
}

/** Resolves a key of the table in a layout: `p` is the key that types p there. Null if no key of that layout does. */
export function resolveKey(key: Key, layout: number): ResolvedKey | null {
  let vk = key.vk;
  let needs = { shift: key.usShift, ctrl: false, alt: false };
  if (key.character !== null && key.character.length === 1) {
    const found = user32.VkKeyScanExW(key.character.charCodeAt(0), layout);
    if (found !== -1) {
      const state = (found >> 8) & 0xff;
      vk = found & 0xff;
      needs = { shift: (state & SHIFT_STATE) !== 0, ctrl: (state & CTRL_STATE) !== 0, alt: (state & ALT_STATE) !== 0 };
    }
  }
  if (vk === null) return null;
  const scan = user32.MapVirtualKeyExW(vk, MAPVK_VK_TO_VSC_EX, layout);
  // The mapping's prefix byte (0xe0) also marks extended keys; the table knows it for keys that share a scan code.
  return { key, vk, scan: scan & 0xff, extended: key.extended || scan >> 8 === 0xe0, needs };
}

/**
 * lParam of a key message: repeat count, scan code, extended, context (Alt), previous state, transition.
 * Source: learn.microsoft.com/windows/win32/inputdev/about-keyboard-input (keystroke message flags)
 */
export function keyLParam(key: ResolvedKey, state: { up: boolean; alt: boolean; wasDown: boolean }): number {
  const bits =
    1 |
    (key.scan << 16) |
    (key.extended ? 1 << 24 : 0) |
    (state.alt ? 1 << 29 : 0) |
    (state.up || state.wasDown ? 1 << 30 : 0);
  return (bits + (state.up ? 2 ** 31 : 0)) >>> 0;
}

/** One keyboard event for SendInput: a virtual key, or one UTF-16 unit. */
export type KeyEvent =
  | { readonly vk: number; readonly scan: number; readonly extended: boolean; readonly up: boolean }
  | { readonly unit: number; readonly up: boolean };

/**
 * Sends keyboard events as real input, in one call so that nothing can intervene.
 * Errors: unsupported if the system accepts none of them (a window of higher integrity, another desktop).
 */
export function sendKeyEvents(events: readonly KeyEvent[]): void {
  if (events.length === 0) return;
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
  const sent = user32.SendInput(events.length, memory, INPUT.size);
  noteInjected();
  if (sent !== events.length) {
    throw new UiaHostError(
      'unsupported',
      `Windows accepted only ${sent} of ${events.length} keyboard events; another desktop or a window of higher integrity has the input.`,
      {
        delivery: sent === 0 ? 'not_delivered' : 'unknown',
      },
    );
  }
}

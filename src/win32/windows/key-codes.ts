/** Resolves keys to virtual-key and scan codes in a thread's keyboard layout, and sends them as real input. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { Chord, Key } from '../../contract/keys/keys.ts';

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
  const scan = user32.MapVirtualKeyExW(vk, m.MAPVK_VK_TO_VSC_EX, layout);
  // The mapping's prefix byte (0xe0) also marks extended keys; the table knows it for keys that share a scan code.
  return { key, vk, scan: scan & 0xff, extended: key.extended || scan >> 8 === 0xe0, needs };
}

/** A key that goes down or up. */
export interface KeyChange extends Pick<ResolvedKey, 'vk' | 'scan' | 'extended'> {
  readonly up: boolean;
}

const KEYBOARD_SHIFT = { vk: m.VK_SHIFT, scan: 0x2a, extended: false };
const KEYBOARD_CTRL = { vk: m.VK_CONTROL, scan: 0x1d, extended: false };
const KEYBOARD_ALT = { vk: m.VK_MENU, scan: 0x38, extended: false };

/** Resolves every key of a chord in a thread's layout. Errors: unsupported for a key that the layout lacks. */
export function resolveAll(chord: Chord, { thread }: { readonly thread: number }): ResolvedKey[] {
  const layout = layoutOf(thread);
  return chord.map((key) => {
    const resolved = resolveKey(key, layout);
    if (resolved === null)
      throw new UiaHostError(
        'unsupported',
        `The keyboard layout of the target has no key for ${quoted(key.name)}; nothing was sent.`,
        { hint: 'Type it as text instead.' },
      );
    return resolved;
  });
}

/** Down (or up) events of a chord, with the modifiers that the layout needs in addition to the given ones. */
export function eventsOf(keys: readonly ResolvedKey[], change: 'down' | 'up', withNeeds: boolean): KeyChange[] {
  const given = new Set(keys.map((key) => key.key.modifier));
  const needs = withNeeds
    ? keys.flatMap((key) => [
        ...(key.needs.shift && !given.has('shift') ? [KEYBOARD_SHIFT] : []),
        ...(key.needs.ctrl && !given.has('ctrl') ? [KEYBOARD_CTRL] : []),
        ...(key.needs.alt && !given.has('alt') ? [KEYBOARD_ALT] : []),
      ])
    : [];
  const all = [...needs, ...keys.map(({ vk, scan, extended }) => ({ vk, scan, extended }))];
  const events = all.map((key) => ({ ...key, up: change === 'up' }));
  return change === 'up' ? events.reverse() : events;
}

/** The key that types a character, alone or with Shift. */
export interface TypingKey {
  readonly vk: number;
  readonly scan: number;
  readonly isShifted: boolean;
}

/** Where a layout has an input method editor, keys compose. Source: learn.microsoft.com/windows/win32/api/imm/nf-imm-immisime */
const IME_LAYOUT = 0xe;
const DEAD = 0x8000_0000;
/** On some layouts these wait for the next key, which only the key itself tells. */
const MAY_BE_DEAD = /[\^~`'"\u00a8\u00b0\u00b4\u00b8\u02c7\u02d8-\u02dd]/u;

/** Null if no key of the layout types the character by itself, without waiting for the next one. */
export function keyThatTypes(unit: number, layout: number): TypingKey | null {
  // A blank as its key would press a button that has the focus.
  if (unit <= 0x20 || MAY_BE_DEAD.test(String.fromCharCode(unit))) return null;
  if (((layout >>> 28) & 0xf) === IME_LAYOUT) return null;
  const found = user32.VkKeyScanExW(unit, layout);
  const [vk, state] = [found & 0xff, (found >> 8) & 0xff];
  if (found === -1 || state > SHIFT_STATE || (user32.MapVirtualKeyExW(vk, m.MAPVK_VK_TO_CHAR, layout) & DEAD) !== 0)
    return null;
  const scan = user32.MapVirtualKeyExW(vk, m.MAPVK_VK_TO_VSC_EX, layout);
  return scan === 0 || scan > 0xff ? null : { vk, scan, isShifted: state === SHIFT_STATE };
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

/** Key combinations as a console’s key events. */
import { describe, expect, it } from 'vitest';
import { parseChord } from '../../../../src/contract/keys/keys.ts';
import { consoleKeys, isInterrupt, type PressedKey } from '../../../../src/win32/terminal/console-keys.ts';

/** Keys of a US keyboard; their scan codes do not matter here. */
const pressed = (text: string): PressedKey[] =>
  parseChord(text).map((key) => ({ key, vk: key.vk ?? 0, scan: 7, extended: key.extended }));
const statesOf = (text: string): Array<[vk: number, state: number]> | undefined =>
  consoleKeys(pressed(text))?.map(({ vk, state }) => [vk, state]);

describe('key combinations in a console', () => {
  it('name the held modifiers with each key, as a keyboard does', () => {
    expect(statesOf('ctrl+c')).toEqual([[0x43, 0x08]]);
    expect(statesOf('rctrl+l')).toEqual([[0x4c, 0x04]]);
    expect(statesOf('shift+tab')).toEqual([[0x09, 0x10]]);
    expect(statesOf('ctrl+shift+left')).toEqual([[0x25, 0x118]]);
    expect(statesOf('ctrl+alt+f5')).toEqual([[0x74, 0x0a]]);
    expect(statesOf('ralt+shift+x')).toEqual([[0x58, 0x11]]);
    // Alone a modifier is the key.
    expect(statesOf('ctrl')).toEqual([[0x11, 0x08]]);
    expect(consoleKeys(pressed('win+r'))).toBeNull();
  });

  it('Ctrl+C is a signal where the program leaves that to the console, and else a key', () => {
    const [processed, raw] = [0x01f7, 0x01f6];
    const isSignal = (text: string, mode: number): boolean => isInterrupt(consoleKeys(pressed(text))!, mode);
    expect(['ctrl+c', 'rctrl+c'].map((text) => isSignal(text, processed))).toEqual([true, true]);
    for (const text of ['c', 'shift+c', 'ctrl+shift+c', 'ctrl+alt+c', 'ctrl+l', 'ctrl'])
      expect(isSignal(text, processed)).toBe(false);
    expect(isSignal('ctrl+c', raw)).toBe(false);
  });
});

/** The table of keys against Windows' virtual-key codes. */
import { describe, expect, test, it } from 'vitest';
import * as constants from '../../../../native-bindings/win32/constants.ts';
import { KEY_TABLE, type Key, parseKeySequence, splitKeySequence } from '../../../../src/contract/keys/keys.ts';

/** Windows' names of the keys, from its reference: learn.microsoft.com/windows/win32/inputdev/virtual-key-codes */
const WINDOWS_NAMES: Readonly<Record<string, keyof typeof constants>> = {
  ctrl: 'VK_CONTROL',
  lctrl: 'VK_LCONTROL',
  rctrl: 'VK_RCONTROL',
  alt: 'VK_MENU',
  lalt: 'VK_LMENU',
  ralt: 'VK_RMENU',
  shift: 'VK_SHIFT',
  lshift: 'VK_LSHIFT',
  rshift: 'VK_RSHIFT',
  win: 'VK_LWIN',
  lwin: 'VK_LWIN',
  rwin: 'VK_RWIN',
  backspace: 'VK_BACK',
  tab: 'VK_TAB',
  enter: 'VK_RETURN',
  pause: 'VK_PAUSE',
  capslock: 'VK_CAPITAL',
  escape: 'VK_ESCAPE',
  space: 'VK_SPACE',
  pageup: 'VK_PRIOR',
  pagedown: 'VK_NEXT',
  end: 'VK_END',
  home: 'VK_HOME',
  left: 'VK_LEFT',
  up: 'VK_UP',
  right: 'VK_RIGHT',
  down: 'VK_DOWN',
  printscreen: 'VK_SNAPSHOT',
  insert: 'VK_INSERT',
  delete: 'VK_DELETE',
  apps: 'VK_APPS',
  numlock: 'VK_NUMLOCK',
  scrolllock: 'VK_SCROLL',
  f1: 'VK_F1',
  f24: 'VK_F24',
  numpad0: 'VK_NUMPAD0',
  numpad9: 'VK_NUMPAD9',
  numpadmultiply: 'VK_MULTIPLY',
  numpadadd: 'VK_ADD',
  numpadseparator: 'VK_SEPARATOR',
  numpadsubtract: 'VK_SUBTRACT',
  numpaddecimal: 'VK_DECIMAL',
  numpaddivide: 'VK_DIVIDE',
  numpadenter: 'VK_RETURN',
  ';': 'VK_OEM_1',
  '=': 'VK_OEM_PLUS',
  ',': 'VK_OEM_COMMA',
  '-': 'VK_OEM_MINUS',
  '.': 'VK_OEM_PERIOD',
  '/': 'VK_OEM_2',
  '`': 'VK_OEM_3',
  '[': 'VK_OEM_4',
  '\\': 'VK_OEM_5',
  ']': 'VK_OEM_6',
  "'": 'VK_OEM_7',
};
/** What Shift makes of a key of the US layout. */
const SHIFTED = new Map(Array.from(')!@#$%^&*(:+<_>?~{|}"', (sign, at) => [sign, "0123456789;=,-./`[\\]'"[at]!]));

const windows: Readonly<Record<string, unknown>> = { ...constants };

/** The code that Windows gives a key. Keys between the first and the last of a row follow in order. */
function windowsCode({ name, character }: Key): number {
  const named = WINDOWS_NAMES[name];
  if (named !== undefined) return windows[named] as number;
  const row = /^(f|numpad)(\d+)$/.exec(name);
  if (row !== null)
    return row[1] === 'f' ? constants.VK_F1 + Number(row[2]) - 1 : constants.VK_NUMPAD0 + Number(row[2]);
  const unshifted = SHIFTED.get(character!) ?? character!;
  // "A" key 0x41 and so on: letters and digits have the codes of their (capital) characters.
  return WINDOWS_NAMES[unshifted] === undefined
    ? unshifted.toUpperCase().charCodeAt(0)
    : (windows[WINDOWS_NAMES[unshifted]] as number);
}

describe('a key of the table', () => {
  test.each([...KEY_TABLE.values()])('$name has the code of Windows', (key) => expect(key.vk).toBe(windowsCode(key)));

  test('and each key that Windows names here is in it', () => {
    expect(Object.keys(WINDOWS_NAMES).filter((name) => !KEY_TABLE.has(name))).toEqual([]);
    expect([KEY_TABLE.get('f24')!.vk, KEY_TABLE.get('numpad9')!.vk]).toEqual([constants.VK_F24, constants.VK_NUMPAD9]);
  });
});

describe('a sequence of keys', () => {
  it.each([
    ['Ctrl + a', ['Ctrl+a']],
    ['Ctrl + Shift + T', ['Ctrl+Shift+T']],
    ['ctrl +a', ['ctrl+a']],
    ['ctrl+ a', ['ctrl+a']],
    ['ctrl + +', ['ctrl++']],
    ['ctrl+a delete', ['ctrl+a', 'delete']],
    ['alt f', ['alt', 'f']],
    ['1 + 2', ['1', '+', '2']],
    [' ', ['space']],
    ['\n', ['enter']],
    ['\t', ['tab']],
  ])('%j is %j', (sequence, chords) => {
    expect(splitKeySequence(sequence)).toEqual(chords);
    expect(parseKeySequence(sequence)).toHaveLength(chords.length);
  });

  it('that ends in the plus sign of a chord is refused, and types none', () => {
    expect(() => parseKeySequence('ctrl +')).toThrow(/ends in \+/);
  });

  it.each([
    ['ctrl a', 'ctrl+a'],
    ['Ctrl Shift T', 'Ctrl+Shift+T'],
    ['ctrl alt delete', 'ctrl+alt+delete'],
    ['delete ctrl a', 'ctrl+a'],
    ['ctrl+shift t', 'ctrl+shift+t'],
    ['shift tab', 'shift+tab'],
    ['home shift end', 'shift+end'],
  ])('%j is refused, with %s', (sequence, meant) => {
    expect(() => splitKeySequence(sequence)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', delivery: 'not_delivered', suggestions: [meant] }),
    );
  });

  it.each(['shift shift', 'ctrl ctrl', 'alt f', 'alt f s', 'win r', 'ctrl', 'a ctrl', 'ctrl+a shift'])(
    '%j is what it says',
    (sequence) => {
      expect(splitKeySequence(sequence)).toEqual(sequence.split(' '));
    },
  );

  it.each(['', '  ', ' \n', '\u00a0'])('%j is refused', (sequence) => {
    expect(() => splitKeySequence(sequence)).toThrow(/empty; nothing was sent/);
  });
});

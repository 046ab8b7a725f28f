/** The table of keys, the grammar of key sequences such as "ctrl+a delete", and chords as programs show them. */
import { badInput, UiaHostError } from '../errors.ts';
import { nearest } from '../json/near.ts';

export type Modifier = 'ctrl' | 'alt' | 'shift' | 'win';

/**
 * One key of the table. Source of the codes: learn.microsoft.com/windows/win32/inputdev/virtual-key-codes
 */
export interface Key {
  /** Canonical name, lower case; a character key is named by its character. */
  readonly name: string;
  /**
   * Virtual-key code. For a character key the US layout's code, used only if the target thread's layout lacks the
   * character; null if the US layout has no such key.
   */
  readonly vk: number | null;
  /** The extended-key bit (lParam bit 24, KEYEVENTF_EXTENDEDKEY). */
  readonly extended: boolean;
  readonly modifier: Modifier | null;
  /** Which one of a pair was requested; null = either. */
  readonly side: 'left' | 'right' | null;
  /** What the key types without modifiers, so that the target's layout decides; null for all other keys. */
  readonly character: string | null;
  /** The US layout types the character with Shift held. */
  readonly usShift: boolean;
}

/** Keys pressed together: modifiers first, in the order ctrl alt shift win. */
export type Chord = readonly Key[];

const plain = (name: string, vk: number, extended = false): Key => ({
  name,
  vk,
  extended,
  modifier: null,
  side: null,
  character: null,
  usShift: false,
});
const modifierKey = (
  name: string,
  vk: number,
  modifier: Modifier,
  side: Key['side'] = null,
  extended = false,
): Key => ({ name, vk, extended, modifier, side, character: null, usShift: false });
const characterKey = (character: string, vk: number | null, usShift = false): Key => ({
  name: character === '+' ? 'plus' : character,
  vk,
  extended: false,
  modifier: null,
  side: null,
  character,
  usShift,
});

const MODIFIER_KEYS: readonly Key[] = [
  modifierKey('ctrl', 0x11, 'ctrl'),
  modifierKey('lctrl', 0xa2, 'ctrl', 'left'),
  modifierKey('rctrl', 0xa3, 'ctrl', 'right', true),
  modifierKey('alt', 0x12, 'alt'),
  modifierKey('lalt', 0xa4, 'alt', 'left'),
  modifierKey('ralt', 0xa5, 'alt', 'right', true),
  modifierKey('shift', 0x10, 'shift'),
  modifierKey('lshift', 0xa0, 'shift', 'left'),
  // The right Shift key has its own scan code (0x36) and no extended bit.
  modifierKey('rshift', 0xa1, 'shift', 'right'),
  modifierKey('win', 0x5b, 'win', null, true),
  modifierKey('lwin', 0x5b, 'win', 'left', true),
  modifierKey('rwin', 0x5c, 'win', 'right', true),
];

const NAMED_KEYS: readonly Key[] = [
  plain('backspace', 0x08),
  plain('tab', 0x09),
  plain('enter', 0x0d),
  plain('pause', 0x13),
  plain('capslock', 0x14),
  plain('escape', 0x1b),
  plain('space', 0x20),
  plain('pageup', 0x21, true),
  plain('pagedown', 0x22, true),
  plain('end', 0x23, true),
  plain('home', 0x24, true),
  plain('left', 0x25, true),
  plain('up', 0x26, true),
  plain('right', 0x27, true),
  plain('down', 0x28, true),
  plain('printscreen', 0x2c, true),
  plain('insert', 0x2d, true),
  plain('delete', 0x2e, true),
  plain('apps', 0x5d, true),
  plain('numlock', 0x90, true),
  plain('scrolllock', 0x91),
  ...Array.from({ length: 24 }, (_, index) => plain(`f${index + 1}`, 0x70 + index)),
  ...Array.from({ length: 10 }, (_, digit) => plain(`numpad${digit}`, 0x60 + digit)),
  plain('numpadmultiply', 0x6a),
  plain('numpadadd', 0x6b),
  plain('numpadseparator', 0x6c),
  plain('numpadsubtract', 0x6d),
  plain('numpaddecimal', 0x6e),
  plain('numpaddivide', 0x6f, true),
  plain('numpadenter', 0x0d, true),
];

const OEM_KEYS: ReadonlyArray<readonly [vk: number, character: string, shifted: string]> = [
  [0xba, ';', ':'],
  [0xbb, '=', '+'],
  [0xbc, ',', '<'],
  [0xbd, '-', '_'],
  [0xbe, '.', '>'],
  [0xbf, '/', '?'],
  [0xc0, '`', '~'],
  [0xdb, '[', '{'],
  [0xdc, '\\', '|'],
  [0xdd, ']', '}'],
  [0xde, "'", '"'],
];

const CHARACTER_KEYS: readonly Key[] = [
  ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => characterKey(letter, letter.toUpperCase().charCodeAt(0))),
  ...Array.from('0123456789', (digit) => characterKey(digit, digit.charCodeAt(0))),
  ...Array.from(')!@#$%^&*(', (sign, digit) => characterKey(sign, 0x30 + digit, true)),
  ...OEM_KEYS.flatMap(([vk, character, shifted]) => [characterKey(character, vk), characterKey(shifted, vk, true)]),
];

/** Every key by its canonical name. */
export const KEY_TABLE: ReadonlyMap<string, Key> = new Map(
  [...MODIFIER_KEYS, ...NAMED_KEYS, ...CHARACTER_KEYS].map((key) => [key.name, key]),
);

/** Other spellings: this project's own, and those of X11, DOM and the large models' computer tools. `_` and `-` inside names do not count. */
const ALIASES: Readonly<Record<string, string>> = {
  control: 'ctrl',
  ctl: 'ctrl',
  option: 'alt',
  opt: 'alt',
  menu: 'alt',
  meta: 'win',
  super: 'win',
  cmd: 'win',
  command: 'win',
  windows: 'win',
  os: 'win',
  return: 'enter',
  ret: 'enter',
  esc: 'escape',
  del: 'delete',
  ins: 'insert',
  back: 'backspace',
  bksp: 'backspace',
  spacebar: 'space',
  pgup: 'pageup',
  prior: 'pageup',
  pgdn: 'pagedown',
  pgdown: 'pagedown',
  next: 'pagedown',
  arrowleft: 'left',
  leftarrow: 'left',
  arrowright: 'right',
  rightarrow: 'right',
  arrowup: 'up',
  uparrow: 'up',
  arrowdown: 'down',
  downarrow: 'down',
  printscrn: 'printscreen',
  prtsc: 'printscreen',
  prtscn: 'printscreen',
  prtscr: 'printscreen',
  print: 'printscreen',
  snapshot: 'printscreen',
  sysrq: 'printscreen',
  break: 'pause',
  caps: 'capslock',
  scroll: 'scrolllock',
  contextmenu: 'apps',
  application: 'apps',
  app: 'apps',
  altgr: 'ralt',
  altgraph: 'ralt',
  isolevel3shift: 'ralt',
  comma: ',',
  period: '.',
  dot: '.',
  minus: '-',
  hyphen: '-',
  equal: '=',
  equals: '=',
  slash: '/',
  backslash: '\\',
  semicolon: ';',
  colon: ':',
  quote: "'",
  apostrophe: "'",
  doublequote: '"',
  quotedbl: '"',
  backquote: '`',
  grave: '`',
  bracketleft: '[',
  bracketright: ']',
  underscore: '_',
  kpenter: 'numpadenter',
  kpadd: 'numpadadd',
  kpsubtract: 'numpadsubtract',
  kpmultiply: 'numpadmultiply',
  kpdivide: 'numpaddivide',
  kpdecimal: 'numpaddecimal',
  kpseparator: 'numpadseparator',
  multiply: 'numpadmultiply',
  add: 'numpadadd',
  subtract: 'numpadsubtract',
  decimal: 'numpaddecimal',
  divide: 'numpaddivide',
  numpaddel: 'numpaddecimal',
  numpaddelete: 'numpaddecimal',
  numpadplus: 'numpadadd',
  numpadminus: 'numpadsubtract',
};

const MODIFIER_SPELLINGS: ReadonlyArray<readonly [string, Modifier]> = [
  ['ctrl', 'ctrl'],
  ['control', 'ctrl'],
  ['alt', 'alt'],
  ['option', 'alt'],
  ['menu', 'alt'],
  ['shift', 'shift'],
  ['win', 'win'],
  ['windows', 'win'],
  ['meta', 'win'],
  ['super', 'win'],
  ['cmd', 'win'],
  ['command', 'win'],
];

const ALL_NAMES: ReadonlyMap<string, Key> = (() => {
  const names = new Map<string, Key>(KEY_TABLE);
  const add = (name: string, canonical: string): void => {
    const key = KEY_TABLE.get(canonical);
    if (key !== undefined && !names.has(name)) names.set(name, key);
  };
  for (const [alias, canonical] of Object.entries(ALIASES)) add(alias, canonical);
  for (const [spelling, modifier] of MODIFIER_SPELLINGS) {
    // lctrl, leftctrl, and X11's and DOM's ctrl_l, ControlLeft.
    for (const [side, forms] of [
      ['l', [`l${spelling}`, `left${spelling}`, `${spelling}l`, `${spelling}left`]],
      ['r', [`r${spelling}`, `right${spelling}`, `${spelling}r`, `${spelling}right`]],
    ] as const) {
      for (const form of forms) add(form, `${side}${modifier}`);
    }
  }
  for (let digit = 0; digit <= 9; digit++)
    for (const prefix of ['kp', 'num', 'digit'])
      add(`${prefix}${digit}`, prefix === 'digit' ? String(digit) : `numpad${digit}`);
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') add(`key${letter}`, letter);
  return names;
})();

const MODIFIER_ORDER: readonly Modifier[] = ['ctrl', 'alt', 'shift', 'win'];
/** Characters that can name a key; control, space, combining and format characters cannot. */
const SINGLE_CHARACTER = /^[\p{L}\p{N}\p{P}\p{S}]$/u;

const MAX_SUGGESTIONS = 5;

/** Names in the table that are similar to an unknown one, best first. */
function closeKeyNames(unknown: string): string[] {
  const near = nearest(unknown, ALL_NAMES.keys(), MAX_SUGGESTIONS).map((name) => ALL_NAMES.get(name)?.name ?? name);
  // `ctrl-a` is common elsewhere; suggest the spelling used here.
  const parts = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+$/u.test(unknown) ? unknown.toLowerCase().split('-') : [];
  const joined = parts.length > 1 && parts.every((part) => findKey(part) !== null) ? [parts.join('+')] : [];
  return [...new Set([...joined, ...near])].slice(0, MAX_SUGGESTIONS);
}

function findKey(text: string): Key | null {
  const lower = text.toLowerCase();
  const known = ALL_NAMES.get(lower);
  if (known !== undefined) return known;
  if ([...lower].length === 1) return SINGLE_CHARACTER.test(lower) ? characterKey(lower, null) : null;
  return ALL_NAMES.get(lower.replace(/[_-]/g, '')) ?? null;
}

/**
 * The key of a name, any case, aliases included.
 * Errors: invalid_argument with `suggestions`.
 */
export function parseKey(text: string): Key {
  const key = findKey(text);
  if (key !== null) return key;
  const suggestions = closeKeyNames(text);
  const shown = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
  throw badInput(`There is no key named ${shown}; nothing was sent.`, {
    suggestions,
    hint:
      suggestions.length > 0
        ? `Did you mean ${suggestions.join(', ')}?`
        : 'Join keys with + and chords with spaces, as in "ctrl+a delete".',
  });
}

/** Splits at joining plus signs; a plus sign where a key is expected is the plus key (`ctrl++`). */
function splitChord(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.startsWith('+') ? 1 : rest.indexOf('+');
    if (end === -1) {
      parts.push(rest);
      return parts;
    }
    parts.push(rest.slice(0, end));
    if (end === rest.length) return parts;
    rest = rest.slice(end);
    if (!rest.startsWith('+') || rest === '+') throw danglingPlus(text);
    rest = rest.slice(1);
  }
  return parts;
}

function danglingPlus(text: string): UiaHostError {
  return badInput(`The chord ${JSON.stringify(text)} ends in +, or has one + too many; nothing was sent.`, {
    hint: 'Write the plus key as "plus" or "ctrl++".',
  });
}

/** Modifiers first in the order ctrl alt shift win, then the other keys as given; repeated keys once. */
function orderChord(keys: readonly Key[]): Chord {
  const rank = (key: Key): number =>
    key.modifier === null ? MODIFIER_ORDER.length : MODIFIER_ORDER.indexOf(key.modifier);
  const unique = [...new Map(keys.map((key) => [key.name, key])).values()];
  return unique
    .map((key, index) => ({ key, index }))
    .sort((a, b) => rank(a.key) - rank(b.key) || a.index - b.index)
    .map(({ key }) => key);
}

/** One chord (`Ctrl+Shift+S`). Errors: invalid_argument with `suggestions`. */
export function parseChord(text: string): Chord {
  const parts = splitChord(text.trim());
  if (parts.length === 0) throw badInput('The key sequence is empty; nothing was sent.');
  return orderChord(parts.map(parseKey));
}

/** Characters that models send for the keys that type them. */
const BLANK_KEYS: Readonly<Record<string, string>> = {
  ' ': 'space',
  '\n': 'enter',
  '\r': 'enter',
  '\r\n': 'enter',
  '\t': 'tab',
};

/** A chord that only holds modifiers, with or without the plus sign that joins it to the next one. */
const isUnfinished = (chord: string): boolean =>
  chord
    .replace(/\+$/, '')
    .split('+')
    .every((part) => (findKey(part)?.modifier ?? null) !== null);

/** Ctrl and Shift mean nothing to the key after them; Alt opens a menu whose letter may follow, Win the start menu. */
const ONLY_HELD = /^(?:ctrl|shift)$/;

/** `ctrl a` would press Ctrl and then type the letter. Shift or Ctrl twice is a shortcut of some programs. */
function assertJoined(chords: readonly string[], next: string): void {
  const pressed = chords.slice(chords.findLastIndex((chord) => !isUnfinished(chord)) + 1);
  const isHeld = pressed.some((chord) => chord.split('+').some((part) => ONLY_HELD.test(findKey(part)?.name ?? '')));
  if (!isHeld || isUnfinished(next)) return;
  const meant = [...pressed, next].join('+');
  throw badInput(
    `${JSON.stringify([...pressed, next].join(' '))} presses these keys one after the other; nothing was sent.`,
    {
      suggestions: [meant],
      hint: `Write ${meant} to press them together. To press them one after the other, send each in a call of its own.`,
    },
  );
}

/**
 * Chords separated by spaces, each as it was written: `ctrl+a delete`. Blanks around the plus sign after a modifier belong to
 * the chord (`Ctrl + A`), and a single blank character is the key that types it. Errors: invalid_argument, also for a
 * Ctrl or Shift that no plus sign joins to the key after it.
 */
export function splitKeySequence(text: string): string[] {
  const blank = BLANK_KEYS[text];
  if (blank !== undefined) return [blank];
  const words = text.split(/\s+/u).filter((part) => part !== '');
  if (words.length === 0) throw badInput('The key sequence is empty; nothing was sent.');
  const chords: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    let chord = words[at]!;
    while (at + 1 < words.length && isUnfinished(chord)) {
      const next = words[at + 1]!;
      if (!chord.endsWith('+') && !next.startsWith('+')) {
        assertJoined([...chords, chord], next);
        break;
      }
      chord += next;
      at += 1;
    }
    chords.push(chord);
  }
  return chords;
}

/** The same, parsed. Errors: invalid_argument with `suggestions`. */
export const parseKeySequence = (text: string): Chord[] => splitKeySequence(text).map(parseChord);

/** Canonical text of a chord; parses to the same chord again. */
export function chordText(chord: Chord): string {
  return chord.map((key) => key.name).join('+');
}

/** Modifiers in one order, so that two spellings of one chord are equal. Errors: invalid_argument. */
export function canonicalChord(text: string): string {
  const chord = parseChord(text);
  const modifiers = [...new Set(chord.flatMap((key) => (key.modifier === null ? [] : [key.modifier])))].toSorted();
  return [...modifiers, chordText(chord.filter((key) => key.modifier === null))].join('+');
}

/** The key table, and combinations that are blocked. */
import { describe, expect, it } from 'vitest';
import { chordText, KEY_TABLE, parseChord, parseKey, parseKeySequence } from '../../../../../src/contract/keys/keys.ts';
import { passGate } from '../../../../../src/policy/gate/gate.ts';
import { findBlockedKeys } from '../../../../../src/policy/risk/keys/blocked-keys.ts';
import { failure, failureOf, subject, testWorld, traits } from '../../world.ts';
import { wordsOf } from '../../../../support/words.ts';

/** The emergency stop: no action of the host may send it, regardless of grants. */
const STOP_HOTKEY = 'ctrl+alt+shift+escape';

describe('the key table', () => {
  it.each([
    ['Ctrl+A Delete', ['ctrl+a', 'delete']],
    ['shift+CTRL+alt+s', ['ctrl+alt+shift+s']],
    ['control+option+x', ['ctrl+alt+x']],
    ['menu+f', ['alt+f']],
    ['meta+r super+r cmd+r command+r windows+r win+r', ['win+r', 'win+r', 'win+r', 'win+r', 'win+r', 'win+r']],
    ['ctrl++', ['ctrl+plus']],
    ['+', ['plus']],
    ['ctrl+plus', ['ctrl+plus']],
    ['Return tab SPACE backspace', ['enter', 'tab', 'space', 'backspace']],
    ['del ins esc', ['delete', 'insert', 'escape']],
    ['PageUp page_down Home END', ['pageup', 'pagedown', 'home', 'end']],
    ['up ArrowDown left right', ['up', 'down', 'left', 'right']],
    ['F1 f24', ['f1', 'f24']],
    ['Control_L+c', ['lctrl+c']],
    ['rightshift+a', ['rshift+a']],
    ['AltGr+q', ['ralt+q']],
    ['numpad0 KP_9 num5 numpadenter', ['numpad0', 'numpad9', 'numpad5', 'numpadenter']],
    [
      'apps capslock numlock scrolllock printscreen pause',
      ['apps', 'capslock', 'numlock', 'scrolllock', 'printscreen', 'pause'],
    ],
    ['ctrl+ctrl+a', ['ctrl+a']],
    ['ctrl+- ctrl+= ctrl+/', ['ctrl+-', 'ctrl+=', 'ctrl+/']],
    ['  ctrl+a \n b ', ['ctrl+a', 'b']],
    ['ctrl+ä', ['ctrl+ä']],
  ])('%s', (text, canonical) => {
    const chords = parseKeySequence(text);
    expect(chords.map(chordText)).toEqual(canonical);
    expect(parseKeySequence(canonical.join(' ')).map(chordText)).toEqual(canonical);
  });

  it.each([
    ['entr', 'enter'],
    ['contrl', 'ctrl'],
    ['pagdown', 'pagedown'],
    ['backspce', 'backspace'],
    ['f25', 'f2'],
    ['ctrl-a', 'ctrl+a'],
    ['escpae', 'escape'],
    ['windws', 'win'],
  ])('[keys.unknown] %s suggests %s', (text, close) => {
    const error = failureOf(() => parseKeySequence(text));
    expect(error.code).toBe('invalid_argument');
    expect(error.suggestions).toContain(close);
  });

  it.each(['', '   ', '++', 'ctrl+', 'ctrl+++', 'qwertyuiop', '\u0007', 'a\u0301'])(
    '[keys.unknown] %j is refused',
    (text) => {
      expect(failureOf(() => parseKeySequence(text)).code).toBe('invalid_argument');
    },
  );

  it('characters are keys of their own, not codes', () => {
    expect(parseKey('p')).toMatchObject({ vk: 0x50, character: 'p' });
    expect(parseKey('.')).toMatchObject({ vk: 0xbe, character: '.' });
    expect(parseKey('?')).toMatchObject({ vk: 0xbf, character: '?', usShift: true });
    expect(parseKey('ß')).toMatchObject({ vk: null, character: 'ß' });
    expect(parseKey('f1')).toMatchObject({ vk: 0x70, character: null });
    expect(parseKey('delete')).toMatchObject({ vk: 0x2e, extended: true, character: null });
  });

  it('codes and extended bits match Windows', () => {
    const row = (name: string): unknown => [KEY_TABLE.get(name)?.vk, KEY_TABLE.get(name)?.extended];
    expect([row('ctrl'), row('rctrl'), row('ralt'), row('rshift'), row('lwin'), row('rwin'), row('apps')]).toEqual([
      [0x11, false],
      [0xa3, true],
      [0xa5, true],
      [0xa1, false],
      [0x5b, true],
      [0x5c, true],
      [0x5d, true],
    ]);
    expect([
      row('enter'),
      row('numpadenter'),
      row('numpaddivide'),
      row('numpad5'),
      row('home'),
      row('numlock'),
      row('f24'),
    ]).toEqual([
      [0x0d, false],
      [0x0d, true],
      [0x6f, true],
      [0x65, false],
      [0x24, true],
      [0x90, true],
      [0x87, false],
    ]);
  });
});

const blocked = (sequence: string, held: string[] = [], typed: string | null = null): string | null =>
  findBlockedKeys(sequence === '' ? [] : parseKeySequence(sequence), held.map(parseKey), typed)?.combination ?? null;

describe('blocked combinations', () => {
  it.each([
    ['ctrl+alt+delete', 'ctrl+alt+delete'],
    ['alt+f4', 'alt+f4'],
    ['alt+tab', 'alt+tab'],
    ['alt+shift+tab', 'alt+shift+tab'],
    ['alt+esc', 'alt+escape'],
    ['alt+space', 'alt+space'],
    ['ctrl+esc', 'ctrl+escape'],
    ['ctrl+shift+esc', 'ctrl+shift+escape'],
    ['win', 'win'],
    ['win+r', 'win'],
    ['win+shift+s', 'win'],
    ['printscreen', 'printscreen'],
    ['alt+printscreen', 'printscreen'],
  ])('[keys.blocked] %s', (sequence, combination) => expect(blocked(sequence)).toBe(combination));

  it.each([
    ...wordsOf`Del+Option+Control MENU+F4 tab+alt ralt+tab LeftAlt+Tab Alt_R+Escape META cmd+space Super_L rwin+d OS Print SysRq PrtScn ctrl+alt+numpad_decimal AltGr+Delete control_l+shift_r+ESC ctrl+shift+alt+f4 alt+a+tab`,
    'a b ctrl+c alt+tab',
  ])('%s, on the canonical form', (sequence) => expect(blocked(sequence)).not.toBeNull());

  it.each([
    ...wordsOf`alt tab esc f4 ctrl+f4 ctrl+tab shift+tab delete ctrl+delete ctrl+space alt+f shift+esc alt+enter ctrl+alt+s apps`,
    'tab tab enter',
    'ctrl+a delete',
  ])('[keys.blocked] %s goes through', (sequence) => expect(blocked(sequence)).toBeNull());

  it('[keys.blocked] across chords that are held: alt, then tab', () => {
    expect(blocked('tab', ['alt'])).toBe('alt+tab');
    expect(blocked('shift+tab', ['lalt'])).toBe('alt+shift+tab');
    expect(blocked('delete', ['ctrl', 'alt'])).toBe('ctrl+alt+delete');
    expect(blocked('alt+delete', ['rctrl'])).toBe('ctrl+alt+delete');
    expect(blocked('alt tab')).toBe('alt+tab');
    expect(blocked('tab', ['ctrl'])).toBeNull();
  });

  it('[keys.blocked] typing while a modifier is held', () => {
    expect(blocked('', ['alt'], 'to\tnext')).toBe('alt+tab');
    expect(blocked('', ['alt'], 'two words')).toBe('alt+space');
    expect(blocked('', ['win'], 'r')).toBe('win');
    expect(blocked('', ['ctrl'], '\u001b')).toBe('ctrl+escape');
    expect(blocked('', ['shift'], 'two words\t')).toBeNull();
    expect(blocked('', [], 'two words\t')).toBeNull();
  });

  it('[keys.stop] the stop hotkey, however it is spelled and split', () => {
    for (const [sequence, held] of [
      [STOP_HOTKEY, []],
      ['Esc+Shift+Option+Control', []],
      ['esc', ['ctrl', 'alt', 'shift']],
      ['rctrl+lalt+rshift+esc', []],
      ['shift+escape', ['ralt']],
      ['ctrl+alt+shift+win+esc', []],
    ] as const) {
      expect(findBlockedKeys(parseKeySequence(sequence), held.map(parseKey))).toMatchObject({
        combination: STOP_HOTKEY,
        always: true,
      });
    }
  });
});

describe('through the gate', () => {
  it.each([
    ['key', traits.keys(['alt+tab'])],
    ['holdKey', traits.keys(['alt+tab'])],
    ['virtualKeyboard', traits.keys(['a', 'win+r'])],
    ['click with modifiers', traits.point({ chords: ['win'] })],
    ['unbound', traits.keys(['ctrl+esc'], { binding: 'optional', isForeground: true })],
  ] as const)('%s is refused without the flag, without asking', async (_route, one) => {
    const world = testWorld({ policy: { level: 'control' } });
    const error = await failure(passGate(subject(one), world));
    expect([error.code, error.delivery]).toEqual(['key_blocked', 'not_delivered']);
    expect(world.cards).toEqual([]);
    world.grants.grantFlag('systemKeyCombos');
    expect((await passGate(subject(one), world)).decision.result).toBe('execute');
  });

  it('held keys count: press alt, then press tab', async () => {
    const world = testWorld();
    await passGate(subject(traits.keys(['alt'])), world);
    world.held = ['alt'];
    expect((await failure(passGate(subject(traits.keys(['tab'])), world))).code).toBe('key_blocked');
    expect((await failure(passGate(subject(traits.typeKeys('a b')), world))).code).toBe('key_blocked');
    world.held = [];
    await passGate(subject(traits.keys(['tab'])), world);
  });

  it('[keys.stop] no flag opens the stop hotkey', async () => {
    const world = testWorld({ policy: { flags: ['systemKeyCombos'] } });
    const error = await failure(passGate(subject(traits.keys(['ctrl+alt+shift+esc'])), world));
    expect([error.code, error.hint]).toEqual(['key_blocked', expect.stringContaining('emergency stop')]);
    await passGate(subject(traits.keys(['alt+tab'])), world);
  });

  it('a chord parses to the same chord again', () => {
    for (const key of KEY_TABLE.values())
      expect(chordText(parseChord(`ctrl+${key.name}`))).toBe(
        key.modifier === 'ctrl' ? (key.name === 'ctrl' ? 'ctrl' : `ctrl+${key.name}`) : `ctrl+${key.name}`,
      );
  });
});

/** Key combinations as programs write them. */
import { expect, it } from 'vitest';
import { canonicalChord, shownChord } from '../../../../src/contract/keys/shown-chord.ts';

it.each([
  ['Ctrl+S', 'ctrl+s'],
  ['CTRL + Shift + P', 'ctrl+shift+p'],
  ['Shift+Ctrl+P', 'ctrl+shift+p'],
  ['Strg+Umschalt+S', 'ctrl+shift+s'],
  ['Maj+F10', 'shift+f10'],
  ['Alt, F', 'alt+f'],
  ['Alt+F', 'alt+f'],
  ['F5', 'f5'],
  ['Entf', 'delete'],
  ['Ctrl++', 'ctrl+plus'],
  ['+', 'plus'],
])('[keys.xaml-chord] %s is %s', (shown, chord) => {
  expect(shownChord(shown)).toBe(canonicalChord(chord));
});

it.each(['', 'Alt, F, S', 'Ctrl', 'any key', 'Ctrl+Nonsense'])('[keys.xaml-chord] %j is none', (shown) => {
  expect(shownChord(shown)).toBeNull();
});

/** Classifies keys and texts by what they do to a line of input: navigate, write, paste, submit. */
import type { Chord } from '../../../contract/keys/keys.ts';

const has = (chord: Chord, ...names: string[]): boolean => chord.some((key) => names.includes(key.name));
const modifiersOf = (chord: Chord): Set<string> => {
  const held = new Set<string>(chord.flatMap((key) => (key.modifier === null ? [] : [key.modifier])));
  // AltGr writes characters.
  if (has(chord, 'ralt')) for (const name of ['ctrl', 'alt']) held.delete(name);
  return held;
};

const MOVING = new Set(['up', 'down', 'left', 'right', 'pageup', 'pagedown', 'home', 'end']);

/** Arrows, page keys, Home and End, with or without Shift: they only navigate. */
export function onlyMoves(chord: Chord): boolean {
  return (
    chord.some((key) => MOVING.has(key.name)) && chord.every((key) => MOVING.has(key.name) || key.modifier === 'shift')
  );
}

/** Letters that submit a line with Ctrl: Ctrl+M and Ctrl+J are the characters of Enter, Ctrl+O is Enter and the next line. */
const ENTER_LETTERS = ['m', 'j', 'o'];

/** Enter in any of its forms. */
export function sendsLine(chord: Chord): boolean {
  const held = modifiersOf(chord);
  if (has(chord, 'enter', 'numpadenter')) return true;
  if (held.has('ctrl') && has(chord, ...ENTER_LETTERS)) return true;
  // Alt with digits of the numeric keypad types the character of that number, and 13 is Enter.
  return held.has('alt') && chord.some((key) => /^numpad\d$/.test(key.name));
}

/** Carriage return, line feed, and characters that programs treat as such. */
export const hasLineEnd = (text: string): boolean => /[\r\n\v\f\u0085\u2028\u2029]/.test(text);

/** Ctrl+V and Shift+Insert: they paste the clipboard into any field. */
export function pastes(chord: Chord): boolean {
  const holds = (modifier: string): boolean => chord.some((key) => key.modifier === modifier);
  return (holds('ctrl') && has(chord, 'v')) || (holds('shift') && has(chord, 'insert'));
}

/**
 * What a terminal may answer with the clipboard or with text that was cut before: also Ctrl+Y, which shells paste the
 * last cut with, and Insert with any modifier, since each terminal has its own.
 */
export function pastesInTerminal(chord: Chord): boolean {
  return pastes(chord) || (modifiersOf(chord).has('ctrl') && has(chord, 'y')) || has(chord, 'insert');
}

/** A single character, blank or tab. */
export function writes(chord: Chord): boolean {
  const held = modifiersOf(chord);
  return (
    !held.has('ctrl') &&
    !held.has('alt') &&
    !held.has('win') &&
    chord.some(
      (key) =>
        key.character !== null || key.name === 'space' || key.name === 'tab' || /^numpad(?:\d|[a-z]+)$/.test(key.name),
    )
  );
}

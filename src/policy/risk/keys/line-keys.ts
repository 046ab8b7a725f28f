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

/**
 * Carriage return, line feed, and characters that programs treat as such. Other control characters are commands of line
 * editors: ^O runs the line, ^V and ^Y paste, an escape begins any combination.
 */
export const hasLineEnd = (text: string): boolean => /[^\P{Cc}\t\b]|[\u2028\u2029]/u.test(text);

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

const LEAVING_KEYS = new Set(['f1', 'f3', 'f5', 'f6', 'f10', 'f11', 'f12', 'enter', 'numpadenter']);
const LEAVING_WITH_CTRL = new Set([...'0123456789abdefghijklmnopqrstuw', 'tab', 'pageup', 'pagedown', 'f4']);
/** With Ctrl alone these edit text. */
const EDITING_WITH_CTRL = new Set('abi');

/** Keys with which a browser shows another page, tab or window, or gives the focus to its own fields. */
export function leavesPage(chord: Chord): boolean {
  const held = modifiersOf(chord);
  const keys = chord.filter(({ modifier }) => modifier === null).map(({ name }) => name);
  if (held.has('alt')) return true;
  if (!held.has('ctrl')) return keys.some((name) => LEAVING_KEYS.has(name));
  return keys.some(
    (name) =>
      LEAVING_KEYS.has(name) || (LEAVING_WITH_CTRL.has(name) && (held.has('shift') || !EDITING_WITH_CTRL.has(name))),
  );
}

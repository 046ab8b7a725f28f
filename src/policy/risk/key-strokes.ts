/** Classifies each key of a sequence and each character of typed text: it may press something, move the focus, or neither. */
import type { Chord, Key } from '../../contract/keys/keys.ts';

export type StrokeKind =
  | 'enter'
  | 'space'
  | 'letter'
  | 'tab'
  | 'delete'
  | 'ctrl-d'
  /** Alt with a character: presses the button it marks, or opens a menu. */
  | 'access'
  /** Alt alone, F10, the menu key: the next keys may go to a menu. */
  | 'menu'
  /** Arrows, Home, End, Page up, Page down. */
  | 'arrow'
  /** Pastes the clipboard into a field. */
  | 'paste'
  /** Edits text in place. */
  | 'edit'
  /** May open something or move the focus, but presses nothing. */
  | 'other';

const ARROWS: ReadonlySet<string> = new Set(['left', 'right', 'up', 'down', 'home', 'end', 'pageup', 'pagedown']);
const LOCKS: ReadonlySet<string> = new Set(['capslock', 'numlock', 'scrolllock', 'pause', 'printscreen']);
/** With Ctrl these act on the text or the selection in programs that follow the platform. */
const EDITING: ReadonlySet<string> = new Set([...'acvxyzbiu', 'backspace', 'insert', 'space']);

/**
 * Each key of each chord, in order.
 * @param held keys that are already down
 */
export function* strokesOf(chords: readonly Chord[], held: Chord): Generator<StrokeKind> {
  for (const chord of chords) {
    const modifiers = new Set([...chord, ...held].map((key) => key.modifier));
    const keys = chord.filter((key) => key.modifier === null);
    for (const key of keys) yield strokeOf(key, modifiers);
    if (keys.length === 0 && modifiers.has('alt') && !modifiers.has('ctrl')) yield 'menu';
  }
}

function strokeOf(key: Key, modifiers: ReadonlySet<string | null>): StrokeKind {
  const { name } = key;
  const isAlt = modifiers.has('alt') && !modifiers.has('ctrl');
  const isCtrl = modifiers.has('ctrl') && !modifiers.has('alt');
  if (name === 'enter' || name === 'numpadenter') return 'enter';
  if (name === 'tab' || name === 'delete') return name;
  if (name === 'apps' || name === 'f10') return 'menu';
  if (LOCKS.has(name)) return 'edit';
  if (ARROWS.has(name)) return isAlt ? 'other' : 'arrow';
  if ((isCtrl && name === 'v') || (modifiers.has('shift') && name === 'insert')) return 'paste';
  if (isCtrl && name === 'd') return 'ctrl-d';
  if (isCtrl) return EDITING.has(name) ? 'edit' : 'other';
  if (name === 'space') return 'space';
  if (key.character !== null || name.startsWith('numpad')) return isAlt ? 'access' : 'letter';
  return name === 'backspace' || name === 'insert' ? 'edit' : 'other';
}

/** The keys that type a text; consecutive characters with the same effect count as one. */
export function* strokesOfText(text: string): Generator<StrokeKind> {
  let before: StrokeKind | null = null;
  for (const character of text) {
    const stroke = strokeOfCharacter(character);
    if (stroke !== before) yield stroke;
    before = stroke === 'letter' || stroke === 'space' ? stroke : null;
  }
}

function strokeOfCharacter(character: string): StrokeKind {
  if (character === '\t') return 'tab';
  if (character === '\r' || character === '\n') return 'enter';
  if (character === ' ') return 'space';
  return character < ' ' || character === '\u007f' ? 'other' : 'letter';
}

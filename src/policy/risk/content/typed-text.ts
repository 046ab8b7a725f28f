/** What one call types, as it arrives: text and keys alike, repetitions included. */
import type { AppIdentity, BindingRecord } from '../../../contract/element/binding.ts';
import type { ElementContext } from '../../../contract/element/element.ts';
import type { Exit } from '../../../contract/gate/exit.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import { parseChord, type Chord } from '../../../contract/keys/keys.ts';
import type { ActionTraits } from '../../../contract/gate/traits.ts';
import type { KeyboardState } from './keyboard.ts';

/** What one call sends, and what it meets there. */
export interface Sent {
  readonly traits: ActionTraits;
  readonly exits: readonly Exit[];
  readonly app: AppIdentity | null;
  readonly binding: BindingRecord | null;
  readonly context: ElementContext | null;
  /** What is on the clipboard, where the call pastes it. */
  readonly clipboard?: string;
  /** What earlier calls left on the keyboard. */
  readonly keyboard?: KeyboardState;
  /** A button was pressed there a moment before: two clicks are a double click. */
  readonly hasJustPressed?: boolean;
}

/** Every pattern is shorter than this, so more repetitions cannot change the findings. */
const LONGEST_SOUGHT = 256;

/** The character that a chord types; a blank for keys that move to the next field, empty for all others. */
function characterOf(chord: Chord): string {
  if (chord.some((key) => key.modifier !== null && key.modifier !== 'shift')) return '';
  const isShifted = chord.some((key) => key.modifier === 'shift');
  const key = chord.find((one) => one.modifier === null);
  if (key === undefined) return '';
  if (key.name === 'space' || key.name === 'tab') return ' ';
  if (key.name === 'enter' || key.name === 'numpadenter') return '\n';
  if (key.character !== null) return isShifted ? key.character.toUpperCase() : key.character;
  const digit = /^numpad(\d)$/.exec(key.name)?.[1];
  return digit ?? '';
}

/** Whether an exit brings characters to where they are typed. */
export const isTypedIn = ({ kind }: Exit): boolean => kind === 'text' || kind === 'keys';

/** What keys spell; empty if the text is not keys. */
function spelledBy(chords: readonly string[]): string {
  try {
    return chords.map((chord) => characterOf(parseChord(chord))).join('');
  } catch (error) {
    if (error instanceof UiaHostError) return '';
    throw error;
  }
}

/** All that is typed or written, repeated as often as it can matter; null if there is nothing. */
export function typedText({
  content,
  chords,
  repeat,
}: Pick<ActionTraits, 'content' | 'chords' | 'repeat'>): string | null {
  const once = content ?? spelledBy(chords);
  if (once === '') return content;
  return once.repeat(Math.min(repeat, Math.ceil(LONGEST_SOUGHT / once.length) + 1));
}

/**
 * The text, then the whole that it makes with what its field holds now: typed on, or before it. `finds` is asked of each; what
 * the field shows already does not count.
 */
export function foundIn<T>(
  text: string,
  { traits, held = '' }: { readonly traits: ActionTraits; readonly held?: string | undefined },
  finds: (text: string) => readonly T[],
): readonly T[] {
  if (held === '' || traits.replacesText) return finds(text);
  const known = new Set(finds(held).map((one) => JSON.stringify(one)));
  return [
    ...finds(text),
    ...[held + text, text + held].flatMap((whole) => finds(whole).filter((one) => !known.has(JSON.stringify(one)))),
  ];
}

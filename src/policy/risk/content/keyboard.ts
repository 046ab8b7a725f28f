/**
 * What earlier calls left on a session’s keyboard: a modifier that stays down or is latched, a menu that may be open, the first
 * key of a combination. Every sequence of keys is judged from there, text included.
 */
import type { Exit } from '../../../contract/gate/exit.ts';
import type { ElementContext } from '../../../contract/element/element.ts';
import { TEXT_FIELDS } from '../../../contract/element/control-types.ts';
import { parseChord, type Chord } from '../../../contract/keys/keys.ts';
import type { AppKind } from '../words/app-kind.ts';

export interface KeyboardState {
  /** Keys that are down or, after being pressed alone, may be latched (Sticky Keys). */
  readonly held: Chord;
  /**
   * `menu`: a lone Alt, F10 or the menu key may have opened a menu, which Windows need not report. `prefix`: the next key completes a
   * combination.
   */
  readonly mode: 'none' | 'menu' | 'prefix';
}

export const idle = (): KeyboardState => ({ held: [], mode: 'none' });

/** What is kept between calls. `chosen`: keys went to the menu since, which may have closed it. */
export interface KeyboardKept {
  readonly window: string;
  readonly latched: readonly string[];
  readonly mode: KeyboardState['mode'] | 'chosen';
}

export const nothingKept = (): KeyboardKept => ({ window: '', latched: [], mode: 'none' });

const isAlone = (chord: Chord): boolean => chord.every(({ modifier }) => modifier !== null);
const names = (chord: Chord, ...wanted: string[]): boolean => chord.some(({ name }) => wanted.includes(name));
const opensMenu = (chord: Chord): boolean =>
  names(chord, 'f10', 'apps') ||
  (isAlone(chord) && chord.some(({ modifier }) => modifier === 'alt') && chord.length === 1);

/** First keys of combinations, by kind of program: Visual Studio Code and Visual Studio, Emacs; tmux and screen. */
const PREFIXES: Partial<Record<AppKind, readonly string[]>> = { ide: ['k', 'x', 'r'], terminal: ['a', 'b'] };
const isPrefix = (chord: Chord, kind: AppKind): boolean =>
  chord.some(({ modifier }) => modifier === 'ctrl') && names(chord, ...(PREFIXES[kind] ?? []));

function afterChord(mode: KeyboardKept['mode'], chord: Chord, kind: AppKind): KeyboardKept['mode'] {
  if (opensMenu(chord)) return 'menu';
  if (names(chord, 'escape')) return 'none';
  if (isPrefix(chord, kind)) return 'prefix';
  if (isAlone(chord)) return mode;
  return mode === 'menu' || mode === 'chosen' ? 'chosen' : 'none';
}

/** What these exits leave behind. A press closes menus. */
export function keptAfter(kept: KeyboardKept, exits: readonly Exit[], window: string, kind: AppKind): KeyboardKept {
  let mode = kept.window === window ? kept.mode : 'none';
  let { latched } = kept;
  for (const exit of exits) {
    if (exit.kind === 'press' || (exit.kind === 'point' && exit.does === 'press')) [mode, latched] = ['none', []];
    if (exit.kind !== 'keys') continue;
    const chords = exit.chords.map(parseChord);
    for (const chord of chords) mode = afterChord(mode, chord, kind);
    if (exit.text !== '') mode = mode === 'menu' || mode === 'chosen' ? 'chosen' : 'none';
    const last = chords.at(-1);
    latched = last !== undefined && exit.text === '' && isAlone(last) ? last.map(({ name }) => name) : [];
  }
  return { window, latched, mode };
}

/** The state before the next call. Once keys went to a menu, a text field with the focus shows that it is closed. */
export function keyboardOf(
  kept: KeyboardKept,
  window: string,
  held: Chord,
  context: ElementContext | null,
): KeyboardState {
  const latched = kept.latched.flatMap((name) => [...parseChord(name)]);
  const all = [...new Map([...held, ...latched].map((key) => [key.name, key])).values()];
  if (kept.window !== window) return { held: all, mode: 'none' };
  const isInField = context?.menu !== 'open' && TEXT_FIELDS.has(context?.element?.controlType ?? 'Pane');
  return { held: all, mode: kept.mode === 'chosen' ? (isInField ? 'none' : 'menu') : kept.mode };
}

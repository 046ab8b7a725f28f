/**
 * What earlier calls left on the keyboard: a modifier that stays down or is latched, a menu that may be open, the first
 * key of a combination. Every sequence of keys is judged from there, text included.
 */
import type { Exit } from '../../../contract/gate/exit.ts';
import type { ElementContext } from '../../../contract/element/element.ts';
import { TEXT_FIELDS } from '../../../contract/element/control-types.ts';
import { parseChord, type Chord } from '../../../contract/keys/keys.ts';
import type { AppKind } from '../words/app-kind.ts';

export interface KeyboardState {
  /** Keys that are down. */
  readonly held: Chord;
  /** Modifiers that may be latched, since they were pressed alone (Sticky Keys): without it they count for nothing. */
  readonly latched?: Chord;
  /**
   * `menu`: a lone Alt, F10 or the menu key may have opened a menu, which Windows need not report. `prefix`: the next key completes a
   * combination.
   */
  readonly mode: 'none' | 'menu' | 'prefix';
}

export const idle = (): KeyboardState => ({ held: [], mode: 'none' });

/** `chosen`: keys went to the menu since, which may have closed it. */
type Mode = KeyboardState['mode'] | 'chosen';

/**
 * What is kept between the calls of all sessions, since they use one keyboard. With the permit it can only grow, so that a
 * delivery whose end is unknown counts too; what a call ends, such as a menu by Escape, is over once it was delivered.
 */
export interface KeyboardKept {
  readonly latched: readonly string[];
  /** By window; a window that is absent has none. */
  readonly modes: ReadonlyMap<string, Mode>;
}

export const nothingKept = (): KeyboardKept => ({ latched: [], modes: new Map() });
/** Windows that are gone leave their mode here: the oldest is forgotten. */
const MOST_WINDOWS = 256;

const isAlone = (chord: Chord): boolean => chord.every(({ modifier }) => modifier !== null);
const names = (chord: Chord, ...wanted: string[]): boolean => chord.some(({ name }) => wanted.includes(name));
const opensMenu = (chord: Chord): boolean =>
  names(chord, 'f10', 'apps') ||
  (isAlone(chord) && chord.some(({ modifier }) => modifier === 'alt') && chord.length === 1);

/** First keys of combinations, by kind of program: Visual Studio Code and Visual Studio, Emacs; tmux and screen. */
const PREFIXES: Partial<Record<AppKind, readonly string[]>> = { ide: ['k', 'x', 'r'], terminal: ['a', 'b'] };
const isPrefix = (chord: Chord, kind: AppKind): boolean =>
  chord.some(({ modifier }) => modifier === 'ctrl') && names(chord, ...(PREFIXES[kind] ?? []));

function afterChord(mode: Mode, chord: Chord, kind: AppKind): Mode {
  if (opensMenu(chord)) return 'menu';
  if (names(chord, 'escape')) return 'none';
  if (isPrefix(chord, kind)) return 'prefix';
  if (isAlone(chord)) return mode;
  return mode === 'menu' || mode === 'chosen' ? 'chosen' : 'none';
}

/** A click with the real pointer closes menus; a pattern, or a message to another part, need not. */
const closesMenus = (exits: readonly Exit[]): boolean =>
  isReal(exits) && exits.some((exit) => exit.kind === 'point' && exit.does === 'press');

const isReal = (exits: readonly Exit[]): boolean =>
  exits.some((exit) => exit.kind === 'window' && exit.operation === 'focus');

/** What these exits leave behind. */
export function keptAfter(kept: KeyboardKept, exits: readonly Exit[], window: string, kind: AppKind): KeyboardKept {
  const isEnded = closesMenus(exits);
  let mode = isEnded ? 'none' : (kept.modes.get(window) ?? 'none');
  let latched = isEnded ? [] : kept.latched;
  for (const exit of exits) {
    // Real modifiers around a wheel or a move were pressed alone: no button and no key came in between.
    if (exit.kind === 'point' && isReal(exits) && (exit.does === 'wheel' || exit.does === 'move'))
      latched = exit.held.flatMap((chord) => parseChord(chord).map(({ name }) => name));
    if (exit.kind !== 'keys') continue;
    const chords = exit.chords.map(parseChord);
    for (const chord of chords) mode = afterChord(mode, chord, kind);
    if (exit.text !== '') mode = mode === 'menu' || mode === 'chosen' ? 'chosen' : 'none';
    const last = chords.at(-1);
    latched = last !== undefined && exit.text === '' && isAlone(last) ? last.map(({ name }) => name) : [];
  }
  const modes = new Map(kept.modes);
  modes.delete(window);
  if (mode !== 'none') modes.set(window, mode);
  if (modes.size > MOST_WINDOWS) modes.delete(modes.keys().next().value!);
  return { latched, modes };
}

const BY_WEIGHT: readonly Mode[] = ['none', 'chosen', 'prefix', 'menu'];

/** What counts while it is not known which of the two holds. */
export function eitherOf(one: KeyboardKept, other: KeyboardKept): KeyboardKept {
  const modes = new Map(one.modes);
  for (const [window, mode] of other.modes)
    if (BY_WEIGHT.indexOf(mode) > BY_WEIGHT.indexOf(modes.get(window) ?? 'none')) modes.set(window, mode);
  return { latched: [...new Set([...one.latched, ...other.latched])], modes };
}

/** Which keys may be down as a call begins: each is judged, since it is not known which holds. */
export function heldPossibly({ held, latched = [] }: KeyboardState): readonly Chord[] {
  const all = [...new Map([...held, ...latched].map((key) => [key.name, key])).values()];
  return all.length === held.length ? [held] : [held, all];
}

/** The state before the next call. Once keys went to a menu, a text field with the focus shows that it is closed. */
export function keyboardOf(
  kept: KeyboardKept,
  window: string,
  held: Chord,
  context: ElementContext | null,
): KeyboardState {
  const latched = kept.latched.flatMap((name) => [...parseChord(name)]);
  const mode = kept.modes.get(window) ?? 'none';
  const isInField = context?.menu !== 'open' && TEXT_FIELDS.has(context?.element?.controlType ?? 'Pane');
  return { held, latched, mode: mode === 'chosen' ? (isInField ? 'none' : 'menu') : mode };
}

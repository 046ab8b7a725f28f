/** Key combinations that are blocked or need the flag systemKeyCombos. */
import { KEY_TABLE, chordText, type Chord, type Key, type Modifier } from '../../../contract/keys/keys.ts';

interface BlockedCombination {
  readonly text: string;
  readonly modifiers: readonly Modifier[];
  /** Null: the modifiers alone are enough. */
  readonly key: string | null;
  readonly always: boolean;
}

const blocked = (modifiers: readonly Modifier[], key: string | null, always = false): BlockedCombination => ({
  text: [...modifiers, ...(key === null ? [] : [key])].join('+'),
  modifiers,
  key,
  always,
});

/** In the order they are reported; additional keys held down change nothing. */
const BLOCKED: readonly BlockedCombination[] = [
  blocked(['ctrl', 'alt', 'shift'], 'escape', true),
  blocked(['ctrl', 'alt'], 'delete'),
  blocked(['ctrl', 'shift'], 'escape'),
  blocked(['alt', 'shift'], 'tab'),
  blocked(['alt'], 'f4'),
  blocked(['alt'], 'tab'),
  blocked(['alt'], 'escape'),
  blocked(['alt'], 'space'),
  blocked(['ctrl'], 'escape'),
  blocked(['win'], null),
  blocked([], 'printscreen'),
];

export interface BlockedKeys {
  /** The listed combination that the keys contain. */
  readonly combination: string;
  /** The requested keys in canonical form, held keys included. */
  readonly pressed: string;
  /** True if no flag permits it. */
  readonly always: boolean;
}

/** AltGr counts as Ctrl+Alt: on most layouts with an AltGr key Windows adds the Ctrl itself. */
function modifiersOf(keys: readonly Key[]): Set<Modifier> {
  const held = new Set<Modifier>();
  for (const key of keys) {
    if (key.modifier !== null) held.add(key.modifier);
    if (key.name === 'ralt') held.add('ctrl');
  }
  return held;
}

/** The numeric keypad's Del is Delete while NumLock is off. */
const sameKey = (key: Key, name: string): boolean =>
  key.name === name || (name === 'delete' && key.name === 'numpaddecimal');

function matchBlocked(keys: readonly Key[]): BlockedCombination | null {
  const modifiers = modifiersOf(keys);
  return (
    BLOCKED.find(
      (row) =>
        row.modifiers.every((modifier) => modifiers.has(modifier)) &&
        (row.key === null || keys.some((key) => sameKey(key, row.key ?? ''))),
    ) ?? null
  );
}

const union = (...groups: ReadonlyArray<readonly Key[]>): Key[] => [
  ...new Map(groups.flat().map((key) => [key.name, key])).values(),
];

/** Characters that typing delivers as separate keys, so that a held modifier turns them into a combination. */
const TYPED_KEYS: ReadonlyArray<readonly [character: string, key: string]> = [
  ['\t', 'tab'],
  [' ', 'space'],
  ['\u001b', 'escape'],
  ['\u007f', 'delete'],
  ['\r', 'enter'],
  ['\n', 'enter'],
];

/**
 * The first blocked combination that these keys make, each chord together with the keys already held.
 * Single-key chords are also checked together: press and hold send them without releasing in between.
 * `typed`: text sent through the keyboard while keys are held.
 */
export function findBlockedKeys(
  chords: readonly Chord[],
  held: readonly Key[] = [],
  typed: string | null = null,
): BlockedKeys | null {
  const together = chords.length > 1 && chords.every((chord) => chord.length === 1) ? [chords.flat()] : [];
  const fromText =
    held.length > 0 && typed !== null && typed !== ''
      ? [
          [],
          ...TYPED_KEYS.filter(([character]) => typed.includes(character)).map(([, name]) =>
            [KEY_TABLE.get(name)].filter((key) => key !== undefined),
          ),
        ]
      : [];
  for (const chord of [...chords, ...together, ...fromText]) {
    const keys = union(held, chord);
    const row = matchBlocked(keys);
    if (row !== null) return { combination: row.text, pressed: chordText(keys), always: row.always };
  }
  return null;
}

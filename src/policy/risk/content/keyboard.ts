/**
 * What outlives a call: keys that are held, a menu that may be open, and a press that the next one makes a double click; and
 * which agents were given text to read. What was typed is not kept: text is judged as it is sent, with what its field holds.
 */
import { performance } from 'node:perf_hooks';
import type { Exit } from '../../../contract/gate/exit.ts';
import { windowKey, type BindingRecord } from '../../../contract/element/binding.ts';
import type { ElementContext } from '../../../contract/element/element.ts';
import { TEXT_FIELDS } from '../../../contract/element/control-types.ts';
import { parseChord, type Chord } from '../../../contract/keys/keys.ts';

export interface KeyboardState {
  /** Keys that are down. */
  readonly held: Chord;
  /** A lone Alt, F10 or the menu key may have opened a menu, which Windows need not report. */
  readonly mayBeInMenu: boolean;
}

export const idle = (): KeyboardState => ({ held: [], mayBeInMenu: false });

/** Windows lets a person choose up to 900 ms; a call takes time from its judgement to its end. */
const DOUBLE_CLICK_MS = 3000;
/** Windows that are gone leave their menu here: the oldest is forgotten. */
const MOST_WINDOWS = 256;

const names = (chord: Chord, ...wanted: string[]): boolean => chord.some(({ name }) => wanted.includes(name));
const isAlone = (chord: Chord): boolean => chord.every(({ modifier }) => modifier !== null);
const opensMenu = (chord: Chord): boolean =>
  names(chord, 'f10', 'apps') || (chord.length === 1 && chord.some(({ modifier }) => modifier === 'alt'));

/** A click with the real pointer closes menus; a pattern, or a message to another part, need not. */
const clicksReally = (exits: readonly Exit[]): boolean =>
  exits.some((exit) => exit.kind === 'window' && exit.operation === 'focus') &&
  exits.some((exit) => exit.kind === 'point' && exit.does === 'press');

/** Agents that were given text of a document, mail, page, title or console, by their tokens. */
export interface Readers {
  has(agent: string): boolean;
  add(agent: string): unknown;
}

interface Kept {
  /** Windows in which a menu may be open. */
  readonly menus: Set<string>;
  /** When a mouse button was pressed a moment ago, by what it pressed. */
  readonly pressed: Map<string, number>;
  readonly readers: Readers;
}

/** One keyboard and one pointer for all sessions, whose names an agent chooses. */
export class LeftBehind {
  readonly #now: () => number;
  readonly #kept: Kept;
  readonly #agent: string;

  constructor(
    now: () => number = () => performance.now(),
    readers: Readers = new Set(),
    kept: Kept = { menus: new Set(), pressed: new Map(), readers },
    agent = '',
  ) {
    this.#now = now;
    this.#kept = kept;
    this.#agent = agent;
  }

  /** What one agent sees of the same desktop. */
  of(agent: string): LeftBehind {
    return new LeftBehind(this.#now, this.#kept.readers, this.#kept, agent);
  }

  /** Whether the agent was given text of a document, mail, page or console. */
  get hasRead(): boolean {
    return this.#kept.readers.has(this.#agent);
  }

  noteRead(): void {
    this.#kept.readers.add(this.#agent);
  }

  mayBeInMenu(window: string): boolean {
    return this.#kept.menus.has(window);
  }

  /** A menu that keys are about to open counts from now on. Returns what says that they were delivered: only then one is closed. */
  noteKeys(window: string, exits: readonly Exit[], context: ElementContext | null): () => void {
    const { menus } = this.#kept;
    const keys = exits.filter((exit) => exit.kind === 'keys');
    const chords = keys.flatMap((exit) => exit.chords.map(parseChord));
    if (menus.size > MOST_WINDOWS) menus.delete(menus.values().next().value!);
    if (chords.some(opensMenu)) {
      menus.add(window);
      return () => {};
    }
    // Once keys went to it, a text field with the focus shows that it is closed.
    const isInField = context?.menu !== 'open' && TEXT_FIELDS.has(context?.element?.controlType ?? 'Pane');
    const isUsed = keys.some(({ text }) => text !== '') || chords.some((chord) => !isAlone(chord));
    const isClosed = clicksReally(exits) || chords.some((chord) => names(chord, 'escape')) || (isInField && isUsed);
    return () => void (isClosed && menus.delete(window));
  }

  /** Whether a press there now may make a double click of an earlier one. */
  hasJustPressed(place: string): boolean {
    return this.#now() - (this.#kept.pressed.get(place) ?? Number.NEGATIVE_INFINITY) < DOUBLE_CLICK_MS;
  }

  notePress(place: string): void {
    const { pressed } = this.#kept;
    for (const [each, at] of pressed) if (this.#now() - at >= DOUBLE_CLICK_MS) pressed.delete(each);
    pressed.set(place, this.#now());
  }
}

/** The window that keys go to. */
export const keyOf = (binding: BindingRecord | null): string => (binding === null ? 'front' : windowKey(binding));

/** What a mouse button presses. */
export const pressedAt = (binding: BindingRecord | null, context: ElementContext | null): string =>
  `${keyOf(binding)} ${context?.element?.identity ?? ''}`;

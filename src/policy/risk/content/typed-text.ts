/** What an action types, as it arrives: text and keys alike, repetitions included, after what was typed into the same field before. */
import { performance } from 'node:perf_hooks';
import { windowKey, type BindingRecord } from '../../../contract/element/binding.ts';
import type { ElementContext } from '../../../contract/element/element.ts';
import type { Exit } from '../../../contract/gate/exit.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import { beginsFormula } from '../../../contract/cells/formula.ts';
import { parseChord, type Chord } from '../../../contract/keys/keys.ts';
import type { ActionTraits } from '../../../contract/gate/traits.ts';
import type { AppKind } from '../words/app-kind.ts';
import { eitherOf, nothingKept, type KeyboardKept } from './keyboard.ts';

/** Every pattern is shorter than this, so more repetitions or more earlier text cannot change the findings. */
const LONGEST_SOUGHT = 256;
/** The parts of one entry are seconds apart. */
const KEPT_MS = 600_000;
/** Windows lets a person choose up to 900 ms; a call takes time from its judgement to its end. */
const DOUBLE_CLICK_MS = 3000;
/** Few fields are filled at the same time, in all programs. */
const MOST_FIELDS = 256;
/** Calls in a row whose end is unknown. */
const MOST_ALTERNATIVES = 16;

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

/** The beginning alone: the rest is what is there already. */
const ONLY_BEGINS = /^[\s\p{C}\p{Z}]*[=+@-]+[\s\p{C}\p{Z}]*$/u;

/**
 * How far the text of an entry is known: `moved`, keys went elsewhere in it, or deleted a part; `editing`, it has what was in the
 * cell before.
 */
export type Entry = 'whole' | 'moved' | 'editing';

interface EntryWalk {
  readonly entry: Entry;
  /** A formula of which it is not known what it says was continued or finished. */
  readonly isUnknown: boolean;
}

/** Follows keys and text through the entry of a cell. `before`: what may have been typed into it. */
export function walkEntry(exits: readonly Exit[], from: Entry, before: readonly string[]): EntryWalk {
  let [entry, isUnknown] = [from, false];
  let isFormula = before.some((one) => beginsFormula(one));
  const end = (isTaken: boolean): void => {
    isUnknown ||= isTaken && isFormula && entry !== 'whole';
    [entry, isFormula] = ['whole', false];
  };
  const take = (text: string): void => {
    for (const [at, line] of text.split(/[\t\r\n]/).entries()) {
      if (at > 0) end(true);
      if (line === '') continue;
      isUnknown ||= (isFormula && entry !== 'whole') || (entry === 'editing' && beginsFormula(line));
      isFormula ||= beginsFormula(line);
    }
  };
  for (const exit of exits) {
    if (exit.kind === 'text') {
      if (exit.replaces) [entry, isFormula] = ['whole', false];
      take(exit.text ?? '');
    }
    // A click elsewhere finishes the entry.
    if (exit.kind === 'press' || exit.kind === 'choose' || exit.kind === 'focus')
      isUnknown ||= isFormula && entry !== 'whole';
    if (exit.kind !== 'keys') continue;
    for (const chord of exit.chords.map(parseChord)) {
      const names = chord.filter(({ modifier }) => modifier === null).map(({ name }) => name);
      const character = characterOf(chord);
      if (names.includes('escape')) end(false);
      else if (names.includes('tab') || character === '\n') end(true);
      else if (character !== '') take(character);
      else if (names.includes('f2')) entry = 'editing';
      else if (names.length > 0 && isFormula && entry === 'whole') entry = 'moved';
    }
    take(exit.text);
  }
  return { entry, isUnknown };
}

/** Whether a text only begins a formula. */
export const onlyBegins = (text: string): boolean => ONLY_BEGINS.test(text);

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

const lastEntry = (text: string): string =>
  text
    .slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'), text.lastIndexOf('\t')) + 1)
    .slice(-LONGEST_SOUGHT);

/** Each once: what was certain, which comes first, and the latest. */
function few(texts: readonly string[]): readonly string[] {
  const each = [...new Set(texts)];
  return each.length <= MOST_ALTERNATIVES ? each : [each[0]!, ...each.slice(1 - MOST_ALTERNATIVES)];
}

/**
 * What was typed on the desktop lately. Only in memory, and never of a password field. From the permit until its call has
 * succeeded, both count: what was there, and what the call makes of it.
 */
interface TypedHere {
  /** The ends of texts, by field. */
  readonly fields: Map<string, { readonly texts: readonly string[]; readonly at: number }>;
  keyboard: KeyboardKept;
  clipboard: readonly string[];
  /** Entries of cells that are not known as a whole. */
  readonly entries: Map<string, Entry>;
  /** When a mouse button was pressed last, by what was pressed. */
  readonly pressed: Map<string, number>;
  /** Agents that were given text of a document, mail, page or console, in whatever session. */
  readonly readers: Set<string>;
}

/**
 * What an agent read, and what all agents typed, in whatever session: sessions are names that an agent chooses, and a text in
 * pieces is one text.
 */
export class TypedLately {
  readonly #now: () => number;
  readonly #here: TypedHere;
  readonly #agent: string;

  constructor(
    now: () => number = () => performance.now(),
    here: TypedHere = {
      fields: new Map(),
      entries: new Map(),
      keyboard: nothingKept(),
      clipboard: [],
      pressed: new Map(),
      readers: new Set(),
    },
    agent = '',
  ) {
    this.#now = now;
    this.#here = here;
    this.#agent = agent;
  }

  /** What one agent sees of the same desktop. */
  of(agent: string): TypedLately {
    return new TypedLately(this.#now, this.#here, agent);
  }

  /** An independent copy. */
  copy(): TypedLately {
    const { fields, entries, pressed, readers, ...here } = this.#here;
    return new TypedLately(
      this.#now,
      {
        ...here,
        fields: new Map(fields),
        entries: new Map(entries),
        pressed: new Map(pressed),
        readers: new Set(readers),
      },
      this.#agent,
    );
  }

  /** Whether the agent was given text of a document, mail, page or console. */
  get hasRead(): boolean {
    return this.#here.readers.has(this.#agent);
  }

  noteRead(): void {
    this.#here.readers.add(this.#agent);
  }

  /** What keys left behind. */
  get keyboard(): KeyboardKept {
    return this.#here.keyboard;
  }

  /** What keys are about to leave. Returns what says that they did. */
  noteKeys(after: (kept: KeyboardKept) => KeyboardKept): () => void {
    const here = this.#here;
    here.keyboard = eitherOf(here.keyboard, after(here.keyboard));
    return () => {
      here.keyboard = after(here.keyboard);
    };
  }

  /** Whether a press there now may make a double click of an earlier one. */
  hasJustPressed(place: string): boolean {
    return this.#now() - (this.#here.pressed.get(place) ?? Number.NEGATIVE_INFINITY) < DOUBLE_CLICK_MS;
  }

  notePress(place: string): void {
    const { pressed } = this.#here;
    pressed.delete(place);
    pressed.set(place, this.#now());
    if (pressed.size > MOST_FIELDS) pressed.delete(pressed.keys().next().value!);
  }

  entry(field: string): Entry {
    return this.#here.entries.get(field) ?? 'whole';
  }

  /** What keys are about to make of an entry. Returns what says that they did. */
  noteEntry(field: string, after: Entry): () => void {
    const { entries } = this.#here;
    const end = (): void => {
      entries.delete(field);
      if (after !== 'whole') entries.set(field, after);
      if (entries.size > MOST_FIELDS) entries.delete(entries.keys().next().value!);
    };
    if (after !== 'whole') end();
    return end;
  }

  /** What the host itself may have put on the clipboard last. */
  get clipboard(): readonly string[] {
    return this.#here.clipboard;
  }

  /** What is about to be put on the clipboard. Returns what says that it was. */
  noteClipboard(text: string): () => void {
    const here = this.#here;
    here.clipboard = few([...here.clipboard, text]);
    return () => {
      here.clipboard = [text];
    };
  }

  /** What the text before the next character may be; at least one, which may be empty. */
  before(field: string): readonly string[] {
    const kept = this.#here.fields.get(field);
    return kept === undefined || this.#now() - kept.at > KEPT_MS ? [''] : kept.texts;
  }

  /**
   * What is about to be typed: an entry ends with its line or field, and text that replaces other text has nothing before it.
   * Returns what says that it was typed.
   */
  add(field: string, text: string, replaces: boolean): () => void {
    const before = this.before(field);
    const after = (replaces ? [''] : before).map((one) => lastEntry(one + text));
    this.#keep(field, [...before, ...after]);
    return () => this.#keep(field, after);
  }

  #keep(field: string, texts: readonly string[]): void {
    const { fields } = this.#here;
    fields.delete(field);
    if (texts.some((text) => text !== '')) fields.set(field, { texts: few(texts), at: this.#now() });
    if (fields.size > MOST_FIELDS) fields.delete(fields.keys().next().value!);
  }

  forgetField(field: string): void {
    this.#here.fields.delete(field);
  }
}

/** The window that keys go to. */
export const keyOf = (binding: BindingRecord | null): string => (binding === null ? 'front' : windowKey(binding));

/** The field that text or keys go to; the whole window if the field is unknown, or another one continues what was begun in a cell. */
export const fieldOf = (binding: BindingRecord | null, context: ElementContext | null, kind: AppKind): string =>
  `${keyOf(binding)} ${kind === 'spreadsheet' ? '' : (context?.element?.identity ?? '')}`;

/** What a mouse button presses. */
export const pressedAt = (binding: BindingRecord | null, context: ElementContext | null): string =>
  fieldOf(binding, context, 'other');

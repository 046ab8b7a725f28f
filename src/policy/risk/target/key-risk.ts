/** What a sequence of keys may press. The focus is known only before the first key: after a key that may move it, the rest may go to anything in the window. */
import type { ElementContext, ElementInfo } from '../../../contract/element/element.ts';
import {
  type ControlType,
  ITEMS,
  PRESSABLE,
  PRESSED_BY_FOCUS,
  TEXT_FIELDS,
  VALUE_FIELDS,
} from '../../../contract/element/control-types.ts';
import { KEY_TABLE, type Chord, type Key } from '../../../contract/keys/keys.ts';
import type { KeyboardState } from '../content/keyboard.ts';
import type { AppKind } from '../words/app-kind.ts';
import type { Findings, Pressed, Surroundings } from './surroundings.ts';
import { isPasswordLabel } from '../words/match.ts';
import { quoted } from '../../../contract/json/quoted.ts';

interface KeyInput {
  readonly context: ElementContext | null;
  readonly kind: AppKind;
  readonly chords: readonly Chord[];
  /** Characters that are sent as keys, after the chords. */
  readonly text: string;
  /** How many times both are sent. */
  readonly rounds: number;
  readonly keyboard: KeyboardState;
}

/** With the focus on one of these, an access-key letter presses what it marks. A control drawn by the program takes the letter itself. */
const TAKES_NO_LETTERS: ReadonlySet<ControlType> = new Set<ControlType>([
  'Button',
  'SplitButton',
  'Hyperlink',
  'MenuItem',
  'CheckBox',
  'RadioButton',
]);
const ITEM_HOLDERS: ReadonlySet<ControlType> = new Set<ControlType>([...ITEMS, 'List', 'Tree', 'DataGrid', 'Table']);
/** In these, arrow keys only change a value or scroll a view. */
const KEEPS_ARROWS: ReadonlySet<ControlType> = new Set<ControlType>([...VALUE_FIELDS, 'ScrollBar']);
const MENUS: ReadonlySet<ControlType> = new Set<ControlType>(['Menu', 'MenuBar', 'MenuItem']);
/** Space only toggles them and opens nothing. */
const KEEPS_FOCUS: ReadonlySet<ControlType> = new Set<ControlType>(['CheckBox', 'RadioButton']);

/** More rounds reveal no further place where the keys of a sequence may go. */
const ROUNDS_JUDGED = 4;

/** Judges keys, which go to the focused element; some of them press buttons. */
export function lookAtKeys(input: KeyInput, presses: Surroundings, notes: Findings): void {
  const { held } = input.keyboard;
  const walk = new KeyWalk(input, presses, notes);
  for (let round = 0; round < Math.min(input.rounds, ROUNDS_JUDGED); round += 1) {
    for (const stroke of strokesOf(input.chords, held)) walk.take(stroke);
    for (const stroke of strokesOfText(input.text, held)) walk.take(stroke);
  }
}

const hasModifier = (chord: Chord, modifier: string): boolean => chord.some((key) => key.modifier === modifier);
const hasKey = (chord: Chord, ...names: string[]): boolean => chord.some((key) => names.includes(key.name));

/**
 * Where the next key goes: `here`, the element that was seen with the focus; `items`, another row of the same list;
 * `anywhere` in the window; `menu`, an entry of a menu that may have opened, or anywhere.
 */
type Place = 'here' | 'items' | 'anywhere' | 'menu';

const REACHED = 'these keys can reach';

class KeyWalk {
  readonly #context: ElementContext | null;
  readonly #focused: ElementInfo | null;
  readonly #input: KeyInput;
  readonly #presses: Surroundings;
  readonly #notes: Findings;
  #place: Place;

  constructor(input: KeyInput, presses: Surroundings, notes: Findings) {
    this.#context = input.context;
    this.#focused = input.context?.element ?? null;
    this.#input = input;
    this.#presses = presses;
    this.#notes = notes;
    const isMenu = this.#context?.menu === 'open' || input.keyboard.mayBeInMenu;
    this.#place = isMenu ? 'menu' : this.#focused === null ? 'anywhere' : 'here';
  }

  take(stroke: StrokeKind): void {
    this.#place = this.#after(stroke);
  }

  /** Judges a stroke at its place, and returns where the next one goes. */
  #after(stroke: StrokeKind): Place {
    switch (stroke) {
      case 'enter':
        return this.#enter();
      case 'space':
        return this.#space();
      case 'letter':
        return this.#letter();
      case 'access':
        this.#pressAny();
        return this.#context?.menu === 'none' && this.#place !== 'menu' ? 'anywhere' : 'menu';
      case 'menu':
        return 'menu';
      case 'delete':
      case 'ctrl-d':
        return this.#remove(stroke);
      case 'arrow':
        return this.#arrow();
      case 'paste':
        if (this.#place !== 'here') this.#typeAnywhere();
        return this.#place;
      case 'edit':
        return this.#place;
      // An open menu may stay open.
      default:
        this.#moveFocus();
        return this.#place === 'menu' ? 'menu' : 'anywhere';
    }
  }

  get #isTextField(): boolean {
    return this.#place === 'here' && this.#focused !== null && TEXT_FIELDS.has(this.#focused.controlType);
  }

  #enter(): Place {
    const { kind } = this.#input;
    const defaultName = this.#context?.defaultButtonName ?? null;
    if (defaultName !== null) {
      this.#notes.flags.add('default_button');
      this.#presses.pressNamed(defaultName, 'Button');
    }
    const isHere = this.#place === 'here' && this.#focused !== null;
    if (isHere) {
      if (PRESSABLE.has(this.#focused.controlType) || ITEMS.has(this.#focused.controlType))
        this.#presses.press(this.#focused);
      return this.#isTextField && defaultName === null && kind !== 'browser' ? 'here' : 'anywhere';
    }
    if (this.#place === 'items') this.#pressEach((element) => ITEMS.has(element.controlType));
    else this.#pressAny();
    return this.#place === 'menu' ? 'menu' : 'anywhere';
  }

  #space(): Place {
    if (this.#place === 'items') {
      this.#pressEach((element) => ITEMS.has(element.controlType));
      return 'anywhere';
    }
    if (this.#place !== 'here' || this.#focused === null) {
      this.#pressAny();
      this.#typeAnywhere();
      return this.#place;
    }
    const { controlType } = this.#focused;
    if (!PRESSABLE.has(controlType) && !ITEMS.has(controlType)) return 'here';
    this.#presses.press(this.#focused);
    return KEEPS_FOCUS.has(controlType) ? 'here' : 'anywhere';
  }

  /** A letter presses the button it marks if no text field takes it, and chooses in a menu. */
  #letter(): Place {
    // It moves to the item that begins with it; in an editable field, typing may select one too.
    if (this.#place === 'here' && this.#focused?.controlType === 'ComboBox') this.#chooseAny();
    if (this.#isTextField) return 'here';
    const isDialog = this.#context !== null && this.#context.defaultButtonName !== null;
    if (this.#place === 'menu') {
      this.#pressAny();
      this.#typeAnywhere();
      return 'menu';
    }
    if (this.#place === 'anywhere') {
      const hasButtons = this.#context?.reachable.some(({ controlType }) => PRESSABLE.has(controlType)) ?? false;
      if (isDialog || hasButtons || this.#context?.reachesMore === true) this.#pressAny();
      this.#typeAnywhere();
      return 'anywhere';
    }
    // A dialog asks the control first, and searches for a button only if the control wants no letters.
    const isKept = this.#place === 'here' && this.#context?.takesLetters === true;
    const isMarked =
      (isDialog && !isKept) ||
      (this.#place === 'here' && this.#focused !== null && TAKES_NO_LETTERS.has(this.#focused.controlType));
    if (!isMarked) return this.#place;
    this.#pressAny();
    return this.#focused !== null && MENUS.has(this.#focused.controlType) ? 'menu' : 'anywhere';
  }

  #remove(stroke: 'delete' | 'ctrl-d'): Place {
    const focused = this.#place === 'anywhere' || this.#place === 'menu' ? null : this.#focused;
    const onItems = focused === null || ITEM_HOLDERS.has(focused.controlType);
    const isShifted = this.#input.chords.some((chord) => hasKey(chord, 'delete') && hasModifier(chord, 'shift'));
    const what = focused === null ? 'an unknown element' : quoted(focused.name);
    if (stroke === 'delete' && (onItems || (isShifted && !this.#isTextField)))
      this.#notes.add('destructive', `Delete goes to ${what}`);
    // If the focus was never known, Ctrl+D is more often a different command.
    if (stroke === 'ctrl-d' && onItems && this.#focused !== null)
      this.#notes.add('destructive', `Ctrl+D deletes ${what}`);
    return this.#place;
  }

  #arrow(): Place {
    if (this.#place === 'anywhere' || this.#place === 'menu' || this.#focused?.controlType === 'ComboBox')
      this.#chooseAny();
    if (this.#place !== 'here' || this.#focused === null || PRESSED_BY_FOCUS.has(this.#focused.controlType))
      this.#moveFocus();
    if (this.#place !== 'here' || this.#focused === null) return this.#place;
    const { controlType } = this.#focused;
    if (KEEPS_ARROWS.has(controlType)) return 'here';
    if (ITEM_HOLDERS.has(controlType)) return 'items';
    return MENUS.has(controlType) ? 'menu' : 'anywhere';
  }

  /** Presses whatever may have the focus by now. */
  #pressAny(): void {
    this.#presses.press(null);
    this.#pressEach(() => true);
    const seesMenu =
      this.#context?.reachable.some(({ controlType, isInMenu }) => controlType === 'MenuItem' && isInMenu) ?? false;
    if (this.#place === 'menu' && !seesMenu)
      this.#notes.add('destructive', 'these keys choose from a menu that could not be read');
    if (this.#context?.reachesMore === true)
      this.#notes.add('destructive', 'these keys can reach elements that could not be read');
  }

  #pressEach(isMeant: (element: Pressed) => boolean): void {
    for (const element of this.#context?.reachable ?? [])
      if (!TEXT_FIELDS.has(element.controlType) && !element.isInComboBox && isMeant(element))
        this.#presses.press(element, REACHED);
  }

  /** The focus may come to what it presses. */
  #moveFocus(): void {
    this.#pressEach(({ controlType }) => PRESSED_BY_FOCUS.has(controlType));
  }

  /** An item of a combo box, which keys select without a press. */
  #chooseAny(): void {
    for (const element of this.#context?.reachable ?? [])
      if (element.isInComboBox) this.#presses.press(element, REACHED);
  }

  /** Types characters into whatever may have the focus by now. */
  #typeAnywhere(): void {
    this.#chooseAny();
    const field = this.#context?.reachable.find(
      ({ controlType, name, isPassword }) => isPassword || (TEXT_FIELDS.has(controlType) && isPasswordLabel(name)),
    );
    if (field !== undefined)
      this.#notes.add('password', `these keys can reach the password field ${quoted(field.name)}`);
  }
}

/* Each key of a sequence and each character of a text: it may press something, move the focus, or neither. */

type StrokeKind =
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
function* strokesOf(chords: readonly Chord[], held: Chord): Generator<StrokeKind> {
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

/** The keys that type a text; consecutive characters with the same effect count as one. Held keys make combinations of them. */
function* strokesOfText(text: string, held: Chord): Generator<StrokeKind> {
  const modifiers = new Set<string | null>(held.map(({ modifier }) => modifier));
  let before: StrokeKind | null = null;
  for (const character of text) {
    const stroke = strokeOfCharacter(character, modifiers);
    if (stroke !== before) yield stroke;
    before = stroke === 'letter' || stroke === 'space' ? stroke : null;
  }
}

function strokeOfCharacter(character: string, modifiers: ReadonlySet<string | null>): StrokeKind {
  if (character === '\t') return 'tab';
  if (character === '\r' || character === '\n') return 'enter';
  if (character === '\b') return 'edit';
  if (modifiers.has('alt') || modifiers.has('ctrl')) {
    const key = KEY_TABLE.get(character === ' ' ? 'space' : character.toLowerCase());
    return key === undefined ? 'access' : strokeOf(key, modifiers);
  }
  if (character === ' ') return 'space';
  return character < ' ' || character === '\u007f' ? 'other' : 'letter';
}

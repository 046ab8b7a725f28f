/**
 * What input does on the simulated desktop, as Windows and its usual controls do it: the focus, default buttons, access keys,
 * menus, choice by first letters, consoles. It knows nothing about the gate; it reports what is reached to `onHarm`.
 */
import type { AppIdentity } from '../../src/contract/element/binding.ts';
import type { Point } from '../../src/contract/element/geometry.ts';
import { parseChord, type Chord } from '../../src/contract/keys/keys.ts';
import { CONTEXT_MENU } from './simulated-scene.ts';
import {
  allParts,
  contains,
  partAt,
  showsItems,
  type HarmKind,
  type Part,
  type SimulatedWindow,
} from './simulated-window.ts';

export interface Harm {
  readonly kind: HarmKind;
  readonly what: string;
  readonly window: string;
}

const TEXT_ROLES = new Set(['Edit', 'Document']);
const PRESSED_BY_KEYS = new Set(['Button', 'SplitButton', 'Hyperlink', 'CheckBox']);
/** A payment card number that is widely used in examples. */
const CARD_NUMBER = '4242424242424242';
/** Keys that answer the prompt of an agent's program. */
const ANSWERS = new Set(['enter', 'numpadenter', 'y', '1', '2', '3']);

export class SimulatedInput {
  /** The topmost first. */
  readonly windows: SimulatedWindow[];
  front: SimulatedWindow | null;
  clipboard = '';
  /** The menu bar that has the keyboard, and its current menu. */
  #bar: { readonly window: SimulatedWindow; at: number } | null = null;
  readonly #onHarm: (harm: Harm) => void;
  /** Executables that may be touched; null = all. */
  readonly #onlyApps: readonly string[] | null;

  constructor(
    windows: SimulatedWindow[],
    front: SimulatedWindow | null,
    onlyApps: readonly string[] | null,
    onHarm: (harm: Harm) => void,
  ) {
    this.windows = windows;
    this.front = front;
    this.#onlyApps = onlyApps;
    this.#onHarm = onHarm;
    if (front !== null) this.raise(front);
  }

  harm(kind: HarmKind, what: string, window: SimulatedWindow | null): void {
    this.#onHarm({ kind, what, window: window?.key ?? '' });
  }

  named(key: string): SimulatedWindow | null {
    return this.windows.find((window) => window.key === key) ?? null;
  }

  /** The visible dialog or menu of a window, which gets the input instead. */
  childOf(window: SimulatedWindow, isMenu: boolean): SimulatedWindow | null {
    return this.windows.find((each) => each.isVisible && each.owner === window && each.isMenu === isMenu) ?? null;
  }

  at(point: Point): SimulatedWindow | null {
    return this.windows.find((window) => window.isVisible && contains(window.rect, point)) ?? null;
  }

  raise(window: SimulatedWindow): void {
    const isOf = (each: SimulatedWindow): boolean => each === window || each.owner === window;
    const raised = [...this.windows]
      .filter(isOf)
      .sort((one, other) => Number(one === window) - Number(other === window));
    const rest = this.windows.filter((each) => !isOf(each));
    this.windows.splice(0, this.windows.length, ...raised, ...rest);
  }

  /** A window comes to the foreground, or the dialog that it waits for. */
  activate(window: SimulatedWindow): void {
    this.closeMenus();
    this.front = this.childOf(window, false) ?? window;
    this.raise(window);
  }

  isInMenu(window: SimulatedWindow): boolean {
    return this.#bar?.window === window || this.childOf(window, true) !== null;
  }

  closeMenus(): void {
    this.#bar = null;
    for (const window of this.windows) if (window.isMenu) window.isVisible = false;
  }

  /** Any input to a window that must get none counts as harm. */
  reach(window: SimulatedWindow, how: string): void {
    if (window.harm !== null) this.harm(window.harm, how, window);
    this.touch(window.record.app, how);
  }

  /** A program gets input, is started or is read. */
  touch(app: AppIdentity, how: string): void {
    if (this.#onlyApps === null || this.#onlyApps.some((name) => app.bundleId.endsWith(`\\${name}`))) return;
    this.harm('beyondToken', `${how} (${app.displayName})`, null);
  }

  /** A click on what is shown there: drawn areas too. `isRight`: opens the menu of what is under it. */
  click(window: SimulatedWindow, point: Point, isRight = false): void {
    this.reach(window, 'click');
    if (!window.isMenu && this.childOf(window, false) !== null) return;
    const hit = partAt(window, point);
    if (!window.isMenu) this.closeMenus();
    if (hit === null) return;
    if (isRight) this.#openContextMenu(window);
    else this.press(window, hit);
  }

  /** By its own methods instead of by a point: wherever it is now. */
  pressNow(window: SimulatedWindow, part: Part): void {
    this.reach(window, 'press');
    if (this.childOf(window, false) !== null) return;
    this.closeMenus();
    this.press(window, part);
  }

  /** A control is pressed, an item is chosen. */
  press(window: SimulatedWindow, part: Part): void {
    if (part.isDisabled) return;
    const holder = window.parts.find(({ parts }) => parts.includes(part));
    if (holder !== undefined && holder.role !== 'MenuBar')
      return this.choose(window, holder, holder.parts.indexOf(part));
    if (part.isTabStop) window.focus = part;
    if (part.harm !== null) this.harm(part.harm, `${part.role} “${part.name}”`, window);
    if (part.closes) this.#close(window);
    if (window.isMenu) this.closeMenus();
    if (part.opens !== null) this.#show(part.opens);
  }

  /** `isMove`: only the selection moves; a combo box takes the value nevertheless. */
  choose(window: SimulatedWindow, holder: Part, index: number, isMove = false): void {
    const item = holder.parts[index];
    if (item === undefined || holder.isDisabled) return;
    holder.at = index;
    if (holder.isTabStop) window.focus = holder;
    if (isMove && holder.role !== 'ComboBox') return;
    if (item.harm !== null) this.harm(item.harm, `item “${item.name}” of “${holder.name}”`, window);
  }

  /** A wheel over a closed combo box chooses the item above or below; elsewhere it moves a view. */
  wheel(window: SimulatedWindow, point: Point, vertical: number): void {
    this.reach(window, 'wheel');
    const hit = partAt(window, point);
    if (hit?.role !== 'ComboBox' || vertical === 0 || this.childOf(window, false) !== null) return;
    this.choose(window, hit, Math.max(0, Math.min(hit.parts.length - 1, hit.at - Math.sign(vertical))));
  }

  /** `held`: modifiers that are down meanwhile, which make combinations of the characters. */
  typeText(window: SimulatedWindow, text: string, held: ReadonlySet<string> = new Set()): void {
    const normal = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    for (const character of normal)
      this.key(
        window,
        character === '\n'
          ? 'enter'
          : character === '\t'
            ? 'tab'
            : character === ' '
              ? 'space'
              : character.toLowerCase(),
        held,
        character,
      );
  }

  chord(window: SimulatedWindow, chord: string, held: ReadonlySet<string> = new Set()): void {
    const parsed: Chord = parseChord(chord);
    const modifiers = new Set([...held, ...parsed.flatMap(({ modifier }) => (modifier === null ? [] : [modifier]))]);
    const keys = parsed.filter(({ modifier }) => modifier === null);
    if (keys.length === 0 && modifiers.size === 1 && modifiers.has('alt'))
      return this.key(window, 'f10', new Set(), null);
    for (const { name, character } of keys) this.key(window, name, modifiers, character);
  }

  /** One key goes down and up. `character`: what it types if no modifier is held. */
  key(window: SimulatedWindow, name: string, modifiers: ReadonlySet<string>, character: string | null): void {
    this.reach(window, `key ${name}`);
    const menu = this.childOf(window, true);
    if (menu !== null) return this.#menuKey(menu, name);
    // A window that waits for its dialog takes no input.
    if (this.childOf(window, false) !== null) return;
    if (this.#bar?.window === window) return this.#barKey(window, name);
    if (window.console !== null) return this.#consoleKey(window, name, modifiers, character);
    if ((name === 'v' && modifiers.has('ctrl')) || (name === 'insert' && modifiers.has('shift')))
      return this.paste(window, this.clipboard);
    if (modifiers.has('ctrl') || modifiers.has('win')) return;
    if (modifiers.has('alt')) return this.#accessKey(window, name);
    if (name === 'f10' && !modifiers.has('shift')) return this.#openBar(window);
    if (name === 'apps' || name === 'f10') return this.#openContextMenu(window);
    this.#plainKey(window, name, modifiers, character);
  }

  paste(window: SimulatedWindow, text: string): void {
    if (text === '') return;
    if (window.console !== null) return this.typeText(window, text);
    const { focus } = window;
    if (focus !== null && TEXT_ROLES.has(focus.role)) this.#write(window, focus, text);
  }

  /** Text that is set in a field without keys. */
  setText(window: SimulatedWindow, field: Part, text: string, replaces: boolean): void {
    this.reach(window, 'text');
    window.focus = field;
    if (replaces) field.value = '';
    this.#write(window, field, text);
  }

  #write(window: SimulatedWindow, field: Part, text: string): void {
    field.value += text;
    if (field.isPassword) this.harm('password', `text into “${field.name}”`, window);
    if (field.value.includes(CARD_NUMBER)) this.harm('financial', `a card’s number into “${field.name}”`, window);
  }

  #plainKey(window: SimulatedWindow, name: string, modifiers: ReadonlySet<string>, character: string | null): void {
    const { focus } = window;
    const holdsItems = focus !== null && (focus.role === 'ComboBox' || focus.role === 'List');
    switch (name) {
      case 'tab':
        return this.#moveFocus(window, modifiers.has('shift') ? -1 : 1);
      case 'enter':
      case 'numpadenter':
        return this.#enter(window);
      case 'escape': {
        const cancel = window.parts.find(({ isCancel }) => isCancel);
        if (cancel !== undefined) this.press(window, cancel);
        return;
      }
      case 'space':
        if (focus !== null && PRESSED_BY_KEYS.has(focus.role) && focus.role !== 'Hyperlink')
          return this.press(window, focus);
        break;
      case 'left':
      case 'up':
      case 'right':
      case 'down':
      case 'home':
      case 'end':
      case 'pageup':
      case 'pagedown':
        if (holdsItems) return this.#arrowItem(window, focus, name);
        // Between the buttons of a group.
        if (focus?.role === 'Button') this.#moveFocus(window, name === 'left' || name === 'up' ? -1 : 1, 'Button');
        return;
      case 'delete':
      case 'numpaddecimal':
        if (focus?.role === 'List')
          this.harm('destructive', `Delete on “${focus.parts[focus.at]?.name ?? focus.name}”`, window);
        return;
      default:
    }
    if (character === null && name !== 'space') return;
    if (focus !== null && TEXT_ROLES.has(focus.role)) return this.#write(window, focus, character ?? ' ');
    if (holdsItems) return this.#letterItem(window, focus, name);
    this.#accessKey(window, name);
  }

  #enter(window: SimulatedWindow): void {
    const { focus } = window;
    if (focus?.role === 'Document') return this.#write(window, focus, '\n');
    if (focus?.name === 'Terminal 1') {
      if (focus.value.trim() !== '') this.harm('customCommand', focus.value, window);
      focus.value = '';
      return;
    }
    if (focus !== null && PRESSED_BY_KEYS.has(focus.role) && focus.role !== 'CheckBox')
      return this.press(window, focus);
    const standard = window.parts.find(({ isDefault, isDisabled }) => isDefault && !isDisabled);
    if (standard !== undefined) return this.press(window, standard);
    if (focus?.role === 'List' && focus.at >= 0) this.choose(window, focus, focus.at);
  }

  #moveFocus(window: SimulatedWindow, by: 1 | -1, role?: string): void {
    if (window.focus?.role === 'Document' && role === undefined) return this.#write(window, window.focus, '\t');
    const stops = window.parts.filter(
      (each) => each.isTabStop && !each.isDisabled && (role === undefined || each.role === role),
    );
    if (stops.length === 0) return;
    const from = window.focus === null ? -1 : stops.indexOf(window.focus);
    window.focus = stops[(from + by + stops.length) % stops.length] ?? null;
  }

  #arrowItem(window: SimulatedWindow, holder: Part, name: string): void {
    const last = holder.parts.length - 1;
    const to =
      name === 'home' || name === 'pageup'
        ? 0
        : name === 'end' || name === 'pagedown'
          ? last
          : holder.at + (name === 'left' || name === 'up' ? -1 : 1);
    this.choose(window, holder, Math.max(0, Math.min(last, to)), true);
  }

  #letterItem(window: SimulatedWindow, holder: Part, letter: string): void {
    const { parts, at } = holder;
    const order = parts.map((_, index) => (at + 1 + index) % parts.length);
    const found = order.find((index) => parts[index]?.name.toLowerCase().startsWith(letter) === true);
    if (found !== undefined) this.choose(window, holder, found, true);
  }

  #accessKey(window: SimulatedWindow, letter: string): void {
    for (const each of allParts(window)) {
      if (each.accessKey === letter && !each.isDisabled) return this.press(window, each);
    }
  }

  #openBar(window: SimulatedWindow): void {
    if (window.parts.some(({ role }) => role === 'MenuBar')) this.#bar = { window, at: 0 };
  }

  #openContextMenu(window: SimulatedWindow): void {
    if (window.key === 'notes') this.#show(CONTEXT_MENU);
  }

  #barKey(window: SimulatedWindow, name: string): void {
    const menus = window.parts.find(({ role }) => role === 'MenuBar')?.parts ?? [];
    const bar = this.#bar;
    if (bar === null) return;
    if (name === 'left' || name === 'right')
      bar.at = (bar.at + (name === 'right' ? 1 : menus.length - 1)) % menus.length;
    const meant =
      name === 'enter' || name === 'down' || name === 'up' || name === 'space'
        ? menus[bar.at]
        : menus.find(({ accessKey }) => accessKey === name);
    if (name === 'left' || name === 'right') return;
    this.#bar = null;
    if (meant !== undefined) this.press(window, meant);
  }

  #menuKey(menu: SimulatedWindow, name: string): void {
    const { parts } = menu;
    const at = menu.focus === null ? -1 : parts.indexOf(menu.focus);
    switch (name) {
      case 'down':
        menu.focus = parts[(at + 1) % parts.length] ?? null;
        return;
      case 'up':
        menu.focus = parts[(at <= 0 ? parts.length : at) - 1] ?? null;
        return;
      case 'enter':
      case 'numpadenter':
        if (menu.focus !== null) this.press(menu, menu.focus);
        return;
      case 'escape':
      case 'f10':
      case 'alt':
        this.closeMenus();
        return;
      default: {
        const meant = parts.find(({ accessKey }) => accessKey === name);
        if (meant !== undefined) this.press(menu, meant);
      }
    }
  }

  #consoleKey(window: SimulatedWindow, name: string, modifiers: ReadonlySet<string>, character: string | null): void {
    const state = window.console;
    if (state === null) return;
    if (name === 'v' && modifiers.has('ctrl')) return this.typeText(window, this.clipboard);
    if (modifiers.has('ctrl') || modifiers.has('alt')) return;
    if (state.asksFor === 'agent') {
      if (!ANSWERS.has(name)) return;
      this.harm('prompts', `the agent’s question, answered with ${name}`, window);
      state.asksFor = 'shell';
      state.screen = 'C:\\work>';
      return;
    }
    if (name === 'enter' || name === 'numpadenter') {
      if (state.line.trim() !== '') this.harm('customCommand', state.line, window);
      state.line = '';
      return;
    }
    if (name === 'space' || character !== null) state.line += character ?? ' ';
  }

  #show(key: string): void {
    const window = this.named(key);
    if (window === null) return;
    if (window.isMenu) this.closeMenus();
    window.isVisible = true;
    if (window.isMenu) window.focus = null;
    else if (window.owner !== null && this.front?.record.pid === window.record.pid) this.front = window;
    this.raise(window.owner ?? window);
  }

  #close(window: SimulatedWindow): void {
    window.isVisible = false;
    if (this.front === window) this.front = window.owner;
  }
}

/** Parts that readers of elements see: drawn ones are not among them, items of closed lists are. */
export function* seenParts(window: SimulatedWindow): Generator<Part> {
  for (const each of allParts(window)) if (!each.isDrawn) yield each;
}

/** The deepest part under a point that a reader of elements sees. */
export function seenPartAt(window: SimulatedWindow, at: Point): Part | null {
  let hit: Part | null = null;
  for (const each of window.parts) {
    if (each.isDrawn || !contains(each.rect, at)) continue;
    hit = (showsItems(each.role) ? each.parts.find((item) => contains(item.rect, at)) : undefined) ?? each;
  }
  return hit;
}

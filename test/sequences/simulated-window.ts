/** Windows and controls of the simulated desktop: plain data that input changes. */
import type { AppIdentity, BindingRecord } from '../../src/contract/element/binding.ts';
import type { ControlType } from '../../src/contract/element/control-types.ts';
import type { Point, Rect } from '../../src/contract/element/geometry.ts';
import { wordsOf } from '../support/words.ts';

/** The kind of harm of a planted target. `beyondToken`: an application outside the caller's token. */
export type HarmKind =
  | 'destructive'
  | 'financial'
  | 'prompts'
  | 'customCommand'
  | 'password'
  | 'denied'
  | 'readOnly'
  | 'beyondToken';

/** One control, menu item, list item or drawn area. */
export interface Part {
  readonly key: string;
  readonly role: ControlType;
  name: string;
  rect: Rect;
  parts: Part[];
  /** What pressing, choosing or activating it does. */
  readonly harm: HarmKind | null;
  readonly accessKey: string | null;
  readonly isTabStop: boolean;
  isDefault: boolean;
  readonly isCancel: boolean;
  readonly isPassword: boolean;
  /** Painted by the program: no reader of elements sees it. */
  readonly isDrawn: boolean;
  isDisabled: boolean;
  value: string;
  /** Index of the chosen item of a list, combo box or menu. */
  at: number;
  /** A press opens this window of the scene (a dialog, a menu). */
  readonly opens: string | null;
  /** A press closes its window. */
  readonly closes: boolean;
}

export type PartOptions = Partial<Omit<Part, 'key' | 'role' | 'name' | 'parts'>> & { readonly parts?: Part[] };

const FOCUSABLE: ReadonlySet<ControlType> = new Set<ControlType>(
  wordsOf`Button SplitButton Edit Document ComboBox List CheckBox Hyperlink Tab Tree DataGrid`,
);

export function part(key: string, role: ControlType, name: string, options: PartOptions = {}): Part {
  return {
    key,
    role,
    name,
    rect: { x: 0, y: 0, width: 100, height: 20 },
    parts: [],
    harm: null,
    accessKey: null,
    isTabStop: FOCUSABLE.has(role),
    isDefault: false,
    isCancel: false,
    isPassword: false,
    isDrawn: false,
    isDisabled: false,
    value: '',
    at: -1,
    opens: null,
    closes: false,
    ...options,
  };
}

interface ConsoleState {
  screen: string;
  line: string;
  /** A prompt of an agent's program: the first key that answers it is final. */
  asksFor: 'shell' | 'agent';
}

export interface SimulatedWindow {
  readonly key: string;
  readonly record: BindingRecord;
  title: string;
  rect: Rect;
  /** A dialog's owner, a menu's program window. */
  owner: SimulatedWindow | null;
  readonly isDialog: boolean;
  readonly isMenu: boolean;
  readonly parts: Part[];
  focus: Part | null;
  isVisible: boolean;
  readonly console: ConsoleState | null;
  /** Address of the page, in a browser. */
  readonly address: string | null;
  /** Any input at all is harm. */
  readonly harm: HarmKind | null;
}

export interface WindowOptions {
  readonly app: AppIdentity;
  readonly title: string;
  readonly rect: Rect;
  readonly parts: Part[];
  readonly owner?: SimulatedWindow;
  readonly isDialog?: boolean;
  readonly isMenu?: boolean;
  readonly isVisible?: boolean;
  readonly console?: ConsoleState;
  readonly address?: string;
  readonly harm?: HarmKind;
  readonly className?: string;
}

export function windowOf(key: string, handle: number, options: WindowOptions): SimulatedWindow {
  const { app, title, rect, owner } = options;
  // Dialogs and menus belong to the process of their owner.
  const pid = owner?.record.pid ?? handle + 1000;
  layOut(options.parts, rect);
  return {
    key,
    title,
    rect,
    owner: owner ?? null,
    isDialog: options.isDialog ?? false,
    isMenu: options.isMenu ?? false,
    parts: options.parts,
    focus: null,
    isVisible: options.isVisible ?? true,
    console: options.console ?? null,
    address: options.address ?? null,
    harm: options.harm ?? owner?.harm ?? null,
    record: {
      hwnd: String(handle),
      pid,
      processCreated: '133000000000000000',
      threadId: pid + 1,
      className:
        options.isMenu === true ? '#32768' : (options.className ?? (options.isDialog === true ? '#32770' : 'Main')),
      title,
      app,
      integrity: 'medium',
    },
  };
}

/** Stacked vertically, unless it has its own place. Items of a closed combo box or menu have none. */
function layOut(parts: readonly Part[], within: Rect): void {
  let y = within.y + 30;
  for (const each of parts) {
    if (each.rect.x === 0 && each.rect.y === 0) {
      each.rect = {
        x: within.x + 10,
        y,
        width: within.width - 20,
        height: each.role === 'List' ? 20 * Math.max(1, each.parts.length) : 20,
      };
      y += each.rect.height + 4;
    }
    each.parts.forEach((item, index) => {
      item.rect = { x: each.rect.x, y: each.rect.y + 20 * index, width: each.rect.width, height: 20 };
    });
  }
}

export const contains = (rect: Rect, at: Point): boolean =>
  at.x >= rect.x && at.y >= rect.y && at.x < rect.x + rect.width && at.y < rect.y + rect.height;

export const centre = (rect: Rect): Point => ({
  x: Math.round(rect.x + rect.width / 2),
  y: Math.round(rect.y + rect.height / 2),
});

/** Controls of a window and their items, in their order; drawn areas among them. */
export function* allParts(window: SimulatedWindow): Generator<Part> {
  for (const each of window.parts) {
    yield each;
    yield* each.parts;
  }
}

/** Items are on the screen only if their list is open. */
export const showsItems = (role: ControlType): boolean =>
  role === 'List' || role === 'Tab' || role === 'Menu' || role === 'Tree';

/** The deepest part under a point by the system's hit test; drawn areas count. */
export function partAt(window: SimulatedWindow, at: Point): Part | null {
  let hit: Part | null = null;
  for (const each of window.parts) {
    if (!contains(each.rect, at)) continue;
    hit = (showsItems(each.role) ? each.parts.find((item) => contains(item.rect, at)) : undefined) ?? each;
  }
  return hit;
}

/** What keys go to in a window: the focused part and item, and what they can reach wherever the focus is. */
import {
  type ControlType,
  ITEMS,
  LISTS,
  PRESSABLE,
  TEXT_FIELDS,
  TURNED,
} from '../../../contract/element/control-types.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import { refOf } from './locate.ts';
import type { RefBook } from './refs.ts';
import { indexOf } from '../tree/tree-index.ts';
import type { Observed } from '../reading/observe.ts';
import type { TreeNode } from '../tree/tree.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { ElementContext, KeyReach } from '../../../contract/element/element.ts';
import type { TargetSpec } from '../../../desktop/element.ts';
import { isInMenu, threadOf } from '../../windows/window-info.ts';

/** As named in an outcome's details. */
export interface NamedTarget {
  readonly role: ControlType;
  readonly name: string;
  readonly ref?: string;
  /** The item of a list, tree or tab that is the current one. */
  readonly item?: string;
}

const LENGTH = 200;

const byWindow = (all: readonly TreeNode[]): ReadonlyMap<number, readonly TreeNode[]> =>
  Map.groupBy(all, ({ hwnd }) => hwnd);

/** A part of a window and its current item; null where the tree does not contain it. */
function partAndItem(root: TreeNode, hwnd: number): { part: TreeNode; item: TreeNode | null } | null {
  const inside = hwnd === 0 ? [] : (indexOf(root).derived('by window', byWindow).get(hwnd) ?? []);
  const part =
    inside.find(({ locator }) => locator.kind === 'window') ??
    inside.findLast((node) => node.states.has('focused')) ??
    inside[0];
  if (part === undefined) return null;
  const below = inside.filter((node) => node !== part);
  const selected = below.filter((node) => node.states.has('selected'));
  return {
    part,
    item: below.findLast((node) => node.states.has('focused')) ?? (selected.length === 1 ? selected[0]! : null),
  };
}

/** The element that receives keys sent to a window; null where the tree does not contain it. */
export function nodeOfKeys(root: TreeNode, hwnd: number): TreeNode | null {
  const found = hwnd === root.hwnd ? null : partAndItem(root, hwnd);
  return found === null ? null : (found.item ?? found.part);
}

/**
 * Uses the tree that was read for the gate a moment ago, or else reads one now.
 * @param read one branch of the window
 */
export function describeKeyTarget(
  { refs, seen }: { refs: RefBook; seen: LastSeen },
  record: BindingRecord,
  hwnd: number,
  read: () => Observed,
): NamedTarget | null {
  const bound = Number(record.hwnd);
  const kept = seen.peek(bound);
  const found = (kept === null ? null : partAndItem(kept.root, hwnd)) ?? partAndItem(read().root, hwnd);
  if (found === null) return null;
  const { part, item } = found;
  return {
    role: part.controlType,
    name: (part.name === '' ? (part.label ?? '') : part.name).slice(0, LENGTH),
    ref: refOf(refs, bound, part),
    ...(item === null || item.name === '' ? {} : { item: item.name.slice(0, LENGTH) }),
  };
}

/** Older trees may have changed meanwhile. */
const FRESH_MS = 2000;

export interface SeenTree {
  readonly root: TreeNode;
  /** How long it took to read, as an estimate for the next reading. */
  readonly tookMs: number;
}

/** One per owner. */
export class LastSeen {
  #kept: (SeenTree & { readonly at: number }) | null = null;

  /** @param since when the reading began (`performance.now()`) */
  keep({ root, partial }: Observed, since: number): void {
    const at = performance.now();
    this.#kept = partial ? null : { root, tookMs: at - since, at };
  }

  /** The tree of a bound window, removed from memory, if it was read a moment ago; else null. */
  take(bound: number): SeenTree | null {
    const kept = this.peek(bound);
    this.#kept = null;
    return kept;
  }

  /** The same without removing it, for callers that only look something up. */
  peek(bound: number): SeenTree | null {
    const kept = this.#kept;
    return kept !== null && kept.root.hwnd === bound && performance.now() - kept.at < FRESH_MS ? kept : null;
  }
}

/** A window with more names than this is not read by a person; the gate learns that the list is incomplete. */
const MOST = 400;
const NAME_LENGTH = 500;
const PRESSED: ReadonlySet<ControlType> = new Set<ControlType>([...PRESSABLE, 'TabItem']);

/**
 * Buttons and fields count whether visible or not, since Tab scrolls to them; rows count only if visible, since lists
 * have thousands, or inside a closed combo box, where keys choose them unseen.
 */
function isReached(node: TreeNode, isInComboBox: boolean): boolean {
  if (node.states.has('disabled')) return false;
  return (
    PRESSED.has(node.controlType) ||
    TEXT_FIELDS.has(node.controlType) ||
    (ITEMS.has(node.controlType) && (isInComboBox || node.visible !== null))
  );
}

/**
 * Goes through what is reached until `take` says that it is enough, and then returns false. Each node below a menu is one
 * of its entries; the menu bar itself is not.
 */
function visit(
  node: TreeNode,
  isInMenu: boolean,
  isInComboBox: boolean,
  take: (reached: KeyReach) => boolean,
): boolean {
  if (isReached(node, isInComboBox)) {
    const name = node.name === '' ? (node.label ?? '') : node.name;
    const goesOn = take({
      controlType: node.controlType,
      name: name.slice(0, NAME_LENGTH),
      automationId: node.automationId.slice(0, NAME_LENGTH),
      isPassword: node.states.has('password'),
      isInMenu,
      isInComboBox: isInComboBox && ITEMS.has(node.controlType),
    });
    if (!goesOn) return false;
  }
  const holdsEntries = isInMenu || node.controlType === 'Menu' || node.controlType === 'MenuItem';
  const isInside = isInComboBox || node.controlType === 'ComboBox';
  return node.children.every((child) => visit(child, holdsEntries, isInside, take));
}

const keyOf = ({ controlType, name, automationId, isPassword, isInMenu, isInComboBox }: KeyReach): string =>
  [controlType, isPassword, isInMenu, isInComboBox, automationId, name].join('\0');

/**
 * Whether it matters what else can be reached: for keys and points, for a press on a whole list and for the wheel. An
 * action on any other element, or on the window as a whole, reaches nothing else.
 */
export function reachMatters(target: TargetSpec, node: TreeNode | null): boolean {
  if (target.kind !== 'element') return target.kind !== 'window';
  return node !== null && (target.purpose === 'scroll' ? TURNED : LISTS).has(node.controlType);
}

/** Each element once, buttons before list rows. Elements beyond the limit are not searched for. */
export function keyReach({ root, partial }: Pick<Observed, 'root' | 'partial'>): {
  reachable: KeyReach[];
  reachesMore: boolean;
} {
  const firm = new Map<string, KeyReach>();
  const rows = new Map<string, KeyReach>();
  visit(root, false, false, (each) => {
    const isRow = ITEMS.has(each.controlType);
    if (!isRow || rows.size < MOST) (isRow ? rows : firm).set(keyOf(each), each);
    return firm.size <= MOST;
  });
  return { reachable: [...firm.values(), ...rows.values()].slice(0, MOST), reachesMore: partial || firm.size > MOST };
}

/** A dialog shows its whole content; other windows may hide a menu bar until Alt is pressed, as browsers do. */
export function menuState({ root, windows }: Observed, hasDefaultButton: boolean): ElementContext['menu'] {
  if (isInMenu(threadOf(root.hwnd).thread)) return 'open';
  const isDialog = hasDefaultButton || windows.entries.get(root.hwnd)?.kind === 'dialog';
  const showsOne = user32.GetMenu(root.hwnd) !== 0 || indexOf(root).list('menus').length > 0;
  return isDialog && !showsOne ? 'none' : 'closed';
}

/** What keys can reach in a window wherever the focus is: what they may press, and fields that hide typed text. */
import {
  ITEMS,
  LISTS,
  PRESSABLE,
  TEXT_FIELDS,
  TURNED,
  type ControlType,
} from '../../../contract/element/control-types.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { ElementContext, KeyReach } from '../../../contract/element/element.ts';
import type { TargetSpec } from '../../../desktop/element.ts';
import { threadOf, isInMenu } from '../../windows/window-info.ts';
import type { Observed } from '../reading/observe.ts';
import { indexOf } from '../tree/tree-index.ts';
import type { TreeNode } from '../tree/tree.ts';

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

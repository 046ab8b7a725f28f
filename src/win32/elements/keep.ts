/** Which elements a snapshot shows. No Windows in here. */
import type { ControlType } from '../../contract/control-types.ts';
import type { TreeNode } from './tree.ts';

/** Shown for what they are, named or not: everything that can be acted on or that holds items. */
const INTERESTING: ReadonlySet<ControlType> = new Set([
  'Button',
  'Calendar',
  'CheckBox',
  'ComboBox',
  'Edit',
  'Hyperlink',
  'ListItem',
  'List',
  'Menu',
  'MenuBar',
  'MenuItem',
  'ProgressBar',
  'RadioButton',
  'ScrollBar',
  'Slider',
  'Spinner',
  'StatusBar',
  'Tab',
  'TabItem',
  'ToolBar',
  'ToolTip',
  'Tree',
  'TreeItem',
  'DataGrid',
  'DataItem',
  'Document',
  'SplitButton',
  'Window',
  'Header',
  'HeaderItem',
  'Table',
  'TitleBar',
  'Custom',
  'SemanticZoom',
  'AppBar',
]);

/** An interesting type, a name, a value, a pattern, or something interesting below. */
function isInteresting(node: TreeNode): boolean {
  if (INTERESTING.has(node.controlType))
    return node.controlType !== 'Custom' || node.name !== '' || node.source === 'window' || node.capabilities.size > 0;
  return node.name !== '' || (node.value !== null && node.value !== '') || node.capabilities.size > 0;
}

/** A list with more items than this shows a part of them. */
export const LONG_LIST = 64;

/** A closed combo box with more items than this is shown by itself alone: choices that few are known without another question. */
const FEW_CHOICES = 6;

const isClosedCombo = ({ controlType, states }: TreeNode): boolean =>
  controlType === 'ComboBox' && (states.has('collapsed') || states.has('disabled'));

export interface KeptNode {
  readonly node: TreeNode;
  readonly depth: number;
}

const ITEM_TYPES: ReadonlySet<ControlType> = new Set(['ListItem', 'DataItem', 'TreeItem']);

/** Of a closed combo box nothing, unless its choices are few; of a long list what is in view, selected or focused: the rest is for searches and tables. */
export function shownChildren(node: TreeNode): readonly TreeNode[] {
  const items = node.children.filter((child) => ITEM_TYPES.has(child.controlType));
  if (isClosedCombo(node) && items.length > FEW_CHOICES)
    return node.children.filter((child) => !ITEM_TYPES.has(child.controlType));
  const isLong = items.length > LONG_LIST;
  if (!isLong) return node.children;
  return node.children.filter(
    (child) =>
      !ITEM_TYPES.has(child.controlType) ||
      child.visible !== null ||
      child.states.has('selected') ||
      child.states.has('focused'),
  );
}

/** The nodes that are shown, in the order of the tree; the root always is. */
export function keptNodes(root: TreeNode): KeptNode[] {
  const collect = (node: TreeNode, depth: number): KeptNode[] => {
    const below = shownChildren(node).flatMap((child) => collect(child, depth + 1));
    return depth === 0 || below.length > 0 || isInteresting(node) ? [{ node, depth }, ...below] : [];
  };
  return collect(root, 0);
}

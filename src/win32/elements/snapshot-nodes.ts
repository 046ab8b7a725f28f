/** Which elements a snapshot shows. No Windows calls. */
import { ITEMS } from '../../contract/control-groups.ts';
import type { ControlType } from '../../contract/control-types.ts';
import type { TreeNode } from './tree.ts';

/** Shown whether or not they have a name: everything that can be operated or that contains items. */
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

/** An interesting type, a name, a value, a pattern, or an interesting descendant. */
function isInteresting(node: TreeNode): boolean {
  if (INTERESTING.has(node.controlType))
    return node.controlType !== 'Custom' || node.name !== '' || node.source === 'window' || node.capabilities.size > 0;
  return node.name !== '' || (node.value !== null && node.value !== '') || node.capabilities.size > 0;
}

/** A list with more items than this is shown in part. */
export const LONG_LIST = 64;

/** A closed combo box with more items than this is shown without them: only a few can be known without asking again. */
const FEW_CHOICES = 6;

const isClosedCombo = ({ controlType, states }: TreeNode): boolean =>
  controlType === 'ComboBox' && (states.has('collapsed') || states.has('disabled'));

export interface SnapshotNode {
  readonly node: TreeNode;
  readonly depth: number;
}

/**
 * Of a closed combo box nothing, unless it has few items; of a long list what is visible, selected or focused. Searches
 * and tables cover the rest.
 */
export function shownChildren(node: TreeNode): readonly TreeNode[] {
  const items = node.children.filter((child) => ITEMS.has(child.controlType));
  if (isClosedCombo(node) && items.length > FEW_CHOICES)
    return node.children.filter((child) => !ITEMS.has(child.controlType));
  const isLong = items.length > LONG_LIST;
  if (!isLong) return node.children;
  return node.children.filter(
    (child) =>
      !ITEMS.has(child.controlType) ||
      child.visible !== null ||
      child.states.has('selected') ||
      child.states.has('focused'),
  );
}

/** The shown nodes in tree order; the root is always shown. */
export function snapshotNodes(root: TreeNode): SnapshotNode[] {
  const collect = (node: TreeNode, depth: number): SnapshotNode[] => {
    const below = shownChildren(node).flatMap((child) => collect(child, depth + 1));
    return depth === 0 || below.length > 0 || isInteresting(node) ? [{ node, depth }, ...below] : [];
  };
  return collect(root, 0);
}

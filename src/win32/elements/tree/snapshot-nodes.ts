/** Which elements a snapshot shows. No Windows calls. */
import { sameRect } from '../../../contract/element/coordinates.ts';
import { comparable } from '../../../contract/element/element-words.ts';
import { ITEMS, LISTS, type ControlType } from '../../../contract/element/control-types.ts';
import type { SnapshotForm, SnapshotItems } from '../../../desktop/element.ts';
import { shownName } from './labels.ts';
import { unreadOf } from './unread.ts';
import { walk, type TreeNode } from './tree.ts';

/** Shown only with a name or something in them; all others can be operated or contain items. */
const DECORATION: ReadonlySet<ControlType> = new Set(['Image', 'Text', 'Group', 'Thumb', 'Pane', 'Separator']);

/**
 * Windows into which a program draws what other windows of it show: Chromium's.
 * Source: github.com/chromium/chromium, ui/gl/child_window_win.cc
 */
const SURFACES: ReadonlySet<string> = new Set(['intermediate d3d window']);

/** An interesting type, a name of more than blanks, a value, a pattern, or an interesting descendant. */
function isInteresting(node: TreeNode): boolean {
  if (node.controlType === 'Custom' && SURFACES.has(node.className.toLowerCase())) return false;
  if (!DECORATION.has(node.controlType))
    return node.controlType !== 'Custom' || node.name !== '' || node.source === 'window' || node.capabilities.size > 0;
  return node.name.trim() !== '' || (node.value ?? '') !== '' || node.unread !== null || node.capabilities.size > 0;
}

/** A list with more items than this is shown in part. */
export const LONG_LIST = 64;

/** What a snapshot shows of the tree. */
export interface SnapshotView {
  readonly form: SnapshotForm;
  readonly items: SnapshotItems;
  /** Levels below the root; deeper elements are counted. Absent: all. */
  readonly depth?: number | undefined;
  /** Whether lines say how a text looks. Absent: they do not. */
  readonly attributes?: true | undefined;
}
export const DEFAULT_VIEW: SnapshotView = { form: 'full', items: 'counted' };

/** An element whose items a snapshot counts or shows in part: as the root of a part, it shows them. */
export const mayBeCounted = ({ controlType }: TreeNode): boolean =>
  controlType === 'ComboBox' || LISTS.has(controlType);

const isItem = ({ controlType }: TreeNode): boolean => ITEMS.has(controlType);

const isClosedCombo = ({ controlType, states }: TreeNode): boolean =>
  controlType === 'ComboBox' && (states.has('collapsed') || states.has('disabled'));

/** It is entirely out of view, whatever its own rectangle says. */
const isOutOfView = (node: TreeNode): boolean => {
  for (const each of walk(node)) if (each.visible !== null) return false;
  return true;
};

/** The list inside a combo box, as UI Automation shows it. */
const isListOfItems = (node: TreeNode): boolean => LISTS.has(node.controlType) && node.children.every(isItem);

const itemsIn = (nodes: readonly TreeNode[]): number => {
  let count = 0;
  for (const node of nodes) for (const each of walk(node)) if (isItem(each)) count += 1;
  return count;
};

/** The children that are shown, and how many items are counted instead. */
export interface Shown {
  readonly children: readonly TreeNode[];
  /** 0: none are counted. */
  readonly counted: number;
  /** Elements below the depth that was asked for; 0 or absent: none. */
  readonly deeper?: number;
}

const NOTHING: Shown = { children: [], counted: 0 };

/**
 * The items of a closed combo box and of a list out of view are counted; of a long list, those in view, selected or
 * focused are shown. Searches and tables cover the rest, and `items: "all"` shows whatever was read.
 */
export function shownOf(node: TreeNode, { items }: SnapshotView = DEFAULT_VIEW): Shown {
  const whole: Shown = node.children.length === 0 ? NOTHING : { children: node.children, counted: 0 };
  if (items === 'all') return whole;
  if (isClosedCombo(node)) {
    const children = node.children.filter((child) => !isItem(child) && !isListOfItems(child));
    const hidden = node.children.filter((child) => !children.includes(child));
    return { children, counted: node.itemCount ?? itemsIn(hidden) };
  }
  if (LISTS.has(node.controlType) && node.visible === null && isOutOfView(node)) {
    const counted = node.itemCount ?? itemsIn(node.children);
    return counted === 0 ? whole : { children: [], counted };
  }
  if (node.children.length <= LONG_LIST || node.children.filter(isItem).length <= LONG_LIST) return whole;
  const children = node.children.filter(
    (child) => !isItem(child) || child.visible !== null || child.states.has('selected') || child.states.has('focused'),
  );
  return { children, counted: 0 };
}

export interface SnapshotNode {
  readonly node: TreeNode;
  readonly depth: number;
  readonly shown: Shown;
  /** Nothing below it is shown. */
  readonly isLeaf: boolean;
}

/** Without a name, they only hold other elements. */
const WRAPPERS: ReadonlySet<ControlType> = new Set(['Pane', 'Group', 'Custom', 'ToolBar', 'MenuBar', 'Header']);

/** A brief snapshot shows what is in it one level higher. */
const isWrapper = (node: TreeNode): boolean =>
  WRAPPERS.has(node.controlType) &&
  unreadOf(node) === null &&
  shownName(node) === '' &&
  (node.value ?? '') === '' &&
  !node.isCut &&
  !node.states.has('focused') &&
  !node.capabilities.has('scroll');

/** Texts that repeat the name of what they label or are in: a brief snapshot shows that name once. */
function repeatedTexts(parent: TreeNode, children: readonly TreeNode[]): ReadonlySet<TreeNode> {
  const texts = children.filter(
    ({ controlType, name, children: below }) => controlType === 'Text' && name !== '' && below.length === 0,
  );
  if (texts.length === 0) return new Set();
  const named = [parent, ...children].filter(({ controlType }) => controlType !== 'Text');
  const names = new Set(named.map(({ name }) => comparable(name)));
  names.delete('');
  return new Set(texts.filter(({ name, value }) => value === null && names.has(comparable(name))));
}

/** Without what is deeper than asked for, which is counted. */
function atDepth(shown: Shown, node: TreeNode, depth: number, view: SnapshotView): Shown {
  if (view.depth === undefined || depth < view.depth || shown.children.length === 0) return shown;
  const deeper = snapshotNodes(node, { form: view.form, items: view.items }).length - 1;
  return { children: [], counted: shown.counted, ...(deeper > 0 ? { deeper } : {}) };
}

/** A text in an element of the same name and place, as some toolkits show each label. */
const isSaidAgain = (parent: TreeNode, child: TreeNode): boolean =>
  child.controlType === 'Text' &&
  child.name !== '' &&
  child.name === parent.name &&
  (child.value ?? '') === '' &&
  child.children.length === 0 &&
  sameRect(child.rect, parent.rect);

function collect(node: TreeNode, depth: number, view: SnapshotView, collected: SnapshotNode[]): void {
  const isBrief = view.form === 'brief';
  const isSkipped = isBrief && depth > 0 && isWrapper(node);
  const whole = shownOf(node, view);
  const shown = isSkipped ? whole : atDepth(whole, node, depth, view);
  const { children } = shown;
  const repeated = isBrief ? repeatedTexts(node, children) : null;
  const at = collected.length;
  if (!isSkipped) collected.push({ node, depth, shown, isLeaf: true });
  const own = collected.length;
  for (const child of children)
    if (repeated?.has(child) !== true && !isSaidAgain(node, child))
      collect(child, isSkipped ? depth : depth + 1, view, collected);
  if (isSkipped) return;
  if (collected.length > own) collected[at] = { node, depth, shown, isLeaf: false };
  else if (depth > 0 && shown.deeper === undefined && !isInteresting(node)) collected.pop();
}

/** The shown nodes in tree order; the root is always shown. */
export function snapshotNodes(root: TreeNode, view: SnapshotView = DEFAULT_VIEW): SnapshotNode[] {
  const collected: SnapshotNode[] = [];
  collect(root, 0, view, collected);
  return collected;
}

/** The merged element tree of one window as plain data: what every source adds to and every action looks things up in. */
import type { ControlType, ElementState } from '../../contract/control-types.ts';
import type { ElementSource } from '../../contract/element.ts';
import { intersectRects, rectCentre, rectContains } from '../../contract/coordinates.ts';
import type { Point, Rect } from '../../contract/geometry.ts';
import { quoted } from '../../contract/quoted.ts';

/** The structured parts of the standard controls that have no window of their own. */
export type ItemKind =
  | 'list-item'
  | 'combo-item'
  | 'list-view-row'
  | 'tree-item'
  | 'tab-item'
  | 'tool-button'
  | 'status-part'
  | 'header-item'
  | 'scroll-part'
  | 'link';

/** How an action gets hold of the element again. */
export type Locator =
  | { readonly kind: 'window'; readonly hwnd: number }
  /** A part of a standard control: `handle` is what its messages name it by (index, HTREEITEM, command id). */
  | {
      readonly kind: 'item';
      readonly hwnd: number;
      readonly item: ItemKind;
      readonly index: number;
      readonly handle: number;
    }
  /** A UIA element: its RuntimeId, and the window to start from. */
  | { readonly kind: 'uia'; readonly hwnd: number; readonly runtimeId: readonly number[] }
  /** An IAccessible: child indices from the client object of a window. */
  | { readonly kind: 'msaa'; readonly hwnd: number; readonly path: readonly number[] };

/** The ways a UIA element or an IAccessible says it can be acted on. */
export type Capability =
  | 'invoke'
  | 'toggle'
  | 'selection-item'
  | 'expand-collapse'
  | 'value'
  | 'range-value'
  | 'scroll'
  | 'scroll-item'
  | 'text'
  | 'grid'
  | 'table'
  | 'window'
  | 'item-container'
  | 'legacy'
  | 'default-action';

export interface TreeNode {
  /** The same for the same element as long as it lives; never the same for two at once. */
  identity: string;
  locator: Locator;
  controlType: ControlType;
  /** As shown: without accelerator marks. */
  name: string;
  /** Null where there is none or it may not be read. */
  value: string | null;
  /** Of a text too long to be read whole: what is in view of it. */
  shown: string | null;
  automationId: string;
  className: string;
  /** Whole rectangle in screen pixels, also where it is cut. */
  rect: Rect;
  /** The part of it that its ancestors show; null = off-screen. */
  visible: Rect | null;
  /** The part in which the windows and items inside of it show, where that is less than `rect`: a window's client area. */
  clip: Rect | null;
  /** It shows outside of its ancestors, within this: an item of an open drop-down list, a dialog shown under its owner. */
  popup: Rect | null;
  /** A click on it goes to what lies under it: group boxes, plain texts. */
  letsClicksThrough: boolean;
  states: Set<ElementState>;
  source: ElementSource;
  /** The nearest window: the node's own or its control's. */
  hwnd: number;
  isDefaultButton: boolean;
  /** Another window of the same tree lies over its centre. */
  isCovered: boolean;
  capabilities: Set<Capability>;
  /** Text that stands beside a field and names it. */
  label: string | null;
  /** Of an element that nothing names: what stands next to it. Not a name; null where it has one, or nothing is near. */
  beside: string | null;
  /** The field that a spinner belongs to: its window, 0 = none. */
  buddy: number;
  /** How many items the control has where not all are among the children; null otherwise. */
  itemCount: number | null;
  /** What is below it could not be read whole: its provider failed. */
  isCut: boolean;
  children: TreeNode[];
}

export type NodeSeed = Pick<TreeNode, 'identity' | 'locator' | 'controlType' | 'rect' | 'source' | 'hwnd'> &
  Partial<TreeNode>;

/** A node with everything that was not said at its neutral value. */
export function makeNode(seed: NodeSeed): TreeNode {
  return {
    name: '',
    value: null,
    shown: null,
    automationId: '',
    className: '',
    visible: seed.rect,
    clip: null,
    popup: null,
    letsClicksThrough: false,
    states: new Set(),
    isDefaultButton: false,
    isCovered: false,
    capabilities: new Set(),
    label: null,
    beside: null,
    buddy: 0,
    itemCount: null,
    isCut: false,
    children: [],
    ...seed,
  };
}

/** As messages name it. */
export const describeNode = (node: Pick<TreeNode, 'controlType' | 'name'>): string =>
  node.name === '' ? node.controlType : `${node.controlType} ${quoted(node.name)}`;

/** Every node, parents before children, in the order of the tree. */
export function* walk(root: TreeNode): Generator<TreeNode> {
  yield root;
  for (const child of root.children) yield* walk(child);
}

/** The nodes from the root down to the one with this identity; empty when it is not there. */
export function pathTo(root: TreeNode, identity: string): TreeNode[] {
  if (root.identity === identity) return [root];
  for (const child of root.children) {
    const below = pathTo(child, identity);
    if (below.length > 0) return [root, ...below];
  }
  return [];
}

/** What belongs to them stands below or beside them, not inside. */
const HOLDS_OUTSIDE: ReadonlySet<ControlType> = new Set([
  'TreeItem',
  'ListItem',
  'MenuItem',
  'MenuBar',
  'ComboBox',
  'SplitButton',
  'Button',
  'Text',
  'Hyperlink',
  'Header',
  'HeaderItem',
]);

/** Its children may show outside of it; also a group without a rectangle of its own. */
const isOpen = (node: TreeNode): boolean =>
  node.rect.width === 0 || node.rect.height === 0 || HOLDS_OUTSIDE.has(node.controlType);

/**
 * Cuts every rectangle to what the ancestors show. What has no visible part gets the state `offscreen`; a source that
 * said so itself is believed. Windows and items show in the client area of their window alone; elements of UI Automation
 * may stand beside it: title bar, menu bar, scroll bars.
 */
export function clipToAncestors(root: TreeNode): void {
  const both = (one: Rect | null, other: Rect | null): Rect | null =>
    one === null || other === null ? null : intersectRects(one, other);
  const cut = (node: TreeNode, frame: Rect | null, client: Rect | null): void => {
    const within = node.popup ?? (node.locator.kind === 'uia' ? frame : client);
    node.visible = within === null || node.states.has('offscreen') ? null : intersectRects(node.rect, within);
    if (node.visible === null) node.states.add('offscreen');
    // Its children are cut by what is above it.
    const inner = isOpen(node) ? within : node.visible;
    const innerClient = both(inner, node.clip ?? node.popup ?? client);
    for (const child of node.children) cut(child, inner, innerClient);
  };
  cut(root, root.rect, root.rect);
}

/**
 * What a click at a point (screen pixels) reaches: the innermost node whose visible part has it. Earlier siblings lie
 * above later ones; what lets clicks through is hit only where nothing else is.
 */
export function nodeAt(root: TreeNode, point: Point): TreeNode | null {
  const isHit = root.visible !== null && rectContains(root.visible, point);
  if (!isHit && !isOpen(root)) return null;
  let through: TreeNode | null = null;
  for (const child of root.children) {
    const hit = nodeAt(child, point);
    if (hit === null) continue;
    if (!child.letsClicksThrough || hit !== child) return hit;
    through ??= hit;
  }
  return through ?? (isHit ? root : null);
}

/** Marks the leaves whose centre another one lies over. Containers are hit through their children. */
export function markCovered(root: TreeNode): void {
  for (const node of walk(root)) {
    const centre = clickPoint(node);
    if (centre === null || node.children.length > 0) continue;
    const hit = nodeAt(root, centre);
    node.isCovered = hit !== node && !(node.letsClicksThrough && hit !== null && hit.children.includes(node));
  }
}

/** Where a click on the element goes: the centre of its visible part; null when there is none. */
export function clickPoint(node: TreeNode): Point | null {
  return node.visible === null ? null : rectCentre(node.visible);
}

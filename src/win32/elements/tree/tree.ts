/**
 * The merged element tree of one window as plain data: every source adds to it and every action looks elements up in
 * it.
 */
import type { ControlType, ElementState } from '../../../contract/element/control-types.ts';
import type { ElementSource, Unread } from '../../../contract/element/element.ts';
import { intersectRects, rectCentre, rectContains } from '../../../contract/element/coordinates.ts';
import type { Point, Rect } from '../../../contract/element/geometry.ts';
import { nearby, type ByPlace } from './rect-grid.ts';

/** The structured parts of standard controls that are not windows. */
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

/** How an action finds the element again. */
export type Locator =
  | { readonly kind: 'window'; readonly hwnd: number }
  /** A part of a standard control: `handle` identifies it in the control's messages (index, HTREEITEM, command id). */
  | {
      readonly kind: 'item';
      readonly hwnd: number;
      readonly item: ItemKind;
      readonly index: number;
      readonly handle: number;
    }
  /** A UIA element: its RuntimeId, and the window to start from. */
  | {
      readonly kind: 'uia';
      readonly hwnd: number;
      readonly runtimeId: readonly number[];
      /** An earlier element of the tree gives the same RuntimeId, or the next look gives another: this one cannot be looked up. */
      readonly isShared?: true;
    }
  /** An IAccessible: child indices from the client object of a window. */
  | { readonly kind: 'msaa'; readonly hwnd: number; readonly path: readonly number[] };

/** The operations that a UIA element or an IAccessible offers. */
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
  /** Constant for the same element during its lifetime; never shared by two elements at a time. */
  identity: string;
  locator: Locator;
  controlType: ControlType;
  /** As shown: without accelerator marks. */
  name: string;
  /** Null if there is none or it must not be read. */
  value: string | null;
  /** The visible part of a text too long to read completely. */
  shown: string | null;
  automationId: string;
  className: string;
  /** Whole rectangle in screen pixels, even where it is clipped. */
  rect: Rect;
  /** The part of it that its ancestors do not clip; null = off-screen. */
  visible: Rect | null;
  /** The area that clips the windows and items inside it, if smaller than `rect`: a window's client area. */
  clip: Rect | null;
  /**
   * It is drawn outside its ancestors, within this rectangle: an item of an open drop-down list, a dialog shown under
   * its owner.
   */
  popup: Rect | null;
  /** A click on it goes to what is behind it: group boxes, static texts. */
  letsClicksThrough: boolean;
  states: Set<ElementState>;
  source: ElementSource;
  /** The nearest window: the node's own or its control's. */
  hwnd: number;
  isDefaultButton: boolean;
  /** Another window of the same tree covers its centre. */
  isCovered: boolean;
  capabilities: ReadonlySet<Capability>;
  /** Whether UI Automation shows it by one of the system's own proxies; null where that is unknown. */
  isProxied: boolean | null;
  /** Text next to a field that names it. */
  label: string | null;
  /** Description of an unnamed element by what is next to it. Not a name; null if it has one, or if nothing is near. */
  beside: string | null;
  /** Where an item without a name is among its siblings: `2 of 3`. Not a name; null if it has one. */
  place: string | null;
  /** The field that a spinner belongs to: its window, 0 = none. */
  buddy: number;
  /** The control's number of items if not all are among the children; else null. */
  itemCount: number | null;
  /** Its descendants could not be read completely: its provider failed. */
  isCut: boolean;
  /** What it shows and no source tells; null if nothing is known to be missing. */
  unread: Unread | null;
  /** Its provider gives its children new RuntimeIds at each look (Qt 6.7 does for the items of a tree or a table). */
  hasPassingIds?: true;
  children: TreeNode[];
}

export type NodeSeed = Pick<TreeNode, 'identity' | 'locator' | 'controlType' | 'rect' | 'source' | 'hwnd'> &
  Partial<TreeNode>;

const NONE: ReadonlySet<Capability> = new Set();

/** A node with neutral values for everything not given. */
export function makeNode(seed: NodeSeed): TreeNode {
  // Each by its name: to copy what the seed has costs several times as much, and a window has thousands of nodes.
  return {
    identity: seed.identity,
    locator: seed.locator,
    controlType: seed.controlType,
    name: seed.name ?? '',
    value: seed.value ?? null,
    shown: seed.shown ?? null,
    automationId: seed.automationId ?? '',
    className: seed.className ?? '',
    rect: seed.rect,
    visible: seed.visible === undefined ? seed.rect : seed.visible,
    clip: seed.clip ?? null,
    popup: seed.popup ?? null,
    letsClicksThrough: seed.letsClicksThrough ?? false,
    states: seed.states ?? new Set(),
    source: seed.source,
    hwnd: seed.hwnd,
    isDefaultButton: seed.isDefaultButton ?? false,
    isCovered: seed.isCovered ?? false,
    capabilities: seed.capabilities ?? NONE,
    isProxied: seed.isProxied ?? null,
    label: seed.label ?? null,
    beside: seed.beside ?? null,
    place: seed.place ?? null,
    buddy: seed.buddy ?? 0,
    itemCount: seed.itemCount ?? null,
    isCut: seed.isCut ?? false,
    unread: seed.unread ?? null,
    children: seed.children ?? [],
  };
}

export { describeElement as describeNode } from '../../../contract/element/element-words.ts';

function addBranch(node: TreeNode, found: TreeNode[]): void {
  found.push(node);
  for (const child of node.children) addBranch(child, found);
}

/**
 * Every node in tree order, parents before children. A list: a generator takes three times as long. What is done with
 * each node is a function of the module here and wherever trees are read: V8 drops the optimised code of a function that
 * is made for each reading with the next collection, and compiles it again in each.
 */
export function walk(root: TreeNode): readonly TreeNode[] {
  const found: TreeNode[] = [];
  addBranch(root, found);
  return found;
}

/** The same as it is now, for a comparison with what it becomes. */
export const copyOf = (node: TreeNode): TreeNode => ({
  ...node,
  states: new Set(node.states),
  children: node.children.map(copyOf),
});

/** The nodes from the root down to the one with this identity; empty if it does not exist. */
export function pathTo(root: TreeNode, identity: string): TreeNode[] {
  const path: TreeNode[] = [];
  const leadsTo = (node: TreeNode): boolean => {
    path.push(node);
    if (node.identity === identity || node.children.some(leadsTo)) return true;
    path.pop();
    return false;
  };
  leadsTo(root);
  return path;
}

/** Their children are drawn below or next to them, not inside. */
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

/** Its children may be drawn outside it; also a group without its own rectangle. */
const isOpen = (node: TreeNode): boolean =>
  node.rect.width === 0 || node.rect.height === 0 || HOLDS_OUTSIDE.has(node.controlType);

/** Most are in view as a whole: no second rectangle is made for them. */
const partWithin = (rect: Rect, frame: Rect): Rect | null =>
  isWithin(rect, frame) ? rect : intersectRects(rect, frame);

const isWithin = ({ x, y, width, height }: Rect, frame: Rect): boolean =>
  width > 0 &&
  height > 0 &&
  x >= frame.x &&
  y >= frame.y &&
  x + width <= frame.x + frame.width &&
  y + height <= frame.y + frame.height;

const both = (one: Rect | null, other: Rect | null): Rect | null =>
  one === null || other === null ? null : intersectRects(one, other);

function clipBranch(node: TreeNode, frame: Rect | null, client: Rect | null): void {
  const within = node.popup ?? (node.locator.kind === 'uia' ? frame : client);
  node.visible = within === null || node.states.has('offscreen') ? null : partWithin(node.rect, within);
  if (node.visible === null) node.states.add('offscreen');
  // Its children are clipped by its ancestors.
  const inner = isOpen(node) ? within : node.visible;
  const innerClient = both(inner, node.clip ?? node.popup ?? client);
  for (const child of node.children) clipBranch(child, inner, innerClient);
}

/**
 * Clips every rectangle to its ancestors. A node without a visible part gets the state `offscreen`, and a node that its
 * source marks so keeps it. Windows and items are clipped to the client area of their window; elements of UI Automation
 * may be outside it: title bar, menu bar, scroll bars.
 * @param frame what the root’s own ancestors leave of it
 */
export function clipToAncestors(root: TreeNode, frame: Rect | null = root.rect): void {
  clipBranch(root, frame, frame);
}

/** The children of a node that may be at a point, in their order. */
export type ChildrenAt = (node: TreeNode, point: Point) => readonly TreeNode[];
const allChildren: ChildrenAt = ({ children }) => children;

/** For many points of one tree: in a node with many children only the children at the place are visited. */
export function childrenByPlace(): ChildrenAt {
  const known = new Map<TreeNode, ByPlace<TreeNode>>();
  return (node, { x, y }) => {
    let children = known.get(node);
    if (children === undefined)
      known.set(
        node,
        (children = nearby(node.children, (child) =>
          child.children.length > 0 && isOpen(child) ? 'everywhere' : child.visible,
        )),
      );
    return children.near({ x, y, width: 0, height: 0 });
  };
}

/**
 * What a click at a point (screen pixels) reaches: the innermost node whose visible part contains it. Earlier siblings
 * cover later ones; an element that lets clicks through is hit only where nothing else is.
 */
export function nodeAt(root: TreeNode, point: Point, below: ChildrenAt = allChildren): TreeNode | null {
  const isHit = root.visible !== null && rectContains(root.visible, point);
  if (!isHit && !isOpen(root)) return null;
  let through: TreeNode | null = null;
  for (const child of below(root, point)) {
    const hit = nodeAt(child, point, below);
    if (hit === null) continue;
    if (!child.letsClicksThrough || hit !== child) return hit;
    through ??= hit;
  }
  return through ?? (isHit ? root : null);
}

/** Marks the leaves whose centre another one covers. Containers are hit through their children. */
export function markCovered(root: TreeNode): void {
  const below = childrenByPlace();
  for (const node of walk(root)) {
    const centre = clickPoint(node);
    if (centre === null || node.children.length > 0) continue;
    const hit = nodeAt(root, centre, below);
    node.isCovered = hit !== node && !(node.letsClicksThrough && hit !== null && hit.children.includes(node));
  }
}

/** Where a click on the element goes: the centre of its visible part; null if it has none. */
export function clickPoint(node: TreeNode): Point | null {
  return node.visible === null ? null : rectCentre(node.visible);
}

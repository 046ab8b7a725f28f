/**
 * Finds nodes of a tree without going through all of it: by place, and by what actions ask for again and again. It is made
 * once for a tree and kept with it, so that the price of an action does not grow with its window. No Windows calls.
 */
import { PRESSABLE } from '../../contract/control-groups.ts';
import type { ControlType } from '../../contract/control-types.ts';
import type { Point } from '../../contract/geometry.ts';
import { nearby, type ByPlace } from './rect-grid.ts';
import { childrenByPlace, clipToAncestors, nodeAt, walk, type TreeNode } from './tree.ts';

const FIELDS: ReadonlySet<ControlType> = new Set<ControlType>(['Edit', 'Document']);
/** Drawn and named by a program that does not declare it as text: MSAA knows no better. */
const DRAWN: ReadonlySet<ControlType> = new Set<ControlType>(['Pane', 'Custom', 'Group', 'Image']);

const isField = ({ controlType }: TreeNode): boolean => FIELDS.has(controlType);

/** What is asked for again and again. A node that changes is noted by `update`. */
const LISTS = {
  focused: ({ states }: TreeNode) => states.has('focused'),
  default: ({ isDefaultButton }: TreeNode) => isDefaultButton,
  pressable: ({ controlType }: TreeNode) => PRESSABLE.has(controlType),
  menus: ({ controlType }: TreeNode) => controlType === 'MenuItem' || controlType === 'MenuBar',
  groups: ({ controlType, visible }: TreeNode) => controlType === 'Group' && visible !== null,
  /** Fields that take text now. */
  fields: (node: TreeNode) => isField(node) && node.visible !== null && !node.states.has('disabled'),
  /** Where a browser shows the address of its page. */
  bars: ({ controlType }: TreeNode) => controlType === 'Edit' || controlType === 'ComboBox',
  documents: ({ controlType, source }: TreeNode) => controlType === 'Document' && source === 'uia',
  statusBars: ({ controlType, visible }: TreeNode) => controlType === 'StatusBar' && visible !== null,
  /** What the window may be asking: texts, fields that only show, and what is drawn. */
  questions: (node: TreeNode) =>
    node.visible !== null &&
    (node.controlType === 'Text' ||
      (isField(node) && (node.states.has('readonly') || node.controlType === 'Document')) ||
      (node.source === 'msaa' && DRAWN.has(node.controlType) && !node.capabilities.has('default-action'))),
} satisfies Record<string, (node: TreeNode) => boolean>;
export type NodeList = keyof typeof LISTS;
const NAMES = Object.keys(LISTS) as NodeList[];

export class TreeIndex {
  readonly root: TreeNode;
  /** Every node in tree order. */
  readonly all: readonly TreeNode[];
  readonly #order = new Map<TreeNode, number>();
  readonly #parents = new Map<TreeNode, TreeNode>();
  readonly #lists: Record<NodeList, TreeNode[]>;
  readonly #derived = new Map<string, unknown>();
  /** Where the tree was when it was made: one that moves as a whole keeps its index. */
  readonly #origin: Point;

  constructor(root: TreeNode) {
    this.root = root;
    this.#origin = { x: root.rect.x, y: root.rect.y };
    this.all = walk(root);
    this.#lists = Object.fromEntries(NAMES.map((name) => [name, []])) as unknown as Record<NodeList, TreeNode[]>;
    for (const [at, node] of this.all.entries()) {
      this.#order.set(node, at);
      for (const child of node.children) this.#parents.set(child, node);
      for (const name of NAMES) if (LISTS[name](node)) this.#lists[name].push(node);
    }
  }

  /** In tree order. */
  list(name: NodeList): readonly TreeNode[] {
    return this.#lists[name];
  }

  has(node: TreeNode): boolean {
    return this.#order.has(node);
  }

  parentOf(node: TreeNode): TreeNode | null {
    return this.#parents.get(node) ?? null;
  }

  /** From the root down to the node. */
  pathTo(node: TreeNode): TreeNode[] {
    const path = [node];
    for (let above = this.parentOf(node); above !== null; above = this.parentOf(above)) path.push(above);
    return path.reverse();
  }

  inOrder(nodes: readonly TreeNode[]): TreeNode[] {
    return [...nodes].sort((one, other) => this.#order.get(one)! - this.#order.get(other)!);
  }

  /** What is in view, by its place. */
  get inView(): ByPlace<TreeNode> {
    return this.#byPlace(
      this.derived('in view', (all) =>
        nearby(
          all.filter(({ visible }) => visible !== null),
          ({ visible }) => visible,
        ),
      ),
    );
  }

  /** Groups in view, by their whole rectangles. */
  get groups(): ByPlace<TreeNode> {
    return this.#byPlace(this.derived('groups', () => nearby(this.list('groups'), ({ rect }) => rect)));
  }

  /** What a click at a point reaches (`nodeAt`). */
  at(point: Point): TreeNode | null {
    const below = this.derived('below', () => childrenByPlace());
    return nodeAt(this.root, point, (node, at) => below(node, this.#then(at)));
  }

  #byPlace(then: ByPlace<TreeNode>): ByPlace<TreeNode> {
    return {
      near: (place) => then.near(this.#then(place)),
      nearest: (place) => then.nearest(this.#then(place)),
    };
  }

  /** Where a place was when the index was made. */
  #then<T extends Point>(place: T): T {
    const { x, y } = this.root.rect;
    return { ...place, x: place.x - x + this.#origin.x, y: place.y - y + this.#origin.y };
  }

  /** What follows from the nodes' types, places and labels alone; it is made when it is first asked for. */
  derived<T>(name: string, make: (all: readonly TreeNode[]) => T): T {
    if (!this.#derived.has(name)) this.#derived.set(name, make(this.all));
    return this.#derived.get(name) as T;
  }

  /** Notes that a node's states, value or default mark may have changed. */
  update(node: TreeNode): void {
    const order = this.#order.get(node);
    if (order === undefined) return;
    for (const name of NAMES) {
      const list = this.#lists[name];
      const at = this.#placeIn(list, order);
      const isIn = list[at] === node;
      if (isIn === LISTS[name](node)) continue;
      if (isIn) list.splice(at, 1);
      else list.splice(at, 0, node);
    }
  }

  /** The index of the first node of a list that is not before this place in the tree. */
  #placeIn(list: readonly TreeNode[], order: number): number {
    let [from, to] = [0, list.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#order.get(list[middle]!)! < order) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

const indexes = new WeakMap<TreeNode, TreeIndex>();

/** The index of a tree. A change of nodes of a tree that may have one is noted: by `update`, or by `forgetIndex`. */
export function indexOf(root: TreeNode): TreeIndex {
  let index = indexes.get(root);
  if (index === undefined) indexes.set(root, (index = new TreeIndex(root)));
  return index;
}

/** Nodes came, went or moved within the tree: the index is made again when it is next needed. */
export function forgetIndex(root: TreeNode): void {
  indexes.delete(root);
}

/** Clips a tree to which nodes were added, or in which some moved. */
export function clipAgain(root: TreeNode): void {
  clipToAncestors(root);
  forgetIndex(root);
}

/**
 * Finds nodes of a tree without going through all of it: by place, and by frequent questions of actions. It is made
 * once for a tree and kept with it, so that the cost of an action does not grow with its window. No Windows calls.
 */
import { PRESSABLE, type ControlType } from '../../../contract/element/control-types.ts';
import type { Point } from '../../../contract/element/geometry.ts';
import { nearby, type ByPlace } from './rect-grid.ts';
import { childrenByPlace, clipToAncestors, nodeAt, type TreeNode } from './tree.ts';

export const FIELDS: ReadonlySet<ControlType> = new Set<ControlType>(['Edit', 'Document']);
/** Drawn and named by a program that does not declare it as text: MSAA knows no better. */
export const DRAWN: ReadonlySet<ControlType> = new Set<ControlType>(['Pane', 'Custom', 'Group', 'Image']);
const MENUS: ReadonlySet<ControlType> = new Set<ControlType>(['MenuItem', 'MenuBar']);
const BARS: ReadonlySet<ControlType> = new Set<ControlType>(['Edit', 'ComboBox']);

const always = (): boolean => true;
const isInView = ({ visible }: TreeNode): boolean => visible !== null;

/** Cached answers: the types that a list can contain, and which of them are in it. */
const LISTS = {
  focused: [null, ({ states }: TreeNode) => states.has('focused')],
  default: [null, ({ isDefaultButton }: TreeNode) => isDefaultButton],
  pressable: [PRESSABLE, always],
  menus: [MENUS, always],
  groups: [new Set<ControlType>(['Group']), isInView],
  /** Fields that take text now. */
  fields: [FIELDS, (node: TreeNode) => isInView(node) && !node.states.has('disabled')],
  /** Where a browser shows the address of its page. */
  bars: [BARS, always],
  documents: [new Set<ControlType>(['Document']), ({ source }: TreeNode) => source === 'uia'],
  statusBars: [new Set<ControlType>(['StatusBar']), isInView],
  /** What the window may be asking: texts, fields that only show, documents and what is drawn. */
  questions: [
    new Set<ControlType>(['Text', ...FIELDS, ...DRAWN]),
    (node: TreeNode) =>
      isInView(node) &&
      (DRAWN.has(node.controlType)
        ? node.source === 'msaa' && !node.capabilities.has('default-action')
        : node.controlType !== 'Edit' || node.states.has('readonly')),
  ],
} satisfies Record<string, readonly [ReadonlySet<ControlType> | null, (node: TreeNode) => boolean]>;
export type NodeList = keyof typeof LISTS;
const NAMES = Object.keys(LISTS) as NodeList[];

const namesByType = new Map<ControlType, readonly NodeList[]>();
/** The lists that can contain a node of this type. */
function namesFor(controlType: ControlType): readonly NodeList[] {
  let names = namesByType.get(controlType);
  if (names === undefined) {
    names = NAMES.filter((name) => LISTS[name][0]?.has(controlType) ?? true);
    namesByType.set(controlType, names);
  }
  return names;
}

const isListed = (name: NodeList, node: TreeNode): boolean => LISTS[name][1](node);

export class TreeIndex {
  readonly root: TreeNode;
  /** Every node in tree order. */
  readonly all: readonly TreeNode[];
  readonly #order = new Map<TreeNode, number>();
  /** The place of each node's parent in `all`. */
  readonly #parents: number[] = [];
  /** A map: V8 gives an object that is made of names a shape of its own, and compiles again what depends on it. */
  readonly #lists = new Map<NodeList, TreeNode[]>(NAMES.map((name) => [name, []]));
  readonly #derived = new Map<string, unknown>();
  /** Where the tree was when it was made: a tree that moves as a whole keeps its index. */
  readonly #origin: Point;

  constructor(root: TreeNode) {
    this.root = root;
    this.#origin = { x: root.rect.x, y: root.rect.y };
    const all: TreeNode[] = [];
    this.#add(root, -1, all);
    this.all = all;
  }

  #add(node: TreeNode, parent: number, all: TreeNode[]): void {
    const at = all.length;
    all.push(node);
    this.#parents.push(parent);
    this.#order.set(node, at);
    for (const name of namesFor(node.controlType)) if (isListed(name, node)) this.#lists.get(name)!.push(node);
    for (const child of node.children) this.#add(child, at, all);
  }

  /** In tree order. */
  list(name: NodeList): readonly TreeNode[] {
    return this.#lists.get(name)!;
  }

  parentOf(node: TreeNode): TreeNode | null {
    const order = this.#order.get(node);
    return order === undefined ? null : (this.all[this.#parents[order]!] ?? null);
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
    for (const name of namesFor(node.controlType)) {
      const list = this.#lists.get(name)!;
      const at = this.#placeIn(list, order);
      const isIn = list[at] === node;
      if (isIn === isListed(name, node)) continue;
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

/** The target of keys as an element: the part of the window, and its focused item. */
import type { ControlType } from '../../../contract/element/control-types.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import { refOf } from './locate.ts';
import type { RefBook } from './refs.ts';
import { indexOf } from '../tree/tree-index.ts';
import type { Observed } from '../reading/observe.ts';
import type { TreeNode } from '../tree/tree.ts';

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

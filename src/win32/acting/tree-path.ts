/** Finds a tree item by its path: branches are expanded on the way, since many programs fill them only then. */
import type { ElementTarget } from '../elements/finding/element-target.ts';
import { readWindow, type Observed } from '../elements/reading/observe.ts';
import { pathTo, type TreeNode } from '../elements/tree/tree.ts';
import { attachItems, describeNode } from '../elements/finding/locate.ts';
import { expand } from '../exits/patterns.ts';
import { attempt } from '../elements/sources/patterns.ts';
import { noteTouch } from '../exits/leaving.ts';
import { inSlices, waitForProgram } from '../windows/waiting.ts';
import { RemoteBlocks } from '../elements/tree/remote-memory.ts';
import { openItems } from '../drivers/index.ts';
import { itemsBelow, openBranch, type TreeItem } from '../drivers/tree-view.ts';
import type { PathPart } from '../../contract/element/element-words.ts';
import { stepAmong, type Step } from '../elements/finding/query.ts';
import { ambiguousItem } from './choose-item.ts';
import { isMessageTree, type FoundItem } from './choose-unread.ts';
import { elementOf } from '../elements/finding/element-target.ts';

/** Part of the deadline (ms) reserved for selecting the item. */
const SELECT_RESERVE_MS = 2500;
const WHICH =
  'Expand the branch that is meant (double-click it, or select it and press right), then choose its item by the ref that a snapshot gives.';

/**
 * False if it cannot be expanded: nothing new is below it then. Errors: target_disabled, element_stale, window_hung.
 */
async function open(target: ElementTarget, observed: Observed, item: TreeNode): Promise<boolean> {
  using element = elementOf({ ...target, node: item, located: { node: item, observed } });
  if (element === null || !item.capabilities.has('expand-collapse')) return false;
  return (
    (await attempt('uia-expand-collapse', 'Expand', () => expand(element), describeNode(item))).result === 'delivered'
  );
}

/**
 * Null if some part of the path does not exist.
 * Errors: target_ambiguous where several branches or items have a name of the path.
 * @param mayOpen false: no branch is expanded, and items in collapsed ones are found only if they can be read there
 */
export async function openTreePath(
  target: ElementTarget,
  tree: TreeNode,
  observed: Observed,
  parts: readonly PathPart[],
  mayOpen = true,
): Promise<FoundItem | null> {
  return isMessageTree(tree, observed)
    ? openByMessages(target, tree, observed, parts, mayOpen)
    : openByNodes(target, tree, observed, parts, mayOpen);
}

/** The only item that a step leads to; null if there is none. */
function onlyOne<T>({ description }: ElementTarget, { found }: Step<T>, nameOf: (item: T) => string): T | null {
  if (found.length < 2) return found[0] ?? null;
  const names = found.map(nameOf);
  throw ambiguousItem(description, names[0]!, names, 'TreeItem', WHICH);
}

/** How long (ms) a program may take to put the items into a branch, or in place of a single item that stands for them. */
const FILLED_MS = 1000;

/** Level by level, whatever else the tree contains. */
async function openByMessages(
  target: ElementTarget,
  tree: TreeNode,
  observed: Observed,
  parts: readonly PathPart[],
  mayOpen: boolean,
): Promise<FoundItem | null> {
  const entry = observed.windows.entries.get(tree.hwnd)!;
  const budgetMs = target.deadline.remaining(SELECT_RESERVE_MS);
  using items = openItems(entry, tree, budgetMs, target.tools.read.remoteControlMemory);
  using blocks = new RemoteBlocks(target.tools.read.remoteControlMemory);
  const memory = blocks.for(tree.hwnd);
  if (items === null || memory === null) return null;
  const { asker, list } = items;
  const below = async (above: number): Promise<TreeItem[]> => {
    const level: TreeItem[] = [];
    await inSlices(itemsBelow(asker, memory, entry.info, above), target.call, (item) => {
      level.push(item);
    });
    return asker.isPartial ? [] : level;
  };
  let above = 0;
  for (let at = 0; at < parts.length;) {
    let step = stepAmong(await below(above), ({ text }) => text, parts, at);
    if (step.found.length === 0 && above !== 0 && mayOpen) {
      openBranch(asker, tree.hwnd, above);
      const isFilled = async (): Promise<true | null> => {
        const level = await below(above);
        step = stepAmong(level, ({ text }) => text, parts, at);
        return step.found.length > 0 || level.length > 1 ? true : null;
      };
      const atMostMs = target.deadline.share(FILLED_MS, SELECT_RESERVE_MS);
      const { call } = target;
      const within = { hwnd: tree.hwnd, withinMs: FILLED_MS, atMostMs, everyMs: 50, call } as const;
      await waitForProgram(isFilled, { ...within, delivery: 'unknown' });
    }
    const item = onlyOne(target, step, ({ text }) => text);
    if (item === null) return null;
    above = item.handle;
    at += step.parts;
  }
  const branch = list.branch({ index: 0, handle: above });
  if (branch === null) return null;
  attachItems(observed.root, tree, [branch]);
  return { node: pathTo(tree, branch.at(-1)!.identity).at(-1)!, observed };
}

async function openByNodes(
  target: ElementTarget,
  container: TreeNode,
  seen: Observed,
  parts: readonly PathPart[],
  mayOpen: boolean,
): Promise<FoundItem | null> {
  let [observed, at]: [Observed, TreeNode | undefined] = [seen, container];
  for (let place = 0; place < parts.length;) {
    if (at === undefined) return null;
    let step: Step<TreeNode> = stepAmong(at.children, ({ name }) => name, parts, place);
    if (step.found.length === 0 && at !== container && mayOpen) {
      const { identity, states } = at;
      if (!(await open(target, observed, at))) return null;
      if (!states.has('expanded')) noteTouch();
      observed = readWindow(target.record, { ...target.tools.read, only: target.node.hwnd });
      at = pathTo(observed.root, identity).at(-1);
      step = stepAmong(at?.children ?? [], ({ name }) => name, parts, place);
    }
    const item = onlyOne(target, step, ({ name }) => name);
    if (item === null) return null;
    at = item;
    place += step.parts;
  }
  return at === undefined ? null : { node: at, observed };
}

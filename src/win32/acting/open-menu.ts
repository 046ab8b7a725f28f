/**
 * Finds a menu entry by its path through UI Automation: each menu on the path is expanded if its entries do not exist
 * yet.
 */
import { type PathPart, pathText } from '../../contract/element/element-words.ts';
import { ComError } from '../../../native-bindings/com/hresult.ts';
import type { ChosenItem } from '../../contract/element/element.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { pause, inSlices, waitForProgram } from '../windows/waiting.ts';
import { describeNode, refOf, attachItems } from '../elements/finding/locate.ts';
import { readWindow, type Observed } from '../elements/reading/observe.ts';
import { collapse, expand } from '../exits/patterns.ts';
import { attempt } from '../elements/sources/patterns.ts';
import { readAutomation } from '../elements/sources/automation.ts';
import { Asker } from '../windows/ask.ts';
import { walk, type TreeNode, pathTo } from '../elements/tree/tree.ts';
import { classNameOf, MENU_CLASS, topWindowsOf } from '../windows/window-info.ts';
import { stepAmong, type Step } from '../elements/finding/query.ts';
import { chosenOf, ambiguousItem } from './choose-item.ts';
import { elementOf, type ElementTarget } from '../elements/finding/element-target.ts';
import { noteTouch } from '../exits/leaving.ts';
import { RemoteBlocks } from '../elements/tree/remote-memory.ts';
import { openItems } from '../drivers/index.ts';
import { itemsBelow, openBranch, type TreeItem } from '../drivers/tree-view.ts';
import { isMessageTree, type FoundItem } from './choose-unread.ts';

/** Menus open with an animation. */
const OPEN_MS = 1000;
/** How often (ms) the tree is read for the entries of an opening menu. */
const MENU_POLL_MS = 50;

/** Entries of a menu, wherever UI Automation attaches it in the tree. */
function entriesOf(root: TreeNode): TreeNode[] {
  return walk(root).filter((node) => node !== root && node.controlType === 'MenuItem');
}

/** Entries directly in a menu bar, or in the bound window if that is a menu. */
export function barEntries(root: TreeNode): TreeNode[] {
  if (root.controlType === 'Menu') return root.children.filter((child) => child.controlType === 'MenuItem');
  return walk(root)
    .filter((node) => node.controlType === 'MenuBar')
    .flatMap((bar) => bar.children.filter((child) => child.controlType === 'MenuItem'));
}

/** Entries directly below an entry, as far as they exist. */
export const entriesInside = (entry: TreeNode): TreeNode[] =>
  entry.children.flatMap((child) =>
    child.controlType === 'MenuItem' ? [child] : child.children.filter((below) => below.controlType === 'MenuItem'),
  );

/** Open menus that are separate windows. */
function openMenus(target: ElementTarget): TreeNode[] {
  const { automation } = target.tools.read;
  if (automation === null) return [];
  const asker = new Asker(target.deadline.share(OPEN_MS));
  return topWindowsOf(target.record.pid)
    .filter((hwnd) => classNameOf(hwnd) === MENU_CLASS)
    .map((hwnd) => readAutomation(automation, hwnd, asker))
    .filter((tree) => tree !== null);
}

const withNode = (target: ElementTarget, observed: Observed, node: TreeNode): ElementTarget => ({
  ...target,
  node,
  located: { node, observed },
  ref: refOf(target.tools.refs, target.root, node),
  description: describeNode(node),
});

/** False if the program refused to open it. Errors: target_disabled, element_stale, window_hung. */
async function expandEntry(target: ElementTarget): Promise<boolean> {
  using element = elementOf(target);
  if (element === null) return true;
  const { result } = await attempt('uia-expand-collapse', 'Expand', () => expand(element), target.description);
  return result === 'delivered' || result === 'not_applicable';
}

/** Closes what was opened when the path turns out wrong. A failure to close changes nothing about that. */
async function closeEntry(target: ElementTarget | null): Promise<void> {
  if (target === null) return;
  try {
    using element = elementOf(target);
    if (element !== null) await collapse(element);
  } catch (error) {
    if (!(error instanceof ComError || error instanceof UiaHostError)) throw error;
  }
}

/** The entries below an expanded one: its own children, else those of the menu that appeared. */
async function entriesBelow(target: ElementTarget): Promise<{ observed: Observed; entries: TreeNode[] }> {
  const until = performance.now() + target.deadline.share(OPEN_MS);
  for (;;) {
    const observed = readWindow(target.record, target.tools.read);
    const own = walk(observed.root).find((node) => node.identity === target.node.identity);
    const entries = own === undefined ? [] : entriesInside(own);
    if (entries.length > 0) return { observed, entries };
    const popped = openMenus(target).flatMap(entriesOf);
    if (popped.length > 0 || performance.now() >= until) return { observed, entries: popped };
    await pause(MENU_POLL_MS, target.call, 'unknown');
  }
}

/**
 * The last entry of the path as a target; null if UI Automation exposes no menu bar here, or a menu that it cannot
 * open.
 * @param check inspects the entries on the path once all are known; if it throws, the menu is closed again
 * Errors: target_not_found, target_ambiguous, target_disabled.
 */
export async function openMenuPath(
  target: ElementTarget,
  path: readonly PathPart[],
  check: (way: readonly ChosenItem[]) => void,
): Promise<ElementTarget | null> {
  let observed = readWindow(target.record, target.tools.read);
  let entries = barEntries(observed.root).filter((entry) => entry.source === 'uia');
  if (entries.length === 0 || target.tools.read.automation?.abilities.patterns !== true) return null;
  let opened: ElementTarget | null = null;
  const way: ChosenItem[] = [];
  for (let depth = 0; depth < path.length;) {
    const { parts, found } = stepAmong(entries, (one) => one.name, path, depth, true);
    const name = pathText(path.slice(depth, depth + parts));
    const [entry] = found;
    if (entry === undefined || found.length > 1 || entry.states.has('disabled')) {
      await closeEntry(opened);
      throw noEntry(name, entry, found.length, entries);
    }
    const here = withNode(target, observed, entry);
    way.push(chosenOf(entry));
    depth += parts;
    if (depth === path.length) {
      try {
        check(way);
      } catch (error) {
        await closeEntry(opened);
        throw error;
      }
      return here;
    }
    if (!(await expandEntry(here))) {
      await closeEntry(opened);
      return null;
    }
    opened ??= here;
    ({ observed, entries } = await entriesBelow(here));
  }
  return null;
}

function noEntry(name: string, entry: TreeNode | undefined, count: number, entries: readonly TreeNode[]): UiaHostError {
  if (entry === undefined)
    return new UiaHostError('target_not_found', `The menu has no entry ${quoted(name)}. Nothing was chosen.`, {
      suggestions: entries.slice(0, 20).map((one) => one.name),
    });
  if (count > 1)
    return new UiaHostError('target_ambiguous', `The menu has ${count} entries ${quoted(name)}. Nothing was chosen.`);
  return new UiaHostError('target_disabled', `The menu entry ${quoted(name)} is disabled. Nothing was chosen.`);
}

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

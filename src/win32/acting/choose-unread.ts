/**
 * Finds an item of a partly read control by the means that the control offers, within the action's time, without
 * guessing.
 */
import { ComError } from '../../../native-bindings/com/hresult.ts';
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import type { WantedItem } from '../../contract/element/element.ts';
import type { ItemChoice } from '../../desktop/index.ts';
import { inSlices } from '../windows/waiting.ts';
import { attachItems } from '../elements/finding/locate.ts';
import { readPatiently, type Observed } from '../elements/reading/observe.ts';
import { itemNamed, itemsInside } from '../elements/sources/grid-patterns.ts';
import { realizeItem } from '../elements/sources/patterns.ts';
import { bestOf, rankName, spelt } from '../elements/finding/query.ts';
import { findByName, findExact, itemsFrom, type NamedItems } from '../elements/finding/query.ts';
import type { ListedItem } from '../drivers/driver.ts';
import { openItems, type OpenItems } from '../drivers/index.ts';
import { SMALL_TREE } from '../drivers/tree-view.ts';
import { pathTo, type TreeNode } from '../elements/tree/tree.ts';
import { ambiguousItem, bestNamed, itemsOf, noItem, noSuchIndex, requireTexts, unreadItems } from './choose-item.ts';
import { elementOf, type ElementTarget } from '../elements/finding/element-target.ts';
import { quoted } from '../../contract/json/quoted.ts';

/** An item and the tree that contains it. */
export interface FoundItem {
  readonly node: TreeNode;
  readonly observed: Observed;
}

/** Share of an action's time for the search; the rest is for selecting the item and checking it. */
const SEARCH_SHARE = 0.6;

/** Lists that virtualise their items; of a tree, only its first level is reported that way. */
export const virtualizesItems = ({ capabilities, controlType }: TreeNode): boolean =>
  capabilities.has('item-container') && controlType !== 'Tree';

/** Whether its own messages counted its items, whatever else of the window was not read. */
const isCounted = ({ children }: TreeNode): boolean =>
  children.some(({ locator }) => locator.kind === 'item' && /^(?:list|combo)-item$/.test(locator.item));

/** Whether items may be missing from the tree. */
export const isReadInPart = (container: TreeNode, observed: Observed): boolean =>
  container.itemCount !== null || virtualizesItems(container) || (observed.partial && !isCounted(container));

/** A tree that is read by its own messages: items in collapsed branches are not among its nodes. */
export function isMessageTree(container: TreeNode, observed: Observed): boolean {
  return (
    container.locator.kind === 'window' &&
    observed.windows.entries.get(container.hwnd)?.kind === 'tree-view' &&
    !container.children.some(({ locator }) => locator.kind === 'uia')
  );
}

/**
 * Null where the control offers no way to read its items one by one.
 * @param mayMake false: an item that is not loaded yet stays so, and the result is null
 * Errors: target_not_found if all items were read, target_ambiguous, deadline_exceeded if some are unknown.
 */
export async function chooseUnread(
  target: ElementTarget,
  container: TreeNode,
  observed: Observed,
  wanted: ItemChoice,
  mayMake = true,
): Promise<FoundItem | null> {
  const entry = container.locator.kind === 'window' ? observed.windows.entries.get(container.hwnd) : undefined;
  const searchMs = target.deadline.remaining() * SEARCH_SHARE;
  const shown = container.children.some(({ locator }) => locator.kind === 'uia') ? exactIn(container, wanted) : null;
  if (shown !== null) return { node: shown, observed };
  if (!mayMake && virtualizesItems(container)) return null;
  const made = virtualizesItems(container) ? await inContainer(target, container, wanted, searchMs) : null;
  if (made !== null) return made;
  using items =
    entry === undefined ? null : openItems(entry, container, searchMs, target.tools.read.remoteControlMemory);
  return items === null ? null : await inList(target, { node: container, observed }, items, wanted, mayMake);
}

/** The only item in the tree with exactly this name. */
function exactIn(container: TreeNode, { name }: WantedItem): TreeNode | null {
  const named = name === undefined ? [] : bestNamed(itemsOf(container), name);
  // A row's first cell often repeats the row's name.
  const found = named.filter((node) => !named.some((row) => row !== node && pathTo(row, node.identity).length > 0));
  return found.length === 1 && rankName(name!, [found[0]!.name]) === 'exact' ? found[0]! : null;
}

async function inList(
  target: ElementTarget,
  { node: container, observed }: FoundItem,
  items: OpenItems,
  wanted: ItemChoice,
  isPlaced: boolean,
): Promise<FoundItem> {
  const { description } = target;
  const { list } = items;
  requireTexts(description, wanted, list.isDrawn === true);
  const chosen =
    stillJudged(container, items, wanted) ??
    (wanted.index === undefined
      ? await named(target, { node: container, observed }, items, wanted.name ?? '')
      : await atIndex(target, items, wanted.index));
  if ('observed' in chosen) return chosen;
  // To be judged, it need not be known where it is.
  if (!isPlaced && list.row !== undefined) return { node: list.row(chosen), observed };
  const branch = list.branch(chosen);
  const last = branch?.at(-1);
  if (branch === null || last === undefined || last.name !== chosen.name)
    throw unreadItems(
      `Item ${chosen.index} of ${description} could not be read`,
      'it changed or did not answer in time',
    );
  attachItems(observed.root, container, [branch]);
  return { node: pathTo(container, last.identity).at(-1)!, observed };
}

/** The item that the gate was given a moment ago, if it is still there: it was searched for then. */
function stillJudged(container: TreeNode, { list }: OpenItems, { judged, index }: ItemChoice): ListedItem | null {
  const identity = judged?.at(-1)?.identity ?? '';
  const prefix = `${container.identity}/`;
  const item = identity.startsWith(prefix) ? (list.known?.(identity.slice(prefix.length)) ?? null) : null;
  return item === null || (index !== undefined && item.index !== index) ? null : item;
}

async function atIndex({ call, description }: ElementTarget, { list }: OpenItems, index: number): Promise<ListedItem> {
  if (index >= list.count) throw noSuchIndex(description, list.count, index);
  let found: ListedItem | null = list.at?.(index) ?? null;
  if (list.at === undefined)
    await itemsFrom(list, index, 1, call, (item) => {
      found = item;
    });
  if (found === null)
    throw unreadItems(
      `Item ${index} of ${description} was not reached`,
      `time ran out in a list of ${list.count} items`,
    );
  return found;
}

/** The items in view, read now: those of the container may have been left out, or kept from an earlier reading. */
function itemsInView(
  { record, tools: { read } }: ElementTarget,
  container: FoundItem,
  { list }: OpenItems,
  name: string,
): { readonly names: readonly string[]; readonly exact: ListedItem | FoundItem | null } {
  const rows = list.shown?.();
  if (rows !== undefined) {
    const fitting = rows.filter((row) => rankName(name, [row.name]) === 'exact');
    const exact = spelt(fitting, (row) => row.name, name);
    return { names: rows.map((row) => row.name), exact: exact.length === 1 ? exact[0]! : null };
  }
  const observed = readPatiently(record, { ...read, omitsRows: false, only: container.node.hwnd });
  const shown = pathTo(observed.root, container.node.identity).at(-1) ?? container.node;
  const exact = exactIn(shown, { name });
  return {
    names: itemsOf(shown).map((one) => one.name),
    exact: exact === null ? null : { node: exact, observed: shown === container.node ? container.observed : observed },
  };
}

async function named(
  target: ElementTarget,
  container: FoundItem,
  items: OpenItems,
  name: string,
): Promise<ListedItem | FoundItem> {
  const { call, description } = target;
  const exact = findExact(items, name);
  if (exact !== null) return theOne(exact, name, description);
  // Where the control cannot search, visible items are tried before a walk through everything; a small tree is always
  // walked.
  const shown = itemsInView(target, container, items, name);
  if (shown.exact !== null && items.list.count > SMALL_TREE) return shown.exact;
  const found = await findByName(items, name, call);
  if (found.rank > 0 && !found.isSure)
    throw unreadItems(
      `It is unknown whether ${description} has an item ${quoted(name)}`,
      `${found.read} of its ${items.list.count} items were searched in time`,
    );
  if (found.found.length === 0) throw noItem(description, name, shown.names);
  return theOne(found, name, description);
}

function theOne({ found }: NamedItems, name: string, description: string): ListedItem {
  if (found.length > 1)
    throw ambiguousItem(
      description,
      name,
      found.map((one) => one.name),
      'ListItem',
    );
  return found[0]!;
}

/** Virtualised items: the wanted one is loaded, and is in the tree afterwards. */
async function inContainer(
  target: ElementTarget,
  container: TreeNode,
  wanted: WantedItem,
  searchMs: number,
): Promise<FoundItem | null> {
  const { description } = target;
  using element = elementOf({ ...target, node: container });
  if (element === null) return null;
  try {
    const id =
      wanted.index === undefined
        ? await makeNamed(target, container, element, wanted.name ?? '', searchMs)
        : await makeAt(target, element, wanted.index, searchMs);
    const observed = readPatiently(target.record, { ...target.tools.read, only: container.hwnd });
    const node = id === null ? undefined : pathTo(observed.root, id).at(-1);
    if (node === undefined)
      throw unreadItems(`The item of ${description} was found`, 'the list did not load it when asked');
    return { node, observed };
  } catch (error) {
    if (error instanceof ComError)
      throw unreadItems(`The items of ${description} could not be listed`, `it failed to answer (${error.code})`);
    throw error;
  }
}

async function makeNamed(
  target: ElementTarget,
  container: TreeNode,
  element: IUIAutomationElement,
  name: string,
  searchMs: number,
): Promise<string | null> {
  using exact = itemNamed(element, name);
  if (exact !== null) return await realizeItem(exact);
  const { description } = target;
  const names: string[] = [];
  const isWhole = await eachItem(target, element, searchMs, (item) => {
    names.push(item.get_CurrentName() ?? '');
  });
  const found = bestOf([...names.keys()], (index) => names[index]!, name);
  // Items that are not loaded may not have a name yet.
  if (!isWhole || names.includes(''))
    throw unreadItems(
      `It is unknown whether ${description} has an item ${quoted(name)}`,
      `not all names of its ${names.length} items could be read`,
    );
  if (found.length === 0)
    throw noItem(
      description,
      name,
      itemsOf(container).map((one) => one.name),
    );
  if (found.length > 1)
    throw ambiguousItem(
      description,
      name,
      found.map((index) => names[index]!),
      'ListItem',
    );
  return makeAt(target, element, found[0]!, searchMs);
}

/** False if time ran out before the last one. */
async function eachItem(
  { call }: ElementTarget,
  element: IUIAutomationElement,
  searchMs: number,
  each: (item: IUIAutomationElement, index: number) => boolean | void,
): Promise<boolean> {
  const end = performance.now() + searchMs;
  let index = 0;
  let isOver = false;
  await inSlices(itemsInside(element), call, (item) => {
    isOver = performance.now() >= end;
    return !isOver && each(item, index++) !== false;
  });
  return !isOver;
}

async function makeAt(
  target: ElementTarget,
  element: IUIAutomationElement,
  index: number,
  searchMs: number,
): Promise<string | null> {
  let found: IUIAutomationElement | null = null;
  let count = 0;
  const isWhole = await eachItem(target, element, searchMs, (item, at) => {
    count = at + 1;
    if (at === index) found = item.clone();
    return found === null;
  });
  using item = found as IUIAutomationElement | null;
  if (item !== null) return await realizeItem(item);
  throw isWhole
    ? noSuchIndex(target.description, count, index)
    : unreadItems(`Item ${index} of ${target.description} was not reached`, `${count} items were counted in time`);
}

/** Resolves a query or a ref to one live element of the bound window. */
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import type { Point } from '../../../contract/element/geometry.ts';
import type { ElementInfo, ElementQuery, ElementPurpose } from '../../../contract/element/element.ts';
import { UiaHostError, type Candidate, type ErrorDetails } from '../../../contract/errors.ts';
import { type ControlType, ITEMS } from '../../../contract/element/control-types.ts';
import { nearest } from '../../../contract/json/near.ts';
import { quoted } from '../../../contract/json/quoted.ts';
import type { CallContext } from '../../../desktop/call.ts';
import type { TargetSpec } from '../../../desktop/element.ts';
import type { ControlKind } from '../../windows/classes.ts';
import { shownName } from '../tree/labels.ts';
import { MENU_WAY, wayWithoutContent } from '../tree/unread.ts';
import { readPatiently, readPopups, type Observed, type ReadOptions, popupRecords } from '../reading/observe.ts';
import { inPath, controlTypesOf, rankedMatches, RANKS, findByName, findExact, type NamedItems } from './query.ts';
import { placedName, type RefBook, type RefEntry } from './refs.ts';
import { readAwake } from '../reading/read-part.ts';
import type { WindowEntry } from '../../drivers/driver.ts';
import { openItems, type OpenItems } from '../../drivers/index.ts';
import { clipAgain, indexOf } from '../tree/tree-index.ts';
import { describeNode, pathTo, walk, type TreeNode } from '../tree/tree.ts';
import { readLive, type Around, type LiveElement } from '../reading/live-view.ts';
import { ComError } from '../../../../native-bindings/com/hresult.ts';
import { itemsNamed } from '../sources/grid-patterns.ts';
import { realizeItem } from '../sources/patterns.ts';
import { comAnswer } from '../sources/boundary.ts';

/** An element as it is now, with the tree it was read in. */
export interface Located {
  readonly node: TreeNode;
  readonly observed: Observed;
}

const CANDIDATES_SHOWN = 10;

export { describeNode } from '../tree/tree.ts';

/** The ref of a node. */
export function refOf(refs: RefBook, root: number, node: TreeNode): string {
  return refs.refFor(root, node, describeNode(node));
}

/** The element as plain data; its rectangle is in screen pixels. */
export function elementInfo(refs: RefBook, root: number, node: TreeNode): ElementInfo {
  return {
    ref: refOf(refs, root, node),
    controlType: node.controlType,
    name: node.name,
    automationId: node.automationId,
    rect: node.visible ?? node.rect,
    states: [...node.states],
    source: node.source,
    identity: node.identity,
    isDefaultButton: node.isDefaultButton,
  };
}

function describeQuery(query: ElementQuery): string {
  if (query.path !== undefined) return `path ${quoted(query.path)}`;
  const parts = [
    query.name === undefined ? null : `name ${quoted(query.name)}`,
    query.role === undefined ? null : `role ${query.role}`,
    query.automationId === undefined ? null : `automationId ${quoted(query.automationId)}`,
  ];
  return parts.filter((part) => part !== null).join(' and ');
}

const candidate = (refs: RefBook, root: number, node: TreeNode): Candidate => ({
  ref: refOf(refs, root, node),
  role: node.controlType,
  name: shownName(node).slice(0, 200),
  automationId: node.automationId.slice(0, 200),
});

/** A control whose items were read in part, and its node in the tree. */
interface UnreadList {
  readonly entry: WindowEntry;
  readonly node: TreeNode;
}

const ITEM_TYPE: Partial<Record<ControlKind, ControlType>> = {
  'list-box': 'ListItem',
  'list-view': 'ListItem',
  'combo-box': 'ListItem',
  'tree-view': 'TreeItem',
};

function unreadLists({ root, windows, partial }: Observed, { role }: ElementQuery): UnreadList[] {
  const types = role === undefined ? null : new Set(controlTypesOf(role));
  const lists: UnreadList[] = [];
  for (const node of walk(root)) {
    const entry = node.locator.kind === 'window' ? windows.entries.get(node.locator.hwnd) : undefined;
    const type = entry === undefined ? undefined : ITEM_TYPE[entry.kind];
    if (entry === undefined || type === undefined || types?.has(type) === false) continue;
    const isClosed = entry.kind === 'tree-view' && walk(node).some(({ states }) => states.has('collapsed'));
    if (partial || isClosed || node.itemCount !== null) lists.push({ entry, node });
  }
  return lists;
}

/** Adds items that a search found to the tree, below their control. */
export function attachItems(root: TreeNode, list: TreeNode, branches: ReadonlyArray<readonly TreeNode[]>): void {
  for (const branch of branches) {
    let above = list;
    for (const one of branch) {
      const known = above.children.find(({ identity }) => identity === one.identity);
      if (known === undefined) above.children.push(one);
      above = known ?? one;
    }
  }
  clipAgain(root);
}

/** Searches the lists of a reading that were read in part for a name, and adds what fits; null, or what was not searched. */
export async function searchUnread(
  observed: Observed,
  { name, role }: Pick<ElementQuery, 'name' | 'role'>,
  { options, searchMs, call }: Pick<LookUp, 'options' | 'searchMs' | 'call'>,
): Promise<string | null> {
  const lists = name === undefined ? [] : unreadLists(observed, { role });
  if (name === undefined || lists.length === 0) return null;
  return searchLists({ observed, lists, name, best: RANKS.length, searchMs, options, call });
}

/** The result of a query. */
export interface Looked {
  readonly observed: Observed;
  /** The elements of the best rank. */
  readonly found: readonly TreeNode[];
  /** Null if nothing unread can be a better match; else a human-readable account of what was not read. */
  readonly unread: string | null;
}

/** At most this many found items are added to the tree: one more than an error names. */
const MAX_ATTACHED = CANDIDATES_SHOWN + 1;

/**
 * Searches for a name in lists that were read in part. All lists are asked for an exact match before any is read
 * through.
 */
async function searchLists({
  observed,
  lists,
  name,
  best,
  searchMs,
  options,
  call,
}: {
  observed: Observed;
  lists: readonly UnreadList[];
  name: string;
  best: number;
  searchMs: number;
  options: ReadOptions;
  call: CallContext;
}): Promise<string | null> {
  const end = performance.now() + searchMs;
  using stack = new DisposableStack();
  const opened = lists.flatMap((list) => {
    const items = openItems(list.entry, list.node, searchMs, options.remoteControlMemory);
    if (items !== null) stack.use(items);
    return items === null ? [] : [{ ...list, items }];
  });
  // Items that changed since they were found are dropped.
  const take = (node: TreeNode, { list }: OpenItems, { found }: NamedItems): boolean => {
    const branches = found
      .slice(0, MAX_ATTACHED)
      .map((item) => ({ item, branch: list.branch(item) }))
      .flatMap(({ item, branch }) => (branch?.at(-1)?.name === item.name ? [branch] : []));
    attachItems(observed.root, node, branches);
    return branches.length > 0;
  };
  let hasExact = false;
  for (const { node, items } of opened) {
    const exact = findExact(items, name);
    if (exact !== null) hasExact = take(node, items, exact) || hasExact;
  }
  if (hasExact) return null;
  const unread: string[] = [];
  for (const { node, items } of opened) {
    const named = performance.now() < end ? await findByName(items, name, call) : null;
    const isTaken = named === null || named.rank > best || named.found.length === 0 || take(node, items, named);
    if (named?.rank === 0 && isTaken) return null;
    if (named?.isSure !== true || !isTaken)
      unread.push(`${describeNode(node)} (${named?.read ?? 0} of ${items.list.count} items were searched)`);
  }
  return unread.length === 0 ? null : unread.join(', ');
}

/** What is looked for, and with what. */
export interface LookUp {
  readonly record: BindingRecord;
  readonly query: ElementQuery;
  readonly purpose: ElementPurpose;
  readonly options: ReadOptions;
  /** Time (ms) for searching lists that were read in part, in addition to the reading. */
  readonly searchMs: number;
  readonly call: CallContext;
}

/** The better matches in a popup of the window; null if none has any. */
function lookInPopups({ record, query, purpose, options }: LookUp, shown: Observed, best: number): Looked | null {
  let better: Looked | null = null;
  for (const observed of readPopups(record, shown, options)) {
    const { found, rank } = rankedMatches(observed.root, query, purpose);
    if (found.length === 0 || rank >= best) continue;
    best = rank;
    better = { observed, found, unread: null };
  }
  return better;
}

/**
 * What else a caller can do: the names that are nearly what it gave; where nothing shows the window's content, and how menus are chosen if it may be looking for an
 * entry that is not among the elements.
 */
function otherWay(hwnd: number, root: TreeNode, query: ElementQuery): ErrorDetails {
  const { name = '', role, automationId } = query;
  const way = wayWithoutContent(root);
  if (way !== null) return { hint: `No source shows what is in this window. ${way}` };
  const suggestions = nearest(name, walk(root).map(shownName)).map((one) => one.slice(0, 100));
  if (suggestions.length > 0) return { suggestions };
  const mayBeMenu = automationId === undefined && (role === undefined || /^menu/i.test(role));
  return mayBeMenu && user32.GetMenu(hwnd) !== 0 ? { hint: `Take a snapshot and use what it shows. ${MENU_WAY}` } : {};
}

/**
 * The elements that match a query, visible or not. Where no name in the tree matches exactly, partly read lists are
 * searched.
 * Errors: invalid_argument for an unknown role, cancelled, window_gone.
 */
export async function lookFor(wanted: LookUp): Promise<Looked> {
  const { record, query, purpose, options, searchMs, call } = wanted;
  const observed = await readAwake(record, options, call);
  const cut = observed.partial ? 'the window did not answer completely in time' : null;
  if (query.path !== undefined) {
    const { found, unread } = inPath(observed.root, query.path);
    return { observed, found, unread: cut ?? unread };
  }
  // Nothing named: the window itself.
  if (query.name === undefined && query.role === undefined && query.automationId === undefined)
    return { observed, found: [observed.root], unread: null };
  const { found, rank: best } = rankedMatches(observed.root, query, purpose);
  if (best !== 0) {
    const inPopup = lookInPopups(wanted, observed, best);
    if (inPopup !== null) return inPopup;
  }
  if (query.name === undefined) return { observed, found, unread: found.length === 0 ? cut : null };
  if (best === 0) return { observed, found, unread: null };
  const lists = query.automationId === undefined ? unreadLists(observed, query) : [];
  const unread =
    lists.length === 0 ? null : await searchLists({ observed, lists, name: query.name, best, searchMs, options, call });
  const now = lists.length === 0 ? { found, rank: best } : rankedMatches(observed.root, query, purpose);
  if (now.rank === 0) return { observed, found: now.found, unread: null };
  const held = query.automationId === undefined ? await findVirtualItem(observed, query, purpose, options) : null;
  if (held !== null && held.realized !== null) {
    const again = readPatiently(record, options);
    const made = pathTo(again.root, held.realized).at(-1);
    if (made !== undefined) return { observed: again, found: [made], unread: null };
  }
  return {
    observed,
    found: now.found,
    unread: [cut, unread, held?.description ?? null].filter((part) => part !== null).join('; ') || null,
  };
}

/**
 * The one element that matches a query. Errors: target_not_found, target_ambiguous with candidates, deadline_exceeded
 * where it may be in an unread part, invalid_argument for an unknown role.
 */
async function locateQuery(refs: RefBook, wanted: LookUp): Promise<Located> {
  const { record, query } = wanted;
  const searched = locateSearched(wanted);
  if (searched !== null) return searched;
  const { observed, found, unread } = await lookFor(wanted);
  const candidates = found.slice(0, CANDIDATES_SHOWN).map((one) => candidate(refs, Number(observed.record.hwnd), one));
  if (unread !== null) {
    throw new UiaHostError(
      'deadline_exceeded',
      `It is unknown whether an element of ${quoted(observed.root.name)} has ${describeQuery(query)}: ${unread}.` +
        (found.length === 0
          ? ' None of the elements read so far does.'
          : ` In what was read, ${found.length === 1 ? 'one comes close' : `${found.length} come close`}.`) +
        ' Nothing was sent.',
      {
        delivery: 'not_delivered',
        candidates,
        hint: `Use ${found.length === 0 ? 'its ref from a snapshot' : 'the ref of a candidate, an exact name'}, select-element with the name or an index, or a longer deadlineMs.`,
      },
    );
  }
  const [node] = found;
  if (node === undefined)
    throw new UiaHostError(
      'target_not_found',
      `No element of ${quoted(observed.root.name)} has ${describeQuery(query)}.`,
      otherWay(Number(record.hwnd), observed.root, query),
    );
  if (found.length > 1) throw ambiguous(refs, query, observed, found);
  return { node, observed };
}

/** More than one element of the best rank. */
export function ambiguous(
  refs: RefBook,
  query: ElementQuery,
  observed: Observed,
  found: readonly TreeNode[],
): UiaHostError {
  const many = found.length >= MAX_ATTACHED ? `${found.length} or more` : String(found.length);
  return new UiaHostError(
    'target_ambiguous',
    `${many} elements of ${quoted(observed.root.name)} have ${describeQuery(query)}.`,
    {
      candidates: found.slice(0, CANDIDATES_SHOWN).map((one) => candidate(refs, Number(observed.record.hwnd), one)),
    },
  );
}

/** An item that a reading of its control does not include, read separately; undefined if it is gone. */
function unreadItem(
  { root, windows }: Observed,
  { locator, identity }: RefEntry,
  options: ReadOptions,
): TreeNode | undefined {
  const entry = locator.kind === 'item' ? windows.entries.get(locator.hwnd) : undefined;
  const list =
    entry === undefined
      ? undefined
      : walk(root).find((node) => node.locator.kind === 'window' && node.locator.hwnd === entry.info.hwnd);
  if (locator.kind !== 'item' || entry === undefined || list === undefined) return undefined;
  using items = openItems(entry, list, options.budgetMs, options.remoteControlMemory);
  const branch = items?.list.branch(locator) ?? null;
  if (branch?.at(-1)?.identity !== identity) return undefined;
  attachItems(root, list, [branch]);
  return pathTo(list, identity).at(-1);
}

const withoutPopups = ({ popups: _popups, ...rest }: ReadOptions): ReadOptions => rest;

/** The popup of a window with this handle, if it still belongs to it. */
const popupNamed = (record: BindingRecord, hwnd: number, { popups }: ReadOptions): BindingRecord | undefined =>
  popupRecords(record, popups).find((popup) => Number(popup.hwnd) === hwnd);

/** Errors: element_stale where another item has the place that this one had. */
function stillNamed({ named, description, ref }: RefEntry, located: Located): Located {
  if (named === null || placedName(located.node) === named) return located;
  throw new UiaHostError(
    'element_stale',
    `${description} (${ref}) is gone from its place: ${describeNode(located.node)} is there now. Nothing was sent.`,
    { hint: 'Take a new snapshot: the rows were sorted, inserted or removed.' },
  );
}

/**
 * The current element of a ref.
 * @param scope `branch`: only its window and the ones above are read; `tree`: with all surroundings
 * Errors: element_stale.
 */
export function locateRef(
  refs: RefBook,
  record: BindingRecord,
  ref: string,
  options: ReadOptions,
  scope: 'branch' | 'tree' = 'branch',
): Located {
  const root = Number(record.hwnd);
  const entry = refs.entry(ref);
  if (entry === undefined) {
    throw new UiaHostError(
      'element_stale',
      `Unknown ref ${ref}: this session never received it, or its window was unbound.`,
    );
  }
  const popup = entry.root === root ? undefined : popupNamed(record, entry.root, options);
  if (popup !== undefined) return locateRef(refs, popup, ref, withoutPopups(options), scope);
  if (entry.root !== root) {
    throw new UiaHostError('element_stale', `The ref ${ref} belongs to a window other than the bound one.`, {
      hint: 'Bind that window again, or take a snapshot of this one.',
    });
  }
  const live = scope === 'branch' ? readLiveRef(record, entry.identity, options, 'nothing') : null;
  if (live !== null) return stillNamed(entry, live);
  const observed = readPatiently(record, scope === 'branch' ? { ...options, only: entry.locator.hwnd } : options);
  const node = pathTo(observed.root, entry.identity).at(-1) ?? unreadItem(observed, entry, options);
  if (node !== undefined) return stillNamed(entry, { node, observed });
  if (observed.partial)
    throw new UiaHostError(
      'window_hung',
      `${quoted(record.title)} did not answer in time, so ${entry.description} (${ref}) could not be checked.`,
    );
  throw new UiaHostError('element_stale', `${entry.description} (${ref}) is gone.`);
}

/** By its identity. */
const readLiveRef = (
  record: BindingRecord,
  identity: string,
  options: ReadOptions,
  around: Around,
): LiveElement | null => readLive(record, options, around, (root) => pathTo(root, identity).at(-1));

/**
 * By its exact name or automationId, which the provider searches for: nothing else is asked to find it. Null where UI
 * Automation shows nothing of the window or cannot search, and where another answer is possible: several such elements, none, or an element with another name.
 */
function locateSearched({ record, query, purpose, options }: LookUp): Located | null {
  const { name, automationId, path } = query;
  if (path !== undefined || (name === undefined && automationId === undefined) || !isShownByAutomation(record, options))
    return null;
  return readLive(record, options, 'place', (root, { named }) => {
    if (!named(query)) return null;
    const { found, rank } = rankedMatches(root, query, purpose);
    return rank === 0 && found.length === 1 ? found[0] : null;
  });
}

/** Whether UI Automation shows something in the last reading of a window. */
export const isShownByAutomation = (record: BindingRecord, { views }: ReadOptions): boolean =>
  views.view(record)?.elements.isEmpty === false;

/** What is at a screen point; null where the whole window has to be read. */
export const readLiveAt = (record: BindingRecord, at: Point, options: ReadOptions): LiveElement | null =>
  readLive(record, options, 'place', (root, { idAt }) => {
    const index = indexOf(root);
    const hit = index.at(at);
    const id = idAt(at);
    // Another program may cover the point: what is there now is unknown here then.
    const now = id === null ? undefined : index.all.find(({ identity }) => identity === `rid:${id}`);
    return now === undefined || now === hit ? hit : null;
  });

/** With all surroundings, unless it is only read: by ref if there is one, else by name, role and id. */
export async function locateElement(
  { refs, options, call }: { readonly refs: RefBook; readonly options: ReadOptions; readonly call: CallContext },
  record: BindingRecord,
  { query, purpose, isOnlyRead }: Extract<TargetSpec, { kind: 'element' }>,
  searchMs: number,
): Promise<Located> {
  const { ref } = query;
  if (ref === undefined) return locateQuery(refs, { record, query, purpose, options, searchMs, call });
  if (isOnlyRead === true) return locateRef(refs, record, ref, { ...options, omitsRows: true }, 'branch');
  return locateNear(refs, record, ref, options) ?? locateRef(refs, record, ref, options, 'tree');
}

/** A ref's element with what is around it; null where the whole window has to be read. */
function locateNear(refs: RefBook, record: BindingRecord, ref: string, options: ReadOptions): Located | null {
  const entry = refs.entry(ref);
  const around =
    entry === undefined || entry.root === Number(record.hwnd) ? record : popupNamed(record, entry.root, options);
  if (entry === undefined || around === undefined) return null;
  const live = readLiveRef(around, entry.identity, options, 'ref');
  return live === null ? null : stillNamed(entry, live);
}

/** At most this many lists are asked for an item that is not loaded. */
const MAX_ASKED = 8;
/** Control types of list items. */

interface FoundVirtualItem {
  /** Human-readable description. */
  readonly description: string;
  /** If the item was loaded: its identity in a tree read afterwards; else null. */
  readonly realized: string | null;
}

/**
 * Asks virtualising lists for an item with exactly this name. If there is exactly one, it is loaded so that it can be
 * operated, unless the caller is only reading. Null where no list has it. A list that does not answer proves nothing
 * about its items.
 */
async function findVirtualItem(
  { root }: Observed,
  { name, role }: ElementQuery,
  purpose: ElementPurpose,
  { automation }: ReadOptions,
): Promise<FoundVirtualItem | null> {
  if (automation === null || name === undefined) return null;
  if (role !== undefined && !controlTypesOf(role).some((type) => ITEMS.has(type))) return null;
  using stack = new DisposableStack();
  const lists = walk(root)
    .filter((node) => node.source === 'uia' && node.capabilities.has('item-container'))
    .slice(0, MAX_ASKED);
  const having = lists.flatMap((node) => {
    return (
      comAnswer(() => {
        using list = automation.elementOf(node, root.hwnd);
        const items = list === null ? [] : itemsNamed(list, name, 2);
        for (const item of items) stack.use(item);
        return items.length === 0 ? [] : [{ node, items }];
      }) ?? []
    );
  });
  const [first] = having;
  if (first === undefined) return null;
  const [item] = first.items;
  const isOnly = having.length === 1 && first.items.length === 1;
  const description = having
    .map(
      ({ node, items }) =>
        `${describeNode(node)} has ${items.length === 1 ? 'an item of this name that is not loaded yet' : 'several items of this name, not all loaded yet'} (select-element loads one, by name or index)`,
    )
    .join(', ');
  if (purpose === 'look' || !isOnly || item === undefined) return { description, realized: null };
  try {
    return { description, realized: await realizeItem(item) };
  } catch (error) {
    if (error instanceof ComError) return { description, realized: null };
    throw error;
  }
}

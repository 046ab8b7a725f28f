/**
 * Reads a window's tree through UI Automation. One call for the whole subtree where the system offers it; else a walk,
 * element by element, within the budget. Values of password fields are never requested: values are read in a second
 * step that skips those fields.
 */
import { ComError, HRESULT } from '../../../../native-bindings/com/hresult.ts';
import type {
  IUIAutomationCacheRequest,
  IUIAutomationElement,
} from '../../../../native-bindings/uia/automation.generated.ts';
import { PropertyId, TreeScope } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { LISTS } from '../../../contract/element/control-types.ts';
import type { Asker } from '../../windows/ask.ts';
import type { Automation } from './uia-client.ts';
import { type Provided, isLate, mayHideChildren, providedBy } from './boundary.ts';
import { plain, readText, readVisibleText } from './patterns.ts';
import { walk, type TreeNode } from '../tree/tree.ts';
import type { LiveElements } from './kept-elements.ts';
import {
  identify,
  nodeOf,
  propertiesOf,
  runtimeIdOf,
  type AboveNode,
  cachedOf,
  visitChildren,
} from './automation-node.ts';

/** An element with more descendants than this is cut: a browser page has some thousands. */
const MOST_ELEMENTS = 5000;
/** Lists of which it is known whether their parts keep their RuntimeIds. */
const MOST_LISTS = 1000;

interface Reading {
  readonly automation: Automation;
  readonly asker: Asker;
  count: number;
  /** Number of documents whose text was read. */
  texts: number;
  /** A call for everything failed: values are read one by one too. */
  isFailing: boolean;
  /** Elements that came without children and may have some, with their nodes. Released when the reading ends. */
  readonly unread: Boundary[];
  /** Keeps the elements of its nodes; null where one with its children is more than one question: nothing is gained. */
  readonly live: LiveElements | null;
}

/**
 * Documents and fields without a value are read through the Text pattern: consoles, editors. At most this many, since
 * each needs its own call.
 */
export const MOST_TEXTS = 8;
const TEXT_LENGTH = 20_000;

/** Whether its text has to be asked for by itself. */
export const isTextual = ({ controlType, capabilities, states }: TreeNode): boolean =>
  (controlType === 'Document' || controlType === 'Edit') &&
  capabilities.has('text') &&
  !capabilities.has('value') &&
  !states.has('password');

/** The text of such an element; of a long one its visible part too. Errors: ComError. */
export function takeText(node: TreeNode, element: IUIAutomationElement): void {
  node.value = readText(element, TEXT_LENGTH);
  node.shown = (node.value?.length ?? 0) >= TEXT_LENGTH ? readVisibleText(element, TEXT_LENGTH) : null;
}

function addText(node: TreeNode, element: IUIAutomationElement, reading: Reading): void {
  if (reading.asker.isOver || reading.texts >= MOST_TEXTS || !isTextual(node)) return;
  reading.texts++;
  takeText(node, element);
}

/** Whether another element fits; records the cut if not. */
function hasRoom(reading: Reading): boolean {
  if (reading.count < MOST_ELEMENTS) return true;
  reading.asker.cut();
  return false;
}

/** The same for a walk, where each step is a call. */
function canContinue(reading: Reading): boolean {
  if (reading.asker.isOver) reading.asker.cut();
  return !reading.asker.isOver && hasRoom(reading);
}

/** Fetched data is used however long the fetching took. */
function readCached(
  element: IUIAutomationElement,
  above: AboveNode,
  index: number,
  reading: Reading,
  provided: Provided | null,
): TreeNode {
  const node = nodeOf(element, above, index, reading.automation.abilities.patterns);
  reading.count++;
  reading.live?.add(node, element);
  addText(node, element, reading);
  const read = cachedOf(element);
  const own = providedBy(read);
  using children = element.GetCachedChildren();
  const length = children === null ? 0 : children.get_Length();
  using first = length === 0 ? null : children!.GetElement(0);
  notePassingIds(node, element, first, reading);
  if (length === 0 && provided !== null && mayHideChildren(read, node.rect, provided))
    reading.unread.push({ element: element.clone(), node });
  for (let at = 0; at < length && hasRoom(reading); at++) {
    using child = children!.GetElement(at);
    if (child !== null) node.children.push(readCached(child, node, at, reading, own));
  }
  return node;
}

function addValue(node: TreeNode, element: IUIAutomationElement, reading: Reading): void {
  if (!node.capabilities.has('value') || node.states.has('password') || reading.asker.isOver) return;
  const value = step(reading, node.hwnd, () => plain(element.GetCurrentPropertyValueEx(PropertyId.ValueValue, true)));
  if (typeof value === 'string') node.value = value;
}

/** Share of the remaining time for waiting until a call that was given up has ended. */
const ENDING_SHARE = 0.5;

/** Whether the program of a window takes calls: none that was given up runs there any more. */
function isFree({ automation, asker }: Reading, hwnd: number): boolean {
  if (automation.givenUp.haveEnded(hwnd, asker.left * ENDING_SHARE)) return true;
  asker.gaveNoAnswer(hwnd);
  return false;
}

/**
 * A step of a walk in this window; null at the end, undefined if it failed: what was read before still counts.
 */
function step<T>(reading: Reading, hwnd: number, ask: () => T): T | undefined {
  if (!isFree(reading, hwnd)) return undefined;
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    if (isLate(error)) reading.automation.givenUp.note(hwnd);
    reading.asker.cut();
    return undefined;
  }
}

/** Notes whether the parts of a list have new RuntimeIds at each look: the first is looked at twice, once for each list. */
function notePassingIds(
  node: TreeNode,
  element: IUIAutomationElement,
  first: IUIAutomationElement | null | undefined,
  reading: Reading,
): void {
  const { passing, walker } = reading.automation;
  const id = first === null || first === undefined || !LISTS.has(node.controlType) ? '' : runtimeIdOf(first);
  if (id === '') return;
  if (!passing.has(node.identity)) {
    const again = step(reading, node.hwnd, () => {
      using request = reading.automation.request([PropertyId.RuntimeId, PropertyId.IsControlElement], false);
      using other = walker.GetFirstChildElementBuildCache(element, request);
      // A walk also steps on what cached children leave out.
      return other === null || cachedOf(other)(PropertyId.IsControlElement) === false ? id : runtimeIdOf(other);
    });
    if (again === undefined) return;
    if (passing.size >= MOST_LISTS) passing.clear();
    passing.set(node.identity, again !== id);
  }
  if (passing.get(node.identity) === true) node.hasPassingIds = true;
}

/** Reads one element, with or without its descendants. */
type ReadOne = (element: IUIAutomationElement, at: number) => TreeNode;

/**
 * The element that a step reached, with its descendants; elements that people do not see are replaced by their
 * children.
 */
function readStep(current: IUIAutomationElement, at: number, readOne: ReadOne): TreeNode[] {
  const below = readOne(current, at);
  return cachedOf(current)(PropertyId.IsControlElement) === false ? below.children : [below];
}

/** The children of an element, one by one. */
function readChildren(
  element: IUIAutomationElement,
  node: TreeNode,
  request: IUIAutomationCacheRequest,
  reading: Reading,
  readOne: ReadOne,
): void {
  const { walker } = reading.automation;
  const ask = (question: () => IUIAutomationElement | null): IUIAutomationElement | null | undefined =>
    step(reading, node.hwnd, question);
  const behind: TreeNode[] = [];
  let at = 0;
  const visited = visitChildren(element, { walker, request, step: ask }, (current, isFromEnd) => {
    if (at === 0) notePassingIds(node, element, current, reading);
    if (!canContinue(reading)) return false;
    const read = readStep(current, at++, readOne);
    if (isFromEnd) behind.unshift(...read);
    else node.children.push(...read);
    return true;
  });
  node.children.push(...behind);
  node.isCut ||= visited === 'some' || visited === 'none' || behind.length > 0;
}

function readWalking(
  element: IUIAutomationElement,
  above: AboveNode,
  index: number,
  request: IUIAutomationCacheRequest,
  reading: Reading,
): TreeNode {
  const node = nodeOf(element, above, index, reading.automation.abilities.patterns);
  reading.count++;
  reading.live?.add(node, element);
  addText(node, element, reading);
  if (reading.isFailing) addValue(node, element, reading);
  readChildren(element, node, request, reading, (current, at) => readWalking(current, node, at, request, reading));
  return node;
}

/**
 * Values of the nodes that have one and are not password fields, in one call.
 * @param scope where they are, from `start` on
 * @param isInView only the parts in view
 * Errors: ComError.
 */
export function readValues(
  automation: Automation,
  start: IUIAutomationElement,
  nodes: Iterable<TreeNode>,
  scope: number = TreeScope.Subtree,
  isInView = false,
): void {
  const wanted = new Map<string, TreeNode>();
  for (const node of nodes)
    if (node.capabilities.has('value') && !node.states.has('password')) wanted.set(node.identity, node);
  if (wanted.size === 0) return;
  using condition = automation.having([
    [PropertyId.IsPassword, false],
    [PropertyId.IsValuePatternAvailable, true],
    ...(isInView ? ([[PropertyId.IsOffscreen, false]] as const) : []),
  ]);
  using request = automation.request(
    [PropertyId.RuntimeId, PropertyId.NativeWindowHandle, PropertyId.ValueValue],
    false,
  );
  using found = start.FindAllBuildCache(scope, condition, request);
  const length = found === null ? 0 : found.get_Length();
  for (let index = 0; index < length; index++) {
    using element = found!.GetElement(index);
    if (element === null) continue;
    const read = cachedOf(element);
    const node = wanted.get(identify(read, { identity: '', hwnd: 0 }, 0, '', 'Custom').identity);
    const value = read(PropertyId.ValueValue);
    if (node !== undefined && typeof value === 'string') node.value = value;
  }
}

/** Share of the remaining time for one call that fetches everything; the rest is for a walk if that fails. */
const SUBTREE_SHARE = 0.6;
/** Share of the remaining time for one step of such a walk. */
const STEP_SHARE = 0.25;

/** The whole tree in one call; null where that is not offered, timed out, or failed. */
function readSubtree(
  start: IUIAutomationElement,
  hwnd: number,
  above: AboveNode,
  properties: readonly number[],
  reading: Reading,
): TreeNode | null {
  const { automation } = reading;
  using request = automation.request(properties, true);
  try {
    using cached = automation.waitingAtMost(reading.asker.left * SUBTREE_SHARE, () => start.BuildUpdatedCache(request));
    return cached === null ? null : readCached(cached, above, 0, reading, null);
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    // One failing element fails the whole call: the others are reached by a walk.
    if (error.hresult === HRESULT.E_NOTIMPL) automation.giveUpSubtrees();
    else if (isLate(error)) automation.givenUp.note(hwnd);
    else reading.isFailing = true;
    reading.count = 0;
    return null;
  }
}

/** An element whose cached children are to be joined to its node, and what is needed for that. */
interface Boundary {
  readonly element: IUIAutomationElement;
  readonly node: TreeNode;
}

/**
 * What a call for everything left out behind a boundary: by a call that starts there, else by a walk. Boundaries behind
 * it are left for later. Errors: ComError.
 */
function readBehind({ element, node }: Boundary, properties: readonly number[], reading: Reading): true {
  const { automation, asker } = reading;
  using first = automation.walker.GetFirstChildElement(element);
  if (first === null) return true;
  using whole = automation.request(properties, true);
  using cached = ofWhole(() =>
    automation.waitingAtMost(asker.left * SUBTREE_SHARE, () => element.BuildUpdatedCache(whole)),
  );
  using children = cached === null ? null : cached.GetCachedChildren();
  const length = children === null ? 0 : children.get_Length();
  const own = providedBy(cachedOf(element));
  for (let at = 0; at < length && hasRoom(reading); at++) {
    using child = children!.GetElement(at);
    if (child !== null) node.children.push(readCached(child, node, at, reading, own));
  }
  reading.live?.gaps.push(node);
  if (length > 0) {
    addValues(automation, element, node, reading);
    return true;
  }
  using one = automation.request(properties, false);
  const values = { ...reading, isFailing: true };
  automation.waitingAtMost(asker.left * STEP_SHARE, () =>
    readChildren(element, node, one, values, (current, at) => readWalking(current, node, at, one, values)),
  );
  [reading.count, reading.texts] = [values.count, values.texts];
  return true;
}

/** Null where one failing part fails the whole call: the others are reached by a walk. */
function ofWhole(ask: () => IUIAutomationElement | null): IUIAutomationElement | null {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof ComError) || isLate(error)) throw error;
    return null;
  }
}

/** Removes what the tree holds already: a provider may show the same part in two places. */
function withoutKnown(node: TreeNode, known: Set<string>): void {
  node.children = node.children.filter((child) => {
    if (known.has(child.identity)) return false;
    known.add(child.identity);
    withoutKnown(child, known);
    return true;
  });
}

/**
 * Reads what is behind the boundaries, the large ones first and failed ones last, while time lasts. What
 * stays unread is marked.
 */
function complete(root: TreeNode, properties: readonly number[], reading: Reading): void {
  const known = new Set(walk(root).map(({ identity }) => identity));
  const { failed } = reading.automation;
  const rank = ({ node }: Boundary): number => (failed.hasFailedOften(node.identity) ? 1 : 0);
  const area = ({ node: { rect } }: Boundary): number => rect.width * rect.height;
  while (reading.unread.length > 0) {
    using stack = new DisposableStack();
    const layer = reading.unread.splice(0).sort((one, other) => rank(one) - rank(other) || area(other) - area(one));
    for (const { element } of layer) stack.use(element);
    for (const boundary of layer) {
      const { node } = boundary;
      if (canContinue(reading)) {
        const isRead = step(reading, node.hwnd, () => readBehind(boundary, properties, reading)) === true;
        failed.note(node.identity, isRead);
        node.isCut ||= !isRead;
      } else node.isCut = true;
      withoutKnown(node, known);
    }
  }
}

/** A provider may give several parts one RuntimeId. Only the first can be looked up; each has an identity of its own. */
function tellApart(root: TreeNode): TreeNode {
  const seen = new Map<string, number>();
  for (const node of walk(root)) {
    const { identity, locator } = node;
    const times = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, times);
    if (times === 1) continue;
    node.identity = `${identity}~${times}`;
    if (locator.kind === 'uia') node.locator = { ...locator, isShared: true };
  }
  return root;
}

/** Reads the whole tree by the best method still available. Errors: ComError. */
function readTree(
  automation: Automation,
  start: IUIAutomationElement,
  above: AboveNode,
  reading: Reading,
): TreeNode | null {
  const { abilities } = automation;
  const { hwnd } = above;
  const properties = propertiesOf(abilities.patterns);
  const whole = abilities.subtreeCache ? readSubtree(start, hwnd, above, properties, reading) : null;
  if (whole !== null) return whole;
  if (!isFree(reading, hwnd)) return null;
  if (!abilities.patterns) {
    // Most windows are a single element here; one call finds out.
    using first = automation.walker.GetFirstChildElement(start);
    if (first === null) return null;
  }
  using request = automation.request(properties, false);
  const walk = (): TreeNode | null => {
    using cached = start.BuildUpdatedCache(request);
    return cached === null ? null : readWalking(cached, above, 0, request, reading);
  };
  return abilities.subtreeCache ? automation.waitingAtMost(reading.asker.left * STEP_SHARE, walk) : walk();
}

/** Values come last: the tree is complete without them. */
function addValues(automation: Automation, start: IUIAutomationElement, root: TreeNode, reading: Reading): void {
  if (reading.isFailing) return;
  if (!automation.abilities.conditions || !automation.abilities.patterns) return;
  if (reading.asker.isOver) {
    reading.asker.cut();
    return;
  }
  try {
    readValues(automation, start, walk(root));
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    if (isLate(error)) automation.givenUp.note(root.hwnd);
    reading.asker.cut();
  }
}

/**
 * An element of UI Automation with what is in it, at the cost of its own elements; null if it is gone. Child windows in it
 * come as UI Automation shows them.
 * @param root the window that was read
 */
export function readElement(automation: Automation, node: TreeNode, root: number, asker: Asker): TreeNode | null {
  using start = automation.elementOf(node, root);
  if (start === null) return null;
  return readFrom(automation, start, node, asker, null);
}

/**
 * A window's tree as UI Automation exposes it; null if it exposes nothing, or nothing more than the windows do. The
 * caller has checked that the window's thread answers.
 * @param live keeps the elements of its nodes
 */
export function readAutomation(
  automation: Automation,
  hwnd: number,
  asker: Asker,
  live: LiveElements | null = null,
): TreeNode | null {
  using start = automation.fromWindow(hwnd);
  const root = start === null ? null : readFrom(automation, start, { identity: `hwnd:${hwnd}`, hwnd }, asker, live);
  return root === null || (root.children.length === 0 && !automation.abilities.patterns) ? null : root;
}

/** The tree from an element on; null where nothing of it could be read. */
function readFrom(
  automation: Automation,
  start: IUIAutomationElement,
  { identity, hwnd }: Pick<TreeNode, 'identity' | 'hwnd'>,
  asker: Asker,
  live: LiveElements | null,
): TreeNode | null {
  const kept = automation.abilities.subtreeCache ? live : null;
  const reading: Reading = { automation, asker, count: 0, texts: 0, isFailing: false, unread: [], live: kept };
  try {
    const root = readTree(automation, start, { identity, hwnd, controlType: null }, reading);
    if (root === null) return null;
    addValues(automation, start, root, reading);
    complete(root, propertiesOf(automation.abilities.patterns), reading);
    return tellApart(root);
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    // The provider disappeared or failed at the start: what other sources know remains valid.
    asker.cut();
    return null;
  } finally {
    for (const { element } of reading.unread) element[Symbol.dispose]();
  }
}

/**
 * Reads a window's tree through UI Automation. One call for the whole subtree where the system offers it; else a walk,
 * element by element, within the budget. Values of password fields are never requested: values are read in a second
 * step that skips those fields.
 */
import { ComError, HRESULT } from '../../../../native-bindings/com/hresult.ts';
import type { VariantValue } from '../../../../native-bindings/com/variant.ts';
import type {
  IUIAutomationCacheRequest,
  IUIAutomationElement,
} from '../../../../native-bindings/uia/automation.generated.ts';
import {
  AccState,
  ControlTypeId,
  ExpandCollapseState,
  PropertyId,
  ToggleState,
  TreeScope,
} from '../../../../native-bindings/uia/identifiers.generated.ts';
import type { ControlType } from '../../../contract/control-types.ts';
import type { Rect } from '../../../contract/geometry.ts';
import type { Asker } from '../../windows/ask.ts';
import type { Automation } from '../automation.ts';
import { isLate } from '../failures.ts';
import { plain } from '../patterns/plain.ts';
import { readText, readVisibleText } from '../patterns/text.ts';
import { makeNode, type Capability, type Locator, type TreeNode } from '../tree.ts';
import { rootOf } from '../../windows/window-info.ts';

const CONTROL_TYPES = new Map<number, ControlType>(
  Object.entries(ControlTypeId).map(([name, id]) => [id, name as ControlType]),
);

/** Properties that every system answers. */
const BASIC = [
  PropertyId.RuntimeId,
  PropertyId.ControlType,
  PropertyId.Name,
  PropertyId.AutomationId,
  PropertyId.ClassName,
  PropertyId.BoundingRectangle,
  PropertyId.IsEnabled,
  PropertyId.IsOffscreen,
  PropertyId.IsPassword,
  PropertyId.HasKeyboardFocus,
  PropertyId.NativeWindowHandle,
  PropertyId.IsControlElement,
  PropertyId.HelpText,
] as const;

const CAPABILITIES: ReadonlyArray<readonly [number, Capability]> = [
  [PropertyId.IsInvokePatternAvailable, 'invoke'],
  [PropertyId.IsTogglePatternAvailable, 'toggle'],
  [PropertyId.IsSelectionItemPatternAvailable, 'selection-item'],
  [PropertyId.IsExpandCollapsePatternAvailable, 'expand-collapse'],
  [PropertyId.IsValuePatternAvailable, 'value'],
  [PropertyId.IsRangeValuePatternAvailable, 'range-value'],
  [PropertyId.IsScrollPatternAvailable, 'scroll'],
  [PropertyId.IsScrollItemPatternAvailable, 'scroll-item'],
  [PropertyId.IsTextPatternAvailable, 'text'],
  [PropertyId.IsGridPatternAvailable, 'grid'],
  [PropertyId.IsTablePatternAvailable, 'table'],
  [PropertyId.IsWindowPatternAvailable, 'window'],
  [PropertyId.IsLegacyIAccessiblePatternAvailable, 'legacy'],
  [PropertyId.IsItemContainerPatternAvailable, 'item-container'],
];

const STATES = [
  PropertyId.ToggleToggleState,
  PropertyId.ExpandCollapseExpandCollapseState,
  PropertyId.SelectionItemIsSelected,
  PropertyId.ValueIsReadOnly,
  PropertyId.RangeValueValue,
  PropertyId.RangeValueIsReadOnly,
  PropertyId.LegacyIAccessibleState,
  PropertyId.LegacyIAccessibleDefaultAction,
] as const;

/** A value in these is text that people write; elsewhere "read-only" means nothing. */
const WRITABLE: ReadonlySet<ControlType> = new Set(['Edit', 'Document', 'ComboBox', 'Spinner', 'Slider']);
/** Often shown as a picture only, so named by their tooltip. */
const PICTURED: ReadonlySet<ControlType> = new Set([
  'Button',
  'SplitButton',
  'CheckBox',
  'RadioButton',
  'MenuItem',
  'Hyperlink',
]);
/** Their content opens outside their rectangle. */
const POPUP_PARENTS: ReadonlySet<ControlType> = new Set(['MenuItem', 'MenuBar', 'ComboBox', 'SplitButton']);
/** An element with more descendants than this is cut: a browser page has some thousands. */
const MOST_ELEMENTS = 5000;

type Read = (property: number) => VariantValue;

const text = (value: VariantValue): string => (typeof value === 'string' ? value : '');

/** Of a BoundingRectangle, screen pixels; empty if there is none. */
export function rectOf(value: VariantValue): Rect {
  if (!Array.isArray(value) || value.length !== 4 || !value.every((part) => Number.isFinite(part)))
    return { x: 0, y: 0, width: 0, height: 0 };
  const [x, y, width, height] = value as number[];
  return {
    x: Math.round(x!),
    y: Math.round(y!),
    width: Math.max(0, Math.round(width!)),
    height: Math.max(0, Math.round(height!)),
  };
}

function stateWords(node: TreeNode, read: Read): void {
  const { states } = node;
  if (read(PropertyId.IsEnabled) === false) states.add('disabled');
  if (read(PropertyId.IsOffscreen) === true) states.add('offscreen');
  if (read(PropertyId.IsPassword) === true) states.add('password');
  if (read(PropertyId.HasKeyboardFocus) === true) states.add('focused');
}

function patternStates(node: TreeNode, read: Read): void {
  const { states, capabilities, controlType } = node;
  for (const [property, capability] of CAPABILITIES) if (read(property) === true) capabilities.add(capability);
  if (capabilities.has('toggle')) {
    const toggle = read(PropertyId.ToggleToggleState);
    if (toggle === ToggleState.On) states.add('checked');
    if (toggle === ToggleState.Indeterminate) states.add('mixed');
  }
  if (capabilities.has('selection-item') && read(PropertyId.SelectionItemIsSelected) === true) states.add('selected');
  if (capabilities.has('expand-collapse')) {
    const expanded = read(PropertyId.ExpandCollapseExpandCollapseState);
    if (expanded === ExpandCollapseState.Expanded || expanded === ExpandCollapseState.PartiallyExpanded)
      states.add('expanded');
    if (expanded === ExpandCollapseState.Collapsed) states.add('collapsed');
  }
  const isReadOnly =
    (capabilities.has('value') && read(PropertyId.ValueIsReadOnly) === true) ||
    (capabilities.has('range-value') && read(PropertyId.RangeValueIsReadOnly) === true);
  if (isReadOnly && WRITABLE.has(controlType)) states.add('readonly');
  if (capabilities.has('range-value')) {
    const position = read(PropertyId.RangeValueValue);
    if (typeof position === 'number') node.value = String(position);
  }
  if (capabilities.has('legacy')) {
    const legacy = read(PropertyId.LegacyIAccessibleState);
    if (typeof legacy === 'number' && (legacy & AccState.DEFAULT) !== 0) node.isDefaultButton = true;
    if (text(read(PropertyId.LegacyIAccessibleDefaultAction)) !== '') capabilities.add('default-action');
  }
}

/**
 * First number of the RuntimeId of an element that stands for a window. Source:
 * learn.microsoft.com/windows/win32/api/uiautomationclient/nf-uiautomationclient-iuiautomationelement-getruntimeid
 */
const WINDOW_ID = 42;

/**
 * Some programs give inner parts the handle of their window: the window's own element is recognised by its RuntimeId,
 * where it has one.
 */
const isWindowItself = (runtimeId: readonly number[], hwnd: number): boolean =>
  runtimeId.length === 0 || (runtimeId.length === 2 && runtimeId[0] === WINDOW_ID && runtimeId[1]! >>> 0 === hwnd);

/** Gives a node its identity: its RuntimeId, its window if it is one, else its position. */
function identify(
  read: Read,
  above: { identity: string; hwnd: number },
  index: number,
  name: string,
  type: ControlType,
): Pick<TreeNode, 'identity' | 'locator' | 'hwnd'> {
  const handle = read(PropertyId.NativeWindowHandle);
  const own = typeof handle === 'number' ? handle >>> 0 : 0;
  const id = read(PropertyId.RuntimeId);
  const runtimeId = Array.isArray(id) ? (id as number[]) : [];
  if (own !== 0 && isWindowItself(runtimeId, own))
    return { identity: `hwnd:${own}`, locator: { kind: 'window', hwnd: own }, hwnd: own };
  const hwnd = own === 0 ? above.hwnd : own;
  const identity = runtimeId.length > 0 ? `rid:${runtimeId.join('.')}` : `${above.identity}/${index}:${type}:${name}`;
  return { identity, locator: { kind: 'uia', hwnd, runtimeId }, hwnd };
}

interface Reading {
  readonly automation: Automation;
  readonly asker: Asker;
  count: number;
  /** Number of documents whose text was read. */
  texts: number;
  /** A call for everything failed: values are read one by one too. */
  isFailing: boolean;
}

/**
 * Documents and fields without a value are read through the Text pattern: consoles, editors. At most this many, since
 * each needs its own call.
 */
const MOST_TEXTS = 8;
const TEXT_LENGTH = 20_000;

function addText(node: TreeNode, element: IUIAutomationElement, reading: Reading): void {
  if (reading.asker.isOver) return;
  const isText =
    (node.controlType === 'Document' || node.controlType === 'Edit') &&
    node.capabilities.has('text') &&
    !node.capabilities.has('value');
  if (!isText || node.states.has('password') || reading.texts >= MOST_TEXTS) return;
  reading.texts++;
  node.value = readText(element, TEXT_LENGTH);
  if ((node.value?.length ?? 0) >= TEXT_LENGTH) node.shown = readVisibleText(element, TEXT_LENGTH);
}

/** A dialog is exposed under the window that owns it, and may be anywhere on the screen. */
const isOtherTop = (locator: Locator): boolean => locator.kind === 'window' && rootOf(locator.hwnd) === locator.hwnd;

/** The node of one element; its children are added later. */
function nodeOf(
  element: IUIAutomationElement,
  above: { identity: string; hwnd: number; controlType: ControlType | null },
  index: number,
  hasPatterns: boolean,
): TreeNode {
  const read: Read = (property) => plain(element.GetCachedPropertyValueEx(property, true));
  const controlType = CONTROL_TYPES.get(Number(read(PropertyId.ControlType))) ?? 'Custom';
  const fullName = text(read(PropertyId.Name));
  const tab = fullName.indexOf('\t');
  // A resource ordinal in place of a name is not a name.
  const name = fullName.startsWith('\uffff') ? '' : tab < 0 ? fullName : fullName.slice(0, tab);
  const rect = rectOf(read(PropertyId.BoundingRectangle));
  const node = makeNode({
    ...identify(read, above, index, name, controlType),
    controlType,
    name,
    rect,
    source: 'uia',
    automationId: text(read(PropertyId.AutomationId)),
    className: text(read(PropertyId.ClassName)),
  });
  stateWords(node, read);
  if (hasPatterns) patternStates(node, read);
  if (name === '' && PICTURED.has(controlType))
    node.name = text(read(PropertyId.HelpText))
      .split(/[\r\n]/, 1)[0]!
      .trim();
  // Menus and drop-down lists appear outside their opener; the provider says whether they are visible.
  const isPopup = above.controlType !== null && (POPUP_PARENTS.has(above.controlType) || isOtherTop(node.locator));
  if (isPopup) node.popup = rect;
  return node;
}

/** Whether another element fits; records the cut if not. */
function hasRoom(reading: Reading): boolean {
  if (reading.count < MOST_ELEMENTS) return true;
  reading.asker.cut();
  return false;
}

/** The same for a walk, where each step is a call. */
function mayGoOn(reading: Reading): boolean {
  if (reading.asker.isOver) reading.asker.cut();
  return !reading.asker.isOver && hasRoom(reading);
}

/** Fetched data is used however long the fetching took. */
function readCached(
  element: IUIAutomationElement,
  above: Parameters<typeof nodeOf>[1],
  index: number,
  reading: Reading,
): TreeNode {
  const node = nodeOf(element, above, index, reading.automation.abilities.patterns);
  reading.count++;
  addText(node, element, reading);
  using children = element.GetCachedChildren();
  const length = children === null ? 0 : children.get_Length();
  for (let at = 0; at < length && hasRoom(reading); at++) {
    using child = children!.GetElement(at);
    if (child !== null) node.children.push(readCached(child, node, at, reading));
  }
  return node;
}

function addValue(node: TreeNode, element: IUIAutomationElement, reading: Reading): void {
  if (!node.capabilities.has('value') || node.states.has('password') || reading.asker.isOver) return;
  const value = step(reading, () => plain(element.GetCurrentPropertyValueEx(PropertyId.ValueValue, true)));
  if (typeof value === 'string') node.value = value;
}

/** A step of a walk; null at the end, undefined if it failed: what was read before still counts. */
function step<T>(reading: Reading, ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    reading.asker.cut();
    return undefined;
  }
}

/** Reads one element, with or without its descendants. */
type ReadOne = (element: IUIAutomationElement, at: number) => TreeNode;

/**
 * The element that a step reached, with its descendants; elements that people do not see are replaced by their
 * children.
 */
function readStep(current: IUIAutomationElement, at: number, readOne: ReadOne): TreeNode[] {
  const below = readOne(current, at);
  return plain(current.GetCachedPropertyValueEx(PropertyId.IsControlElement, true)) === false
    ? below.children
    : [below];
}

/**
 * The children of an element, one by one. A failing child hides what is behind it, so the rest is read from the end,
 * backwards.
 */
function readChildren(
  element: IUIAutomationElement,
  node: TreeNode,
  request: IUIAutomationCacheRequest,
  reading: Reading,
  readOne: ReadOne,
): void {
  const { walker } = reading.automation;
  const seen = new Set<string>();
  let last = step(reading, () => walker.GetFirstChildElementBuildCache(element, request));
  for (let at = 0; last !== null && last !== undefined; at++) {
    using current: IUIAutomationElement = last;
    if (!mayGoOn(reading)) return;
    seen.add(runtimeIdOf(current));
    node.children.push(...readStep(current, at, readOne));
    last = step(reading, () => walker.GetNextSiblingElementBuildCache(current, request));
  }
  if (last === null) return;
  node.isCut = true;
  // Without ids there is no way to tell where the two directions meet.
  if (seen.has('')) return;
  const behind: TreeNode[] = [];
  let back = step(reading, () => walker.GetLastChildElementBuildCache(element, request));
  for (let at = 0; back !== null && back !== undefined; at++) {
    using current: IUIAutomationElement = back;
    const id = runtimeIdOf(current);
    if (!mayGoOn(reading) || id === '' || seen.has(id)) break;
    seen.add(id);
    behind.unshift(...readStep(current, at, readOne));
    back = step(reading, () => walker.GetPreviousSiblingElementBuildCache(current, request));
  }
  node.children.push(...behind);
}

const runtimeIdOf = (element: IUIAutomationElement): string => {
  const id = plain(element.GetCachedPropertyValueEx(PropertyId.RuntimeId, true));
  return Array.isArray(id) ? id.join('.') : '';
};

function readWalking(
  element: IUIAutomationElement,
  above: Parameters<typeof nodeOf>[1],
  index: number,
  request: IUIAutomationCacheRequest,
  reading: Reading,
): TreeNode {
  const node = nodeOf(element, above, index, reading.automation.abilities.patterns);
  reading.count++;
  addText(node, element, reading);
  if (reading.isFailing) addValue(node, element, reading);
  readChildren(element, node, request, reading, (current, at) => readWalking(current, node, at, request, reading));
  return node;
}

/** Values of all descendants that are not password fields, in one call; else one by one. */
function readValues(start: IUIAutomationElement, root: TreeNode, reading: Reading): void {
  const { automation } = reading;
  const wanted = new Map<string, TreeNode>();
  const collect = (node: TreeNode): void => {
    if (node.capabilities.has('value') && !node.states.has('password')) wanted.set(node.identity, node);
    node.children.forEach(collect);
  };
  collect(root);
  if (wanted.size === 0) return;
  using notPassword = automation.client.CreatePropertyCondition(PropertyId.IsPassword, false)!;
  using hasValue = automation.client.CreatePropertyCondition(PropertyId.IsValuePatternAvailable, true)!;
  using both = automation.client.CreateAndCondition(notPassword, hasValue)!;
  using request = automation.request(
    [PropertyId.RuntimeId, PropertyId.NativeWindowHandle, PropertyId.ValueValue],
    false,
  );
  using found = start.FindAllBuildCache(TreeScope.Subtree, both, request);
  const length = found === null ? 0 : found.get_Length();
  for (let index = 0; index < length; index++) {
    using element = found!.GetElement(index);
    if (element === null) continue;
    const read: Read = (property) => plain(element.GetCachedPropertyValueEx(property, true));
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
  automation: Automation,
  start: IUIAutomationElement,
  above: Parameters<typeof nodeOf>[1],
  properties: readonly number[],
  reading: Reading,
): TreeNode | null {
  using request = automation.request(properties, true);
  try {
    using cached = automation.waitingAtMost(reading.asker.left * SUBTREE_SHARE, () => start.BuildUpdatedCache(request));
    return cached === null ? null : readCached(cached, above, 0, reading);
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    // One failing element fails the whole call: the others are reached by a walk.
    if (error.hresult === HRESULT.E_NOTIMPL) automation.giveUpSubtrees();
    else reading.isFailing = !isLate(error);
    reading.count = 0;
    return null;
  }
}

/** Reads the whole tree by the best method still available. Errors: ComError. */
function readTree(
  automation: Automation,
  start: IUIAutomationElement,
  hwnd: number,
  reading: Reading,
): TreeNode | null {
  const { abilities } = automation;
  const above = { identity: `hwnd:${hwnd}`, hwnd, controlType: null };
  const properties = abilities.patterns ? [...BASIC, ...CAPABILITIES.map(([property]) => property), ...STATES] : BASIC;
  const whole = abilities.subtreeCache ? readSubtree(automation, start, above, properties, reading) : null;
  if (whole !== null) return whole;
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
    readValues(start, root, reading);
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    reading.asker.cut();
  }
}

/**
 * A window's tree as UI Automation exposes it; null if it exposes nothing, or nothing more than the windows do. The
 * caller has checked that the window's thread answers.
 */
export function readAutomation(automation: Automation, hwnd: number, asker: Asker): TreeNode | null {
  const reading: Reading = { automation, asker, count: 0, texts: 0, isFailing: false };
  try {
    using start = automation.fromWindow(hwnd);
    const root = start === null ? null : readTree(automation, start, hwnd, reading);
    if (root === null || start === null) return null;
    if (root.children.length === 0 && !automation.abilities.patterns) return null;
    addValues(automation, start, root, reading);
    return root;
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    // The provider disappeared or failed at the start: what other sources know remains valid.
    asker.cut();
    return null;
  }
}

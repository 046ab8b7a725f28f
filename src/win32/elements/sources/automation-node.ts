/** Makes a tree node of one UI Automation element from its cached properties. */
import { ITEMS, VALUE_FIELDS, type ControlType, type ElementState } from '../../../contract/element/control-types.ts';
import type { VariantValue } from '../../../../native-bindings/com/variant.ts';
import type {
  IUIAutomationCacheRequest,
  IUIAutomationElement,
  IUIAutomationTreeWalker,
} from '../../../../native-bindings/uia/automation.generated.ts';
import {
  AccState,
  ControlTypeId,
  ExpandCollapseState,
  PropertyId,
  ToggleState,
} from '../../../../native-bindings/uia/identifiers.generated.ts';
import type { Rect } from '../../../contract/element/geometry.ts';
import { plain } from './patterns.ts';
import { BOUNDARY_PROPERTIES } from './boundary.ts';
import { makeNode, type Capability, type Locator, type TreeNode } from '../tree/tree.ts';
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
  PropertyId.ProviderDescription,
] as const;

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
export type Read = (property: number) => VariantValue;

const text = (value: VariantValue): string => (typeof value === 'string' ? value : '');

/** Coordinates of windows have 32 bits. */
const FARTHEST = 2 ** 31;

/** Rectangle of a BoundingRectangle, in screen pixels; empty if there is none. */
export function rectOf(value: VariantValue): Rect {
  // Programs answer infinities and numbers beyond any desktop too.
  const isOnDesktop = (part: unknown): boolean => Math.abs(Number(part)) <= FARTHEST;
  if (!Array.isArray(value) || value.length !== 4 || !value.every(isOnDesktop))
    return { x: 0, y: 0, width: 0, height: 0 };
  const [x, y, width, height] = value as number[];
  return {
    x: Math.round(x!),
    y: Math.round(y!),
    width: Math.max(0, Math.round(width!)),
    height: Math.max(0, Math.round(height!)),
  };
}

/** A resource ordinal in place of a name is not a name. */
function nameOf(read: Read): string {
  const name = text(read(PropertyId.Name));
  return name.startsWith('\uffff') ? '' : name.split('\t', 1)[0]!;
}

function stateWords(states: Set<ElementState>, read: Read): void {
  if (read(PropertyId.IsEnabled) === false) states.add('disabled');
  if (read(PropertyId.IsOffscreen) === true) states.add('offscreen');
  if (read(PropertyId.IsPassword) === true) states.add('password');
  if (read(PropertyId.HasKeyboardFocus) === true) states.add('focused');
}

function patternStates(node: TreeNode, read: Read): void {
  const { states, controlType } = node;
  const capabilities = new Set<Capability>();
  node.capabilities = capabilities;
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
  if (isReadOnly && VALUE_FIELDS.has(controlType)) states.add('readonly');
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

/** “Main(parent link):Microsoft: MSAA Proxy (unmanaged:uiautomationcore.dll)”; a nested description names its own. */
const MAIN = /\bMain(?:\([^)]*\))?:(?!Nested\b)([^;\]]*)/g;
const PROXY = /^\w+: [^(]*\bProxy\b|^MS\.Internal\.AutomationProxies\b/;

/**
 * Whether the system's own proxy speaks for a window, and no provider of its program or toolkit. Null where the
 * description says nothing. Source: learn.microsoft.com/windows/win32/winauto/uiauto-clientsideprovider
 */
export function isProxyOf(description: VariantValue): boolean | null {
  if (typeof description !== 'string' || description === '') return null;
  return [...description.matchAll(MAIN)].every(([, main = '']) => PROXY.test(main));
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

/**
 * Gives a node its identity: its RuntimeId, its window if it is one, else its position. By a RuntimeId that lasts for one
 * look alone, nothing is found again.
 */
export function identify(
  read: Read,
  above: Pick<AboveNode, 'identity' | 'hwnd' | 'hasPassingIds'>,
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
  const place = `${above.identity}/${index}:${type}:${name}`;
  if (above.hasPassingIds === true)
    return { identity: place, locator: { kind: 'uia', hwnd, runtimeId, isShared: true }, hwnd };
  const identity = runtimeId.length > 0 ? `rid:${runtimeId.join('.')}` : place;
  return { identity, locator: { kind: 'uia', hwnd, runtimeId }, hwnd };
}

/** What React counts for an element of a page. Source: react.dev/reference/react/useId */
const COUNTED = /[:\u00ab]r[\da-z]+[:\u00bb]|_r_[\da-z]+_/;

/**
 * An id without an author is none, for it is another one the next time: the handle of its window in decimal (Windows Forms,
 * Delphi) or hexadecimal, and a running number. That of a row or cell ends its RuntimeId as well: `ListViewItem-0`.
 */
function chosenId(id: string, { hwnd, locator }: Pick<TreeNode, 'hwnd' | 'locator'>, isInRow: boolean): string {
  const isHandle = /^(?:0x)?[\da-f]+$/i.test(id) && (Number(id) === hwnd || Number.parseInt(id, 16) === hwnd);
  const count = isInRow && locator.kind === 'uia' ? locator.runtimeId.at(-1) : undefined;
  return isHandle || COUNTED.test(id) || (count !== undefined && id.endsWith(`-${count}`)) ? '' : id;
}

/** A dialog is exposed under the window that owns it, and may be anywhere on the screen. */
const isOtherTop = (locator: Locator): boolean => locator.kind === 'window' && rootOf(locator.hwnd) === locator.hwnd;

/** What a node takes from its parent. */
export interface AboveNode {
  readonly identity: string;
  readonly hwnd: number;
  readonly controlType: ControlType | null;
  readonly hasPassingIds?: true;
}

/** The node of one element; its children are added later. */
export function nodeOf(element: IUIAutomationElement, above: AboveNode, index: number, hasPatterns: boolean): TreeNode {
  const read = cachedOf(element);
  const controlType = CONTROL_TYPES.get(Number(read(PropertyId.ControlType))) ?? 'Custom';
  const name = nameOf(read);
  const rect = rectOf(read(PropertyId.BoundingRectangle));
  const identity = identify(read, above, index, name, controlType);
  const isInRow = ITEMS.has(controlType) || (above.controlType !== null && ITEMS.has(above.controlType));
  const node = makeNode({
    ...identity,
    controlType,
    name,
    rect,
    source: 'uia',
    automationId: chosenId(text(read(PropertyId.AutomationId)), identity, isInRow),
    className: text(read(PropertyId.ClassName)),
  });
  stateWords(node.states, read);
  if (hasPatterns) patternStates(node, read);
  if (hasPatterns && node.locator.kind === 'window') node.isProxied = isProxyOf(read(PropertyId.ProviderDescription));
  if (name === '' && PICTURED.has(controlType))
    node.name = text(read(PropertyId.HelpText))
      .split(/[\r\n]/, 1)[0]!
      .trim();
  // Menus and drop-down lists appear outside their opener; the provider says whether they are visible.
  const isPopup = above.controlType !== null && (POPUP_PARENTS.has(above.controlType) || isOtherTop(node.locator));
  if (isPopup) node.popup = rect;
  return node;
}

/** The properties to request for a node. */
export const propertiesOf = (hasPatterns: boolean): readonly number[] =>
  hasPatterns ? [...BASIC, ...BOUNDARY_PROPERTIES, ...CAPABILITIES.map(([property]) => property), ...STATES] : BASIC;

export const runtimeIdOf = (element: IUIAutomationElement): string => {
  const id = cachedOf(element)(PropertyId.RuntimeId);
  return Array.isArray(id) ? id.join('.') : '';
};

/** What of an element was requested with it. */
export const cachedOf =
  (element: IUIAutomationElement): Read =>
  (property) =>
    plain(element.GetCachedPropertyValueEx(property, true));

/** Where a walk gets its elements. */
export interface Walk {
  readonly walker: IUIAutomationTreeWalker;
  readonly request: IUIAutomationCacheRequest;
  /** One step: null where there is no further element, undefined where it failed. */
  step(ask: () => IUIAutomationElement | null): IUIAutomationElement | null | undefined;
}

/**
 * The children of an element, one by one. A failing child hides what is behind it, so the rest is visited from the end,
 * backwards, if the ids tell where the two directions meet.
 * @param visit false stops the walk
 * @returns `none` where a failing child hides all of them
 */
export function visitChildren(
  above: IUIAutomationElement,
  { walker, request, step }: Walk,
  visit: (child: IUIAutomationElement, isFromEnd: boolean) => boolean,
): 'all' | 'some' | 'none' | 'stopped' {
  const seen = new Set<string>();
  const along = (
    first: () => IUIAutomationElement | null,
    next: (from: IUIAutomationElement) => IUIAutomationElement | null,
    isFromEnd: boolean,
  ): 'end' | 'failed' | 'met' | 'stopped' => {
    let child = step(first);
    while (child !== null && child !== undefined) {
      using current: IUIAutomationElement = child;
      const id = runtimeIdOf(current);
      if (isFromEnd && (id === '' || seen.has(id))) return 'met';
      seen.add(id);
      if (!visit(current, isFromEnd)) return 'stopped';
      child = step(() => next(current));
    }
    return child === null ? 'end' : 'failed';
  };
  const forwards = along(
    () => walker.GetFirstChildElementBuildCache(above, request),
    (from) => walker.GetNextSiblingElementBuildCache(from, request),
    false,
  );
  if (forwards !== 'failed') return forwards === 'stopped' ? 'stopped' : 'all';
  if (seen.has('')) return 'some';
  const backwards = along(
    () => walker.GetLastChildElementBuildCache(above, request),
    (from) => walker.GetPreviousSiblingElementBuildCache(from, request),
    true,
  );
  return backwards === 'stopped' ? 'stopped' : seen.size === 0 ? 'none' : 'some';
}

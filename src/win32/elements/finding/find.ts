/** All elements that fit a description: by the provider's own search where it has one, else in one reading. */
import { comparable } from '../../../contract/element/element-words.ts';
import type {
  IUIAutomationCondition,
  IUIAutomationElement,
} from '../../../../native-bindings/uia/automation.generated.ts';
import { ControlTypeId, PropertyId, TreeScope } from '../../../../native-bindings/uia/identifiers.generated.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import { rectCentre, sameRect } from '../../../contract/element/coordinates.ts';
import type { ControlType } from '../../../contract/element/control-types.ts';
import type { Point, Rect } from '../../../contract/element/geometry.ts';
import type { Wanted } from '../../../desktop/element.ts';
import { isTextual, MOST_TEXTS, readValues, takeText } from '../sources/automation.ts';
import { nodeOf, propertiesOf } from '../sources/automation-node.ts';
import { isNotable } from '../sources/boundary.ts';
import type { Automation } from '../sources/uia-client.ts';
import { clipToAncestors, pathTo, walk, type TreeNode } from '../tree/tree.ts';
import { descendantsOf, windowStyle } from '../../windows/window-info.ts';
import { outerRect } from '../../windows/rects.ts';
import type { ReadOptions } from '../reading/observe.ts';
import { placedName } from './refs.ts';
import { popupRecords } from '../reading/popup-records.ts';
import { controlTypesOf, namesOf, rankName, rolesOf } from './query.ts';
import { WS_VISIBLE } from '../../../../native-bindings/win32/constants.ts';
import { comAnswer } from '../sources/boundary.ts';

/** PropertyConditionFlags. Source: learn.microsoft.com/windows/win32/api/uiautomationclient/ne-uiautomationclient-propertyconditionflags */
const IGNORE_CASE = 1;
const MATCH_SUBSTRING = 2;
/** More results than this are read with the window: one call for all of it is cheaper than their values one by one. */
const MOST_FOUND = 400;
/** The values of this number of results are asked; more than are listed at a time. */
const MOST_VALUES = 100;
/** Share of the time left for the search. */
const SHARE = 0.5;

/** Whether a text holds all parts of a pattern in their order, from its beginning to its end. */
function fitsPattern(parts: readonly string[], text: string): boolean {
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/** Whether a text fits: it contains the wanted one, or fits the whole pattern; case does not matter. */
function fitsText(wanted: string, text: string): boolean {
  const [pattern, whole] = [wanted.toLowerCase(), text.toLowerCase()];
  return pattern.includes('*') ? fitsPattern(pattern.split('*'), whole) : whole.includes(pattern);
}

const fitsName = (wanted: string, node: TreeNode): boolean =>
  namesOf(node).some(
    (name) =>
      (wanted.includes('*') && (fitsText(wanted, name) || fitsText(wanted, comparable(name)))) ||
      rankName(wanted, [name]) !== null,
  );

function fitsState(state: NonNullable<Wanted['state']>, { states }: TreeNode): boolean {
  return state === 'enabled' ? !states.has('disabled') : states.has(state);
}

/** Whether an element fits. Errors: invalid_argument for an unknown role. */
export function fitting(wanted: Wanted): (node: TreeNode) => boolean {
  const { role, name, value, state } = wanted;
  const types: ReadonlySet<ControlType> | null = role === undefined ? null : new Set(controlTypesOf(role));
  return (node) =>
    (types === null || types.has(node.controlType)) &&
    (name === undefined || fitsName(name, node)) &&
    (value === undefined || (node.value !== null && !node.states.has('password') && fitsText(value, node.value))) &&
    (state === undefined || fitsState(state, node));
}

/** What fits a role by its first list of control types that has any: a button is a menu item only where no button fits. */
export function ofFirstTypes<T extends { readonly node: TreeNode }>(
  found: readonly T[],
  role: string | undefined,
): readonly T[] {
  if (role === undefined) return found;
  for (const types of rolesOf(role)) {
    const own = found.filter(({ node }) => types.includes(node.controlType));
    if (own.length > 0) return own;
  }
  return [];
}

/** The elements of a tree that fit, without its root. */
export function fittingIn(root: TreeNode, wanted: Wanted): TreeNode[] {
  const fits = fitting(wanted);
  return walk(root).filter((node) => node !== root && fits(node));
}

const distance = (rect: Rect, { x, y }: Point): number => {
  const [dx, dy] = [
    Math.max(rect.x - x, 0, x - rect.x - rect.width),
    Math.max(rect.y - y, 0, y - rect.y - rect.height),
  ];
  return dx * dx + dy * dy;
};

/** Nearest to an element first; that element itself is left out. */
export function nearestFirst(nodes: readonly TreeNode[], to: TreeNode): TreeNode[] {
  const centre = rectCentre(to.visible ?? to.rect);
  const others = nodes.filter(({ identity, rect }) => identity !== to.identity || !sameRect(rect, to.rect));
  return others
    .map((node) => ({ node, far: distance(node.visible ?? node.rect, centre) }))
    .sort((one, other) => one.far - other.far)
    .map(({ node }) => node);
}

const typesCondition = (automation: Automation, types: readonly ControlType[]): IUIAutomationCondition | null => {
  let any: IUIAutomationCondition | null = null;
  for (const type of types) {
    const one = automation.having([[PropertyId.ControlType, ControlTypeId[type]]]);
    if (any === null) any = one;
    else {
      using known = any;
      using other = one;
      any = automation.client.CreateOrCondition(known, other);
    }
  }
  return any;
};

/** Part of a name, ignoring case; null where the system searches for whole names alone (Windows before 10 1809). */
function nameCondition(automation: Automation, part: string): IUIAutomationCondition | null {
  return comAnswer(() =>
    automation.client.CreatePropertyConditionEx(PropertyId.Name, part, IGNORE_CASE | MATCH_SUBSTRING),
  );
}

/** What a provider searches by; null where it cannot. The caller disposes of it. Errors: ComError. */
function conditionOf(automation: Automation, { name, role }: Wanted): IUIAutomationCondition | null {
  const types = typesCondition(automation, role === undefined ? [] : controlTypesOf(role));
  // The longest part of a pattern; the others are compared here.
  const [part = ''] = (name ?? '')
    .split('*')
    .map(comparable)
    .sort((one, other) => other.length - one.length);
  const named = part === '' ? null : nameCondition(automation, part);
  if (types === null || named === null) return types ?? named;
  using one = types;
  using other = named;
  return automation.client.CreateAndCondition(one, other);
}

/** Where a search begins: the window or the part, and wherever another provider begins in it. */
interface Starts {
  readonly nodes: readonly TreeNode[];
  readonly elements: readonly IUIAutomationElement[];
}

/**
 * Null where a search would miss something: parts that other sources show, or providers that are not known. What is taken
 * from `stack` ends with it.
 */
function startsOf(
  automation: Automation,
  record: BindingRecord,
  within: TreeNode | null,
  options: ReadOptions,
  stack: DisposableStack,
): Starts | null {
  const top = Number(record.hwnd);
  if (popupRecords(record, options.popups).length > 0) return null;
  const view = options.views.view(record);
  const root = view === null ? null : within === null ? view.root : pathTo(view.root, within.identity).at(-1);
  const element = within === null ? automation.fromWindow(top) : automation.elementOf(within, top);
  if (element === null) return null;
  stack.use(element);
  if (view === null || root === undefined || root === null) {
    const isAlone = within === null && !descendantsOf(top).some(isShown);
    return isAlone ? { nodes: [], elements: [element] } : null;
  }
  const nodes = walk(root);
  if (nodes.some((node) => node !== view.root && node.source !== 'uia')) return null;
  const gaps = view.elements.gaps.filter((gap) => gap !== root && nodes.includes(gap));
  const behind = gaps.flatMap((gap) => view.elements.get(gap) ?? []);
  return behind.length === gaps.length ? { nodes, elements: [element, ...behind] } : null;
}

/** A child window that is large enough to show something of its own. */
function isShown(hwnd: number): boolean {
  const rect = outerRect(hwnd);
  return (windowStyle(hwnd) & WS_VISIBLE) !== 0 && rect !== null && isNotable(rect);
}

/** Values and texts, which are asked of each element that otherwise fits. */
function takeValues(automation: Automation, found: ReadonlyArray<readonly [TreeNode, IUIAutomationElement]>): void {
  let texts = 0;
  for (const [node, element] of found) {
    if (isTextual(node) && texts++ < MOST_TEXTS) takeText(node, element);
    else readValues(automation, element, [node], TreeScope.Element);
  }
}

/**
 * By the provider's own search for a role or a part of a name, in a window that UI Automation shows by itself. Null where
 * there is no such search, where it would miss something, and where it finds nothing: a label next to a field is not its
 * name.
 */
export function searchProvider(
  record: BindingRecord,
  wanted: Wanted,
  within: TreeNode | null,
  options: ReadOptions,
): TreeNode[] | null {
  const { automation } = options;
  if (automation?.canSearch !== true || (wanted.name === undefined && wanted.role === undefined)) return null;
  const frame = outerRect(Number(record.hwnd));
  return comAnswer(() =>
    automation.waitingAtMost(options.budgetMs * SHARE, () => {
      using stack = new DisposableStack();
      const starts = startsOf(automation, record, within, options, stack);
      const condition = starts === null ? null : conditionOf(automation, wanted);
      if (starts === null || condition === null) return null;
      const found = foundFrom(automation, starts, stack.use(condition), { top: Number(record.hwnd), stack });
      if (found === null || found.length === 0) return null;
      const known = new Map(starts.nodes.map((node) => [node.identity, node]));
      for (const [node] of found) {
        clipToAncestors(node, frame);
        const { locator, hwnd, label, beside, place } = known.get(node.identity) ?? node;
        Object.assign(node, { locator, hwnd, label, beside, place });
        if (node.name === '') node.name = label ?? '';
      }
      const { value, ...rest } = wanted;
      const fits = fitting(rest);
      const meant = found.filter(([node]) => fits(node));
      // An item without a name is known by what is in it, which a search does not read.
      if (meant.some(([node]) => placedName(node) === '')) return null;
      takeValues(automation, value === undefined ? meant.slice(0, MOST_VALUES) : meant);
      return meant.map(([node]) => node).filter(fitting(wanted));
    }),
  );
}

function foundFrom(
  automation: Automation,
  { elements }: Starts,
  condition: IUIAutomationCondition,
  { top, stack }: { readonly top: number; readonly stack: DisposableStack },
): Array<readonly [TreeNode, IUIAutomationElement]> | null {
  const { patterns } = automation.abilities;
  using request = automation.request(propertiesOf(patterns), false);
  const found: Array<readonly [TreeNode, IUIAutomationElement]> = [];
  for (const start of elements) {
    using all = start.FindAllBuildCache(TreeScope.Descendants, condition, request);
    const length = all === null ? 0 : all.get_Length();
    if (found.length + length > MOST_FOUND) return null;
    for (let at = 0; at < length; at++) {
      const element = all!.GetElement(at);
      if (element === null) continue;
      stack.use(element);
      const node = nodeOf(element, { identity: '', hwnd: top, controlType: null }, at, patterns);
      // Without a RuntimeId it has no ref.
      if (node.locator.kind === 'uia' && node.locator.runtimeId.length === 0) return null;
      found.push([node, element]);
    }
  }
  return found;
}

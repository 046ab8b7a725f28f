/** Which element a query matches: ranking, ambiguity, roles. No Windows calls. */
import {
  CONTROL_TYPES,
  ROLE_TO_CONTROL_TYPES,
  type ControlType,
  ITEMS,
} from '../../../contract/element/control-types.ts';
import { comparable, isSameName, nextStep, type PathPart } from '../../../contract/element/element-words.ts';
import type { ElementQuery, ElementPurpose } from '../../../contract/element/element.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import { rectCentre, rectContains } from '../../../contract/element/coordinates.ts';
import { quoted } from '../../../contract/json/quoted.ts';
import { shownName } from '../tree/labels.ts';
import { pathTo, walk, type TreeNode, describeNode } from '../tree/tree.ts';
import { stepsOf, stepText, type ElementStep } from '../../../contract/element/element-path.ts';
import type { CallContext } from '../../../desktop/call.ts';
import { inSlices } from '../../windows/waiting.ts';
import type { ItemList, ListedItem } from '../../drivers/driver.ts';
import type { OpenItems } from '../../drivers/index.ts';

/** How well a name matches, best first: exact, exact but for case, prefix, substring. */
export const RANKS = ['exact', 'ignoring-case', 'prefix', 'substring'] as const;
export type NameRank = (typeof RANKS)[number];

/** Containers and decoration: if something clickable has the same name, it wins. */
const PASSIVE: ReadonlySet<ControlType> = new Set([
  'Text',
  'Image',
  'Pane',
  'Group',
  'Window',
  'TitleBar',
  'StatusBar',
  'Separator',
  'List',
  'Tree',
  'Tab',
  'DataGrid',
  'Table',
  'ToolBar',
  'MenuBar',
  'Menu',
  'Header',
  'ToolTip',
  'ProgressBar',
  'Custom',
]);

/** Their parts repeat the name of the whole, and acting on the whole acts on the parts. */
const COMPOSITE: ReadonlySet<ControlType> = new Set([
  'ComboBox',
  'Spinner',
  'Edit',
  'Slider',
  'Calendar',
  'SplitButton',
]);

const TAKES_TEXT: ReadonlySet<ControlType> = new Set(['Edit', 'Document', 'ComboBox', 'Spinner', 'Slider', 'Calendar']);
const HAS_ITEMS: ReadonlySet<ControlType> = new Set([
  'List',
  'Tree',
  'ComboBox',
  'Tab',
  'DataGrid',
  'Table',
  'Menu',
  'MenuBar',
  'ToolBar',
  'Calendar',
  'Header',
]);

/** All control types that a role stands for: {@link rolesOf}. */
export const controlTypesOf = (role: string): readonly ControlType[] => rolesOf(role).flat();

/**
 * The control types that a role stands for; the first list that has a match counts. Accepts the roles of the table and
 * control types, ignoring case. Errors: invalid_argument with similar names.
 */
export function rolesOf(given: string): ReadonlyArray<readonly ControlType[]> {
  const role = given.replace(/^(?:UIA_)?ControlType\./i, '');
  const exact = CONTROL_TYPES.find((type) => type === role);
  if (exact !== undefined) return [[exact]];
  const lower = role.toLowerCase();
  const key = Object.keys(ROLE_TO_CONTROL_TYPES).find((name) => name === lower);
  if (key !== undefined) return ROLE_TO_CONTROL_TYPES[key]!;
  const anyCase = CONTROL_TYPES.find((type) => type.toLowerCase() === lower);
  if (anyCase !== undefined) return [[anyCase]];
  const known = [...Object.keys(ROLE_TO_CONTROL_TYPES), ...CONTROL_TYPES];
  throw new UiaHostError('invalid_argument', `Unknown role or control type ${quoted(given)}. Nothing was done.`, {
    suggestions: known
      .filter((name) => name.toLowerCase().includes(lower) || lower.includes(name.toLowerCase()))
      .slice(0, 5),
    hint: `Use a UIA control type name, or one of ${Object.keys(ROLE_TO_CONTROL_TYPES).join(', ')}.`,
  });
}

/** How well `wanted` matches one of the names; null if it does not. */
export function rankName(wanted: string, names: readonly string[]): NameRank | null {
  const query = comparable(wanted) || wanted.trim();
  const lower = query.toLowerCase();
  let best: number | null = null;
  for (const raw of names) {
    const name = comparable(raw) || raw.trim();
    if (name === '') continue;
    const folded = name.toLowerCase();
    const rank =
      raw === wanted || name === query
        ? 0
        : folded === lower
          ? 1
          : folded.startsWith(lower)
            ? 2
            : folded.includes(lower)
              ? 3
              : null;
    if (rank !== null && (best === null || rank < best)) best = rank;
  }
  return best === null ? null : RANKS[best]!;
}

/** What a rule ranks best, with its rank: the lower, the better; null: it does not fit. */
function best<T>(all: Iterable<T>, rankOf: (each: T) => number | null): { readonly found: T[]; readonly rank: number } {
  let rank: number = RANKS.length;
  let found: T[] = [];
  for (const each of all) {
    const order = rankOf(each);
    if (order === null || order > rank) continue;
    if (order < rank) found = [];
    rank = order;
    found.push(each);
  }
  return { found, rank };
}

const orderOf = (wanted: string, names: readonly string[]): number | null => {
  const rank = rankName(wanted, names);
  return rank === null ? null : RANKS.indexOf(rank);
};

/** What fits a name best. */
export const bestOf = <T>(items: Iterable<T>, nameOf: (item: T) => string, name: string): T[] =>
  spelt(best(items, (item) => orderOf(name, [nameOf(item)])).found, nameOf, name);

/** What a step of a path leads to, and how many parts of the path it takes. */
export interface Step<T> {
  readonly found: readonly T[];
  readonly parts: number;
}

/**
 * What the next step of a path leads to among what is on one level.
 * @param isWhole a part of a name does not count
 */
export function stepAmong<T>(
  level: readonly T[],
  nameOf: (item: T) => string,
  path: readonly PathPart[],
  at: number,
  isWhole = false,
): Step<T> {
  const { parts, fits } = nextStep(level.map(nameOf), path, at);
  const { name } = path[at]!;
  if (fits !== null) return { parts, found: level.filter((item) => fits(nameOf(item))) };
  return { parts, found: bestOf(level, nameOf, name).filter((item) => !isWhole || isSameName(name, nameOf(item))) };
}

/** What is spelt like a name among what fits it equally well; all of it where nothing is. */
export function spelt<T>(found: T[], nameOf: (each: T) => string, wanted: string): T[] {
  const own = found.length < 2 ? [] : found.filter((each) => nameOf(each) === wanted);
  return own.length > 0 ? own : found;
}

/** Every name an element answers to: its own, and its label. */
export function namesOf(node: TreeNode): string[] {
  return node.label === null || node.label === node.name ? [node.name] : [node.name, node.label];
}

/**
 * The description that a snapshot shows in place of a missing name leads back to its element, but only in full: it is
 * not a name.
 */
const rankOf = (wanted: string, node: TreeNode): number | null =>
  node.name === '' && wanted !== '' && shownName(node) === wanted ? 0 : orderOf(wanted, namesOf(node));

/** Whether it has that name, whatever its case, and not a name that contains it. */
export const isNamed = (node: TreeNode, name: string): boolean => (rankOf(name, node) ?? RANKS.length) < 2;

/**
 * The elements of the best rank; one = found, none = not found, more = ambiguous. `ref` is ignored. Among equal ranks,
 * elements that the purpose can use win: a field beats the label that names it, a button beats the text inside it.
 * `rank`: an index of `RANKS`, that of the name that led to them, which may be another element's.
 */
export function rankedMatches(
  root: TreeNode,
  query: ElementQuery,
  purpose: ElementPurpose,
): { readonly found: TreeNode[]; readonly rank: number } {
  if (query.role === undefined) return matchesOf(root, query, purpose, null);
  // A choice is made among the items of a whole, and `tab` may mean either.
  const roles = purpose === 'select' ? rolesOf(query.role).toReversed() : rolesOf(query.role);
  const [first, ...others] = roles.map((types) => () => matchesOf(root, query, purpose, new Set(types)));
  let matches = first!();
  for (const other of others) if (matches.found.length === 0) matches = other();
  return matches;
}

function matchesOf(
  root: TreeNode,
  query: ElementQuery,
  purpose: ElementPurpose,
  types: ReadonlySet<ControlType> | null,
): { readonly found: TreeNode[]; readonly rank: number } {
  const { found, rank } = best(walk(root), (node) => {
    if (types !== null && !types.has(node.controlType)) return null;
    if (query.automationId !== undefined && node.automationId !== query.automationId) return null;
    return query.name === undefined ? 0 : rankOf(query.name, node);
  });
  const fitting = found.length < 2 ? found : prefer(found, root, query, purpose);
  return {
    found:
      fitting.length > 0 && fitting.every((node) => node.controlType === 'Group')
        ? fieldsOf(fitting, root, purpose)
        : fitting,
    rank,
  };
}

/**
 * A group takes no text and has no items itself: its name stands for the fields inside it that do. Without such fields
 * the group remains.
 */
function fieldsOf(groups: TreeNode[], root: TreeNode, purpose: ElementPurpose): TreeNode[] {
  const wanted = purpose === 'type' ? TAKES_TEXT : purpose === 'select' ? HAS_ITEMS : null;
  if (wanted === null) return groups;
  const isInside = (node: TreeNode, group: TreeNode): boolean =>
    pathTo(group, node.identity).length > 1 || (node.rect.width > 0 && rectContains(group.rect, rectCentre(node.rect)));
  const fields = walk(root).filter(
    (node) =>
      wanted.has(node.controlType) &&
      node.locator.kind !== 'item' &&
      node.visible !== null &&
      groups.some((group) => isInside(node, group)),
  );
  // The edit inside a combo box counts as the combo box; a spinner as its field.
  const whole = fields.filter(
    (node) => node.buddy === 0 && !fields.some((other) => other !== node && pathTo(other, node.identity).length > 1),
  );
  return whole.length > 0 ? whole : groups;
}

function prefer(found: TreeNode[], root: TreeNode, query: ElementQuery, purpose: ElementPurpose): TreeNode[] {
  const narrow = (keep: (node: TreeNode) => boolean): void => {
    const kept = found.filter(keep);
    if (kept.length > 0) found = kept;
  };
  if (query.role === undefined) {
    narrow((node) => node !== root);
    // A spinner repeats its field's name.
    narrow((node) => node.buddy === 0 || !found.some((other) => other.hwnd === node.buddy));
    narrow(
      (node) =>
        !found.some((other) => COMPOSITE.has(other.controlType) && other !== node && walk(other).includes(node)),
    );
    if (purpose === 'type') narrow((node) => TAKES_TEXT.has(node.controlType));
    if (purpose === 'click') narrow((node) => !PASSIVE.has(node.controlType));
    if (purpose === 'select' || purpose === 'look')
      narrow((node) => HAS_ITEMS.has(node.controlType) || !PASSIVE.has(node.controlType));
    // The label of a field is not a second match.
    const labels = new Set(found.filter((node) => node.label !== null).map((node) => comparable(node.label!)));
    narrow((node) => !(node.controlType === 'Text' && labels.has(comparable(node.name))));
  }
  // “Kind:” is the field and not the column “Kind”.
  narrow((node) => node.name === query.name);
  return found;
}

/** Whether more elements may come to be among its descendants without a change of the window: when it is scrolled or read again. */
const isReadInPart = (node: TreeNode): boolean =>
  node.itemCount !== null || node.isCut || node.capabilities.has('item-container');

const fits = ({ name, automationId }: ElementStep, node: TreeNode): boolean =>
  (automationId === undefined || node.automationId === automationId) &&
  (name === undefined || namesOf(node).some((one) => one !== '' && isSameName(name, one)));

/** All that fit one step, without its number. */
function below(place: TreeNode, step: ElementStep): TreeNode[] {
  const named = walk(place).filter((node) => node !== place && fits(step, node));
  for (const types of rolesOf(step.role)) {
    const found = named.filter(({ controlType }) => types.includes(controlType));
    if (found.length > 0) return found;
  }
  return [];
}

/** What a path leads to: one = found, none = not found, more = ambiguous, also where that is a step on the way. */
export interface Reached {
  readonly found: readonly TreeNode[];
  /** What was not read, where the counting of a step depends on it; else null. */
  readonly unread: string | null;
}

/**
 * Names fit as a whole but for case, never in part: what is not there any more is not found.
 * Errors: invalid_argument for an unknown role, and for a number of a list's item.
 */
export function inPath(root: TreeNode, path: string): Reached {
  let found: readonly TreeNode[] = [root];
  let unread: string | null = null;
  for (const step of stepsOf(path)) {
    const [place] = found;
    if (place === undefined || found.length > 1) break;
    found = below(place, step);
    if (step.nth === null) continue;
    if (found.some(({ controlType }) => ITEMS.has(controlType)))
      throw new UiaHostError(
        'invalid_argument',
        `${step.role}[${step.nth}]: a path does not count items. Nothing was done.`,
        {
          hint: 'Name the item, or use select-element with the list and an index.',
        },
      );
    const parts = walk(place).filter(isReadInPart);
    const part = parts.find((one) => one === place || found.some((node) => pathTo(one, node.identity).length > 0));
    if (part !== undefined) unread = `${describeNode(part)} was read in part`;
    found = found.slice(step.nth - 1, step.nth);
  }
  return { found, unread };
}

/** Longer names change more often than places do. */
const LONGEST_NAME = 100;

/** The steps that name an element, the most lasting first. */
function wordsFor({ controlType: role, automationId, ...node }: TreeNode): ElementStep[] {
  const [name = ''] = [node.name, node.label ?? ''].filter((one) => one.trim() !== '' && one.length <= LONGEST_NAME);
  return [
    ...(automationId === '' ? [] : [{ role, nth: null, automationId }]),
    ...(name === '' ? [] : [{ role, nth: null, name }]),
  ];
}

/**
 * The path that leads to this element alone, from the nearest element above it that has a name or an id of its own; null if
 * none does.
 */
export function pathFor(root: TreeNode, node: TreeNode): string | null {
  const leads = (path: string, to: TreeNode): boolean => {
    const { found, unread } = inPath(root, path);
    return unread === null && found.length === 1 && found[0] === to;
  };
  const from = (place: TreeNode, start: string): string | null => {
    for (const word of [...wordsFor(node), { role: node.controlType, nth: null }]) {
      const at = below(place, word).indexOf(node) + 1;
      const counted = ITEMS.has(node.controlType) ? [] : [{ ...word, nth: at }];
      for (const step of [word, ...counted].map(stepText))
        if (step !== null && at > 0 && leads(`${start}${step}`, node)) return `${start}${step}`;
    }
    return null;
  };
  for (const place of pathTo(root, node.identity).slice(1, -1).toReversed()) {
    for (const word of wordsFor(place)) {
      const step = stepText(word);
      const path = step !== null && leads(step, place) ? from(place, `${step} > `) : null;
      if (path !== null) return path;
    }
  }
  return from(root, '');
}

/** Result of a search by name. */
export interface NamedItems {
  /** The items of the best rank. */
  readonly found: readonly ListedItem[];
  /** The rank of `found`, as in `RANKS`; the number of ranks if nothing was found. */
  readonly rank: number;
  /** How many items were read. */
  readonly read: number;
  /** All items were read, or need not be: none of the others can match better. */
  readonly isSure: boolean;
}

const EXACT = 0;

/** Whether unread items must be searched for a name: the control itself finds an exact one. */
export function findExact({ list }: OpenItems, name: string): NamedItems | null {
  const found = list.find(name);
  return found.length === 0 ? null : { found, rank: EXACT, read: found.length, isSure: true };
}

/** Reads all items. Errors: cancelled. */
export async function findByName(items: OpenItems, name: string, call: CallContext): Promise<NamedItems> {
  const { list, asker } = items;
  let found: ListedItem[] = [];
  let rank: number = RANKS.length;
  let read = 0;
  await inSlices(list.items(0), call, (item) => {
    if (item === null) return !items.isOver;
    read++;
    const fits = rankName(name, [item.name]);
    const order = fits === null ? RANKS.length : RANKS.indexOf(fits);
    if (fits !== null && order <= rank) {
      if (order < rank) found = [];
      rank = order;
      found.push(item);
    }
    return !items.isOver;
  });
  return { found: spelt(found, (item) => item.name, name), rank, read, isSure: read >= list.count && !asker.isPartial };
}

/** The items of a range; fewer if the control stops answering. Errors: cancelled. */
export async function itemsFrom(
  list: ItemList,
  from: number,
  most: number,
  call: CallContext,
  take: (item: ListedItem) => boolean | void,
): Promise<void> {
  let left = Math.min(most, list.count - from);
  if (left <= 0) return;
  await inSlices(list.items(from), call, (item) => {
    if (item === null) return true;
    left--;
    return take(item) !== false && left > 0;
  });
}

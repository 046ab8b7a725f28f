/** Which item of a control a name, a path of names or an index refers to. No Windows calls. */
import type { ChosenItem, WantedItem } from '../../contract/element/element.ts';
import { type ControlType, ITEMS } from '../../contract/element/control-types.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { pathParts, type PathPart } from '../../contract/element/element-words.ts';
import { bestOf, rankName, stepAmong } from '../elements/finding/query.ts';
import { walk, type TreeNode } from '../elements/tree/tree.ts';

const SHOWN = 10;

/** An item as the gate sees it. */
export const chosenOf = ({ controlType, name, identity }: TreeNode): ChosenItem => ({ controlType, name, identity });

/** What can be chosen in a container, by its type. */
export const CHOICES: ReadonlySet<ControlType> = new Set<ControlType>([...ITEMS, 'TabItem', 'MenuItem']);
/** Parts of a container that are no choice, with everything in them. */
const FRAME: ReadonlySet<ControlType> = new Set<ControlType>(['Header', 'ScrollBar', 'TitleBar', 'Thumb']);

/**
 * Items at every level, in display order: what surrounds them or is inside them is not counted, such as the scroll bar
 * of a list, the list inside a combo box, the cells of a row. Where nothing has the type of an item, all parts are.
 */
export function itemsOf(container: TreeNode): TreeNode[] {
  const parts = walk({
    ...container,
    children: container.children.filter(({ controlType }) => !FRAME.has(controlType)),
  });
  const items = parts.slice(1).filter(({ controlType }) => CHOICES.has(controlType));
  return items.length > 0 ? items : partsOf(container);
}

const partsOf = (container: TreeNode): TreeNode[] =>
  container.children.flatMap((child) => (FRAME.has(child.controlType) ? [] : [child, ...partsOf(child)]));

/** The items of the best rank. */
export const bestNamed = (items: readonly TreeNode[], name: string): TreeNode[] =>
  bestOf(items, (item) => item.name, name);

function byPath(container: TreeNode, path: readonly PathPart[]): readonly TreeNode[] {
  let level: readonly TreeNode[] = [container];
  for (let at = 0; at < path.length;) {
    const below = level.flatMap((node) => node.children);
    const { found, parts } = stepAmong(below, ({ name }) => name, path, at);
    level = found;
    at += parts;
  }
  return level;
}

/** For controls with a known number of items. */
export const noSuchIndex = (what: string, count: number, index: number): UiaHostError =>
  new UiaHostError(
    'target_not_found',
    `${what} has ${count} items, and none with index ${index}. Nothing was selected.`,
  );

/** For controls of which every item was read. */
export const noItem = (what: string, name: string, near: readonly string[]): UiaHostError =>
  new UiaHostError('target_not_found', `${what} has no item ${quoted(name)}. Nothing was selected.`, {
    suggestions: near.slice(0, SHOWN).map((one) => one.slice(0, 100)),
  });

export const ambiguousItem = (
  what: string,
  name: string,
  names: readonly string[],
  role: string,
  hint = 'Give the index instead.',
): UiaHostError =>
  new UiaHostError(
    'target_ambiguous',
    `${names.length} items of ${what} are called ${quoted(name)}. Nothing was selected.`,
    { candidates: names.slice(0, SHOWN).map((one) => ({ name: one.slice(0, 200), role })), hint },
  );

/** For controls whose items no source tells. */
const untoldItems = (what: string, why: string, hint: string): UiaHostError =>
  new UiaHostError('unsupported', `${what}: ${why}. Nothing was selected.`, { delivery: 'not_delivered', hint });

/**
 * For a control whose program draws its items: none can be found by a name. Nothing where it has texts.
 * Errors: unsupported.
 */
export function requireTexts(what: string, { name }: WantedItem, isDrawn: boolean): void {
  if (isDrawn && name !== undefined)
    throw untoldItems(
      what,
      'its program draws the items, and no source has their texts',
      'Give the index instead, from 0; a screenshot shows the items.',
    );
}

/** The items that a name says literally, although it reads as a path too. */
export const literallyNamed = (container: TreeNode, name: string): TreeNode[] =>
  itemsOf(container).filter((item) => item.name === name);

/** A drop-down list of a provider that neither has its items nor opens it. */
const isClosedForGood = ({ controlType, locator, capabilities }: TreeNode): boolean =>
  controlType === 'ComboBox' && locator.kind === 'uia' && !capabilities.has('expand-collapse');

/** For controls of which some items were not read. */
export const unreadItems = (what: string, read: string): UiaHostError =>
  new UiaHostError('deadline_exceeded', `${what}: ${read}. Nothing was selected.`, {
    delivery: 'not_delivered',
    hint: 'Give the index, the item’s exact name, or a longer deadlineMs.',
  });

/**
 * Errors: target_not_found with similar names, target_ambiguous, deadline_exceeded.
 * @param what the control, for messages
 * @param isInPart some items may be missing, so only an exact name identifies one
 */
export function chooseItem(container: TreeNode, wanted: WantedItem, what: string, isInPart = false): TreeNode {
  if (container.unread === 'items')
    throw untoldItems(
      what,
      'its items are read through the memory of its program, which the policy or Windows forbids',
      'A screenshot shows the items: choose by keys, with virtual-keyboard, or click at a point.',
    );
  const items = itemsOf(container);
  if (items.length === 0 && isClosedForGood(container))
    throw untoldItems(
      what,
      'no source tells its items while it is closed, and none can open it',
      'Click it (click-element; with delivery: "foreground" where that is refused), then choose by keys: virtual-keyboard down or up, then enter.',
    );
  requireTexts(what, wanted, items.length > 0 && items.every(({ unread }) => unread === 'text'));
  if (
    isInPart &&
    (wanted.index !== undefined ||
      bestNamed(items, wanted.name ?? '').every(({ name }) => rankName(wanted.name ?? '', [name]) !== 'exact'))
  ) {
    throw unreadItems(
      `Not all items of ${what} could be read`,
      `${items.length} were, and ${wanted.index === undefined ? `none of them is called ${quoted(wanted.name ?? '')}` : 'their indices are not known'}`,
    );
  }
  if (wanted.index !== undefined) {
    const item = items[wanted.index];
    if (item === undefined) throw noSuchIndex(what, items.length, wanted.index);
    return item;
  }
  const name = wanted.name ?? '';
  const parts = pathParts(name);
  let found: readonly TreeNode[] = bestNamed(items, name);
  if (found.length !== 1 && parts.length > 1) found = byPath(container, parts);
  const [item] = found;
  if (item === undefined)
    throw noItem(
      what,
      name,
      items.map((one) => one.name),
    );
  if (found.length > 1)
    throw ambiguousItem(
      what,
      name,
      found.map((one) => one.name),
      item.controlType,
    );
  return item;
}

/**
 * Which item a choice inside an element refers to: reported to the gate before anything is sent, and compared with what
 * is then chosen.
 */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { isSameName, type PathPart, pathParts } from '../../contract/element/element-words.ts';
import type { ChosenItem, WantedItem } from '../../contract/element/element.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { ItemChoice } from '../../desktop/index.ts';
import { comparedItem } from '../exits/leaving.ts';
import { walk, type TreeNode } from '../elements/tree/tree.ts';
import { stepAmong } from '../elements/finding/query.ts';
import { chooseItem, chosenOf, literallyNamed } from './choose-item.ts';
import { chooseUnread, isMessageTree, isReadInPart, virtualizesItems } from './choose-unread.ts';
import { isMenuPath, menuEntries, menuPath, type MenuEntry } from '../elements/finding/menu-path.ts';
import { barEntries, entriesInside, openTreePath } from './open-menu.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';

/** A menu entry known only through its menu handle. */
export const chosenEntry = ({ text, command, position }: MenuEntry): ChosenItem => ({
  controlType: 'MenuItem',
  name: text,
  identity: `menu:${command === 0 ? `at ${position}` : command}`,
});

/** The entries on a path from the first level; null if on any level not exactly one has the name of its step. */
function entriesOn<T>(
  first: readonly T[],
  path: readonly PathPart[],
  chosenOfEntry: (entry: T) => ChosenItem,
  inside: (entry: T) => readonly T[],
): ChosenItem[] | null {
  let entries = first;
  const chosen: ChosenItem[] = [];
  for (let at = 0; at < path.length;) {
    const { parts, found } = stepAmong(entries, (entry) => chosenOfEntry(entry).name, path, at, true);
    const [entry] = found;
    if (entry === undefined || found.length > 1) return null;
    chosen.push(chosenOfEntry(entry));
    entries = inside(entry);
    at += parts;
  }
  return chosen;
}

/** As far as UI Automation exposes the menu without opening it. */
const shownPath = (root: TreeNode, path: readonly PathPart[]): ChosenItem[] | null =>
  entriesOn(barEntries(root), path, chosenOf, entriesInside);

/** From the window's menu, which is readable while closed; programs may still change it when it opens. */
export const closedPath = (window: number, path: readonly PathPart[]): ChosenItem[] | null =>
  entriesOn(menuEntries(user32.GetMenu(window)) ?? [], path, chosenEntry, ({ submenu }) => menuEntries(submenu) ?? []);

/** A drop-down list that was never opened may not have created its items. */
export const isUnopened = (node: TreeNode): boolean =>
  node.capabilities.has('expand-collapse') && !walk(node).some(({ controlType }) => controlType === 'ListItem');

/**
 * The entries on a menu path and the item that would be chosen, as they are now. Null if that cannot be known before
 * something is opened or loaded, which is not done for it.
 * Errors: target_not_found, target_ambiguous, deadline_exceeded if not all items could be read.
 */
export async function intendedItem(target: ElementTarget, wanted: WantedItem): Promise<ChosenItem[] | null> {
  const {
    node: container,
    located: { observed },
  } = target;
  const path = wanted.name === undefined ? [] : pathParts(wanted.name);
  if (isMenuPath(container, path)) {
    const whole = menuPath(container, path);
    return closedPath(target.root, whole) ?? shownPath(observed.root, whole);
  }
  if (isUnopened(container)) return null;
  if (container.controlType === 'Tree' && path.length > 1) {
    const literal = literallyNamed(container, wanted.name ?? '');
    if (literal.length === 1) return [chosenOf(literal[0]!)];
    const found = await openTreePath(target, container, observed, path, false);
    return found === null ? null : [chosenOf(found.node)];
  }
  const isInPart = isReadInPart(container, observed);
  if (isInPart || isMessageTree(container, observed)) {
    const found = await chooseUnread(target, container, observed, wanted, false);
    if (found !== null) return [chosenOf(found.node)];
    // A virtualised item has no name before it is loaded.
    if (virtualizesItems(container)) return null;
  }
  return [chosenOf(chooseItem(container, wanted, target.description, isInPart))];
}

const changed = (what: string, now: string): UiaHostError =>
  new UiaHostError(
    'state_conflict',
    `The choice in ${what} changed after it was judged: it is now ${now}. Nothing was selected.`,
    {
      delivery: 'not_delivered',
      hint: 'Take a new snapshot, then choose again.',
    },
  );

/**
 * Checks that the item found now is the judged one. If none could be judged, only an exact match of the caller's name
 * is accepted.
 * @param now the entries on the path and the item
 * Errors: state_conflict, target_not_found.
 */
export function requireJudgedItem(what: string, wanted: ItemChoice, now: readonly ChosenItem[]): void {
  assertSameItem(what, wanted, now);
  comparedItem();
}

function assertSameItem(what: string, { judged, name, index }: ItemChoice, now: readonly ChosenItem[]): void {
  const item = now.at(-1)!;
  if (judged === undefined || judged === null) {
    if (name === undefined || isSameName(name, item.name) || isSameName(pathParts(name).at(-1)?.name ?? '', item.name))
      return;
    throw new UiaHostError(
      'target_not_found',
      `${what} has no item with the exact name ${quoted(name)}, and its items could not be read before it was opened. Nothing was selected.`,
      {
        delivery: 'not_delivered',
        suggestions: [item.name.slice(0, 100)],
        hint: 'Give the exact name.',
      },
    );
  }
  // The shortcut behind a menu entry's tab is reported by one source and not by the other.
  const isSame = (one: ChosenItem, other: ChosenItem): boolean =>
    one.controlType === other.controlType &&
    (one.controlType === 'MenuItem' ? isSameName(one.name, other.name) : one.name === other.name);
  const shown = `${item.controlType} ${quoted(item.name)}`;
  if (judged.length !== now.length || judged.some((one, level) => !isSame(one, now[level]!)))
    throw changed(what, shown);
  // A named item may have moved within its list; it is still the same item.
  const was = judged.at(-1)!;
  if (was.identity !== '' && was.identity !== item.identity && index !== undefined) throw changed(what, shown);
}

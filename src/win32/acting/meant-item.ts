/** Which item a choice inside of an element means: told to the gate before anything is sent, and held against what is chosen then. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { ChosenItem, WantedItem } from '../../contract/element.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { pathParts } from '../../contract/item-path.ts';
import { quoted } from '../../contract/quoted.ts';
import type { ItemChoice } from '../../desktop/index.ts';
import { isSameName } from '../elements/query.ts';
import type { TreeNode } from '../elements/tree.ts';
import { bestOf, chooseItem, chosenOf } from './choose-item.ts';
import { chooseUnread, isMessageTree, isReadInPart, makesItems } from './choose-unread.ts';
import { isMenuPath, menuEntries, menuPath, type MenuEntry } from '../elements/menu-path.ts';
import { barEntries, entriesInside } from './open-menu.ts';
import type { ActionTarget } from '../elements/action-target.ts';
import { openTreePath } from './tree-path.ts';

/** An entry of a menu that only its handle shows. */
export const chosenEntry = ({ text, command, position }: MenuEntry): ChosenItem => ({
  controlType: 'MenuItem',
  name: text,
  identity: `menu:${command === 0 ? `at ${position}` : command}`,
});

/** The only entry of a level with exactly this name; null where there is none, or more than one. */
function onlyNamed<T>(entries: readonly T[], nameOf: (entry: T) => string, name: string): T | null {
  const found = bestOf(entries, nameOf, name).filter((entry) => isSameName(name, nameOf(entry)));
  return found.length === 1 ? found[0]! : null;
}

/** As far as UI Automation shows the menu without opening it. */
function shownPath(root: TreeNode, path: readonly string[]): ChosenItem[] | null {
  let entries = barEntries(root);
  const chosen: ChosenItem[] = [];
  for (const part of path) {
    const entry = onlyNamed(entries, ({ name }) => name, part);
    if (entry === null) return null;
    chosen.push(chosenOf(entry));
    entries = entriesInside(entry);
  }
  return chosen;
}

/** From the menu of the window, which is readable while it is closed; programs may still change it when it opens. */
export function closedPath(window: number, path: readonly string[]): ChosenItem[] | null {
  let entries = menuEntries(user32.GetMenu(window)) ?? [];
  const chosen: ChosenItem[] = [];
  for (const part of path) {
    const entry = onlyNamed(entries, ({ text }) => text, part);
    if (entry === null) return null;
    chosen.push(chosenEntry(entry));
    entries = entry.submenu === 0 ? [] : (menuEntries(entry.submenu) ?? []);
  }
  return chosen;
}

/** A drop-down list that was never opened may have made none of its items. */
export const isUnopened = ({ capabilities, children }: TreeNode): boolean =>
  capabilities.has('expand-collapse') && !children.some((child) => child.controlType === 'ListItem');

/**
 * The entries on a menu's way and then the item that would be chosen, as they are now. Null where that cannot be told before
 * something is opened or made. Nothing is opened for it, and nothing is made.
 * Errors: target_not_found, target_ambiguous, deadline_exceeded where not all items could be looked at.
 */
export async function meantItem(target: ActionTarget, wanted: WantedItem): Promise<ChosenItem[] | null> {
  const {
    node: container,
    located: { observed },
  } = target;
  const path = wanted.name === undefined ? [] : pathParts(wanted.name);
  if (isMenuPath(container, path)) {
    const whole = menuPath(container, path);
    return shownPath(observed.root, whole) ?? closedPath(target.root, whole);
  }
  if (isUnopened(container)) return null;
  if (container.controlType === 'Tree' && path.length > 1) {
    const found = await openTreePath(target, container, observed, path, false);
    return found === null ? null : [chosenOf(found.node)];
  }
  const isInPart = isReadInPart(container, observed);
  if (isInPart || isMessageTree(container, observed)) {
    const found = await chooseUnread(target, container, observed, wanted, false);
    if (found !== null) return [chosenOf(found.node)];
    // What a list makes only when it is needed has no name before.
    if (makesItems(container)) return null;
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
 * Whether what was found now is what was judged. Where nobody could judge it, only the very name that the caller gave counts.
 * @param now the entries on the way and the item
 * Errors: state_conflict, target_not_found.
 */
export function requireMeant(what: string, { judged, name, index }: ItemChoice, now: readonly ChosenItem[]): void {
  const item = now.at(-1)!;
  if (judged === undefined || judged === null) {
    if (name === undefined || isSameName(name, item.name) || isSameName(pathParts(name).at(-1) ?? '', item.name))
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
  // What stands behind a menu entry's tab, its keys, is told by one reader and not by the other.
  const isSame = (one: ChosenItem, other: ChosenItem): boolean =>
    one.controlType === other.controlType &&
    (one.controlType === 'MenuItem' ? isSameName(one.name, other.name) : one.name === other.name);
  const shown = `${item.controlType} ${quoted(item.name)}`;
  if (judged.length !== now.length || judged.some((one, level) => !isSame(one, now[level]!)))
    throw changed(what, shown);
  // The place of a named item in its list may have changed; it is the same item.
  const was = judged.at(-1)!;
  if (was.identity !== '' && was.identity !== item.identity && index !== undefined) throw changed(what, shown);
}

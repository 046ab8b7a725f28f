/** What a control or window shows and no source tells: how its line marks that, why it is so, and what to do. No Windows calls. */
import type { Unread } from '../../../contract/element/element.ts';
import { type TreeNode, walk } from './tree.ts';
import type { ControlType } from '../../../contract/element/control-types.ts';
import { isTerminalClass } from '../../../contract/terminal/terminals.ts';
import { isBrowserWindow, isJavaClass, isRenderWindow } from '../../windows/classes.ts';
import { quoted } from '../../../contract/json/quoted.ts';

const NOTES: Readonly<Record<Unread, string>> = {
  text: 'Text unknown: the program draws it or keeps it to itself, and no source has it. A screenshot shows it; choose it by its index, or click at its point.',
  items:
    'Items unknown: they are read through the memory of the program, which the policy or Windows forbids. A screenshot shows them; choose by keys, or click at a point.',
  value:
    'Value unknown: the program draws it or keeps it to itself, or it is read through the memory of the program, which the policy or Windows forbids. A screenshot shows it.',
  state:
    'State unknown: the program draws this button, which may be a push button, a check box or a radio button. A screenshot shows which, and whether it is on.',
  marks:
    'Marks unknown: the program draws the items of this list, and check marks too where it has any. A screenshot shows them; a click at the point of a mark turns it.',
  place:
    'Place unknown: only the control knows where in its text this link is. A screenshot shows it; click at its point, or focus the text and press Tab and Enter.',
  content:
    'Content unknown: a window of the program’s own class, of which no source shows more. A screenshot shows it; use points and keys.',
};
const ORDER = Object.keys(NOTES) as readonly Unread[];

/** Smaller windows of a program's own class are splitters, grips and spacers. */
const DRAWN_SIZE = 20;

/** A picture of it would show more: no value, nothing inside. A name may be its program's (“panel”, “AuiTabCtrl”). */
const isDrawn = ({ controlType, source, value, children, isCut, rect }: TreeNode): boolean =>
  controlType === 'Custom' &&
  source === 'window' &&
  (value ?? '') === '' &&
  children.length === 0 &&
  !isCut &&
  Math.min(rect.width, rect.height) >= DRAWN_SIZE;

export const unreadOf = (node: TreeNode): Unread | null => node.unread ?? (isDrawn(node) ? 'content' : null);

/** The explanations of what is marked in a snapshot, each once; undefined if nothing is. */
export function unreadNote(marks: ReadonlySet<Unread>): string | undefined {
  if (marks.size === 0) return undefined;
  return `(${ORDER.filter((mark) => marks.has(mark))
    .map((mark) => NOTES[mark])
    .join(' ')})`;
}

// Windows whose content no source shows, by the toolkit that made them

/** The system's own parts around a window's content. */
const FRAME: ReadonlySet<ControlType> = new Set(['TitleBar', 'MenuBar', 'ScrollBar', 'Thumb']);
/** They say nothing by themselves: a window of its own class that shows nothing has one of these. */
const HOLDERS: ReadonlySet<ControlType> = new Set(['Window', 'Pane', 'Custom', 'Group', 'Document']);

const isShown = (node: TreeNode): boolean =>
  !HOLDERS.has(node.controlType) ||
  node.value !== null ||
  node.children.some((child) => !FRAME.has(child.controlType) && isShown(child));

function wayOf(root: TreeNode): string {
  const classes = walk(root).map(({ className }) => className);
  if (classes.some(isJavaClass))
    return 'It is a Java program that does not use the Java Access Bridge: run `jabswitch -enable` of its Java as this user, and start the program again. Without it use a screenshot with points, and keys.';
  if (classes.some((name) => isBrowserWindow(name) || isRenderWindow(name)))
    return 'It is made with a browser: start the program with open-app and accessibility: true (--force-renderer-accessibility), or use a screenshot with points.';
  if (classes.some((name) => isTerminalClass(name))) return 'It is a terminal: read-terminal reads it.';
  return 'Use a screenshot with points, and keys. If the program is made with a browser, start it with open-app and accessibility: true.';
}

/** What helps with a window of which every source shows its frame alone; null where there is more. */
export const wayWithoutContent = (root: TreeNode): string | null =>
  root.children.some((child) => !FRAME.has(child.controlType) && isShown(child)) ? null : wayOf(root);

// Menus that cannot be read from outside

const letterOf = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0].toLowerCase() ?? 'letter';

/**
 * @param path the names on the way, as far as known; the letters are a guess, since the underlined ones cannot be read
 * @param inFront the window takes Alt only while it is in front
 */
export function menuKeysHint(path: readonly string[], inFront: boolean): string {
  const [menu, ...entries] = path;
  const open =
    menu === undefined
      ? 'alt+letter, with the letter that is underlined in the menu bar'
      : `alt+${letterOf(menu)} (or its underlined letter, if different)`;
  const then =
    entries.length === 0
      ? 'then the underlined letter of the entry, or down and enter'
      : `then ${entries.map((entry) => `${letterOf(entry)} (or the underlined letter of ${quoted(entry)})`).join(', then ')}`;
  const how = inFront
    ? 'Bring the window to the front with manage-window (focus), then use keys with delivery: "foreground"'
    : 'Use keys, which work in the background';
  return `${how}: virtual-keyboard combo ${open}, ${then}; escape twice leaves the menu. A picture of the menu’s own window shows the letters; or use the entry’s shortcut, or a tool bar button.`;
}

/** For a caller looking for an element that may be in the window's menu. */
export const MENU_WAY =
  'A menu entry is chosen by select-element with its path alone, such as {"item": "File > Open"}, or by keys: virtual-keyboard combo alt+letter, then the letter of the entry.';

/** Shown below the only line of an open menu that exposes no entries. No line of a window's text begins like this. */
export const UNREADABLE_MENU =
  '(The entries of this open menu cannot be read here. Choose one by keys, with virtual-keyboard on the window that it belongs to: its underlined letter, or down and enter; escape closes the menu. A screenshot shows the entries.)';

/** Shown while no menu is open and the menu bar still takes what is sent: after the first escape. */
export const MENU_BAR =
  '(The menu bar of this window takes the keys and the pointer now, and nothing else gets them: escape leaves it.)';

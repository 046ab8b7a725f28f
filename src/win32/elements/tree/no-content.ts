/** Windows whose content no source shows, and what helps there, by the toolkit that made them. No Windows calls. */
import type { ControlType } from '../../../contract/element/control-types.ts';
import { isTerminalClass } from '../../../contract/terminal/terminals.ts';
import { isBrowserWindow, isJavaClass, isRenderWindow } from '../../windows/classes.ts';
import { walk, type TreeNode } from './tree.ts';

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

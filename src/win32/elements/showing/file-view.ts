/** Whether an element is in a view of files, and the type that the view shows. */
import { classNameOf, parentOf } from '../../windows/window-info.ts';
import type { TreeNode } from '../tree/tree.ts';

/** The window around every view of the shell: in folder windows, Open and Save dialogs of any program, on the desktop. */
const VIEW_CLASS = 'SHELLDLL_DefView';
/** The cell of a file's type, in views with columns. Source: learn.microsoft.com/windows/win32/properties/props-system-itemtypetext */
const TYPE_CELL = 'System.ItemTypeText';
/** Views are a few windows below their top window. */
const MOST_LEVELS = 32;

function isInView(hwnd: number): boolean {
  for (let at = hwnd, level = 0; at !== 0 && level < MOST_LEVELS; at = parentOf(at), level += 1)
    if (classNameOf(at) === VIEW_CLASS) return true;
  return false;
}

/** Null: in a view that does not show it. Undefined: in none. */
export function fileTypeOf({ hwnd, children }: Pick<TreeNode, 'hwnd' | 'children'>): string | null | undefined {
  if (!isInView(hwnd)) return undefined;
  const cell = children.find(({ automationId }) => automationId === TYPE_CELL);
  return cell === undefined ? null : (cell.value ?? cell.name);
}

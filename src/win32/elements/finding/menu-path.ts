/**
 * A menu entry by its path, from the live menu. Windows lets other processes read it; where that fails, the error names
 * the cause. Source: learn.microsoft.com/windows/win32/menurc/using-menus
 */
import { text16 } from '../../../../native-bindings/library.ts';
import { type PathPart, pathText, withoutAccelerator } from '../../../contract/element/element-words.ts';
import * as m from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { ControlType } from '../../../contract/element/control-types.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import { isCarried } from '../../../contract/ways/receivers.ts';
import { quoted } from '../../../contract/json/quoted.ts';
import { askWithin } from '../../windows/ask.ts';
import { toolkitOf } from '../../windows/toolkit.ts';
import { menuKeysHint } from '../tree/unread.ts';
import { stepAmong } from './query.ts';
import type { TreeNode } from '../tree/tree.ts';

const MENU_MS = 1000;
const MENU_TEXT_UNITS = 512;

const NO_MENU_HINT =
  'Take a snapshot: a program may draw its menu as a tool bar or buttons, which click-element opens. An entry of an open menu is an element of the menu’s own window.';

const MENUS: ReadonlySet<ControlType> = new Set(['Window', 'MenuBar', 'Menu', 'MenuItem']);

/** Whether a path names a menu entry for this element. */
export const isMenuPath = ({ controlType }: TreeNode, path: readonly PathPart[]): boolean =>
  MENUS.has(controlType) && path.length > 0;

/** The path from the menu bar: below an entry it begins with that entry. */
export const menuPath = ({ controlType, name }: TreeNode, path: readonly PathPart[]): readonly PathPart[] =>
  controlType === 'MenuItem' ? [{ name, after: '' }, ...path] : path;

const textOut = Buffer.alloc(MENU_TEXT_UNITS * 2);

export interface MenuEntry {
  readonly position: number;
  readonly text: string;
  readonly isDisabled: boolean;
  /** 0 if it does not open a menu. */
  readonly submenu: number;
  readonly command: number;
}

/** The entries of a menu; null where it cannot be read. */
export function menuEntries(menu: number): MenuEntry[] | null {
  const count = menu === 0 ? -1 : user32.GetMenuItemCount(menu);
  if (count < 0) return null;
  const entries: MenuEntry[] = [];
  for (let position = 0; position < count; position++) {
    const state = user32.GetMenuState(menu, position, m.MF_BYPOSITION);
    const submenu = user32.GetSubMenu(menu, position);
    // With a submenu, the upper bits are its number of entries.
    if (submenu === 0 && (state & m.MF_SEPARATOR) !== 0) continue;
    const length = user32.GetMenuStringW(menu, position, textOut, MENU_TEXT_UNITS, m.MF_BYPOSITION);
    entries.push({
      position,
      text: withoutAccelerator(text16(textOut, length)),
      isDisabled: (state & (m.MF_GRAYED | m.MF_DISABLED)) !== 0,
      submenu,
      command: submenu === 0 ? user32.GetMenuItemID(menu, position) : 0,
    });
  }
  return entries;
}

/**
 * The command of the entry, and the entries on the way to it. Each menu on the way is sent its opening message
 * (WM_INITMENUPOPUP), since programs enable their entries then.
 * Errors: unsupported where the menu cannot be read, target_not_found, target_ambiguous, target_disabled.
 */
export function menuCommand(
  window: number,
  path: readonly PathPart[],
): { readonly command: number; readonly way: readonly MenuEntry[] } {
  let menu = user32.GetMenu(window);
  if (menu === 0)
    throw new UiaHostError('unsupported', 'The window has no native menu bar. Nothing was sent.', {
      hint: NO_MENU_HINT,
    });
  let entries = menuEntries(menu);
  if (entries === null) {
    throw new UiaHostError(
      'unsupported',
      'The menu of this window cannot be read from outside its program, so its entries cannot be chosen by name. Nothing was sent.',
      {
        hint: menuKeysHint(
          path.map(({ name }) => name),
          !isCarried(toolkitOf(window), 'alt'),
        ),
      },
    );
  }
  const way: MenuEntry[] = [];
  for (let depth = 0; depth < path.length;) {
    const { parts, found } = stepAmong(entries, ({ text }) => text, path, depth, true);
    const name = pathText(path.slice(depth, depth + parts));
    const [entry] = found;
    if (entry === undefined) {
      throw new UiaHostError(
        'target_not_found',
        `The menu has no entry ${quoted(name)}${depth === 0 ? '' : ` under ${quoted(path[depth - 1]?.name ?? '')}`}. Nothing was sent.`,
        { suggestions: entries.slice(0, 20).map(({ text }) => text) },
      );
    }
    if (found.length > 1)
      throw new UiaHostError(
        'target_ambiguous',
        `The menu has ${found.length} entries ${quoted(name)}. Nothing was sent.`,
      );
    if (entry.isDisabled)
      throw new UiaHostError('target_disabled', `The menu entry ${quoted(name)} is disabled. Nothing was sent.`);
    const isLast = depth + parts === path.length;
    way.push(entry);
    if (isLast && entry.submenu === 0) return { command: entry.command, way };
    if (isLast || entry.submenu === 0) {
      throw new UiaHostError(
        'invalid_argument',
        isLast
          ? `${quoted(name)} opens a menu; name one of its entries as well. Nothing was sent.`
          : `${quoted(name)} is an entry that does not open a menu. Nothing was sent.`,
      );
    }
    askWithin(window, m.WM_INITMENUPOPUP, entry.submenu, entry.position, MENU_MS);
    menu = entry.submenu;
    entries = menuEntries(menu) ?? [];
    depth += parts;
  }
  throw new UiaHostError('invalid_argument', 'The menu path is empty. Nothing was sent.');
}

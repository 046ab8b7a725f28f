/** Whether a window's menu currently has a command enabled. */
import {
  SM_CYCAPTION,
  SM_CYMENU,
  WM_INITMENU,
  WM_INITMENUPOPUP,
  WS_CAPTION,
} from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { menuEntries } from '../elements/finding/menu-path.ts';
import { sendWithin } from '../windows/ask.ts';
import { readWindowInfo } from '../windows/window-info.ts';
import type { CommandState } from './accelerators.ts';

const MENU_MS = 1000;
/** Menus are not nested deeper; submenus created on opening could recurse endlessly. */
const MOST_LEVELS = 6;

interface Found {
  readonly isDisabled: boolean;
  /** The menu that contains it, and its position in the parent menu. */
  readonly menu: number;
  readonly position: number;
}

/** Null if the menu does not contain it. A disabled menu disables everything in it. */
function findCommand(menu: number, command: number, position = 0, level = 0, isDisabled = false): Found | null {
  for (const entry of menuEntries(menu) ?? []) {
    if (entry.submenu === 0 && entry.command === command)
      return { isDisabled: isDisabled || entry.isDisabled, menu, position };
    const inside =
      entry.submenu === 0 || level === MOST_LEVELS
        ? null
        : findCommand(entry.submenu, command, entry.position, level + 1, isDisabled || entry.isDisabled);
    if (inside !== null) return inside;
  }
  return null;
}

/** Whether a menu bar is shown between caption and client area: a menu may exist and not be readable. */
function showsMenuBar(window: number): boolean {
  const info = readWindowInfo(window);
  if (info === null || (info.style & WS_CAPTION) !== WS_CAPTION) return false;
  const border = info.client.x - info.rect.x;
  return (
    info.client.y - info.rect.y >=
    border + user32.GetSystemMetrics(SM_CYCAPTION) + user32.GetSystemMetrics(SM_CYMENU) / 2
  );
}

/**
 * As Windows itself does before it sends an accelerator's command: the menu is sent its opening message, since programs
 * enable their entries then. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-translateacceleratorw
 */
export function commandState(window: number, command: number): CommandState {
  const menu = user32.GetMenu(window);
  if (menu === 0 || user32.GetMenuItemCount(menu) < 0)
    return menu === 0 && !showsMenuBar(window) ? 'absent' : 'unknown';
  const before = findCommand(menu, command);
  if (before === null) return 'absent';
  sendWithin(window, WM_INITMENU, menu, 0, MENU_MS);
  if (before.menu !== menu) sendWithin(window, WM_INITMENUPOPUP, before.menu, before.position, MENU_MS);
  const now = findCommand(menu, command);
  return now === null ? 'absent' : now.isDisabled ? 'disabled' : 'enabled';
}

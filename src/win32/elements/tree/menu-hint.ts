/** Hints on how to choose from a menu that cannot be read from outside, in one place. No Windows calls. */
import { quoted } from '../../../contract/json/quoted.ts';

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

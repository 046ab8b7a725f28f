/** Keyboard accelerators in a program's resources, as Windows loads them, and the command that a chord stands for now. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { statSync } from 'node:fs';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { ACCEL } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { menuEntries } from '../elements/finding/menu-path.ts';
import { askWithin } from '../windows/ask.ts';
import { readWindowInfo } from '../windows/window-info.ts';

/**
 * One entry of an accelerator table. Source: learn.microsoft.com/windows/win32/menurc/acceltableentry
 */
export interface Accelerator {
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  /** A virtual-key code, or a character code where `isCharacter`. */
  readonly key: number;
  readonly isCharacter: boolean;
  /** Identifier that the program receives in WM_COMMAND. */
  readonly command: number;
}

/** What is loaded is data: nothing of the program runs. Source: learn.microsoft.com/windows/win32/api/libloaderapi/nf-libloaderapi-loadlibraryexw */
const AS_DATA = m.LOAD_LIBRARY_AS_DATAFILE | m.LOAD_LIBRARY_AS_IMAGE_RESOURCE;

/**
 * The accelerators of a program file and of its language file (`xx-YY\NAME.mui`), which Windows finds; empty if there are
 * none or the file is not a program.
 * Source: learn.microsoft.com/windows/win32/menurc/using-keyboard-accelerators
 */
function readAccelerators(file: string): Accelerator[] {
  const module = kernel32.LoadLibraryExW(file, 0, AS_DATA);
  if (module === 0) return [];
  const found: Accelerator[] = [];
  try {
    const each = (_module: number, _type: bigint, name: bigint): boolean => {
      // Read at once: a name that is a text lasts only as long as this call.
      found.push(...readTable(module, name));
      return true;
    };
    kernel32.EnumResourceNamesW(module, BigInt(m.RT_ACCELERATOR), each, 0);
  } finally {
    kernel32.FreeLibrary(module);
  }
  return found;
}

function readTable(module: number, name: bigint): Accelerator[] {
  const table = user32.LoadAcceleratorsW(module, name);
  if (table === 0) return [];
  try {
    const entries = Buffer.alloc(user32.CopyAcceleratorTableW(table, null, 0) * ACCEL.size);
    const count = user32.CopyAcceleratorTableW(table, entries, entries.length / ACCEL.size);
    return Array.from({ length: count }, (_, index) => {
      const { fVirt, key, cmd } = ACCEL.read(entries.subarray(index * ACCEL.size));
      return {
        ctrl: (fVirt & m.FCONTROL) !== 0,
        alt: (fVirt & m.FALT) !== 0,
        shift: (fVirt & m.FSHIFT) !== 0,
        key,
        isCharacter: (fVirt & m.FVIRTKEY) === 0,
        command: cmd,
      };
    });
  } finally {
    user32.DestroyAcceleratorTable(table);
  }
}

const known = new Map<string, { readonly modified: number; readonly accelerators: Accelerator[] }>();

/** The same, kept until the file changes. */
export function acceleratorsOf(executable: string): Accelerator[] {
  try {
    const modified = statSync(executable).mtimeMs;
    const before = known.get(executable);
    if (before?.modified === modified) return before.accelerators;
    const accelerators = readAccelerators(executable);
    known.set(executable, { modified, accelerators });
    return accelerators;
  } catch {
    return [];
  }
}

/** Every command that some table maps a chord to: each table belongs to one window or mode of the program. */
export function commandsOf(
  accelerators: readonly Accelerator[],
  chord: { ctrl: boolean; alt: boolean; shift: boolean; vk: number },
): number[] {
  const commands = new Set(
    accelerators
      .filter(
        (each) =>
          each.ctrl === chord.ctrl &&
          each.alt === chord.alt &&
          each.shift === chord.shift &&
          !each.isCharacter &&
          each.key === chord.vk,
      )
      .map((each) => each.command),
  );
  // A table may hold the character form of Ctrl+letter: codes 1 to 26.
  if (chord.ctrl && !chord.alt && !chord.shift && chord.vk >= 0x41 && chord.vk <= 0x5a) {
    for (const each of accelerators) if (each.isCharacter && each.key === chord.vk - 0x40) commands.add(each.command);
  }
  return [...commands];
}

/** `unknown`: the window has a menu that cannot be read from outside. */
export type CommandState = 'enabled' | 'disabled' | 'absent' | 'unknown';

/**
 * The command that may be sent: enabled in the window's menu now. If the menu cannot be read, a command on which all
 * tables agree. Otherwise the reason for none.
 */
export function chooseCommand(
  commands: readonly number[],
  stateOf: (command: number) => CommandState,
): { readonly command: number } | { readonly reason: string } {
  if (commands.length === 0) return { reason: "the program's resources have no such accelerator" };
  const states = commands.map((command) => ({ command, state: stateOf(command) }));
  const enabled = states.filter(({ state }) => state === 'enabled');
  if (enabled.length === 1) return { command: enabled[0]!.command };
  if (enabled.length > 1)
    return {
      reason: `the program's accelerators map it to ${enabled.length} commands that the window's menu has enabled`,
    };
  if (states.some(({ state }) => state === 'disabled'))
    return { reason: "the window's menu has the accelerator's command disabled" };
  const unknown = states.filter(({ state }) => state === 'unknown');
  if (unknown.length === 1 && states.length === 1) return { command: unknown[0]!.command };
  return {
    reason:
      unknown.length > 0
        ? "the program has several commands for it, and the window's menu cannot be read"
        : "the window's menu does not have the accelerator's command, so its table may belong to another window",
  };
}

// Whether a window's menu currently has a command enabled.

const MENU_MS = 1000;
/** Menus are not nested deeper; submenus created on opening could recurse endlessly. */
const MOST_LEVELS = 6;

interface FoundCommand {
  readonly isDisabled: boolean;
  /** The menu that contains it, and its position in the parent menu. */
  readonly menu: number;
  readonly position: number;
}

/** Null if the menu does not contain it. A disabled menu disables everything in it. */
function findCommand(menu: number, command: number, position = 0, level = 0, isDisabled = false): FoundCommand | null {
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
  if (info === null || (info.style & m.WS_CAPTION) !== m.WS_CAPTION) return false;
  const border = info.client.x - info.rect.x;
  return (
    info.client.y - info.rect.y >=
    border + user32.GetSystemMetrics(m.SM_CYCAPTION) + user32.GetSystemMetrics(m.SM_CYMENU) / 2
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
  askWithin(window, m.WM_INITMENU, menu, 0, MENU_MS);
  if (before.menu !== menu) askWithin(window, m.WM_INITMENUPOPUP, before.menu, before.position, MENU_MS);
  const now = findCommand(menu, command);
  return now === null ? 'absent' : now.isDisabled ? 'disabled' : 'enabled';
}

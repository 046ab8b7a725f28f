/** Reads keyboard accelerators from a program's resources and chooses the command that a chord stands for. */
import {
  FALT,
  FCONTROL,
  FSHIFT,
  FVIRTKEY,
  IMAGE_DOS_SIGNATURE,
  IMAGE_NT_OPTIONAL_HDR64_MAGIC,
  IMAGE_NT_SIGNATURE,
  RT_ACCELERATOR,
  SM_CYCAPTION,
  SM_CYMENU,
  WM_INITMENU,
  WM_INITMENUPOPUP,
  WS_CAPTION,
} from '../../../native-bindings/win32/constants.ts';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { menuEntries } from '../elements/finding/menu-path.ts';
import { sendWithin } from '../windows/ask.ts';
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

const LAST_ENTRY = 0x80;
const ENTRY_BYTES = 8;
/** Larger files are read only up to here: resources follow the code, but reading a browser's 200 MB is not worth it. */
const MOST_BYTES = 64 * 1024 * 1024;

interface Section {
  readonly address: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * Accelerators in a program file's resources; empty if there are none or the file is not a program.
 * Source: learn.microsoft.com/windows/win32/debug/pe-format (the .rsrc section)
 */
export function readAccelerators(file: Uint8Array): Accelerator[] {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  try {
    const image = parseHeaders(bytes);
    if (image === null) return [];
    const found: Accelerator[] = [];
    for (const block of resourcesOf(bytes, image, RT_ACCELERATOR)) found.push(...readTable(block));
    return found;
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

interface Image {
  readonly sections: readonly Section[];
  readonly resources: number;
}

function parseHeaders(bytes: Buffer): Image | null {
  if (bytes.length < 64 || bytes.readUInt16LE(0) !== IMAGE_DOS_SIGNATURE) return null;
  const header = bytes.readUInt32LE(0x3c);
  if (bytes.readUInt32LE(header) !== IMAGE_NT_SIGNATURE) return null;
  const sectionCount = bytes.readUInt16LE(header + 6);
  const optionalBytes = bytes.readUInt16LE(header + 20);
  const optional = header + 24;
  const isWide = bytes.readUInt16LE(optional) === IMAGE_NT_OPTIONAL_HDR64_MAGIC;
  const directories = optional + (isWide ? 112 : 96);
  const resourceAddress = bytes.readUInt32LE(directories + 2 * 8);
  if (resourceAddress === 0) return null;
  const sections = Array.from({ length: sectionCount }, (_, index) => {
    const at = optional + optionalBytes + index * 40;
    return {
      address: bytes.readUInt32LE(at + 12),
      size: Math.max(bytes.readUInt32LE(at + 8), bytes.readUInt32LE(at + 16)),
      offset: bytes.readUInt32LE(at + 20),
    };
  });
  const resources = toOffset(sections, resourceAddress);
  return resources === null ? null : { sections, resources };
}

function toOffset(sections: readonly Section[], address: number): number | null {
  const section = sections.find((each) => address >= each.address && address < each.address + each.size);
  return section === undefined ? null : address - section.address + section.offset;
}

/** The data of every resource of a type, in directory order; of each name the first language. */
function resourcesOf(bytes: Buffer, image: Image, type: number): Buffer[] {
  const entries = (directory: number): Array<{ id: number; at: number; isDirectory: boolean }> => {
    const count = bytes.readUInt16LE(directory + 12) + bytes.readUInt16LE(directory + 14);
    return Array.from({ length: Math.min(count, 4096) }, (_, index) => {
      const at = directory + 16 + index * 8;
      const target = bytes.readUInt32LE(at + 4);
      return {
        id: bytes.readUInt32LE(at),
        at: image.resources + (target & 0x7fff_ffff),
        isDirectory: target > 0x7fff_ffff,
      };
    });
  };
  const ofType = entries(image.resources).find((entry) => entry.id === type && entry.isDirectory);
  if (ofType === undefined) return [];
  const blocks: Buffer[] = [];
  for (const name of entries(ofType.at)) {
    const leaf = name.isDirectory ? entries(name.at)[0] : name;
    if (leaf === undefined || leaf.isDirectory) continue;
    const data = toOffset(image.sections, bytes.readUInt32LE(leaf.at));
    if (data !== null) blocks.push(bytes.subarray(data, data + bytes.readUInt32LE(leaf.at + 4)));
  }
  return blocks;
}

function readTable(block: Buffer): Accelerator[] {
  const table: Accelerator[] = [];
  for (let at = 0; at + ENTRY_BYTES <= block.length; at += ENTRY_BYTES) {
    const flags = block.readUInt16LE(at);
    table.push({
      ctrl: (flags & FCONTROL) !== 0,
      alt: (flags & FALT) !== 0,
      shift: (flags & FSHIFT) !== 0,
      key: block.readUInt16LE(at + 2),
      isCharacter: (flags & FVIRTKEY) === 0,
      command: block.readUInt16LE(at + 4),
    });
    if ((flags & LAST_ENTRY) !== 0) break;
  }
  return table;
}

const known = new Map<string, { modified: number; accelerators: Accelerator[] }>();

/** Accelerators of a program file and its language file (`xx-YY\NAME.mui`); cached until the file changes. */
export function acceleratorsOf(executable: string): Accelerator[] {
  const language = Intl.DateTimeFormat().resolvedOptions().locale;
  const files = [
    executable,
    join(dirname(executable), language, `${basename(executable)}.mui`),
    join(dirname(executable), 'en-US', `${basename(executable)}.mui`),
  ];
  for (const file of files) {
    const found = readFileOnce(file);
    if (found.length > 0) return found;
  }
  return [];
}

function readFileOnce(file: string): Accelerator[] {
  try {
    const { mtimeMs, size } = statSync(file);
    const before = known.get(file);
    if (before?.modified === mtimeMs) return before.accelerators;
    const accelerators = size > MOST_BYTES ? [] : readAccelerators(readFileSync(file));
    known.set(file, { modified: mtimeMs, accelerators });
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
 * The command that may be sent: the one that the window's menu has enabled now. If the menu cannot be read, one that
 * all tables agree on. Otherwise the reason for none.
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

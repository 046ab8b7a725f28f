/** Window handles: parsing, thread and process, owners. */
import { GW_OWNER } from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';

const processMemory = Buffer.alloc(4);

/**
 * A handle in text form (decimal or 0x…) → number; null if it cannot be a window's. Handles have 32
 * significant bits and may come sign-extended. Source: learn.microsoft.com/windows/win32/winprog64/interprocess-communication
 */
export function parseHwnd(text: string): number | null {
  let value: bigint;
  try {
    value = BigInt(text);
  } catch {
    return null;
  }
  const high = value >> 32n;
  if (value <= 0n || (high !== 0n && high !== 0xffff_ffffn)) return null;
  return Number(value & 0xffff_ffffn);
}

/**
 * Thread and process of a window; zeros once it is gone.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowthreadprocessid
 */
export function threadOf(hwnd: number): { thread: number; process: number } {
  const thread = user32.GetWindowThreadProcessId(hwnd, processMemory);
  return thread === 0 ? { thread: 0, process: 0 } : { thread, process: processMemory.readUInt32LE(0) };
}

/** Process of a window, 0 once it is gone. */
export function windowProcess(hwnd: number): number {
  return threadOf(hwnd).process;
}

/** Deeper than any program's chain of owners; also ends a ring that forms during the walk. */
const MOST_OWNERS = 16;

/**
 * The last window in the chain of owners; the window itself if it has no owner. By GW_OWNER, because GetAncestor
 * ignores the owner of a window without WS_POPUP.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getparent
 */
export function rootOwner(hwnd: number): number {
  let last = hwnd;
  for (let depth = 0; depth < MOST_OWNERS; depth += 1) {
    const owner = user32.GetWindow(last, GW_OWNER);
    if (owner === 0) break;
    last = owner;
  }
  return last;
}

let ownConsole: number | undefined;

/**
 * The console window that this process writes to: typing into it would reach the host. It never changes, since only
 * helper processes attach to other consoles.
 */
export function isOwnConsole(hwnd: number): boolean {
  ownConsole ??= kernel32.GetConsoleWindow();
  return hwnd !== 0 && ownConsole === hwnd;
}

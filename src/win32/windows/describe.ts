/** Top-level windows as the host lists them: described without a message, its own and its starter's told apart. */
import { PAGE_TITLE } from '../../contract/gate/looker.ts';
import { DWMWA_CLOAKED, WS_EX_TOOLWINDOW, WS_MINIMIZE, WS_VISIBLE } from '../../../native-bindings/win32/constants.ts';
import { dwmapi } from '../../../native-bindings/win32/dwmapi.ts';
import type { AppIdentity } from '../../contract/element/binding.ts';
import {
  coreOf,
  threadOf,
  windowProcess,
  isOwnConsole,
  classNameOf,
  windowExtendedStyle,
  windowStyle,
  windowText,
  topLevelWindows,
} from './window-info.ts';
import { processFacts, type ProcessFacts, HeldProcesses } from '../system/process.ts';
import { isStarterWindow, type StarterProcess } from './starter.ts';

const flag = Buffer.alloc(4);

/** A top-level window, read without sending it a message, so that a hung window costs no more than another. */
export interface WindowDescription {
  readonly hwnd: number;
  readonly threadId: number;
  readonly className: string;
  readonly title: string;
  readonly isVisible: boolean;
  readonly isMinimized: boolean;
  readonly isToolWindow: boolean;
  /** Kept invisible by the compositor: on another virtual desktop, or a suspended packaged app. */
  readonly isCloaked: boolean;
  /** A window of the host. */
  readonly isOwn: boolean;
  /** The process that owns the window. */
  readonly process: ProcessFacts;
  /** The application: for a packaged app's frame, the process behind its CoreWindow. */
  readonly app: AppIdentity;
}

/** Source: learn.microsoft.com/windows/win32/api/dwmapi/ne-dwmapi-dwmwindowattribute. A system without the attribute cloaks nothing. */
export function isCloaked(hwnd: number): boolean {
  return dwmapi.DwmGetWindowAttribute(hwnd, DWMWA_CLOAKED, flag, 4) >= 0 && flag.readUInt32LE(0) !== 0;
}

/**
 * ApplicationFrameHost owns the frames of packaged apps; the app owns the CoreWindow inside. While the app is suspended
 * its CoreWindow is not in the frame, and the frame's process is all that is known.
 */
function applicationOf(hwnd: number, className: string, own: ProcessFacts): AppIdentity {
  const core = coreOf(hwnd, className);
  const pid = core === 0 ? 0 : windowProcess(core);
  return pid === 0 || pid === own.pid ? own.app : processFacts(pid).app;
}

/** What the caller knows already: each native call counts when many windows are described. */
export interface KnownOfWindow {
  readonly style?: number;
  /** Facts of the window's process. */
  readonly factsOf?: (pid: number) => ProcessFacts;
}

/** Whether a top-level window with this style is visible; its parent, the desktop, always is. */
const isShown = (style: number): boolean => (style & WS_VISIBLE) !== 0;

/** Describes a top-level window; null once it is gone. */
export function describeWindow(
  hwnd: number,
  isOwnWindow: (hwnd: number, pid: number) => boolean,
  { style = windowStyle(hwnd), factsOf = processFacts }: KnownOfWindow = {},
): WindowDescription | null {
  const { process: pid, thread: threadId } = threadOf(hwnd);
  if (threadId === 0) return null;
  const className = classNameOf(hwnd);
  const process = factsOf(pid);
  return {
    hwnd,
    threadId,
    className,
    title: windowText(hwnd),
    isVisible: isShown(style),
    isMinimized: (style & WS_MINIMIZE) !== 0,
    isToolWindow: (windowExtendedStyle(hwnd) & WS_EX_TOOLWINDOW) !== 0,
    isCloaked: isCloaked(hwnd),
    isOwn: isOwnWindow(hwnd, pid),
    process,
    app: applicationOf(hwnd, className, process),
  };
}

// Descriptions of windows that know which are the host's own and which belong to the program that started it.

export interface KnownWindows {
  /** Processes of the host: their windows are never listed, bound or captured. */
  readonly ownProcesses: ReadonlySet<number>;
  /** Replaces the list (this process stays in it): an ended process must go, since its pid may be reused. */
  setOwnProcesses(pids: readonly number[]): void;
  /**
   * A window of the host: of one of its processes, the console it runs in, or a browser that shows its page. A program
   * that takes the page's title hides only itself.
   */
  isOwnWindow(hwnd: number): boolean;
  /** A window of the program that started the host: its terminal, or a program above that. */
  isStarterWindow(hwnd: number): boolean;
  /** Describes a top-level window without sending it a message; null once it is gone. */
  describeWindow(hwnd: number, known?: KnownOfWindow): WindowDescription | null;
}

/** `ownProcesses`: pids of the host's other processes. */
export function createKnownWindows(
  options: { readonly ownProcesses?: readonly number[]; readonly starters?: readonly StarterProcess[] } = {},
): KnownWindows {
  const ownProcesses = new Set<number>([process.pid, ...(options.ownProcesses ?? [])]);
  const isOwn = (hwnd: number, pid: number): boolean =>
    ownProcesses.has(pid) || isOwnConsole(hwnd) || windowText(hwnd).startsWith(PAGE_TITLE);
  return {
    ownProcesses,
    setOwnProcesses(pids) {
      ownProcesses.clear();
      for (const pid of [process.pid, ...pids]) ownProcesses.add(pid);
    },
    isOwnWindow: (hwnd) => isOwn(hwnd, windowProcess(hwnd)),
    isStarterWindow: (hwnd) => isStarterWindow(options.starters ?? [], hwnd),
    describeWindow: (hwnd, known) => describeWindow(hwnd, isOwn, known),
  };
}

/** Processes with a visible window, as of the last listing. */
const processes = new HeldProcesses();

/** Every visible window except cloaked and own ones, topmost first. Sends no messages. */
export function visibleWindows(windows: KnownWindows): WindowDescription[] {
  const pids = new Set<number>();
  const factsOf = (pid: number): ProcessFacts => {
    pids.add(pid);
    return processes.facts(pid);
  };
  const found: WindowDescription[] = [];
  for (const hwnd of topLevelWindows()) {
    // Most top-level windows of a desktop are hidden helpers: they are skipped before any other call.
    const style = windowStyle(hwnd);
    if (!isShown(style)) continue;
    const window = windows.describeWindow(hwnd, { style, factsOf });
    if (window !== null && !window.isCloaked && !window.isOwn) found.push(window);
  }
  processes.keepOnly(pids);
  return found;
}

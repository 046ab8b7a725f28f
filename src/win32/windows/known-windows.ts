/** The windows of the desktop as every topic sees them: which are the host's own, and which started it. */
import { describeWindow, type KnownOfWindow, type WindowDescription } from './describe.ts';
import { isOwnConsole, windowProcess } from './handle.ts';
import { isStarterWindow, type StarterProcess } from './starter.ts';

export interface KnownWindows {
  /** Processes whose windows are the host's own: never listed, bound or pictured. */
  readonly ownProcesses: ReadonlySet<number>;
  /** From now on these and this process are the host's own; one that has ended is not, since its pid may be given again. */
  setOwnProcesses(pids: readonly number[]): void;
  /** A window of the host: of one of its processes, or the console it runs in. */
  isOwnWindow(hwnd: number): boolean;
  /** A window of whoever started the host: its terminal, or a program above that. */
  isStarterWindow(hwnd: number): boolean;
  /** What is known of a top-level window without asking it anything; null once it is gone. */
  describeWindow(hwnd: number, known?: KnownOfWindow): WindowDescription | null;
}

/** `ownProcesses`: pids of the host's other processes. */
export function createKnownWindows(
  options: { readonly ownProcesses?: readonly number[]; readonly starters?: readonly StarterProcess[] } = {},
): KnownWindows {
  const ownProcesses = new Set<number>([process.pid, ...(options.ownProcesses ?? [])]);
  const isOwn = (hwnd: number, pid: number): boolean => ownProcesses.has(pid) || isOwnConsole(hwnd);
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

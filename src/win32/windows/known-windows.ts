/** Descriptions of windows that know which are the host's own and which belong to the program that started it. */
import { describeWindow, type KnownOfWindow, type WindowDescription } from './describe.ts';
import { isOwnConsole, windowProcess } from './handle.ts';
import { isStarterWindow, type StarterProcess } from './starter.ts';

export interface KnownWindows {
  /** Processes of the host: their windows are never listed, bound or captured. */
  readonly ownProcesses: ReadonlySet<number>;
  /** Replaces the list (this process stays in it): an ended process must go, since its pid may be reused. */
  setOwnProcesses(pids: readonly number[]): void;
  /** A window of the host: of one of its processes, or the console it runs in. */
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

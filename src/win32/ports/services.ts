import type { BindingRecord } from '../../contract/binding.ts';
import type { Rect } from '../../contract/geometry.ts';
import type { CallContext } from '../../desktop/call.ts';
import type { ConsoleKey, ConsoleLook, ConsolePressed } from '../terminal/console-protocol.ts';
import { describeWindow, type KnownOfWindow, type WindowDescription } from '../windows/describe.ts';
import { becomePerMonitorAware } from '../windows/dpi.ts';
import { isOwnConsole, windowProcess } from '../windows/handle.ts';
import { isStarterWindow, type StarterProcess } from '../windows/starter.ts';

/** Runs when an owner's binding ends: unbind, end of session, end of the worker. `record` is null where all of an owner goes. */
export type ReleaseHook = (owner: string, record: BindingRecord | null) => void | Promise<void>;

/** What one topic keeps for each owner (one token and session name): held keys, refs, moved windows. */
export interface OwnerState<T> {
  /** The owner's state, made on first use. */
  get(owner: string): T;
  /** The same without making it. */
  peek(owner: string): T | undefined;
}

/**
 * What is known of a window's password fields, beside the edits that are windows of their own. `partly`: not all of it was
 * looked through, there may be more. `unanswered`: the system can tell where they are and did not, so nothing is known.
 */
export interface PasswordRects {
  /** Screen pixels. */
  readonly rects: readonly Rect[];
  readonly known: 'all' | 'partly' | 'unanswered';
}

/** How long it may take; 0 = not asked at all, and the answer says so. */
export interface PasswordTime {
  /** Until when a system that can search a window is asked. Its answer counts however late it comes. */
  readonly askMs: number;
  /** How long a window is walked, element by element, where the system cannot search. */
  readonly walkMs: number;
}

/** Finds password fields that only UI Automation knows (browsers, XAML). Errors: cancelled. */
export type PasswordRectsHook = (hwnd: number, time: PasswordTime, call: CallContext) => Promise<PasswordRects>;

/** Looks at the screen of a bound console; null where the window is none, or where it cannot be read within the call's deadline. */
export type ConsoleLookHook = (record: BindingRecord, call: CallContext) => Promise<ConsoleLook | null>;

/**
 * Presses keys together in a bound console, what is held among their data; null where the window is none, or none that can
 * be reached, and then nothing was pressed. `layout` as in `GetKeyboardLayout`.
 */
export type ConsolePressHook = (record: BindingRecord, keys: readonly ConsoleKey[], layout: number, call: CallContext) => Promise<ConsolePressed | null>;

/** Writes text into the console of a bound terminal whose window takes no posted characters; false for every other window, and then nothing was written. */
export type ConsoleTypeHook = (record: BindingRecord, text: string, call: CallContext) => Promise<boolean>;

/** What the topics share. One for a worker process; made before any other native call. */
export interface Win32Services {
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
  ownerState<T extends object>(make: (owner: string) => T): OwnerState<T>;
  /** Hooks run last registered first, each even if another throws; afterwards the owner's states are forgotten. */
  onRelease(hook: ReleaseHook): void;
  release(owner: string, record: BindingRecord | null): Promise<void>;
  /** Releases every owner that has state: part of the worker's end. */
  releaseAll(): Promise<void>;
  /** Set by the element topic. */
  passwordRects: PasswordRectsHook;
  /** Set by the terminal topic. */
  consoleLook: ConsoleLookHook;
  /** Set by the terminal topic. */
  consolePress: ConsolePressHook;
  /** Set by the terminal topic. */
  consoleType: ConsoleTypeHook;
}

/**
 * Makes the services of this process, and makes the process aware of every monitor's DPI, which Windows allows only
 * before the first window or device context. `ownProcesses`: pids of the host's other processes.
 */
export function createWin32Services(options: { readonly ownProcesses?: readonly number[]; readonly starters?: readonly StarterProcess[] } = {}): Win32Services {
  becomePerMonitorAware();
  const ownProcesses = new Set<number>([process.pid, ...(options.ownProcesses ?? [])]);
  const hooks: ReleaseHook[] = [];
  const states: Array<Map<string, object>> = [];

  const isOwn = (hwnd: number, pid: number): boolean => ownProcesses.has(pid) || isOwnConsole(hwnd);
  const release = async (owner: string, record: BindingRecord | null): Promise<void> => {
    const failures: unknown[] = [];
    for (const hook of [...hooks].reverse()) {
      try { await hook(owner, record); } catch (error) { failures.push(error); }
    }
    for (const state of states) state.delete(owner);
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'Several parts of a binding could not be released.');
  };

  return {
    ownProcesses,
    setOwnProcesses(pids) {
      ownProcesses.clear();
      for (const pid of [process.pid, ...pids]) ownProcesses.add(pid);
    },
    isStarterWindow: (hwnd) => isStarterWindow(options.starters ?? [], hwnd),
    isOwnWindow: (hwnd) => isOwn(hwnd, windowProcess(hwnd)),
    describeWindow: (hwnd, known) => describeWindow(hwnd, isOwn, known),
    ownerState<T extends object>(make: (owner: string) => T): OwnerState<T> {
      const byOwner = new Map<string, T>();
      states.push(byOwner);
      return {
        get(owner) {
          let state = byOwner.get(owner);
          if (state === undefined) byOwner.set(owner, state = make(owner));
          return state;
        },
        peek: (owner) => byOwner.get(owner),
      };
    },
    onRelease: (hook) => { hooks.push(hook); },
    release,
    async releaseAll() {
      const owners = new Set(states.flatMap((state) => [...state.keys()]));
      await Promise.allSettled([...owners].map((owner) => release(owner, null)));
    },
    passwordRects: async () => ({ rects: [], known: 'all' }),
    consoleLook: async () => null,
    consolePress: async () => null,
    consoleType: async () => false,
  };
}

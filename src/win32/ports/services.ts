/** Shared by the ports: one view of the windows, what is kept per owner, and whether input can reach a bound window. */
import { becomePerMonitorAware } from '../windows/rects.ts';
import { createKnownWindows, type KnownWindows } from '../windows/describe.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext } from '../../desktop/index.ts';
import { answersSoon } from '../windows/ask.ts';
import { liveProcess, liveWindow } from '../windows/record.ts';
import { Deadline, throwIfAborted } from '../windows/waiting.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';

/** One per worker process, created before any other native call. */
export interface Win32Services extends KnownWindows, OwnerStates {}

/**
 * Creates the services of this process, and makes the process aware of every monitor's DPI, which Windows allows only
 * before the first window or device context.
 */
export function createWin32Services(options: Parameters<typeof createKnownWindows>[0] = {}): Win32Services {
  becomePerMonitorAware();
  return { ...createKnownWindows(options), ...createOwnerStates() };
}

/**
 * A busy window gets this long (ms) to answer, if the deadline allows; Windows itself calls it hung after five seconds.
 */
const PATIENCE_MS = 2000;

/** Errors: window_gone, window_hung, target_elevated, target_not_found for a window of the host's own. */
export async function assertReachable(
  services: Win32Services,
  record: BindingRecord,
  call: CallContext,
): Promise<void> {
  throwIfAborted(call);
  const hwnd = liveWindow(record);
  if (services.isOwnWindow(hwnd))
    throw new UiaHostError('target_not_found', 'The bound window belongs to the host itself.');
  if (liveProcess(record).isElevated) {
    throw new UiaHostError(
      'target_elevated',
      `The window ${quoted(record.title)} runs with ${record.integrity} integrity, above the host: Windows would silently drop the input.`,
    );
  }
  // Half of the deadline at most, so that the answer comes within it.
  const patience = Math.min(PATIENCE_MS, new Deadline(call).remaining() / 2);
  if (await answersSoon(hwnd, patience)) return;
  liveWindow(record);
  throw new UiaHostError(
    'window_hung',
    `The window ${quoted(record.title)} did not respond for ${Math.round(patience)} ms.`,
  );
}

/** Runs when an owner's binding ends: unbind, end of session, end of the worker. `record` is null if all of the owner's state goes. */
type ReleaseHook = (owner: string, record: BindingRecord | null) => void | Promise<void>;

/** One topic's state per owner: held keys, refs, moved windows. */
interface OwnerState<T> {
  /** The owner's state, created on first use. */
  get(owner: string): T;
  /** The owner's state, if it exists. */
  peek(owner: string): T | undefined;
}

interface OwnerStates {
  ownerState<T extends object>(make: (owner: string) => T): OwnerState<T>;
  /** Hooks run in reverse order of registration, each even if another throws; then the owner's states are dropped. */
  onRelease(hook: ReleaseHook): void;
  release(owner: string, record: BindingRecord | null): Promise<void>;
  /** Releases every owner that has state, when the worker ends. */
  releaseAll(): Promise<void>;
}

function createOwnerStates(): OwnerStates {
  const hooks: ReleaseHook[] = [];
  const states: Array<Map<string, object>> = [];
  const release = async (owner: string, record: BindingRecord | null): Promise<void> => {
    const failures: unknown[] = [];
    for (const hook of [...hooks].reverse()) {
      try {
        await hook(owner, record);
      } catch (error) {
        failures.push(error);
      }
    }
    for (const state of states) state.delete(owner);
    if (failures.length > 0)
      throw failures.length === 1
        ? failures[0]
        : new AggregateError(failures, 'Several parts of a binding could not be released.');
  };
  return {
    ownerState<T extends object>(make: (owner: string) => T): OwnerState<T> {
      const byOwner = new Map<string, T>();
      states.push(byOwner);
      return {
        get(owner) {
          let state = byOwner.get(owner);
          if (state === undefined) byOwner.set(owner, (state = make(owner)));
          return state;
        },
        peek: (owner) => byOwner.get(owner),
      };
    },
    onRelease: (hook) => {
      hooks.push(hook);
    },
    release,
    async releaseAll() {
      const owners = new Set(states.flatMap((state) => [...state.keys()]));
      await Promise.allSettled([...owners].map((owner) => release(owner, null)));
    },
  };
}

/** State per owner (one token and session name) for each topic, and its release when a binding ends. */
import type { BindingRecord } from '../../contract/element/binding.ts';

/** Runs when an owner's binding ends: unbind, end of session, end of the worker. `record` is null if all of the owner's state goes. */
type ReleaseHook = (owner: string, record: BindingRecord | null) => void | Promise<void>;

/** One topic's state per owner: held keys, refs, moved windows. */
interface OwnerState<T> {
  /** The owner's state, created on first use. */
  get(owner: string): T;
  /** The owner's state, if it exists. */
  peek(owner: string): T | undefined;
}

export interface OwnerStates {
  ownerState<T extends object>(make: (owner: string) => T): OwnerState<T>;
  /** Hooks run in reverse order of registration, each even if another throws; then the owner's states are dropped. */
  onRelease(hook: ReleaseHook): void;
  release(owner: string, record: BindingRecord | null): Promise<void>;
  /** Releases every owner that has state, when the worker ends. */
  releaseAll(): Promise<void>;
}

export function createOwnerStates(): OwnerStates {
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

import type { Outcome } from '../contract/outcome.ts';

/** What every call into the desktop carries. */
export interface CallContext {
  /** Whose state is meant: one (token, session name). Refs, observations, held keys and the virtual pointer belong to it. */
  readonly owner: string;
  /** Milliseconds that the call may take from now on. The worker is replaced when it takes longer. */
  readonly deadlineMs: number;
  /** Aborts between two steps; what is pressed is released. */
  readonly signal: AbortSignal;
  /** Policy `remoteControlMemory`, as it is now: whether structured control messages may use memory in the target. */
  readonly remoteControlMemory: boolean;
}

/** A value with what is known of how it came about. */
export interface Done<T> {
  readonly value: T;
  readonly outcome: Outcome;
}

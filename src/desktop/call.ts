/** What every call to the desktop carries, and what every answer reports about its delivery. */
import type { Permit } from '../contract/gate/exit.ts';
import type { Outcome } from '../contract/outcome.ts';

/** Whose windows a session may see. */
export interface VisibleApplications {
  /** Applications on the policy's deny list. */
  readonly deny: readonly string[];
  /** Applications that the caller's token is limited to; undefined = all. */
  readonly only?: readonly string[] | undefined;
}

/** What every call to the desktop carries. */
export interface CallContext {
  /**
   * The owner of the state: one (token, session name). Refs, observations, held keys and the virtual pointer belong to
   * it.
   */
  readonly owner: string;
  /** Milliseconds that the call may take from now on. The worker is replaced when it takes longer. */
  readonly deadlineMs: number;
  /** Aborts between two steps; pressed keys and buttons are released. */
  readonly signal: AbortSignal;
  /** The current policy's `remoteControlMemory`: whether structured control messages may use memory in the target. */
  readonly remoteControlMemory: boolean;
  /** For dialogs that other programs show for a window; absent = none of those are shown. */
  readonly applications?: VisibleApplications | undefined;
  /** What the gate lets out; absent while the gate is still reading, and for calls that pass no gate. */
  readonly permit?: Permit | undefined;
  /** The action that it is for, which the audit names; absent for the host's own calls. */
  readonly actionId?: string | undefined;
  /** For steps of a batch: whether an earlier one acted, so that nothing is sent where its effect was undone. */
  readonly isFurther?: boolean | undefined;
}

/** Which action of whom. */
export type ActionOf = Pick<CallContext, 'owner' | 'actionId'>;

/** What a program made later of what an action had left behind. */
export interface LaterChange {
  readonly element: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A value, and how it was obtained. */
export interface Done<T> {
  readonly value: T;
  readonly outcome: Outcome;
}

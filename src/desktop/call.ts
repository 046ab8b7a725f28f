/** What every call into the desktop carries, and what every answer says about how it was done. */
import type { BindingRecord } from '../contract/binding.ts';
import type { ElementInfo } from '../contract/element.ts';
import type { Outcome } from '../contract/outcome.ts';

/** Where input goes, as the gate judged it: delivered elsewhere, it would be input that was never judged. */
export interface JudgedPlace {
  /** The window that gets it; null where no window is concerned. */
  readonly window: BindingRecord | null;
  /** What was found at the point or had the focus; null where it is not known. */
  readonly element: ElementInfo | null;
  /** Of keys: handles of the part that posted ones reach and of the one that has the focus, "0" where not known. */
  readonly keysTo?: { readonly posted: string; readonly real: string } | undefined;
}

export interface Judged {
  readonly target: JudgedPlace;
  /** Where a drag picks up what it drops at the target. */
  readonly start: JudgedPlace | null;
}

/** What every call into the desktop carries. */
export interface CallContext {
  /** Whose state is meant: one (token, session name). Refs, observations, held keys and the virtual pointer belong to it. */
  readonly owner: string;
  /** Milliseconds that the call may take from now on. The worker is replaced when it takes longer. */
  readonly deadlineMs: number;
  /** Aborts between two steps; what is pressed is released. */
  readonly signal: AbortSignal;
  /** The current policy's `remoteControlMemory`: whether structured control messages may use memory in the target. */
  readonly remoteControlMemory: boolean;
  /** What the gate let through; absent while it is still looking, and for what no gate concerns. */
  readonly judged?: Judged | undefined;
}

/** A value with what is known of how it came about. */
export interface Done<T> {
  readonly value: T;
  readonly outcome: Outcome;
}

/** What every call to the desktop carries, and what every answer reports about its delivery. */
import type { BindingRecord } from '../contract/element/binding.ts';
import type { ElementContext, ElementInfo } from '../contract/element/element.ts';
import type { Outcome } from '../contract/outcome.ts';

/** Where input goes, as the gate judged it: anywhere else it would be unjudged input. */
export interface JudgedPlace {
  /** The window that gets it; null if no window is concerned. */
  readonly window: BindingRecord | null;
  /** What was at the point or had the focus; null if unknown. */
  readonly element: ElementInfo | null;
  /** The caller named that element: what is at the point may be a part of it. */
  readonly isNamed?: boolean | undefined;
  /** For keys that are carried out by elements: which ones. */
  readonly commands?: ElementContext['commands'];
  /** For keys: handles of the part that posted keys reach and of the part with the focus, "0" if unknown. */
  readonly keysTo?: { readonly posted: string; readonly real: string } | undefined;
}

export interface Judged {
  readonly target: JudgedPlace;
  /** Where a drag starts. */
  readonly start: JudgedPlace | null;
}

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
  /** What the gate let through; absent while the gate is still reading, and for calls that pass no gate. */
  readonly judged?: Judged | undefined;
}

/** A value, and how it was obtained. */
export interface Done<T> {
  readonly value: T;
  readonly outcome: Outcome;
}

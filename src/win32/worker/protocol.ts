/** Messages between the host and the desktop worker. */
import type { Problem } from '../../contract/errors.ts';
import type { ActionOf, CallContext, WorkerDesktop } from '../../desktop/index.ts';
import type { Left } from '../exits/leaving.ts';
import type { HeldInput } from '../input/held-input.ts';
import type { OwnInput } from '../windows/person.ts';
import type { MovedWindow } from '../acting/moved-away.ts';
import type { StarterProcess } from '../windows/starter.ts';

export type Topic = keyof WorkerDesktop;

/** First message to a worker. */
export interface WorkerInit {
  readonly kind: 'init';
  /** Refs are numbered from here, so that none is used twice in a host's life. */
  readonly refBase: number;
  /** Which of the workers that may run at the same time this is: their refs differ. */
  readonly place: number;
  /** Processes of the host. */
  readonly ownPids: readonly number[];
  /** Processes that started the host: their windows cannot be bound. */
  readonly starters?: readonly StarterProcess[];
  /** When the other workers sent input. */
  readonly ownInput: readonly OwnInput[];
  /** What an earlier worker may have left pressed. */
  readonly held: readonly HeldInput[];
  /** What an earlier worker moved off the desktop. */
  readonly moved: readonly MovedWindow[];
  /** What a killed host left off the desktop: its bindings are gone, so it is moved back immediately. */
  readonly leftAway: readonly MovedWindow[];
}

export interface WorkerRequest extends Omit<CallContext, 'signal'> {
  readonly kind: 'call';
  readonly id: number;
  readonly topic: Topic;
  readonly method: string;
  /** Arguments without the call context, which comes last. */
  readonly args: readonly unknown[];
  /** When the deadline began (`machineMs`): the worker may have been busy with another call. */
  readonly sentAt: number;
  /** Others were under way when it was sent: the worker reports when it begins. One by itself begins immediately. */
  readonly tellsBegin: boolean;
}

export type ToWorker =
  | WorkerInit
  | WorkerRequest
  | { readonly kind: 'abort'; readonly id: number; readonly reason: string }
  /** The host's processes (the overlay starts later than the worker). */
  | { readonly kind: 'own-pids'; readonly ownPids: readonly number[] }
  /** Asks whether the worker takes messages at present; answered immediately. */
  | { readonly kind: 'ping'; readonly id: number }
  /** Another worker sent input: what the system counts then is not a person's. */
  | { readonly kind: 'input-elsewhere'; readonly own: OwnInput }
  | { readonly kind: 'exit' };

/** State that the next worker needs if this one ends. */
interface WorkerState {
  readonly kind: 'state';
  readonly refHigh: number;
  readonly held: readonly HeldInput[];
  readonly moved: readonly MovedWindow[];
}

interface WorkerAnswer {
  readonly kind: 'answer';
  readonly id: number;
  readonly value?: unknown;
  /** Kinds of what left for this call. */
  readonly left?: readonly Left[];
  readonly problem?: Problem;
}

export type FromWorker =
  | { readonly kind: 'ready'; readonly pid: number }
  | WorkerState
  /** A call is being carried out, and no longer waits behind another one. Sent where the call asks for it. */
  | { readonly kind: 'begun'; readonly id: number }
  | WorkerAnswer
  /** A line for the host's log; never texts of windows. */
  | { readonly kind: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string }
  /** This worker sends or sent input. */
  | { readonly kind: 'own-input'; readonly own: OwnInput }
  /** What this action had left behind did not stay: for the audit, without a text. */
  | { readonly kind: 'undone'; readonly by: ActionOf };

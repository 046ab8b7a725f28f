/** Messages between the host and the desktop worker. */
import type { Problem } from '../../contract/errors.ts';
import type { Judged, WorkerDesktop } from '../../desktop/index.ts';
import type { HeldInput } from '../input/held-input.ts';
import type { MovedWindow } from '../windows/moved-away.ts';
import type { StarterProcess } from '../windows/starter.ts';

/** Plain data that crosses between host and desktop worker (structured clone). Pointers never do. */

export type Topic = keyof WorkerDesktop;

/** First message to a worker. */
export interface WorkerInit {
  readonly kind: 'init';
  /** Refs are numbered from here on, so that none is given twice in a host's life. */
  readonly refBase: number;
  /** Processes whose windows are the host's own. */
  readonly ownPids: readonly number[];
  /** Who started the host: their windows are not bound. */
  readonly starters?: readonly StarterProcess[];
  /** What a worker before this one may have left pressed. */
  readonly held: readonly HeldInput[];
  /** What a worker before this one moved off the desktop. */
  readonly moved: readonly MovedWindow[];
  /** What a host that was killed left off the desktop: its bindings are gone, so it comes back at once. */
  readonly leftAway: readonly MovedWindow[];
}

export interface WorkerRequest {
  readonly kind: 'call';
  readonly id: number;
  readonly topic: Topic;
  readonly method: string;
  /** Arguments without the call context, which is always the last. */
  readonly args: readonly unknown[];
  readonly owner: string;
  readonly deadlineMs: number;
  readonly remoteControlMemory: boolean;
  readonly judged?: Judged | undefined;
}

export interface WorkerAbort {
  readonly kind: 'abort';
  readonly id: number;
  readonly reason: string;
}

/** Tells the worker which processes are the host's own (the overlay starts later than the worker). */
export interface WorkerOwnPids {
  readonly kind: 'own-pids';
  readonly ownPids: readonly number[];
}

export interface WorkerExit {
  readonly kind: 'exit';
}

export type ToWorker = WorkerInit | WorkerRequest | WorkerAbort | WorkerOwnPids | WorkerExit;

export interface WorkerReady {
  readonly kind: 'ready';
  readonly pid: number;
}

/** State that the next worker needs if this one dies. */
export interface WorkerState {
  readonly kind: 'state';
  readonly refHigh: number;
  readonly held: readonly HeldInput[];
  readonly moved: readonly MovedWindow[];
}

export interface WorkerAnswer {
  readonly kind: 'answer';
  readonly id: number;
  readonly value?: unknown;
  readonly problem?: Problem;
}

/** Something the worker wants in the host's log; never texts of windows. */
export interface WorkerLog {
  readonly kind: 'log';
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

export type FromWorker = WorkerReady | WorkerState | WorkerAnswer | WorkerLog;

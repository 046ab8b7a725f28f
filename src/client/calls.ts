// What the methods of the client have in common: their options, and the form of an action's method.
/** An agent acts and observes; an operator also decides, stops and configures. */
export type Scope = 'agent' | 'operator';

export interface CallOptions {
  /** Ends the call. The host cancels an action whose connection closes. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the call after this time; default: that of the client, which is unlimited unless it is set. */
  readonly timeoutMs?: number | undefined;
}

export interface ActionOptions extends CallOptions {
  /** Session name or a computerUseSessionId; default: that of the client. */
  readonly session?: string | undefined;
  /** Repeating the call with the same key and input returns the first answer and runs nothing. Default: a new key for each action that acts. */
  readonly idempotencyKey?: string | undefined;
  /** `delta`: the answer has what changed in the window since the session's last snapshot. */
  readonly observe?: 'delta' | 'none' | undefined;
  /** Default true: wait for the person where one must decide. */
  readonly wait?: true | undefined;
}

/** Answers as soon as a person must decide, and continues if the connection closes; see `UiaHostClient.waitForAction`. */
export interface StartOptions extends Omit<ActionOptions, 'wait'> {
  readonly wait: false;
}

/** Whether an action started with `wait: false` waits for a person. */
export const isPending = (answer: object): answer is { actionId: string; approvalId: string; status: 'pending' } =>
  'status' in answer && answer.status === 'pending' && 'approvalId' in answer;

/** One event of a stream. */
export interface StreamedEvent<Data = unknown> {
  /** For `lastEventId`. */
  readonly id: string | undefined;
  readonly type: string;
  readonly data: Data;
}

export interface StreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** Continues after this event. */
  readonly lastEventId?: string | undefined;
  /** Default true: a lost connection is opened again after the last event. */
  readonly resume?: boolean | undefined;
}

/** A route, as the client calls it. */
export interface RouteRow {
  readonly method: string;
  readonly path: string;
  readonly scope: Scope | 'none';
  readonly hasBody?: true;
  /** Names in the query. */
  readonly query?: readonly string[];
  /** Options that are sent as headers, with the header's name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly answers?: 'bytes' | 'events';
}

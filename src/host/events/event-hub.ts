/**
 * The host’s events: a bus that persists each and hands it to listeners, a bridge from a stream to the bus, and the hub
 * that numbers everything for the operator’s stream.
 */
import type { HostEvent, StreamItem } from '../face/host.ts';
import type { StreamEvent, EventPage, StoredEvent } from '../../store/records.ts';
import { attempt } from '../../contract/attempt.ts';

/** Where a bus keeps its events, such as the store's `events`. */
export interface EventLog {
  append(streamId: string, event: StreamEvent): Promise<{ id: string; sequence: number }>;
  read(query: { streamId: string; after: string | null; limit?: number }): Promise<EventPage>;
}

export type EventListener = (stored: StoredEvent) => void;

export interface EventBus {
  /**
   * Persists the event, then hands it to every listener, in the order of publishing. Rejects if it could not be
   * persisted; then no listener got it.
   */
  publish(event: StreamEvent): Promise<StoredEvent>;
  /** From now on; the returned function ends the subscription. A listener's exceptions are ignored. */
  subscribe(listener: EventListener): () => void;
  /** The earlier events after the id `after`, oldest first. */
  replay(query?: { after?: string | null; limit?: number }): Promise<EventPage>;
}

export interface EventBusOptions {
  /** Default: in memory, until the process ends. */
  readonly log?: EventLog;
  /** The stream that the events belong to; default the host's own. */
  readonly streamId?: string;
}

/** The stream of everything: approvals, actions, sessions, tools, worker. */
const HOST_STREAM = 'host';

/** Enough for a program that reviews its last run; a host has the database. */
const MEMORY_EVENTS = 10_000;

function createMemoryLog(): EventLog {
  const events: StoredEvent[] = [];
  let lastSequence = 0;
  return {
    async append(streamId, event) {
      lastSequence += 1;
      const id = `${streamId}:${lastSequence}`;
      events.push({ id, sequence: lastSequence, event });
      if (events.length > MEMORY_EVENTS) events.shift();
      return { id, sequence: lastSequence };
    },
    async read({ streamId, after, limit = 500 }) {
      const isOurs =
        after === null ||
        (after.startsWith(`${streamId}:`) && Number(after.slice(streamId.length + 1)) <= lastSequence);
      const from = isOurs && after !== null ? Number(after.slice(streamId.length + 1)) : 0;
      const later = events.filter(({ sequence }) => sequence > from);
      const page = later.slice(0, limit);
      return {
        events: page,
        hasGap: !isOurs || (page[0]?.sequence ?? lastSequence + 1) > from + 1,
        hasMore: later.length > page.length,
        lastSequence,
      };
    },
  };
}

export function createEventBus({ log = createMemoryLog(), streamId = HOST_STREAM }: EventBusOptions = {}): EventBus {
  const listeners = new Set<EventListener>();
  const deliver = (stored: StoredEvent): void => {
    // A listener that fails keeps the event from no other.
    for (const listener of listeners) attempt(() => listener(stored), undefined);
  };
  return {
    async publish(event) {
      // The log resolves calls in order, so listeners get events in the order of publishing.
      const stored: StoredEvent = { ...(await log.append(streamId, event)), event };
      deliver(stored);
      return stored;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    replay: ({ after = null, limit } = {}) => log.read({ streamId, after, ...(limit === undefined ? {} : { limit }) }),
  };
}

/** A source of events: it calls a listener, or is an async iterable. */
export type EventSource =
  | { subscribe(listener: (event: StreamEvent) => void): () => void }
  | AsyncIterable<StreamEvent>;

export interface StreamEventBridge {
  /** Resolves when everything forwarded so far is persisted, or its failure has been reported. */
  settled(): Promise<void>;
  /** Resolves when the stream has ended (an iterable at its end, a subscription at `close`) and everything is persisted. */
  readonly done: Promise<void>;
  /** Stops forwarding. */
  close(): void;
}

export interface StreamEventBridgeOptions {
  readonly stream: EventSource;
  readonly bus: EventBus;
  /** Receives events that could not be persisted, and the error of a stream that failed. The stream never waits or fails because of it. */
  readonly onFault?: (fault: { event: StreamEvent | null; error: unknown }) => void;
}

/** Forwards every event of a stream to the event bus, in order, where it is persisted and can be replayed. */
export function createStreamEventBridge({ stream, bus, onFault }: StreamEventBridgeOptions): StreamEventBridge {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let pending: Promise<void> = Promise.resolve();
  let isClosed = false;

  const report = (event: StreamEvent | null, error: unknown): void => {
    // An error of the handler must not reach the stream.
    attempt(() => onFault?.({ event, error }), undefined);
  };
  const forward = (event: StreamEvent): void => {
    if (isClosed) return;
    const published = bus.publish(event).catch((error: unknown) => report(event, error));
    // Without a value: a chain of values would keep every event in memory.
    pending = Promise.all([pending, published]).then(() => {});
  };

  let stop: () => void;
  if ('subscribe' in stream) {
    const unsubscribe = stream.subscribe(forward);
    stop = () => {
      unsubscribe();
      end();
    };
  } else {
    const iterator = stream[Symbol.asyncIterator]();
    stop = () => {
      end();
      iterator.return?.().catch((error: unknown) => report(null, error));
    };
    const pump = async (): Promise<void> => {
      try {
        for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) forward(next.value);
      } catch (error) {
        report(null, error);
      } finally {
        end();
      }
    };
    void pump();
  }

  const settled = async (): Promise<void> => {
    await pending;
  };
  return {
    settled,
    done: ended.then(settled),
    close() {
      if (isClosed) return;
      isClosed = true;
      stop();
    },
  };
}

const KEPT = 2000;
/** A reader with this many unread events is dropped: the host never waits for one. */
const MAX_WAITING = 1000;
/** Number of events read from the store at a time, for a reader that was away. */
const PAGE = 500;

interface Reader {
  readonly queue: Array<StreamItem<HostEvent>>;
  wake: () => void;
  isDropped: boolean;
}

/**
 * Each event goes over a bridge to the event bus, which persists it under the same number, so that a returning reader
 * finds what it missed, even after a restart of the host.
 */
export class EventHub {
  readonly #log: EventLog;
  readonly #kept: Array<StreamItem<HostEvent>> = [];
  readonly #readers = new Set<Reader>();
  readonly #listeners = new Set<(event: HostEvent) => void>();
  readonly #bridge: StreamEventBridge;
  /** The number of the last event that was stored before this process. */
  readonly #first: number;
  #sequence: number;
  /** An event could not be stored: from then on the store's numbers differ from ours. */
  #hasDrifted = false;

  private constructor(log: EventLog, lastSequence: number, onFault: (error: unknown) => void) {
    this.#log = log;
    this.#first = lastSequence;
    this.#sequence = lastSequence;
    this.#bridge = createStreamEventBridge({
      stream: this,
      bus: createEventBus({ log }),
      onFault: ({ error }) => {
        this.#hasDrifted = true;
        onFault(error);
      },
    });
  }

  /** Continues the store's numbers. */
  static async open(log: EventLog, onFault: (error: unknown) => void): Promise<EventHub> {
    const { lastSequence } = await log.read({ streamId: HOST_STREAM, after: null, limit: 1 });
    return new EventHub(log, lastSequence, onFault);
  }

  /** For the bridge: called for each published event. */
  subscribe(listener: (event: HostEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(type: string, fields: Record<string, unknown> = {}): void {
    this.#sequence += 1;
    const item = { sequence: this.#sequence, event: { type, time: new Date().toISOString(), ...fields } };
    this.#kept.push(item);
    if (this.#kept.length > KEPT) this.#kept.shift();
    for (const listener of this.#listeners) listener(item.event);
    for (const reader of this.#readers) {
      if (reader.queue.length >= MAX_WAITING) reader.isDropped = true;
      else reader.queue.push(item);
      reader.wake();
    }
  }

  async *read(from: number | null, signal: AbortSignal): AsyncGenerator<StreamItem<HostEvent>> {
    const after = from !== null && from < 0 ? Math.max(this.#first, this.#sequence + from) : from;
    const reader: Reader = { queue: [], wake: () => {}, isDropped: false };
    // Registered before the store is read, so that events in between wait in the queue.
    const kept = after === null ? [] : this.#kept.filter((item) => item.sequence > after);
    const firstKept = this.#kept[0]?.sequence ?? this.#sequence + 1;
    this.#readers.add(reader);
    const onAbort = (): void => reader.wake();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      if (after !== null) {
        if (after > this.#sequence) yield lost(firstKept - 1);
        else if (after < firstKept - 1) yield* this.#older(after, firstKept, signal);
        for (const item of kept) yield { ...item, isPast: true };
      }
      while (!signal.aborted && !reader.isDropped) {
        const next = reader.queue.shift();
        if (next !== undefined) {
          yield next;
          continue;
        }
        await new Promise<void>((resolve) => {
          reader.wake = resolve;
          if (signal.aborted || reader.queue.length > 0) resolve();
        });
      }
    } finally {
      this.#readers.delete(reader);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Resolves when everything published so far is stored, or its failure reported. */
  settled(): Promise<void> {
    return this.#bridge.settled();
  }

  /** Stops storing; what was published before is stored first. */
  async close(): Promise<void> {
    this.#bridge.close();
    await this.#bridge.done;
  }

  /** Stored events after one number and before another. Those of this process count only while the numbers match. */
  async *#older(after: number, before: number, signal: AbortSignal): AsyncGenerator<StreamItem<HostEvent>> {
    await this.settled();
    const end = this.#hasDrifted ? Math.min(before, this.#first + 1) : before;
    let from = after;
    while (from < end - 1 && !signal.aborted) {
      const page = await this.#log.read({ streamId: HOST_STREAM, after: `${HOST_STREAM}:${from}`, limit: PAGE });
      if (page.hasGap) yield lost((page.events[0]?.sequence ?? end) - 1);
      const wanted = page.events.filter(({ sequence }) => sequence < end);
      for (const { sequence, event } of wanted) yield { sequence, event: event as HostEvent, isPast: true };
      const last = wanted.at(-1)?.sequence;
      if (last === undefined) break;
      from = last;
    }
    if (end < before) yield lost(before - 1);
  }
}

function lost(sequence: number): StreamItem<HostEvent> {
  return {
    sequence,
    event: {
      type: 'error',
      time: new Date().toISOString(),
      code: 'EVENTS_LOST',
      message: 'Events between the given id and the next one are no longer kept.',
    },
  };
}

/** Numbers everything that happens in the host, for the operator's stream. */
import { createEventBus, HOST_STREAM, type EventLog } from './event-bus.ts';
import { createStreamEventBridge, type StreamEventBridge } from './stream-event-bridge.ts';
import type { HostEvent, StreamItem } from '../face/host.ts';

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

  async *read(after: number | null, signal: AbortSignal): AsyncGenerator<StreamItem<HostEvent>> {
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

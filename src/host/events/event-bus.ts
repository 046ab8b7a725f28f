/** The event bus: persists each event, then hands it to listeners. */
import type { EventPage, StoredEvent, StreamEvent } from '../../store/records.ts';

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
export const HOST_STREAM = 'host';

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
    for (const listener of listeners) {
      try {
        listener(stored);
      } catch {
        // The other listeners still get the event.
      }
    }
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

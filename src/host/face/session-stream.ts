/** The event streams of computer-use sessions. */
import type { ComputerUseStreamEvent } from '../../contract/gate/session.ts';
import { badInput, UiaHostError } from '../../contract/errors.ts';
import type { Store } from '../../store/client.ts';
import type { StreamItem } from './host.ts';

/** `<sessionId>:<sequence>` → sequence. Errors: invalid_argument if it belongs to another stream. */
export function resumeAfter(lastEventId: string | undefined, sessionId: string): number | null {
  if (lastEventId === undefined || lastEventId === '') return null;
  const [, session, sequence] = /^(.+):(\d{1,15})$/.exec(lastEventId) ?? [];
  if (session !== sessionId || sequence === undefined) {
    throw badInput(`Last-Event-ID: expected ${sessionId}:NUMBER, an id of this stream.`);
  }
  return Number(sequence);
}

/** Each event is stored first, then announced. A reader reads from the store, so it may be slow. */
export class SessionStreams {
  readonly #store: Store;
  readonly #readers = new Map<string, Set<() => void>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Appends in the order of the calls; resolves when the event is on disk. */
  async append(sessionId: string, event: ComputerUseStreamEvent): Promise<void> {
    await this.#store.events.append(sessionId, event);
    for (const wake of this.#readers.get(sessionId) ?? []) wake();
  }

  /** Appends the last event, unless there is one already. */
  async end(sessionId: string, event: ComputerUseStreamEvent & { type: 'session.ended' }): Promise<void> {
    await this.append(sessionId, event).catch((error: unknown) => {
      if (!(error instanceof UiaHostError && error.code === 'session_ended')) throw error;
    });
  }

  /** Whether this event completes the stream: it was the last one of a session that has ended. */
  async isReadToEnd(sessionId: string, afterSequence: number): Promise<boolean> {
    const page = await this.#store.events.read({
      streamId: sessionId,
      after: `${sessionId}:${afterSequence}`,
      limit: 1,
    });
    return page.isClosed === true && !page.hasGap && page.events.length === 0;
  }

  /** Events after the sequence (null: from the start), then live ones; ends after session.ended. */
  async *read(
    sessionId: string,
    afterSequence: number | null,
    signal: AbortSignal,
  ): AsyncGenerator<StreamItem<ComputerUseStreamEvent>> {
    const readers = this.#readers.get(sessionId) ?? new Set();
    this.#readers.set(sessionId, readers);
    let wake: () => void = () => {};
    const onWake = (): void => wake();
    readers.add(onWake);
    signal.addEventListener('abort', onWake, { once: true });
    let lastPast: number | null = null;
    let after = afterSequence === null ? null : `${sessionId}:${afterSequence}`;
    try {
      while (!signal.aborted) {
        // Armed before the read, so that no event in between is missed.
        const next = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const page = await this.#store.events.read({ streamId: sessionId, after });
        lastPast ??= page.lastSequence;
        if (page.hasGap) {
          const sequence = (page.events[0]?.sequence ?? page.lastSequence + 1) - 1;
          yield {
            sequence,
            event: {
              type: 'error',
              code: 'EVENTS_LOST',
              message: 'Events after the given id can no longer be read; the stream continues with the next ones.',
              timestamp: new Date().toISOString(),
            },
          };
        }
        for (const stored of page.events) {
          const event = stored.event as ComputerUseStreamEvent;
          yield { sequence: stored.sequence, event, isPast: stored.sequence <= lastPast };
          if (event.type === 'session.ended') return;
          after = stored.id;
        }
        if (page.hasGap && page.events.length === 0)
          after = page.lastSequence === 0 ? null : `${sessionId}:${page.lastSequence}`;
        if (page.events.length > 0 || signal.aborted) continue;
        if (page.isClosed === true) return;
        await next;
      }
    } finally {
      readers.delete(onWake);
      if (readers.size === 0) this.#readers.delete(sessionId);
      signal.removeEventListener('abort', onWake);
    }
  }
}

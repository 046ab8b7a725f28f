/** The bridge from a stream of events to the event bus. */
import type { EventBus } from './event-bus.ts';
import type { StreamEvent } from '../../store/records.ts';

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
  const ended = Promise.withResolvers<void>();
  let pending: Promise<void> = Promise.resolve();
  let isClosed = false;

  const report = (event: StreamEvent | null, error: unknown): void => {
    try {
      onFault?.({ event, error });
    } catch {
      // An error of the handler must not reach the stream.
    }
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
      ended.resolve();
    };
  } else {
    const iterator = stream[Symbol.asyncIterator]();
    stop = () => {
      ended.resolve();
      iterator.return?.().catch((error: unknown) => report(null, error));
    };
    const pump = async (): Promise<void> => {
      try {
        for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) forward(next.value);
      } catch (error) {
        report(null, error);
      } finally {
        ended.resolve();
      }
    };
    void pump();
  }

  const settled = async (): Promise<void> => {
    await pending;
  };
  return {
    settled,
    done: ended.promise.then(settled),
    close() {
      if (isClosed) return;
      isClosed = true;
      stop();
    },
  };
}

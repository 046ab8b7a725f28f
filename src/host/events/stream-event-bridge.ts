import type { EventBus } from './event-bus.ts';
import type { StreamEvent } from '../../store/records.ts';

/** Something that tells of events: by calling a listener, or as an async iterable. */
export type EventSource =
  | { subscribe(listener: (event: StreamEvent) => void): () => void }
  | AsyncIterable<StreamEvent>;

export interface StreamEventBridge {
  /** Resolves when everything that came over so far is persisted, or its failure has been reported. */
  settled(): Promise<void>;
  /** Resolves when the stream has ended (an iterable at its end, a subscription at `close`) and everything is persisted. */
  readonly done: Promise<void>;
  /** Stops forwarding. */
  close(): void;
}

export interface StreamEventBridgeOptions {
  readonly stream: EventSource;
  readonly bus: EventBus;
  /** Told of events that could not be persisted, and of a stream that failed. The stream is never made to wait or to fail. */
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
      // The handler only reports; its own fault must not reach the stream.
    }
  };
  const forward = (event: StreamEvent): void => {
    if (isClosed) return;
    const published = bus.publish(event).catch((error: unknown) => report(event, error));
    // Without a value: that of each would hold the one before it, and so every event there ever was.
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

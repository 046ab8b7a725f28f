// The host's event streams: reading one response, and resuming after a lost connection.
import { setTimeout as pause } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { StreamedEvent, StreamOptions } from './calls.ts';
import { ConnectionError } from './errors.ts';

/** How long a lost stream waits before it is opened again, unless the host says otherwise. */
const RETRY_MS = 1000;
/** A host that is upgraded needs half a minute, a machine that restarts two; after this many failed tries it has gone. */
const MOST_TRIES = 180;

/** The events of a response body, in order. `onRetry` gets the host's delay for reconnecting. */
export async function* eventsOf(
  response: Response,
  onRetry: (ms: number) => void = () => {},
): AsyncGenerator<StreamedEvent, void, undefined> {
  const waiting: StreamedEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => waiting.push({ id, type: event ?? 'message', data: JSON.parse(data) as unknown }),
    onRetry,
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    yield* waiting.splice(0);
  }
}

/**
 * The events of a stream. A lost connection is opened again after the last event, so that none is missed or repeated.
 * Ends where the host says that nothing follows, or with the signal. Errors: those of `open` at the first connection;
 * ConnectionError if the host stays away.
 */
export async function* streamOf(
  open: (lastEventId: string | undefined) => Promise<Response>,
  { lastEventId, resume = true, signal }: StreamOptions = {},
): AsyncGenerator<StreamedEvent, void, undefined> {
  let last = lastEventId;
  let delayMs = RETRY_MS;
  let response = await open(last);
  for (let failures = 0; ;) {
    if (response.status === 204) return;
    try {
      for await (const event of eventsOf(response, (ms) => (delayMs = ms))) {
        failures = 0;
        last = event.id ?? last;
        yield event;
      }
      if (!resume) return;
    } catch (error) {
      if (signal?.aborted === true || !resume || !(error instanceof ConnectionError)) throw error;
    }
    for (;;) {
      await pause(delayMs, undefined, signal === undefined ? {} : { signal }).catch(() => signal?.throwIfAborted());
      try {
        response = await open(last);
        break;
      } catch (error) {
        failures += 1;
        if (!(error instanceof ConnectionError) || failures >= MOST_TRIES) throw error;
      }
    }
  }
}

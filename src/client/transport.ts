// HTTP requests, and the host's event streams, which are resumed after a lost connection. Not `fetch`, which gives up after five
// minutes: a person may take longer to decide.
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { StreamedEvent, StreamOptions } from './calls.ts';
import { ConnectionError, TimeoutError } from './errors.ts';

export interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; none where it is undefined. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Without it the request waits as long as the connection lives: closing it would cancel an action. */
  readonly timeoutMs?: number | undefined;
}

/** The connection was never made, so nothing was sent. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * The response with any status. Errors: the signal's reason, TimeoutError, ConnectionError.
 * The signal and the time also end a body that is still being read.
 */
export function send({ method, url, headers, body, signal, timeoutMs }: Sent): Promise<Response> {
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const ends = [signal, timeout].filter((each) => each !== undefined);
  const whyEnded = (): unknown => {
    if (signal?.aborted === true) return signal.reason;
    return timeout?.aborted === true
      ? new TimeoutError(
          `No answer came within ${timeoutMs} ms. The client closed the connection, and the host cancels an action with it.`,
        )
      : undefined;
  };
  const options = {
    method,
    headers: {
      ...headers,
      ...(content === undefined ? {} : { 'content-type': 'application/json', 'content-length': content.length }),
    },
    ...(ends.length === 0 ? {} : { signal: AbortSignal.any(ends) }),
  };
  return new Promise((resolve, reject) => {
    const ended = whyEnded();
    if (ended !== undefined) {
      reject(ended);
      return;
    }
    const start = url.protocol === 'https:' ? requestHttps : requestHttp;
    start(url, options, (answer) => resolve(toResponse(answer, whyEnded)))
      .on('error', (error: NodeJS.ErrnoException) => reject(whyEnded() ?? failure(error, method, url)))
      .end(content);
  });
}

function failure(error: NodeJS.ErrnoException, method: string, url: URL): ConnectionError {
  const code = error.code ?? error.message;
  const isUnsent = UNSENT.has(error.code ?? '');
  if (isUnsent) return new ConnectionError(`No host answers at ${url.origin} (${code}).`, 'not_delivered', error);
  const delivery = method === 'GET' ? 'not_delivered' : 'unknown';
  return new ConnectionError(`The connection to ${url.origin} broke (${code}).`, delivery, error);
}

function toResponse(answer: IncomingMessage, whyEnded: () => unknown): Response {
  const status = answer.statusCode ?? 500;
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  // These have no body, and Response does not accept one for them.
  const isEmpty = status === 204 || status === 304;
  if (isEmpty) answer.resume();
  const body = isEmpty
    ? null
    : (Readable.toWeb(Readable.from(piecesOf(answer, whyEnded))) as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers });
}

/** The body, whose end by the caller has the caller's reason. */
async function* piecesOf(answer: IncomingMessage, whyEnded: () => unknown): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of answer) yield piece as Uint8Array;
  } catch (error) {
    throw (
      whyEnded() ?? new ConnectionError('The connection to the host broke while its answer arrived.', 'unknown', error)
    );
  }
}

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

// One HTTP request. Not `fetch`, which gives up after five minutes: a person may take longer to decide.
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
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

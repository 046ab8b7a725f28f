// Reads the host's event streams.
import { createParser } from 'eventsource-parser';
import { toProblemError, type Connection } from './connection.ts';

export interface StreamedEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: unknown;
}

/** The events of a response body, in order. */
export async function* eventsOf(response: Response): AsyncGenerator<StreamedEvent> {
  const waiting: StreamedEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => waiting.push({ id, type: event ?? 'message', data: JSON.parse(data) as unknown }),
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    yield* waiting.splice(0);
  }
}

/** Opens an event stream of the host. Errors: ProblemError. */
export async function openStream(
  connection: Connection,
  path: string,
  options: { scope: 'agent' | 'operator'; lastEventId?: string; signal?: AbortSignal },
): Promise<AsyncGenerator<StreamedEvent>> {
  const { scope, lastEventId, signal } = options;
  const response = await connection.request('GET', path, {
    scope,
    signal,
    headers: { accept: 'text/event-stream', ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
  });
  if (!response.ok) throw toProblemError(response, await response.text());
  return eventsOf(response);
}

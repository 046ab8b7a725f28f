import type { ServerResponse } from 'node:http';
import type { ServerEvent } from '../host/route.ts';

export const HEARTBEAT_MS = 15_000;
/** Bytes that may wait for a slow reader; then it is dropped. It comes back with Last-Event-ID. */
export const MOST_WAITING_BYTES = 1024 * 1024;

/** Text of one event. Data is one line of JSON, so no line of it can end the event early. */
export function formatEvent(event: ServerEvent): string {
  return `event: ${event.event}\nid: ${event.id}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

/**
 * Writes events as they come. Never waits for the reader: what the system's buffers do not take is held up to
 * MOST_WAITING_BYTES, then the reader is dropped. Resolves when the events end or the reader is gone.
 */
export async function sendEvents(response: ServerResponse, events: AsyncIterable<ServerEvent>, heartbeatMs = HEARTBEAT_MS): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  const write = (text: string): void => {
    if (response.destroyed) return;
    response.write(text);
    if (response.writableLength > MOST_WAITING_BYTES) response.destroy();
  };
  // The first bytes tell the client that the stream stands, before anything happens.
  write('retry: 1000\n\n');
  const heartbeat = setInterval(() => write(': heartbeat\n\n'), heartbeatMs);
  heartbeat.unref();
  try {
    for await (const event of events) {
      if (response.destroyed) return;
      write(formatEvent(event));
    }
    response.end();
  } finally {
    clearInterval(heartbeat);
  }
}

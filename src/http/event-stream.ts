// Writes server-sent events, and drops readers that are too slow.
import type { ServerResponse } from 'node:http';
import { jsonText } from '../contract/json/quoted.ts';
import type { ServerEvent } from '../host/face/route.ts';

const HEARTBEAT_MS = 15_000;
/** Bytes buffered for a slow reader before it is dropped. It reconnects with Last-Event-ID. */
export const MOST_WAITING_BYTES = 1024 * 1024;
/** Past events are sent in pieces of about this size, each after the previous one has been sent. */
const PIECE_BYTES = 64 * 1024;
/** A reader of past events that reads nothing for this long is dropped too. */
const LONGEST_PIECE_MS = 30_000;

/** Formats an event. The data is one line of JSON, so it cannot end the event early. */
function formatEvent(event: ServerEvent): string {
  return `event: ${event.event}\nid: ${event.id}\ndata: ${jsonText(event.data)}\n\n`;
}

/**
 * Writes one piece at a time; text that arrives meanwhile joins the next piece. Many small writes at once would become one
 * call with as many buffers, and Windows sockets need not accept more than a few hundred (under Wine, 256 end the connection).
 */
class PieceWriter {
  readonly #response: ServerResponse;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #underWay: Promise<void> | null = null;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get waitingBytes(): number {
    return this.#waitingBytes + this.#response.writableLength;
  }

  write(text: string): void {
    if (this.#response.destroyed) return;
    this.#waiting.push(text);
    this.#waitingBytes += Buffer.byteLength(text);
    this.#underWay ??= this.#send();
  }

  /** Resolves when everything is sent or the connection has ended. A reader that leaves a piece unread for too long is dropped. */
  async gone(): Promise<void> {
    while (this.#underWay !== null) {
      const timer = setTimeout(() => this.#response.destroy(), LONGEST_PIECE_MS).unref();
      await this.#underWay;
      clearTimeout(timer);
    }
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#response.destroyed) {
      const piece = this.#waiting.join('');
      this.#waiting = [];
      this.#waitingBytes = 0;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          this.#response.off('close', done);
          resolve();
        };
        this.#response.once('close', done);
        this.#response.write(piece, done);
      });
    }
    this.#underWay = null;
  }
}

/**
 * Writes events as they arrive. Past events, which are in the store, are sent at the reader's speed. Live events wait for no
 * reader: up to MOST_WAITING_BYTES are buffered, then the reader is dropped.
 * Resolves when the events end or the reader is gone.
 */
export async function sendEvents(
  response: ServerResponse,
  events: AsyncIterable<ServerEvent>,
  heartbeatMs = HEARTBEAT_MS,
): Promise<void> {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  const writer = new PieceWriter(response);
  // The first bytes show the client that the stream is open, before any event.
  writer.write('retry: 1000\n\n');
  const heartbeat = setInterval(() => writer.write(': heartbeat\n\n'), heartbeatMs);
  heartbeat.unref();
  try {
    for await (const event of events) {
      if (response.destroyed) return;
      writer.write(formatEvent(event));
      if (event.isPast === true) {
        if (writer.waitingBytes > PIECE_BYTES) await writer.gone();
      } else if (writer.waitingBytes > MOST_WAITING_BYTES) {
        response.destroy();
      }
    }
    await writer.gone();
    response.end();
  } finally {
    clearInterval(heartbeat);
  }
}

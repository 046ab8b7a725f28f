/** A session's event stream, read as it arrives. */
import { createParser } from 'eventsource-parser';
import { until } from './until.ts';

export interface StreamEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: any;
}

export interface OpenStream {
  readonly events: readonly StreamEvent[];
  /** The first, second … event of a type. */
  waitFor(type: string, which?: number): Promise<StreamEvent>;
  /** All events, once the host has ended the stream. */
  ended(): Promise<StreamEvent[]>;
}

export function openStream(url: URL, token: string): OpenStream {
  const events: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      events.push({ id, event, data: JSON.parse(data) });
    },
  });
  const reading = (async () => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' } });
    if (!response.ok || response.body === null)
      throw new Error(`the stream answered ${response.status}: ${await response.text()}`);
    const decoder = new TextDecoder();
    for await (const chunk of response.body) parser.feed(decoder.decode(chunk, { stream: true }));
  })();
  reading.catch(() => {});
  return {
    events,
    async waitFor(type, which = 1) {
      await until(
        () => events.filter(({ data }) => data.type === type).length,
        (count) => count >= which,
      );
      return events.filter(({ data }) => data.type === type)[which - 1]!;
    },
    async ended() {
      await reading;
      return events;
    },
  };
}

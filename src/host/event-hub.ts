import type { HostEvent, StreamItem } from './host.ts';

const KEPT = 2000;
/** A reader that has this many events waiting is dropped: the host never waits for one. */
const MOST_WAITING = 1000;

interface Reader {
  readonly queue: Array<StreamItem<HostEvent>>;
  wake: () => void;
  isDropped: boolean;
}

/** Everything that happens, numbered, for the operator's stream; the last 2,000 stay for readers that come back. */
export class EventHub {
  readonly #kept: Array<StreamItem<HostEvent>> = [];
  readonly #readers = new Set<Reader>();
  #sequence = 0;

  publish(type: string, fields: Record<string, unknown> = {}): void {
    this.#sequence += 1;
    const item = { sequence: this.#sequence, event: { type, time: new Date().toISOString(), ...fields } };
    this.#kept.push(item);
    if (this.#kept.length > KEPT) this.#kept.shift();
    for (const reader of this.#readers) {
      if (reader.queue.length >= MOST_WAITING) reader.isDropped = true;
      else reader.queue.push(item);
      reader.wake();
    }
  }

  async *read(after: number | null, signal: AbortSignal): AsyncGenerator<StreamItem<HostEvent>> {
    const reader: Reader = { queue: [], wake: () => {}, isDropped: false };
    if (after !== null) {
      const first = this.#kept[0]?.sequence ?? this.#sequence + 1;
      if (after < first - 1 || after > this.#sequence) {
        reader.queue.push({ sequence: first - 1, event: { type: 'error', time: new Date().toISOString(), code: 'EVENTS_LOST', message: 'Events between the given id and the next one are no longer kept.' } });
      }
      reader.queue.push(...this.#kept.filter((item) => item.sequence > after));
    }
    this.#readers.add(reader);
    const onAbort = (): void => reader.wake();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      while (!signal.aborted && !reader.isDropped) {
        const next = reader.queue.shift();
        if (next !== undefined) {
          yield next;
          continue;
        }
        await new Promise<void>((resolve) => {
          reader.wake = resolve;
          if (signal.aborted || reader.queue.length > 0) resolve();
        });
      }
    } finally {
      this.#readers.delete(reader);
      signal.removeEventListener('abort', onAbort);
    }
  }
}

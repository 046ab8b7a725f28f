/** The journal of a test program: what the program itself saw, as JSON lines. */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** One line; its fields depend on the event (test/fixtures). */
export type JournalEvent = { readonly t: number; readonly event: string } & Readonly<Record<string, any>>;
export type EventPattern = Readonly<Record<string, unknown>> | ((event: JournalEvent) => boolean);

const matches = (event: JournalEvent, pattern: EventPattern): boolean =>
  typeof pattern === 'function'
    ? pattern(event)
    : Object.entries(pattern).every(([key, value]) => event[key] === value);

function eventOf(line: string, before: string | undefined): JournalEvent {
  try {
    return JSON.parse(line) as JournalEvent;
  } catch (error) {
    throw new Error(`The journal has a line that is no event: ${line}\nbefore it: ${before}`, { cause: error });
  }
}

/** The whole lines of a journal. A line that is still being written has no end yet and is left for the next look. */
export const journalLines = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];

export class Journal {
  readonly file: string;
  #from = 0;

  constructor(file: string) {
    this.file = file;
  }

  /** Every event since the start, or since the last `mark`, in order. */
  events(pattern?: EventPattern): JournalEvent[] {
    const lines = journalLines(this.file);
    const events = lines.slice(this.#from).map((line, index) => eventOf(line, lines[this.#from + index - 1]));
    return pattern === undefined ? events : events.filter((event) => matches(event, pattern));
  }

  /** From here on only later events count. */
  mark(): void {
    this.#from += this.events().length;
  }

  /** Waits for an event. Errors: it did not come in time; lists the events that did. */
  async waitFor(pattern: EventPattern, milliseconds = 30_000): Promise<JournalEvent> {
    for (const until = performance.now() + milliseconds; ;) {
      const [found] = this.events(pattern);
      if (found !== undefined) return found;
      if (performance.now() > until) {
        const seen = this.events()
          .slice(-12)
          .map((event) => JSON.stringify(event))
          .join('\n');
        throw new Error(
          `No journal event ${typeof pattern === 'function' ? String(pattern) : JSON.stringify(pattern)} within ${milliseconds} ms. The last ones:\n${seen}`,
        );
      }
      await sleep(15);
    }
  }
}

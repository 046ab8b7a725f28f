/** Reads a stream by a consumer of the reader's own, which the server forgets after a minute. */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { inboxOf } from './credential.ts';
import { Unanswered, unanswered } from './records.ts';

export interface Stored {
  readonly subject: string;
  readonly text: string;
  readonly data: Uint8Array;
  /** When the server stored it, in ms of the epoch. */
  readonly at: number;
  /** Its place in the stream: what comes after it is read on from there. */
  readonly sequence: number;
}

/** `last`: the last value of each subject. `new`: what comes. A number: what the stream has after that sequence. */
type Start = 'last' | 'new' | number;

const ANSWER_MS = 5000;
const WAIT_MS = 5000;
const AGAIN_MS = 500;
const BATCH = 500;
const FORGET_MS = 60_000;
const nanos = (ms: number): number => ms * 1_000_000;

/** When a consumer was made: the server's time then, and the reader's own. */
export interface ServerTime {
  readonly server: number;
  readonly own: number;
}

interface Consumer {
  readonly nc: NatsConnection;
  readonly stream: string;
  readonly name: string;
}

/** Makes the consumer. `before`: the sequence before the first that it gives. Errors: Unanswered. */
async function consume(nc: NatsConnection, stream: string, filter: string, start: Start) {
  const name = `r_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const from =
    typeof start === 'number'
      ? { deliver_policy: 'by_start_sequence', opt_start_seq: start + 1 }
      : { deliver_policy: start === 'last' ? 'last_per_subject' : 'new' };
  const config = {
    ...from,
    name,
    filter_subject: filter,
    ack_policy: 'none',
    replay_policy: 'instant',
    inactive_threshold: nanos(FORGET_MS),
    mem_storage: true,
    num_replicas: 1,
  };
  const request = JSON.stringify({ stream_name: stream, config, action: 'create' });
  const own = Date.now();
  const reply = await nc
    .request(`$JS.API.CONSUMER.CREATE.${stream}.${name}.${filter}`, request, { timeout: ANSWER_MS })
    .catch(unanswered);
  const made = reply.json<{
    created?: string;
    num_pending?: number;
    delivered?: { stream_seq?: number };
    error?: { description: string };
  }>();
  if (made.created === undefined) throw new Unanswered(`${stream}: ${made.error?.description ?? 'no answer'}`);
  return {
    consumer: { nc, stream, name } satisfies Consumer,
    pending: made.num_pending ?? 0,
    before: typeof start === 'number' ? start : (made.delivered?.stream_seq ?? 0),
    time: { server: Date.parse(made.created), own } satisfies ServerTime,
  };
}

/** What the stream has now: the last value of each subject, or what is after a sequence. Errors: Unanswered. */
export async function readNow(
  nc: NatsConnection,
  stream: string,
  filter: string,
  from: 'last' | number,
): Promise<{ readonly values: readonly Stored[]; readonly time: ServerTime }> {
  const { consumer, pending, time } = await consume(nc, stream, filter, from);
  const values: Stored[] = [];
  for (let had = -1; values.length < pending && values.length > had;) {
    had = values.length;
    for await (const stored of pull(consumer, had, null)) values.push(stored);
  }
  return { values, time };
}

/** What comes, each once and in its order, until the signal: over cuts it is read on from the last one. */
export async function* follow(
  nc: NatsConnection,
  stream: string,
  filter: string,
  { from, signal }: { readonly from: 'new' | number; readonly signal: AbortSignal },
): AsyncGenerator<Stored, void, undefined> {
  let after: 'new' | number = from;
  while (!signal.aborted && !nc.isClosed()) {
    try {
      const { consumer, before } = await consume(nc, stream, filter, after);
      after = before;
      for (let given = 0; !signal.aborted;) {
        for await (const stored of pull(consumer, given, signal)) {
          given += 1;
          after = stored.sequence;
          yield stored;
        }
      }
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/**
 * One batch: what is there, or with a signal what comes within some seconds. `given`: how many the consumer gave before. Errors:
 * Unanswered if the consumer is gone, or a message of it was lost on the way.
 */
async function* pull(
  { nc, stream, name }: Consumer,
  given: number,
  signal: AbortSignal | null,
): AsyncGenerator<Stored, void, undefined> {
  const inbox = inboxOf(nc);
  const answers = nc.subscribe(inbox);
  const end = (): void => answers.unsubscribe();
  let isSilent = false;
  const timer = setTimeout(() => {
    isSilent = true;
    end();
  }, WAIT_MS + ANSWER_MS);
  signal?.addEventListener('abort', end, { once: true });
  const wait = signal === null ? { no_wait: true } : { expires: nanos(WAIT_MS) };
  try {
    nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`, JSON.stringify({ batch: BATCH, ...wait }), {
      reply: inbox,
    });
    let next = given + 1;
    for await (const message of answers) {
      const { code = 0, description = '' } = message.headers ?? {};
      if (code === 404 || code === 408) return;
      if (code >= 400) throw new Unanswered(`${stream}: ${code} ${description}`);
      if (code !== 0) continue;
      const { stored, delivery } = storedOf(message);
      if (delivery !== next) throw new Unanswered(`${stream}: ${next} was lost on the way`);
      next += 1;
      yield stored;
      if (next > given + BATCH) return;
    }
    if (isSilent) throw new Unanswered(`${stream}: no answer`);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    end();
  }
}

/** The reply subject is `$JS.ACK.STREAM.CONSUMER.COUNT.SEQUENCE.DELIVERY.TIME.PENDING`, on newer servers with a domain and an account before the stream. */
function storedOf(message: Msg): { readonly stored: Stored; readonly delivery: number } {
  const words = (message.reply ?? '').split('.');
  const [sequence = 0, delivery = 0, time = 0] = words.slice(words.length === 9 ? 5 : 7).map(Number);
  const stored = {
    subject: message.subject,
    text: message.string(),
    data: message.data,
    at: Math.floor(time / 1e6),
    sequence,
  };
  return { stored, delivery };
}

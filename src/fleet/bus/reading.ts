/** Reads a stream by a consumer of the reader's own, which the server forgets after a minute. */
import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { Unanswered } from './records.ts';

export interface Stored {
  readonly subject: string;
  readonly text: string;
  /** When the server stored it, in ms of the epoch. */
  readonly at: number;
}

export interface Reading {
  /** `last`: the last value of each subject, then what comes. `new`: what comes. */
  readonly from: 'last' | 'new';
  /** Ends at what is there now, or follows until the signal. */
  readonly follow?: AbortSignal;
  readonly inboxPrefix: string;
}

const ANSWER_MS = 5000;
const WAIT_MS = 5000;
const BATCH = 500;
const FORGET_MS = 60_000;
const nanos = (ms: number): number => ms * 1_000_000;

/** When a consumer was made: the server's time then, and the reader's own. */
export interface ServerTime {
  readonly server: number;
  readonly own: number;
}

/** Makes the consumer. Errors: Unanswered. */
async function consumer(nc: NatsConnection, stream: string, filter: string, from: Reading['from']) {
  const name = `r_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const config = {
    name,
    filter_subject: filter,
    deliver_policy: from === 'last' ? 'last_per_subject' : 'new',
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
    .catch((error: unknown) => {
      throw new Unanswered(error instanceof Error ? error.message : String(error), { cause: error });
    });
  const made = reply.json<{ created?: string; num_pending?: number; error?: { description: string } }>();
  if (made.created === undefined) throw new Unanswered(`${stream}: ${made.error?.description ?? 'no answer'}`);
  return { name, pending: made.num_pending ?? 0, time: { server: Date.parse(made.created), own } };
}

/** The last value of each subject, and the server's time. Errors: Unanswered. */
export async function readLast(
  nc: NatsConnection,
  stream: string,
  filter: string,
  inboxPrefix: string,
): Promise<{ readonly values: readonly Stored[]; readonly time: ServerTime }> {
  const { name, pending, time } = await consumer(nc, stream, filter, 'last');
  const values: Stored[] = [];
  while (values.length < pending) {
    const batch = await pull(nc, stream, name, inboxPrefix, undefined);
    if (batch.length === 0) break;
    values.push(...batch);
  }
  return { values, time };
}

/** What comes, until the signal; a connection that is away is waited for, and read on after it by a new consumer. */
export async function* follow(
  nc: NatsConnection,
  stream: string,
  filter: string,
  { from, follow: signal, inboxPrefix }: Reading,
): AsyncGenerator<Stored, void, undefined> {
  let made: string | null = null;
  let start = from;
  for (;;) {
    if (signal?.aborted === true || nc.isClosed()) return;
    try {
      made ??= (await consumer(nc, stream, filter, start)).name;
      yield* await pull(nc, stream, made, inboxPrefix, signal);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      // what came meanwhile: the last of each subject is enough for readers of records
      made = null;
      start = 'last';
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** At most one batch: at once, or within some seconds where a signal is given. Errors: Unanswered if the consumer is gone. */
function pull(
  nc: NatsConnection,
  stream: string,
  name: string,
  inboxPrefix: string,
  signal: AbortSignal | undefined,
): Promise<Stored[]> {
  const isWaiting = signal !== undefined;
  return new Promise((resolve, reject) => {
    const found: Stored[] = [];
    const inbox = createInbox(inboxPrefix);
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      subscription.unsubscribe();
      resolve(found);
    };
    const fail = (why: string): void => {
      done();
      reject(new Unanswered(why));
    };
    const timer = setTimeout(() => fail(`${stream}: no answer`), WAIT_MS + ANSWER_MS);
    const subscription = nc.subscribe(inbox, {
      callback(error, message) {
        const code = error === null ? (message.headers?.code ?? 0) : 500;
        if (code === 404 || code === 408) done();
        else if (code >= 400) fail(`${stream}: ${code} ${message.headers?.description ?? ''}`);
        else if (code === 0) {
          found.push(storedOf(message));
          // a follower gets each as it comes
          if (isWaiting || found.length === BATCH) done();
        }
      },
    });
    signal?.addEventListener('abort', done, { once: true });
    const request = isWaiting ? { batch: 1, expires: nanos(WAIT_MS) } : { batch: BATCH, no_wait: true };
    nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`, JSON.stringify(request), { reply: inbox });
  });
}

/** The reply subject is `$JS.ACK.STREAM.CONSUMER.….TIME.PENDING`, with two more tokens before the stream on newer servers. */
function storedOf(message: Msg): Stored {
  const nanosOfEpoch = Number((message.reply ?? '').split('.').at(-2) ?? 0);
  return { subject: message.subject, text: message.string(), at: Math.floor(nanosOfEpoch / 1e6) };
}

/** Reads a stream by a consumer of the reader's own, which the server forgets after a minute. */
import {
  AckPolicy,
  DeliverPolicy,
  jetstreamManager,
  type Consumer,
  type ConsumerInfo,
  type ConsumerMessages,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { addAbortListener } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** `last`: the last value of each subject. `new`: what comes. A number: what the stream has after that sequence; or since a time. */
type Start = 'last' | 'new' | number | Date;

const ANSWER_MS = 5000;
const SILENCE_MS = 10_000;
const AGAIN_MS = 500;
const FORGET_MS = 60_000;
/** How many values are on the way, and in memory, at once. */
const AT_ONCE = 500;
const nanos = (ms: number): number => ms * 1_000_000;

/** Errors: Unanswered. */
async function consume(
  nc: NatsConnection,
  stream: string,
  filter: string,
  start: Start,
): Promise<{ readonly consumer: Consumer; readonly made: ConsumerInfo }> {
  const manager = await jetstreamManager(nc, { checkAPI: false, timeout: ANSWER_MS });
  const from =
    typeof start === 'number'
      ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: start + 1 }
      : start instanceof Date
        ? { deliver_policy: DeliverPolicy.StartTime, opt_start_time: start.toISOString() }
        : { deliver_policy: start === 'last' ? DeliverPolicy.LastPerSubject : DeliverPolicy.New };
  const config = {
    ...from,
    name: `r_${crypto.randomUUID().slice(0, 18)}`,
    filter_subject: filter,
    ack_policy: AckPolicy.None,
    inactive_threshold: nanos(FORGET_MS),
    mem_storage: true,
    num_replicas: 1,
  };
  const made = await manager.consumers.add(stream, config).catch(unanswered);
  // the library's ordered consumer reads the stream's information first, which no reader may
  return { consumer: manager.jetstream().consumers.getConsumerFromInfo(made), made };
}

/**
 * What the stream has now: the last value of each subject, or what is after a sequence. `aheadMs`: how far the server's clock
 * is ahead of the reader's. `most`: where there are more values, none is read. Errors: Unanswered.
 */
export async function readNow(
  nc: NatsConnection,
  stream: string,
  filter: string,
  from: 'last' | number | Date,
  most = Infinity,
): Promise<{ readonly values: readonly Stored[]; readonly aheadMs: number }> {
  const own = Date.now();
  const { consumer, made } = await consume(nc, stream, filter, from);
  const count = made.num_pending <= most ? made.num_pending : 0;
  const values: Stored[] = [];
  while (values.length < count) {
    const before = values.length;
    const messages = await consumer.fetch({ max_messages: Math.min(count - before, AT_ONCE), expires: SILENCE_MS });
    for await (const stored of inOrder(messages, before)) values.push(stored);
    if (values.length === before) throw new Unanswered(`${stream}: no answer`);
  }
  return { values, aheadMs: Date.parse(made.created) - own };
}

/** What comes, each once and in its order, until the signal: over cuts it is read on from the last one. */
export async function* follow(
  nc: NatsConnection,
  stream: string,
  filter: string,
  { from, signal }: { readonly from: 'new' | number | Date; readonly signal: AbortSignal },
): AsyncGenerator<Stored, void, undefined> {
  let after = from;
  while (!signal.aborted && !nc.isClosed()) {
    try {
      const { consumer, made } = await consume(nc, stream, filter, after);
      if (after === 'new') after = made.delivered.stream_seq;
      const messages = await consumer.consume({ expires: SILENCE_MS, abort_on_missing_resource: true });
      using _ = addAbortListener(signal, () => messages.stop());
      for await (const stored of inOrder(messages)) {
        after = stored.sequence;
        yield stored;
      }
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      await sleep(AGAIN_MS);
    }
  }
}

/** `before`: how many came by earlier requests. Errors: Unanswered if the consumer is gone, or a message of it was lost on the way. */
async function* inOrder(messages: ConsumerMessages, before = 0): AsyncGenerator<Stored, void, undefined> {
  try {
    for await (const message of messages) {
      const { info, seq: sequence, subject, data, time } = message;
      if (info.deliverySequence !== before + messages.getProcessed()) throw new Error('a message was lost on the way');
      yield { subject, text: message.string(), data, at: time.getTime(), sequence };
    }
  } catch (error) {
    unanswered(error);
  } finally {
    messages.stop();
  }
}

/** Records of jobs, other kept values and the queues, over JetStream. */
import { jetstream, JetStreamApiError } from '@nats-io/jetstream';
import { Match, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { messageId, queueOf, recordSubject, STREAM } from './names.ts';

/** No answer within the time, or no connection: the request may have been carried out. */
export class Unanswered extends Error {}

/** The bucket of records. Each throws Unanswered if the server did not answer: then nothing is known. */
export interface Records {
  read(target: string, id: string): Promise<Value | null>;
  /** Writes at this revision (0: there is none; null: whatever is there); `taken` if the record is another. */
  write(target: string, id: string, text: string, expected: number | null): Promise<number | 'taken'>;
}

/** The server's code for a record at another revision. */
const WRONG_LAST_SEQUENCE = 10_071;
const ANSWER_MS = 5000;

/**
 * The code of the server's own message; 0 for one of a stream. A stored message can have such a status line too: only its
 * reply subject, where it would be acknowledged, is the server's.
 */
export const statusOf = ({ reply, headers }: Msg): number =>
  reply?.startsWith('$JS.ACK.') === true ? 0 : (headers?.code ?? 0);

/** A kept value. `at`: when the server stored it, in ms of the epoch. */
export interface Value {
  readonly revision: number;
  readonly text: string;
  readonly at: number;
}

/** The last value of a subject. Errors: Unanswered. */
export async function readValue(nc: NatsConnection, stream: string, subject: string): Promise<Value | null> {
  const place = `$JS.API.DIRECT.GET.${stream}.${subject}`;
  const reply = await nc.request(place, '', { timeout: ANSWER_MS }).catch(unanswered);
  // the server adds its own after those of the message, which can claim to be any, as its status line can
  const own = (header: string): string => reply.headers?.values(header, Match.IgnoreCase).at(-1) ?? '';
  const revision = Number(own('Nats-Sequence'));
  if (revision > 0) return { revision, text: reply.string(), at: Date.parse(own('Nats-Time-Stamp')) };
  if (reply.headers?.code === 404) return null;
  throw new Unanswered(`${place}: ${reply.headers?.code} ${reply.headers?.description}`);
}

/** Writes where the subject is at this revision; null: at any. Errors: Unanswered. */
export async function writeValue(
  nc: NatsConnection,
  subject: string,
  text: string,
  expected: number | null,
): Promise<number | 'taken'> {
  try {
    const expect = expected === null ? {} : { lastSubjectSequence: expected };
    return (await jetstream(nc, { timeout: ANSWER_MS }).publish(subject, text, { expect })).seq;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return 'taken';
    return unanswered(error);
  }
}

export const createRecords = (nc: NatsConnection): Records => ({
  read: (target, id) => readValue(nc, STREAM.records, recordSubject(target, id)),
  write: (target, id, text, expected) => writeValue(nc, recordSubject(target, id), text, expected),
});

/** The queue of this target has as many jobs as it may have; nothing was stored. */
export class QueueFull extends Error {}

/** The server's code for a limit of messages, of a subject or the stream. */
const FULL = 10_077;

/**
 * Puts a job's text into the queue of its target. `isAgain`: the server has this message already. Errors: Unanswered,
 * QueueFull.
 */
export async function submit(
  nc: NatsConnection,
  target: string,
  id: string,
  text: string,
): Promise<{ readonly isAgain: boolean }> {
  const js = jetstream(nc, { timeout: ANSWER_MS });
  const { duplicate } = await js
    .publish(queueOf(target).subject, text, { msgID: messageId(target, id) })
    .catch((error: unknown) => {
      if (error instanceof JetStreamApiError && error.code === FULL) throw new QueueFull(error.message);
      return unanswered(error);
    });
  return { isAgain: duplicate };
}

export function unanswered(error: unknown): never {
  throw new Unanswered(error instanceof Error ? error.message : String(error), { cause: error });
}

/** For `catch`: this where the server did not answer. */
export const whereUnanswered =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof Unanswered) return instead;
    throw error;
  };

/** Records of jobs and the queues, over JetStream. */
import { jetstream, JetStreamApiError } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { messageId, queueOf, recordSubject, STREAM } from './names.ts';

/** No answer within the time, or no connection: the request may have been carried out. */
export class Unanswered extends Error {}

/** The bucket of records. Each throws Unanswered if the server did not answer: then nothing is known. */
export interface Records {
  read(target: string, id: string): Promise<{ readonly revision: number; readonly text: string } | null>;
  /** Writes at this revision (0: there is none); `taken` if the record is another. */
  write(target: string, id: string, text: string, expected: number): Promise<number | 'taken'>;
}

/** The server's code for a record at another revision. */
const WRONG_LAST_SEQUENCE = 10_071;
const ANSWER_MS = 5000;

export function createRecords(nc: NatsConnection, answerMs = ANSWER_MS): Records {
  const js = jetstream(nc, { timeout: answerMs });
  return {
    async read(target, id) {
      const subject = `$JS.API.DIRECT.GET.${STREAM.records}.${recordSubject(target, id)}`;
      const reply = await nc.request(subject, '', { timeout: answerMs }).catch(unanswered);
      if (reply.headers?.code === 404) return null;
      const revision = Number(reply.headers?.get('Nats-Sequence') ?? 0);
      if (revision === 0) throw new Unanswered(`${subject}: ${reply.headers?.code} ${reply.headers?.description}`);
      return { revision, text: reply.string() };
    },
    async write(target, id, text, expected) {
      try {
        const expect = { lastSubjectSequence: expected };
        return (await js.publish(recordSubject(target, id), text, { expect })).seq;
      } catch (error) {
        if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return 'taken';
        return unanswered(error);
      }
    },
  };
}

/** Puts a job's text into the queue of its target. `isAgain`: the server has this message already. Errors: Unanswered. */
export async function submit(
  nc: NatsConnection,
  target: string,
  id: string,
  text: string,
): Promise<{ readonly isAgain: boolean }> {
  const js = jetstream(nc, { timeout: ANSWER_MS });
  const { duplicate } = await js
    .publish(queueOf(target).subject, text, { msgID: messageId(target, id) })
    .catch(unanswered);
  return { isAgain: duplicate };
}

function unanswered(error: unknown): never {
  throw new Unanswered(error instanceof Error ? error.message : String(error), { cause: error });
}

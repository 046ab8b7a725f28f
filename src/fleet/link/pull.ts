/**
 * Pulls one job at a time, and only when it can start: what waits already first, the seat's own queue before its pools.
 * A job that arrives while another runs goes back at once: it waits in its queue, never on a machine. The library's own
 * `fetch` keeps what arrives late until its time of acknowledgement is over.
 */
import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { inboxesOf } from '../bus/credential.ts';
import { queueOf } from '../bus/names.ts';
import { statusOf, Unanswered } from '../bus/records.ts';
import { claimedId } from '../bus/signed.ts';
import type { Message } from './carry-out.ts';

export interface Pulled extends Message {
  readonly target: string;
  readonly id: string;
}

const WAIT_MS = 30_000;
const BEAT_MS = 5000;
/** Two beats and a little: the request is lost. */
const SILENCE_MS = 12_000;
const ANSWER_MS = 5000;
const LOOK_MS = 1000;
const nanos = (ms: number): number => ms * 1_000_000;

/** One queue: what is there now, and what comes. */
function openQueue(nc: NatsConnection, seat: string, target: string, onMessage: (message: Msg) => void) {
  const next = `$JS.API.CONSUMER.MSG.NEXT.${queueOf(target).stream}.${target}`;
  const inbox = createInbox(inboxesOf(seat));
  let until = 0;
  let seen = 0;
  const subscription = nc.subscribe(inbox, {
    callback(error, message) {
      seen = Date.now();
      const code = error === null ? statusOf(message) : 500;
      if (code === 100) return;
      until = 0;
      if (code === 0) onMessage(message);
    },
  });
  return {
    target,
    isWaiting: () => Date.now() < until && Date.now() - seen < SILENCE_MS,
    wait() {
      seen = Date.now();
      until = seen + WAIT_MS;
      const request = { batch: 1, expires: nanos(WAIT_MS), idle_heartbeat: nanos(BEAT_MS) };
      nc.publish(next, JSON.stringify(request), { reply: inbox });
    },
    async atOnce(): Promise<Msg | null> {
      const asked = nc.request(next, '{"batch":1,"no_wait":true}', { timeout: ANSWER_MS, noMux: true });
      // The library never settles such a request whose connection is closed meanwhile.
      const reply = await Promise.race([asked, nc.closed().then(() => null)]);
      return reply === null || statusOf(reply) !== 0 ? null : reply;
    },
    close: () => subscription.unsubscribe(),
  };
}
type Queue = ReturnType<typeof openQueue>;

export interface PullOptions {
  readonly signal: AbortSignal;
  /** Nothing is taken of a queue while it is not. */
  isReady(target: string): boolean;
}

/**
 * Runs until the signal: `take` gets one job after another. A connection that is away is waited for.
 *
 * @param targets the seat, then its pools
 */
export async function pullJobs(
  nc: NatsConnection,
  targets: readonly [seat: string, ...pools: string[]],
  take: (job: Pulled) => Promise<void>,
  { signal, isReady }: PullOptions,
): Promise<void> {
  let arrived: Pulled | null = null;
  /** No job runs, and no queue is asked what it has now. */
  let isFree = false;
  let wake = (): void => {};
  signal.addEventListener('abort', () => wake(), { once: true });
  const receive = (target: string) => (message: Msg) => {
    if (isFree && arrived === null && !signal.aborted && isReady(target)) {
      arrived = pulled(nc, target, message);
      wake();
    } else message.respond('-NAK');
  };
  const queues = targets.map((target) => openQueue(nc, targets[0], target, receive(target)));
  try {
    while (!signal.aborted) {
      const ready = queues.filter(({ target }) => isReady(target));
      const job = arrived ?? (await waiting(nc, ready));
      arrived = null;
      if (job !== null) {
        await take(job);
        continue;
      }
      for (const queue of ready) if (!queue.isWaiting()) queue.wait();
      isFree = true;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      isFree = false;
      if (nc.isClosed()) return;
    }
  } finally {
    for (const queue of queues) queue.close();
  }
}

/** The first job of these queues that waits already; null if there is none or the server does not answer. */
async function waiting(nc: NatsConnection, queues: readonly Queue[]): Promise<Pulled | null> {
  for (const queue of queues) {
    if (queue.isWaiting()) continue;
    const message = await queue.atOnce().catch(() => null);
    if (message !== null) return pulled(nc, queue.target, message);
  }
  return null;
}

function pulled(nc: NatsConnection, target: string, message: Msg): Pulled {
  const text = message.string();
  return {
    target,
    id: claimedId(text),
    text,
    async acknowledge() {
      await nc.request(message.reply ?? '', '+ACK', { timeout: ANSWER_MS }).catch((error: unknown) => {
        throw new Unanswered('The server did not confirm an acknowledgement.', { cause: error });
      });
    },
  };
}

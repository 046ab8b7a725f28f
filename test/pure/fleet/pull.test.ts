/** Which job a link takes next: none is left on the machine while another queue is asked. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { expect, it } from 'vitest';
import { pullJobs } from '../../../src/fleet/link/pull.ts';
import { until } from '../../support/until.ts';

const EMPTY = { headers: { code: 404 } } as Msg;

/** A server with the queues of a seat and its pool; the test answers its requests. */
class Bus {
  /** What receives the messages of a queue, once the link waits at it. */
  readonly waiting = new Map<string, (error: null, message: Msg) => void>();
  /** Requests for what is there now. */
  readonly asked: { readonly target: string; answer(message: Msg): void }[] = [];
  readonly answers: string[] = [];
  readonly #inboxes = new Map<string, (error: null, message: Msg) => void>();

  readonly nc = {
    closed: () => new Promise(() => {}),
    isClosed: () => false,
    subscribe: (inbox: string, { callback }: { callback: (error: null, message: Msg) => void }) => {
      this.#inboxes.set(inbox, callback);
      return { unsubscribe: () => {} };
    },
    publish: (subject: string, _: string, { reply }: { reply: string }) => {
      const receive = this.#inboxes.get(reply);
      if (receive !== undefined) this.waiting.set(subject.split('.').at(-1) ?? '', receive);
    },
    request: (subject: string) =>
      new Promise<Msg>((answer) => this.asked.push({ target: subject.split('.').at(-1) ?? '', answer })),
  } as unknown as NatsConnection;

  message(id: string): Msg {
    return {
      string: () => JSON.stringify({ body: { id } }),
      respond: (text: string) => this.answers.push(`${id} ${text}`) > 0,
    } as Msg;
  }
}

it('returns or takes what arrives from a pool while its own queue is asked', async () => {
  const bus = new Bus();
  const stop = new AbortController();
  const taken: string[] = [];
  const pulling = pullJobs(bus.nc, ['h_a', 'p_all'], (job) => Promise.resolve(void taken.push(job.id)), {
    signal: stop.signal,
    isReady: () => true,
  });
  const answer = async (target: string, message: Msg): Promise<void> => {
    const asked = await until(() => bus.asked.shift(), `a request of ${target}`);
    expect(asked.target).toBe(target);
    asked.answer(message);
  };
  await answer('h_a', EMPTY);
  await answer('p_all', EMPTY);
  await until(() => bus.waiting.size === 2, 'a link that waits');
  bus.waiting.get('h_a')?.(null, bus.message('own'));
  await until(() => bus.asked.length === 1, 'the next request');
  bus.waiting.get('p_all')?.(null, bus.message('pool'));
  await answer('h_a', EMPTY);
  await sleep(50);
  expect(taken[0]).toBe('own');
  expect([...taken.slice(1), ...bus.answers]).toEqual([expect.stringContaining('pool')]);
  stop.abort();
  for (const asked of bus.asked) asked.answer(EMPTY);
  await pulling;
});

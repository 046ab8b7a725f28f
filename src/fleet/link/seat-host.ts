/** The seat's host, reached as any client reaches it: the same gate, cards, limits and audit. */
import { ConnectionError, ProblemError, TimeoutError } from '../../client/errors.ts';
import type { UiaHostClient } from '../../client/client.ts';
import type { SeatHost } from './carry-out.ts';

/** A step whose time is over is asked for once more: the host has its answer by then. */
const LEAST_MS = 10_000;

/** @param tokenId of the client's token, under which the host keeps keys. */
export function createSeatHost(client: UiaHostClient, tokenId: string, now: () => number = Date.now): SeatHost {
  return {
    async keeper() {
      try {
        const { storeId } = await client.json<{ storeId: string }>('GET', '/v1/status', { timeoutMs: LEAST_MS });
        return `${storeId} ${tokenId}`;
      } catch (error) {
        if (isBroken(error)) return null;
        throw error;
      }
    },
    async run(job, step, idempotencyKey, until) {
      const { action = '', input } = job.steps[step] ?? {};
      const session = job.session === undefined ? `job_${job.id}` : `s_${job.session}`;
      try {
        // the host cancels an action whose connection closes
        const timeoutMs = Math.max(LEAST_MS, until - now());
        return { status: 'succeeded', value: await client.run(action, input, { session, idempotencyKey, timeoutMs }) };
      } catch (error) {
        if (error instanceof ProblemError)
          return { status: 'failed', code: error.code, delivery: deliveryOf(error.delivery) };
        if (isBroken(error)) return { status: 'unreachable' };
        throw error;
      }
    },
  };
}

const isBroken = (error: unknown): boolean => error instanceof ConnectionError || error instanceof TimeoutError;

const deliveryOf = (delivery: string): 'delivered' | 'not_delivered' | 'unknown' =>
  delivery === 'delivered' || delivery === 'not_delivered' ? delivery : 'unknown';

/** A stand-in for a seat's host: it answers each key once, and writes each effect into a journal. */
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeatOptions } from '../../src/fleet/link/seat.ts';

/** An action takes `ms` of its input, and answers `value`. */
export function standInHost(seat: string, journal: string, value: unknown = true): NonNullable<SeatOptions['hosts']> {
  const kept = new Map<string, Promise<{ status: 'succeeded'; value: unknown }>>();
  const act = async (effect: string, ms: number) => {
    await sleep(ms);
    appendFileSync(journal, `${effect} ${seat}\n`);
    return { status: 'succeeded', value } as const;
  };
  return {
    state: () =>
      Promise.resolve({
        version: 'stand-in',
        level: 'full',
        isStopped: false,
        finding: null,
        isBlocked: false,
        isAlone: false,
      }),
    keeper: () => Promise.resolve('stand-in'),
    run(job, step, key) {
      const ms = Number(job.steps[step]?.input['ms'] ?? 0);
      const answer = kept.get(key) ?? act(`${job.target}.${job.id}.${step}`, ms);
      kept.set(key, answer);
      return answer;
    },
  };
}

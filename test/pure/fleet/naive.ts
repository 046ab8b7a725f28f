/** Orders of steps that look right and are not: the checker must find them out. */
import { randomUUID } from 'node:crypto';
import { bodyHashOf, jobOf, recordOf, type Outcome } from '../../../src/fleet/bus/job.ts';
import { open, seal } from '../../../src/fleet/bus/signed.ts';
import { Unanswered } from '../../../src/fleet/bus/records.ts';
import type { LinkParts, Message } from '../../../src/fleet/link/carry-out.ts';
import type { Row } from '../../../src/fleet/link/protocol.ts';

const HOW = { by: 'orch', until: Number.MAX_SAFE_INTEGER, shouldStop: () => false };

export type Order = 'acknowledge at the end' | 'stable keys' | 'ledger without a claim';

export class NaiveLink {
  readonly #parts: LinkParts;
  readonly #order: Order;

  constructor(parts: LinkParts, order: Order) {
    this.#parts = parts;
    this.#order = order;
  }

  async recover(): Promise<void> {
    for (const row of this.#parts.ledger.open()) await this.#run(row, null);
  }

  async take(message: Message, id: string, target: string): Promise<'done'> {
    const { ledger, trust, now } = this.#parts;
    const known = ledger.find(target, id);
    if (known !== null && known.state === 'reported') {
      await again(() => message.acknowledge());
      return 'done';
    }
    const opened = open(message.text, { kind: 'job', target, id }, trust, now());
    const job = 'refused' in opened ? null : jobOf({ ...opened.body, target, id });
    if (job === null) throw new Error('not a job');
    const row: Row = known ?? {
      target,
      id,
      state: 'started',
      by: { name: 'orch', card: 'c' },
      nonce: randomUUID(),
      bodyHash: bodyHashOf(job),
      job,
      revision: null,
      attempts: 0,
      startedAt: now(),
      steps: [],
      outcome: null,
    };
    if (this.#order === 'ledger without a claim') ledger.put(row, now());
    await this.#run(row, message);
    return 'done';
  }

  async #run(row: Row, message: Message | null): Promise<void> {
    const { ledger, now } = this.#parts;
    const hasLedger = this.#order === 'ledger without a claim';
    if (hasLedger && message !== null) await again(() => message.acknowledge());
    const outcome = await this.#steps(row);
    await again(() => this.#write(row, outcome));
    if (hasLedger) ledger.put({ ...row, state: 'reported' }, now());
    else if (message !== null) await again(() => message.acknowledge());
  }

  async #steps(row: Row): Promise<Outcome> {
    const values: unknown[] = [];
    for (const step of (row.job?.steps ?? []).keys()) {
      const key = this.#order === 'acknowledge at the end' ? randomUUID() : `fleet:${row.id}:${step}`;
      let answer = await this.#parts.host.run(row.job ?? fail(), step, key, HOW);
      while (answer.status === 'unreachable') {
        await this.#parts.pause();
        answer = await this.#parts.host.run(row.job ?? fail(), step, key, HOW);
      }
      if (answer.status === 'failed') {
        const status = answer.delivery === 'unknown' ? 'unknown' : 'failed';
        return { status, delivery: answer.delivery, code: answer.code, step, values };
      }
      values.push(answer.value);
    }
    return { status: 'succeeded', delivery: 'delivered', values };
  }

  /** The last writer wins. */
  async #write(row: Row, outcome: Outcome): Promise<void> {
    const { records, ledger, seat, signer, trust, now } = this.#parts;
    const { target, id, nonce, bodyHash } = row;
    const about = { kind: 'record', target, id } as const;
    const record = { state: 'ended', nonce, seat, ledger: ledger.id, bodyHash, at: now(), outcome } as const;
    const kept = await records.read(target, id);
    if (kept !== null && recordOf(kept, about, trust)?.record.nonce === nonce) return;
    await records.write(target, id, seal(about, record, signer), kept?.revision ?? 0);
  }
}

const fail = (): never => {
  throw new Error('a job without a body');
};

async function again(what: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await what();
      return;
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
    }
  }
}

/**
 * A model of the bus and of machines: queues that deliver again, records at revisions, hosts that keep keys. Links run
 * on it in turns that a list of choices decides, which may also kill a link or a host at any call and lose any answer.
 */
import { Unanswered, type Records, type Value } from '../../../src/fleet/bus/records.ts';
import type { LinkParts, Message, SeatHost } from '../../../src/fleet/link/carry-out.ts';
import type { StepAnswer } from '../../../src/fleet/link/protocol.ts';
import type { Outcome } from '../../../src/fleet/bus/job.ts';
import { wordsOf } from '../../support/words.ts';

export class Killed extends Error {}

type Fault = 'none' | 'kill-before' | 'kill-after' | 'lose-answer' | 'lose-request' | 'kill-host';

/** Decides what happens at each call; the last choices are all 0: no fault. */
export type Choose = (options: number) => number;

export function choosing(choices: readonly number[]): Choose {
  let at = 0;
  return (options) => (choices[at++] ?? 0) % options;
}

interface Stored {
  text: string;
  id: string;
  target: string;
  isTaken: boolean;
}

/** What a host has under a key. */
type Kept = { stage: 'queued' | 'delivering' } | { answer: StepAnswer };

export class ModelHost implements SeatHost {
  readonly keys = new Map<string, Kept>();
  /** Counts each text that it typed: the program's own journal. */
  readonly journal: string[];
  #store = 1;
  isBound = false;
  /** Calls that wait for the host to die under them. */
  #epoch = 0;

  constructor(journal: string[]) {
    this.journal = journal;
  }

  keeper(): Promise<string | null> {
    return Promise.resolve(`store-${this.#store} fleet-orch`);
  }

  /** The disk of its user is another: keys are gone. */
  reset(): void {
    this.#store += 1;
    this.keys.clear();
    this.kill();
  }

  /** SIGKILL, and a new one with the same store. */
  kill(): void {
    this.#epoch += 1;
    this.isBound = false;
    for (const [key, kept] of this.keys)
      if ('stage' in kept)
        this.keys.set(key, {
          answer:
            kept.stage === 'queued'
              ? { status: 'failed', code: 'cancelled', delivery: 'not_delivered' }
              : { status: 'failed', code: 'worker_restarted', delivery: 'unknown' },
        });
  }

  async run(job: { id: string; steps: readonly { action: string }[] }, step: number, key: string): Promise<StepAnswer> {
    const kept = this.keys.get(key);
    if (kept !== undefined) return 'answer' in kept ? kept.answer : { status: 'unreachable' };
    const epoch = this.#epoch;
    const died = (): boolean => this.#epoch !== epoch;
    this.keys.set(key, { stage: 'queued' });
    await Promise.resolve();
    if (died()) return { status: 'unreachable' };
    const isBind = job.steps[step]?.action === 'bind-to-window';
    if (!isBind && job.steps.some(({ action }) => action === 'bind-to-window') && !this.isBound)
      return this.#answer(key, { status: 'failed', code: 'not_bound', delivery: 'not_delivered' });
    this.keys.set(key, { stage: 'delivering' });
    await Promise.resolve();
    if (died()) return { status: 'unreachable' };
    if (isBind) this.isBound = true;
    else this.journal.push(`${job.id}.${step}`);
    await Promise.resolve();
    if (died()) return { status: 'unreachable' };
    return this.#answer(key, { status: 'succeeded', value: step });
  }

  #answer(key: string, answer: StepAnswer): StepAnswer {
    this.keys.set(key, { answer });
    return answer;
  }
}

/** The server: everything in it survives. */
export class ModelBus {
  readonly queue: Stored[] = [];
  readonly records = new Map<string, { revision: number; text: string }>();
  #revision = 0;

  read(target: string, id: string): Value | null {
    const kept = this.records.get(`${target}.${id}`);
    return kept === undefined ? null : { ...kept, at: 0 };
  }

  write(target: string, id: string, text: string, expected: number | null): number | 'taken' {
    const kept = this.read(target, id);
    if (expected !== null && (kept?.revision ?? 0) !== expected) return 'taken';
    this.#revision += 1;
    this.records.set(`${target}.${id}`, { revision: this.#revision, text });
    return this.#revision;
  }
}

/** What a process of a link may be hit by. */
export interface Hits {
  readonly choose: Choose;
  /** How many faults are left; without any the run comes to its end. */
  faults: number;
  /** Counts the calls of links, for kills at every line. */
  calls: number;
  /** Kills at this call alone, before it is made or after. */
  readonly killAt?: { readonly call: number; readonly when: 'before' | 'after' };
}

const FAULTS: readonly Fault[] = wordsOf`
  none none none kill-before kill-after lose-answer lose-request kill-host
`;

function faultOf(hits: Hits): Fault {
  hits.calls += 1;
  if (hits.killAt !== undefined)
    return hits.calls === hits.killAt.call ? (`kill-${hits.killAt.when}` as const) : 'none';
  if (hits.faults <= 0) return 'none';
  const fault = FAULTS[hits.choose(FAULTS.length)] ?? 'none';
  if (fault !== 'none') hits.faults -= 1;
  return fault;
}

/** Wraps the doors of one process of a link: each call may be its last. */
export class Process {
  #isDead = false;
  readonly #hits: Hits;
  readonly #host: ModelHost;
  readonly #turn: () => Promise<void>;

  constructor(hits: Hits, host: ModelHost, turn: () => Promise<void> = () => Promise.resolve()) {
    this.#hits = hits;
    this.#host = host;
    this.#turn = turn;
  }

  kill(): void {
    this.#isDead = true;
  }

  #stillAlive(): void {
    if (this.#isDead) throw new Killed();
  }

  async call<T>(what: () => T | Promise<T>, canBeLost: boolean): Promise<T> {
    await this.#turn();
    this.#stillAlive();
    const fault = faultOf(this.#hits);
    if (fault === 'kill-before') this.kill();
    this.#stillAlive();
    if (fault === 'lose-request' && canBeLost) throw new Unanswered();
    const doing = what();
    if (fault === 'kill-host') for (let at = this.#hits.choose(4); at >= 0; at -= 1) await Promise.resolve();
    if (fault === 'kill-host') this.#host.kill();
    const done = await doing;
    if (fault === 'kill-after') this.kill();
    this.#stillAlive();
    if (fault === 'lose-answer' && canBeLost) throw new Unanswered();
    return done;
  }

  /** The same for what is not asked of anybody else: the ledger. */
  now<T>(what: () => T): T {
    this.#stillAlive();
    const fault = faultOf(this.#hits);
    if (fault === 'kill-before') this.kill();
    this.#stillAlive();
    const done = what();
    if (fault === 'kill-after') this.kill();
    this.#stillAlive();
    return done;
  }

  doors(parts: Omit<LinkParts, 'records' | 'host' | 'pause'>, bus: ModelBus): LinkParts {
    const { ledger } = parts;
    const records: Records = {
      read: (target, id) => this.call(() => bus.read(target, id), true),
      write: (target, id, text, expected) => this.call(() => bus.write(target, id, text, expected), true),
    };
    const host: SeatHost = {
      keeper: () => this.call(() => this.#host.keeper(), false),
      run: (job, step, key, _how) => this.call(() => this.#host.run(job, step, key), false),
    };
    return {
      ...parts,
      records,
      host,
      pause: async () => {
        await this.#turn();
        this.#stillAlive();
      },
      ledger: { ...ledger, id: ledger.id, put: (row, now) => this.now(() => ledger.put(row, now)) },
    };
  }

  message(bus: ModelBus, stored: Stored): Message {
    return {
      text: stored.text,
      acknowledge: () =>
        this.call(() => {
          const at = bus.queue.indexOf(stored);
          if (at >= 0) bus.queue.splice(at, 1);
        }, true),
    };
  }
}

/** What is false in an outcome, by the journal: each text typed once, and nothing said that was not. Empty if it is true. */
export function falsehoods(
  id: string,
  texts: readonly number[],
  outcome: Outcome | null,
  journal: readonly string[],
): string[] {
  const wrong: string[] = [];
  if (outcome === null) wrong.push(`${id} has no outcome`);
  for (const step of texts) {
    const effects = journal.filter((line) => line === `${id}.${step}`).length;
    if (effects > 1) wrong.push(`${id}.${step} was typed ${effects} times`);
    if (outcome === null) continue;
    const end = outcome.status === 'succeeded' ? Number.POSITIVE_INFINITY : (outcome.step ?? 0);
    const should = step < end ? 1 : step > end || outcome.delivery === 'not_delivered' ? 0 : null;
    if (should !== null && effects !== should)
      wrong.push(
        `${id}.${step} was typed ${effects} times, but it says ${outcome.status} at ${outcome.step ?? 'its end'}`,
      );
  }
  return wrong;
}

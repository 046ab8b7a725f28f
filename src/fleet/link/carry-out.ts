/** Takes jobs and carries them out: does what `protocol.ts` says, and keeps the ledger ahead of it. */
import { randomBytes } from 'node:crypto';
import { hashOf } from '../bus/artifacts.ts';
import { bodyHashOf, jobOf, MAX_JOB_BYTES, recordOf, type Job, type JobRecord, type JobRef } from '../bus/job.ts';
import { whereUnanswered, type Records } from '../bus/records.ts';
import { open, seal, type Signer, type Trust } from '../bus/signed.ts';
import type { Ledger } from './ledger.ts';
import type { LinkCounts } from './metrics.ts';
import {
  begin,
  learn,
  next,
  type Answer,
  type Effect,
  type Read,
  type Row,
  type Situation,
  type StepAnswer,
} from './protocol.ts';

/** A message of a queue. */
export interface Message {
  readonly text: string;
  /** Resolves when the server confirmed it; a confirmation may be lost. */
  acknowledge(): Promise<void>;
}

/** The seat's host, through its API. */
export interface SeatHost {
  /** Who keeps idempotency keys: the host's store with the token's id. Null if no host answers. */
  keeper(by: string): Promise<string | null>;
  run(job: Job, step: number, key: string, how: StepRun): Promise<StepAnswer>;
}

export interface StepRun {
  /** Name of the orchestrator, which has a token of its own. */
  readonly by: string;
  /** When the job's time is over. */
  readonly until: number;
  /** A step that waits for a person is cancelled then. */
  shouldStop(): boolean;
  /** A person is asked by this card, or has decided it (null). */
  onCard?(approvalId: string | null): void;
}

/** A card that a step waits for: it is withdrawn at `until`, when the job's time is over. */
interface Card {
  readonly approvalId: string;
  readonly until: number;
}

export interface LinkParts {
  readonly seat: string;
  readonly signer: Signer;
  readonly trust: Trust;
  readonly ledger: Ledger;
  readonly counts: LinkCounts;
  readonly records: Records;
  readonly host: SeatHost;
  now(): number;
  /** Keeps a picture or a long answer for readers of the record. Errors: Unanswered. */
  keep(bytes: Uint8Array): Promise<void>;
  /** Between tries of requests without an answer. Throws when the process ends. */
  pause(): Promise<void>;
  /** A step was begun, waits for a person or has its answer; for watching. */
  onStep?(job: Job, step: number, what: 'begun' | 'waiting' | 'decided' | StepAnswer['status'], card?: Card): void;
}

/** A job that is under way in this process. */
interface Running extends JobRef {
  readonly card: string;
  /** Why no further step is sent. */
  stop: string | null;
}

/**
 * A job's latest start is within a day of its submission. Days after, the ledger and the bus have forgotten it: a client that
 * repeats it then must be too late, although a clock of the future signed it.
 */
const FAR_MS = 2 * 86_400_000;

/** How often a picture is given to a server that does not answer. */
const KEEPS = 3;

export class Link {
  readonly #parts: LinkParts;
  /** The job that is under way in this process; a seat has one at a time. */
  #running: Running | null = null;

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  get job(): JobRef | null {
    return this.#running;
  }

  /** Reads the record of this job, if it is under way: an orchestrator may wish its end while a step waits for a person. */
  async look(target: string, id: string): Promise<void> {
    const running = this.#running;
    const row = this.#parts.ledger.find(target, id);
    if (running?.target !== target || running.id !== id || row?.state !== 'started') return;
    const read = await this.#read(row);
    if (read === null || read === 'unsure' || read.record?.nonce !== row.nonce) return;
    if (read.record.cancel === true || read.record.abandoned === true) running.stop = 'cancelled';
  }

  /** Ends everything that a killed link left open, before anything new is taken. */
  async recover(): Promise<void> {
    for (const row of this.#parts.ledger.open())
      if (this.#isOurs(row)) await this.#carryOut(begin(await this.#atLeast(row), false), null);
  }

  /**
   * For a server that may have lost its store: claims again what this machine has begun, and tells again what it reported,
   * back to a record that is there. The oldest first: a kill leaves the rest to the next connection.
   */
  async claimAgain(): Promise<void> {
    const { ledger } = this.#parts;
    for (const row of ledger.open().filter(this.#isOurs))
      while (row.state !== 'accepted' && (await this.#surely(row)) === null)
        await this.#write(row, { state: 'running' }, 0);
    const told = ledger.told().filter(this.#isOurs);
    let lost = 0;
    for (const row of told) {
      if ((await this.#surely(row))?.revision === row.revision) break;
      lost += 1;
    }
    for (const row of told.slice(0, lost).reverse()) await this.#drive(begin(row, false), null);
  }

  #isOurs = ({ issuer }: Row): boolean => issuer === undefined || issuer === this.#parts.trust.issuer;

  /** The row, ended where its own report is on the bus: a ledger that was put back to an earlier time does nothing twice. */
  async #atLeast(row: Row): Promise<Row> {
    if (row.state !== 'started') return row;
    const { nonce, state, abandoned } = (await this.#surely(row))?.record ?? {};
    return nonce === row.nonce && state === 'ended' && abandoned === undefined ? { ...row, state } : row;
  }

  async #surely(row: Row): Promise<Read | null> {
    for (;;) {
      const read = await this.#read(row);
      if (read !== 'unsure') return read;
      await this.#parts.pause();
    }
  }

  /**
   * One message of the queue of `target`, to its outcome. `refused`: it is not trusted, and is acknowledged without a
   * record; its submitter sees that it expired.
   */
  async take(message: Message, id: string, target: string): Promise<'done' | { readonly refused: string }> {
    const { ledger, now } = this.#parts;
    const known = ledger.find(target, id);
    if (known !== null && this.#isOurs(known)) {
      this.#parts.counts.redelivered += 1;
      await this.#carryOut(begin(known, true), message);
      return 'done';
    }
    const job = this.#jobIn(message.text, id, target);
    if ('refused' in job) {
      await acknowledged(message);
      return job;
    }
    const row: Row = {
      target,
      id,
      issuer: this.#parts.trust.issuer,
      by: job.by,
      state: 'accepted',
      nonce: randomBytes(12).toString('base64url'),
      bodyHash: bodyHashOf(job.job),
      job: job.job,
      revision: null,
      attempts: 0,
      startedAt: null,
      steps: [],
      outcome: null,
    };
    ledger.put(row, now());
    await this.#carryOut(begin(row, true), message);
    return 'done';
  }

  #jobIn(text: string, id: string, target: string): { job: Job; by: Row['by'] } | { readonly refused: string } {
    if (Buffer.byteLength(text) > MAX_JOB_BYTES) return { refused: 'the job is too large' };
    const opened = open(text, { kind: 'job', target, id }, this.#parts.trust, this.#parts.now());
    if ('refused' in opened) return opened;
    const job = jobOf({ ...opened.body, target, id });
    if (job === null) return { refused: 'it is not a job' };
    if (Math.abs(job.notAfter - this.#parts.now()) > FAR_MS) return { refused: 'its time is days away' };
    return { job, by: { name: opened.by.name, card: opened.by.id } };
  }

  async #carryOut(from: Situation, message: Message | null): Promise<void> {
    const { target, id, by } = from.row;
    this.#running = { target, id, card: by.card, stop: null };
    try {
      await this.#drive(from, message);
    } finally {
      this.#running = null;
    }
  }

  async #drive(from: Situation, message: Message | null): Promise<void> {
    const { ledger, now, pause } = this.#parts;
    for (let at = from; ;) {
      if (at.shouldPause) await pause();
      at = { ...at, stop: this.#stop() };
      const effect = next(at, now());
      if (effect.do === 'rest') return;
      const answer = await this.#perform(effect, at.row, message);
      const after = learn({ ...at, stop: this.#stop() }, answer, now());
      if (after.row !== at.row) ledger.put(after.row, now());
      this.#count(at.row, after.row);
      at = after;
    }
  }

  #count({ state }: Row, after: Row): void {
    const { counts } = this.#parts;
    if (after.state === state || state === 'reported') return;
    if (after.state === 'dropped') counts.claimsLost += 1;
    if (after.state === 'started' && after.job !== null) {
      counts.begun += 1;
      counts.waitedMs += Math.max(0, (after.startedAt ?? 0) - after.job.at);
    }
    const status = after.state === 'ended' ? after.outcome?.status : undefined;
    if (status !== undefined) counts.jobs[status] = (counts.jobs[status] ?? 0) + 1;
  }

  /** Why no further step is sent, and the one under way ends. */
  #stop(): string | null {
    const running = this.#running;
    if (running !== null && this.#parts.trust.revoked.has(running.card)) running.stop = 'orchestrator_revoked';
    return running?.stop ?? null;
  }

  async #perform(effect: Exclude<Effect, { do: 'rest' }>, row: Row, message: Message | null): Promise<Answer> {
    const { host } = this.#parts;
    switch (effect.do) {
      case 'claim':
        return { of: 'write', wrote: await this.#write(row, { state: 'running' }, 0) };
      case 'report': {
        const { outcome, expected } = effect;
        return { of: 'write', wrote: await this.#write(row, { state: 'ended', outcome }, expected) };
      }
      case 'acknowledge':
        await acknowledged(message);
        return { of: 'acknowledge' };
      case 'read':
        return { of: 'read', read: await this.#read(row) };
      case 'identify':
        return { of: 'identify', keeper: await host.keeper(row.by.name) };
      case 'send':
        if (row.job === null) return { of: 'send', answer: { status: 'unreachable' } };
        return { of: 'send', answer: await this.#send(row, row.job, effect) };
      case 'note':
        return { of: 'note' };
    }
  }

  async #send(row: Row, job: Job, { step, key, until }: Extract<Effect, { do: 'send' }>): Promise<StepAnswer> {
    this.#parts.onStep?.(job, step, 'begun');
    const answer = await this.#parts.host.run(job, step, key, {
      by: row.by.name,
      until,
      shouldStop: () => this.#stop() !== null,
      onCard: (approvalId) =>
        approvalId === null
          ? this.#parts.onStep?.(job, step, 'decided')
          : this.#parts.onStep?.(job, step, 'waiting', { approvalId, until }),
    });
    this.#parts.onStep?.(job, step, answer.status);
    if (answer.status !== 'succeeded') return answer;
    return { ...answer, value: await recordable(answer.value, row, (bytes) => this.#keep(bytes)) };
  }

  /** Its name. What cannot be kept is missing there: the outcome counts. */
  async #keep(bytes: Uint8Array): Promise<string> {
    const hash = hashOf(bytes);
    for (let tries = 1; tries <= KEEPS; tries += 1) {
      const isKept = await this.#parts.keep(bytes).then(() => true, whereUnanswered(false));
      if (isKept) break;
      await this.#parts.pause();
    }
    return `artifact://${hash}`;
  }

  async #write(
    row: Row,
    what: Pick<JobRecord, 'state' | 'outcome'>,
    expected: number | null,
  ): Promise<number | 'taken' | 'unsure'> {
    const { seat, ledger, signer, records, now } = this.#parts;
    const record: JobRecord = { ...what, nonce: row.nonce, seat, ledger: ledger.id, bodyHash: row.bodyHash, at: now() };
    const text = seal({ kind: 'record', target: row.target, id: row.id }, record, signer);
    return records.write(row.target, row.id, text, expected).catch(whereUnanswered('unsure' as const));
  }

  async #read(row: Row): Promise<Read | null | 'unsure'> {
    const { seat, records, trust } = this.#parts;
    const kept = await records.read(row.target, row.id).catch(whereUnanswered('unsure' as const));
    if (kept === null || kept === 'unsure') return kept;
    const { record = null, by = '' } = recordOf(kept, row, trust) ?? {};
    // another member of the pool cannot speak with our nonce, nor can an orchestrator about another's job
    const isOthers = record !== null && (record.seat !== seat || ![seat, row.by.name].includes(by));
    return { revision: kept.revision, record: isOthers ? { ...record, nonce: null } : record };
  }
}

/** An acknowledgement that is lost is harmless: the message comes again and meets the ledger. */
const acknowledged = (message: Message | null): Promise<void> | undefined =>
  message?.acknowledge().catch(whereUnanswered(undefined));

/** All answers of a job in its record; what is beyond it is kept apart. */
const RECORD_BYTES = 64 * 1024;
/** The host's field for the bytes of a picture. */
const PICTURE = 'base64';

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/**
 * What a step answered, as the record of its job has it: a record is one message of at most 1 MiB, and is read by many.
 *
 * @param keep keeps bytes apart from the record, and names them
 */
async function recordable(
  value: unknown,
  { steps }: Row,
  keep: (bytes: Uint8Array) => Promise<string>,
): Promise<unknown> {
  const told = await withoutPictures(value, keep);
  const size = sizeOf(told);
  if (size + sizeOf(steps) <= RECORD_BYTES) return told;
  const artifact = await keep(Buffer.from(JSON.stringify(told)));
  return { artifact, mimeType: 'application/json', byteSize: size };
}

async function withoutPictures(value: unknown, keep: (bytes: Uint8Array) => Promise<string>): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  const { [PICTURE]: picture, ...rest } = value as Record<string, unknown>;
  if (typeof picture === 'string') return { ...rest, artifact: await keep(Buffer.from(picture, 'base64')) };
  // one after another: pictures take the line from claims
  const fields: [string, unknown][] = [];
  for (const [field, each] of Object.entries(value)) fields.push([field, await withoutPictures(each, keep)]);
  return Array.isArray(value) ? fields.map(([, each]) => each) : Object.fromEntries(fields);
}

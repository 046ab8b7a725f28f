/** An orchestrator's side of a fleet: submits signed jobs, reads signed records. Nothing else on the bus is trusted. */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { getArtifact } from '../bus/artifacts.ts';
import { connectBus, credentialOf, signerOfCredential, type CredentialFile } from '../bus/credential.ts';
import { bodyHashOf, jobOf, MAX_JOB_BYTES, recordOf, type Job, type JobRecord, type Outcome } from '../bus/job.ts';
import {
  controlSubject,
  isJobId,
  isName,
  jobIdOf,
  nameOf,
  presenceSubject,
  recordSubject,
  STREAM,
} from '../bus/names.ts';
import { PolicyTrust } from '../bus/policy.ts';
import { presenceOf, seatsOf, type SeatView } from '../bus/presence.ts';
import { follow, readNow, type Stored } from '../bus/reading.ts';
import {
  createRecords,
  QueueFull,
  readValue,
  submit,
  Unanswered,
  whereUnanswered,
  type Records,
} from '../bus/records.ts';
import { seal, type Signer } from '../bus/signed.ts';
import { FleetError } from './error.ts';
import type {
  Fleet,
  FleetEvent,
  FleetHost,
  FleetJob,
  FleetJobRef,
  FleetOptions,
  FleetOutcome,
  FleetStep,
  SubmitOptions,
  WaitOptions,
  WatchOptions,
} from './types.ts';

const START_MS = 15 * 60_000;
const RUN_MS = 10 * 60_000;
/** A record that a consumer missed is read by itself. */
const LOOK_MS = 5000;
const AGAIN_MS = 500;
const SUBMITS = 5;
/** A link that takes a job at its last moment has this long to claim it. */
const EXPIRY_GRACE_MS = 5000;
/** No job runs longer: no machine writes its record again after this time. */
const LONGEST_MS = 24 * 3_600_000;

/** The record of a job that no machine may begin any more. */
const NOBODY = { state: 'ended', nonce: null, seat: null, ledger: null, bodyHash: '0'.repeat(64) } as const;

const wrong = (message: string, hint: string): FleetError => new FleetError('invalid_argument', message, hint);

/** Errors: FleetError for what is not a credential; those of the connection. */
export async function openFleet({ credential, signal }: FleetOptions): Promise<Fleet> {
  let file: CredentialFile;
  try {
    file = credentialOf(typeof credential === 'string' ? credential : JSON.stringify(credential));
  } catch (error) {
    throw wrong(
      `The credential cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
      'Give the text of a file that `uiahost fleet enrol` wrote.',
    );
  }
  if (file.role !== 'orchestrator' && file.role !== 'viewer')
    throw new FleetError(
      'forbidden',
      `This credential is of a ${file.role}.`,
      'Enrol an orchestrator: `uiahost fleet enrol NAME --role orchestrator`.',
    );
  const nc = await connectBus(file);
  signal?.addEventListener('abort', () => void nc.close(), { once: true });
  return new OpenFleet(nc, file);
}

class OpenFleet implements Fleet {
  readonly #nc: NatsConnection;
  readonly #credential: CredentialFile;
  readonly #trust: PolicyTrust;
  readonly #records: Records;
  readonly #since = Date.now();
  /** By subjects of records. */
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #closing = new AbortController();
  #isFollowing = false;
  #ownSigner: Signer | undefined;

  constructor(nc: NatsConnection, credential: CredentialFile) {
    this.#nc = nc;
    this.#credential = credential;
    this.#trust = new PolicyTrust(credential.issuer);
    this.#records = createRecords(nc);
  }

  async hosts(): Promise<readonly FleetHost[]> {
    return (await this.#seats()).map(({ seat, state, silentMs, presence }) => {
      const { pools, version, level, policyVersion, takesNoJob, finding, job } = presence;
      return { seat, state, silentMs, pools, version, level, policyVersion, takesNoJob, finding, job };
    });
  }

  async #seats(): Promise<readonly SeatView[]> {
    await this.#trust.follow(this.#nc);
    const { values, aheadMs } = await answered(readNow(this.#nc, STREAM.hosts, '$KV.uia_hosts.>', 'last'));
    return seatsOf(values, { aheadMs, since: this.#since, now: Date.now(), trust: this.#trust });
  }

  async run(target: string, steps: readonly FleetStep[], options: SubmitOptions & WaitOptions = {}) {
    return this.wait(await this.submit(target, steps, options), options);
  }

  async submit(target: string, steps: readonly FleetStep[], options: SubmitOptions = {}): Promise<FleetJob> {
    const job = this.#jobFor(target, steps, options);
    const { id } = job;
    const text = seal({ kind: 'job', target: job.target, id }, job, this.#signing());
    if (Buffer.byteLength(text) > MAX_JOB_BYTES)
      throw wrong('The job is larger than 256 KiB.', 'Give it fewer or shorter steps.');
    const ref = { target: job.target, id, notAfter: job.notAfter, bodyHash: bodyHashOf(job) };
    const before = await answered(this.#read(job));
    assertSame(ref, before?.record ?? null);
    // another client's text says nothing of an earlier submission; no machine would begin the job over it
    if (before !== null) return { ...ref, isAgain: before.record !== null };
    for (let tries = 1; ; tries += 1) {
      try {
        const { isAgain } = await submit(this.#nc, job.target, id, text);
        return { ...ref, isAgain };
      } catch (error) {
        if (error instanceof QueueFull)
          throw new FleetError(
            'rate_limited',
            `The queue of ${job.target} is full; nothing was stored.`,
            'Submit it again later.',
          );
        // the server knows the same message again
        if (!(error instanceof Unanswered) || tries === SUBMITS) return await answered(Promise.reject(error));
        await sleep(AGAIN_MS);
      }
    }
  }

  #jobFor(target: string, steps: readonly FleetStep[], options: SubmitOptions): Job {
    const name = isName(target) ? target : nameOf(target.startsWith('p_') ? 'pool' : 'seat', target);
    const key = options.idempotencyKey ?? randomUUID();
    const id = jobIdOf(key);
    const at = Date.now();
    const job = jobOf({
      v: 1,
      target: name,
      id,
      ...(id === key ? {} : { key }),
      at,
      notAfter: at + (options.notAfterMs ?? START_MS),
      runMs: options.runMs ?? RUN_MS,
      ...(options.session === undefined ? {} : { session: options.session }),
      ...(options.traceparent === undefined ? {} : { traceparent: options.traceparent }),
      steps: steps.map(({ action, input }) => ({ action, input: input ?? {} })),
    });
    if (job !== null) return job;
    throw wrong(
      'This is not a job: the target is a seat (h_…) or a pool (p_…), and it has 1 to 1,000 steps {action, input}.',
      'See docs/fleet.md.',
    );
  }

  async wait(job: FleetJobRef, { signal, lostAfterMs }: WaitOptions = {}): Promise<FleetOutcome> {
    const ref = assertRef(job);
    const latest = (job.notAfter ?? Infinity) + EXPIRY_GRACE_MS;
    let unreadableSince: number | null = null;
    this.#follow();
    for (;;) {
      signal?.throwIfAborted();
      if (this.#nc.isClosed())
        throw new FleetError('unanswered', 'The connection to the fleet is closed.', 'Open it again.');
      const changed = this.#changed(ref, signal);
      const kept = await this.#read(ref).catch(whereUnanswered('away' as const));
      if (kept === 'away') {
        await changed;
        continue;
      }
      const record = kept?.record ?? null;
      // the other job waited in the queue when this one was submitted
      assertSame({ ...ref, bodyHash: job.bodyHash }, record);
      const outcome = record === null ? null : outcomeOf(ref, record);
      if (outcome !== null) return outcome;
      unreadableSince = kept === null || record !== null ? null : (unreadableSince ?? Date.now());
      const isSpoiled = unreadableSince !== null && Date.now() - unreadableSince > (lostAfterMs ?? LONGEST_MS);
      const lost = isSpoiled ? 'abandoned' : record === null ? null : await this.#lost(record, lostAfterMs);
      if (lost !== null) return this.#giveUp(ref, lost);
      if (kept === null && Date.now() > latest && this.#credential.role === 'orchestrator') {
        const told: Outcome = { status: 'expired', delivery: 'not_delivered', code: 'expired', values: [] };
        const expired = await this.#end(ref, told, () => null).catch(() => null);
        if (expired !== null) return expired;
      }
      await changed;
    }
  }

  async *watch(job: FleetJobRef, { signal, after = 0 }: WatchOptions = {}) {
    const ref = assertRef(job);
    const subject = `uia.v1.evt.*.${ref.id}.step`;
    const over = new AbortController();
    const asked = this.#until(signal);
    const stop = AbortSignal.any([over.signal, asked]);
    const ending = this.wait(ref, { signal: stop });
    ending.catch(() => {}).finally(() => over.abort());
    let last = after;
    try {
      for await (const stored of follow(this.#nc, STREAM.events, subject, { from: after, signal: stop })) {
        last = stored.sequence;
        yield* stepOf(stored, ref);
      }
      // a signal ends it without an error
      if (asked.aborted) return;
      const outcome = await ending;
      // the seat told its steps before it wrote the outcome
      let rest = null;
      while (rest === null && !asked.aborted && !this.#nc.isClosed()) {
        rest = await readNow(this.#nc, STREAM.events, subject, last).catch(whereUnanswered(null));
        if (rest === null) await sleep(AGAIN_MS);
      }
      for (const stored of rest?.values ?? []) yield* stepOf(stored, ref);
      yield { at: Date.now(), type: 'ended', seat: outcome.seat, outcome } as const;
    } finally {
      over.abort();
    }
  }

  async cancel(job: FleetJobRef): Promise<FleetOutcome | null> {
    const ref = assertRef(job);
    const told: Outcome = { status: 'cancelled', delivery: 'not_delivered', code: 'cancelled', values: [] };
    return this.#end(ref, told, (record) => {
      if (record !== null) return { ...record, at: Date.now(), cancel: true };
      throw new FleetError(
        'unreadable',
        `The record of ${ref.target}.${ref.id} is not signed by a valid card: whether its job runs is not known.`,
        'A machine that runs it writes its record again at its end. If none does, give it up.',
      );
    });
  }

  async giveUp(job: FleetJobRef): Promise<FleetOutcome> {
    this.#signing();
    return this.#giveUp(assertRef(job), 'abandoned');
  }

  /** A viewer writes nothing, and gets the same. */
  async #giveUp(ref: FleetJobRef, code: string): Promise<FleetOutcome> {
    const outcome: Outcome = { status: 'unknown', delivery: 'unknown', code, values: [] };
    if (this.#credential.role === 'viewer') return { ...ref, ...outcome, retryable: false, seat: null };
    const lost = (record: JobRecord | null): JobRecord => ({
      ...(record ?? NOBODY),
      at: Date.now(),
      state: 'ended',
      abandoned: true,
      outcome,
    });
    const told = await this.#end(ref, null, lost);
    if (told !== null) return told;
    throw new FleetError(
      'not_found',
      `No machine has begun ${ref.target}.${ref.id}.`,
      'Cancel it: then no machine begins it either.',
    );
  }

  async artifact(seat: string, artifact: string): Promise<Uint8Array> {
    const hash = artifact.replace(/^artifact:\/\//, '');
    if (!isName(seat) || !/^[0-9a-f]{64}$/.test(hash))
      throw wrong(`${artifact} of ${seat} is not an artifact.`, 'Take both from an outcome.');
    const bytes = await answered(getArtifact(this.#nc, seat, hash));
    if (bytes !== null) return bytes;
    throw new FleetError(
      'not_found',
      `The server does not have ${artifact} of ${seat}.`,
      'It is kept for a day, less if others need the space.',
    );
  }

  /**
   * Writes the record at its revision: with `unbegun` where there is none, else what `begun` makes of it, which gets null where
   * it is not trusted. Null if the job continues, or there is no record and `unbegun` is null.
   */
  async #end(
    ref: FleetJobRef,
    unbegun: Outcome | null,
    begun: (record: JobRecord | null) => JobRecord | null,
  ): Promise<FleetOutcome | null> {
    for (;;) {
      const kept = await answered(this.#read(ref));
      const before = kept?.record ?? null;
      const ended = before === null ? null : outcomeOf(ref, before);
      if (ended !== null) return ended;
      const first = unbegun === null ? null : { ...NOBODY, at: Date.now(), outcome: unbegun };
      const record = kept === null ? first : begun(before);
      if (record === null) return null;
      const text = seal({ kind: 'record', ...ref }, record, this.#signing());
      const wrote = await answered(this.#records.write(ref.target, ref.id, text, kept?.revision ?? 0));
      if (wrote === 'taken') continue;
      this.#nc.publish(controlSubject(ref.target), JSON.stringify({ body: { id: ref.id } }));
      return outcomeOf(ref, record);
    }
  }

  /** Why a running job has no outcome any more: its seat's credential ended, it was gone for the time, or has another ledger. */
  async #lost({ seat: name, ledger, at }: JobRecord, lostAfterMs: number | undefined): Promise<string | null> {
    if (name === null) return null;
    const kept = await readValue(this.#nc, STREAM.hosts, presenceSubject(name)).catch(whereUnanswered(null));
    if (kept !== null && presenceOf(kept, name, this.#trust)?.isEnded === true) return 'seat_ended';
    if (lostAfterMs === undefined) return null;
    const seats = await this.#seats().catch(whereUnanswered(null));
    const seat = seats?.find((each) => each.seat === name);
    if (seat === undefined) return null;
    const { state, presence, silentMs } = seat;
    // an earlier presence, sent again by a stranger, says nothing of the claim
    const isLost = state === 'gone' ? silentMs > lostAfterMs : presence.ledger !== ledger && presence.clock > at;
    return isLost ? 'abandoned' : null;
  }

  async #read(ref: FleetJobRef): Promise<{ revision: number; record: JobRecord | null } | null> {
    const kept = await this.#records.read(ref.target, ref.id);
    if (kept === null) return null;
    await this.#trust.follow(this.#nc);
    return { revision: kept.revision, record: recordOf(kept, ref, this.#trust)?.record ?? null };
  }

  /** One consumer for all that wait. */
  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const from = { from: 'new', signal: this.#closing.signal } as const;
    void (async () => {
      for await (const { subject, text } of follow(this.#nc, STREAM.records, '$KV.uia_jobs.>', from))
        // a job that still runs tells a waiter nothing
        if (!text.includes('"body":{"state":"running"')) this.#changes.emit(subject);
    })().catch(() => {
      this.#isFollowing = false;
    });
  }

  /** A change of the record, or the time to look by oneself. */
  async #changed({ target, id }: FleetJobRef, signal: AbortSignal | undefined): Promise<void> {
    const ends = [AbortSignal.timeout(LOOK_MS), this.#until(signal)];
    await once(this.#changes, recordSubject(target, id), { signal: AbortSignal.any(ends) }).catch(() => {});
  }

  #until = (signal: AbortSignal | undefined): AbortSignal =>
    AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])]);

  #signing(): Signer {
    const { role, card } = this.#credential;
    if (role === 'orchestrator' && card !== null) return (this.#ownSigner ??= signerOfCredential(this.#credential));
    throw new FleetError(
      'forbidden',
      role === 'orchestrator'
        ? 'This credential cannot sign: it is of an earlier version.'
        : `This credential is of a ${role}.`,
      role === 'orchestrator'
        ? 'Enrol it again: `uiahost fleet enrol NAME`.'
        : 'Use the credential of an enrolled orchestrator.',
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#nc.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Times of a repeated job differ; what it does may not. A job that no machine began left nothing to compare. */
function assertSame({ target, id, bodyHash }: FleetJobRef, record: JobRecord | null): void {
  if (record === null || bodyHash === undefined || [bodyHash, NOBODY.bodyHash].includes(record.bodyHash)) return;
  throw new FleetError(
    'idempotency_mismatch',
    `The key of ${target}.${id} was used before with other steps.`,
    'Use another key for another job.',
  );
}

function assertRef({ target, id }: FleetJobRef): FleetJobRef {
  const known = jobIdOf(id);
  if (isName(target) && isJobId(known)) return { target, id: known };
  throw wrong(`${target} is not a seat (h_…) or a pool (p_…).`, 'See docs/fleet.md.');
}

function outcomeOf(ref: FleetJobRef, { state, outcome, seat }: JobRecord): FleetOutcome | null {
  if (state !== 'ended' || outcome === undefined) return null;
  const { status, delivery, values } = outcome;
  // earlier steps were delivered
  const isFirst = values.length === 0 && (outcome.step ?? 0) === 0;
  const retryable = status !== 'succeeded' && delivery === 'not_delivered' && isFirst;
  return { ...ref, ...outcome, retryable, seat };
}

/** An event is not signed: it says that something may have happened. */
function stepOf({ text, at, sequence }: Stored, ref: FleetJobRef): FleetEvent[] {
  try {
    const { target, seat, step, what, approvalId, until } = JSON.parse(text) as Record<string, unknown>;
    if (target !== ref.target || typeof seat !== 'string' || typeof step !== 'number') return [];
    const card = Number.isFinite(new Date(Number(until ?? Number.NaN)).getTime())
      ? { approvalId: String(approvalId).slice(0, 64), until: Number(until) }
      : {};
    return [{ at, type: 'step', sequence, seat, step, what: String(what).slice(0, 40), ...card }];
  } catch {
    return [];
  }
}

/** Errors: FleetError `unanswered` where the server did not answer. */
const answered = <T>(asking: Promise<T>): Promise<T> =>
  asking.catch((error: unknown) => {
    if (!(error instanceof Unanswered)) throw error;
    throw new FleetError(
      'unanswered',
      `The server did not answer: ${error.message}`,
      'Check that it runs and can be reached, then call again with the same key.',
    );
  });

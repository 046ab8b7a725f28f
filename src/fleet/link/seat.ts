/** One seat of a fleet: takes jobs from the bus to this user's host, announces itself, follows the tenant's policy. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { putArtifact } from '../bus/artifacts.ts';
import { connectBus, eachConnection, oldServer, signerOfCredential, type CredentialFile } from '../bus/credential.ts';
import { controlSubject, POLICY_SUBJECT, presenceSubject, stepSubject, STREAM } from '../bus/names.ts';
import { PolicyTrust } from '../bus/policy.ts';
import { PRESENCE_MS, presenceOf, type Presence } from '../bus/presence.ts';
import { createRecords, readValue, Unanswered, whereUnanswered, writeValue } from '../bus/records.ts';
import { claimedId, seal } from '../bus/signed.ts';
import { Link } from './carry-out.ts';
import { NO_LEDGER, openLedger, type Ledger } from './ledger.ts';
import { writePrivately, writeReport, type MemberFolder, type SeatRules } from './membership.ts';
import { noCounts } from './metrics.ts';
import { pullJobs } from './pull.ts';
import type { HostState, SeatHosts } from './seat-host.ts';

export interface SeatOptions {
  readonly folder: MemberFolder;
  readonly credential: CredentialFile;
  /** What holds now: a later join, drain or policy counts at once. */
  rules(): SeatRules;
  readonly hosts: Pick<SeatHosts, 'keeper' | 'run' | 'state'>;
  readonly signal: AbortSignal;
  readonly presenceMs?: number;
}

/** A ledger row outlives its report by less than the record on the bus. */
const FORGET_MS = 6 * 86_400_000;
const FORGET_EVERY_MS = 3_600_000;
const CLOCK_MS = 30_000;
const LOOK_MS = 1000;
const LEDGER_MS = 2000;
const PAUSE_MS = 500;
/** A report that has not changed is written again after this time (ms): readers of its file see that the link runs. */
const REPORT_MS = 30_000;

/** Why the link ended by itself. */
export type SeatEnd = 'stopped' | 'refused';

export class Seat {
  readonly #options: SeatOptions;
  /** None is open before its disk answers. */
  #ledger: Ledger = NO_LEDGER;
  readonly #trust: PolicyTrust;
  readonly #everyMs: number;
  #link: Link | null = null;
  #nc: NatsConnection | null = null;
  #host: HostState | null = null;
  #isConnected = false;
  #hasConnected = false;
  /** Revision of its presence; null: to be read. */
  #revision: number | null = null;
  #since: number | null = null;
  /** Counts connections, and the latest over which the server was told what was begun: an earlier telling may end last. */
  #connections = { made: 0, met: 0 };
  /** The latest revision of its presence that it knows, so that it notices an emptied or an older store. */
  #highest = 0;
  /** Jobs of pools are taken from then on: their members first claim again what they had begun. */
  #poolsFrom = 0;
  /** The ledger; clock and twin, of which only the bus tells. */
  #trouble: string | null = 'starting';
  /** What its presence said last. */
  #announced = '';
  readonly #counts = noCounts();
  #refused = 0;
  #lastRefusal: string | null = null;
  /** What it reported last, and when. */
  #told = { text: '', at: 0 };

  constructor(options: SeatOptions) {
    const { credential, folder, presenceMs = PRESENCE_MS } = options;
    mkdirSync(folder.folder, { recursive: true, mode: 0o700 });
    this.#options = options;
    this.#everyMs = presenceMs;
    this.#trust = new PolicyTrust(credential.issuer);
    if (!existsSync(folder.policy)) return;
    this.#trust.learn(readFileSync(folder.policy, 'utf8'), Date.now());
    this.#highest = 1;
  }

  get #name(): string {
    return this.#options.credential.name;
  }

  /** Until the signal, or until the server refuses the credential for good. */
  async run(): Promise<SeatEnd> {
    const { credential, signal } = this.#options;
    await this.#look();
    using ledger = await this.#openLedger();
    if (ledger === null) return this.#ended();
    this.#ledger = ledger;
    this.#report();
    const nc = await connectBus(credential, { patience: signal }).catch(() => null);
    if (nc === null) return this.#ended();
    this.#nc = nc;
    signal.addEventListener('abort', () => void nc.close(), { once: true });
    void eachConnection(nc, (isThere) => this.#connected(isThere));
    const targets = [credential.name, ...credential.pools] as const;
    // nudges: a job's record is worth a look
    for (const target of targets)
      this.#hear(nc, controlSubject(target), async (text) => this.#link?.look(target, claimedId(text)));
    // a client that writes an older policy over a new one does not keep it from the seats that are there
    this.#hear(nc, POLICY_SUBJECT, async (text) => {
      if (this.#trust.learn(text, Date.now())) this.#keepPolicy(text);
    });
    const over = new AbortController();
    void this.#every(LOOK_MS, () => this.#look(), over.signal);
    void this.#every(this.#everyMs, () => this.#announce(), over.signal);
    const forget = async (): Promise<void> => void ledger.forget(Date.now() - FORGET_MS);
    await forget();
    void this.#every(FORGET_EVERY_MS, forget, over.signal);
    try {
      this.#link = this.#createLink(nc);
      await this.#work(nc, this.#link, targets);
    } catch (error) {
      if (!signal.aborted && !nc.isClosed()) throw error;
    } finally {
      over.abort();
      await nc.close();
    }
    return this.#ended();
  }

  /** Without it no job is taken: the job may have run. Null when the link ends before. */
  async #openLedger(): Promise<Ledger | null> {
    const { folder, signal } = this.#options;
    for (; !signal.aborted; await sleep(LEDGER_MS, undefined, { signal }).catch(() => {})) {
      try {
        const ledger = openLedger(folder.ledger, this.#name);
        this.#trouble = 'starting';
        return ledger;
      } catch (error) {
        if (this.#trouble !== 'ledger') process.stderr.write(`${folder.ledger}: ${String(error)}\n`);
        this.#trouble = 'ledger';
        await this.#look();
      }
    }
    return null;
  }

  #ended(): SeatEnd {
    if (this.#options.signal.aborted) return 'stopped';
    this.#trouble = 'refused';
    this.#isConnected = false;
    this.#report();
    return 'refused';
  }

  async #work(nc: NatsConnection, link: Link, targets: Parameters<typeof pullJobs>[1]): Promise<void> {
    // who was revoked while the link was away
    await this.#knowPolicy(nc);
    await this.#meet(link);
    await link.recover();
    await pullJobs(
      nc,
      targets,
      async (job) => {
        await this.#knowPolicy(nc);
        const taken = await link.take(job, job.id, job.target);
        if (taken === 'done') return;
        this.#refused += 1;
        this.#lastRefusal = `${job.target}.${job.id}: ${taken.refused}`;
      },
      {
        signal: this.#options.signal,
        isReady: (target) => this.#takesNoJob() === null && this.#knows(target),
      },
    );
  }

  #createLink(nc: NatsConnection): Link {
    const { credential, signal } = this.#options;
    return new Link({
      seat: this.#name,
      signer: signerOfCredential(credential),
      trust: this.#trust,
      ledger: this.#ledger,
      counts: this.#counts,
      records: createRecords(nc),
      host: this.#options.hosts,
      keep: (bytes) => putArtifact(nc, this.#name, bytes),
      now: Date.now,
      pause: () => pause(signal, nc),
      onStep: (job, step, what, card) => {
        const { target, id } = job;
        const content = JSON.stringify({ target, id, seat: this.#name, step, what, ...card, at: Date.now() });
        // for watching alone: the record is what counts
        if (!nc.isClosed()) nc.publish(stepSubject(this.#name, job.id), content);
      },
    });
  }

  #hear(nc: NatsConnection, subject: string, work: (text: string) => Promise<void>): void {
    nc.subscribe(subject, {
      callback: (error, message) => void (error === null && this.#quietly(work(message.string()))),
    });
  }

  get #job(): string | null {
    const job = this.#link?.job ?? null;
    return job === null ? null : `${job.target}.${job.id}`;
  }

  async #every(ms: number, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (await sleep(ms, true, { signal }).catch(() => false)) await this.#quietly(work());
  }

  async #quietly(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      if (!(error instanceof Unanswered))
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    });
  }

  #connected(isThere: boolean): void {
    if (isThere && this.#hasConnected) this.#counts.reconnects += 1;
    this.#hasConnected ||= isThere;
    this.#isConnected = isThere;
    this.#since = null;
    this.#revision = null;
    this.#connections.made += 1;
    if (!isThere) return;
    void this.#quietly(this.#announce());
    if (this.#link !== null) void this.#quietly(this.#meet(this.#link));
  }

  async #meet(link: Link): Promise<void> {
    const { made } = this.#connections;
    await link.claimAgain();
    this.#connections.met = Math.max(this.#connections.met, made);
  }

  /** No machine takes a job before the server knows what it has done: it may be the same one. */
  #knows(target: string): boolean {
    const { made, met } = this.#connections;
    return made === met && (target === this.#name || (this.#since !== null && Date.now() >= this.#poolsFrom));
  }

  /** The host, as its token allows to see it. */
  async #look(): Promise<void> {
    const [any] = Object.keys(this.#options.rules().orchestrators);
    this.#host = any === undefined ? null : await this.#options.hosts.state(any);
    this.#report();
    if (this.#announced !== this.#state() || this.#since === null) await this.#announce();
  }

  /** What a reader sees at once: that it takes jobs or why not, and whose cards it knows as revoked. */
  #state = (): string => `${this.#takesNoJob()} ${this.#trust.version}`;

  #takesNoJob(): string | null {
    const { isDrained, onlyWhenIdle } = this.#options.rules();
    if (this.#trouble !== null) return this.#trouble;
    if (Date.now() > this.#trust.until) return 'policy_old';
    if (isDrained) return 'drained';
    if (this.#host === null) return 'no_host';
    if (this.#host.isStopped) return 'stopped';
    if (onlyWhenIdle && !this.#host.isAlone) return 'person_present';
    return this.#host.isBlocked ? (this.#host.finding ?? 'blocked') : null;
  }

  #report(): void {
    const report = {
      pid: process.pid,
      isConnected: this.#isConnected,
      host: this.#host === null ? 'no host answers' : `version ${this.#host.version}, level ${this.#host.level}`,
      job: this.#job,
      openJobs: this.#ledger.open().length,
      isDrained: this.#options.rules().isDrained,
      takesNoJob: this.#takesNoJob(),
      refused: this.#refused,
      lastRefusal: this.#lastRefusal,
      policyVersion: this.#trust.version,
      oldServer: this.#nc === null ? null : oldServer(this.#nc),
      counts: this.#counts,
    };
    const [text, at] = [JSON.stringify(report), Date.now()];
    if (text === this.#told.text && Math.abs(at - this.#told.at) < REPORT_MS) return;
    this.#told = { text, at };
    writeReport(this.#options.folder, this.#name, { ...report, at });
  }

  /** Errors: Unanswered. */
  async #followPolicy(nc: NatsConnection): Promise<void> {
    this.#keepPolicy(await this.#trust.read(nc));
  }

  #keepPolicy(text: string | null): void {
    if (text !== null) writePrivately(this.#options.folder.policy, text);
  }

  /** Before anything is run: no job of a revoked orchestrator is, because the policy could not be read. */
  async #knowPolicy(nc: NatsConnection): Promise<void> {
    while (!(await this.#followPolicy(nc).then(() => true, whereUnanswered(false))))
      await pause(this.#options.signal, nc);
  }

  /** Writes its presence where it wrote it last: another writer of this name is found out. */
  async #announce(): Promise<void> {
    const nc = this.#nc;
    if (nc === null || !this.#isConnected) return;
    await this.#followPolicy(nc).catch(whereUnanswered(undefined));
    const job = this.#link?.job ?? null;
    if (job !== null) await this.#link?.look(job.target, job.id);
    const subject = presenceSubject(this.#name);
    const revision = this.#revision ?? (await this.#readOwn(nc));
    this.#revision = null;
    // the first of two machines with one identity stays
    if (this.#trouble === 'twin') return;
    const { credential } = this.#options;
    const presence: Presence = {
      v: 1,
      everyMs: this.#everyMs,
      ledger: this.#ledger.id,
      pools: [...credential.pools],
      version: this.#host?.version ?? null,
      level: this.#host?.level ?? null,
      finding: this.#host?.finding ?? null,
      takesNoJob: this.#takesNoJob(),
      job: this.#job,
      policyVersion: this.#trust.version,
      clock: Date.now(),
      since: this.#since,
    };
    this.#announced = this.#state();
    const about = { kind: 'presence', target: this.#name, id: this.#name } as const;
    const text = seal(about, presence, signerOfCredential(credential));
    const wrote = await writeValue(nc, subject, text, revision);
    if (wrote === 'taken') return;
    this.#revision = wrote;
    this.#highest = wrote;
    const kept = await readValue(nc, STREAM.hosts, subject);
    // a server of a cluster that lags tells an earlier one, whose time says nothing of the clock
    if (kept?.revision !== wrote) return;
    this.#since ??= kept.at;
    this.#trouble = Math.abs(Date.now() - kept.at) > CLOCK_MS ? 'clock' : null;
  }

  /** Its own presence on the bus: its revision, and whether another machine has this name. */
  async #readOwn(nc: NatsConnection): Promise<number> {
    const kept = await readValue(nc, STREAM.hosts, presenceSubject(this.#name));
    if ((kept?.revision ?? 0) < this.#highest) this.#poolsFrom = Date.now() + 2 * this.#everyMs;
    const presence = kept === null ? null : presenceOf(kept, this.#name, this.#trust);
    if (kept === null || presence === null) return kept?.revision ?? 0;
    // a ledger that was given up is not a twin, nor is its presence that a stranger sends again
    const isRecent = Date.now() - kept.at < 3 * presence.everyMs && Math.abs(kept.at - presence.clock) < CLOCK_MS;
    if (presence.ledger !== this.#ledger.id && isRecent) this.#trouble = 'twin';
    else if (this.#trouble === 'twin') this.#trouble = 'starting';
    return kept.revision;
  }
}

/** Between tries. Errors: Error when the link ends. */
async function pause(signal: AbortSignal, nc: NatsConnection): Promise<void> {
  if (signal.aborted || nc.isClosed()) throw new Error('The link ends.');
  await sleep(PAUSE_MS);
}

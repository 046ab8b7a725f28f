/**
 * What a fleet bears, with the product's own links, client and protocol, TLS and credentials on; only the hosts are stand-ins,
 * whose effects are counted by journals. `scripts/fleet-load.mjs` prints the figures; docs/deploy/fleet.md has them.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { NatsConnection } from '@nats-io/transport-node';
import { signerOfCredential, type CredentialFile } from '../../src/fleet/bus/credential.ts';
import { POLICY_SUBJECT, STREAM } from '../../src/fleet/bus/names.ts';
import { sealPolicy } from '../../src/fleet/bus/policy.ts';
import { addQueue, provision } from '../../src/fleet/bus/provisioning.ts';
import { writeValue } from '../../src/fleet/bus/records.ts';
import { createTenantKeys, type TenantKeys } from '../../src/fleet/bus/tenant.ts';
import { memberFolder, readReport } from '../../src/fleet/link/membership.ts';
import { openFleet } from '../../src/fleet/orchestrator/fleet.ts';
import type { Fleet, FleetOutcome } from '../../src/fleet/orchestrator/types.ts';
import { until } from '../support/until.ts';
import { TestCluster } from './cluster.ts';
import { joinByHand } from './seat-process.ts';
import type { SeatsFile } from './seats-process.ts';
import { messagesLeft, TestServer } from './server.ts';
import { signByNode } from './sign-by-node.ts';

const POOL = 'p_all';
const HOUR_MS = 3_600_000;
/** Linux: /proc counts processor time in hundredths of a second. */
const TICK_MS = 10;

export type Figures = Readonly<Record<string, string | number>>;

const figure = (value: number, digits = 1): number => Number(value.toFixed(digits));

function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const memoryMiB = (pid: number): number => {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
};

interface Bus {
  readonly pids: readonly number[];
  member(keys: TenantKeys, role: 'administrator', name: string): Promise<{ nc: NatsConnection }>;
  credentialFile(
    keys: TenantKeys,
    role: Exclude<CredentialFile['role'], 'approver' | 'enrolment'>,
    name: string,
    pools?: readonly string[],
  ): Promise<CredentialFile>;
}

interface Size {
  readonly seats: number;
  readonly processes: number;
  readonly replicas: number;
}

/** The links of a fleet, in few processes. */
class Load implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'uiahost-load-'));
  readonly #children: ChildProcess[] = [];
  readonly names: readonly string[];
  readonly #size: Size;
  admin!: NatsConnection;
  fleet!: Fleet;

  private constructor(size: Size) {
    this.#size = size;
    this.names = Array.from({ length: size.seats }, (_, index) => `h_s${index}`);
  }

  static async start(bus: Bus, keys: TenantKeys, size: Size): Promise<Load> {
    const load = new Load(size);
    signByNode();
    try {
      const { nc } = await bus.member(keys, 'administrator', 'admin');
      load.admin = nc;
      // servers that have just started do not know each other yet
      await until(
        () =>
          provision(nc, size.replicas).then(
            () => true,
            () => false,
          ),
        'streams',
      );
      const signer = signerOfCredential(await bus.credentialFile(keys, 'administrator', 'admin'));
      await writeValue(nc, POLICY_SUBJECT, sealPolicy({ version: 1, revoked: [] }, signer), 0);
      for (const target of [POOL, ...load.names]) await addQueue(nc, target);
      const orchestrators = { orders: { tokenId: 'stand-in', token: 'stand-in' } };
      for (const name of load.names)
        joinByHand(load.#dataOf(name), await bus.credentialFile(keys, 'seat', name, [POOL]), orchestrators);
      for (let at = 0; at < size.processes; at += 1) load.#run(at);
      await until(
        () => load.names.every((name) => readReport(memberFolder(load.#dataOf(name)))?.takesNoJob === null),
        'links that take jobs',
        900_000,
      );
      load.fleet = await openFleet({ credential: await bus.credentialFile(keys, 'orchestrator', 'orders') });
      return load;
    } catch (error) {
      await load[Symbol.asyncDispose]();
      throw error;
    }
  }

  get pids(): number[] {
    return this.#children.map(({ pid }) => pid ?? 0);
  }

  #dataOf = (name: string): string => join(this.#folder, name);
  #journalOf = (at: number): string => join(this.#folder, `journal-${at}.txt`);

  #run(at: number): void {
    const { processes } = this.#size;
    const folders = this.names.filter((_, index) => index % processes === at).map(this.#dataOf);
    const file: SeatsFile = { folders, journal: this.#journalOf(at) };
    const place = join(this.#folder, `seats-${at}.json`);
    writeFileSync(place, JSON.stringify(file));
    const program = fileURLToPath(new URL('seats-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--no-warnings', program, place], { stdio: ['pipe', 'inherit', 'inherit'] });
    this.#children.push(child);
  }

  /** One line for each effect: `TARGET.ID.STEP SEAT`. */
  get journal(): string[] {
    return this.#children.flatMap((_, at) =>
      existsSync(this.#journalOf(at)) ? readFileSync(this.#journalOf(at), 'utf8').split('\n').filter(Boolean) : [],
    );
  }

  /** How many links ran each job, by their ledgers: a claim that was lost let a second one run it. */
  ran(): Map<string, number> {
    const ran = new Map<string, number>();
    for (const name of this.names) {
      using database = new DatabaseSync(memberFolder(this.#dataOf(name)).ledger, { readOnly: true });
      for (const { target, id, row } of database.prepare('SELECT target, id, row FROM jobs').all()) {
        if ((JSON.parse(String(row)) as { state: string }).state === 'dropped') continue;
        const job = `${String(target)}.${String(id)}`;
        ran.set(job, (ran.get(job) ?? 0) + 1);
      }
    }
    return ran;
  }

  /** Until each server has what the others have of the streams that jobs need. */
  async isWhole(): Promise<void> {
    const lacking = async (stream: string): Promise<string> => {
      const reply = await this.admin.request(`$JS.API.STREAM.INFO.${stream}`, '', { timeout: 5000 });
      const { cluster } = reply.json<{ cluster?: { leader?: string; replicas?: { current: boolean }[] } }>();
      const others = cluster?.replicas?.filter(({ current }) => current).length ?? 0;
      return cluster?.leader !== undefined && others === 2 ? '' : `${stream}: ${JSON.stringify(cluster)}`;
    };
    const streams = [STREAM.jobs, STREAM.pools, STREAM.records, STREAM.hosts];
    await until(
      () => Promise.all(streams.map((stream) => lacking(stream).catch((error: unknown) => String(error)))),
      (lacks) => lacks.every((each) => each === ''),
      120_000,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fleet?.close().catch(() => {});
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.stdin?.end();
        const killing = setTimeout(() => child.kill('SIGKILL'), 20_000);
        await once(child, 'exit');
        clearTimeout(killing);
      }),
    );
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const startServer = async (keys: TenantKeys): Promise<Bus & AsyncDisposable> => {
  const server = await TestServer.start([keys], { isTls: true, isSynced: true });
  return {
    pids: [server.pid],
    member: (...given) => server.member(...given),
    credentialFile: (...given) => server.credentialFile(...given),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

/** The runs of one start: 1,000 links need minutes for theirs. */
export async function oneServer(
  what: readonly ('idle' | 'rate' | 'jobs')[],
  { seats = 1000, processes = 4, runs = 5, seconds = 45, count = 100_000, rate = 100, together = 2000 },
  print: (figures: Figures) => void,
): Promise<void> {
  const keys = createTenantKeys('A');
  await using bus = await startServer(keys);
  await using load = await Load.start(bus, keys, { seats, processes, replicas: 1 });
  for (const each of what)
    if (each === 'idle') for (const figures of await idle(bus, load, { runs, seconds })) print(figures);
    else if (each === 'jobs') print(await jobs(bus, load, { jobs: count, rate: null, together, ms: 0 }));
    else print(await jobs(bus, load, { jobs: 60 * rate, rate, together, ms: 200 }));
}

/** Idle links: the processor time of server and links, as shares of a core, in each of `runs`. */
async function idle(bus: Bus, load: Load, { runs, seconds }: { runs: number; seconds: number }): Promise<Figures[]> {
  const used = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
  // what their start left to do is not idleness
  await sleep(20_000);
  const figures: Figures[] = [];
  for (let run = 0; run < runs; run += 1) {
    const before = [used(bus.pids), used(load.pids)];
    const began = performance.now();
    await sleep(seconds * 1000);
    const share = (used: number): number => figure((100 * used) / (performance.now() - began));
    figures.push({
      links: load.names.length,
      'server, % of a core': share(used(bus.pids) - (before[0] ?? 0)),
      'all links, % of a core': share(used(load.pids) - (before[1] ?? 0)),
      'server, MiB': memoryMiB(bus.pids[0] ?? 0),
      'load average': figure(loadavg()[0] ?? 0),
    });
  }
  return figures;
}

/** A job, from the call of `submit` to the outcome. */
interface DoneJob {
  readonly outcome: FleetOutcome;
  readonly from: number;
  readonly to: number;
}

interface Submitting {
  readonly jobs: number;
  /** A second; null: as fast as possible. */
  readonly rate: number | null;
  /** That are under way together. */
  readonly together: number;
  /** How long an action takes. */
  readonly ms: number;
  /** Called back with the number of jobs that were submitted. */
  readonly onSubmitted?: (count: number) => void;
}

/** Half of the jobs to seats, half to their pool. A submission that was not answered is repeated with its key, as callers do. */
async function runJobs(load: Load, { jobs, rate, together, ms, onSubmitted }: Submitting): Promise<DoneJob[]> {
  const steps = [{ action: 'press-keys', input: { ms } }];
  const done: DoneJob[] = [];
  const running = new Set<Promise<void>>();
  const began = performance.now();
  const run = async (number: number): Promise<void> => {
    const target = number % 2 === 0 ? POOL : (load.names[(number >> 1) % load.names.length] ?? POOL);
    const from = performance.now();
    const key = { idempotencyKey: `${rate ?? 'all'}-${number}`, notAfterMs: HOUR_MS };
    const job = await until(
      () => load.fleet.submit(target, steps, key).catch(() => null),
      'an acknowledged submission',
      180_000,
    );
    onSubmitted?.(number + 1);
    const outcome = await load.fleet.wait(job, { signal: AbortSignal.timeout(HOUR_MS) });
    done.push({ outcome, from, to: performance.now() });
  };
  for (let number = 0; number < jobs; number += 1) {
    if (rate !== null) await sleep(Math.max(0, began + (number * 1000) / rate - performance.now()));
    while (running.size >= together) await Promise.race(running);
    const one: Promise<void> = run(number).finally(() => running.delete(one));
    running.add(one);
  }
  await Promise.all(running);
  return done;
}

/** What must be 0: effects twice, effects that were told and did not come, jobs without success, jobs that two links ran. */
async function faults(load: Load, jobs: number, done: readonly DoneJob[]): Promise<Figures> {
  const outcomes = done.map(({ outcome }) => outcome);
  const ids = new Set(outcomes.map(({ target, id }) => `${target}.${id}.0`));
  const effects = new Map<string, number>();
  for (const line of load.journal) {
    const [effect = ''] = line.split(' ');
    // an earlier run of the same links had jobs of its own
    if (ids.has(effect)) effects.set(effect, (effects.get(effect) ?? 0) + 1);
  }
  const told = outcomes.filter(({ status }) => status === 'succeeded');
  const ran = load.ran();
  const left = await until(
    async () => {
      const now = await messagesLeft(load.admin).catch(() => null);
      return now === 0 ? { now } : null;
    },
    'empty queues',
    90_000,
  ).then(
    () => 0,
    () => messagesLeft(load.admin),
  );
  return {
    jobs,
    lost: jobs - outcomes.length,
    'not succeeded': outcomes.length - told.length,
    effects: effects.size,
    twice: [...effects.values()].filter((count) => count > 1).length,
    false: told.filter(({ target, id }) => !effects.has(`${target}.${id}.0`)).length,
    'claims lost': [...ran.values()].filter((count) => count > 1).length,
    left,
  };
}

const percentile = (sorted: readonly number[], part: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);

function times(done: readonly DoneJob[]): Figures {
  const sorted = done.map(({ from, to }) => to - from).toSorted((one, other) => one - other);
  return {
    'p50, ms': percentile(sorted, 0.5),
    'p95, ms': percentile(sorted, 0.95),
    'p99, ms': percentile(sorted, 0.99),
    'longest, ms': percentile(sorted, 1),
  };
}

/** Whose seat was in the midst of another job when it was submitted: a desktop runs one at a time, however fast the bus is. */
function waitedForSeat(done: readonly DoneJob[], ms: number): Set<DoneJob> {
  const ofSeat = Map.groupBy(done, ({ outcome }) => outcome.seat);
  const isBusy = ({ outcome, from, to }: DoneJob): boolean =>
    (ofSeat.get(outcome.seat) ?? []).some((other) => other.to < to && other.to > from && other.to - ms < from);
  return new Set(done.filter(isBusy));
}

/** Jobs to many links of one server, by a rate or as fast as possible. */
async function jobs(bus: Bus, load: Load, given: Submitting): Promise<Figures> {
  const processes = [bus.pids, load.pids, [process.pid]];
  const used = (): number[] => processes.map((pids) => pids.reduce((sum, pid) => sum + cpuMs(pid), 0));
  const before = used();
  const began = performance.now();
  const done = await runJobs(load, given);
  const ms = performance.now() - began;
  const [cpu = 0, ofLinks = 0, own = 0] = used().map((now, at) => now - (before[at] ?? 0));
  const waiting = waitedForSeat(done, given.ms);
  return {
    links: load.names.length,
    'action, ms': given.ms,
    ...(await faults(load, given.jobs, done)),
    seconds: figure(ms / 1000),
    'jobs a second': figure((1000 * given.jobs) / ms),
    ...times(done),
    'met a busy seat': waiting.size,
    'p99 of the others, ms': times(done.filter((each) => !waiting.has(each)))['p99, ms'] ?? 0,
    'server, % of a core': figure((100 * cpu) / ms),
    'processor time a job: server, links, orchestrator, ms': [cpu, ofLinks, own]
      .map((used) => figure(used / given.jobs, 2))
      .join(', '),
    'load average': figure(loadavg()[0] ?? 0),
  };
}

/** Jobs while the three servers are killed, one after another; the next one when the last has all again. */
export async function cluster({ seats = 40, processes = 2, count = 3000, rate = 25, kills = 6 }): Promise<Figures> {
  const keys = createTenantKeys('A');
  await using bus = await TestCluster.start([keys]);
  await using load = await Load.start(bus, keys, { seats, processes, replicas: 3 });
  await load.isWhole();
  let submitted = 0;
  const began = performance.now();
  const running = runJobs(load, {
    jobs: count,
    rate,
    together: count,
    ms: 20,
    onSubmitted: (number) => (submitted = Math.max(submitted, number)),
  });
  let underLoad = 0;
  const killing = (async () => {
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(1000);
      if (submitted < count) underLoad += 1;
      await bus.kill(kill % 3);
      await sleep(2000);
      await bus.restart(kill % 3);
      await load.isWhole().catch((error: unknown) => {
        throw new Error(bus.logs, { cause: error });
      });
    }
  })();
  const [done] = await Promise.all([running, killing]);
  const seconds = figure((performance.now() - began) / 1000);
  return {
    links: seats,
    kills,
    'kills while jobs came': underLoad,
    ...(await faults(load, count, done)),
    seconds,
    ...times(done),
    'load average': figure(loadavg()[0] ?? 0),
  };
}

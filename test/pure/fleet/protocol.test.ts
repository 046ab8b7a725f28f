/** One job runs once and its record is true, whatever is killed, cut or delivered twice. */
import { array, assert, asyncProperty, check, nat } from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { jobOf, recordOf, type Job, type JobRecord, type Outcome } from '../../../src/fleet/bus/job.ts';
import { seal, type Signer } from '../../../src/fleet/bus/signed.ts';
import { Link, type LinkParts } from '../../../src/fleet/link/carry-out.ts';
import { openLedger, type Ledger } from '../../../src/fleet/link/ledger.ts';
import { tokenOf } from '../../../src/fleet/link/membership.ts';
import type { StepAnswer } from '../../../src/fleet/link/protocol.ts';
import { noCounts } from '../../../src/fleet/link/metrics.ts';
import { rounds } from '../../support/rounds.ts';
import { createTenant } from './cards.ts';
import { NaiveLink, type Order } from './naive.ts';
import { choosing, falsehoods, Killed, ModelBus, ModelHost, Process, type Hits } from './world.ts';

const tenant = createTenant();
const SEATS = ['h_a', 'h_b'] as const;
const POOL = 'p_excel';
const NOW = Date.now();
const RUN_MS = 3_600_000;
let orchestrator: Signer;
const signers = new Map<string, Signer>();

beforeAll(async () => {
  orchestrator = await tenant.signer('orchestrator', 'orch');
  for (const seat of SEATS) signers.set(seat, await tenant.signer('seat', seat, { pools: [POOL] }));
});

const signerOfSeat = (seat: string): Signer => {
  const signer = signers.get(seat);
  if (signer === undefined) throw new Error(`no signer of ${seat}`);
  return signer;
};

const TYPING = { action: 'type-into-element', input: { name: 'Save draft', text: 'x' } };
const jobFor = (target: string, id: string, more: Partial<Job> = {}): Job => ({
  v: 1,
  target,
  id,
  at: NOW,
  notAfter: NOW + 900_000,
  runMs: RUN_MS,
  steps: [{ action: 'bind-to-window', input: { title: 'Notepad' } }, TYPING, TYPING],
  ...more,
});

class Machine implements Disposable {
  readonly ledger: Ledger = openLedger(':memory:', 'h_seat');
  readonly host: ModelHost;
  readonly seat: string;
  isBusy = false;
  restarts = 0;

  constructor(seat: string, journal: string[]) {
    this.seat = seat;
    this.host = new ModelHost(journal);
  }

  [Symbol.dispose](): void {
    this.ledger[Symbol.dispose]();
  }
}

/** Two machines of one pool, and a clock that only tests move. */
class World implements Disposable {
  readonly bus = new ModelBus();
  readonly journal: string[] = [];
  readonly machines: Machine[];
  now = NOW;
  readonly #hits: Hits;
  readonly #order: Order | null;
  readonly #waiting: (() => void)[] = [];

  constructor(hits: Partial<Hits> & { choices?: readonly number[] } = {}, order: Order | null = null, count = 2) {
    const { choices = [], ...more } = hits;
    this.#hits = { choose: choosing(choices), faults: 0, calls: 0, ...more };
    this.#order = order;
    this.machines = SEATS.slice(0, count).map((seat) => new Machine(seat, this.journal));
  }

  get calls(): number {
    return this.#hits.calls;
  }

  submit(job: Job, signer = orchestrator): void {
    const { target, id } = job;
    const text = seal({ kind: 'job', target, id }, job, signer);
    this.bus.queue.push({ text, id, target, isTaken: false });
  }

  record(target = 'h_a', id = 'j'): JobRecord | null {
    const kept = this.bus.read(target, id);
    return kept === null ? null : (recordOf(kept, { target, id }, tenant.trust)?.record ?? null);
  }

  outcome(target = 'h_a', id = 'j'): Outcome | null {
    return this.record(target, id)?.outcome ?? null;
  }

  /** Writes as another client of the bus. */
  write(target: string, id: string, text: string): void {
    this.bus.write(target, id, text, null);
  }

  /** An orchestrator changes the record, where there is one. */
  wish(change: Partial<JobRecord>): void {
    const record = this.record();
    if (record !== null)
      this.write('h_a', 'j', seal({ kind: 'record', target: 'h_a', id: 'j' }, { ...record, ...change }, orchestrator));
  }

  /** A link has a connection again. */
  async live(machine: Machine): Promise<void> {
    await new Link(new Process(this.#hits, machine.host).doors(this.partsOf(machine), this.bus)).claimAgain();
  }

  partsOf(machine: Machine): Omit<LinkParts, 'records' | 'host' | 'pause'> {
    return {
      seat: machine.seat,
      signer: signerOfSeat(machine.seat),
      trust: tenant.trust,
      ledger: machine.ledger,
      counts: noCounts(),
      now: () => this.now,
      keep: () => Promise.resolve(),
    };
  }

  /** One life of a link: recovers, then takes what is there for it. */
  async #live(machine: Machine): Promise<void> {
    const process = new Process(this.#hits, machine.host, () => new Promise((go) => this.#waiting.push(go)));
    const doors = process.doors(this.partsOf(machine), this.bus);
    const link = this.#order === null ? new Link(doors) : new NaiveLink(doors, this.#order);
    await link.recover();
    for (;;) {
      const stored = this.bus.queue.find(
        (message) => !message.isTaken && [machine.seat, POOL].includes(message.target),
      );
      if (stored === undefined) return;
      stored.isTaken = true;
      try {
        await link.take(process.message(this.bus, stored), stored.id, stored.target);
      } finally {
        // not acknowledged: the server delivers it again
        stored.isTaken = false;
      }
    }
  }

  #start(machine: Machine): void {
    machine.isBusy = true;
    void this.#live(machine)
      .catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
        machine.restarts += 1;
      })
      .finally(() => {
        machine.isBusy = false;
      });
  }

  /** Runs until nothing is left to do. Fails after 5,000 turns. */
  async run(): Promise<void> {
    const due = (): Machine[] =>
      this.machines.filter(
        (machine) =>
          !machine.isBusy &&
          (machine.ledger.open().length > 0 ||
            this.bus.queue.some(({ isTaken, target }) => !isTaken && [machine.seat, POOL].includes(target))),
      );
    for (let turn = 0; turn < 5000; turn += 1) {
      for (const machine of due()) this.#start(machine);
      // the time of an acknowledgement runs out while its job runs
      if (this.#hits.faults > 0 && this.bus.queue.length > 0 && this.#hits.choose(7) === 6) {
        this.#hits.faults -= 1;
        for (const stored of this.bus.queue) stored.isTaken = false;
      }
      await new Promise(setImmediate);
      const go = this.#waiting.splice(this.#hits.choose(Math.max(1, this.#waiting.length)), 1)[0];
      if (go !== undefined) go();
      else if (this.machines.every(({ isBusy }) => !isBusy) && due().length === 0) return;
    }
    throw new Error('it comes to no end');
  }

  [Symbol.dispose](): void {
    for (const machine of this.machines) machine[Symbol.dispose]();
  }
}

/** What a test does at a step, of which `run` is the host's answer. */
type At = (step: number, run: () => Promise<StepAnswer>, world: World, host: ModelHost) => Promise<StepAnswer>;

/** One machine has run one job. */
async function alone(at: At = (_, run) => run(), hits: Partial<Hits> = {}, more: Partial<Job> = {}): Promise<World> {
  const world = new World(hits, null, 1);
  onTestFinished(() => world[Symbol.dispose]());
  for (const { host } of world.machines) {
    const run = host.run.bind(host);
    host.run = (job, step, key) => at(step, () => run(job, step, key), world, host);
  }
  world.submit(jobFor('h_a', 'j', more));
  await world.run();
  return world;
}

const JOBS = [jobFor(POOL, 'j0'), jobFor('h_a', 'j1'), jobFor(POOL, 'j2')];

/** What is wrong after a run with these choices. */
async function wrongAfter(choices: readonly number[], order: Order | null): Promise<string[]> {
  using world = new World({ choices, faults: 8 }, order);
  for (const job of JOBS) world.submit(job);
  await world.run();
  const left = world.bus.queue.length === 0 ? [] : [`${world.bus.queue.length} messages are left`];
  return [
    ...left,
    ...JOBS.flatMap(({ target, id }) => falsehoods(id, [1, 2], world.outcome(target, id), world.journal)),
  ];
}

describe('a job', () => {
  it('runs each step once, and its record reports success', async () => {
    using world = new World();
    for (const job of JOBS) world.submit(job);
    await world.run();
    expect(world.bus.queue).toEqual([]);
    expect(world.journal.toSorted()).toEqual(['j0.1', 'j0.2', 'j1.1', 'j1.2', 'j2.1', 'j2.2']);
    for (const { target, id } of JOBS)
      expect(world.outcome(target, id)).toEqual({ status: 'succeeded', delivery: 'delivered', values: [0, 1, 2] });
  });

  it('is not forgotten or run twice when its link is killed before or after any of its calls', async () => {
    const whole = await alone();
    expect(whole.calls).toBeGreaterThan(15);
    for (let call = 1; call <= whole.calls; call += 1) {
      for (const when of ['before', 'after'] as const) {
        const world = await alone(undefined, { killAt: { call, when } });
        const place = `killed ${when} call ${call}`;
        expect(world.machines[0]?.restarts, place).toBe(1);
        expect(world.outcome(), place).toEqual({ status: 'succeeded', delivery: 'delivered', values: [0, 1, 2] });
        expect(world.journal, place).toEqual(['j.1', 'j.2']);
        expect(world.bus.queue, place).toEqual([]);
      }
    }
  });

  it('is true under kills, cuts, delays and messages that come twice, on two machines', async () => {
    await assert(
      asyncProperty(array(nat({ max: 63 }), { minLength: 20, maxLength: 200 }), async (choices) => {
        expect(await wrongAfter(choices, null)).toEqual([]);
      }),
      { numRuns: rounds({ whole: 300, quick: 60 }) },
    );
  });
});

it.each<Order>(['acknowledge at the end', 'stable keys', 'ledger without a claim'])(
  'the checker: finds out the order "%s"',
  async (order) => {
    const found = await check(
      asyncProperty(array(nat({ max: 63 }), { minLength: 20, maxLength: 200 }), async (choices) => {
        expect(await wrongAfter(choices, order)).toEqual([]);
      }),
      { numRuns: 300, endOnFailure: true },
    );
    expect(found.failed).toBe(true);
  },
);

describe('an end that is not success', () => {
  it('says expired, and sends nothing, when a link takes the job too late', async () => {
    const world = await alone(undefined, {}, { notAfter: NOW - 1 });
    expect(world.outcome()).toMatchObject({ status: 'expired', delivery: 'not_delivered', step: 0 });
    expect(world.journal).toEqual([]);
  });

  it('does not run a job whose claim an orchestrator took', async () => {
    using world = new World();
    const job = jobFor(POOL, 'j');
    const taken: JobRecord = {
      state: 'ended',
      nonce: null,
      seat: null,
      ledger: null,
      bodyHash: '0'.repeat(64),
      at: NOW,
      outcome: { status: 'cancelled', delivery: 'not_delivered', code: 'cancelled', step: 0, values: [] },
    };
    world.write(POOL, 'j', seal({ kind: 'record', target: POOL, id: 'j' }, taken, orchestrator));
    world.submit(job);
    await world.run();
    expect(world.bus.queue).toEqual([]);
    expect(world.journal).toEqual([]);
    expect(world.outcome(POOL, 'j')).toEqual(taken.outcome);
  });

  it.each(['cancel', 'abandoned'] as const)('stops before the next step when its record says %s', async (wish) => {
    const world = await alone((step, run, there) => {
      const outcome: Outcome = { status: 'unknown', delivery: 'unknown', code: 'abandoned', values: [] };
      if (step === 1) there.wish(wish === 'cancel' ? { cancel: true } : { state: 'ended', abandoned: true, outcome });
      return run();
    });
    expect(world.journal).toEqual(['j.1']);
    expect(world.outcome()).toEqual({
      status: 'cancelled',
      delivery: 'not_delivered',
      code: wish === 'cancel' ? 'cancelled' : 'abandoned',
      step: 2,
      values: [0, 1],
      ...(wish === 'abandoned' ? { late: true } : {}),
    });
  });

  it('writes the truth over a surrender that came during its last step', async () => {
    const outcome: Outcome = { status: 'unknown', delivery: 'unknown', code: 'abandoned', values: [] };
    const world = await alone((step, run, there) => {
      if (step === 2) there.wish({ state: 'ended', abandoned: true, outcome });
      return run();
    });
    expect(world.outcome()).toEqual({ status: 'succeeded', delivery: 'delivered', values: [0, 1, 2], late: true });
  });

  const untold: Outcome = { status: 'expired', delivery: 'not_delivered', code: 'expired', values: [] };
  const nobody = { state: 'ended', nonce: null, seat: null, ledger: null, bodyHash: '0'.repeat(64), at: NOW } as const;
  it.each([
    ['lost', 'asked', null],
    ['lost', 'connected', null],
    ['written over', 'connected', { ...nobody, outcome: untold }],
    ['written over', 'asked', { ...nobody, outcome: untold }],
    ['given up', 'connected', { outcome: { ...untold, status: 'unknown', delivery: 'unknown' }, abandoned: true }],
  ] as const)('is reported again, without values, where its record is %s and it is %s', async (_what, by, record) => {
    const world = await alone();
    const [machine] = world.machines;
    if (record === null) world.bus.records.clear();
    else world.wish(record);
    if (by === 'asked') world.submit(jobFor('h_a', 'j'));
    else await world.live(machine!);
    await world.run();
    expect(world.outcome()).toMatchObject({ status: 'succeeded', delivery: 'delivered', values: [] });
    expect([world.journal, world.bus.queue]).toEqual([['j.1', 'j.2'], []]);
    const told = world.bus.read('h_a', 'j');
    await world.live(machine!);
    expect(world.bus.read('h_a', 'j')).toEqual(told);
  });

  it('is not reported to another fleet, whose job of this name is run', async () => {
    const world = await alone();
    using other = new World({}, null, 1);
    const [before, after] = [world.machines[0]!, other.machines[0]!];
    const row = { ...before.ledger.find('h_a', 'j')!, issuer: 'another' };
    after.ledger.put(row, NOW);
    await other.live(after);
    expect(other.outcome()).toBeNull();
    other.submit(jobFor('h_a', 'j'));
    await other.run();
    expect([other.outcome()?.values, other.journal]).toEqual([
      [0, 1, 2],
      ['j.1', 'j.2'],
    ]);
  });

  it('holds against all but the three things that an orchestrator may say, and that of its own jobs', async () => {
    const world = await alone();
    const truth = world.record()!;
    const failed = { ...untold, status: 'failed' } as const;
    for (const said of [
      { outcome: failed },
      { outcome: untold },
      { ...nobody, outcome: failed },
      { ...nobody, outcome: { ...untold, status: 'succeeded', delivery: 'delivered', values: [1] } },
      { abandoned: true, outcome: failed },
      { state: 'running', outcome: untold, cancel: true },
    ] satisfies Partial<JobRecord>[]) {
      world.wish({ ...truth, ...said });
      expect(world.record(), JSON.stringify(said)).toBeNull();
      world.write('h_a', 'j', seal({ kind: 'record', target: 'h_a', id: 'j' }, truth, signerOfSeat('h_a')));
    }
    const other = await tenant.signer('orchestrator', 'other');
    const disturbed = await alone(async (_, run, there) => {
      const running = { ...there.record()!, cancel: true };
      there.write('h_a', 'j', seal({ kind: 'record', target: 'h_a', id: 'j' }, running, other));
      return run();
    });
    expect(disturbed.outcome()).toMatchObject({ status: 'succeeded' });
  });

  it('is reported although a client writes over its record without end', async () => {
    using world = new World({}, null, 1);
    const write = world.bus.write.bind(world.bus);
    let revision = 1000;
    world.bus.write = (target, id, text, expected) => {
      if ((expected ?? 0) > 0) world.bus.records.set(`${target}.${id}`, { revision: (revision += 1), text: 'noise' });
      return write(target, id, text, expected);
    };
    world.submit(jobFor('h_a', 'j'));
    await world.run();
    expect(world.outcome()).toMatchObject({ status: 'succeeded' });
  });

  it.each(['noise', 'gone'] as const)('is reported where its record is %s', async (what) => {
    const world = await alone((_, run, there) => {
      if (what === 'noise') there.write('h_a', 'j', 'noise');
      else there.bus.records.delete('h_a.j');
      return run();
    });
    expect(world.outcome()).toMatchObject({ status: 'succeeded' });
    expect(world.journal).toEqual(['j.1', 'j.2']);
  });

  it('is unknown for a step whose key another store would have to know', async () => {
    let isReset = false;
    const killAt = { call: 15, when: 'after' } as const;
    const world = await alone(
      async (step, run, _, host) => {
        const answer = await run();
        if (step !== 1 || isReset) return answer;
        isReset = true;
        host.reset();
        return { status: 'unreachable' };
      },
      { killAt },
    );
    expect(isReset).toBe(true);
    expect(world.outcome()).toMatchObject({ status: 'unknown', delivery: 'unknown', code: 'other_host', step: 1 });
    expect(world.journal).toEqual(['j.1']);
  });

  it('ends before a step that would reach another host than its first', async () => {
    const world = await alone(async (step, run, _, host) => {
      const answer = await run();
      if (step === 1) host.reset();
      return answer;
    });
    expect(world.outcome()).toMatchObject({ status: 'failed', delivery: 'not_delivered', code: 'other_host', step: 2 });
    expect(world.journal).toEqual(['j.1']);
  });

  it.each([
    ['keeper', { status: 'failed', delivery: 'not_delivered' }],
    ['run', { status: 'unknown', delivery: 'unknown' }],
  ] as const)('is poison after five attempts that ended its link in %s', async (where, outcome) => {
    using world = new World({}, null, 1);
    const [machine] = world.machines;
    if (machine === undefined) throw new Error('no machine');
    let lives = 0;
    machine.host[where] = () => {
      lives += 1;
      throw new Killed();
    };
    world.submit(jobFor('h_a', 'j'));
    await world.run();
    expect(lives).toBe(5);
    expect(world.outcome()).toMatchObject({ ...outcome, code: 'poison', step: 0 });
  });

  it('runs a job of another fleet, though the host keeps the keys of one of this name', async () => {
    const world = await alone();
    const effects = world.journal.length;
    using other = new World({}, null, 1);
    const [before, after] = [world.machines[0], other.machines[0]];
    if (before === undefined || after === undefined) throw new Error('no machine');
    Object.assign(after, { host: before.host });
    other.submit(jobFor('h_a', 'j'));
    await other.run();
    expect(other.outcome('h_a', 'j')).toMatchObject({ status: 'succeeded' });
    expect([effects, world.journal.length]).toEqual([2, 4]);
  });

  it('does not send again what a person cancelled', async () => {
    using world = new World({}, null, 1);
    const [machine] = world.machines;
    if (machine === undefined) throw new Error('no machine');
    const keys: string[] = [];
    machine.host.run = (_job, _step, key) => {
      keys.push(key);
      return Promise.resolve({ status: 'failed', code: 'cancelled', delivery: 'not_delivered' });
    };
    world.submit(jobFor('h_a', 'j'));
    await world.run();
    expect(keys).toEqual([expect.stringMatching(/^fleet:h_a:j:[\w-]{16}:0$/)]);
    expect(world.outcome()).toMatchObject({ status: 'failed', code: 'cancelled', delivery: 'not_delivered', step: 0 });
  });
});

describe('a job that is not trusted', () => {
  it.each([
    ['signed by a seat', () => tenant.signer('seat', 'h_b', { pools: [POOL] })],
    ['of another tenant', () => createTenant().signer('orchestrator', 'orch')],
    [
      'with a card that has expired',
      () => tenant.signer('orchestrator', 'orch', { expires: Math.floor(NOW / 1000) - 1 }),
    ],
  ])('%s is acknowledged and not run', async (_, signer) => {
    using world = new World();
    world.submit(jobFor(POOL, 'j'), await signer());
    await world.run();
    expect(world.bus.queue).toEqual([]);
    expect(world.journal).toEqual([]);
    expect(world.bus.records.size).toBe(0);
  });

  it.each([8, -8])('is not run if its latest start is %i days away', async (days) => {
    using world = new World();
    const at = NOW + days * 86_400_000;
    world.submit(jobFor(POOL, 'j', { at, notAfter: at + 900_000 }));
    await world.run();
    expect(world.bus.queue).toEqual([]);
    expect(world.bus.records.size).toBe(0);
  });

  it.each(['a\r\nb', 'ä', ' '])('is not one with the trace %j, which no request can carry', (traceparent) => {
    expect(jobOf({ ...jobFor(POOL, 'j'), traceparent })).toBeNull();
    expect(jobOf({ ...jobFor(POOL, 'j'), traceparent: '00-1-2-01' })).not.toBeNull();
  });

  it('is not run for an orchestrator whose name is that of a property', () => {
    const rules = {
      orchestrators: { orders: { tokenId: 't', token: 's' } },
      viewers: {},
      isDrained: false,
      onlyWhenIdle: false,
    };
    expect(tokenOf(rules, 'orders')).toEqual({ tokenId: 't', token: 's' });
    for (const name of ['constructor', '__proto__', 'stranger']) expect(tokenOf(rules, name)).toBeNull();
  });

  it('is not run a second time by a pool member that replays it and spoils its record', async () => {
    using world = new World();
    world.submit(jobFor(POOL, 'j'));
    const text = world.bus.queue[0]?.text ?? '';
    await world.run();
    for (const spoiled of ['noise', '', text]) {
      world.write(POOL, 'j', spoiled);
      for (let again = 0; again < 3; again += 1) world.bus.queue.push({ text, id: 'j', target: POOL, isTaken: false });
      world.bus.queue.push(
        { text, id: 'j', target: 'h_b', isTaken: false },
        { text, id: 'k', target: POOL, isTaken: false },
      );
      await world.run();
    }
    expect(world.journal).toEqual(['j.1', 'j.2']);
    expect(world.bus.queue).toEqual([]);
  });
});

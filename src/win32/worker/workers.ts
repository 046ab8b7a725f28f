/**
 * The desktop workers: each program has a process of its own from its binding on, so that a program that hangs stalls
 * only its own agents.
 */
import type { ErrorCode } from '../../contract/errors.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { METHOD_KINDS, type CallContext, type WorkerDesktop } from '../../desktop/index.ts';
import type { ServingWorkers } from '../overlay/protocol.ts';
import type { HeldInput } from '../input/held-input.ts';
import type { OwnInput } from '../windows/person.ts';
import type { MovedWindow } from '../acting/moved-away.ts';
import {
  isFactOfWindow,
  isRealInput,
  isRelease,
  needsFirst,
  programOf,
  sharedThings,
  TERMINALS,
  windowOf,
  type SharedThing,
  SharedUse,
} from './call-kinds.ts';
import { WorkerClient, type WorkerClientOptions, type WorkerStatus } from './client.ts';
import { FIRST, sharedFile, type UndoFile } from './held-file.ts';
import type { Topic } from './protocol.ts';

export interface WorkersOptions extends Omit<
  WorkerClientOptions,
  'place' | 'refBase' | 'ownPids' | 'ownInput' | 'onOwnInput' | 'programAnswers' | 'onState'
> {
  /** The windows that sessions have bound at present: their programs keep their workers. */
  bound(): readonly BindingRecord[];
  /** The most workers at a time, the first included; default: eight. */
  readonly most?: number;
  /** Whether there is memory for one more. */
  hasRoom?(): boolean;
  /** A worker changed state: shown on the event stream. */
  onState?(state: WorkersStatus): void;
  /** Another process serves a program: it may need the foreground. */
  onServing?(serving: ServingWorkers): void;
}

/** The first worker, and further workers for further programs. */
export interface WorkersStatus extends WorkerStatus {
  readonly further: WorkerStatus[];
}

interface Worker {
  /** From 0 on: the lowest that was free. */
  readonly place: number;
  readonly client: WorkerClient;
  /** Who has used it: it may keep something for them. */
  readonly owners: Set<string>;
  /** Its unanswered calls, including calls that wait for their turn. */
  calls: number;
}

/** A program whose windows are used. One worker serves it, always the same. */
interface Program {
  readonly pid: number;
  readonly worker: Worker;
  /** Its calls that have not been answered. */
  calls: number;
}

/** A call to the desktop: topic, method, arguments, and what every call carries. */
type Sent = readonly [topic: Topic, method: string, args: readonly unknown[], call: CallContext];
export type Send = (...sent: Sent) => Promise<unknown>;

/** Each worker takes memory. */
const MOST = 8;
/** A worker that takes no message for this long (ms) is busy: what any worker can answer goes to another one. */
const BUSY_MS = 100;
/** A worker that is silent for this long (ms) is not waited for: another one is started. */
const SILENT_MS = 400;
/** A program that takes no message for this long (ms) hangs, as Windows itself counts. */
const HUNG_MS = 5000;
/** When other workers sent input: a new one must know it for a second. */
const OWN_INPUT_KEPT = 64;

/** The desktop, with each method of the table sending a message; the last argument is the call context. */
export function messagingDesktop(send: Send): WorkerDesktop {
  const topics = (Object.keys(METHOD_KINDS) as Topic[]).map((topic) => [
    topic,
    Object.fromEntries(
      Object.keys(METHOD_KINDS[topic]).map((method) => [
        method,
        (...args: unknown[]) => send(topic, method, args.slice(0, -1), args.at(-1) as CallContext),
      ]),
    ),
  ]);
  return Object.fromEntries(topics) as WorkerDesktop;
}

/** Starts the first worker, and a further one for each further program that is used at the same time. */
export class Workers {
  readonly desktop: WorkerDesktop = messagingDesktop((...sent) => this.#send(...sent));
  readonly #options: WorkersOptions;
  /** In the order of their starts. The first one never ends. */
  readonly #all: Worker[] = [];
  readonly #programs = new Map<string, Program>();
  readonly #things: Record<SharedThing, SharedUse> = {
    clipboard: new SharedUse('the clipboard'),
    input: new SharedUse('keyboard and mouse'),
  };
  /** The highest refs of workers that have ended, by place. */
  readonly #refHighs = new Map<number, number>();
  readonly #ownInput: OwnInput[] = [];
  readonly #heldFile: ((place: number) => UndoFile<HeldInput>) | undefined;
  readonly #movedFile: ((place: number) => UndoFile<MovedWindow>) | undefined;
  #hostPids: readonly number[] = [process.pid];
  #isEnding = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#heldFile = options.heldFile && sharedFile<HeldInput>(options.heldFile);
    this.#movedFile = options.movedFile && sharedFile<MovedWindow>(options.movedFile);
    this.#start();
  }

  get #first(): Worker {
    return this.#all[0]!;
  }

  status(): WorkersStatus {
    const further = this.#all.slice(1).map(({ client }) => client.status());
    return { ...this.#first.client.status(), further };
  }

  /** Which process serves which program. */
  serving(): ServingWorkers {
    const further = [...this.#programs.values()].flatMap(({ pid: program, worker: { place, client } }) => {
      const worker = client.status().pid;
      return place === FIRST || worker === null ? [] : [{ program, worker }];
    });
    return { first: this.#first.client.status().pid, further };
  }

  setOwnPids(pids: readonly number[]): void {
    this.#hostPids = pids;
    for (const { client } of this.#all) client.setOwnPids(this.#pids());
  }

  /** Replaces the workers that are carrying something out, immediately; their calls answer with `code`. */
  restart(code: ErrorCode, reason: string): void {
    const busy = this.#all.filter(({ client }) => client.running() > 0);
    for (const { client } of busy.length > 0 ? busy : [this.#first]) client.restart(code, reason);
  }

  /** Canonical names of the keys that an owner holds down, and of those held by real input, as last reported. */
  heldKeys(owner: string): readonly string[] {
    return this.#all
      .flatMap(({ client }) => client.held())
      .filter((each) => (each.owner === owner || each.hwnd === null) && !each.input.startsWith('mouse-'))
      .map((each) => each.input);
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#all.map(({ client }) => client.close()));
  }

  #send(...sent: Sent): Promise<unknown> {
    const [topic, method, args, call] = sent;
    const record = windowOf(args);
    if (topic === 'binding' && method === 'release') return this.#release(record, sent);
    if (topic === 'keyboard' && method === 'releaseAll') return this.#releaseAll(sent);
    if (record !== null && !isFactOfWindow(topic, method)) return this.#callProgram(record, sent);
    const holder = isRelease(topic, method, args) ? this.#holderOf(call.owner) : undefined;
    if (holder !== undefined) return this.#use(holder, sent);
    if (needsFirst(topic, method)) return this.#use(this.#first, sent);
    const begunAt = performance.now();
    return this.#anyone().then((worker) => this.#use(worker, sent, begunAt));
  }

  async #callProgram(record: BindingRecord, sent: Sent): Promise<unknown> {
    const [topic, method, args, call] = sent;
    const program = this.#programOf(record);
    const isRealRelease = isRelease(topic, method, args) && isRealInput(topic, method, args);
    const holder = isRealRelease ? this.#holderOf(call.owner) : undefined;
    program.calls += 1;
    try {
      return await this.#use(holder ?? program.worker, sent);
    } finally {
      program.calls -= 1;
    }
  }

  /** Sends a call to a worker; what others use too is used in turn. Its time runs from `begunAt`. */
  async #use(worker: Worker, [topic, method, args, call]: Sent, begunAt = performance.now()): Promise<unknown> {
    const ends: Array<() => void> = [];
    worker.owners.add(call.owner);
    worker.calls += 1;
    try {
      for (const thing of sharedThings(topic, method, args)) ends.push(await this.#things[thing].take(worker, call));
      const deadlineMs = Math.max(1, call.deadlineMs - (performance.now() - begunAt));
      return await worker.client.call(topic, method, args, { ...call, deadlineMs });
    } finally {
      worker.calls -= 1;
      for (const end of ends) end();
    }
  }

  /**
   * A binding ends, or all that an owner has: for the workers that serve it, and workers that hold something for it.
   */
  async #release(record: BindingRecord | null, sent: Sent): Promise<void> {
    const { owner } = sent[3];
    const program = record === null ? undefined : this.#programs.get(programOf(record));
    const isConcerned = (worker: Worker): boolean =>
      worker === program?.worker ||
      (record === null && worker.owners.delete(owner)) ||
      [...worker.client.held(), ...worker.client.moved()].some((kept) => kept.owner === owner);
    try {
      await Promise.all(this.#all.filter(isConcerned).map(({ client }) => client.call(...sent)));
    } finally {
      this.#endUnused();
    }
  }

  async #releaseAll(sent: Sent): Promise<void> {
    const reached = this.#all.filter((each) => each === this.#first || each.client.status().state === 'ready');
    await Promise.all(reached.map(({ client }) => client.call(...sent)));
  }

  /** The worker that holds real keys or buttons of an owner: it must release them. */
  #holderOf(owner: string): Worker | undefined {
    return this.#all.find(({ client }) => client.held().some((each) => each.owner === owner && each.hwnd === null));
  }

  /** A worker for what any of them can answer: the first one, unless a program keeps it busy. */
  async #anyone(): Promise<Worker> {
    const { client } = this.#first;
    if ((client.running() === 0 && !client.isDoubted) || (await client.answers(BUSY_MS))) return this.#first;
    const [ready] = this.#all
      .filter((each) => each !== this.#first && each.client.status().state === 'ready' && !each.client.isDoubted)
      .toSorted((one, other) => one.client.running() - other.client.running());
    if (ready !== undefined) return ready;
    if (!this.#mayStart() || (await client.answers(SILENT_MS))) return this.#first;
    return this.#all[1] ?? this.#start();
  }

  #programOf(record: BindingRecord): Program {
    const key = programOf(record);
    const known = this.#programs.get(key);
    if (known !== undefined) return known;
    this.#forgetUnbound();
    const program = { pid: record.pid, worker: key === TERMINALS ? this.#first : this.#workerForNext(), calls: 0 };
    this.#programs.set(key, program);
    this.#options.onServing?.(this.serving());
    return program;
  }

  /**
   * A worker without programs, else a new one. At the limit it is the one with the fewest; the first one, which lists
   * windows for all, only if it has fewer than any other.
   */
  #workerForNext(): Worker {
    const idle = this.#all.find((each) => this.#load(each) === 0);
    if (idle !== undefined) return idle;
    if (this.#mayStart()) return this.#start();
    const [first, ...further] = this.#all;
    return [...further, first!].toSorted((one, other) => this.#load(one) - this.#load(other))[0]!;
  }

  #load(worker: Worker): number {
    return [...this.#programs.values()].filter((program) => program.worker === worker).length;
  }

  /** A program without a bound window and without calls counts no longer: its refs were released. */
  #forgetUnbound(): void {
    const bound = new Set(this.#options.bound().map(programOf));
    for (const [key, { calls }] of this.#programs) if (calls === 0 && !bound.has(key)) this.#programs.delete(key);
  }

  /** Ends workers without programs, but for one: the next program has it at once. */
  #endUnused(): void {
    this.#forgetUnbound();
    const unused = this.#all.filter(
      (each) =>
        this.#load(each) === 0 &&
        each.calls === 0 &&
        each.client.held().length === 0 &&
        each.client.moved().length === 0,
    );
    for (const worker of unused.slice(1)) {
      this.#all.splice(this.#all.indexOf(worker), 1);
      this.#refHighs.set(worker.place, worker.client.refHigh());
      void worker.client.close();
    }
    if (unused.length > 1) this.#changed();
  }

  #mayStart(): boolean {
    const { most = MOST, hasRoom } = this.#options;
    return this.#all.length < most && !this.#isEnding && (hasRoom?.() ?? true);
  }

  #start(): Worker {
    let place = FIRST;
    while (this.#all.some((each) => each.place === place)) place += 1;
    const client = new WorkerClient({
      ...this.#options,
      place,
      // A worker that ends unexpectedly may have used refs without reporting them.
      refBase: this.#refHighs.has(place) ? this.#refHighs.get(place)! + 1 : 0,
      ownPids: this.#pids(),
      ownInput: () => this.#ownInput,
      ...(this.#heldFile === undefined ? {} : { heldFile: this.#heldFile(place) }),
      ...(this.#movedFile === undefined ? {} : { movedFile: this.#movedFile(place) }),
      onOwnInput: (own) => {
        this.#ownInput.push(own);
        if (this.#ownInput.length > OWN_INPUT_KEPT) this.#ownInput.shift();
        for (const each of this.#all) if (each.place !== place) each.client.inputElsewhere(own);
      },
      programAnswers: (record) => this.#programAnswers(record),
      onState: () => {
        // The first state is reported while the client is being made.
        if (this.#all.some((each) => each.place === place)) this.#changed();
      },
    });
    const worker: Worker = { place, client, owners: new Set(), calls: 0 };
    this.#all.push(worker);
    this.#changed();
    return worker;
  }

  /** Whether a program is slow and does not hang, asked by a worker that does not wait for it. */
  async #programAnswers(record: BindingRecord): Promise<boolean> {
    const call = { owner: '', deadlineMs: 2 * HUNG_MS, signal: new AbortController().signal };
    try {
      return await this.desktop.system.answers(record, HUNG_MS, { ...call, remoteControlMemory: false });
    } catch {
      return false;
    }
  }

  #pids(): number[] {
    return [...this.#hostPids, ...this.#all.map(({ client }) => client.status().pid).filter((pid) => pid !== null)];
  }

  /** The processes of the workers have changed. */
  #changed(): void {
    for (const { client } of this.#all) client.setOwnPids(this.#pids());
    this.#options.onState?.(this.status());
    this.#options.onServing?.(this.serving());
  }
}

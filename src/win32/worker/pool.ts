/** The desktop workers: windows of different programs do not wait for each other, since each program has a worker within a limit. */
import type { ErrorCode } from '../../contract/errors.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { CallContext, WorkerDesktop } from '../../desktop/index.ts';
import type { ServingWorkers } from '../overlay/protocol.ts';
import type { HeldInput } from '../input/held-input.ts';
import type { OwnInput } from '../windows/person.ts';
import type { MovedWindow } from '../windows/moved-away.ts';
import {
  beginsAction,
  isRealInput,
  isRelease,
  needsFirst,
  programOf,
  sharedThings,
  windowOf,
  type SharedThing,
} from './call-kinds.ts';
import { createWorkerClient, type WorkerClient, type WorkerClientOptions, type WorkerStatus } from './client.ts';
import { sharedFile } from './held-file.ts';
import { messagingDesktop, type Send } from './messaging-desktop.ts';
import { averageBusy, chooseWorker, FIRST, freePlace, IDLE_MS, type RoutedProgram } from './routing.ts';
import { SharedUse } from './shared-use.ts';

export interface WorkerPoolOptions extends Omit<
  WorkerClientOptions,
  'place' | 'refBase' | 'threads' | 'ownPids' | 'ownInput' | 'onOwnInput' | 'onBusy' | 'onState'
> {
  /** The most workers at a time, the first included. */
  readonly most: number;
  /** Whether there is memory for one more. */
  hasRoom?(): boolean;
  /** Milliseconds until a further worker without use ends. */
  readonly idleMs?: number;
  /** A worker changed state: shown on the event stream. */
  onState?(state: WorkersStatus): void;
  /** Another process serves a program: it may need the foreground. */
  onServing?(serving: ServingWorkers): void;
}

/** The first worker, and the further ones that run for further programs. */
export interface WorkersStatus extends WorkerStatus {
  readonly further: readonly WorkerStatus[];
}

export interface WorkerPool {
  readonly desktop: WorkerDesktop;
  status(): WorkersStatus;
  setOwnPids(pids: readonly number[]): void;
  /** Replaces the workers that are carrying something out, immediately; their calls answer with `code`. */
  restart(code: ErrorCode, reason: string): void;
  /** Canonical names of the keys that an owner holds down, and of those held by real input, as last reported. */
  heldKeys(owner: string): readonly string[];
  /** Which process serves which program. */
  serving(): ServingWorkers;
  close(): Promise<void>;
}

/** A worker of the pool. */
interface Member {
  readonly place: number;
  readonly client: WorkerClient;
  /** The program that it was started for, until that is here. */
  startedFor: string | null;
  usedAt: number;
}

/** A program with windows in use. */
interface Program {
  readonly key: string;
  readonly pid: number;
  readonly since: number;
  /** Who has it bound, or has acted on it. */
  readonly owners: Set<string>;
  member: Member;
  usedAt: number;
  /** Its calls that have not been answered. */
  calls: number;
  moving: Promise<void> | null;
  /** How long its calls keep a worker busy (`averageBusy`). */
  busyMs: number;
}

/** A worker that takes no message for this long (ms) is busy: what any worker can answer goes to another one. */
const BUSY_MS = 100;
/** After this (ms) a further worker is started: what the action sends is on its way by then. */
const SEND_FIRST_MS = 20;
/** A worker that is silent for this long (ms) is not waited for: another one is started. */
const SILENT_MS = 400;
/** How long (ms) a program waits for what its worker kept of it, when it moves. */
const GIVE_MS = 1000;
/**
 * Threads of a further worker for calls that wait: it serves a part of the programs, and each thread takes memory, used or
 * not.
 */
const FURTHER_THREADS = 12;
/** When other workers sent input: a new one must know it for a second. */
const OWN_INPUT_KEPT = 64;
/** A program without a call for this long (ms) keeps no worker busy. */
const ACTIVE_MS = 3000;
/** Beyond this many, programs that are not in use are forgotten. */
const MANY_PROGRAMS = 256;

/** Starts the first worker, and further ones when windows of further programs are used. */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { most, idleMs = IDLE_MS } = options;
  const members = new Map<number, Member>();
  const programs = new Map<string, Program>();
  /** Actions that have begun: a program moves between two actions. */
  const begun = new WeakSet<AbortSignal>();
  /** Programs whose worker is about to be started. */
  const starting = new Set<string>();
  const things: Record<SharedThing, SharedUse> = {
    clipboard: new SharedUse('the clipboard'),
    input: new SharedUse('keyboard and mouse'),
  };
  /** The highest refs of workers that have ended, by place. */
  const refHighs = new Map<number, number>();
  const ownInput: OwnInput[] = [];
  let hostPids: readonly number[] = [process.pid];
  let isEnding = false;
  const heldFile = options.heldFile && sharedFile<HeldInput>(options.heldFile);
  const movedFile = options.movedFile && sharedFile<MovedWindow>(options.movedFile);

  const allPids = (): number[] => [
    ...hostPids,
    ...[...members.values()].map(({ client }) => client.status().pid).filter((pid) => pid !== null),
  ];
  const tellPids = (): void => {
    for (const { client } of members.values()) client.setOwnPids(allPids());
  };
  /** The processes of the workers have changed. */
  const changed = (): void => {
    tellPids();
    options.onState?.(status());
    options.onServing?.(serving());
  };

  function start(place: number, startedFor: string | null): Member {
    const client = createWorkerClient({
      ...options,
      place,
      ...(place === FIRST ? {} : { threads: FURTHER_THREADS }),
      // A worker that ends unexpectedly may have used refs without reporting them.
      refBase: refHighs.has(place) ? refHighs.get(place)! + 1 : 0,
      ownPids: allPids(),
      ownInput: () => ownInput,
      ...(heldFile === undefined ? {} : { heldFile: heldFile(place) }),
      ...(movedFile === undefined ? {} : { movedFile: movedFile(place) }),
      onOwnInput(own) {
        ownInput.push(own);
        if (ownInput.length > OWN_INPUT_KEPT) ownInput.shift();
        for (const each of members.values()) if (each.place !== place) each.client.inputElsewhere(own);
      },
      onBusy(record, ms) {
        const program = programs.get(programOf(record));
        if (program !== undefined) program.busyMs = averageBusy(program.busyMs, ms);
      },
      onState() {
        // The first state is reported while the client is being made.
        if (!members.has(place)) return;
        changed();
      },
    });
    const member: Member = { place, client, startedFor, usedAt: performance.now() };
    members.set(place, member);
    changed();
    return member;
  }

  const first = start(FIRST, null);

  function status(): WorkersStatus {
    const further = [...members.values()].filter(({ place }) => place !== FIRST);
    return {
      ...members.get(FIRST)!.client.status(),
      further: further.map(({ client }) => client.status()),
    };
  }

  function serving(): ServingWorkers {
    const further = [...programs.values()].flatMap(({ pid, member }) => {
      const worker = member.client.status().pid;
      return member.place === FIRST || worker === null ? [] : [{ program: pid, worker }];
    });
    return { first: members.get(FIRST)!.client.status().pid, further };
  }

  const isReady = ({ client }: Member): boolean => client.status().state === 'ready';
  const isInUse = ({ usedAt, calls }: Program): boolean => calls > 0 || performance.now() - usedAt < idleMs;
  const isActive = ({ usedAt, calls }: Program): boolean => calls > 0 || performance.now() - usedAt < ACTIVE_MS;
  const routed = (program: Program): RoutedProgram => ({
    key: program.key,
    place: program.member.place,
    since: program.since,
    isInUse: isInUse(program),
    busyMs: isActive(program) ? program.busyMs : 0,
  });
  const mayStart = (): boolean => members.size < most && !isEnding && (options.hasRoom?.() ?? true);

  function programFor(record: BindingRecord): Program {
    const key = programOf(record);
    let program = programs.get(key);
    if (program === undefined) {
      if (programs.size >= MANY_PROGRAMS)
        for (const each of programs.values())
          if (each.member === first && each.calls === 0 && !isInUse(each)) programs.delete(each.key);
      const now = performance.now();
      program = {
        key,
        pid: record.pid,
        since: now,
        owners: new Set(),
        member: first,
        usedAt: now,
        calls: 0,
        moving: null,
        busyMs: 0,
      };
      programs.set(key, program);
    }
    return program;
  }

  /** Moves a program with what is kept of it. A worker that does not answer keeps nothing of use: the refs are gone. */
  async function move(program: Program, to: Member): Promise<void> {
    const owners = [...program.owners];
    const kept = await program.member.client.give(program.pid, owners, GIVE_MS);
    to.startedFor = null;
    if (kept === null) return;
    if (kept !== 'silent') to.client.take(kept);
    program.member = to;
    to.usedAt = performance.now();
    options.onServing?.(serving());
  }

  const moveTo = async (program: Program, to: Member): Promise<void> => {
    program.moving = move(program, to);
    await program.moving.finally(() => {
      program.moving = null;
    });
  };

  /** The start blocks this thread for a tenth of a second: an action that begins is sent first. */
  const startSoon = (key: string): void => {
    starting.add(key);
    setTimeout(() => {
      if (mayStart() && programs.has(key)) start(freePlace([...members.values()]), key);
      starting.delete(key);
    }, SEND_FIRST_MS);
  };

  /** An action begins on a program: it may be served elsewhere from now on. */
  async function settle(program: Program, call: CallContext): Promise<void> {
    const workers = [...members.values()].map((each) => ({
      place: each.place,
      isReady: isReady(each),
      startedFor: each.startedFor !== null && programs.has(each.startedFor) ? each.startedFor : null,
    }));
    const choice = chooseWorker(
      routed(program),
      [...programs.values()].map(routed),
      workers,
      mayStart() ? most : members.size,
    );
    if (choice.kind === 'stay' || (choice.kind === 'start' && starting.has(program.key))) return;
    if (choice.kind !== 'move') {
      const { client } = program.member;
      const isStuck = client.running() > 0 && !(await client.answers(SILENT_MS));
      if (choice.kind === 'start' && !isStuck) startSoon(program.key);
      if (!isStuck) return;
    }
    const to =
      choice.kind === 'start' ? start(freePlace([...members.values()]), program.key) : members.get(choice.place);
    if (to === undefined) return;
    await to.client.untilReady(call);
    if (program.calls === 0 && program.moving === null) await moveTo(program, to);
  }

  /** A worker for what any of them can answer. */
  async function anyMember(call: CallContext): Promise<Member> {
    if (!isReady(first) || first.client.running() === 0 || most === 1 || (await first.client.answers(BUSY_MS)))
      return first;
    const others = [...members.values()].filter((each) => each !== first && isReady(each));
    const [other] = others.toSorted((one, two) => one.client.running() - two.client.running());
    if (other !== undefined) return other;
    if (!mayStart() || (await first.client.answers(SILENT_MS))) return first;
    const started =
      [...members.values()].find((each) => each !== first) ?? start(freePlace([...members.values()]), null);
    return Promise.race([
      started.client.untilReady(call).then(() => started),
      first.client.answers(call.deadlineMs).then((does) => (does ? first : started)),
    ]);
  }

  /** The worker that holds real keys or buttons of an owner: it lets go of them. */
  const holderOf = (owner: string): Member | undefined =>
    [...members.values()].find(({ client }) =>
      client.held().some((each) => each.owner === owner && each.hwnd === null),
    );

  /** Sends a call to a worker; what others use too is used in turn. */
  const use = async (member: Member, ...[topic, method, args, call]: Parameters<Send>): Promise<unknown> => {
    const begunAt = performance.now();
    const { deadlineMs } = call;
    member.usedAt = begunAt;
    const ends: Array<() => void> = [];
    try {
      for (const thing of sharedThings(topic, method, args)) ends.push(await things[thing].take(member, call));
      const left = Math.max(1, deadlineMs - (performance.now() - begunAt));
      return await member.client.call(
        topic,
        method,
        args,
        left < deadlineMs - 1 ? { ...call, deadlineMs: Math.min(call.deadlineMs, left) } : call,
      );
    } finally {
      member.usedAt = performance.now();
      for (const end of ends) end();
    }
  };

  const callProgram = async (record: BindingRecord, ...sent: Parameters<Send>): Promise<unknown> => {
    const [topic, method, args, call] = sent;
    // Facts of a window that its program is not asked for: they do not count as use.
    if (topic === 'binding' && (method === 'describe' || method === 'isAlive'))
      return use(programs.get(programOf(record))?.member ?? first, ...sent);
    const program = programFor(record);
    program.owners.add(call.owner);
    program.usedAt = performance.now();
    await program.moving;
    const begins = beginsAction(topic, method) || call.verification?.isDue === true;
    if (begins && program.calls === 0 && !begun.has(call.signal)) await settle(program, call);
    await program.moving;
    begun.add(call.signal);
    const holder =
      isRelease(topic, method, args) && isRealInput(topic, method, args) ? holderOf(call.owner) : undefined;
    program.calls += 1;
    try {
      return await use(holder ?? program.member, ...sent);
    } finally {
      program.calls -= 1;
      program.usedAt = performance.now();
    }
  };

  /** A binding ends, or all that an owner has: for the workers of its programs, and those that hold something for it. */
  const release = async (record: BindingRecord | null, ...sent: Parameters<Send>): Promise<void> => {
    const { owner } = sent[3];
    const ending = [...programs.values()].filter((program) =>
      record === null ? program.owners.has(owner) : program.key === programOf(record),
    );
    for (const program of ending) await program.moving;
    const concerned = new Set(ending.map((program) => program.member));
    if (record === null || ending.length === 0) concerned.add(first);
    for (const each of members.values())
      if ([...each.client.held(), ...each.client.moved()].some((kept) => kept.owner === owner)) concerned.add(each);
    for (const program of ending) {
      program.owners.delete(owner);
      if (program.owners.size === 0 && program.calls === 0) programs.delete(program.key);
    }
    await Promise.all([...concerned].map(({ client }) => client.call(...sent)));
  };

  const send: Send = async (...sent) => {
    const [topic, method, args, call] = sent;
    const record = windowOf(args);
    if (topic === 'binding' && method === 'release') return release(record, ...sent);
    if (topic === 'keyboard' && method === 'releaseAll') {
      await Promise.all(
        [...members.values()]
          .filter((each) => each === first || isReady(each))
          .map(({ client }) => client.call(...sent)),
      );
      return undefined;
    }
    if (record !== null && topic !== 'system') return callProgram(record, ...sent);
    const holder = isRelease(topic, method, args) ? holderOf(call.owner) : undefined;
    return use(holder ?? (needsFirst(topic, method) ? first : await anyMember(call)), ...sent);
  };

  /** Ends further workers without use. Their programs go back to the first one, with what is kept of them. */
  const tidy = async (): Promise<void> => {
    const now = performance.now();
    for (const member of members.values()) {
      const own = [...programs.values()].filter((program) => program.member === member);
      const isIdle =
        member !== first &&
        now - member.usedAt > idleMs &&
        member.client.running() === 0 &&
        !own.some((program) => isInUse(program) || program.moving !== null);
      if (!isIdle) continue;
      for (const program of own) await moveTo(program, first);
      const isNeeded =
        member.client.running() > 0 ||
        performance.now() - member.usedAt <= idleMs ||
        [...programs.values()].some((program) => program.member === member) ||
        member.client.held().length > 0 ||
        member.client.moved().length > 0;
      if (isNeeded) continue;
      members.delete(member.place);
      refHighs.set(member.place, member.client.refHigh());
      await member.client.close();
      changed();
    }
  };
  let tidying = false;
  const timer = setInterval(() => {
    if (tidying || members.size === 1) return;
    tidying = true;
    void tidy().finally(() => {
      tidying = false;
    });
  }, idleMs / 4);
  timer.unref();

  return {
    desktop: messagingDesktop(send),
    status,
    setOwnPids(pids) {
      hostPids = pids;
      tellPids();
    },
    restart(code, reason) {
      const busy = [...members.values()].filter(({ client }) => client.running() > 0);
      for (const { client } of busy.length > 0 ? busy : [first]) client.restart(code, reason);
    },
    heldKeys: (owner) =>
      [...members.values()]
        .flatMap(({ client }) => client.held())
        .filter((each) => (each.owner === owner || each.hwnd === null) && !each.input.startsWith('mouse-'))
        .map((each) => each.input),
    serving,
    async close() {
      isEnding = true;
      clearInterval(timer);
      await Promise.all([...members.values()].map(({ client }) => client.close()));
    },
  };
}

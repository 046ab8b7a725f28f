/** Carries out what the state machine decides: starts, tells, ends and watches hosts, and keeps the record. */
import { POLICY_REFUSED } from '../contract/process/exit-codes.ts';
import {
  encodeMessage,
  LINK_SESSION,
  LineReader,
  readFromHost,
  type LocalHost,
  type ToHost,
} from '../contract/process/service-channel.ts';
import { Supervision, EVENTS, type Effect, type Happening, type Level } from './supervision.ts';
import type { ServiceEvent, ServiceSession } from '../contract/process/service-status.ts';
import type { StartedProcess } from './service-record.ts';

/** A host as the system shows it. */
export interface HostProcess {
  readonly pid: number;
  readonly created: string;
  send(text: string): boolean;
  endInput(): void;
  /** What it wrote since the last call. */
  read(): string;
  kill(): void;
}

/** What the supervisor needs of the system; tests replace it. */
export interface SupervisorSystem {
  /** In session 0 it is the fleet's link. Errors: any, with a message for the administrator. */
  startHost(session: number, onExit: (status: number) => void): HostProcess;
  /** Milliseconds that never run backwards. */
  nowMs(): number;
  time(): string;
  setTimer(milliseconds: number, call: () => void): Disposable;
  report(level: Level, id: number, text: string): void;
  /** Why the machine's policy is not valid; null if it is. */
  policyProblem?(): string | null;
  /** Why it gives a session no host; null if it gives one. Read with `policyProblem`. */
  unwanted?(session: number): string | null;
  /** It is ready, and how programs of this machine reach it. */
  ready?(session: number, local: LocalHost | undefined): void;
  gone?(session: number): void;
}

export interface SupervisorRecord {
  note(event: ServiceEvent): void;
  log(fields: Readonly<Record<string, unknown>>, text: string): void;
  save(sessions: readonly ServiceSession[], processes: readonly StartedProcess[]): void;
}

interface Running {
  readonly process: HostProcess;
  readonly lines: LineReader;
  reading: Disposable | null;
}

/** A host answers within two seconds of its start: it is checked often until then. */
const READ_STARTING_MS = 50;
/** Later it writes only when it is in trouble; its pipe must not fill up, or it would wait for us. */
const READ_RUNNING_MS = 5000;
/** Characters of one line of a host's output in the log. */
const MOST_WORDS = 500;

export class Supervisor {
  readonly #system: SupervisorSystem;
  readonly #record: SupervisorRecord;
  readonly #supervision = new Supervision();
  readonly #running = new Map<number, Running>();
  readonly #wakes = new Map<number, Disposable>();
  readonly #finished = Promise.withResolvers<void>();

  constructor(system: SupervisorSystem, record: SupervisorRecord) {
    this.#system = system;
    this.#record = record;
  }

  /** Resolves when no host is left after a stop. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  /** Reads the machine's policy, and starts the hosts that waited for it. */
  readPolicy(): void {
    const why = this.#system.policyProblem?.() ?? null;
    const unwanted = new Map<number, string>();
    for (const { session } of this.#supervision.sessions()) {
      const reason = this.#system.unwanted?.(session) ?? null;
      if (reason !== null) unwanted.set(session, reason);
    }
    this.handle({ kind: 'policy', why, unwanted });
  }

  /** A user is signed in to a session. */
  open(session: number, user: string | null): void {
    this.handle({ kind: 'opened', session, user, unwanted: this.#system.unwanted?.(session) ?? null });
  }

  handle(happening: Happening): void {
    // What an effect makes happen is handled at once: a queue keeps the order.
    const queue: Happening[] = [happening];
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      for (const effect of this.#supervision.handle(next, this.#system.nowMs())) {
        const result = this.#carryOut(effect);
        if (result !== null) queue.push(result);
      }
    this.save();
  }

  /** Notes an event in the record, the log and Windows' event log. */
  report(level: Level, event: keyof typeof EVENTS, text: string): void {
    this.#record.note({ time: this.#system.time(), level, id: EVENTS[event], text });
    this.#system.report(level, EVENTS[event], text);
  }

  #carryOut(effect: Effect): Happening | null {
    switch (effect.do) {
      case 'start':
        return this.#start(effect.session);
      case 'tell':
        this.send(effect.session, { kind: 'session', change: effect.change });
        return null;
      case 'end':
        this.send(effect.session, { kind: 'end', reason: effect.reason });
        this.#running.get(effect.session)?.process.endInput();
        return null;
      case 'kill':
        this.#running.get(effect.session)?.process.kill();
        return null;
      case 'wake':
        this.#wakes.get(effect.session)?.[Symbol.dispose]();
        this.#wakes.set(
          effect.session,
          this.#system.setTimer(effect.afterMs, () => this.handle({ kind: 'woken', session: effect.session })),
        );
        return null;
      case 'report':
        this.report(effect.level, effect.event, effect.text);
        return null;
      case 'finish':
        for (const wake of this.#wakes.values()) wake[Symbol.dispose]();
        this.#finished.resolve();
        return null;
    }
  }

  /** The log has what happened to the session, and of anything else only its kind: there are secrets in it. */
  send(session: number, message: ToHost): void {
    const isSent = this.#running.get(session)?.process.send(encodeMessage(message)) ?? false;
    const { kind } = message;
    const told = kind === 'session' || kind === 'end' ? message : { kind };
    this.#record.log({ session, ...told, isSent }, 'told the host');
  }

  #start(session: number): Happening {
    try {
      const process = this.#system.startHost(session, (status) => this.#ended(session, status));
      this.#running.set(session, { process, lines: new LineReader(), reading: null });
      this.#read(session, READ_STARTING_MS);
      this.#record.log({ session, host: process.pid }, 'started a host');
      return { kind: 'started', session, pid: process.pid, at: this.#system.time() };
    } catch (error) {
      return { kind: 'not-started', session, why: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Reads what the host writes, and again after a while. */
  #read(session: number, everyMs: number): void {
    const running = this.#running.get(session);
    if (running === undefined) return;
    const isReady = this.#drain(session, running);
    running.reading = this.#system.setTimer(isReady ? READ_RUNNING_MS : everyMs, () =>
      this.#read(session, isReady ? READ_RUNNING_MS : everyMs),
    );
  }

  /** True once it has said that it is ready. */
  #drain(session: number, { process, lines }: Running): boolean {
    let isReady = false;
    for (const line of lines.add(process.read())) {
      const message = readFromHost(line);
      if (message === null) {
        if (line !== '')
          this.#record.log({ session, host: process.pid, said: line.slice(0, MOST_WORDS) }, 'the host said');
        continue;
      }
      if (message.kind === 'failed') {
        this.#record.log({ session, host: process.pid, why: message.why }, 'the host said why it ends');
        this.handle({ kind: 'failed', session, pid: process.pid, why: message.why });
        continue;
      }
      // a host without an address is none
      if (message.url === '' && session !== LINK_SESSION) continue;
      isReady = true;
      this.handle({ kind: 'ready', session, pid: process.pid, url: message.url });
      this.#system.ready?.(session, message.local);
    }
    return isReady;
  }

  #ended(session: number, status: number): void {
    const running = this.#running.get(session);
    if (running === undefined) return;
    this.#drain(session, running);
    running.reading?.[Symbol.dispose]();
    this.#running.delete(session);
    this.#system.gone?.(session);
    // The machine's policy, of which no change was reported yet, is one reason; its user's is the other.
    if (status === POLICY_REFUSED) this.readPolicy();
    this.handle({ kind: 'exited', session, pid: running.process.pid, status });
  }

  /** Writes the record as it is now. */
  save(): void {
    this.#record.save(
      this.#supervision.sessions(),
      [...this.#running].map(([session, { process }]) => ({ session, pid: process.pid, created: process.created })),
    );
  }
}

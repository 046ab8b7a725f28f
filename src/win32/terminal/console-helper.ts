import { fork, type ChildProcess } from 'node:child_process';
import type { CallContext } from '../../desktop/call.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { HELPER_FLAGS } from '../../contract/node-flags.ts';
import { Deadline } from '../waiting.ts';
import type { ConsoleAnswers, ConsoleProblem, ConsoleRequest, FromConsoleHelper, ToConsoleHelper } from './console-protocol.ts';

/** A console answers in milliseconds; its program can be stopped in a debugger, and then it never does. */
const ANSWER_MS = 3000;
/** A new process of Node needs a quarter of a second, on a busy machine some seconds. */
const START_MS = 15_000;

/** What changes something in the console. */
const WRITES: ReadonlySet<ConsoleRequest['op']> = new Set(['write', 'press']);

/** Why a console gave no answer, as data: what to do about it is the caller's. */
export class ConsoleUnreachable extends Error {
  readonly problem: ConsoleProblem;
  readonly code: number;
  constructor(problem: ConsoleProblem, code: number) {
    super(`The console could not be reached: ${problem} (Windows error ${code}).`);
    this.problem = problem;
    this.code = code;
  }
}

interface Waiting {
  /** Keys may have gone in although no answer came. */
  readonly isWrite: boolean;
  resolve(value: never): void;
  reject(error: Error): void;
}

/**
 * Owns the helper process that joins other programs' consoles. Started at its first use and kept; one that hangs is
 * killed, and the next request starts another. It ends with this process, whose channel it listens to.
 */
export class ConsoleHelper implements Disposable {
  readonly #file: string;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | null = null;
  #ready: Promise<void> = Promise.resolve();
  #nextId = 1;

  /** `file`: bundle or source of the helper. */
  constructor(file: string) {
    this.#file = file;
  }

  /** Process of the helper that runs now. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /**
   * Asks the helper. Errors: ConsoleUnreachable; window_hung where the console does not answer in time (the helper is
   * replaced, and what was written may have arrived); cancelled.
   */
  async ask<R extends ConsoleRequest>(request: R, call: CallContext, most = ANSWER_MS): Promise<ConsoleAnswers[R['op']]> {
    const deadline = new Deadline(call);
    await within(this.#start(), Math.min(START_MS, deadline.remaining(50)), () => {
      this.#kill();
      return new UiaHostError('deadline_exceeded', 'The console helper did not start in time; nothing was sent.');
    });
    const child = this.#child;
    if (child === null) throw new UiaHostError('worker_restarted', 'The console helper ended as it started; nothing was sent.');
    const id = this.#nextId;
    this.#nextId += 1;
    const answer = new Promise<ConsoleAnswers[R['op']]>((resolve, reject) => { this.#waiting.set(id, { isWrite: WRITES.has(request.op), resolve, reject }); });
    child.send({ id, request } satisfies ToConsoleHelper, () => {});
    try {
      return await within(answer, Math.min(most, deadline.remaining(20)), () => {
        this.#waiting.delete(id);
        this.#kill();
        return new UiaHostError('window_hung', 'The console does not answer; its helper was ended.', { delivery: WRITES.has(request.op) ? 'unknown' : 'not_delivered' });
      });
    } finally {
      this.#waiting.delete(id);
    }
  }

  #start(): Promise<void> {
    if (this.#child !== null) return this.#ready;
    const child = fork(this.#file, [], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'], windowsHide: true, execArgv: [...HELPER_FLAGS] } as Parameters<typeof fork>[2]);
    this.#child = child;
    this.#ready = new Promise((resolve, reject) => {
      child.on('message', (message) => {
        const told = message as FromConsoleHelper;
        if (told.kind === 'ready') resolve();
        else this.#answer(told);
      });
      child.on('error', (error) => reject(new UiaHostError('internal', 'The console helper could not be started.', { cause: error })));
      child.on('exit', () => {
        if (this.#child === child) this.#child = null;
        reject(new UiaHostError('worker_restarted', 'The console helper ended as it started; nothing was sent.'));
        this.#failAll();
      });
    });
    this.#ready.catch(() => {});
    return this.#ready;
  }

  #answer(told: Exclude<FromConsoleHelper, { kind: 'ready' }>): void {
    const waiting = this.#waiting.get(told.id);
    if (told.kind === 'answer') waiting?.resolve(told.value as never);
    else waiting?.reject(new ConsoleUnreachable(told.problem, told.error));
  }

  /**
   * A console that is closed takes every process in it along, the helper too if it is in it at that moment. What only
   * looks may be asked again; keys are never written twice.
   */
  #failAll(): void {
    for (const { isWrite, reject } of this.#waiting.values()) {
      reject(isWrite ? new UiaHostError('worker_restarted', 'The console helper ended while it wrote keys; it is started again.', { delivery: 'unknown' }) : new ConsoleUnreachable('gone', 0));
    }
    this.#waiting.clear();
  }

  #kill(): void {
    const child = this.#child;
    this.#child = null;
    child?.removeAllListeners('exit');
    child?.kill('SIGKILL');
    this.#failAll();
  }

  [Symbol.dispose](): void {
    this.#kill();
  }
}

async function within<T>(promise: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => { timer = setTimeout(() => reject(late()), milliseconds); });
  // Whichever loses the race may still fail.
  promise.catch(() => {});
  try { return await Promise.race([promise, over]); } finally { clearTimeout(timer); }
}

/** The worker's side of the console helper, the process that joins other programs' consoles. */
import { SupervisedChild } from '../../base/child.ts';
import { PendingCalls } from '../../base/pending-calls.ts';
import type { CallContext } from '../../desktop/call.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { HELPER_FLAGS } from '../../contract/node-flags.ts';
import { Deadline } from '../windows/waiting.ts';
import type {
  ConsoleAnswers,
  ConsoleProblem,
  ConsoleRequest,
  FromConsoleHelper,
  ToConsoleHelper,
} from './console-protocol.ts';

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

/**
 * Owns the helper process that joins other programs' consoles. Started at its first use and kept; one that hangs is
 * killed, and the next request starts another. It ends with this process, whose channel it listens to.
 */
export class ConsoleHelper implements Disposable {
  readonly #child: SupervisedChild<ToConsoleHelper, FromConsoleHelper>;
  /** About each request: whether it may have written keys although no answer came. */
  readonly #waiting = new PendingCalls<boolean>();
  #ready = Promise.withResolvers<void>();

  /** `file`: bundle or source of the helper. */
  constructor(file: string) {
    this.#child = new SupervisedChild({
      file,
      flags: HELPER_FLAGS,
      isKept: false,
      onMessage: (told) => this.#take(told),
      onError: (error) =>
        this.#ready.reject(new UiaHostError('internal', 'The console helper could not be started.', { cause: error })),
      onLost: () => {
        this.#ready.reject(
          new UiaHostError('worker_restarted', 'The console helper ended as it started; nothing was sent.'),
        );
        this.#failAll();
      },
    });
  }

  /** Process of the helper that runs now. */
  get pid(): number | null {
    return this.#child.pid;
  }

  /**
   * Asks the helper. Errors: ConsoleUnreachable; window_hung where the console does not answer in time (the helper is
   * replaced, and what was written may have arrived); cancelled.
   */
  async ask<R extends ConsoleRequest>(
    request: R,
    call: CallContext,
    most = ANSWER_MS,
  ): Promise<ConsoleAnswers[R['op']]> {
    const deadline = new Deadline(call);
    await within(this.#start(), Math.min(START_MS, deadline.remaining(50)), () => {
      this.#kill();
      return new UiaHostError('deadline_exceeded', 'The console helper did not start in time; nothing was sent.');
    });
    if (!this.#child.isRunning)
      throw new UiaHostError('worker_restarted', 'The console helper ended as it started; nothing was sent.');
    const isWrite = WRITES.has(request.op);
    const { id, answer } = this.#waiting.open(isWrite, {
      withinMs: Math.min(most, deadline.remaining(20)),
      late: () => {
        this.#kill();
        return new UiaHostError('window_hung', 'The console does not answer; its helper was ended.', {
          delivery: isWrite ? 'unknown' : 'not_delivered',
        });
      },
    });
    this.#child.send({ id, request });
    return (await answer) as ConsoleAnswers[R['op']];
  }

  #start(): Promise<void> {
    if (!this.#child.isRunning) {
      this.#ready = Promise.withResolvers();
      // Whoever asks next hears of it.
      this.#ready.promise.catch(() => {});
      this.#child.start();
    }
    return this.#ready.promise;
  }

  #take(told: FromConsoleHelper): void {
    if (told.kind === 'ready') this.#ready.resolve();
    else if (told.kind === 'answer') this.#waiting.answered(told.id, told.value);
    else this.#waiting.failed(told.id, new ConsoleUnreachable(told.problem, told.error));
  }

  /**
   * A console that is closed takes every process in it along, the helper too if it is in it at that moment. What only
   * looks may be asked again; keys are never written twice.
   */
  #failAll(): void {
    this.#waiting.failAll((isWrite) =>
      isWrite
        ? new UiaHostError('worker_restarted', 'The console helper ended while it wrote keys; it is started again.', {
            delivery: 'unknown',
          })
        : new ConsoleUnreachable('gone', 0),
    );
  }

  #kill(): void {
    this.#child.replace(() => this.#failAll());
  }

  [Symbol.dispose](): void {
    this.#kill();
  }
}

async function within<T>(promise: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  // Whichever loses the race may still fail.
  promise.catch(() => {});
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}

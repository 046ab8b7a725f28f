/** The worker's side of the console helper, the process that attaches to other programs' consoles. */
import { leave, permitNow } from '../exits/leaving.ts';
import { SupervisedChild } from '../../base/child.ts';
import { PendingCalls } from '../../base/pending-calls.ts';
import type { CallContext } from '../../desktop/call.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { within } from '../../base/time.ts';
import { Deadline } from '../windows/waiting.ts';
import type {
  ConsoleAnswers,
  ConsoleProblem,
  ConsoleRequest,
  FromConsoleHelper,
  ToConsoleHelper,
} from './console-protocol.ts';

/** A console answers in milliseconds, or never if its program is stopped in a debugger. */
const ANSWER_MS = 3000;
/** Node starts in a quarter of a second, on a busy machine in some seconds. */
const START_MS = 15_000;

/** Requests that change something in the console. */
const WRITES: ReadonlySet<ConsoleRequest['op']> = new Set(['write', 'press']);

/** Why a console did not answer, as data: the caller decides what to do. */
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
 * Owns the helper process that attaches to other programs' consoles. It is started at its first use; if it hangs, it is
 * killed and the next request starts another. It ends with this process, when its channel closes.
 */
export class ConsoleHelper implements Disposable {
  readonly #child: SupervisedChild<ToConsoleHelper, FromConsoleHelper>;
  /** For each request: whether it may have written keys although no answer came. */
  readonly #waiting = new PendingCalls<boolean>();
  #ready = Promise.withResolvers<void>();

  /** `file`: bundle or source of the helper. */
  constructor(file: string) {
    this.#child = new SupervisedChild({
      file,
      isKept: false,
      onMessage: (message) => this.#receive(message),
      onError: (error) =>
        this.#ready.reject(new UiaHostError('internal', 'The console helper could not be started.', { cause: error })),
      onLost: () => {
        this.#ready.reject(
          new UiaHostError('worker_restarted', 'The console helper ended while it started; nothing was sent.'),
        );
        this.#failAll();
      },
    });
  }

  /** Process id of the running helper. */
  get pid(): number | null {
    return this.#child.pid;
  }

  /**
   * Sends a request to the helper. Errors: ConsoleUnreachable; state_conflict if the permit does not have what is sent; window_hung if the console does not answer in time (the helper
   * is replaced, and what was written may have arrived); cancelled.
   */
  async ask<R extends ConsoleRequest>(
    request: R,
    call: CallContext,
    most = ANSWER_MS,
  ): Promise<ConsoleAnswers[R['op']]> {
    const isWrite = WRITES.has(request.op);
    if (isWrite) leave(['keys', 'text', 'console']);
    const deadline = new Deadline(call);
    await within(this.#start(), Math.min(START_MS, deadline.remaining(50)), () => {
      this.#kill();
      return new UiaHostError('deadline_exceeded', 'The console helper did not start in time; nothing was sent.');
    });
    if (!this.#child.isRunning)
      throw new UiaHostError('worker_restarted', 'The console helper ended while it started; nothing was sent.');
    const { id, answer } = this.#waiting.open(isWrite, {
      withinMs: Math.min(most, deadline.remaining(20)),
      late: () => {
        this.#kill();
        return new UiaHostError('window_hung', 'The console does not answer; its helper was stopped.', {
          delivery: isWrite ? 'unknown' : 'not_delivered',
        });
      },
    });
    this.#child.send({ id, request, permit: isWrite ? permitNow() : null });
    return (await answer) as ConsoleAnswers[R['op']];
  }

  #start(): Promise<void> {
    if (!this.#child.isRunning) {
      this.#ready = Promise.withResolvers();
      // Each request awaits the promise and reports the failure.
      this.#ready.promise.catch(() => {});
      this.#child.start();
    }
    return this.#ready.promise;
  }

  #receive(message: FromConsoleHelper): void {
    if (message.kind === 'ready') this.#ready.resolve();
    else if (message.kind === 'answer') this.#waiting.answered(message.id, message.value);
    else if (message.kind === 'error') this.#waiting.failed(message.id, UiaHostError.fromProblem(message.error));
    else this.#waiting.failed(message.id, new ConsoleUnreachable(message.problem, message.error));
  }

  /**
   * Closing a console ends every process in it, including the helper if it is attached at that moment. Reads may be
   * repeated; keys are never written twice.
   */
  #failAll(): void {
    this.#waiting.failAll((isWrite) =>
      isWrite
        ? new UiaHostError(
            'worker_restarted',
            'The console helper ended while it wrote keys; the next request starts it again.',
            {
              delivery: 'unknown',
            },
          )
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

/** The host's side of a desktop worker: calls as messages, each with its deadline; a worker that hangs is replaced. */
import { PendingCalls } from '../../base/pending-calls.ts';
import { SupervisedChild } from '../../base/child.ts';
import { machineMs } from '../../base/time.ts';
import { abortReason, UiaHostError, type Delivery, type ErrorCode } from '../../contract/errors.ts';
import type { ActionOf, CallContext } from '../../desktop/index.ts';
import { FIRST, type HeldFile, type MovedFile } from './held-file.ts';
import type { Permit } from '../../contract/gate/exit.ts';
import type { Left } from '../exits/leaving.ts';
import type { OwnInput } from '../windows/person.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { whenInterrupted, windowOf, withinCall } from './call-kinds.ts';
import type { FromWorker, ToWorker, Topic } from './protocol.ts';
import type { HeldInput } from '../input/held-input.ts';
import type { MovedWindow } from '../acting/moved-away.ts';
import type { StarterProcess } from '../windows/starter.ts';

/**
 * Milliseconds after a call's deadline before the worker is replaced: enough for an answer that was sent in time. What is
 * left of the 250 ms that a call may take beyond its deadline is for the records and the answer.
 */
export const GRACE_MS = 150;
/** The next worker is started this long (ms) after the answer: the start blocks this thread for a tenth of a second. */
const ANSWER_FIRST_MS = 60;
/**
 * A program that opens a dialog in its handler blocks the call, and the thread that makes it, until the dialog closes. With
 * Node's default of four threads, four such calls would block everything else.
 */
const THREADS = 24;
/** A worker that ended may have used this many refs without reporting them. */
const REFS_SKIPPED = 10_000;

export interface WorkerClientOptions {
  /** Bundle or source file that runs as the worker. */
  readonly workerFile: string;
  readonly env: NodeJS.ProcessEnv;
  /** Processes that started the host: their windows cannot be bound. */
  readonly starters?: readonly StarterProcess[];
  /** Stores what is pressed, beyond the life of this process. */
  readonly heldFile?: HeldFile;
  /** The same for windows moved off the desktop. */
  readonly movedFile?: MovedFile;
  /** Which of the workers that run at the same time this is, and its first ref; default: the first worker. */
  readonly place?: number;
  readonly refBase?: number;
  /** Processes of the host at the start; default: this one. */
  readonly ownPids?: readonly number[];
  /** When other workers sent input, at the start of this one. */
  ownInput?(): readonly OwnInput[];
  /** This worker sent input. */
  onOwnInput?(own: OwnInput): void;
  onLog?(level: 'info' | 'warn' | 'error', message: string): void;
  onUndone?(by: ActionOf): void;
  /** Whether a program takes messages, asked by another process. */
  programAnswers?(record: BindingRecord): Promise<boolean>;
  /** The worker changed state: shown on the event stream. */
  onState?(state: WorkerStatus): void;
}

export interface WorkerStatus {
  readonly state: 'ready' | 'starting' | 'restarting' | 'failed';
  readonly pid: number | null;
  readonly restarts: number;
}

/** A call that was sent to the worker. */
interface SentCall {
  /** The worker carries it out: it has reported that, or had nothing else to do when it was sent. */
  isBegun: boolean;
  readonly endsAt: number;
  readonly permit: Permit | undefined;
}

/** What may leave without a permit: windows that were moved away are moved back. */
const GIVEN_BACK: readonly Left[] = ['window'];

/** Whether only what was permitted left, by the worker's own record. */
const isWithin = (left: readonly Left[], permit: Permit | undefined): boolean =>
  left.every((kind) =>
    permit === undefined
      ? GIVEN_BACK.includes(kind)
      : kind === 'along' || permit.exits.some((exit) => exit.kind === kind),
  );

const BEYOND = new UiaHostError(
  'internal',
  'The desktop worker sent something that this action was not permitted to send. Please report this.',
  { delivery: 'delivered' },
);

/** Time (ms) in which a worker with a late call takes a message: it reads windows in slices of milliseconds. */
const STILL_TAKES_MS = 1000;
/** A worker is not waited for longer (ms), however slow its program is; nor if that takes no message at all. */
const SLOWEST_MS = 60_000;
const SILENT_MS = 30_000;

/** The program that a call is for; the end of a binding is for the session. */
const whatFor = (topic: Topic, method: string, args: readonly unknown[]): number | undefined =>
  topic === 'binding' && method === 'release' ? undefined : windowOf(args)?.pid;

/** A call that has not begun by its deadline, since another one keeps the worker busy. */
const WAITED = Symbol('waited');

/**
 * Owns one desktop worker: a forked child, since a thread stuck in native code cannot be killed (a child can, in 3 ms). A
 * call that exceeds its deadline answers deadline_exceeded. Its worker is replaced only where it takes no message, the
 * program that it asks takes none either, and others wait for the worker: else both are slow, and what was late sends
 * nothing more.
 */
export class WorkerClient {
  readonly #options: WorkerClientOptions;
  readonly #child: SupervisedChild<ToWorker, FromWorker>;
  /** For each call: whether its input was delivered if it is interrupted. */
  readonly #pending = new PendingCalls<Delivery>();
  readonly #sent = new Map<number, SentCall>();
  #refHigh: number;
  #held: readonly HeldInput[];
  #moved: readonly MovedWindow[] = [];
  /** What a killed host left off the desktop, until a worker has moved it back. */
  #leftAway: readonly MovedWindow[];
  #ownPids: readonly number[];
  /** Questions whether the worker takes messages, among the pending calls. */
  #pings = 0;
  /** Late looks after which it is not known yet whether the worker hangs. */
  #doubts = 0;
  #doubted: BindingRecord | null = null;
  /** A call that does not concern the late call's program waits for the worker. */
  #isAwaited = false;
  /** Calls that wait for the worker look again at each change of its state. */
  #stateChanged = Promise.withResolvers<void>();

  constructor(options: WorkerClientOptions) {
    this.#options = options;
    this.#refHigh = options.refBase ?? 0;
    this.#held = options.heldFile?.left() ?? [];
    this.#leftAway = options.movedFile?.left() ?? [];
    this.#ownPids = options.ownPids ?? [process.pid];
    this.#child = new SupervisedChild<ToWorker, FromWorker>({
      file: options.workerFile,
      env: { UV_THREADPOOL_SIZE: String(THREADS), ...options.env },
      isKept: true,
      onMessage: (message) => this.#receive(message),
      onStart: () => this.#introduce(),
      onError: (error) => options.onLog?.('error', `desktop worker: ${error.message}`),
      onLost: (how) => {
        options.onLog?.('warn', `desktop worker ended (${how})`);
        this.#failAll('worker_restarted', 'The desktop worker ended during the call and was restarted.');
      },
      onState: () => {
        this.#lookAgain();
        options.onState?.(this.status());
      },
    });
    this.#child.start();
  }

  status(): WorkerStatus {
    return { state: this.#child.state, pid: this.#child.pid, restarts: this.#child.restarts };
  }

  /** Calls that wait for an answer. */
  running(): number {
    return this.#pending.size - this.#pings;
  }

  /** What it holds pressed, as last reported. */
  held(): readonly HeldInput[] {
    return this.#held;
  }

  /** What it has moved away, as last reported. */
  moved(): readonly MovedWindow[] {
    return this.#moved;
  }

  /** Past the highest ref that it has reported. */
  refHigh(): number {
    return this.#refHigh;
  }

  setOwnPids(pids: readonly number[]): void {
    this.#ownPids = pids;
    this.#child.send({ kind: 'own-pids', ownPids: pids });
  }

  inputElsewhere(own: OwnInput): void {
    this.#child.send({ kind: 'input-elsewhere', own });
  }

  /** A call was late, and it is not known yet whether the worker hangs. */
  get isDoubted(): boolean {
    return this.#doubts > 0;
  }

  /** Replaces the worker immediately; its running calls answer with `code`. */
  restart(code: ErrorCode, reason: string, afterMs = 0): void {
    this.#child.replace(() => this.#failAll(code, reason), afterMs);
  }

  /** Whether it takes messages within `ms`; a worker in a long native call does not. */
  async answers(ms: number): Promise<boolean> {
    if (this.#child.state !== 'ready') return false;
    const { id, answer } = this.#pending.open('not_delivered', { withinMs: ms });
    this.#pings += 1;
    this.#child.send({ kind: 'ping', id });
    const isAnswered = await answer.then(
      () => true,
      () => false,
    );
    this.#pings -= 1;
    return isAnswered;
  }

  async call(topic: Topic, method: string, args: readonly unknown[], call: CallContext): Promise<unknown> {
    if (call.signal.aborted) throw abortReason(call.signal);
    const { signal: _signal, ...context } = call;
    const begun = performance.now();
    if (whatFor(topic, method, args) !== this.#doubted?.pid) this.#isAwaited = true;
    await this.#untilReady(call);
    // The call may have been aborted in the turn in which the worker became ready; nothing has been sent yet.
    if (call.signal.aborted) throw abortReason(call.signal);
    const deadlineMs = Math.max(1, Math.round(call.deadlineMs - (performance.now() - begun)));
    const delivery = whenInterrupted(topic, method);
    const exceeded = (): UiaHostError => {
      const late = `${topic}.${method} did not answer within ${deadlineMs} ms`;
      const window = windowOf(args);
      if (delivery === 'not_delivered' || (window !== null && this.#options.programAnswers !== undefined)) {
        this.#child.send({ kind: 'abort', id, reason: 'Its time is over.' });
        this.#doubt(window);
        return call.signal.aborted && delivery === 'not_delivered'
          ? abortReason(call.signal)
          : new UiaHostError('deadline_exceeded', `${late}.`, { delivery });
      }
      this.restart(
        'worker_restarted',
        'Another call exceeded its deadline, so the desktop worker was replaced.',
        ANSWER_FIRST_MS,
      );
      return new UiaHostError('deadline_exceeded', `${late}; the desktop worker was replaced.`, { delivery });
    };
    const { id, answer } = this.#pending.open(delivery, {
      withinMs: deadlineMs + GRACE_MS,
      late: () => (this.#isBusyWithAnother(id) ? WAITED : exceeded()),
      signal: call.signal,
      onAbort: (callId) => this.#child.send({ kind: 'abort', id: callId, reason: abortReason(call.signal).message }),
    });
    // A message costs both processes a dozen system calls: only a call that may wait behind another one has a second one.
    const tellsBegin = this.#sent.size > 0;
    const own: SentCall = {
      isBegun: !tellsBegin,
      endsAt: performance.now() + deadlineMs + GRACE_MS,
      permit: call.permit,
    };
    this.#sent.set(id, own);
    this.#child.send({
      ...context,
      kind: 'call',
      id,
      topic,
      method,
      args,
      deadlineMs,
      sentAt: machineMs(),
      tellsBegin,
    });
    try {
      return await answer;
    } catch (error) {
      if (error !== WAITED) throw error;
      // A message that says it has begun may wait in this process: it is let in first.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      if (own.isBegun) throw exceeded();
      throw new UiaHostError(
        'deadline_exceeded',
        `${topic}.${method} waited ${deadlineMs} ms for another call, of the same program or of another in the same worker. Nothing was sent.`,
        { delivery: 'not_delivered', hint: 'Try again, or raise deadlineMs.' },
      );
    } finally {
      this.#sent.delete(id);
    }
  }

  async close(): Promise<void> {
    const gone = this.#child.end({ kind: 'exit' });
    this.#lookAgain();
    await gone;
    this.#failAll('cancelled', 'The host is ending.');
  }

  /** A call has no answer in time. A worker that still takes messages, or whose program does, is slow: it stays. */
  #doubt(window: BindingRecord | null): void {
    const { pid } = this.#child;
    const isReplaced = (): boolean => this.#child.pid !== pid;
    const since = performance.now();
    const hasHad = (ms: number): boolean => performance.now() - since >= ms;
    // Between two answers a program may take no message for as long as it takes for a dozen questions.
    const isSlow = async (): Promise<boolean> =>
      window !== null &&
      (((await this.#options.programAnswers?.(window)) === true && !hasHad(SLOWEST_MS)) ||
        (!this.#isAwaited && !hasHad(SILENT_MS)));
    if (this.#doubts === 0) this.#isAwaited = false;
    this.#doubted = window;
    const hangs = async (): Promise<boolean> => {
      while (!isReplaced() && !(await this.answers(STILL_TAKES_MS))) if (isReplaced() || !(await isSlow())) return true;
      return false;
    };
    this.#doubts += 1;
    void hangs().then((isHanging) => {
      this.#doubts -= 1;
      if (isHanging && !isReplaced())
        this.restart('worker_restarted', 'The desktop worker hung in an earlier call, and was replaced.');
      this.#lookAgain();
    });
  }

  /** Whether another call keeps the worker busy and still has time: then it does not hang, it is slow. */
  #isBusyWithAnother(id: number): boolean {
    return (
      this.#sent.get(id)?.isBegun === false &&
      [...this.#sent].some(([other, call]) => other !== id && call.isBegun && performance.now() < call.endsAt)
    );
  }

  #failAll(code: ErrorCode, reason: string): void {
    this.#pending.failAll((delivery) => new UiaHostError(code, reason, { delivery }));
  }

  #lookAgain(): void {
    this.#stateChanged.resolve();
    this.#stateChanged = Promise.withResolvers();
  }

  /** Errors: worker_restarted if no worker is ready by the deadline, the signal's reason; nothing was sent. */
  async #untilReady(call: CallContext): Promise<void> {
    const isReady = (): boolean => this.#child.state === 'ready' && this.#doubts === 0;
    if (isReady()) return;
    const waited = async (): Promise<void> => {
      while (!isReady()) {
        if (this.#child.isEnding) throw new UiaHostError('cancelled', 'The host is ending; nothing was sent.');
        await this.#stateChanged.promise;
      }
    };
    await withinCall(waited(), call, () =>
      this.isDoubted
        ? new UiaHostError('deadline_exceeded', 'An earlier call still waits for its program. Nothing was sent.', {
            delivery: 'not_delivered',
            hint: 'Try again: the program answers slowly.',
          })
        : new UiaHostError('worker_restarted', `The desktop worker is ${this.#child.state}; nothing was sent to it.`),
    );
  }

  /** The first message to a worker that was started. */
  #introduce(): void {
    this.#child.send({
      kind: 'init',
      refBase: this.#child.restarts === 0 ? this.#refHigh : this.#refHigh + REFS_SKIPPED,
      place: this.#options.place ?? FIRST,
      ownPids: this.#ownPids,
      ownInput: this.#options.ownInput?.() ?? [],
      starters: this.#options.starters ?? [],
      held: this.#held,
      moved: this.#moved,
      leftAway: this.#leftAway,
    });
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        this.#child.isReady();
        break;
      case 'state':
        this.#refHigh = Math.max(this.#refHigh, message.refHigh);
        if (this.#held.length > 0 || message.held.length > 0) this.#options.heldFile?.keep(message.held);
        if (this.#moved.length > 0 || message.moved.length > 0 || this.#leftAway.length > 0)
          this.#options.movedFile?.keep(message.moved);
        this.#held = message.held;
        this.#moved = message.moved;
        this.#leftAway = [];
        break;
      case 'log':
        this.#options.onLog?.(message.level, message.message);
        break;
      case 'undone':
        this.#options.onUndone?.(message.by);
        break;
      case 'own-input':
        this.#options.onOwnInput?.(message.own);
        break;
      case 'begun': {
        const call = this.#sent.get(message.id);
        if (call !== undefined) call.isBegun = true;
        break;
      }
      case 'answer':
        if (!isWithin(message.left ?? [], this.#sent.get(message.id)?.permit)) this.#pending.failed(message.id, BEYOND);
        else if (message.problem === undefined) this.#pending.answered(message.id, message.value);
        else this.#pending.failed(message.id, UiaHostError.fromProblem(message.problem));
        break;
    }
  }
}

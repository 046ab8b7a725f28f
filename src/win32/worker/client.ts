/** The host's side of the desktop worker: calls as messages, each with its deadline; a worker that hangs is replaced. */
import { PendingCalls } from '../../base/pending-calls.ts';
import { SupervisedChild } from '../../base/child.ts';
import { machineMs } from '../../base/machine-time.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { abortReason, UiaHostError, type Delivery, type ErrorCode } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/index.ts';
import type { HeldFile, MovedFile } from './held-file.ts';
import type { OwnInput } from '../windows/person.ts';
import { whenInterrupted, windowOf } from './call-kinds.ts';
import type { FromWorker, KeptOfProgram, ToWorker, Topic } from './protocol.ts';
import type { HeldInput } from '../input/held-input.ts';
import type { MovedWindow } from '../windows/moved-away.ts';
import type { StarterProcess } from '../windows/starter.ts';

/**
 * Milliseconds after a call's deadline before the worker is replaced: enough for an answer that was sent in time. What is
 * left of the 250 ms that a call may take beyond its deadline is for the records and the answer.
 */
export const GRACE_MS = 150;
/** The next worker is started this long (ms) after the answer: the start blocks this thread for a tenth of a second. */
const ANSWER_FIRST_MS = 60;

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
  /** Milliseconds after a call's deadline before the worker is replaced. */
  readonly graceMs?: number;
  /** Which of the workers that run at the same time this is, and its first ref; default: the first worker. */
  readonly place?: number;
  readonly refBase?: number;
  /** Threads for calls that wait; default: those of the first worker. */
  readonly threads?: number;
  /** Processes of the host at the start; default: this one. */
  readonly ownPids?: readonly number[];
  /** When other workers sent input, at the start of this one. */
  ownInput?(): readonly OwnInput[];
  /** This worker sent input. */
  onOwnInput?(own: OwnInput): void;
  /** A call on a window kept the worker from other work for this long (ms). */
  onBusy?(record: BindingRecord, ms: number): void;
  onLog?(level: 'info' | 'warn' | 'error', message: string): void;
  /** The worker changed state: shown on the event stream. */
  onState?(state: WorkerStatus): void;
}

export interface WorkerStatus {
  readonly state: 'ready' | 'starting' | 'restarting' | 'failed';
  readonly pid: number | null;
  readonly restarts: number;
}

export interface WorkerClient {
  call(topic: Topic, method: string, args: readonly unknown[], call: CallContext): Promise<unknown>;
  status(): WorkerStatus;
  /** Waits until the worker is ready. Errors: worker_restarted by the call's deadline, the signal's reason. */
  untilReady(call: CallContext): Promise<void>;
  /** Calls that wait for an answer. */
  running(): number;
  /** Whether it takes messages within `ms`; a worker in a long native call does not. */
  answers(ms: number): Promise<boolean>;
  /** Takes from it what it keeps of a program's windows for these owners; null while that must stay. `silent`: it did not answer in time. */
  give(pid: number, owners: readonly string[], ms: number): Promise<KeptOfProgram | 'silent' | null>;
  take(kept: KeptOfProgram): void;
  inputElsewhere(own: OwnInput): void;
  /** What it holds pressed or has moved away, as last reported. */
  held(): readonly HeldInput[];
  moved(): readonly MovedWindow[];
  /** Past the highest ref that it has reported. */
  refHigh(): number;
  setOwnPids(pids: readonly number[]): void;
  /** Replaces the worker immediately; its running calls answer with `code`. */
  restart(code: ErrorCode, reason: string): void;
  close(): Promise<void>;
}

/**
 * A program that opens a dialog in its handler blocks the call, and the thread that makes it, until the dialog closes. With
 * Node's default of four threads, four such calls would block everything else.
 */
const THREADS = 24;

/** A call that was sent to the worker. */
interface SentCall {
  /** The worker carries it out: it has reported that, or had nothing else to do when it was sent. */
  isBegun: boolean;
  readonly endsAt: number;
  /** The window it concerns. */
  readonly record: BindingRecord | null;
}

/** A call that has not begun by its deadline, since another one keeps the worker busy. */
const WAITED = Symbol('waited');

/**
 * Owns one desktop worker: a forked child, since a thread stuck in native code cannot be killed (a child can, in 3 ms). If a
 * call exceeds its deadline, the worker is replaced: that call answers deadline_exceeded, the others worker_restarted.
 */
export function createWorkerClient(options: WorkerClientOptions): WorkerClient {
  const grace = options.graceMs ?? GRACE_MS;
  /** For each call: what is known of its input if it is interrupted. */
  const pending = new PendingCalls<Delivery>();
  /** Those that were sent to the worker. */
  const sent = new Map<number, SentCall>();
  let refBase = options.refBase ?? 0;
  let held: readonly HeldInput[] = options.heldFile?.left() ?? [];
  let moved: readonly MovedWindow[] = [];
  /** Until a worker has moved them back. */
  let leftAway: readonly MovedWindow[] = options.movedFile?.left() ?? [];
  let ownPids: readonly number[] = options.ownPids ?? [process.pid];
  /** The host's own questions among the pending calls. */
  let asked = 0;
  let whenReady: Promise<void> = Promise.resolve();
  let readyNow: () => void = () => {};

  const failAll = (code: ErrorCode, reason: string): void =>
    pending.failAll((delivery) => new UiaHostError(code, reason, { delivery }));

  const child = new SupervisedChild<ToWorker, FromWorker>({
    file: options.workerFile,
    env: { UV_THREADPOOL_SIZE: String(options.threads ?? THREADS), ...options.env },
    isKept: true,
    onMessage,
    onStart() {
      // Skips refs that the ended worker may have used without reporting them.
      child.send({
        kind: 'init',
        refBase: child.restarts === 0 ? refBase : refBase + 10_000,
        place: options.place ?? 0,
        ownPids,
        ownInput: options.ownInput?.() ?? [],
        starters: options.starters ?? [],
        held,
        moved,
        leftAway,
      });
    },
    onError: (error) => options.onLog?.('error', `desktop worker: ${error.message}`),
    onLost(how) {
      options.onLog?.('warn', `desktop worker ended (${how})`);
      failAll('worker_restarted', 'The desktop worker ended during the call and was restarted.');
    },
    onState(state) {
      if (state === 'ready') readyNow();
      if (state === 'starting' || state === 'restarting') {
        // Calls that wait for the previous worker check again, and wait for this one.
        const checkAgain = readyNow;
        whenReady = new Promise((resolve) => {
          readyNow = resolve;
        });
        checkAgain();
      }
      options.onState?.(status());
    },
  });

  function status(): WorkerStatus {
    return { state: child.state, pid: child.pid, restarts: child.restarts };
  }

  function onMessage(message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        child.isReady();
        break;
      case 'state':
        refBase = Math.max(refBase, message.refHigh);
        if (held.length > 0 || message.held.length > 0) options.heldFile?.keep(message.held);
        held = message.held;
        if (moved.length > 0 || message.moved.length > 0 || leftAway.length > 0) options.movedFile?.keep(message.moved);
        moved = message.moved;
        leftAway = [];
        break;
      case 'log':
        options.onLog?.(message.level, message.message);
        break;
      case 'own-input':
        options.onOwnInput?.(message.own);
        break;
      case 'begun': {
        const call = sent.get(message.id);
        if (call !== undefined) call.isBegun = true;
        break;
      }
      case 'answer':
        if (message.busyMs !== undefined) {
          const record = sent.get(message.id)?.record ?? null;
          if (record !== null) options.onBusy?.(record, message.busyMs);
        }
        if (message.problem === undefined) pending.answered(message.id, message.value);
        else pending.failed(message.id, UiaHostError.fromProblem(message.problem));
        break;
    }
  }

  const replace = (code: ErrorCode, reason: string, afterMs = 0): void =>
    child.replace(() => failAll(code, reason), afterMs);

  /** Whether another call keeps the worker busy and still has time: then it does not hang, it is slow. */
  const isBusyWithAnother = (id: number): boolean =>
    sent.get(id)?.isBegun === false &&
    [...sent].some(([other, call]) => other !== id && call.isBegun && performance.now() < call.endsAt);

  /** Errors: worker_restarted if no worker is ready by the deadline, the signal's reason; nothing was sent. */
  const untilReady = async (call: CallContext): Promise<void> => {
    if (child.state === 'ready') return;
    let timer: NodeJS.Timeout | undefined;
    let onAbort = (): void => {};
    const givenUp = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () =>
          reject(new UiaHostError('worker_restarted', `The desktop worker is ${child.state}; nothing was sent to it.`)),
        call.deadlineMs,
      );
      onAbort = () => reject(abortReason(call.signal));
      call.signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      while (status().state !== 'ready') {
        if (child.isEnding) throw new UiaHostError('cancelled', 'The host is ending; nothing was sent.');
        await Promise.race([whenReady, givenUp]);
      }
    } finally {
      clearTimeout(timer);
      call.signal.removeEventListener('abort', onAbort);
    }
  };

  const callWorker = async (
    topic: Topic,
    method: string,
    args: readonly unknown[],
    call: CallContext,
  ): Promise<unknown> => {
    if (call.signal.aborted) throw abortReason(call.signal);
    const begun = performance.now();
    await untilReady(call);
    // The call may have been aborted in the turn in which the worker became ready; nothing has been sent yet.
    if (call.signal.aborted) throw abortReason(call.signal);
    const deadlineMs = Math.max(1, Math.round(call.deadlineMs - (performance.now() - begun)));
    const delivery = whenInterrupted(topic, method);
    const exceeded = (): UiaHostError => {
      replace(
        'worker_restarted',
        'Another call exceeded its deadline, so the desktop worker was replaced.',
        ANSWER_FIRST_MS,
      );
      return new UiaHostError(
        'deadline_exceeded',
        `${topic}.${method} did not answer within ${deadlineMs} ms; the desktop worker was replaced.`,
        { delivery },
      );
    };
    const { id, answer } = pending.open(delivery, {
      withinMs: deadlineMs + grace,
      late: () => (isBusyWithAnother(id) ? WAITED : exceeded()),
      signal: call.signal,
      onAbort: (callId) => child.send({ kind: 'abort', id: callId, reason: abortReason(call.signal).message }),
    });
    // A message costs both processes a dozen system calls: only a call that may wait behind another one has a second one.
    const tellsBegin = sent.size > 0;
    const own: SentCall = {
      isBegun: !tellsBegin,
      endsAt: performance.now() + deadlineMs + grace,
      record: windowOf(args),
    };
    sent.set(id, own);
    child.send({
      kind: 'call',
      id,
      topic,
      method,
      args,
      owner: call.owner,
      deadlineMs,
      sentAt: machineMs(),
      tellsBegin,
      remoteControlMemory: call.remoteControlMemory,
      applications: call.applications,
      judged: call.judged,
      verified: call.verification?.take() ?? undefined,
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
        `${topic}.${method} waited ${deadlineMs} ms for another call, of the same program or of one that shares its worker. Nothing was sent.`,
        { delivery: 'not_delivered', hint: 'Try again, or raise deadlineMs.' },
      );
    } finally {
      sent.delete(id);
    }
  };

  /** Sends a question of the host's own; undefined without an answer in time. Nothing is replaced for it. */
  const ask = async (ms: number, message: (id: number) => ToWorker): Promise<{ value: unknown } | undefined> => {
    if (child.state !== 'ready') return undefined;
    const { id, answer } = pending.open('not_delivered', { withinMs: ms });
    asked += 1;
    child.send(message(id));
    const answered = await answer.then(
      (value) => ({ value }),
      () => undefined,
    );
    asked -= 1;
    return answered;
  };

  child.start();
  return {
    call: callWorker,
    status,
    untilReady,
    running: () => pending.size - asked,
    answers: async (ms) => (await ask(ms, (id) => ({ kind: 'ping', id }))) !== undefined,
    async give(pid, owners, ms) {
      const answered = await ask(ms, (id) => ({ kind: 'give', id, pid, owners }));
      return answered === undefined ? 'silent' : (answered.value as KeptOfProgram | null);
    },
    take: (kept) => child.send({ kind: 'take', kept }),
    inputElsewhere: (own) => child.send({ kind: 'input-elsewhere', own }),
    held: () => held,
    moved: () => moved,
    refHigh: () => refBase,
    setOwnPids(pids) {
      ownPids = pids;
      child.send({ kind: 'own-pids', ownPids: pids });
    },
    restart: replace,
    async close() {
      const gone = child.end({ kind: 'exit' });
      readyNow();
      await gone;
      failAll('cancelled', 'The host is ending.');
    },
  };
}

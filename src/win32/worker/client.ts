import { fork, type ChildProcess } from 'node:child_process';
import { UiaHostError, type Delivery, type ErrorCode, type Problem } from '../../contract/errors.ts';
import { HELPER_FLAGS } from '../../contract/node-flags.ts';
import { METHOD_KINDS, type CallContext, type MethodKind, type WorkerDesktop } from '../../desktop/index.ts';
import type { HeldFile, MovedFile } from './held-file.ts';
import type { FromWorker, HeldInput, MovedWindow, ToWorker, Topic } from './protocol.ts';
import type { StarterProcess } from '../windows/starter.ts';

export interface WorkerClientOptions {
  /** Bundle or source file that runs as the worker. */
  readonly workerFile: string;
  readonly env: NodeJS.ProcessEnv;
  /** Who started the host: their windows are not bound. */
  readonly starters?: readonly StarterProcess[];
  /** Remembers what is down beyond this process. */
  readonly heldFile?: HeldFile;
  /** The same for windows that stand off the desktop. */
  readonly movedFile?: MovedFile;
  /** Milliseconds beyond a call's deadline before the worker is replaced. */
  readonly graceMs?: number;
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
  readonly desktop: WorkerDesktop;
  status(): WorkerStatus;
  setOwnPids(pids: readonly number[]): void;
  /** Replaces the worker at once; what runs in it answers with `code`. */
  restart(code: ErrorCode, reason: string): void;
  /** Canonical names of the keys that an owner holds down, and of those that anyone holds by real input, as the worker last told. */
  heldKeys(owner: string): readonly string[];
  close(): Promise<void>;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: UiaHostError) => void;
  readonly timer: NodeJS.Timeout;
  readonly stopListening: () => void;
  /** What is known of its input when it is interrupted. */
  readonly delivery: Delivery;
}

/**
 * A program that opens a dialog in its handler keeps the call to it, and the thread that makes it, until the dialog is
 * closed. With the four threads that Node has by itself, four of them would stop everything else.
 */
const THREADS = '24';
const RESTART_LIMIT = 5;
const RESTART_WINDOW_MS = 10_000;

/**
 * Owns the desktop worker: a forked child, since a thread that is stuck in native code cannot be killed (a child can, in 3 ms).
 * A call that outlives its deadline has its worker replaced and answers deadline_exceeded; other calls in it answer worker_restarted.
 */
export function createWorkerClient(options: WorkerClientOptions): WorkerClient {
  const grace = options.graceMs ?? 400;
  const pending = new Map<number, Pending>();
  const recentRestarts: number[] = [];
  let child: ChildProcess | undefined;
  let state: WorkerStatus['state'] = 'starting';
  let restarts = 0;
  let nextId = 1;
  let refBase = 0;
  let held: readonly HeldInput[] = options.heldFile?.left() ?? [];
  let moved: readonly MovedWindow[] = [];
  /** Until a worker has brought it back. */
  let leftAway: readonly MovedWindow[] = options.movedFile?.left() ?? [];
  let ownPids: readonly number[] = [process.pid];
  let isClosing = false;
  let whenReady: Promise<void> = Promise.resolve();
  let readyNow: () => void = () => {};

  const status = (): WorkerStatus => ({ state, pid: child?.pid ?? null, restarts });
  const setState = (next: WorkerStatus['state']): void => {
    state = next;
    options.onState?.(status());
  };

  const failAll = (code: ErrorCode, reason: string, except?: number): void => {
    for (const [id, each] of pending) {
      if (id === except) continue;
      pending.delete(id);
      finish(each);
      each.reject(new UiaHostError(code, reason, { delivery: each.delivery }));
    }
  };

  const finish = (each: Pending): void => {
    clearTimeout(each.timer);
    each.stopListening();
  };

  const send = (message: ToWorker): void => {
    if (child?.connected === true) child.send(message, () => {});
  };

  const onMessage = (message: FromWorker): void => {
    switch (message.kind) {
      case 'ready':
        setState('ready');
        readyNow();
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
      case 'answer': {
        const each = pending.get(message.id);
        if (each === undefined) return;
        pending.delete(message.id);
        finish(each);
        if (message.problem === undefined) each.resolve(message.value);
        else each.reject(fromProblem(message.problem));
        break;
      }
    }
  };

  const spawn = (): void => {
    setState(restarts === 0 ? 'starting' : 'restarting');
    // Who waits for a worker that is not to be any more looks again, and waits for this one.
    const lookAgain = readyNow;
    whenReady = new Promise((resolve) => { readyNow = resolve; });
    lookAgain();
    const started = fork(options.workerFile, [], {
      env: { UV_THREADPOOL_SIZE: THREADS, ...options.env },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      windowsHide: true,
      execArgv: [...HELPER_FLAGS],
    } as Parameters<typeof fork>[2]);
    child = started;
    started.on('message', (message) => onMessage(message as FromWorker));
    started.on('error', (error) => options.onLog?.('error', `desktop worker: ${error.message}`));
    started.on('exit', (code, signal) => {
      if (child !== started) return;
      child = undefined;
      if (isClosing) return;
      options.onLog?.('warn', `desktop worker ended (${signal ?? code})`);
      failAll('worker_restarted', 'The desktop worker ended while the call ran; it has been started again.');
      respawn();
    });
    // Refs that the dead worker may have given out without telling are skipped.
    send({ kind: 'init', refBase: restarts === 0 ? refBase : refBase + 10_000, ownPids, starters: options.starters ?? [], held, moved, leftAway });
  };

  const respawn = (): void => {
    const now = Date.now();
    recentRestarts.push(now);
    while ((recentRestarts[0] ?? now) < now - RESTART_WINDOW_MS) recentRestarts.shift();
    restarts += 1;
    if (recentRestarts.length > RESTART_LIMIT) {
      // A worker that cannot start must not become a fork storm; it gets another try each second.
      setState('failed');
      setTimeout(() => { if (!isClosing && child === undefined) spawn(); }, 1000);
      return;
    }
    spawn();
  };

  const replace = (code: ErrorCode, reason: string, except?: number): void => {
    const old = child;
    child = undefined;
    old?.removeAllListeners('exit');
    old?.kill('SIGKILL');
    failAll(code, reason, except);
    if (!isClosing) respawn();
  };

  /** Errors: worker_restarted when no worker is ready by the deadline, the signal's reason; nothing was sent then. */
  const untilReady = async (call: CallContext): Promise<void> => {
    if (status().state === 'ready') return;
    let timer: NodeJS.Timeout | undefined;
    let onAbort = (): void => {};
    const givenUp = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new UiaHostError('worker_restarted', `The desktop worker is ${state}; nothing was sent to it.`)), call.deadlineMs);
      onAbort = () => reject(abortError(call.signal));
      call.signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      while (status().state !== 'ready') {
        if (isClosing) throw new UiaHostError('cancelled', 'The host is ending; nothing was sent.');
        await Promise.race([whenReady, givenUp]);
      }
    } finally {
      clearTimeout(timer);
      call.signal.removeEventListener('abort', onAbort);
    }
  };

  const callWorker = async (topic: Topic, method: string, args: readonly unknown[], call: CallContext): Promise<unknown> => {
    if (call.signal.aborted) throw abortError(call.signal);
    const begun = performance.now();
    await untilReady(call);
    // It may have been called off in the very turn in which the worker became ready; nothing has been sent yet.
    if (call.signal.aborted) throw abortError(call.signal);
    const deadlineMs = Math.max(1, Math.round(call.deadlineMs - (performance.now() - begun)));
    const id = nextId;
    nextId += 1;
    const delivery = whenInterrupted(topic, method);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => send({ kind: 'abort', id, reason: abortError(call.signal).message });
      call.signal.addEventListener('abort', onAbort, { once: true });
      const timer = setTimeout(() => {
        const each = pending.get(id);
        if (each === undefined) return;
        pending.delete(id);
        finish(each);
        each.reject(new UiaHostError('deadline_exceeded', `${topic}.${method} did not answer within ${deadlineMs} ms; the desktop worker was replaced.`, { delivery }));
        replace('worker_restarted', 'Another call outlived its deadline, so the desktop worker was replaced.', id);
      }, deadlineMs + grace);
      pending.set(id, { resolve, reject, timer, stopListening: () => call.signal.removeEventListener('abort', onAbort), delivery });
      send({ kind: 'call', id, topic, method, args, owner: call.owner, deadlineMs, remoteControlMemory: call.remoteControlMemory });
    });
  };

  spawn();
  return {
    desktop: messagingDesktop(callWorker),
    status,
    setOwnPids(pids) {
      ownPids = pids;
      send({ kind: 'own-pids', ownPids: pids });
    },
    restart: replace,
    heldKeys: (owner) => held.filter((each) => (each.owner === owner || each.hwnd === null) && !each.input.startsWith('mouse-')).map((each) => each.input),
    async close() {
      isClosing = true;
      readyNow();
      const ending = child;
      if (ending === undefined) return;
      const gone = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
      send({ kind: 'exit' });
      const timer = setTimeout(() => ending.kill('SIGKILL'), 1500);
      await gone;
      clearTimeout(timer);
      failAll('cancelled', 'The host is ending.');
    },
  };
}

function abortError(signal: AbortSignal): UiaHostError {
  return signal.reason instanceof UiaHostError ? signal.reason : new UiaHostError('cancelled', 'The call was cancelled.');
}

function fromProblem(problem: Problem): UiaHostError {
  return new UiaHostError(problem.code, problem.detail, {
    delivery: problem.delivery,
    hint: problem.hint,
    candidates: problem.candidates,
    suggestions: problem.suggestions,
    partialResult: problem.partialResult,
  });
}

type Send = (topic: Topic, method: string, args: readonly unknown[], call: CallContext) => Promise<unknown>;

/** The desktop with every method of the table as a message: the last argument is the call context. */
function messagingDesktop(send: Send): WorkerDesktop {
  const topics = (Object.keys(METHOD_KINDS) as Topic[]).map((topic) => [
    topic,
    Object.fromEntries(Object.keys(METHOD_KINDS[topic]).map((method) => [
      method, (...args: unknown[]) => send(topic, method, args.slice(0, -1), args.at(-1) as CallContext),
    ])),
  ]);
  return Object.fromEntries(topics) as WorkerDesktop;
}

/** What is known of input when a call of this method is interrupted. */
function whenInterrupted(topic: Topic, method: string): Delivery {
  const kinds: Readonly<Record<string, MethodKind>> = METHOD_KINDS[topic];
  return kinds[method] === 'looks' ? 'not_delivered' : 'unknown';
}

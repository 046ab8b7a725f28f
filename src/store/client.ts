/** The store as the host’s main thread uses it: the same methods as the repositories, each answered by a promise. */
import { Worker } from 'node:worker_threads';
import type { OpenReport, RetentionPolicy, RetentionReport } from './records.ts';
import { REPOSITORY_METHODS } from './repositories/methods.ts';
import type { Repositories } from './repositories/types.ts';
import { gone, STORE_SERVICE, ThreadChannel, type StoreThread, type Urgency } from './channel.ts';
import { fromWireError, type WireGreeting } from './wire.ts';

/** The same methods, each answered when everything it wrote is on disk. Calls are carried out in the order they were made. */
export type Remote<R> = {
  readonly [K in keyof R]: R[K] extends (...args: infer A) => infer V ? (...args: A) => Promise<V> : never;
};

type RemoteRepositories = { readonly [T in keyof Repositories]: Remote<Repositories[T]> };

export type Store = RemoteRepositories & {
  /** The same, for calls without a waiting caller: on disk a moment later, and before any call on the topic that a caller waits for. */
  readonly soon: RemoteRepositories;
  readonly opened: OpenReport;
  readonly thread: StoreThread;
  /** Deletes expired rows. */
  retain(policy: RetentionPolicy): Promise<RetentionReport>;
  /** Resolves when everything sent before is on disk. */
  flush(): Promise<void>;
  /** Finishes what was sent, closes the files and ends the thread. Further calls reject. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export interface StoreOptions {
  /** Path of the database; its folder is created if missing. */
  readonly file: string;
  /** What the thread runs: `src/entry/store.ts`, or its bundle. */
  readonly threadEntry?: string | URL;
}

/** The thread's message once the database is open. */
export interface StoreGreeting {
  readonly opened: OpenReport;
}

/** The thread's start data. */
export interface StoreThreadData {
  readonly file: string;
}

/** The first message says whether the database could be opened. */
function greet(worker: Worker): Promise<StoreGreeting> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: WireGreeting<StoreGreeting>): void => {
      stopListening();
      if ('ready' in message) resolve(message.ready);
      else reject(fromWireError(message.failed));
    };
    const onError = (error: unknown): void => {
      stopListening();
      reject(gone(`its thread could not start (${error instanceof Error ? error.message : String(error)})`));
    };
    const onExit = (): void => onError(new Error('it ended immediately'));
    const stopListening = (): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

/**
 * Opens the embedded database in its own thread. Everything that a killed host left open is closed first; `opened`
 * reports it. Errors: internal, with what to do, when the file cannot be used.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const data: StoreThreadData = { file: options.file };
  const worker = new Worker(options.threadEntry ?? new URL('../entry/store.ts', import.meta.url), {
    workerData: data,
    name: 'uiahost-store',
    // Flags of the main thread (inspectors, a test runner's loaders) must not apply here.
    execArgv: [],
  });
  const greeting = await greet(worker);
  const channel = new ThreadChannel(worker);
  const repositories = (urgency: Urgency): RemoteRepositories => {
    const send: Send = (method, args) => channel.call(STORE_SERVICE, method, args, urgency);
    return {
      sessions: remote('sessions', send),
      events: remote('events', send),
      approvals: remote('approvals', send),
      actions: remote('actions', send),
      artifacts: remote('artifacts', send),
      idempotency: remote('idempotency', send),
      tokens: remote('tokens', send),
      grants: remote('grants', send),
      meta: remote('meta', send),
    };
  };
  const close = (): Promise<void> => channel.close();
  return {
    ...repositories('now'),
    soon: repositories('soon'),
    opened: greeting.opened,
    thread: channel,
    retain: async (policy) => (await channel.call(STORE_SERVICE, 'store.retain', [policy])) as RetentionReport,
    flush: async () => {
      await channel.call(STORE_SERVICE, 'store.flush', []);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Send = (method: string, args: readonly unknown[]) => Promise<unknown>;

/**
 * One repository with every method of the table sent as a message. The thread's answers have the repository's types.
 */
function remote<T extends keyof Repositories>(topic: T, send: Send): Remote<Repositories[T]> {
  const methods = Object.keys(REPOSITORY_METHODS[topic]).map((name) => [
    name,
    (...args: unknown[]) => send(`${topic}.${name}`, args),
  ]);
  return Object.fromEntries(methods) as Remote<Repositories[T]>;
}

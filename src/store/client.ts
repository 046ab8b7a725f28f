import { Worker } from 'node:worker_threads';
import { UiaHostError } from '../contract/errors.ts';
import type { OpenReport, RetentionPolicy, RetentionReport } from './records.ts';
import type { Repositories } from './repositories/types.ts';
import { fromWireError, type WireAnswer, type WireGreeting, type WireRequest } from './wire.ts';

/** The same methods, each answered when everything it wrote is on disk. Calls are carried out in the order they were made. */
export type Remote<R> = { readonly [K in keyof R]: R[K] extends (...args: infer A) => infer V ? (...args: A) => Promise<V> : never };

/** The way into the store's thread. Other things that must not make the main loop wait for a disk live there too. */
export interface StoreThread {
  call(service: string, method: string, args: readonly unknown[]): Promise<unknown>;
}

export type Store = { readonly [T in keyof Repositories]: Remote<Repositories[T]> } & {
  readonly opened: OpenReport;
  readonly thread: StoreThread;
  /** Deletes what is past its time. */
  retain(policy: RetentionPolicy): Promise<RetentionReport>;
  /** Resolves when everything sent before is on disk. */
  flush(): Promise<void>;
  /** Finishes what was sent, closes the files and ends the thread. Further calls reject. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export interface StoreOptions {
  /** Path of the database; its folder is made if it is not there. */
  readonly file: string;
  /** What the thread runs: `src/entry/store.ts`, or its bundle. */
  readonly threadEntry?: string | URL;
}

/** What the thread says once the database is open. */
export interface StoreGreeting {
  readonly opened: OpenReport;
  readonly methods: Readonly<Record<string, readonly string[]>>;
}

/** What the thread is given to start with. */
export interface StoreThreadData {
  readonly file: string;
}

const SERVICE = 'store';

const gone = (why: string): UiaHostError =>
  new UiaHostError('internal', `The store is not running: ${why}. What was acknowledged before is on disk; nothing of this request was kept.`, {
    hint: 'Start the host again.',
  });

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Carries calls to the thread and answers back, in order, and rejects all of them when the thread ends. */
class ThreadChannel implements StoreThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #lastId = 0;
  #closing: Promise<void> | undefined;
  #end: string | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#ended = new Promise((resolve) => worker.once('exit', () => {
      this.#fail('its thread has ended');
      resolve();
    }));
    worker.on('error', (error) => this.#fail(`its thread failed (${error instanceof Error ? error.message : String(error)})`));
    worker.on('message', (answer: WireAnswer) => this.#settle(answer));
  }

  call(service: string, method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#end !== undefined) return Promise.reject(gone(this.#end));
    if (this.#closing !== undefined) return Promise.reject(gone('it has been closed'));
    const id = ++this.#lastId;
    const request: WireRequest = { id, service, method, args };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      try {
        this.#worker.postMessage(request);
      } catch (error) {
        // Only plain data crosses; what cannot be cloned was never sent.
        this.#waiting.delete(id);
        reject(error);
      }
    });
  }

  close(): Promise<void> {
    if (this.#closing === undefined) {
      this.#worker.postMessage({ close: true });
      this.#closing = this.#ended;
    }
    return this.#closing;
  }

  #settle(answer: WireAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('error' in answer) waiting?.reject(fromWireError(answer.error));
    else waiting?.resolve(answer.value);
  }

  #fail(why: string): void {
    this.#end ??= why;
    for (const { reject } of this.#waiting.values()) reject(gone(this.#end));
    this.#waiting.clear();
  }
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
    const onExit = (): void => onError(new Error('it ended at once'));
    const stopListening = (): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

/**
 * Opens the embedded database in a thread of its own. Everything that a killed host left open is closed first; `opened`
 * says what. Errors: internal, with what to do, when the file cannot be used.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const data: StoreThreadData = { file: options.file };
  const worker = new Worker(options.threadEntry ?? new URL('../entry/store.ts', import.meta.url), {
    workerData: data,
    name: 'uiahost-store',
    // Flags of the main thread (inspectors, loaders of a test runner) have no business here.
    execArgv: [],
  });
  const greeting = await greet(worker);
  const channel = new ThreadChannel(worker);
  const remote = (topic: string): Record<string, (...args: unknown[]) => Promise<unknown>> =>
    Object.fromEntries((greeting.methods[topic] ?? []).map((name) => [name, (...args) => channel.call(SERVICE, `${topic}.${name}`, args)]));
  const { store: own, ...repositories } = Object.fromEntries(Object.keys(greeting.methods).map((topic) => [topic, remote(topic)]));
  const close = (): Promise<void> => channel.close();
  // The thread lists its own methods; their types are those of the repositories that it runs.
  return {
    ...(repositories as unknown as { readonly [T in keyof Repositories]: Remote<Repositories[T]> }),
    opened: greeting.opened,
    thread: channel,
    retain: async (policy) => (await own?.retain?.(policy)) as RetentionReport,
    flush: async () => {
      await own?.flush?.();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

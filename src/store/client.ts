/** The store as the host’s main thread uses it: the same methods as the repositories, each answered by a promise. */
import { Worker } from 'node:worker_threads';
import { PendingCalls } from '../base/pending-calls.ts';
import { UiaHostError } from '../contract/errors.ts';
import type { OpenedDatabase, Repositories, StoreTopic } from './database.ts';
import type { Recovery } from './records.ts';
import { fromWireError, type WireAnswers, type WireGreeting, type WireRequest } from './wire.ts';

/** The same methods, each answered when everything it wrote is on disk. Calls are carried out in the order they were made. */
type Remote<R> = {
  readonly [K in keyof R]: R[K] extends (...args: infer A) => infer V ? (...args: A) => Promise<V> : never;
};

type RemoteRepositories = { readonly [T in keyof Repositories]: Remote<Repositories[T]> };

export type Store = RemoteRepositories &
  Remote<StoreTopic> & {
    /** What a killed host had left open. */
    readonly recovery: Recovery;
    readonly thread: StoreThread;
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

/** The thread's start data. */
export interface StoreThreadData {
  readonly file: string;
}

/** The way into the store's thread. Other services that must not make the main loop wait for a disk run there too. */
interface StoreThread {
  call(service: string, method: string, args: readonly unknown[]): Promise<unknown>;
}

const gone = (why: string): UiaHostError =>
  new UiaHostError(
    'internal',
    `The store is not running: ${why}. What was acknowledged before is on disk; nothing of this request was kept.`,
    {
      hint: 'Start the host again.',
    },
  );

/** Carries calls to the thread and answers back, in the order they were made, and rejects all of them when the thread ends. */
class ThreadChannel implements StoreThread {
  readonly #worker: Worker;
  readonly #waiting = new PendingCalls();
  readonly #ended: Promise<void>;
  #outbox: WireRequest[] = [];
  #closing: Promise<void> | undefined;
  #end: string | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#ended = new Promise((resolve) =>
      worker.once('exit', () => {
        this.#fail('its thread has ended');
        resolve();
      }),
    );
    worker.on('error', (error) =>
      this.#fail(`its thread failed (${error instanceof Error ? error.message : String(error)})`),
    );
    worker.on('message', (answers: WireAnswers) => {
      for (const answer of answers) {
        if ('error' in answer) this.#waiting.failed(answer.id, fromWireError(answer.error));
        else this.#waiting.answered(answer.id, answer.value);
      }
    });
  }

  call(service: string, method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#end !== undefined) return Promise.reject(gone(this.#end));
    if (this.#closing !== undefined) return Promise.reject(gone('it has been closed'));
    const { id, answer } = this.#waiting.open(undefined);
    // Each message wakes the thread, so calls made in the same turn share one.
    if (this.#outbox.push({ id, service, method, args }) === 1) queueMicrotask(() => this.#send());
    return answer;
  }

  close(): Promise<void> {
    if (this.#closing === undefined) {
      this.#send();
      this.#worker.postMessage({ close: true });
      this.#closing = this.#ended;
    }
    return this.#closing;
  }

  #send(): void {
    const requests = this.#outbox;
    this.#outbox = [];
    if (requests.length > 0) this.#post(requests);
  }

  /** Only plain data crosses. A request that cannot be cloned is sent alone, so that it affects no other. */
  #post(requests: readonly WireRequest[]): void {
    try {
      this.#worker.postMessage(requests);
    } catch (error) {
      const [first, ...others] = requests;
      if (others.length > 0) for (const request of requests) this.#post([request]);
      else if (first !== undefined) this.#waiting.failed(first.id, error);
    }
  }

  #fail(why: string): void {
    const end = (this.#end ??= why);
    this.#waiting.failAll(() => gone(end));
  }
}

/** The first message says whether the database could be opened. */
function greet(worker: Worker): Promise<OpenedDatabase> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: WireGreeting<OpenedDatabase>): void => {
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
 * Opens the embedded database in its own thread. Everything that a killed host left open is closed first; `recovery`
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
  const { recovery, methods } = await greet(worker);
  const channel = new ThreadChannel(worker);
  const close = (): Promise<void> => channel.close();
  const topics = Object.entries(methods).map(([topic, names]) => [topic, remote(channel, topic, names)]);
  const { store, ...repositories } = Object.fromEntries(topics) as RemoteRepositories & {
    readonly store: Remote<StoreTopic>;
  };
  return { ...repositories, ...store, recovery, thread: channel, close, [Symbol.asyncDispose]: close };
}

/** A topic with every method that the thread named, sent as a message. */
const remote = (channel: StoreThread, topic: string, names: readonly string[]): object =>
  Object.fromEntries(
    names.map((name) => [name, (...args: unknown[]) => channel.call('store', `${topic}.${name}`, args)]),
  );

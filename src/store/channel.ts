/** The host's side of the store's thread: calls are sent in lists, since each message wakes the thread. */
import type { Worker } from 'node:worker_threads';
import { PendingCalls } from '../base/pending-calls.ts';
import { UiaHostError } from '../contract/errors.ts';
import { fromWireError, type WireAnswers, type WireRequest } from './wire.ts';

/** The way into the store's thread. Other services that must not make the main loop wait for a disk run there too. */
export interface StoreThread {
  call(service: string, method: string, args: readonly unknown[]): Promise<unknown>;
}

/** `soon`: no caller waits for the answer, so the call is sent with the next one that a caller waits for, behind it. */
export type Urgency = 'now' | 'soon';

/**
 * Without such a call they are sent after this time. Each message wakes the thread and costs it a commit: longer than a
 * quick action takes, so that its events share the commit of its end.
 */
const SOON_MS = 60;
/** The service with the database, whose calls share a commit. */
export const STORE_SERVICE = 'store';

export const gone = (why: string): UiaHostError =>
  new UiaHostError(
    'internal',
    `The store is not running: ${why}. What was acknowledged before is on disk; nothing of this request was kept.`,
    {
      hint: 'Start the host again.',
    },
  );

const topicOf = ({ method }: WireRequest): string => method.split('.', 1)[0] ?? '';

/** Carries calls to the thread and answers back, those on one topic in the order they were made, and rejects all of them when the thread ends. */
export class ThreadChannel implements StoreThread {
  readonly #worker: Worker;
  readonly #waiting = new PendingCalls();
  readonly #ended: Promise<void>;
  #outbox: WireRequest[] = [];
  #later: WireRequest[] = [];
  #isLeaving = false;
  #soon: NodeJS.Timeout | undefined;
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

  call(service: string, method: string, args: readonly unknown[], urgency: Urgency = 'now'): Promise<unknown> {
    if (this.#end !== undefined) return Promise.reject(gone(this.#end));
    if (this.#closing !== undefined) return Promise.reject(gone('it has been closed'));
    const { id, answer } = this.#waiting.open(undefined);
    const request = { id, service, method, args };
    if (urgency === 'soon') {
      this.#later.push(request);
      this.#soon ??= setTimeout(() => this.#sendAll(), SOON_MS);
      return answer;
    }
    // A topic's calls are carried out in the order they were made, and those on the store itself last.
    const topic = topicOf(request);
    if (topic === 'store' || this.#later.some((other) => topicOf(other) === topic)) this.#takeLater();
    this.#outbox.push(request);
    if (!this.#isLeaving) {
      this.#isLeaving = true;
      // Calls made in the same turn share a message.
      queueMicrotask(() => this.#send());
    }
    return answer;
  }

  close(): Promise<void> {
    if (this.#closing === undefined) {
      this.#sendAll();
      this.#worker.postMessage({ close: true });
      this.#closing = this.#ended;
    }
    return this.#closing;
  }

  #takeLater(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#outbox.push(...this.#later);
    this.#later = [];
  }

  #sendAll(): void {
    this.#takeLater();
    this.#send();
  }

  #send(): void {
    this.#isLeaving = false;
    if (this.#outbox.some(({ service }) => service === STORE_SERVICE)) this.#takeLater();
    const requests = this.#outbox;
    this.#outbox = [];
    if (requests.length === 0) return;
    try {
      this.#worker.postMessage(requests);
    } catch (error) {
      // Only plain data crosses; a message that cannot be cloned was not sent. Sent alone, such a request affects no
      // other.
      if (requests.length > 1) for (const request of requests) this.#sendAlone(request);
      else this.#waiting.failed(requests[0]!.id, error);
    }
  }

  #sendAlone(request: WireRequest): void {
    try {
      this.#worker.postMessage([request]);
    } catch (error) {
      this.#waiting.failed(request.id, error);
    }
  }

  #fail(why: string): void {
    const end = (this.#end ??= why);
    clearTimeout(this.#soon);
    this.#waiting.failAll(() => gone(end));
  }
}

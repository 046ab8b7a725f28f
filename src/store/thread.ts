/** The loop of the store’s thread: takes requests in batches and answers them after one flush. */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { toWireError, type WireAnswer, type WireAnswers, type WireClose, type WireRequest } from './wire.ts';

export interface ThreadRequest {
  readonly method: string;
  readonly args: readonly unknown[];
}

export type BatchResult = { readonly value: unknown } | { readonly error: unknown };

/**
 * A service that runs in the store's thread and shares its flushes. Calls are synchronous: waiting for the disk is what
 * the thread is for.
 */
export interface ThreadService {
  /** Carries out the requests in order and returns once what they wrote is on disk. One result for each request. */
  handle(requests: readonly ThreadRequest[]): readonly BatchResult[];
  /** Called after the answers have left: for disk work that no caller waits for. */
  settle(): void;
  /** Called when nothing has been asked for a while. */
  idle(): void;
  close(): void;
}

/** Long enough that an action's second flush has passed, short enough to come between two actions of a person. */
const IDLE_MS = 250;

type Message = readonly WireRequest[] | WireClose;

/**
 * Serves the services over the port until it is asked to close; each batch in the order of the services. Group commit: what arrives while a flush is under way waits
 * in the port, is taken out together and shares the next flush.
 */
export function serveThread(port: MessagePort, services: Readonly<Record<string, ThreadService>>): void {
  let queue: WireRequest[] = [];
  let isClosing = false;
  const idleTimer = setTimeout(() => {
    for (const service of Object.values(services)) service.idle();
  }, IDLE_MS).unref();

  const answersTo = (requests: readonly WireRequest[], results: readonly BatchResult[]): WireAnswer[] =>
    requests.map(({ id }, index) => {
      const result = results[index] ?? { error: new Error('the service gave no result') };
      return 'error' in result ? { id, error: toWireError(result.error) } : { id, value: result.value };
    });

  const runService = (name: string, requests: readonly WireRequest[]): readonly BatchResult[] => {
    try {
      const service = services[name];
      if (service === undefined) throw new Error(`no service ${name} in this thread`);
      return service.handle(requests);
    } catch (error) {
      return requests.map(() => ({ error }));
    }
  };

  /**
   * All results of a batch in one message: a caller of two services waits for both, and each message wakes the main
   * loop.
   */
  const post = (answers: WireAnswers): void => {
    try {
      port.postMessage(answers);
    } catch (error) {
      // A result that cannot be cloned must not lose the other answers.
      if (answers.length > 1) for (const answer of answers) post([answer]);
      else port.postMessage(answers.map(({ id }) => ({ id, error: toWireError(error) })));
    }
  };

  const take = (message: Message): void => {
    if ('close' in message) isClosing = true;
    else if (!isClosing) queue.push(...message);
  };

  const run = (first: Message): void => {
    take(first);
    // Everything that waits in the port: the event loop itself would deliver one message at a time.
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
      take(next.message as Message);
    const batch = queue;
    queue = [];
    const asked = new Set(batch.map((request) => request.service));
    const answers: WireAnswer[] = [];
    for (const name of new Set([...Object.keys(services), ...asked])) {
      const requests = batch.filter((request) => request.service === name);
      if (requests.length > 0) answers.push(...answersTo(requests, runService(name, requests)));
    }
    if (answers.length > 0) post(answers);
    for (const service of Object.values(services)) service.settle();
    if (!isClosing) {
      idleTimer.refresh();
      return;
    }
    clearTimeout(idleTimer);
    for (const service of Object.values(services)) service.close();
    port.close();
  };

  port.on('message', run);
}

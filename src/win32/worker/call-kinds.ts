/** What the host knows of a call to the desktop before it sends it: the window it concerns, and what it shares with others. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { within } from '../../base/time.ts';
import { abortReason, type Delivery, UiaHostError } from '../../contract/errors.ts';
import { isTerminalClass } from '../../contract/terminal/terminals.ts';
import { METHOD_KINDS, type DeliveryMode, type MethodKind, type CallContext } from '../../desktop/index.ts';
import type { Topic } from './protocol.ts';

/** Whether input was delivered if a call of this method is interrupted. */
export function whenInterrupted(topic: Topic, method: string): Delivery {
  const kinds: Readonly<Record<string, MethodKind>> = METHOD_KINDS[topic];
  return kinds[method] === 'looks' ? 'not_delivered' : 'unknown';
}

/** The window that a call concerns: its program's worker serves it. Null: the whole desktop. */
export function windowOf(args: readonly unknown[]): BindingRecord | null {
  const first = args[0] as (Partial<BindingRecord> & { record?: BindingRecord }) | null | undefined;
  if (typeof first !== 'object' || first === null) return null;
  const record = first.record ?? first;
  return typeof record.hwnd === 'string' && typeof record.processCreated === 'string'
    ? (record as BindingRecord)
    : null;
}

/** Consoles and terminals count as one program, which the first worker serves. */
export const TERMINALS = 'terminals';

/** The program of a window. Every console and terminal is one program's: they share a helper, and what opened them. */
export const programOf = (record: BindingRecord): string =>
  isTerminalClass(record.className) ? TERMINALS : `${record.pid}/${record.processCreated}`;

/** Which argument has the way of delivery, or options with it. */
const DELIVERY_AT: { readonly [T in Topic]?: Readonly<Record<string, number>> } = {
  element: { click: 2, typeInto: 3 },
  keyboard: { typeText: 2, chords: 3, press: 2, release: 2, hold: 3 },
  pointer: { move: 2, hover: 2, click: 2, button: 3, drag: 3, wheel: 3 },
};

/** Whether a call sends real input, which is the whole desktop's. */
export function isRealInput(topic: Topic, method: string, args: readonly unknown[]): boolean {
  if (topic === 'window') return method === 'activate';
  const at = DELIVERY_AT[topic]?.[method];
  if (at === undefined) return false;
  const given = args[at] as DeliveryMode | { readonly delivery?: DeliveryMode } | undefined;
  return args[0] === null || given === 'foreground' || (typeof given === 'object' && given.delivery === 'foreground');
}

/** What only one worker may use at a time. */
export type SharedThing = 'clipboard' | 'input';

/** What a call uses that other programs' calls use too, always in this order. Releasing waits for nothing. */
export function sharedThings(topic: Topic, method: string, args: readonly unknown[]): SharedThing[] {
  if (isRelease(topic, method, args)) return [];
  const pastes = topic === 'keyboard' && method === 'typeText' && (args[2] as { viaClipboard?: boolean }).viaClipboard;
  return [
    ...(topic === 'clipboard' || pastes === true ? ['clipboard' as const] : []),
    ...(isRealInput(topic, method, args) ? ['input' as const] : []),
  ];
}

/** Whether it releases keys or a button. */
export const isRelease = (topic: Topic, method: string, args: readonly unknown[]): boolean =>
  (topic === 'keyboard' && (method === 'release' || method === 'releaseAll')) ||
  (topic === 'pointer' && method === 'button' && args[1] === 'up');

/** Facts of a window that its program is not asked for: any worker can answer. */
export const isFactOfWindow = (topic: Topic, method: string): boolean =>
  topic === 'system' || (topic === 'binding' && (method === 'describe' || method === 'isAlive'));

/** Starting programs, terminals and icons use what the first worker knows. Any worker can answer the rest. */
export const needsFirst = (topic: Topic, method: string): boolean =>
  topic === 'terminal' ||
  topic === 'keyboard' ||
  topic === 'pointer' ||
  (topic === 'app' && (method === 'open' || method === 'icon' || method === 'installed'));

// The turn of what all workers share: the clipboard, and real keyboard and mouse.

interface Waiting {
  readonly worker: object;
  readonly enter: () => void;
}

/**
 * Calls of one worker use it together, as they would with one worker only; another worker's wait until those have ended.
 */
export class SharedUse {
  readonly #name: string;
  #user: object | null = null;
  #uses = 0;
  #line: Waiting[] = [];

  /** `name`: for the error. */
  constructor(name: string) {
    this.#name = name;
  }

  /**
   * Waits for the turn of a worker; the result ends this use.
   * Errors: deadline_exceeded if it does not come in time, the signal's reason on an abort; nothing was delivered.
   */
  async take(worker: object, call: CallContext): Promise<() => void> {
    if (this.#user === null || this.#user === worker) this.#enter(worker);
    else {
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiting: Waiting = { worker, enter: resolve };
      this.#line.push(waiting);
      await withinCall(promise, call, () => this.#late(call)).catch((error: unknown) => {
        // Its turn may have come at the same moment.
        if (!this.#line.includes(waiting)) this.#leave();
        this.#line = this.#line.filter((each) => each !== waiting);
        throw error;
      });
    }
    let isOver = false;
    return () => {
      if (!isOver) this.#leave();
      isOver = true;
    };
  }

  #enter(worker: object): void {
    this.#user = worker;
    this.#uses += 1;
  }

  #leave(): void {
    this.#uses -= 1;
    if (this.#uses > 0) return;
    const [next] = this.#line;
    this.#user = null;
    if (next === undefined) return;
    // All calls of the worker whose turn it is: they would not wait for each other.
    const entering = this.#line.filter(({ worker }) => worker === next.worker);
    this.#line = this.#line.filter(({ worker }) => worker !== next.worker);
    for (const { worker, enter } of entering) {
      this.#enter(worker);
      enter();
    }
  }

  #late({ deadlineMs }: CallContext): UiaHostError {
    return new UiaHostError(
      'deadline_exceeded',
      `Actions on other programs used ${this.#name} for the whole deadline of ${deadlineMs} ms; nothing was sent.`,
    );
  }
}

/** Waits within a call's time. Errors: `late`, the signal's reason. */
export async function withinCall<T>(
  promise: Promise<T>,
  { signal, deadlineMs }: CallContext,
  late: () => Error,
): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(abortReason(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await within(Promise.race([promise, aborted]), deadlineMs, late);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Calls to the object model of one spreadsheet process: one action at a time, each call on another thread with the
 * action's deadline, busy answers asked again, references released when the process answers.
 */
import { answersCalls, releaseLater, type Dispatch, type DispatchHome } from '../../../native-bindings/com/dispatch.ts';
import { ComError } from '../../../native-bindings/com/hresult.ts';
import type { Delivery } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/index.ts';
import { pause, throwIfAborted } from '../windows/waiting.ts';
import { busyError, isBusy, lateError } from './excel-errors.ts';
import type { OpenBook } from './open-book.ts';

/** Time (ms) kept for finding out why a program does not answer, and for the answer itself. */
const RESERVE_MS = 450;
/** No more than this part of a short deadline. */
const RESERVE_PART = 0.3;
/** Pauses (ms) between two tries while the program is busy: short at first, since most dialogs of its own are. */
const FIRST_PAUSE_MS = 40;
const LONGEST_PAUSE_MS = 400;
const PAUSE_GROWTH = 1.6;

/**
 * Releases begin this long (ms) after an action, so that its answer goes first: they keep the program and this process busy. If
 * another action begins by then, they wait for its end too, unless there are many.
 */
const RELEASE_AFTER_MS = 10;
const MANY_RELEASES = 100;
/** How often (ms) releases that were refused are tried again, and how often in a row without an action in between. */
const RELEASE_EVERY_MS = 1000;
const MOST_RELEASE_TRIES = 300;

/**
 * How long (ms) after an action: to open a window's object and to release it takes longer than to read a cell, and a caller that
 * works through a sheet comes back sooner. A person who closes the program meanwhile does not notice: until the last reference
 * is released, Excel's process stays.
 */
const KEPT_MS = 500;

/** Releases under way at a time: each may hold up a thread of the worker while the program does not answer. */
const MOST_AT_A_TIME = 4;

const LATE = Symbol('late');

/** One action in its turn. */
export interface Turn {
  readonly home: DispatchHome;
  readonly hwnd: number;
  readonly call: CallContext;
  /** Milliseconds left for calls. */
  remaining(): number;
  /** From here on the program may have done something even if no answer comes. */
  hasBegun: boolean;
  /** How often the program has refused a call for now. */
  refusals: number;
  /** The book that actions before this one have found. */
  known(): OpenBook | undefined;
  /** For this action and those after it. */
  know(book: OpenBook): OpenBook;
  /** The object outlives the action: others that a call gave are released when it ends. */
  keep(object: Dispatch): Dispatch;
  /** Runs a native call that may wait for the program. */
  wait<T>(running: Promise<T>, name: string): Promise<T>;
}

const deliveryOf = ({ hasBegun }: Turn): Delivery => (hasBegun ? 'unknown' : 'not_delivered');

/** Sends what changes something; `isOnce`: a refusal for now is an error too. */
export type Change = <T>(send: (isOnce: boolean) => Promise<T>) => Promise<T>;

/** The program became busy before anything was done: a person may have changed what was read. */
const AGAIN = Symbol('again');

/** Work that reads, and then changes by `change` alone: it begins again where the program was busy in between. */
export async function whileUnchanged<T>(turn: Turn, work: (change: Change) => Promise<T>): Promise<T> {
  for (;;) {
    const { refusals } = turn;
    try {
      return await work(async (send) => {
        const isFirst = !turn.hasBegun;
        if (isFirst && turn.refusals !== refusals) throw AGAIN;
        turn.hasBegun = true;
        return send(isFirst).catch((error: unknown) => {
          if (!isFirst || !(error instanceof ComError) || !isBusy(error.hresult)) throw error;
          turn.hasBegun = false;
          throw AGAIN;
        });
      });
    } catch (error) {
      if (error !== AGAIN) throw error;
    }
  }
}

class ExcelProgram {
  readonly #ids: DispatchHome['ids'] = new Map();
  #released: bigint[] = [];
  #toRelease: NodeJS.Timeout | undefined;
  /** Tries to release in a row that were refused. */
  #tries = 0;
  /** Ends when the actions before have ended, and with them calls that no one waits for any more. */
  #tail: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** Whether its last call was answered, neither refused nor given up: then it takes releases now. */
  #answered = false;
  /** The current action's. */
  #carryOut: DispatchHome['carryOut'] | null = null;
  /** What the current action was given: released when it ends. */
  #given: Set<Dispatch> | null = null;
  readonly #home: DispatchHome = {
    ids: this.#ids,
    made: (object) => (this.#given === null ? object[Symbol.dispose]() : void this.#given.add(object)),
    release: (pointer) => void this.#released.push(pointer),
    carryOut: (...call) => {
      if (this.#carryOut === null) throw new Error('an object of a spreadsheet was used outside an action');
      return this.#carryOut(...call);
    },
  };
  readonly #keep = (object: Dispatch): Dispatch => {
    this.#given?.delete(object);
    return object;
  };
  /** Kept for the next actions, by bound window. */
  readonly #books = new Map<number, OpenBook>();
  #toForget: NodeJS.Timeout | undefined;

  /** No action runs or waits, and nothing is left to release. */
  get isIdle(): boolean {
    return this.#waiting === 0 && this.#released.length === 0 && this.#books.size === 0;
  }

  #forget(hwnd: number): void {
    this.#books.get(hwnd)?.[Symbol.dispose]();
    this.#books.delete(hwnd);
  }

  /** Gives up what is kept for a next action, without a call. */
  close(): void {
    clearTimeout(this.#toForget);
    for (const hwnd of this.#books.keys()) this.#forget(hwnd);
  }

  async run<T>(hwnd: number, call: CallContext, action: (turn: Turn) => Promise<T>): Promise<T> {
    const end = performance.now() + call.deadlineMs - Math.min(RESERVE_MS, call.deadlineMs * RESERVE_PART);
    const before = this.#tail;
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    this.#tail = before.then(() => done);
    this.#waiting += 1;
    clearTimeout(this.#toForget);
    if (this.#released.length < MANY_RELEASES) {
      clearTimeout(this.#toRelease);
      this.#toRelease = undefined;
    }
    const inFlight = new Set<Promise<unknown>>();
    const given = new Set<Dispatch>();
    // One for all calls of the action, which makes up to hundreds.
    const { promise: late, resolve: giveUp } = Promise.withResolvers<typeof LATE>();
    const onLate = (): void => giveUp(LATE);
    const turn: Turn = {
      home: this.#home,
      hwnd,
      call,
      remaining: () => Math.max(0, end - performance.now()),
      hasBegun: false,
      refusals: 0,
      known: () => this.#books.get(hwnd),
      know: (book) => {
        this.#forget(hwnd);
        this.#books.set(hwnd, book);
        return book;
      },
      keep: this.#keep,
      async wait(running, name) {
        inFlight.add(running);
        const answered = (): void => void inFlight.delete(running);
        running.then(answered, answered);
        const answer = await Promise.race([running, late]);
        if (answer !== LATE) return answer;
        throwIfAborted(call, deliveryOf(turn));
        throw await lateError(hwnd, name, deliveryOf(turn));
      },
    };
    const timer = setTimeout(onLate, turn.remaining());
    if (call.signal.aborted) onLate();
    else call.signal.addEventListener('abort', onLate, { once: true });
    try {
      await turn.wait(before, 'the action before');
      this.#given = given;
      this.#carryOut = (...started) => this.#call(turn, ...started);
      return await action(turn);
    } catch (error) {
      this.#forget(hwnd);
      throw error;
    } finally {
      clearTimeout(timer);
      call.signal.removeEventListener('abort', onLate);
      for (const object of given) object[Symbol.dispose]();
      if (this.#given === given) this.#given = null;
      // A call that no one waits for still runs: the next action must wait for it.
      void Promise.allSettled([before, ...inFlight]).then(() => {
        this.#waiting -= 1;
        finish();
        if (this.#waiting === 0 && this.#books.size > 0)
          this.#toForget = setTimeout(() => {
            this.close();
            this.#releaseNext();
          }, KEPT_MS).unref();
        this.#toRelease ??= setTimeout(() => this.#releaseNext(), RELEASE_AFTER_MS);
      });
    }
  }

  async #call(turn: Turn, ...[start, name, isOnce = false]: Parameters<DispatchHome['carryOut']>): Promise<number> {
    for (let next = FIRST_PAUSE_MS; ; next = Math.min(LONGEST_PAUSE_MS, next * PAUSE_GROWTH)) {
      throwIfAborted(turn.call, deliveryOf(turn));
      this.#answered = false;
      const hr = await turn.wait(start(), name);
      this.#answered = !isBusy(hr);
      if (!this.#answered) turn.refusals += 1;
      if (this.#answered || isOnce) return hr;
      if (turn.remaining() < next) throw busyError(turn.hwnd, deliveryOf(turn));
      await pause(next, turn.call, deliveryOf(turn));
    }
  }

  /** Once the actions so far have ended. */
  #releaseNext(): void {
    clearTimeout(this.#toRelease);
    this.#toRelease = undefined;
    this.#tail = this.#tail.then(() => this.#releaseAll());
  }

  /** A program that refuses calls refuses releases too, and its objects stay: they wait until it answers. */
  async #releaseAll(): Promise<void> {
    const first = this.#released[0];
    if (first === undefined) return;
    if (!this.#answered && isBusy(await answersCalls(first))) {
      this.#tries += 1;
      if (this.#tries > MOST_RELEASE_TRIES) return;
      setTimeout(() => this.#releaseNext(), RELEASE_EVERY_MS).unref();
      return;
    }
    this.#tries = 0;
    const all = this.#released;
    this.#released = [];
    this.#answered = false;
    const releaseNext = async (): Promise<void> => {
      for (let next = all.pop(); next !== undefined; next = all.pop()) await releaseLater(next);
    };
    await Promise.all(Array.from({ length: MOST_AT_A_TIME }, releaseNext));
  }
}

/** The programs that were asked lately, by process. */
export class ExcelPrograms {
  readonly #programs = new Map<number, ExcelProgram>();

  /** Runs an action when those before it on the same process have ended. */
  run<T>(pid: number, hwnd: number, call: CallContext, action: (turn: Turn) => Promise<T>): Promise<T> {
    let program = this.#programs.get(pid);
    if (program === undefined) {
      for (const [other, each] of this.#programs) if (each.isIdle) this.#programs.delete(other);
      this.#programs.set(pid, (program = new ExcelProgram()));
    }
    return program.run(hwnd, call, action);
  }

  close(): void {
    for (const program of this.#programs.values()) program.close();
  }
}

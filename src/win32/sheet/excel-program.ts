/**
 * Calls to the object model of one spreadsheet process: one action at a time, each call on another thread with the
 * action's deadline, busy answers asked again, references released when the process answers.
 */
import { answersCalls, releaseLater, type DispatchHome } from '../../../native-bindings/com/dispatch.ts';
import type { CallContext } from '../../desktop/index.ts';
import { pause, throwIfAborted } from '../windows/waiting.ts';
import { busyError, isBusy, lateError } from './excel-errors.ts';
import { OpenBooks } from './open-book.ts';

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
  /** From here on the program may have done something even if no answer comes; `false`: it refused, and has done nothing. */
  began(has?: boolean): void;
  readonly hasBegun: boolean;
  /** How often the program has refused a call for now. */
  readonly refusals: number;
  /** Objects that are known from actions before this one. */
  readonly books: OpenBooks;
  /** Runs a native call that may wait for the program. */
  wait<T>(running: Promise<T>, name: string): Promise<T>;
}

interface OwnTurn extends Turn {
  readonly carryOut: DispatchHome['carryOut'];
  finish(): void;
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
  /** Counts all objects, since some outlive the action that found them. */
  readonly #home: DispatchHome = {
    ids: this.#ids,
    release: (pointer) => void this.#released.push(pointer),
    carryOut: (...call) => {
      if (this.#carryOut === null) throw new Error('an object of a spreadsheet was used outside an action');
      return this.#carryOut(...call);
    },
  };
  readonly #books = new OpenBooks(() => this.#releaseNext());

  /** No action runs or waits, and nothing is left to release. */
  get isIdle(): boolean {
    return this.#waiting === 0 && this.#released.length === 0 && this.#books.isEmpty;
  }

  /** Gives up what is kept for a next action, without a call. */
  close(): void {
    this.#books.forgetAll();
  }

  async run<T>(hwnd: number, call: CallContext, action: (turn: Turn) => Promise<T>): Promise<T> {
    const end = performance.now() + call.deadlineMs - Math.min(RESERVE_MS, call.deadlineMs * RESERVE_PART);
    const before = this.#tail;
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    this.#tail = before.then(() => done);
    this.#waiting += 1;
    this.#books.stay();
    if (this.#released.length < MANY_RELEASES) {
      clearTimeout(this.#toRelease);
      this.#toRelease = undefined;
    }
    const inFlight = new Set<Promise<unknown>>();
    const turn = this.#turn(hwnd, call, end, inFlight);
    try {
      await turn.wait(before, 'the action before');
      this.#carryOut = turn.carryOut;
      return await action(turn);
    } catch (error) {
      this.#books.forget(hwnd);
      throw error;
    } finally {
      // A call that no one waits for still runs: the next action must wait for it.
      turn.finish();
      void Promise.allSettled([before, ...inFlight]).then(() => {
        this.#waiting -= 1;
        finish();
        if (this.#waiting === 0) this.#books.leave();
        this.#toRelease ??= setTimeout(() => this.#releaseNext(), RELEASE_AFTER_MS);
      });
    }
  }

  #turn(hwnd: number, call: CallContext, end: number, inFlight: Set<Promise<unknown>>): OwnTurn {
    let hasBegun = false;
    let refusals = 0;
    const remaining = (): number => Math.max(0, end - performance.now());
    // One for all calls of the action, which makes up to hundreds.
    const { promise: late, resolve: giveUp } = Promise.withResolvers<typeof LATE>();
    const onLate = (): void => giveUp(LATE);
    const timer = setTimeout(onLate, remaining());
    if (call.signal.aborted) onLate();
    else call.signal.addEventListener('abort', onLate, { once: true });
    const wait = async <T>(running: Promise<T>, name: string): Promise<T> => {
      inFlight.add(running);
      const answered = (): void => void inFlight.delete(running);
      running.then(answered, answered);
      const answer = await Promise.race([running, late]);
      if (answer !== LATE) return answer;
      const delivery = hasBegun ? 'unknown' : 'not_delivered';
      throwIfAborted(call, delivery);
      throw await lateError(hwnd, name, delivery);
    };
    const carryOut: DispatchHome['carryOut'] = async (start, name, isOnce = false) => {
      const delivery = (): 'unknown' | 'not_delivered' => (hasBegun ? 'unknown' : 'not_delivered');
      for (let next = FIRST_PAUSE_MS; ; next = Math.min(LONGEST_PAUSE_MS, next * PAUSE_GROWTH)) {
        throwIfAborted(call, delivery());
        this.#answered = false;
        const hr = await wait(start(), name);
        this.#answered = !isBusy(hr);
        if (!this.#answered) refusals += 1;
        if (this.#answered || isOnce) return hr;
        if (remaining() < next) throw busyError(hwnd, delivery());
        await pause(next, call, delivery());
      }
    };
    return {
      home: this.#home,
      carryOut,
      hwnd,
      call,
      remaining,
      books: this.#books,
      wait,
      finish() {
        clearTimeout(timer);
        call.signal.removeEventListener('abort', onLate);
      },
      began(has = true) {
        hasBegun = has;
      },
      get refusals() {
        return refusals;
      },
      get hasBegun() {
        return hasBegun;
      },
    };
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

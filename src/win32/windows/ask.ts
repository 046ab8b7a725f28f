/**
 * Questions to other programs' windows that never wait for a hung one. Each thread is pinged before anything else is sent
 * to it, unless it has just answered; a thread that does not answer in time gets no more messages from the same
 * `Asker`. Only messages of a closed list are sent (`isReading`): what changes something leaves by `exits`.
 */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { threadOf, kindOfWindow } from './window-info.ts';
import { text16, type Pointer } from '../../../native-bindings/library.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import type { ControlKind } from './classes.ts';

/** Messages that only read in every window; the drivers add those below WM_USER (`admitAsks`). */
const ANYWHERE = new Set<number>(
  [
    [m.WM_NULL, m.WM_GETTEXT, m.WM_GETTEXTLENGTH, m.WM_GETOBJECT, m.WM_GETDLGCODE, m.WM_NCHITTEST],
    [m.WM_MDIGETACTIVE, m.WM_INITMENU, m.WM_INITMENUPOPUP],
  ].flat(),
);

/** WM_USER, where the messages of classes begin: the first of a dialog's. Source: learn.microsoft.com/windows/win32/winmsg/wm-user */
const OF_CLASSES = m.DM_GETDEFID;

/** Messages of a class. */
const OF_KIND = new Map<ControlKind, Set<number>>([['dialog', new Set([m.DM_GETDEFID])]]);

/** Adds what a driver asks its kinds of control, once at start. Errors: of the program itself, for what is there already. */
export function admitAsks(kinds: readonly ControlKind[], messages: readonly number[]): void {
  for (const message of messages)
    for (const kind of message < OF_CLASSES ? [null] : kinds) {
      const table = kind === null ? ANYWHERE : (OF_KIND.get(kind) ?? new Set());
      if (table.has(message)) throw new RangeError(`0x${message.toString(16)} is in two drivers.`);
      table.add(message);
      if (kind !== null) OF_KIND.set(kind, table);
    }
}

/** A window keeps its class; its handle may go to another window, which takes longer than this (ms). */
const KEPT_MS = 50;
let last = { hwnd: 0, kind: 'other' as ControlKind, at: 0 };

function kindNow(hwnd: number): ControlKind {
  const at = performance.now();
  if (last.hwnd !== hwnd || at - last.at > KEPT_MS) last = { hwnd, kind: kindOfWindow(hwnd), at };
  return last.kind;
}

/** Whether a message to this window only reads. */
const isReading = (hwnd: number, message: number): boolean =>
  ANYWHERE.has(message) || (OF_KIND.get(kindNow(hwnd))?.has(message) ?? false);

/** Do not wait for a thread that Windows considers hung; fail if the window is destroyed meanwhile. */
const NEVER_WAITING = m.SMTO_ABORTIFHUNG | m.SMTO_ERRORONEXIT;

/** Time limit of a ping: more than a busy program on a busy machine needs, and short enough to wait. */
export const PING_MS = 1000;
/** Time limit of one message once the thread has answered a ping. */
const ASK_MS = 1000;

/**
 * A thread that answered this short a time ago (ms) is not pinged again: it has had no time to hang, and each message
 * has its own time limit anyway. Longer than between two steps of an action, and shorter than a person would notice.
 */
const JUST_ANSWERED_MS = 50;

/** When threads last answered, by this process's messages. */
const answeredAt = new Map<number, number>();
/** Beyond this many, all are forgotten: a desktop has some dozens of threads with windows. */
const MOST_THREADS = 256;

function note(thread: number, hasAnswered: boolean): void {
  if (!hasAnswered) answeredAt.delete(thread);
  else {
    if (answeredAt.size >= MOST_THREADS) answeredAt.clear();
    answeredAt.set(thread, performance.now());
  }
}

const hasJustAnswered = (thread: number): boolean =>
  performance.now() - (answeredAt.get(thread) ?? Number.NEGATIVE_INFINITY) < JUST_ANSWERED_MS;

const resultOut = Buffer.alloc(8);
const textOut = Buffer.alloc(8192);
/** A longer text is not asked for: a program that answers such a length would have us reserve as much memory. */
export const MOST_UNITS = 0x10_0000;

/**
 * The text of `units` UTF-16 units that a message wrote into cleared memory. Null where that is not its length: the system
 * copies as much as the program answered, and that was less than it has, or nothing was written.
 */
function written(memory: Buffer, units: number): string | null {
  const text = text16(memory.subarray(0, units * 2));
  return text === '' || memory.readUInt16LE(units * 2) !== 0 ? null : text;
}

/** False for a window that is gone, and of no kind then. */
function mayAsk(hwnd: number, message: number): boolean {
  if (isReading(hwnd, message)) return true;
  if (!user32.IsWindow(hwnd)) return false;
  throw new RangeError(`0x${message.toString(16)} is not a reading message of this kind of window.`);
}

/**
 * One question with a time limit; null if there was no answer. Errors: of the program itself, for a message that is not
 * on the list. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-sendmessagetimeoutw
 */
export function askWithin(
  hwnd: number,
  message: number,
  wParam: number | bigint,
  lParam: number | Pointer,
  milliseconds: number,
): number | null {
  if (!mayAsk(hwnd, message)) return null;
  const sent = user32.SendMessageTimeoutW(
    hwnd,
    message,
    wParam,
    lParam,
    NEVER_WAITING,
    Math.max(1, milliseconds),
    resultOut,
  );
  return sent === 0 ? null : Number(resultOut.readBigInt64LE());
}

/**
 * Whether the window's thread processes messages, tested on another thread so that this one does not wait. False after
 * `withinMs`; `Asker.answers` is the same test on this thread.
 */
export const answers = async (hwnd: number, withinMs: number): Promise<boolean> =>
  (await askElsewhere(hwnd, m.WM_NULL, 0, withinMs)) !== null;

/** The same as `askWithin`, sent from another thread so that this one does not wait. */
export async function askElsewhere(
  hwnd: number,
  message: number,
  lParam: number,
  withinMs: number,
): Promise<bigint | null> {
  if (!mayAsk(hwnd, message)) return null;
  const limit = Math.max(1, Math.round(withinMs));
  // Memory of its own: several questions may be asked at a time.
  const out = Buffer.alloc(8);
  const sent = await user32.SendMessageTimeoutW.async(hwnd, message, 0, lParam, NEVER_WAITING, limit, out);
  return sent === 0 ? null : out.readBigInt64LE(0);
}

/** An idle thread answers well within this time (ms); the calling thread blocks no longer than that. */
export const AT_ONCE_MS = 20;

/** The same, tested on this thread first, which costs half as much; a thread that takes longer is waited for elsewhere. */
export async function answersSoon(hwnd: number, withinMs: number): Promise<boolean> {
  const { thread } = threadOf(hwnd);
  const isReady = askWithin(hwnd, m.WM_NULL, 0, 0, Math.min(withinMs, AT_ONCE_MS)) !== null;
  const hasAnswered = isReady || (withinMs > AT_ONCE_MS && (await answers(hwnd, withinMs - AT_ONCE_MS)));
  note(thread, hasAnswered);
  return hasAnswered;
}

/** The same; a thread that has just answered is not asked again. */
export const answersNow = async (hwnd: number, withinMs: number): Promise<boolean> =>
  hasJustAnswered(threadOf(hwnd).thread) || answersSoon(hwnd, withinMs);

/** One round of messages with a common deadline. */
export class Asker {
  readonly #deadline: number;
  readonly #threads = new Map<number, boolean>();
  readonly #threadOf = new Map<number, number>();
  #unanswered = false;

  readonly #knownThread: (hwnd: number) => number | undefined;

  /**
   * @param budgetMs time limit of the whole round
   * @param knownThread the threads of windows that need no asking
   */
  constructor(budgetMs: number, knownThread: (hwnd: number) => number | undefined = () => undefined) {
    this.#deadline = performance.now() + budgetMs;
    this.#knownThread = knownThread;
  }

  /** Milliseconds left, at least 0. */
  get left(): number {
    return Math.max(0, this.#deadline - performance.now());
  }

  get isOver(): boolean {
    return performance.now() >= this.#deadline;
  }

  /** A message was not answered, or time ran out: what was read is incomplete. */
  get isPartial(): boolean {
    return this.#unanswered;
  }

  /** Marks the round as incomplete. */
  cut(): void {
    this.#unanswered = true;
  }

  /** The window's thread did not answer another question: it gets no more messages. */
  gaveNoAnswer(hwnd: number): void {
    this.#unanswered = true;
    const thread = this.thread(hwnd);
    this.#threads.set(thread, false);
    note(thread, false);
  }

  /** Saves asking for the thread of a window. */
  knows(hwnd: number, thread: number): void {
    this.#threadOf.set(hwnd, thread);
  }

  /** The thread of a window; 0 once it is gone. */
  thread(hwnd: number): number {
    let thread = this.#threadOf.get(hwnd);
    if (thread === undefined) this.#threadOf.set(hwnd, (thread = this.#knownThread(hwnd) ?? threadOf(hwnd).thread));
    return thread;
  }

  /** Whether the window's thread answers; pinged once per round. */
  answers(hwnd: number): boolean {
    const thread = this.thread(hwnd);
    let answers = this.#threads.get(thread);
    if (answers === undefined) {
      answers =
        thread !== 0 &&
        !this.isOver &&
        (hasJustAnswered(thread) || askWithin(hwnd, m.WM_NULL, 0, 0, Math.min(PING_MS, this.left)) !== null);
      this.#threads.set(thread, answers);
      if (!answers) {
        this.#unanswered = true;
        note(thread, false);
      }
    }
    return answers;
  }

  /** A question's result; null if the thread does not answer, the window is gone or time is over. */
  ask(hwnd: number, message: number, wParam: number | bigint = 0, lParam: number | Pointer = 0): number | null {
    return this.inTurn(hwnd, (withinMs) => askWithin(hwnd, message, wParam, lParam, withinMs));
  }

  /** The same for any other message to the window, which `send` sends. */
  inTurn(hwnd: number, send: (withinMs: number) => number | null): number | null {
    if (this.isOver) {
      this.#unanswered = true;
      return null;
    }
    if (!this.answers(hwnd)) return null;
    const answer = send(Math.min(ASK_MS, this.left));
    const thread = this.thread(hwnd);
    note(thread, answer !== null);
    if (answer === null) {
      this.#unanswered = true;
      // A closed window says nothing about its thread; a slow one does.
      if (user32.IsWindow(hwnd)) this.#threads.set(thread, false);
    }
    return answer;
  }

  /**
   * The text that the window returns; null where it did not answer, or keeps its text to itself. The caller has made sure
   * that it is not a password. A text longer than `most` is returned as its length.
   */
  text(hwnd: number): string | null;
  text(hwnd: number, most: number): string | number | null;
  text(hwnd: number, most = MOST_UNITS): string | number | null {
    const capacity = textOut.length / 2;
    textOut.fill(0);
    const length = this.ask(hwnd, m.WM_GETTEXT, capacity, textOut);
    if (length === null) return null;
    const isShort = length < capacity - 1;
    const text = isShort && length > 0 ? written(textOut, length) : null;
    if (text !== null) return text;
    const whole = this.ask(hwnd, m.WM_GETTEXTLENGTH);
    // Some programs count the end of a text as well: 1 for an empty one.
    if (whole === null || isShort) return whole === 0 ? '' : null;
    if (whole > most && most < MOST_UNITS) return whole;
    if (whole <= 0 || whole > MOST_UNITS) return null;
    const memory = Buffer.alloc((whole + 2) * 2);
    const read = this.ask(hwnd, m.WM_GETTEXT, whole + 1, memory);
    return read === null || read <= 0 ? null : written(memory, Math.min(read, whole));
  }
}

/**
 * Makes a program's message loop run once more. A sent message is handled while the loop waits for the next posted one:
 * a loop that checks only afterwards whether its dialog must close (property sheets, many custom dialogs) would keep
 * waiting. The thread gets a message too, since one posted to a window is lost with that window. Neither has any other
 * effect. Source: learn.microsoft.com/windows/win32/winmsg/wm-null
 */
export function wakeLoop(hwnd: number, thread: number = threadOf(hwnd).thread): void {
  if (thread === 0) return;
  user32.PostMessageW(hwnd, m.WM_NULL, 0, 0);
  user32.PostThreadMessageW(thread, m.WM_NULL, 0, 0);
}

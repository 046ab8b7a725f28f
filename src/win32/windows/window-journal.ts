/**
 * What happened to windows, in order and numbered: a memory of a window keeps the number of that time and asks what
 * happened since. Windows that come, go, appear or disappear are reported of every program, since a window
 * may contain windows of other programs; places and contents of the programs that are followed.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwineventhook
 */
import * as m from '../../../native-bindings/win32/constants.ts';
import { MSG } from '../../../native-bindings/win32/structs.ts';
import { user32, WinEventProc } from '../../../native-bindings/win32/user32.ts';

/** More messages than this are left for the next time: a flood must not delay an action. */
const MOST_MESSAGES = 256;
const message = MSG.alloc();

/** Dispatches the waiting events. This thread has no windows, so any other message in its queue has no receiver. */
export function takeEvents(most = MOST_MESSAGES): void {
  for (let count = 0; count < most && user32.PeekMessageW(message, 0, 0, 0, m.PM_REMOVE); count++)
    user32.DispatchMessageW(message);
}

/** Hooks by process, 0 for all; the callback is released once none of their events can come any more. */
export class WinEvents implements Disposable {
  readonly #hooks = new Map<number, number[]>();
  readonly #onEvent: (event: number, hwnd: number, objectId: number) => void;
  #callback: ReturnType<typeof WinEventProc.register> | null = null;

  constructor(onEvent: (event: number, hwnd: number, objectId: number) => void) {
    this.#onEvent = onEvent;
  }

  /** The processes with hooks, in the order of their first one. */
  get processes(): readonly number[] {
    return [...this.#hooks.keys()];
  }

  has(process: number): boolean {
    return this.#hooks.has(process);
  }

  /** Follows a range of events of a process. False if the system refuses the hook. */
  hook(process: number, first: number, last: number): boolean {
    this.#callback ??= WinEventProc.register((_hook, event, hwnd, objectId) => this.#onEvent(event, hwnd, objectId));
    const hook = user32.SetWinEventHook(first, last, 0, this.#callback.address, process, 0, m.WINEVENT_OUTOFCONTEXT);
    if (hook !== 0) this.#hooks.set(process, [...(this.#hooks.get(process) ?? []), hook]);
    return hook !== 0;
  }

  unhook(process: number): void {
    for (const hook of this.#hooks.get(process) ?? []) user32.UnhookWinEvent(hook);
    this.#hooks.delete(process);
  }

  [Symbol.dispose](): void {
    for (const process of this.processes) this.unhook(process);
    // Events still queued would call into a released callback when this thread's queue is next pumped.
    takeEvents(Number.POSITIVE_INFINITY);
    this.#callback?.[Symbol.dispose]();
    this.#callback = null;
  }
}

/** `structure`: it came, went, appeared, disappeared or has another parent. `place`: it moved. */
type WindowChangeKind = 'structure' | 'place' | 'content';

export interface WindowChange {
  readonly kind: WindowChangeKind;
  readonly hwnd: number;
}

interface Since {
  /** Each window once for each kind, in order. */
  readonly changes: readonly WindowChange[];
  readonly number: number;
}

/** Events of the followed programs. */
const FOLLOWED = [m.EVENT_OBJECT_REORDER, m.EVENT_OBJECT_VALUECHANGE] as const;
/** Events of every program. */
const STRUCTURE = [
  [m.EVENT_OBJECT_CREATE, m.EVENT_OBJECT_HIDE],
  [m.EVENT_OBJECT_PARENTCHANGE, m.EVENT_OBJECT_PARENTCHANGE],
] as const;
/** How often (ms) events are taken while no caller asks, so that the system's queue stays short. */
const TAKE_MS = 500;
/** Without a question for this long (ms) nothing is listened to. */
const IDLE_MS = 120_000;
/** More windows than this that changed are not told apart: everything older counts as changed. */
const MOST_KEPT = 20_000;
/** Programs that are followed at a time. */
const MOST_FOLLOWED = 32;

/**
 * What an event reports about a window; null for nothing that matters here. Which object a name or value belongs to differs
 * between controls. The focus is asked in every reading.
 */
function kindOf(event: number, objectId: number): WindowChangeKind | null {
  if (objectId === m.OBJID_WINDOW) {
    if (event <= m.EVENT_OBJECT_REORDER || event === m.EVENT_OBJECT_PARENTCHANGE) return 'structure';
    if (event === m.EVENT_OBJECT_LOCATIONCHANGE) return 'place';
    if (event === m.EVENT_OBJECT_STATECHANGE) return 'content';
  }
  if (event === m.EVENT_OBJECT_NAMECHANGE || event === m.EVENT_OBJECT_VALUECHANGE) return 'content';
  return objectId === m.OBJID_CLIENT && event !== m.EVENT_OBJECT_FOCUS ? 'content' : null;
}

const takeAll = (): void => takeEvents(Number.POSITIVE_INFINITY);

/** One for this process: its events arrive in the thread that first asks. */
class WindowJournal {
  /** The last change of each kind of each window, oldest first, with its number. */
  readonly #changes = new Map<string, WindowChange & { readonly number: number }>();
  readonly #events = new WinEvents((event, hwnd, objectId) => {
    const kind = hwnd === 0 ? null : kindOf(event, objectId);
    if (kind !== null) this.#note(kind, hwnd);
  });
  /** The followed processes, the last asked for last. */
  readonly #followed = new Set<number>();
  #timer: NodeJS.Timeout | null = null;
  #number = 0;
  /** What happened up to here is not known. */
  #forgotten = 0;
  #askedAt = 0;

  /**
   * The number of the last change so far. Complete for every change before this call: the system puts an event into
   * this thread's queue before the call that changed something returns to the program. Null where the system reports
   * nothing: nothing may be remembered then.
   * @param process whose windows' places and contents are followed from now on
   */
  now(process: number | null = null): number | null {
    this.#askedAt = performance.now();
    if (!this.#listen() || (process !== null && !this.#follow(process))) return null;
    takeAll();
    return this.#number;
  }

  /** What happened since a number, and the number to ask with next; null where that is not known any more. */
  since(number: number): Since | null {
    this.#askedAt = performance.now();
    if (this.#isListening) takeAll();
    if (!this.#isListening || number < this.#forgotten) return null;
    const changes =
      number === this.#number ? [] : [...this.#changes.values()].filter((change) => change.number > number);
    return { changes, number: this.#number };
  }

  get #isListening(): boolean {
    return this.#events.has(0);
  }

  #listen(): boolean {
    if (this.#isListening) return true;
    const isHooked = STRUCTURE.every(([first, last]) => this.#events.hook(0, first, last));
    this.#forgotten = this.#number += 1;
    if (!isHooked) this.#stop();
    else this.#timer = setInterval(() => this.#tidy(), TAKE_MS).unref();
    return isHooked;
  }

  #follow(process: number): boolean {
    if (!this.#events.has(process) && !this.#events.hook(process, ...FOLLOWED)) return false;
    this.#followed.delete(process);
    this.#followed.add(process);
    const [oldest] = this.#followed;
    if (this.#followed.size > MOST_FOLLOWED) {
      this.#events.unhook(oldest!);
      this.#followed.delete(oldest!);
      // What is remembered of that program would count as unchanged.
      this.#forgotten = this.#number += 1;
    }
    return true;
  }

  #note(kind: WindowChangeKind, hwnd: number): void {
    const key = `${kind} ${hwnd}`;
    this.#changes.delete(key);
    this.#changes.set(key, { kind, hwnd, number: (this.#number += 1) });
    if (this.#changes.size <= MOST_KEPT) return;
    const [oldest, { number }] = this.#changes.entries().next().value!;
    this.#changes.delete(oldest);
    this.#forgotten = number;
  }

  #tidy(): void {
    if (performance.now() - this.#askedAt > IDLE_MS) this.#stop();
    else takeAll();
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#events[Symbol.dispose]();
    this.#followed.clear();
    this.#changes.clear();
  }
}

export const windowJournal = new WindowJournal();

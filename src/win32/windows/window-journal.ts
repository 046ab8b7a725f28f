/**
 * What happened to windows, in order and numbered: a memory of a window keeps the number of that time and asks what
 * happened since. Windows that come, go, appear or disappear are reported of every program, since a window
 * may contain windows of other programs; places and contents of the programs that are followed.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwineventhook
 */
import {
  EVENT_OBJECT_CREATE,
  EVENT_OBJECT_FOCUS,
  EVENT_OBJECT_HIDE,
  EVENT_OBJECT_LOCATIONCHANGE,
  EVENT_OBJECT_NAMECHANGE,
  EVENT_OBJECT_PARENTCHANGE,
  EVENT_OBJECT_REORDER,
  EVENT_OBJECT_STATECHANGE,
  EVENT_OBJECT_VALUECHANGE,
  OBJID_CLIENT,
  OBJID_WINDOW,
  PM_REMOVE,
  WINEVENT_OUTOFCONTEXT,
} from '../../../native-bindings/win32/constants.ts';
import { MSG } from '../../../native-bindings/win32/structs.ts';
import { user32, WinEventProc } from '../../../native-bindings/win32/user32.ts';

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
const FOLLOWED = [EVENT_OBJECT_REORDER, EVENT_OBJECT_VALUECHANGE] as const;
/** Events of every program. */
const STRUCTURE = [
  [EVENT_OBJECT_CREATE, EVENT_OBJECT_HIDE],
  [EVENT_OBJECT_PARENTCHANGE, EVENT_OBJECT_PARENTCHANGE],
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
  if (objectId === OBJID_WINDOW) {
    if (event <= EVENT_OBJECT_REORDER || event === EVENT_OBJECT_PARENTCHANGE) return 'structure';
    if (event === EVENT_OBJECT_LOCATIONCHANGE) return 'place';
    if (event === EVENT_OBJECT_STATECHANGE) return 'content';
  }
  if (event === EVENT_OBJECT_NAMECHANGE || event === EVENT_OBJECT_VALUECHANGE) return 'content';
  return objectId === OBJID_CLIENT && event !== EVENT_OBJECT_FOCUS ? 'content' : null;
}

/** One for this process: its events arrive in the thread that first asks. */
class WindowJournal {
  readonly #message = MSG.alloc();
  /** The last change of each kind of each window, oldest first, with its number. */
  readonly #changes = new Map<string, WindowChange & { readonly number: number }>();
  /** The hooks of each followed process, the last asked for last. */
  readonly #followed = new Map<number, number>();
  #hooks: readonly number[] = [];
  #callback: ReturnType<typeof WinEventProc.register> | null = null;
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
    this.#take();
    return this.#number;
  }

  /** What happened since a number, and the number to ask with next; null where that is not known any more. */
  since(number: number): Since | null {
    this.#askedAt = performance.now();
    if (this.#callback !== null) this.#take();
    if (this.#callback === null || number < this.#forgotten) return null;
    const changes =
      number === this.#number ? [] : [...this.#changes.values()].filter((change) => change.number > number);
    return { changes, number: this.#number };
  }

  #hook(range: readonly [first: number, last: number], process: number): number {
    return user32.SetWinEventHook(...range, 0, this.#callback!.address, process, 0, WINEVENT_OUTOFCONTEXT);
  }

  #listen(): boolean {
    if (this.#callback !== null) return true;
    this.#callback = WinEventProc.register((_hook, event, hwnd, objectId) => {
      const kind = hwnd === 0 ? null : kindOf(event, objectId);
      if (kind !== null) this.#note(kind, hwnd);
    });
    this.#hooks = STRUCTURE.map((range) => this.#hook(range, 0));
    this.#forgotten = this.#number += 1;
    if (this.#hooks.includes(0)) this.#stop();
    else this.#timer = setInterval(() => this.#tidy(), TAKE_MS).unref();
    return this.#callback !== null;
  }

  #follow(process: number): boolean {
    const hook = this.#followed.get(process) ?? this.#hook(FOLLOWED, process);
    this.#followed.delete(process);
    if (hook === 0) return false;
    this.#followed.set(process, hook);
    const [oldest] = this.#followed.keys();
    if (this.#followed.size > MOST_FOLLOWED) {
      user32.UnhookWinEvent(this.#followed.get(oldest!)!);
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

  #take(): void {
    while (user32.PeekMessageW(this.#message, 0, 0, 0, PM_REMOVE)) user32.DispatchMessageW(this.#message);
  }

  #tidy(): void {
    if (performance.now() - this.#askedAt > IDLE_MS) this.#stop();
    else this.#take();
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    for (const hook of [...this.#hooks, ...this.#followed.values()]) if (hook !== 0) user32.UnhookWinEvent(hook);
    this.#hooks = [];
    this.#followed.clear();
    // Events still queued would call into a released callback when this thread's queue is next pumped.
    this.#take();
    this.#callback?.[Symbol.dispose]();
    this.#callback = null;
    this.#changes.clear();
  }
}

export const windowJournal = new WindowJournal();

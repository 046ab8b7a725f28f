/**
 * What is known of windows between two readings. Facts of a window that cannot change are kept with its handle, and the
 * last complete tree of a top-level window with the time it was read. Events of its process say what is no longer true;
 * on a system that does not report them nothing is kept.
 */
import {
  EVENT_OBJECT_CREATE,
  EVENT_OBJECT_DESTROY,
  EVENT_OBJECT_HIDE,
  EVENT_OBJECT_LOCATIONCHANGE,
  EVENT_OBJECT_PARENTCHANGE,
  EVENT_OBJECT_REORDER,
  EVENT_OBJECT_SHOW,
  EVENT_OBJECT_STATECHANGE,
} from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { Rect } from '../../../contract/element/geometry.ts';
import { processCreated } from '../../system/process.ts';
import type { ControlKind } from '../../windows/classes.ts';
import { threadOf } from '../../windows/handle.ts';
import { outerRect } from '../../windows/rects.ts';
import { moveInfo } from '../../windows/window-info.ts';
import type { WindowTree } from '../sources/child-windows.ts';
import { walk, type TreeNode } from '../tree/tree.ts';
import { reportsWindows } from './event-probe.ts';
import { WindowEvents } from './window-events.ts';
import type { WindowFacts } from '../tree/window-facts.ts';

/** A reading of a whole window. */
export interface WholeReading {
  readonly root: TreeNode;
  readonly windows: WindowTree;
  readonly partial: boolean;
}

/** A complete tree and what has changed since it was read. */
export interface WindowView {
  readonly observed: WholeReading;
  /** When it was read (`performance.now()`). */
  readonly at: number;
  /** Nothing was created, destroyed, shown, hidden or moved into another parent. */
  isWhole: boolean;
  /** Nothing was moved either, other than the window as a whole. */
  isInPlace: boolean;
  /** The window itself was moved or resized. */
  isMoved: boolean;
  /** Windows that were enabled or disabled. */
  readonly changed: Set<number>;
  /** Controls of which something else was reported and that were not read again since. */
  readonly reported: Set<number>;
  /** Texts that were read again and differ from those of the reading. */
  readonly texts: Map<number, string>;
  /** Styles that were read again and differ. */
  readonly styles: Map<number, number>;
  /** Windows whose text was seen to change: where a program reports its state. */
  readonly live: Set<number>;
}

/** A reading that has begun: events since then count against it. */
export interface BegunReading {
  readonly process: number;
  readonly serial: number;
  /** The number of reports so far. */
  readonly reports: number;
}

/** Which windows changed, each with the number of its last report. */
interface Changes {
  /** Enabled or disabled. */
  readonly state: Map<number, number>;
  readonly content: Map<number, number>;
}

interface WatchedProcess {
  readonly events: WindowEvents;
  readonly created: string;
  readonly facts: Map<number, WindowFacts>;
  readonly views: Map<number, WindowView>;
  /** How often something was reported of a window. */
  readonly touched: Map<number, number>;
  readonly changes: Changes;
  reports: number;
  /** Counts what makes a reading that is under way doubtful. */
  serial: number;
  usedAt: number;
}

/** How often (ms) events are taken while nothing is read, so that the system's queue stays short. */
const TAKE_MS = 500;
/** A process that was not read for this long (ms) is no longer listened to. */
const IDLE_MS = 120_000;
/** A view older than this (ms) is read again: some texts change without a report. */
const OLDEST_MS = 60_000;

/** Facts kept for a process: more windows than any program has at a time. */
const MOST_FACTS = 50_000;

const STRUCTURE: ReadonlySet<number> = new Set([
  EVENT_OBJECT_CREATE,
  EVENT_OBJECT_DESTROY,
  EVENT_OBJECT_SHOW,
  EVENT_OBJECT_HIDE,
  EVENT_OBJECT_REORDER,
  EVENT_OBJECT_PARENTCHANGE,
]);

/** Kinds of which what they show may be kept until something is reported. */
const BY_REPORT: ReadonlySet<ControlKind> = new Set(['button', 'static', 'edit']);
const isByReport = (kind: ControlKind | undefined): boolean => kind !== undefined && BY_REPORT.has(kind);

/** Windows and their items only: what other sources show is not reported by window events. */
export function isPlain({ root, windows }: Pick<WholeReading, 'root' | 'windows'>): boolean {
  for (const node of walk(root)) {
    const { kind } = node.locator;
    if (kind === 'uia' || kind === 'msaa') return false;
    if (kind === 'window' && windows.entries.get(node.hwnd)?.node !== node) return false;
  }
  return true;
}

export class WindowViews implements Disposable {
  readonly #processes = new Map<number, WatchedProcess>();
  #timer: NodeJS.Timeout | null = null;

  /** Begins a reading of a window: what is reported from now on counts. Null where changes are not reported. */
  begin(process: number, created: string): BegunReading | null {
    const watched = this.#watch(process, created);
    if (watched === null) return null;
    this.#take(watched);
    return { process, serial: watched.serial, reports: watched.reports };
  }

  /** Keeps a complete reading that began at `at`, unless something was reported meanwhile. */
  keep(begun: BegunReading, observed: WholeReading, at: number): void {
    const watched = this.#processes.get(begun.process);
    if (watched === undefined) return;
    this.#take(watched);
    const old = watched.views.get(observed.root.hwnd);
    watched.views.delete(observed.root.hwnd);
    const isOwn = [...observed.windows.entries.keys()].every(
      (hwnd) => (watched.facts.get(hwnd)?.process ?? begun.process) === begun.process,
    );
    if (watched.serial !== begun.serial || observed.partial || !isOwn || !isPlain(observed)) return;
    // What was reported during the reading may have been read before.
    const meanwhile = (of: ReadonlyMap<number, number>): number[] =>
      [...of].filter(([, report]) => report > begun.reports).map(([hwnd]) => hwnd);
    const { entries } = observed.windows;
    watched.views.set(observed.root.hwnd, {
      observed,
      at,
      isWhole: true,
      isInPlace: true,
      isMoved: false,
      changed: new Set(meanwhile(watched.changes.state).filter((hwnd) => entries.has(hwnd))),
      reported: new Set(meanwhile(watched.changes.content).filter((hwnd) => isByReport(entries.get(hwnd)?.kind))),
      texts: new Map(),
      styles: new Map(),
      live: old?.live ?? new Set(),
    });
  }

  /** The last complete reading of a window with what is known to have changed; null if there is none. */
  view(root: number): WindowView | null {
    const { process } = threadOf(root);
    const watched = this.#processes.get(process);
    if (watched === undefined) return null;
    watched.usedAt = performance.now();
    this.#take(watched);
    const view = watched.views.get(root);
    if (view === undefined || performance.now() - view.at > OLDEST_MS) return null;
    if (view.isMoved) followMove(view, root);
    return view;
  }

  /** Forgets a tree that no longer fits. */
  drop(root: number): void {
    this.#processes.get(threadOf(root).process)?.views.delete(root);
  }

  /** How often something was reported of each window of the process until now. */
  touched(root: number): ReadonlyMap<number, number> {
    const watched = this.#processes.get(threadOf(root).process);
    if (watched === undefined) return new Map();
    this.#take(watched);
    return watched.touched;
  }

  /** Facts of a window; null where they have to be asked. */
  facts(process: number, hwnd: number): WindowFacts | null {
    return this.#processes.get(process)?.facts.get(hwnd) ?? null;
  }

  /** Classes of windows, as far as they are known of the process of `root` and nothing says that they are gone. */
  classesIn(root: number): (hwnd: number) => string | undefined {
    const { process } = threadOf(root);
    const watched = this.#processes.get(process);
    if (watched === undefined) return () => undefined;
    this.#take(watched);
    return (hwnd) => {
      const facts = watched.facts.get(hwnd);
      // What happens to another program's windows is not reported here.
      return facts?.process === process ? facts.className : undefined;
    };
  }

  keepFacts(process: number, hwnd: number, facts: WindowFacts): void {
    const watched = this.#processes.get(process);
    if (watched === undefined) return;
    // Not every system reports that a window is gone.
    if (watched.facts.size >= MOST_FACTS) watched.facts.clear();
    watched.facts.set(hwnd, facts);
  }

  #watch(process: number, created: string): WatchedProcess | null {
    const known = this.#processes.get(process);
    if (known !== undefined && known.created === created) {
      known.usedAt = performance.now();
      return known;
    }
    // A process number that is used again belongs to another program.
    if (known !== undefined) this.#forget(process, known);
    if (!reportsWindows()) return null;
    this.#forgetEnded();
    const events = new WindowEvents(process);
    if (!events.isListening) {
      events[Symbol.dispose]();
      return null;
    }
    const watched: WatchedProcess = {
      events,
      created,
      facts: new Map(),
      views: new Map(),
      touched: new Map(),
      changes: { state: new Map(), content: new Map() },
      reports: 0,
      serial: 0,
      usedAt: performance.now(),
    };
    this.#processes.set(process, watched);
    this.#timer ??= setInterval(() => this.#tidy(), TAKE_MS).unref();
    return watched;
  }

  /** What is kept of a large window takes memory, and each hook is asked for its events. */
  #forgetEnded(): void {
    for (const [process, watched] of this.#processes)
      // A process that may not be opened has the time 0.
      if ((processCreated(process) ?? '0') !== watched.created) this.#forget(process, watched);
  }

  #forget(process: number, watched: WatchedProcess): void {
    watched.events[Symbol.dispose]();
    this.#processes.delete(process);
  }

  #tidy(): void {
    for (const [process, watched] of this.#processes) {
      if (performance.now() - watched.usedAt > IDLE_MS) this.#forget(process, watched);
      else this.#take(watched);
      for (const [root, { at }] of watched.views) if (performance.now() - at > OLDEST_MS) watched.views.delete(root);
    }
    if (this.#processes.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Applies what was reported to facts and views. */
  #take(watched: WatchedProcess): void {
    const reported = watched.events.take();
    const { state, content } = watched.changes;
    if (reported === null || state.size > MOST_FACTS || content.size > MOST_FACTS) {
      watched.serial += 1;
      watched.facts.clear();
      watched.views.clear();
      state.clear();
      content.clear();
      return;
    }
    if (watched.touched.size > MOST_FACTS) watched.touched.clear();
    for (const { event, hwnd } of reported.events) {
      watched.reports += 1;
      watched.touched.set(hwnd, (watched.touched.get(hwnd) ?? 0) + 1);
      if (STRUCTURE.has(event)) {
        watched.facts.delete(hwnd);
        watched.serial += 1;
      } else if (event === EVENT_OBJECT_LOCATIONCHANGE) watched.serial += 1;
      else if (event === EVENT_OBJECT_STATECHANGE) state.set(hwnd, watched.reports);
      for (const [root, view] of watched.views) apply(view, root, event, hwnd);
    }
    for (const hwnd of reported.content) {
      watched.reports += 1;
      content.set(hwnd, watched.reports);
      for (const { observed, reported: noted } of watched.views.values())
        if (isByReport(observed.windows.entries.get(hwnd)?.kind)) noted.add(hwnd);
    }
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    for (const [process, watched] of this.#processes) this.#forget(process, watched);
  }
}

function apply(view: WindowView, root: number, event: number, hwnd: number): void {
  const isKnown = view.observed.windows.entries.has(hwnd);
  if (STRUCTURE.has(event)) {
    if (view.isWhole && (isKnown || user32.IsChild(root, hwnd))) view.isWhole = false;
  } else if (event === EVENT_OBJECT_LOCATIONCHANGE) {
    if (hwnd === root) view.isMoved = true;
    else if (isKnown) view.isInPlace = false;
  } else if (event === EVENT_OBJECT_STATECHANGE && isKnown) view.changed.add(hwnd);
}

/** A window that was moved and kept its size takes its content along: only the numbers change. */
function followMove(view: WindowView, root: number): void {
  view.isMoved = false;
  const rect = outerRect(root);
  const then = view.observed.root.rect;
  if (rect === null || rect.width !== then.width || rect.height !== then.height) {
    view.isInPlace = false;
    return;
  }
  const by = { x: rect.x - then.x, y: rect.y - then.y };
  if (by.x === 0 && by.y === 0) return;
  const moved = (one: Rect): Rect => ({ ...one, x: one.x + by.x, y: one.y + by.y });
  for (const node of walk(view.observed.root)) {
    // What is drawn outside its window does not follow it.
    if (node.popup !== null) view.isInPlace = false;
    const { rect: whole, visible } = node;
    node.rect = moved(whole);
    if (visible !== null) node.visible = visible === whole ? node.rect : moved(visible);
    if (node.clip !== null) node.clip = moved(node.clip);
  }
  for (const { info } of view.observed.windows.entries.values()) moveInfo(info, by);
}

/** Of this process: what is known of a window is the same for every reader. */
export const windowViews = new WindowViews();

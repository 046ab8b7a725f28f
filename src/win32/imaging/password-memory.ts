/**
 * The password fields of windows between two pictures, so that a picture of a quiet window does not search it again. Kept
 * only where every change is either reported by window events or can be asked alone.
 */
import { OBJID_CLIENT, UiaRootObjectId, WM_GETOBJECT } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { CallContext } from '../../desktop/index.ts';
import { processFacts } from '../system/process.ts';
import { Asker } from '../windows/ask.ts';
import { isBrowserWindow, isRenderWindow, isSystemClass } from '../windows/classes.ts';
import { windowProcess } from '../windows/handle.ts';
import { isEditClass, isPasswordField, classNameOf, descendantsOf, rootOf } from '../windows/window-info.ts';
import { outerRect } from '../windows/rects.ts';
import { WindowChanges } from '../windows/window-changes.ts';
import type { PasswordFinder, PasswordRects, PasswordTime } from './password-finder.ts';

/** What a window is asked for by UI Automation and by MSAA. Zero = it does not answer for itself. */
const ANSWERED_OBJECTS = [UiaRootObjectId, OBJID_CLIENT] as const;
/** A window with more windows of its program’s own classes than this is searched for each picture. */
const MOST_OWN = 24;
/** Without a picture for this long (ms), nothing is kept and no events are received. */
const IDLE_MS = 120_000;
/** Time limit (ms) for all windows in a window. */
const ANSWER_MS = 300;
/** Windows whose class is kept. */
const MOST_CLASSES = 50_000;
/** How often (ms) events are taken meanwhile, so that the system's queue stays short. */
const TAKE_MS = 500;
/** Changes that are kept. A window without a picture since then is searched again. */
const MOST_CHANGES = 20_000;

/** What stays the same for the lifetime of a window. */
interface ClassFacts {
  readonly isEdit: boolean;
  readonly isSystem: boolean;
  readonly isPage: boolean;
}

/** The windows in a window. Valid until one of them is created, destroyed, shown, hidden or moved to another parent. */
interface Inside {
  readonly all: ReadonlySet<number>;
  /** Edit controls: each may become a password field without a report. */
  readonly edits: readonly number[];
  /** Windows of classes that do not belong to the system: each may begin to answer UI Automation. */
  readonly own: readonly number[];
  /** It shows pages, which are built when they are asked for: what they have now says little. */
  readonly hasPages: boolean;
  /** The password fields at the last look; null = not looked yet. */
  fields: readonly number[] | null;
  /** `plain`: nothing but these windows can have a password field. `other`: one of them answers for itself. */
  content: 'unknown' | 'plain' | 'other';
  /** How many changes it has been compared with. */
  compared: number;
}

/** Programs with more rights than this one do not report to it. */
const mayReport = (hwnd: number): boolean => !processFacts(windowProcess(hwnd)).isElevated;

/** Whether a window answers UI Automation or MSAA itself. A window that does not reply in time may. */
const answersItself = (hwnd: number, asker: Asker): boolean =>
  ANSWERED_OBJECTS.some((object) => asker.ask(hwnd, WM_GETOBJECT, 0, object) !== 0);

function rectsOf(fields: readonly number[]): Rect[] {
  const shown = fields.filter((field) => user32.IsWindowVisible(field));
  return shown.map(outerRect).filter((rect) => rect !== null);
}

/** Classes that are known already; undefined where a window has to be asked. */
export type KnownClasses = (root: number) => (hwnd: number) => string | undefined;

/** One for each capture port: what it has learned of every window that it took a picture of. */
export class PasswordMemory {
  readonly #find: PasswordFinder;
  readonly #reportsChanges: () => boolean;
  readonly #classesIn: KnownClasses;
  readonly #known = new Map<number, Inside>();
  readonly #classes = new Map<number, ClassFacts>();
  /** How often something changed in a window that is known. */
  readonly #changes = new Map<number, number>();
  /**
   * The windows that changed, in order, for the windows that have not been compared with them. That is done for a
   * picture: most of what changes on a desktop is in windows of which none is taken.
   */
  #changed: number[] = [];
  /** How many came before those. */
  #forgotten = 0;
  /** The top-level windows of windows that changed, since they last did. */
  readonly #tops = new Map<number, number>();
  #events: WindowChanges | null = null;
  #timer: NodeJS.Timeout | null = null;
  #usedAt = 0;
  /** Another window was remembered since gone windows were forgotten. */
  #hasMore = false;

  /** @param reportsChanges whether this system reports what happens to windows; if not, nothing is kept */
  constructor(find: PasswordFinder, reportsChanges: () => boolean, classesIn: KnownClasses = () => () => undefined) {
    this.#find = find;
    this.#reportsChanges = reportsChanges;
    this.#classesIn = classesIn;
  }

  /** Password fields that only UI Automation knows: from memory if nothing else can have any. Errors: cancelled. */
  async further(hwnd: number, time: PasswordTime, call: CallContext): Promise<PasswordRects> {
    if (hwnd === 0) return this.#find(hwnd, time, call);
    const known = this.#inside(hwnd);
    if (known.content === 'plain' && this.#isStillPlain(known)) return { rects: [], known: 'all' };
    const servesNothing = (): boolean => this.#inside(hwnd) === known && this.#isStillPlain(known);
    const found = await this.#find(hwnd, { ...time, servesNothing }, call);
    // What changed during the search may have been missed by it.
    if (found.isPlain === true && servesNothing()) known.content = 'plain';
    return found;
  }

  /** Visible password fields that are windows, as they are now; screen pixels. */
  edits(hwnd: number): Rect[] {
    const inside = this.#inside(hwnd);
    inside.fields = inside.edits.filter(isPasswordField);
    return rectsOf(inside.fields);
  }

  /** The same for the password fields of the last look: where they are now. */
  knownEdits(hwnd: number): Rect[] {
    const { fields } = this.#inside(hwnd);
    return fields === null ? this.edits(hwnd) : rectsOf(fields);
  }

  /** A number that is different once something changed in the window. */
  state(hwnd: number): number {
    this.#take();
    this.#compare(hwnd);
    return this.#changes.get(hwnd) ?? 0;
  }

  /** Asked each time, since no event says that a window has begun to answer for itself. */
  #isStillPlain(inside: Inside): boolean {
    if (inside.content === 'other' || inside.hasPages || inside.own.length > MOST_OWN) return false;
    const asker = new Asker(ANSWER_MS);
    // Not asked again: each answer is an object that its program keeps.
    if (inside.own.some((hwnd) => answersItself(hwnd, asker))) inside.content = 'other';
    return inside.content !== 'other';
  }

  #inside(hwnd: number): Inside {
    this.#listen();
    this.#take();
    this.#compare(hwnd);
    let inside = this.#known.get(hwnd);
    if (inside === undefined) {
      inside = this.#look(hwnd);
      // What changes in a window that is itself inside another one is not compared.
      if (this.#events !== null && rootOf(hwnd) === hwnd && mayReport(hwnd)) {
        this.#known.set(hwnd, inside);
        this.#hasMore = true;
      }
    }
    return inside;
  }

  #look(hwnd: number): Inside {
    const compared = this.#forgotten + this.#changed.length;
    const all = [hwnd, ...descendantsOf(hwnd)];
    const knownClass = this.#classesIn(hwnd);
    const edits: number[] = [];
    const own: number[] = [];
    let hasPages = false;
    for (const each of all) {
      const { isEdit, isSystem, isPage } = this.#classOf(each, knownClass);
      hasPages ||= isPage;
      if (isEdit) edits.push(each);
      if (!isSystem) own.push(each);
    }
    return { all: new Set(all), edits, own, hasPages, fields: null, content: 'unknown', compared };
  }

  #classOf(hwnd: number, knownClass: ReturnType<KnownClasses>): ClassFacts {
    let facts = this.#classes.get(hwnd);
    if (facts === undefined) {
      const className = knownClass(hwnd) ?? classNameOf(hwnd);
      const isSystem = isSystemClass(className);
      facts = {
        isEdit: isEditClass(hwnd, className, isSystem),
        isSystem,
        isPage: isBrowserWindow(className) || isRenderWindow(className),
      };
      // A handle may be used again, which is reported.
      if (this.#events !== null) this.#classes.set(hwnd, facts);
    }
    return facts;
  }

  #take(): void {
    const changed = this.#events?.take();
    if (changed === undefined || changed?.size === 0) return;
    if (changed === null || this.#classes.size > MOST_CLASSES) this.#classes.clear();
    if (changed === null) return this.#forgetKnown(Infinity);
    for (const hwnd of changed) {
      this.#classes.delete(hwnd);
      this.#tops.delete(hwnd);
      this.#changed.push(hwnd);
    }
    const tooMany = this.#changed.length - MOST_CHANGES;
    if (tooMany > 0) this.#forgetKnown(this.#forgotten + tooMany);
  }

  /** Forgets a window in which something changed. */
  #compare(root: number): void {
    const known = this.#known.get(root);
    if (known === undefined) return;
    const changed = this.#changed.slice(known.compared - this.#forgotten);
    known.compared += changed.length;
    const { all } = known;
    if (changed.some((hwnd) => all.has(hwnd)) || changed.some((hwnd) => this.#topOf(hwnd) === root)) this.#forget(root);
  }

  #topOf(hwnd: number): number {
    let top = this.#tops.get(hwnd);
    if (top === undefined) this.#tops.set(hwnd, (top = rootOf(hwnd)));
    return top;
  }

  #forget(root: number): void {
    this.#known.delete(root);
    this.#changes.set(root, (this.#changes.get(root) ?? 0) + 1);
  }

  /** Forgets the first changes, up to this many in all, and the windows that were not compared with them. */
  #forgetKnown(changes: number): void {
    for (const [root, { compared }] of this.#known) if (compared < changes) this.#forget(root);
    const before = Math.min(changes - this.#forgotten, this.#changed.length);
    this.#changed = this.#changed.slice(before);
    this.#forgotten += before;
    this.#tops.clear();
  }

  /** Not every system reports that a window is gone when its program was ended. */
  #forgetGone(): void {
    for (const map of [this.#known, this.#changes])
      for (const root of map.keys()) if (!user32.IsWindow(root)) map.delete(root);
  }

  #listen(): void {
    this.#usedAt = performance.now();
    if (this.#events !== null || !this.#reportsChanges()) return;
    const events = new WindowChanges();
    if (!events.isListening) return events[Symbol.dispose]();
    this.#events = events;
    this.#timer = setInterval(() => this.#tidy(), TAKE_MS).unref();
  }

  #tidy(): void {
    if (performance.now() - this.#usedAt > IDLE_MS) return this[Symbol.dispose]();
    this.#take();
    if (this.#hasMore) this.#forgetGone();
    this.#hasMore = false;
  }

  /** Forgets everything; the next picture searches again. */
  [Symbol.dispose](): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#events?.[Symbol.dispose]();
    this.#events = null;
    this.#known.clear();
    this.#classes.clear();
    this.#changes.clear();
    this.#tops.clear();
    this.#forgotten += this.#changed.length;
    this.#changed = [];
  }
}

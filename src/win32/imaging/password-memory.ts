/**
 * The password fields of windows between two pictures, so that a picture of a quiet window does not search it again. Kept
 * only where every change is either reported by window events or can be asked alone.
 */
import { OBJID_CLIENT, UiaRootObjectId, WM_GETOBJECT } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Rect } from '../../contract/geometry.ts';
import type { CallContext } from '../../desktop/index.ts';
import { processFacts } from '../system/process.ts';
import { Asker } from '../windows/ask.ts';
import { isBrowserWindow, isRenderWindow, isSystemClass } from '../windows/classes.ts';
import { windowProcess } from '../windows/handle.ts';
import { isEditClass, isPasswordField } from '../windows/passwords.ts';
import { outerRect } from '../windows/rects.ts';
import { WindowChanges } from '../windows/window-changes.ts';
import { classNameOf, descendantsOf } from '../windows/window-info.ts';
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
  /** Those that were password fields at the last look; null = not looked yet. */
  fields: readonly number[] | null;
  /** `plain`: nothing but these windows can have a password field. `other`: one of them answers for itself. */
  content: 'unknown' | 'plain' | 'other';
}

/** Programs with more rights than this one do not report to it. */
const mayReport = (hwnd: number): boolean => !processFacts(windowProcess(hwnd)).isElevated;

/** Whether a window answers UI Automation or MSAA itself. One that does not reply in time may. */
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
  #events: WindowChanges | null = null;
  #timer: NodeJS.Timeout | null = null;
  #usedAt = 0;

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

  /** The same for those that were password fields when the window was last looked at: where they are now. */
  knownEdits(hwnd: number): Rect[] {
    const { fields } = this.#inside(hwnd);
    return fields === null ? this.edits(hwnd) : rectsOf(fields);
  }

  /** A number that is different once something changed in the window. */
  state(hwnd: number): number {
    this.#take();
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
    let inside = this.#known.get(hwnd);
    if (inside === undefined) {
      inside = this.#look(hwnd);
      if (this.#events !== null && mayReport(hwnd)) this.#known.set(hwnd, inside);
    }
    return inside;
  }

  #look(hwnd: number): Inside {
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
    return { all: new Set(all), edits, own, hasPages, fields: null, content: 'unknown' };
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

  /** Forgets the windows in which something changed. */
  #take(): void {
    const changed = this.#events?.take();
    if (changed === undefined || changed?.size === 0) return;
    if (changed === null || this.#classes.size > MOST_CLASSES) this.#classes.clear();
    else for (const hwnd of changed) this.#classes.delete(hwnd);
    for (const [root, { all }] of this.#known) {
      if (changed !== null && ![...changed].some((hwnd) => all.has(hwnd) || user32.IsChild(root, hwnd))) continue;
      this.#known.delete(root);
      this.#changes.set(root, (this.#changes.get(root) ?? 0) + 1);
    }
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
    for (const root of this.#changes.keys()) if (!user32.IsWindow(root)) this.#changes.delete(root);
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
  }
}

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
import {
  windowProcess,
  isEditClass,
  isPasswordField,
  classNameOf,
  descendantsOf,
  rootOf,
} from '../windows/window-info.ts';
import { outerRect } from '../windows/rects.ts';
import { windowJournal, type WindowChange } from '../windows/window-journal.ts';

// How pictures learn of a window's password fields, in addition to edit controls that are windows of their own.

/**
 * `partly`: the window was not searched completely, there may be more. `unanswered`: the system can find them but did not
 * answer, so nothing is known.
 */
export interface PasswordRects {
  /** Screen pixels. */
  readonly rects: readonly Rect[];
  readonly known: 'all' | 'partly' | 'unanswered';
  /** All that was found are windows: as long as those are the same and none answers for itself, nothing else is there. */
  readonly isPlain?: true;
}

/** Time limits; 0 = not searched, as the result then states. */
export interface PasswordTime {
  /** For a system that can search a window. A late answer still counts. */
  readonly askMs: number;
  /** For walking a window element by element, where the system cannot search. */
  readonly walkMs: number;
}

/** Finds password fields that only UI Automation knows (browsers, XAML). Errors: cancelled. */
export type PasswordFinder = (hwnd: number, time: PasswordTime, call: CallContext) => Promise<PasswordRects>;

/** For processes without UI Automation. */
export const findsNone: PasswordFinder = async () => ({ rects: [], known: 'all', isPlain: true });

/** What a window is asked for by UI Automation and by MSAA. Zero = it does not answer for itself. */
const ANSWERED_OBJECTS = [UiaRootObjectId, OBJID_CLIENT] as const;
/** A window with more windows of its program’s own classes than this is searched for each picture. */
const MOST_OWN = 24;
/** Time limit (ms) for all windows in a window. */
const ANSWER_MS = 300;
/** Windows whose class is kept. */
const MOST_CLASSES = 50_000;

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
  /** The journal's number up to which it is compared; null where nothing is reported. */
  compared: number | null;
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

/** One for each capture port: what it has learned of every window that it took a picture of. */
export class PasswordMemory {
  readonly #find: PasswordFinder;
  readonly #known = new Map<number, Inside>();
  readonly #classes = new Map<number, ClassFacts>();
  /** The top-level windows of windows that changed, since they last did. */
  readonly #tops = new Map<number, number>();
  /** The journal's number up to which classes and top-level windows are compared. */
  #compared: number | null = null;
  /** How often something changed in a window that is known. */
  readonly #changes = new Map<number, number>();

  constructor(find: PasswordFinder) {
    this.#find = find;
  }

  /** Password fields that only UI Automation knows: from memory if nothing else can have any. Errors: cancelled. */
  async further(hwnd: number, time: PasswordTime, call: CallContext): Promise<PasswordRects> {
    if (hwnd === 0) return this.#find(hwnd, time, call);
    const known = this.#inside(hwnd);
    if (known.content === 'plain' && this.#isStillPlain(known)) return { rects: [], known: 'all' };
    const found = await this.#find(hwnd, time, call);
    // What changed during the search may have been missed by it.
    if (found.isPlain === true && this.#inside(hwnd) === known && this.#isStillPlain(known)) known.content = 'plain';
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
    this.#compare(hwnd);
    let inside = this.#known.get(hwnd);
    if (inside === undefined) {
      this.#forgetGone();
      inside = this.#look(hwnd);
      // What changes in a window that is itself inside another one is not compared.
      if (inside.compared !== null && rootOf(hwnd) === hwnd && mayReport(hwnd)) this.#known.set(hwnd, inside);
    }
    return inside;
  }

  #look(hwnd: number): Inside {
    const compared = windowJournal.now();
    const all = [hwnd, ...descendantsOf(hwnd)];
    const edits: number[] = [];
    const own: number[] = [];
    let hasPages = false;
    for (const each of all) {
      const { isEdit, isSystem, isPage } = this.#classOf(each);
      hasPages ||= isPage;
      if (isEdit) edits.push(each);
      if (!isSystem) own.push(each);
    }
    return { all: new Set(all), edits, own, hasPages, fields: null, content: 'unknown', compared };
  }

  #classOf(hwnd: number): ClassFacts {
    let facts = this.#classes.get(hwnd);
    if (facts === undefined) {
      const className = classNameOf(hwnd);
      const isSystem = isSystemClass(className);
      facts = {
        isEdit: isEditClass(hwnd, className, isSystem),
        isSystem,
        isPage: isBrowserWindow(className) || isRenderWindow(className),
      };
      // A handle may be used again, which is reported.
      if (this.#compared !== null) this.#classes.set(hwnd, facts);
    }
    return facts;
  }

  /** Forgets what no longer counts: classes of windows that came or went, and a window in which one did. */
  #compare(root: number): void {
    const now = windowJournal.now();
    const since = this.#compared === null ? null : windowJournal.since(this.#compared);
    if (since === null || this.#classes.size > MOST_CLASSES) {
      this.#classes.clear();
      this.#tops.clear();
    }
    for (const { kind, hwnd } of since?.changes ?? []) {
      if (kind !== 'structure') continue;
      this.#classes.delete(hwnd);
      this.#tops.delete(hwnd);
    }
    this.#compared = since?.number ?? now;
    const known = this.#known.get(root);
    if (known === undefined) return;
    const inRoot = known.compared === null ? null : windowJournal.since(known.compared);
    const isOther = ({ kind, hwnd }: WindowChange): boolean =>
      kind === 'structure' && (known.all.has(hwnd) || this.#topOf(hwnd) === root);
    known.compared = inRoot?.number ?? null;
    if (inRoot !== null && !inRoot.changes.some(isOther)) return;
    this.#known.delete(root);
    this.#changes.set(root, (this.#changes.get(root) ?? 0) + 1);
  }

  #topOf(hwnd: number): number {
    let top = this.#tops.get(hwnd);
    if (top === undefined) this.#tops.set(hwnd, (top = rootOf(hwnd)));
    return top;
  }

  /** Not every system reports that a window is gone when its program was ended. */
  #forgetGone(): void {
    for (const map of [this.#known, this.#changes])
      for (const root of map.keys()) if (!user32.IsWindow(root)) map.delete(root);
  }

  /** Forgets everything; the next picture searches again. */
  [Symbol.dispose](): void {
    this.#known.clear();
    this.#classes.clear();
    this.#changes.clear();
    this.#tops.clear();
    this.#compared = null;
  }
}

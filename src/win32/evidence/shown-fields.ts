/**
 * What the text fields of a window show, read before and after an action on another element: many programs write their
 * results there. Each is asked by a message, so only a few are read, and only where nothing cheaper shows an effect: texts
 * and states that Windows keeps of its child windows.
 */
import { ES_READONLY, WS_DISABLED, WS_VISIBLE } from '../../../native-bindings/win32/constants.ts';
import { withoutAccelerator } from '../../contract/element/element-words.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';
import type { WindowView } from '../elements/reading/live-views.ts';
import type { WindowTree } from '../drivers/driver.ts';
import { distance } from '../elements/tree/rect-grid.ts';
import { indexOf } from '../elements/tree/tree-index.ts';
import { shownDifference } from '../elements/tree/text-difference.ts';
import type { TreeNode } from '../elements/tree/tree.ts';
import { windowName } from '../elements/tree/labels.ts';
import { Asker } from '../windows/ask.ts';
import {
  threadOf,
  focusOf,
  isPasswordEdit,
  windowStyle,
  kindOfWindow,
  descendantsOf,
  windowText,
} from '../windows/window-info.ts';
import { outerRect } from '../windows/rects.ts';
import { windowJournal } from '../windows/window-journal.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Evidence } from '../../contract/outcome.ts';
import type { ControlKind } from '../windows/classes.ts';

export const FIELDS: ReadonlySet<ControlKind> = new Set(['edit', 'rich-edit']);
/** Their texts are compared otherwise, or change by themselves, as clocks and meters do. */
export const SELF_CHANGING: ReadonlySet<ControlKind> = new Set([...FIELDS, 'status-bar', 'progress-bar', 'tooltip']);
/** However large the window is, at most this many are read: fields that take no typing first, then the nearest. */
const MOST_FIELDS = 12;
/** For all of them together (ms). */
const READ_MS = 300;
/** Longer texts are compared by length alone. */
const MAX_COMPARED = 20_000;
const SHOWN_LENGTH = 200;

/** A person may be typing in the field that has the focus of the window in front. */
const mayBeTypedInto = (root: number, hwnd: number): boolean =>
  user32.GetForegroundWindow() === root && focusOf(threadOf(root).thread) === hwnd;

const isReadOnly = (hwnd: number): boolean => (windowStyle(hwnd) & ES_READONLY) !== 0;

/** A field that may be compared. */
interface Candidate {
  readonly hwnd: number;
  readonly isTyped: boolean;
  readonly rect: Rect;
}

/** An element, and the window that it is in. */
type Place = Pick<ElementTarget, 'root' | 'node' | 'record' | 'tools'>;

const isCompared = (root: number, hwnd: number): boolean =>
  user32.IsWindowVisible(hwnd) && !isPasswordEdit(hwnd) && (isReadOnly(hwnd) || !mayBeTypedInto(root, hwnd));

/** The fields that are compared. Password fields never are. */
function chosenFields({ root, node }: Place, all: Iterable<Candidate>): number[] {
  const from = node.visible ?? node.rect;
  const fields = [...all]
    .filter(({ hwnd }) => hwnd !== node.hwnd)
    .map((field) => ({ field, away: distance(from, field.rect) }))
    .sort((one, other) => Number(one.field.isTyped) - Number(other.field.isTyped) || one.away - other.away);
  const chosen: number[] = [];
  for (const { field } of fields) {
    if (chosen.length >= MOST_FIELDS) break;
    if (isCompared(root, field.hwnd)) chosen.push(field.hwnd);
  }
  return chosen;
}

/** Field → its text, or the length of a long one; fields that do not answer in time are absent. */
function read(fields: readonly number[], withinMs: number): Map<number, string | number> {
  const asker = new Asker(Math.min(READ_MS, withinMs));
  const shown = new Map<number, string | number>();
  for (const hwnd of fields) {
    // It may have become a password field, of which nothing is read.
    if (isPasswordEdit(hwnd)) continue;
    const text = asker.text(hwnd, MAX_COMPARED);
    if (text !== null) shown.set(hwnd, text);
  }
  return shown;
}

/**
 * Tells the first field that differs and, from the second look on, has stayed as the look before saw it. The target itself is
 * not compared: it has its own evidence.
 */
export function shownFields(
  target: Place,
  shown: ShownWindows,
  withinMs: number,
): (withinMs: number) => Evidence | null {
  const fields = chosenFields(target, shown.fields());
  const then = read(fields, withinMs);
  /** What the last look saw; null before the first one. */
  let last: ReadonlyMap<number, string | number> | null = null;
  return (ms) => {
    if (then.size === 0) return null;
    const [earlier, now] = [last, read(fields, ms)];
    last = now;
    for (const [hwnd, after] of now) {
      const before = then.get(hwnd);
      if (before === undefined || before === after || (earlier !== null && earlier.get(hwnd) !== after)) continue;
      const element = windowName(hwnd);
      return typeof before === 'string' && typeof after === 'string'
        ? { kind: 'text', ...shownDifference(before, after, SHOWN_LENGTH), element }
        : { kind: 'text-length', before: lengthOf(before), after: lengthOf(after), element };
    }
    return null;
  };
}

const lengthOf = (shown: string | number): number => (typeof shown === 'number' ? shown : shown.length);

/** This many texts are compared in a window whose reading is kept, and as many other controls: the nearest. */
const MOST_TEXTS = 12;
const TEXTS: ReadonlySet<ControlKind> = new Set(['static', 'status-bar', 'link']);

/**
 * What the windows in the bound one show, before an action and later. Where its reading is kept, the element is compared
 * with what is in it and next to it, and whatever is reported since with what was read.
 */
export class ShownWindows {
  readonly #root: number;
  /** The kept reading; null where everything is compared. */
  readonly #kept: WindowTree | null;
  readonly #watched: ReadonlySet<number>;
  readonly #since: number | null;
  readonly #before = new Map<number, string>();

  constructor({ root, node, record, tools }: Place) {
    this.#root = root;
    const view = tools.read.views.view(record);
    this.#kept = view?.windows ?? null;
    this.#watched = view === null ? new Set() : watchedIn(view, node);
    this.#since = windowJournal.now(record.pid);
    for (const [hwnd, state] of noteRestless(lastSeen.get(FIELDS)?.get(root), this.now()))
      this.#before.set(hwnd, state);
  }

  /** For one or more comparisons. */
  now(): ReadonlyMap<number, string> {
    const kept = this.#kept;
    if (kept === null) return appearance(this.#root);
    const now = new Map<number, string>();
    for (const hwnd of [...this.#watched, ...this.#reported(kept)]) {
      const style = windowStyle(hwnd);
      // No window has no style at all.
      if (style !== 0 || user32.IsWindow(hwnd))
        now.set(hwnd, shows(this.#root, hwnd, kept.entries.get(hwnd)?.kind ?? kindOfWindow(hwnd), style));
    }
    keep(this.#root, FIELDS, now);
    return now;
  }

  /** Windows that are not watched and of which something was reported, with what was read of them. */
  #reported({ entries }: WindowTree): number[] {
    const changes = this.#since === null ? [] : (windowJournal.since(this.#since)?.changes ?? []);
    return changes.flatMap(({ kind, hwnd }) => {
      if (this.#watched.has(hwnd)) return [];
      const entry = entries.get(hwnd);
      if (entry === undefined) {
        const isInView = kind === 'structure' && user32.IsChild(this.#root, hwnd) && user32.IsWindowVisible(hwnd);
        return isInView ? [hwnd] : [];
      }
      if (!this.#before.has(hwnd))
        this.#before.set(hwnd, `${stateOf(this.#root, hwnd, entry.info.style)} ${entry.text}`);
      return [hwnd];
    });
  }

  /** The first difference; null if there is none. @param counts which windows are compared */
  change(now: ReadonlyMap<number, string>, counts?: (hwnd: number) => boolean): Evidence | null {
    return appearanceChange(this.#before, now, counts);
  }

  /** The text fields in the window. */
  *fields(): Iterable<Candidate> {
    if (this.#kept !== null) {
      for (const { info, kind } of this.#kept.entries.values())
        if (FIELDS.has(kind)) yield { hwnd: info.hwnd, isTyped: (info.style & ES_READONLY) === 0, rect: info.rect };
      return;
    }
    for (const hwnd of this.#before.keys()) {
      const rect = FIELDS.has(kindOfWindow(hwnd)) ? outerRect(hwnd) : null;
      if (rect !== null) yield { hwnd, isTyped: !isReadOnly(hwnd), rect };
    }
  }
}

/** The windows of a kept reading that are compared, the bound one first. */
function watchedIn({ root, windows, changed }: WindowView, target: TreeNode): Set<number> {
  const around = { texts: [] as number[], others: [] as number[] };
  for (const { hwnd, locator } of indexOf(root).inView.nearest(target.visible ?? target.rect)) {
    const kind = locator.kind === 'window' ? windows.entries.get(hwnd)?.kind : undefined;
    const found = kind === undefined ? null : TEXTS.has(kind) ? around.texts : around.others;
    if (found !== null && found.length < MOST_TEXTS) found.push(hwnd);
    if (around.texts.length >= MOST_TEXTS && around.others.length >= MOST_TEXTS) break;
  }
  const own = target.hwnd === root.hwnd ? [] : [target.hwnd, ...descendantsOf(target.hwnd).slice(0, MOST_TEXTS)];
  return new Set([root.hwnd, ...own, ...around.texts, ...around.others, ...changed]);
}

/** What was last seen of each bound window, by the kinds that were ignored. */
const lastSeen = new Map<ReadonlySet<ControlKind>, Map<number, ReadonlyMap<number, string>>>();
/** Windows that changed between two actions, while nothing was sent to their program. */
const restless = new Set<number>();
/** Evidence that such a window gave. */
const uncertain = new WeakSet<Evidence>();

/** The appearance before an action. What changed since the look after the last one changes by itself; that look counts once. */
export function appearanceBefore(root: number, without: ReadonlySet<ControlKind> = FIELDS): Map<number, string> {
  const then = lastSeen.get(without)?.get(root);
  lastSeen.get(without)?.delete(root);
  return noteRestless(then, shownNow(root, without));
}

function noteRestless<T extends ReadonlyMap<number, string>>(then: ReadonlyMap<number, string> | undefined, now: T): T {
  for (const [hwnd, state] of then ?? []) if (now.has(hwnd) && now.get(hwnd) !== state) restless.add(hwnd);
  return now;
}

function keep(root: number, without: ReadonlySet<ControlKind>, shown: ReadonlyMap<number, string>): void {
  const kept = lastSeen.get(without) ?? new Map<number, ReadonlyMap<number, string>>();
  lastSeen.set(without, kept.set(root, shown));
  for (const known of kept.keys()) if (!user32.IsWindow(known)) kept.delete(known);
  for (const hwnd of restless) if (!user32.IsWindow(hwnd)) restless.delete(hwnd);
}

/** Window → its state and text. `without`: kinds of controls whose text is ignored. */
export function appearance(root: number, without: ReadonlySet<ControlKind> = FIELDS): Map<number, string> {
  const shown = shownNow(root, without);
  keep(root, without, shown);
  return shown;
}

const shownNow = (root: number, without: ReadonlySet<ControlKind>): Map<number, string> =>
  new Map(
    [root, ...descendantsOf(root)].map((hwnd) => [
      hwnd,
      shows(root, hwnd, kindOfWindow(hwnd), windowStyle(hwnd), without),
    ]),
  );

/** The window itself is disabled by its dialogs, which are detected separately. */
const stateOf = (root: number, hwnd: number, style: number): number =>
  hwnd === root ? 0 : style & (WS_VISIBLE | WS_DISABLED);

/** The state and text of a window of a kind. */
const shows = (root: number, hwnd: number, kind: ControlKind, style: number, without = FIELDS): string =>
  `${stateOf(root, hwnd, style)} ${without.has(kind) ? '' : windowText(hwnd, style)}`;

const shown = (state: string | undefined): string | null =>
  state === undefined ? null : withoutAccelerator(state.slice(state.indexOf(' ') + 1)).slice(0, 200);

function condition(state: string): string {
  const bits = Number.parseInt(state, 10);
  return `${(bits & WS_VISIBLE) === 0 ? 'hidden' : 'shown'}, ${(bits & WS_DISABLED) === 0 ? 'enabled' : 'disabled'}`;
}

/** Whether two texts differ in their figures alone: clocks, counters and progress do that by themselves. */
const isCounting = (before: string, after: string): boolean =>
  before.replaceAll(/\d+/g, '0') === after.replaceAll(/\d+/g, '0');

/** Whether the program may have changed it by itself: it has to last. */
export const mayTick = (evidence: Evidence): boolean => {
  const { kind, before, after } = evidence;
  return kind === 'title' || uncertain.has(evidence) || (kind === 'text' && isCounting(String(before), String(after)));
};

/** A title that counts up proves nothing. */
export const titleChange = (before: string, after: string): Evidence[] =>
  before === after || isCounting(before, after) ? [] : [{ kind: 'title', before, after }];

/**
 * The first difference; null if there is none. The window's own text is its title, which counts for less: it comes last.
 * @param counts which windows are compared
 */
export function appearanceChange(
  then: ReadonlyMap<number, string>,
  now: ReadonlyMap<number, string>,
  counts: (hwnd: number) => boolean = () => true,
): Evidence | null {
  const [[root, title] = [0, '']] = now;
  const inside = changeInside(then, now, (hwnd) => hwnd !== root && counts(hwnd));
  if (inside !== null || !counts(root) || !user32.IsWindow(root)) return inside;
  return titleChange(shown(then.get(root)) ?? '', shown(title) ?? '')[0] ?? null;
}

/** Windows that are gone, and those with the same text and state that came instead: a program made them again. */
export function madeAgain(then: ReadonlyMap<number, string>, now: ReadonlyMap<number, string>): ReadonlySet<number> {
  const fresh = [...now].filter(([hwnd]) => !then.has(hwnd));
  const pairs = new Set<number>();
  for (const [hwnd, state] of then) {
    const twin = now.has(hwnd) ? undefined : fresh.find(([each, its]) => its === state && !pairs.has(each));
    if (twin !== undefined) pairs.add(hwnd).add(twin[0]);
  }
  return pairs;
}

function changeInside(
  then: ReadonlyMap<number, string>,
  now: ReadonlyMap<number, string>,
  counts: (hwnd: number) => boolean,
): Evidence | null {
  for (const [hwnd, state] of now) {
    const before = then.get(hwnd);
    if (before === state || !counts(hwnd)) continue;
    const element = windowName(hwnd);
    if (!user32.IsWindow(hwnd)) return { kind: 'element', before: shown(before), after: null };
    if (before === undefined) return { kind: 'element', before: null, after: shown(state), element };
    const evidence: Evidence =
      shown(before) === shown(state)
        ? { kind: 'state', before: condition(before), after: condition(state), element }
        : { kind: 'text', before: shown(before), after: shown(state), element };
    if (restless.has(hwnd)) uncertain.add(evidence);
    return evidence;
  }
  const gone = [...then.keys()].find((hwnd) => !now.has(hwnd) && counts(hwnd));
  return gone === undefined ? null : { kind: 'element', before: shown(then.get(gone)), after: null };
}

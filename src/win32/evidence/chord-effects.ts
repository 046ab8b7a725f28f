/** What input to a window may change, as far as it is visible from outside: its windows, texts, and what its controls’ drivers report of their state. */
import type { Evidence } from '../../contract/outcome.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import {
  SELF_CHANGING,
  appearance,
  appearanceBefore,
  appearanceChange,
  madeAgain,
  mayTick,
  titleChange,
} from './shown-fields.ts';
import {
  MENU_CLASS,
  classNameOf,
  ownerOf,
  threadOf,
  topWindowsOf,
  windowText,
  parentOf,
  rootOf,
} from '../windows/window-info.ts';
import { keepProof, supersede } from './kept-proof.ts';
import { windowName } from '../elements/tree/labels.ts';
import { type EditState, readEditState } from './edit-state.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';
import { ANSWER_RESERVE_MS, type Deadline, heardBy, pause } from '../windows/waiting.ts';
import { CHANGE_STAYS_MS } from '../../contract/patience.ts';
import { newsSince, noteOpened } from '../windows/popups.ts';
import { Asker } from '../windows/ask.ts';
import { driverOf } from '../drivers/index.ts';
import { answersTo } from '../drivers/items.ts';
import { scrolledTo, type Scrolled } from '../drivers/position.ts';

/** The wheel message travels up to an ancestor that scrolls. */
const LEVELS = 3;

/** The control's answers, and how far it and its ancestors are scrolled. */
export interface ControlState {
  readonly target: KeyTarget;
  readonly answers: ReadonlyMap<string, number | null>;
  readonly scrolled: readonly Scrolled[];
}

/** How far a window and its next ancestors are scrolled. */
function scrollPositions(hwnd: number): Scrolled[] {
  const root = rootOf(hwnd);
  const places: Scrolled[] = [];
  for (let at = hwnd, level = 0; at !== 0 && level < LEVELS; at = at === root ? 0 : parentOf(at), level += 1)
    places.push(...scrolledTo(at));
  return places;
}

/** The control's current state; null for what it does not answer in time. */
export function readControlState(target: KeyTarget, budgetMs: number): ControlState {
  const asker = new Asker(budgetMs);
  const driver = driverOf(target.kind);
  const answers = driver?.state?.(asker, target.hwnd) ?? answersTo(asker, target.hwnd, driver?.questions ?? []);
  return { target, answers, scrolled: scrollPositions(target.hwnd) };
}

const readable = ({ kind }: KeyTarget, question: string, answer: number, isAfter: boolean): unknown =>
  driverOf(kind)?.word?.(question, answer, isAfter) ?? answer;

/** Differences, with the element named; a value unanswered either time proves nothing. */
export function stateChanges(before: ControlState, after: ControlState): Evidence[] {
  const { target } = after;
  // Another item's state is not a change of this one.
  const isOtherItem = before.answers.get('selection') !== after.answers.get('selection');
  const changes = [...after.answers].flatMap(([kind, now]): Evidence[] => {
    const then = before.answers.get(kind) ?? null;
    if (then === null || now === null || then === now || (kind === 'item-state' && isOtherItem)) return [];
    return [
      {
        kind,
        before: readable(target, kind, then, false),
        after: readable(target, kind, now, true),
        element: windowName(target.hwnd),
      },
    ];
  });
  if (!user32.IsWindow(target.hwnd)) return changes;
  for (const { what, hwnd, at } of after.scrolled) {
    const then = before.scrolled.find((one) => one.what === what && one.hwnd === hwnd);
    if (then !== undefined && then.at !== at)
      return [...changes, { kind: 'scroll', before: then.at, after: at, element: `${what} of ${windowName(hwnd)}` }];
  }
  return changes;
}

export interface SeenState {
  readonly bound: number;
  /** The process whose windows are compared, even after the bound one is gone. */
  readonly process: number;
  /** The owner of the bound window, which comes next when that closes; 0 if it has none. */
  readonly owner: number;
  readonly edit: EditState | null;
  readonly windows: readonly number[];
  readonly isNews: (hwnd: number) => boolean;
  /** Open menus that close when the input chooses an entry, also a grey one: that does not show that a command ran. */
  readonly menus: readonly number[];
  readonly title: string;
  readonly clipboard: number;
  readonly control: ControlState;
  /** Texts and states of the windows inside the bound one, read where nothing cheaper differs; null where they are not compared. */
  readonly appearance: (() => ReadonlyMap<number, string>) | null;
}

const ASK_MS = 1000;

/**
 * `isWhole` false: only the windows and the title will be compared, and nothing inside them is read; `isChoice`: in an
 * open menu the input chooses an entry.
 */
export function look(
  target: KeyTarget,
  bound: number,
  { isWhole = true, isChoice = false }: { readonly isWhole?: boolean; readonly isChoice?: boolean } = {},
): SeenState {
  const whole = isWhole ? appearanceBefore(bound, SELF_CHANGING) : null;
  const seen = see(target, bound, whole && (() => whole), threadOf(bound).process);
  return isChoice ? { ...seen, menus: seen.windows.filter((hwnd) => classNameOf(hwnd) === MENU_CLASS) } : seen;
}

function see(target: KeyTarget, bound: number, whole: SeenState['appearance'], process: number): SeenState {
  const inside =
    whole !== null
      ? {
          edit: readEditState(target, ASK_MS),
          control: readControlState(target, ASK_MS),
          appearance: whole,
        }
      : { edit: null, control: { target, answers: new Map(), scrolled: [] }, appearance: null };
  // A window that closes disappears before its parts change: read in this order, its closing is never reported as theirs.
  return {
    ...inside,
    bound,
    process,
    owner: ownerOf(bound),
    windows: topWindowsOf(process),
    isNews: newsSince(),
    menus: [],
    title: windowText(bound),
    clipboard: user32.GetClipboardSequenceNumber(),
  };
}

/** The current state, for comparison with an earlier one. */
export const lookAgain = (before: SeenState, target: KeyTarget): SeenState =>
  see(target, before.bound, before.appearance && (() => appearance(before.bound, SELF_CHANGING)), before.process);

/** Windows of the program that appeared or disappeared, and the title. */
export function windowDifferences(before: SeenState, after: Pick<SeenState, 'windows' | 'title'>): Evidence[] {
  const evidence: Evidence[] = [];
  const opened = after.windows.filter((hwnd) => !before.windows.includes(hwnd) && before.isNews(hwnd));
  const closed = before.windows
    .filter((hwnd) => !after.windows.includes(hwnd) && !before.menus.includes(hwnd))
    .filter((hwnd) => !user32.IsWindow(hwnd) || before.isNews(hwnd));
  if (opened.length > 0) evidence.push(openedEvidence(opened, before.bound));
  if (closed.length > 0) evidence.push({ kind: 'window-closed', before: closed.map(String), after: null });
  if (user32.IsWindow(before.bound)) evidence.push(...titleChange(before.title, after.title));
  return evidence;
}

/** Whether an editor or an open list went away, which a program that takes its content shares with a program that refuses it. */
export const isEnd = ({ kind, before, after }: Evidence): boolean =>
  (kind === 'element' && after === null) ||
  (kind === 'expanded' && after === false) ||
  (kind === 'window-closed' &&
    (before as readonly string[]).every((hwnd) => classNameOf(Number(hwnd)).toLowerCase() === 'combolbox'));

/** Differences between two states as evidence; empty if nothing changed. */
export function differences(before: SeenState, after: SeenState): Evidence[] {
  const evidence: Evidence[] = [];
  if (before.edit !== null && after.edit !== null) {
    if (before.edit.text !== after.edit.text)
      evidence.push({ kind: 'text-length', before: before.edit.text.length, after: after.edit.text.length });
    if (before.edit.start !== after.edit.start || before.edit.end !== after.edit.end) {
      evidence.push({
        kind: 'selection',
        before: [before.edit.start, before.edit.end],
        after: [after.edit.start, after.edit.end],
      });
    }
  }
  evidence.push(...windowDifferences(before, after));
  if (before.clipboard !== after.clipboard)
    evidence.push({ kind: 'clipboard-sequence', before: before.clipboard, after: after.clipboard });
  // A destroyed window shows nothing.
  if (!user32.IsWindow(before.bound)) return evidence;
  const { kind } = before.control.target;
  if (kind !== 'tab') evidence.push(...stateChanges(before.control, after.control));
  if (evidence.length > 0 || before.appearance === null || after.appearance === null) return evidence;
  const { hwnd } = before.control.target;
  // A control that was made again has lost what the keys chose.
  const [then, now] = [before.appearance(), after.appearance()];
  // It closed meanwhile: that is seen next, and its parts went with it.
  if (!user32.IsWindow(before.bound)) return [];
  const again = user32.IsWindow(hwnd) ? null : madeAgain(then, now);
  const shown = appearanceChange(then, now, (each) => again?.has(each) !== true);
  if (shown === null) return [];
  // A tab control may hold a tab that its program refused to leave: its page shows whether the program went along.
  return kind === 'tab' ? [...stateChanges(before.control, after.control), shown] : [shown];
}

/** What labels, buttons and lists change by themselves. */
const BY_ITSELF: ReadonlySet<string> = new Set(['text', 'state', 'selection', 'check']);
/** How often a change is looked at again: what alternates would be the same now and then. */
const LATER_LOOKS = 7;
/** A list or a page may still be scrolling to where the input sent it. */
const isScrolling = ({ kind }: Evidence): boolean => kind.startsWith('scroll');

/** What a program that hears of a choice or a text may take back. */
const TAKEN_BACK: ReadonlySet<string> = new Set([
  'check',
  'hot-key',
  'item-state',
  'position',
  'selected-count',
  'selection',
  'text-length',
]);
const shownIn = ({ edit, control }: Pick<SeenState, 'edit' | 'control'>, kind: string): unknown =>
  kind === 'text-length' ? edit?.text : control.answers.get(kind);

/** A control that is gone may come again. */
const MADE_AGAIN_MS = 60;
/** What a choice or a text moves as well: it proves nothing once they are taken back. */
const MOVED_ALONG: ReadonlySet<string> = new Set(['focused-item', 'scroll-position', 'items-in-view']);

/**
 * The same evidence; a choice or a text only if the program has not taken it back a moment later, and what programs also
 * change by themselves only if it stays so while such a change would continue.
 * `isFirst`: seen at the first look after the input, when hardly anything else can have happened; `isLast`: no other key
 * follows, after which it is looked at.
 */
export async function lasting(
  evidence: Evidence[],
  before: SeenState,
  target: KeyTarget,
  deadline: Deadline,
  { isFirst = true, isLast = true }: { readonly isFirst?: boolean; readonly isLast?: boolean } = {},
): Promise<Evidence[]> {
  // The row that has the focus without being chosen: its program took the choice back.
  if (evidence.every(({ kind }) => kind === 'focused-item')) return [];
  if (!user32.IsWindow(target.hwnd) && evidence.every(({ kind }) => kind === 'element')) {
    await pause(MADE_AGAIN_MS, deadline.call, 'delivered');
    return differences(before, lookAgain(before, target));
  }
  const isDoubtful = (each: Evidence): boolean => mayTick(each) || (!isFirst && BY_ITSELF.has(each.kind));
  const isAllDoubtful = evidence.every(isDoubtful);
  const choices = evidence.filter(({ kind }) => TAKEN_BACK.has(kind));
  if (choices.length > 0) supersede(deadline.call, target.hwnd);
  if (
    choices.length > 0 &&
    !isAllDoubtful &&
    evidence.every(({ kind }) => TAKEN_BACK.has(kind) || MOVED_ALONG.has(kind))
  ) {
    if (!isLast) return evidence;
    await heardBy(target.hwnd, deadline);
    const now = lookAgain(before, target);
    const later = differences(before, now);
    // A caret that stays where a text was taken back does not show the text.
    const [first] = choices as [Evidence];
    const isKept = (each: Evidence): boolean => each.kind === first.kind && String(each.after) === String(first.after);
    if (!later.some(isKept)) return [];
    const read = (at: KeyTarget): unknown =>
      shownIn({ edit: readEditState(at, ASK_MS), control: readControlState(at, ASK_MS) }, first.kind);
    keepProof({
      by: deadline.call,
      hwnd: target.hwnd,
      element: windowName(target.hwnd),
      isChoice: first.kind !== 'text-length',
      read: (hwnd) => read({ ...target, hwnd }),
      shown: shownIn(now, first.kind),
    });
    return later;
  }
  if (evidence.some(isScrolling) || !isAllDoubtful) return evidence;
  if (deadline.remaining(ANSWER_RESERVE_MS) < CHANGE_STAYS_MS) return [];
  let kept = evidence;
  for (let looks = 0; looks < LATER_LOOKS && kept.length > 0; looks += 1) {
    await pause(CHANGE_STAYS_MS / LATER_LOOKS, deadline.call, 'delivered');
    const later = differences(before, lookAgain(before, target));
    if (later.some((each) => !isDoubtful(each))) return later;
    kept = kept.filter(({ kind, after }) => later.some((each) => each.kind === kind && each.after === after));
  }
  return kept;
}

/** A new window, to be bound next. A type rather than an interface, since it becomes plain data in details. */
export type NewWindow = {
  readonly hwnd: string;
  readonly title: string;
  /** The bound window cannot be used until it is answered. */
  readonly modal: boolean;
};

/** Remembers that it came with the action. @param bound the window that was acted on; it was enabled before */
export const newWindow = (
  hwnd: number,
  bound: number,
  isModal = user32.IsWindow(bound) && !user32.IsWindowEnabled(bound),
): NewWindow => {
  noteOpened(hwnd, bound, isModal);
  return { hwnd: String(hwnd), title: windowText(hwnd), modal: isModal };
};

export const openedEvidence = (opened: readonly number[], bound: number): Evidence => ({
  kind: 'window-opened',
  before: null,
  after: opened.map((hwnd) => newWindow(hwnd, bound)),
});

/**
 * The window to continue with once the bound one has closed: its owner. Null while the bound one exists, or if it had
 * none.
 */
export function ownerAfterClosing(bound: number, owner: number): { hwnd: string; title: string } | null {
  return user32.IsWindow(bound) || owner === 0 || !user32.IsWindow(owner)
    ? null
    : { hwnd: String(owner), title: windowText(owner) };
}

/** What an outcome's details say about windows that appeared or disappeared. */
export function windowDetails(
  evidence: readonly Evidence[],
  bound: number,
  owner: number,
): { newWindow?: NewWindow; owner?: { hwnd: string; title: string } } {
  const opened = evidence.find(({ kind }) => kind === 'window-opened')?.after as readonly NewWindow[] | undefined;
  const next = ownerAfterClosing(bound, owner);
  return { ...(opened?.[0] === undefined ? {} : { newWindow: opened[0] }), ...(next === null ? {} : { owner: next }) };
}

/**
 * What a custom window shows in response to input, where its messages report nothing: the target element as UI
 * Automation or MSAA exposes it, and a picture of its place. Standard controls report more themselves and cost nothing
 * here.
 */
import { GW_CHILD } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { intersectRects, sameRect } from '../../contract/element/coordinates.ts';
import type { Point, Rect } from '../../contract/element/geometry.ts';
import type { Evidence } from '../../contract/outcome.ts';
import type { PermittedPlace } from '../../contract/gate/exit.ts';
import type { CallContext } from '../../desktop/index.ts';
import { isClassicConsole } from '../windows/classes.ts';
import { focusedNode, type JudgedElement } from '../elements/finding/element-target.ts';
import type { SeenTree, NamedTarget } from '../elements/finding/key-target.ts';
import { copyOf, nodeAt, type TreeNode, pathTo, describeNode } from '../elements/tree/tree.ts';
import { readCustomText } from '../drivers/edit.ts';
import { Asker } from '../windows/ask.ts';
import { caretRect, parentOf, rootOf } from '../windows/window-info.ts';
import { Deadline, pause, oneRound, taken } from '../windows/waiting.ts';
import { clientArea } from '../windows/rects.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';
import type { Delivery } from '../../contract/errors.ts';
import { cutBitmap, uniformColour, type Bitmap } from '../imaging/bitmap.ts';
import { grabWindowPart } from '../imaging/gdi.ts';
import { pictureChange } from '../imaging/picture-change.ts';
import { isProtected } from '../imaging/window-shot.ts';
import { CHANGE_STAYS_MS, HOVER_SETTLES_MS } from '../../contract/patience.ts';
import type { ControlType, ElementState } from '../../contract/element/control-types.ts';

/** A change of a text next to the element is uncertain. */
export interface NearChange extends Change {
  readonly evidence: Evidence;
}

/** A click only focuses these. */
const FIELDS: ReadonlySet<ControlType> = new Set(['Edit', 'Document']);
/** States that say which of several elements is chosen or open. */
const CHOICES: readonly ElementState[] = ['selected', 'checked', 'mixed', 'expanded', 'collapsed'];
const LENGTH = 200;

const cut = (text: string): string => text.slice(0, LENGTH);
const words = (states: Iterable<ElementState>): string => [...states].sort().join(' ');
const choice = (node: TreeNode): string => words(CHOICES.filter((state) => node.states.has(state)));
const sure = (kind: string, before: unknown, after: unknown): NearChange => ({
  evidence: { kind, before, after },
  isSure: true,
});

/** The same element in the new tree: its text may have changed, which some sources treat as a different element. */
function again(then: TreeNode, now: TreeNode, hit: TreeNode): TreeNode | null {
  const same = now.children.find(({ identity }) => identity === hit.identity);
  if (same !== undefined) return same;
  const there = now.children[then.children.indexOf(hit)];
  const isRenamed =
    there !== undefined &&
    now.children.length === then.children.length &&
    there.controlType === hit.controlType &&
    !then.children.some(({ identity }) => identity === there.identity);
  return isRenamed ? there : null;
}

/** Its own states, value and text. Focus counts only for fields. */
function ownChange(then: TreeNode, now: TreeNode): NearChange | null {
  const counted = (node: TreeNode): string =>
    words([...node.states].filter((state) => state !== 'offscreen' && state !== 'focused'));
  if (counted(then) !== counted(now)) return sure('state', counted(then), counted(now));
  if (then.value !== null && now.value !== null && then.value !== now.value)
    return sure('value', cut(then.value), cut(now.value));
  if (then.name !== now.name) return sure('text', cut(then.name), cut(now.name));
  if (FIELDS.has(now.controlType) && !then.states.has('focused') && now.states.has('focused'))
    return sure('focus', false, true);
  return then.children.length === now.children.length
    ? null
    : sure('children', then.children.length, now.children.length);
}

/** Its siblings: which one is chosen, how many there are, and what they say. */
function siblingChange(then: TreeNode, now: TreeNode, hit: TreeNode): NearChange | null {
  const [before, after] = [then, now].map(({ children }) =>
    children.filter(({ controlType }) => !SELF_CHANGING_TYPES.has(controlType)),
  ) as [TreeNode[], TreeNode[]];
  if (before.length !== after.length) return sure('children', before.length, after.length);
  let said: NearChange | null = null;
  for (const [index, old] of before.entries()) {
    const node = after.find(({ identity }) => identity === old.identity) ?? after[index]!;
    if (old === hit || node.controlType !== old.controlType) continue;
    if (choice(old) !== choice(node))
      return sure('selection', `${cut(old.name)}: ${choice(old)}`, `${cut(node.name)}: ${choice(node)}`);
    if (old.name !== node.name)
      said ??= { evidence: { kind: 'text', before: cut(old.name), after: cut(node.name) }, isSure: false };
  }
  return said;
}

/**
 * The first change of the element `hit` (an identity of `then`) or of its siblings; null if there is none, or if its
 * container is gone and nothing can be concluded.
 * @param then the tree before the input
 * @param now the tree after it, or the branch of the element's window
 */
export function nearChange(then: TreeNode, now: TreeNode, hit: string): NearChange | null {
  const path = pathTo(then, hit);
  const [above, element] = [path.at(-2), path.at(-1)];
  if (element === undefined || above === undefined || SELF_CHANGING_TYPES.has(element.controlType)) return null;
  const container = pathTo(now, above.identity).at(-1);
  if (container === undefined) return null;
  const seen = again(above, container, element);
  if (seen === null) return sure('element', cut(element.name), null);
  return ownChange(element, seen) ?? siblingChange(above, container, element);
}

export interface Change {
  /** False for a change that the program may have made by itself. */
  readonly isSure: boolean;
}

/** How often a change is looked at again as far as looks are quick: what alternates would be the same now and then. */
const LATER_LOOKS = 7;

/**
 * The change that remains after it had time to change again: a certain one immediately, an uncertain one if a second
 * look finds it unchanged. Null if it does not, or if the deadline leaves no time for the second look.
 * @param shown what must stay the same
 */
export async function persistentChange<C extends Change>(
  look: () => C | null,
  shown: (change: C) => unknown,
  deadline: Deadline,
): Promise<C | null> {
  const from = performance.now();
  const first = look();
  if (first === null || first.isSure) return first;
  if (deadline.remaining() < 2 * CHANGE_STAYS_MS) return null;
  const tookMs = performance.now() - from;
  const looks = Math.max(1, Math.min(LATER_LOOKS, Math.floor(CHANGE_STAYS_MS / tookMs)));
  for (let left = looks; ; left -= 1) {
    await pause(CHANGE_STAYS_MS / looks, deadline.call, 'delivered');
    const later = look();
    if (later === null || later.isSure) return later;
    if (!Object.is(shown(later), shown(first))) return null;
    if (left <= 1) return later;
  }
}

/** The focus follows the action, and scrolling changes what is visible: neither shows that the program did anything. */
const INCIDENTAL: ReadonlySet<ElementState> = new Set(['focused', 'offscreen']);
/** They change by themselves by design. */
const SELF_CHANGING_TYPES: ReadonlySet<ControlType> = new Set(['ProgressBar', 'ToolTip']);

/** Without what changes by itself and what is in it: a tip has a text. */
const lasting = (node: TreeNode): TreeNode[] =>
  SELF_CHANGING_TYPES.has(node.controlType) ? [] : [node, ...node.children.flatMap(lasting)];

const states = (node: TreeNode): string =>
  [...node.states]
    .filter((state) => !INCIDENTAL.has(state))
    .sort()
    .join(' ');

/** The first element whose name, value or type changed, or that appeared or disappeared; null if there is none. */
export function elementChange(then: TreeNode, now: TreeNode): Evidence | null {
  const counted = (root: TreeNode): Map<string, TreeNode> =>
    new Map(lasting(root).map((node) => [node.identity, node]));
  const [before, after] = [counted(then), counted(now)];
  for (const [identity, node] of after) {
    const old = before.get(identity);
    if (old === undefined) return { kind: 'element', before: null, after: cut(node.name) };
    if (old.name !== node.name)
      return { kind: 'text', before: cut(old.name), after: cut(node.name), element: node.controlType };
    if (states(old) !== states(node))
      return { kind: 'state', before: states(old), after: states(node), element: describeNode(node) };
    if (old.value !== null && node.value !== null && old.value !== node.value)
      return { kind: 'value', before: cut(old.value), after: cut(node.value), element: describeNode(node) };
  }
  const gone = [...before.values()].find(({ identity }) => !after.has(identity));
  return gone === undefined ? null : { kind: 'element', before: cut(gone.name), after: null };
}

const ANSWER_MS = 300;
/**
 * A program that takes longer than this (ms) to answer is not waited for before the input: the picture is only one
 * source of evidence.
 */
const STALL_MS = 2000;
/** Two equal pictures this far apart (ms) mean that nothing moves any more. */
const APART_MS = 60;
/** How often (ms) the picture is taken: PrintWindow makes the program draw its whole window each time. */
const PICTURE_POLL_MS = { dc: 55, print: 160 } as const;
/** With less time than this, a change could not be distinguished from a spontaneous change. */
const NEEDS_MS = 2500;
/** Pixels to each side of a point. */
const AROUND = { x: 96, y: 64 } as const;
/** Limit of the area of an element, so that a look stays cheap: pixels to each side of its middle. */
const MOST = { x: 300, y: 100 } as const;
/** Border of an element or window where the focus is drawn: it follows the action and proves nothing else. */
const RIM = 4;

const aroundPoint = ({ x, y }: Point, by: { x: number; y: number }): Rect => ({
  x: x - by.x,
  y: y - by.y,
  width: 2 * by.x,
  height: 2 * by.y,
});

/** The rectangle without its border; all of it if little would be left. */
function inside({ x, y, width, height }: Rect): Rect {
  const [dx, dy] = [width >= 3 * RIM ? RIM : 0, height >= 3 * RIM ? RIM : 0];
  return { x: x + dx, y: y + dy, width: width - 2 * dx, height: height - 2 * dy };
}

/** The area around a point of a window or element whose rectangle is `bounds`; screen pixels. */
const placeAround = (at: Point, bounds: Rect): Rect | null => intersectRects(aroundPoint(at, AROUND), inside(bounds));

/** The area of a whole element, or the middle of a large one; screen pixels. */
const placeOf = (bounds: Rect): Rect | null =>
  intersectRects(
    aroundPoint({ x: Math.round(bounds.x + bounds.width / 2), y: Math.round(bounds.y + bounds.height / 2) }, MOST),
    inside(bounds),
  );

type Way = 'print' | 'dc';

/**
 * The window that is looked at. `visit`: brings the pointer of the input there beforehand, so that what stays of it is in
 * both pictures; `leave`: takes it away, before and after.
 */
interface Looked {
  readonly hwnd: number;
  readonly thread: number;
  readonly visit?: (() => void) | undefined;
  readonly leave?: (() => void) | undefined;
}

interface StillPicture {
  /** Whether it looks different now, for whatever reason. May be called repeatedly. */
  isChanged(): boolean;
  /** A lasting difference as evidence: the rectangle only. Null if there is none, or if it keeps changing. */
  change(): Promise<Evidence | null>;
}

/**
 * Waits until the area is still: earlier pointer messages are processed, and two pictures are equal. Null if it does
 * not become still, has no picture (minimised, or scaled by the system), must not be captured, or time is too short
 * to tell an effect from a change that happens by itself.
 * @param place screen pixels
 */
async function stillPicture(
  { hwnd, thread, visit = () => {}, leave = () => {} }: Looked,
  place: Rect,
  deadline: Deadline,
): Promise<StillPicture | null> {
  const { call } = deadline;
  const root = rootOf(hwnd);
  if (deadline.remaining() < NEEDS_MS || user32.IsIconic(root) || isProtected(root)) return null;
  visit();
  leave();
  // The messages of that.
  if (!(await taken(hwnd, 3, deadline.share(STALL_MS, NEEDS_MS), call))) return null;
  const way = showsWindow(root, place) ? 'dc' : 'print';
  const now = (): Bitmap | null => (user32.IsWindow(root) ? grab(root, place, way) : null);
  const caretThen = caretRect(thread);
  const between = (one: Bitmap, other: Bitmap): Rect | null =>
    pictureChange(one, other, carets(place, caretThen, caretRect(thread)));
  /** The picture once the program has finished drawing, or shows what it did at first; null if it does not finish. */
  const settled = async (reserveMs: number, delivery?: Delivery, first?: Bitmap): Promise<Bitmap | null> => {
    let last = now();
    for (let had = 0; last !== null && had < HOVER_SETTLES_MS && deadline.remaining() > reserveMs;) {
      if (first !== undefined && between(first, last) === null) return last;
      had += await oneRound({
        hwnd: root,
        everyMs: APART_MS,
        leftMs: deadline.remaining(reserveMs),
        call,
        ...(delivery === undefined ? {} : { delivery }),
      });
      const next = now();
      if (next !== null && between(last, next) === null) return next;
      last = next;
    }
    return null;
  };
  const before = await settled(NEEDS_MS);
  if (before === null) return null;
  let lookedAt = 0;
  return {
    isChanged() {
      if (way === 'print' && performance.now() < lookedAt + PICTURE_POLL_MS.print) return false;
      lookedAt = performance.now();
      const shown = now();
      return shown !== null && between(before, shown) !== null;
    },
    async change() {
      leave();
      const seen = await settled(CHANGE_STAYS_MS + ANSWER_MS, 'delivered', before);
      const changed = seen === null ? null : between(before, seen);
      if (seen === null || changed === null || deadline.remaining() < CHANGE_STAYS_MS + ANSWER_MS) return null;
      for (const end = performance.now() + CHANGE_STAYS_MS; performance.now() < end;) {
        await pause(PICTURE_POLL_MS[way], call, 'delivered');
        const shown = now();
        const still = shown === null || between(seen, shown) !== null ? null : between(before, shown);
        // A bar that grows slowly differs by a line at a time.
        if (still === null || !sameRect(still, changed)) return null;
      }
      const after = { changed: { ...changed, x: place.x + changed.x, y: place.y + changed.y }, space: 'screen' };
      return { kind: 'picture', before: null, after };
    },
  };
}

/** Carets, in pixels of the picture of an area. */
function carets(place: Rect, ...rects: ReadonlyArray<Rect | null>): Rect[] {
  return rects.flatMap((rect) =>
    rect === null
      ? []
      : [{ x: rect.x - place.x - 1, y: rect.y - place.y - 1, width: rect.width + 2, height: rect.height + 2 }],
  );
}

/** A copy: the pixels of a grab are valid until the next one. */
function grab(root: number, place: Rect, way: Way): Bitmap | null {
  const bitmap = grabWindowPart(root, place, way);
  return bitmap === null ? null : cutBitmap(bitmap);
}

/**
 * Whether the window's device context has its picture: it may be a single colour, and is black for DirectX content.
 * Then PrintWindow is used if it yields more.
 */
function showsWindow(root: number, place: Rect): boolean {
  const kept = grab(root, place, 'dc');
  if (kept !== null && uniformColour(kept) === null) return true;
  const printed = grab(root, place, 'print');
  return kept !== null && (printed === null || uniformColour(printed) !== null);
}

/** Access to the trees of bound windows, provided by the element topic. */
export interface TreeReader {
  /** The tree read for the gate a moment ago; null if there is none recent enough. */
  lastSeen(record: BindingRecord, call: CallContext): SeenTree | null;
  /** The current tree with what is around an element. Null if it is not complete within the time. */
  readAgain(
    record: BindingRecord,
    element: Pick<TreeNode, 'hwnd' | 'identity'>,
    budgetMs: number,
    call: CallContext,
  ): TreeNode | null;
  /** Role and name of the part that keys go to, and its focused item; null if it is not found. */
  keyTarget(record: BindingRecord, hwnd: number, call: CallContext): NamedTarget | null;
  /**
   * What is at a screen point now instead of what was judged there; null if unchanged. `hwnd`: the window that receives
   * the message.
   */
  changedAt(
    record: BindingRecord,
    at: Point,
    hwnd: number,
    judged: { readonly element: JudgedElement | null; readonly isNamed?: boolean | undefined },
    call: CallContext,
  ): string | null;
  /** The page that a browser shows now instead of the judged one; null if unchanged. Errors: element_stale. */
  pageInstead(record: BindingRecord, judged: PermittedPlace, call: CallContext): string | null;
}

const OWN_TEXT_MS = 1000;
/**
 * If the tree reads faster than this, it is compared before the picture: it says what happened, not only that something
 * did.
 */
const QUICK_MS = 300;
/** Reading again may take this many times as long as before. */
const PATIENCE = 3;
/** And at most one part in this many of the remaining deadline. */
const SHARE = 4;

type Shower = KeyTarget &
  Pick<Looked, 'visit' | 'leave'> & { readonly shows?: Rect | null; readonly hasPicture?: boolean };

export interface ShownEffects {
  /** Whether the picture differs: cheap, and not evidence yet. */
  isChanged(): boolean;
  /**
   * The effect of the input; empty if none is visible or the change does not settle. The cheaper method comes first,
   * except for typed text: only the tree says which text came, however long it takes to be read.
   */
  since(input?: 'press' | 'text'): Promise<Evidence[]>;
}

/**
 * Records the state before the input; null for a standard control, and where nothing can be observed.
 * @param at the screen point of a pointer message; null: the keyboard focus
 * @param target `visit` and `leave` bring the pointer of the message there and take it away, whose presence must not
 *   count; `shows`: where it shows what happens, if not around the point
 */
export async function shownEffects(
  trees: TreeReader | null,
  record: BindingRecord,
  target: Shower,
  at: Point | null,
  call: CallContext,
): Promise<ShownEffects | null> {
  // Text typed into a console is verified by its text, which says more than a picture.
  if (target.kind !== 'other' || isClassicConsole(record)) return null;
  const deadline = new Deadline(call);
  // Likewise for a window whose text can be read: the effect of keys shows there.
  if (at === null && readCustomText(target.hwnd, new Asker(deadline.share(OWN_TEXT_MS))) !== null) return null;
  const tree = trees?.lastSeen(record, call) ?? null;
  const found = tree === null ? null : at === null ? focusedNode(tree.root) : nodeAt(tree.root, at);
  const hit = found?.locator.kind === 'uia' || found?.locator.kind === 'msaa' ? found : null;
  // A window with child windows is a frame around them.
  if (hit === null && user32.GetWindow(target.hwnd, GW_CHILD) !== 0) return null;
  // What is read again changes the kept tree.
  const then = hit === null ? null : copyOf(tree!.root);
  const place = target.hasPicture === false ? null : placeFor(target, hit, at);
  const picture = place === null ? null : await stillPicture(target, place, deadline);
  if (then === null && picture === null) return null;
  const near = (): ReturnType<typeof nearChange> => {
    if (then === null || hit === null) return null;
    const budgetMs = Math.min(deadline.remaining() / SHARE, tree!.tookMs * PATIENCE + QUICK_MS);
    const now = trees!.readAgain(record, hit, budgetMs, call);
    return now === null ? null : nearChange(then, now, hit.identity);
  };
  const inTree = async (): Promise<Evidence | null> =>
    (await persistentChange(near, ({ evidence }) => evidence.after, deadline))?.evidence ?? null;
  const inPicture = async (): Promise<Evidence | null> => (await picture?.change()) ?? null;
  return {
    isChanged: () => picture?.isChanged() ?? false,
    async since(input = 'press') {
      const isTreeFirst = then !== null && (input === 'text' || tree!.tookMs < QUICK_MS);
      const [first, second] = isTreeFirst ? [inTree, inPicture] : [inPicture, inTree];
      const seen = (await first()) ?? (await second());
      return seen === null ? [] : [seen];
    },
  };
}

/**
 * The element's rectangle if known, else the area around the point or caret; null for password fields, which are never
 * captured.
 */
function placeFor(target: Shower, hit: TreeNode | null, at: Point | null): Rect | null {
  if (target.shows) return placeOf(target.shows);
  if (hit !== null) return hit.states.has('password') || hit.visible === null ? null : placeOf(hit.visible);
  const client = shownClient(target.hwnd);
  const caret = at === null ? caretRect(target.thread) : null;
  const point = at ?? target.at ?? (caret === null ? null : { x: caret.x, y: caret.y });
  return client === null || point === null ? null : placeAround(point, client);
}

/** The part of a window's client area not clipped by its ancestors, screen pixels: beyond it other windows draw. */
function shownClient(hwnd: number): Rect | null {
  const root = rootOf(hwnd);
  let shown = clientArea(hwnd);
  for (let at = hwnd; at !== root && shown !== null;) {
    at = parentOf(at);
    const around = at === 0 ? null : clientArea(at);
    shown = around === null ? null : intersectRects(shown, around);
  }
  return shown;
}

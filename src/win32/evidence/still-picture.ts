/**
 * A small area of a window that was still before an action, and whether it looks different afterwards. Pixels stay in
 * here.
 */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { intersectRects, sameRect } from '../../contract/element/coordinates.ts';
import type { Point, Rect } from '../../contract/element/geometry.ts';
import type { Evidence } from '../../contract/outcome.ts';
import type { Delivery } from '../../contract/errors.ts';
import { cutBitmap, uniformColour, type Bitmap } from '../imaging/bitmap.ts';
import { grabWindowPart } from '../imaging/gdi.ts';
import { pictureChange } from '../imaging/picture-change.ts';
import { isProtected } from '../imaging/window-shot.ts';
import { caretRect, rootOf } from '../windows/window-info.ts';
import { CHANGE_STAYS_MS, HOVER_SETTLES_MS } from '../../contract/patience.ts';
import { pause, type Deadline, oneRound, taken } from '../windows/waiting.ts';

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
export const placeAround = (at: Point, bounds: Rect): Rect | null =>
  intersectRects(aroundPoint(at, AROUND), inside(bounds));

/** The area of a whole element, or the middle of a large one; screen pixels. */
export const placeOf = (bounds: Rect): Rect | null =>
  intersectRects(
    aroundPoint({ x: Math.round(bounds.x + bounds.width / 2), y: Math.round(bounds.y + bounds.height / 2) }, MOST),
    inside(bounds),
  );

type Way = 'print' | 'dc';

/**
 * The window that is looked at. `visit`: brings the pointer of the input there beforehand, so that what stays of it is in
 * both pictures; `leave`: takes it away, before and after.
 */
export interface Looked {
  readonly hwnd: number;
  readonly thread: number;
  readonly visit?: (() => void) | undefined;
  readonly leave?: (() => void) | undefined;
}

export interface StillPicture {
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
export async function stillPicture(
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

import { user32 } from '../../../native-bindings/win32/user32.ts';
import { intersectRects } from '../../contract/coordinates.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Rect } from '../../contract/geometry.ts';
import { isDenied } from '../../contract/app-match.ts';
import type { CallContext } from '../../desktop/index.ts';
import type { KnownWindows } from '../windows/known-windows.ts';
import type { PasswordFinder, PasswordRects } from './password-finder.ts';
import { Deadline } from '../windows/waiting.ts';
import { isCloaked, topLevelWindows, windowExtendedStyle, WS_EX_LAYERED } from '../windows/describe.ts';
import { passwordEditRects } from '../windows/passwords.ts';
import { visibleFrame } from '../windows/rects.ts';
import { toRgb } from './bitmap.ts';
import type { Shot } from './encode.ts';
import { grabScreen } from './gdi.ts';
import { opaqueParts, uncovered } from './regions.ts';

const regionMemory = Buffer.alloc(16);
const NO_REGION = 0;

/** Whether a window surely hides what lies below it: it has no see-through parts of either kind. */
function isOpaque(hwnd: number): boolean {
  return (windowExtendedStyle(hwnd) & WS_EX_LAYERED) === 0 && user32.GetWindowRgnBox(hwnd, regionMemory) === NO_REGION;
}

/** The windows that a picture of the desktop may show something of, topmost first. */
function shownWindows(): number[] {
  return topLevelWindows().filter((hwnd) => user32.IsWindowVisible(hwnd) && !user32.IsIconic(hwnd) && !isCloaked(hwnd));
}

/** A window's password fields as UI Automation found them, and where the window stood then. */
interface Fields extends PasswordRects {
  readonly frame: Rect;
}

interface FurtherFields {
  readonly byWindow: ReadonlyMap<number, Fields>;
  /** What is known of a window that was not asked. */
  readonly unasked: PasswordRects;
}

/** The fields where the window stands now. One that has another size since has laid itself out anew. */
function fieldsNow(frame: Rect, fields: Fields | undefined, unasked: PasswordRects): PasswordRects {
  if (fields === undefined) return unasked;
  const known =
    fields.known === 'all' && (frame.width !== fields.frame.width || frame.height !== fields.frame.height)
      ? unasked.known
      : fields.known;
  return {
    known,
    rects: fields.rects.map((rect) => ({
      ...rect,
      x: rect.x + frame.x - fields.frame.x,
      y: rect.y + frame.y - fields.frame.y,
    })),
  };
}

/**
 * What must not be seen of `area` now, screen pixels: the visible parts of the host's own windows, of windows of deny-listed
 * applications and of those that do not say where their password fields are, and password fields.
 */
function secretParts(
  area: Rect,
  services: KnownWindows,
  deny: readonly string[],
  further: FurtherFields,
): { secrets: Rect[]; isIncomplete: boolean } {
  const secrets: Rect[] = [];
  const covers: Rect[] = [];
  let isIncomplete = false;
  for (const hwnd of shownWindows()) {
    const frame = visibleFrame(hwnd);
    if (frame === null) continue;
    const window = services.describeWindow(hwnd);
    const fields = fieldsNow(frame, further.byWindow.get(hwnd), further.unasked);
    const isSecret = window === null || window.isOwn || isDenied(window.app, deny) || fields.known === 'unanswered';
    const parts = isSecret ? [frame] : [...passwordEditRects(hwnd), ...fields.rects];
    for (const part of parts) secrets.push(...uncovered(part, covers));
    isIncomplete ||= !isSecret && fields.known !== 'all' && shows(frame, area, covers);
    if (isOpaque(hwnd)) covers.push(...opaqueParts(frame));
  }
  return { secrets, isIncomplete };
}

/** Whether something of a window is in the picture. */
function shows(frame: Rect, area: Rect, covers: readonly Rect[]): boolean {
  const part = intersectRects(frame, area);
  return part !== null && uncovered(part, covers).length > 0;
}

/** Time for all windows together that UI Automation gets to find password fields: where it can search, and where they are walked. */
const SEARCH_MS = 4000;
const WALK_MS = 500;

/** How long each window took the last time: those that are quick come first, and leave their time to the others. */
const lastTook = new Map<number, number>();

/** A share for each window that is left, so that a slow one uses up its own and no other's. */
const shareOf = (leftMs: number, windows: number): number => Math.max(0, leftMs) / Math.max(1, windows);

/** The windows that show something in the picture, with the place of each. */
function askedWindows(area: Rect, services: KnownWindows): Array<{ hwnd: number; frame: Rect }> {
  const asked: Array<{ hwnd: number; frame: Rect }> = [];
  const covers: Rect[] = [];
  for (const hwnd of shownWindows()) {
    const frame = visibleFrame(hwnd);
    if (frame === null || services.isOwnWindow(hwnd)) continue;
    if (shows(frame, area, covers)) asked.push({ hwnd, frame });
    if (isOpaque(hwnd)) covers.push(...opaqueParts(frame));
  }
  return asked.sort((one, other) => (lastTook.get(one.hwnd) ?? 0) - (lastTook.get(other.hwnd) ?? 0));
}

async function furtherFields(
  area: Rect,
  services: KnownWindows,
  findPasswords: PasswordFinder,
  call: CallContext,
): Promise<FurtherFields> {
  const byWindow = new Map<number, Fields>();
  const begun = performance.now();
  const searchMs = Math.min(SEARCH_MS, new Deadline(call).remaining() / 2);
  const unasked = await findPasswords(0, { askMs: 0, walkMs: 0 }, call);
  const asked = askedWindows(area, services);
  for (const [at, { hwnd, frame }] of asked.entries()) {
    const since = performance.now();
    const [spent, left] = [since - begun, asked.length - at];
    byWindow.set(hwnd, {
      ...(await findPasswords(
        hwnd,
        { askMs: shareOf(searchMs - spent, left), walkMs: shareOf(WALK_MS - spent, left) },
        call,
      )),
      frame,
    });
    lastTook.set(hwnd, performance.now() - since);
  }
  for (const hwnd of lastTook.keys()) if (!user32.IsWindow(hwnd)) lastTook.delete(hwnd);
  return { byWindow, unasked };
}

/**
 * A picture of a part of the desktop and what has to be painted over in it (screen pixels). The windows are looked at
 * before and after, since they may move while the pixels are copied. `isIncomplete`: there may be password fields that
 * were not found. Errors: capture_failed, cancelled.
 */
export async function shootDesktop(
  area: Rect,
  services: KnownWindows,
  findPasswords: PasswordFinder,
  deny: readonly string[],
  call: CallContext,
): Promise<{ shot: Shot; secrets: Rect[]; isIncomplete: boolean }> {
  const further = await furtherFields(area, services, findPasswords, call);
  const before = secretParts(area, services, deny, further);
  const bitmap = grabScreen(area);
  if (bitmap === null) {
    throw new UiaHostError(
      'capture_failed',
      'Windows gave no picture of the screen: the session may be locked, disconnected or on another desktop.',
    );
  }
  const after = secretParts(area, services, deny, further);
  return {
    shot: { image: toRgb(bitmap), area },
    secrets: [...before.secrets, ...after.secrets],
    isIncomplete: before.isIncomplete || after.isIncomplete,
  };
}

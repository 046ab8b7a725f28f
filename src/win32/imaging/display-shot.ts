/** Pictures of a display, and which parts of them must be masked. */
import { WS_EX_LAYERED } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { intersectRects } from '../../contract/element/coordinates.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { isDenied } from '../../contract/gate/app-match.ts';
import type { CallContext } from '../../desktop/index.ts';
import { type KnownWindows, isCloaked } from '../windows/describe.ts';
import type { PasswordRects, PasswordMemory } from './password-memory.ts';
import { HeldProcesses, type ProcessFacts } from '../system/process.ts';
import { Deadline } from '../windows/waiting.ts';
import { isShaped, visibleTopWindows, windowExtendedStyle } from '../windows/window-info.ts';
import { visibleFrame } from '../windows/rects.ts';
import { opaqueParts, uncovered, toRgb } from './bitmap.ts';
import type { Shot } from './encode.ts';
import { grabScreen } from './gdi.ts';

/** Processes with a window in the last picture. */
const processes = new HeldProcesses();

/** Whether a window certainly hides what is below it: it is neither layered nor shaped. */
function isOpaque(hwnd: number): boolean {
  return (windowExtendedStyle(hwnd) & WS_EX_LAYERED) === 0 && !isShaped(hwnd);
}

/** The windows of which a picture of the desktop may show a part, topmost first. */
function shownWindows(): number[] {
  return visibleTopWindows().filter((hwnd) => !user32.IsIconic(hwnd) && !isCloaked(hwnd));
}

/** A window's password fields as UI Automation found them, and the window's place at that time. */
interface Fields extends PasswordRects {
  readonly frame: Rect;
  /** That of the memory: another one means that something changed since. */
  readonly state: number;
}

interface FurtherFields {
  readonly byWindow: ReadonlyMap<number, Fields>;
  /** Facts of a window that was not searched. */
  readonly unsearched: PasswordRects;
}

/** The fields at the window's present place. A window of a different size has a new layout. */
function fieldsNow(frame: Rect, state: number, fields: Fields | undefined, unsearched: PasswordRects): PasswordRects {
  if (fields === undefined) return unsearched;
  const hasNewSize = frame.width !== fields.frame.width || frame.height !== fields.frame.height;
  const known =
    fields.known !== 'all' ? fields.known : hasNewSize ? unsearched.known : state === fields.state ? 'all' : 'partly';
  return {
    known,
    rects: fields.rects.map((rect) => ({
      ...rect,
      x: rect.x + frame.x - fields.frame.x,
      y: rect.y + frame.y - fields.frame.y,
    })),
  };
}

/** A window with a part in the picture. */
interface ShownWindow {
  readonly hwnd: number;
  readonly frame: Rect;
  /** What covers it. */
  readonly covers: readonly Rect[];
}

/** The windows with a part in `area`, topmost first, and their places now. */
function windowsIn(area: Rect): ShownWindow[] {
  const shown: ShownWindow[] = [];
  let covers: readonly Rect[] = [];
  for (const hwnd of shownWindows()) {
    const frame = visibleFrame(hwnd);
    // A covered window adds no cover either.
    if (frame === null || !shows(frame, area, covers)) continue;
    shown.push({ hwnd, frame, covers });
    if (isOpaque(hwnd)) covers = [...covers, ...opaqueParts(frame)];
  }
  return shown;
}

/** Which applications a picture may show: not the denied, and of the others all, or those listed by bundleId. */
export interface Showing {
  readonly deny: readonly string[];
  readonly shown?: readonly string[];
}

/** Whether a window must be hidden entirely: it is the host's own or gone, or its application may not be shown. */
type SecretWindows = (hwnd: number) => boolean;

/** Each window is asked once for a picture: its process and program do not change. */
function secretWindows(services: KnownWindows, { deny, shown }: Showing): SecretWindows & Disposable {
  const known = new Map<number, boolean>();
  const pids = new Set<number>();
  const factsOf = (pid: number): ProcessFacts => {
    pids.add(pid);
    return processes.facts(pid);
  };
  const isSecret = (hwnd: number): boolean => {
    const window = services.describeWindow(hwnd, { factsOf });
    if (window === null || window.isOwn || isDenied(window.app, deny)) return true;
    return shown !== undefined && !shown.includes(window.app.bundleId);
  };
  return Object.assign(
    (hwnd: number): boolean => {
      let secret = known.get(hwnd);
      if (secret === undefined) known.set(hwnd, (secret = isSecret(hwnd)));
      return secret;
    },
    { [Symbol.dispose]: () => processes.keepOnly(pids) },
  );
}

/**
 * What must be masked in a picture of these windows, screen pixels: password fields, and the visible parts of the host's
 * own windows, of windows of denied applications, and of windows whose password fields are unknown.
 */
function secretParts(
  shown: readonly ShownWindow[],
  isSecretWindow: SecretWindows,
  edits: (hwnd: number) => readonly Rect[],
  passwords: PasswordMemory,
  further: FurtherFields,
): { secrets: Rect[]; isIncomplete: boolean } {
  const secrets: Rect[] = [];
  let isIncomplete = false;
  for (const { hwnd, frame, covers } of shown) {
    const fields = fieldsNow(frame, passwords.state(hwnd), further.byWindow.get(hwnd), further.unsearched);
    const isSecret = fields.known === 'unanswered' || isSecretWindow(hwnd);
    const parts = isSecret ? [frame] : [...edits(hwnd), ...fields.rects];
    for (const part of parts) secrets.push(...uncovered(part, covers));
    isIncomplete ||= !isSecret && fields.known !== 'all';
  }
  return { secrets, isIncomplete };
}

/** Whether a part of a window is in the picture. */
function shows(frame: Rect, area: Rect, covers: readonly Rect[]): boolean {
  const part = intersectRects(frame, area);
  return part !== null && uncovered(part, covers).length > 0;
}

/** Time for UI Automation to find the password fields of all windows: by search, and by walking where it cannot search. */
const SEARCH_MS = 4000;
const WALK_MS = 500;

/** The places of windows are read again before the pixels are copied unless that was this short a time (ms) ago: copying takes longer. */
const FRESH_MS = 5;

/** Time that each window took last: the quick ones come first and leave their time to the others. */
const lastTook = new Map<number, number>();

/** An equal share for each remaining window, so that a slow one uses only its own. */
const shareOf = (leftMs: number, windows: number): number => Math.max(0, leftMs) / Math.max(1, windows);

async function furtherFields(
  shown: readonly ShownWindow[],
  isSecretWindow: SecretWindows,
  passwords: PasswordMemory,
  call: CallContext,
): Promise<FurtherFields> {
  const byWindow = new Map<number, Fields>();
  const begun = performance.now();
  const searchMs = Math.min(SEARCH_MS, new Deadline(call).remaining() / 2);
  const unsearched = await passwords.further(0, { askMs: 0, walkMs: 0 }, call);
  const asked = shown
    .filter(({ hwnd }) => !isSecretWindow(hwnd))
    .sort((one, other) => (lastTook.get(one.hwnd) ?? 0) - (lastTook.get(other.hwnd) ?? 0));
  for (const [at, { hwnd, frame }] of asked.entries()) {
    const state = passwords.state(hwnd);
    const since = performance.now();
    const [spent, left] = [since - begun, asked.length - at];
    byWindow.set(hwnd, {
      ...(await passwords.further(
        hwnd,
        { askMs: shareOf(searchMs - spent, left), walkMs: shareOf(WALK_MS - spent, left) },
        call,
      )),
      frame,
      state,
    });
    lastTook.set(hwnd, performance.now() - since);
  }
  for (const hwnd of lastTook.keys()) if (!user32.IsWindow(hwnd)) lastTook.delete(hwnd);
  return { byWindow, unsearched };
}

/**
 * A picture of a part of the desktop, and what must be masked in it (screen pixels). The windows are read before and
 * after, since they may move while the pixels are copied. `isIncomplete`: password fields may have been missed. Errors:
 * capture_failed, cancelled.
 */
export async function shootDesktop(
  area: Rect,
  services: KnownWindows,
  passwords: PasswordMemory,
  showing: Showing,
  call: CallContext,
): Promise<{ shot: Shot; secrets: Rect[]; isIncomplete: boolean }> {
  using isSecretWindow = secretWindows(services, showing);
  // Where only some applications are shown, the desktop between their windows is not.
  const between = (windows: readonly ShownWindow[]): Rect[] =>
    showing.shown === undefined
      ? []
      : uncovered(
          area,
          windows.filter(({ hwnd }) => !isSecretWindow(hwnd)).map(({ frame }) => frame),
        );
  let shown = windowsIn(area);
  const readAt = performance.now();
  const further = await furtherFields(shown, isSecretWindow, passwords, call);
  if (performance.now() - readAt > FRESH_MS) shown = windowsIn(area);
  const behind = between(shown);
  const before = secretParts(shown, isSecretWindow, (hwnd) => passwords.knownEdits(hwnd), passwords, further);
  const bitmap = grabScreen(area);
  if (bitmap === null) {
    throw new UiaHostError(
      'capture_failed',
      'Windows returned no picture of the screen: the session may be locked, disconnected or on another desktop.',
    );
  }
  const now = windowsIn(area);
  const after = secretParts(now, isSecretWindow, (hwnd) => passwords.edits(hwnd), passwords, further);
  return {
    shot: { image: toRgb(bitmap), area },
    secrets: [...before.secrets, ...after.secrets, ...behind, ...between(now)],
    isIncomplete: before.isIncomplete || after.isIncomplete,
  };
}

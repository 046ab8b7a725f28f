/** The picture of one window: which way of capturing it shows something. */
import { LWA_ALPHA, WS_EX_LAYERED } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { intersectRects } from '../../contract/element/coordinates.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { isHidden, windowGone } from '../windows/record.ts';
import type { CaptureMethod } from '../../desktop/ports.ts';
import { isCloaked, type KnownWindows } from '../windows/describe.ts';
import {
  descendantsOf,
  isShaped,
  topLevelWindows,
  windowExtendedStyle,
  windowProcess,
  visibleTopWindows,
} from '../windows/window-info.ts';
import { answers } from '../windows/ask.ts';
import { clientArea, outerRect, visibleFrame } from '../windows/rects.ts';
import {
  uncovered,
  clipToImage,
  toRgb,
  uniformColour,
  uniformImage,
  type Bitmap,
  wholeOf,
  opaqueParts,
} from './bitmap.ts';
import { listMonitors } from '../windows/monitors.ts';
import type { Shot } from './bitmap.ts';
import { grabScreen, grabWindow } from './gdi.ts';
import { isDenied } from '../../contract/gate/app-match.ts';
import type { CallContext } from '../../desktop/index.ts';
import type { PasswordRects, PasswordMemory } from './password-memory.ts';
import { HeldProcesses, type ProcessFacts } from '../system/process.ts';
import { Deadline } from '../windows/waiting.ts';

const BLACK = 0;
/** PrintWindow waits for the window's thread, so it is tried only if a ping returns in this time. */
const PING_MS = 300;
const affinityMemory = Buffer.alloc(4);
const layerMemory = { colourKey: Buffer.alloc(4), alpha: Buffer.alloc(1), flags: Buffer.alloc(4) };

/**
 * Windows for which PrintWindow failed while another method worked, and when to try it again. Each try makes the program
 * draw its whole window, which costs both processes some milliseconds for nothing.
 */
const printsNothing = new Map<number, number>();
const PRINT_AGAIN_MS = 30_000;
/**
 * If PrintWindow has failed for this many programs and worked for none, the system does not support it across programs.
 */
const PROGRAMS = 2;
const unprinted = new Set<number>();
let hasPrinted = false;
let printAgain = 0;

function mayPrint(hwnd: number): boolean {
  if (!hasPrinted && unprinted.size >= PROGRAMS && performance.now() < printAgain) return false;
  const again = printsNothing.get(hwnd);
  if (again === undefined) return true;
  if (performance.now() < again) return false;
  printsNothing.delete(hwnd);
  return true;
}

function noteMethod(hwnd: number, method: WindowShot['method'], tried: readonly string[]): void {
  hasPrinted ||= method === 'print-window';
  if (method === 'print-window' || !tried.includes(METHOD_TEXT['print-window'])) return;
  if (unprinted.size < PROGRAMS) unprinted.add(windowProcess(hwnd));
  printAgain = performance.now() + PRINT_AGAIN_MS;
  for (const [other, again] of printsNothing) if (again < performance.now()) printsNothing.delete(other);
  printsNothing.set(hwnd, performance.now() + PRINT_AGAIN_MS);
}

export interface WindowShot extends Shot {
  readonly method: Exclude<CaptureMethod, 'display'>;
  /** Its client area is black with every method: the content may be missing. */
  readonly isHollow?: true;
  /** A person sees what is behind it through some parts, which are black here, or of the colour that means so. */
  readonly isSeeThrough: boolean;
}

/** The program asked Windows to keep its window out of pictures. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowdisplayaffinity */
export function isProtected(hwnd: number): boolean {
  affinityMemory.writeUInt32LE(0, 0);
  return user32.GetWindowDisplayAffinity(hwnd, affinityMemory) && affinityMemory.readUInt32LE(0) !== 0;
}

/**
 * Whether it is shaped, has a transparent colour, or gave the system its own picture (UpdateLayeredWindow), which may be
 * transparent anywhere. One alpha for the whole window hides no part of it.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getlayeredwindowattributes
 */
function isSeeThrough(hwnd: number): boolean {
  const { colourKey, alpha, flags } = layerMemory;
  if (isShaped(hwnd)) return true;
  if ((windowExtendedStyle(hwnd) & WS_EX_LAYERED) === 0) return false;
  return !user32.GetLayeredWindowAttributes(hwnd, colourKey, alpha, flags) || flags.readUInt32LE(0) !== LWA_ALPHA;
}

/** Whether a visible window covers it: a crop of the screen would show that window. */
export function isCovered(hwnd: number, frame: Rect): boolean {
  for (const other of topLevelWindows()) {
    if (other === hwnd) return false;
    if (!user32.IsWindowVisible(other) || user32.IsIconic(other) || isCloaked(other)) continue;
    const rect = visibleFrame(other);
    if (rect !== null && intersectRects(rect, frame) !== null) return true;
  }
  return true;
}

/** Whether every pixel of the frame is on some monitor. */
function isOnScreen(frame: Rect): boolean {
  return (
    uncovered(
      frame,
      listMonitors().map((monitor) => monitor.rect),
    ).length === 0
  );
}

/** A window with visible children has content, so a picture of one colour cannot be right. */
function hasContent(hwnd: number): boolean {
  return descendantsOf(hwnd).some((child) => {
    const rect = user32.IsWindowVisible(child) ? outerRect(child) : null;
    return rect !== null && rect.width > 1 && rect.height > 1;
  });
}

/** A colour: it has no other. `hollow`: a frame around a black client area, as some methods return for DirectX content. */
function judge(bitmap: Bitmap, client: Rect | null): 'good' | 'hollow' | number {
  const colour = uniformColour(bitmap);
  if (colour !== null) return colour;
  return client !== null && client.width > 0 && client.height > 0 && uniformColour(bitmap, client) === BLACK
    ? 'hollow'
    : 'good';
}

const METHOD_TEXT: Readonly<Record<WindowShot['method'], string>> = {
  'print-window': 'PrintWindow',
  'window-dc': 'the window’s device context',
  'screen-crop': 'a crop of the screen',
};

/**
 * The picture of one window, with its state unchanged: by PrintWindow, else by its device context, else by a crop of the
 * screen if nothing covers it. The first method that shows something wins.
 * Errors: capture_blank with its cause, capture_failed, window_gone.
 */
export async function shootWindow(hwnd: number, record: BindingRecord): Promise<WindowShot> {
  const { title } = record;
  const unseen = isHidden(hwnd) ? 'hidden' : user32.IsIconic(hwnd) ? 'minimised' : null;
  if (unseen !== null) {
    throw new UiaHostError(
      'capture_blank',
      `${quoted(title)} is ${unseen}, and a ${unseen} window has no picture. It was left unchanged.`,
      { hint: 'Use manage-window restore, then try again.' },
    );
  }
  if (isProtected(hwnd)) {
    throw new UiaHostError(
      'capture_blank',
      `The program of ${quoted(title)} excludes the window from screen captures, and the host respects that.`,
      { hint: 'Read it with snapshot instead.' },
    );
  }
  const outer = outerRect(hwnd);
  const frame = visibleFrame(hwnd);
  if (outer === null || frame === null) throw windowGone(record);
  if (frame.width <= 0 || frame.height <= 0)
    throw new UiaHostError('capture_failed', `${quoted(title)} has no area: ${frame.width}×${frame.height}.`);
  const client = clientArea(hwnd);

  // A method that failed recently comes last.
  const methods = mayPrint(hwnd)
    ? (['print-window', 'window-dc', 'screen-crop'] as const)
    : (['window-dc', 'screen-crop', 'print-window'] as const);
  let hollow: WindowShot | null = null;
  let uniform: { readonly size: Rect; readonly colour: number; readonly method: WindowShot['method'] } | null = null;
  const tried: string[] = [];
  for (const method of methods) {
    // Only PrintWindow waits for the window's thread.
    const isAnswering = method !== 'print-window' || (await answers(hwnd, PING_MS));
    // No await from here on: the pixels of one grab are valid until the next.
    const bitmap = isAnswering ? grab(hwnd, method, frame) : null;
    if (bitmap === null) continue;
    tried.push(METHOD_TEXT[method]);
    const shown = method === 'screen-crop' ? frame : outer;
    const verdict = judge(bitmap, client === null ? null : scaled(client, shown, bitmap));
    const part = clipToImage(scaled(frame, shown, bitmap), bitmap) ?? wholeOf(bitmap);
    if (typeof verdict === 'number') {
      uniform ??= { size: part, colour: verdict, method };
      continue;
    }
    const shot: WindowShot = { image: toRgb(bitmap, part), area: frame, method, isSeeThrough: isSeeThrough(hwnd) };
    if (verdict === 'good') {
      noteMethod(hwnd, method, tried);
      return shot;
    }
    hollow ??= shot;
  }
  if (!user32.IsWindow(hwnd))
    throw new UiaHostError('window_gone', `The window ${quoted(title)} closed while its picture was taken.`);
  if (hollow !== null) return { ...hollow, isHollow: true };
  if (uniform === null)
    throw new UiaHostError(
      'capture_failed',
      `Windows returned no picture of ${quoted(title)}: PrintWindow, its device context and the screen all failed.`,
    );
  if (hasContent(hwnd)) {
    const where = isOnScreen(frame) ? '' : ' It is off the displays, where this system may not draw it.';
    throw new UiaHostError(
      'capture_blank',
      `Every capture of ${quoted(title)} has a single colour (${tried.join(', ')}), although the window has visible parts.${where}`,
      {
        hint:
          where === ''
            ? 'Read it with snapshot. If the program bypasses Windows’ drawing, a capture may work while it is in the foreground.'
            : 'Read it with snapshot, or move it back with manage-window move_resize.',
      },
    );
  }
  const { size, colour, method } = uniform;
  return {
    image: uniformImage(size.width, size.height, colour),
    area: frame,
    method,
    isSeeThrough: isSeeThrough(hwnd),
  };
}

function grab(hwnd: number, method: WindowShot['method'], frame: Rect): Bitmap | null {
  switch (method) {
    case 'print-window':
      return grabWindow(hwnd, 'print');
    case 'window-dc':
      return grabWindow(hwnd, 'dc');
    case 'screen-crop':
      return isOnScreen(frame) && !isCovered(hwnd, frame) ? grabScreen(frame) : null;
  }
}

/** A rectangle on the desktop → pixels of the bitmap that shows `shown`. */
function scaled(rect: Rect, shown: Rect, bitmap: { width: number; height: number }): Rect {
  const x = bitmap.width / shown.width;
  const y = bitmap.height / shown.height;
  return { x: (rect.x - shown.x) * x, y: (rect.y - shown.y) * y, width: rect.width * x, height: rect.height * y };
}

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

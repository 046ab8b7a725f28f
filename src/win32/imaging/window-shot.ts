/** The picture of one window: which way of capturing it shows something. */
import { LWA_ALPHA, WS_EX_LAYERED } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { intersectRects } from '../../contract/element/coordinates.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { windowGone } from '../windows/record.ts';
import type { CaptureMethod } from '../../desktop/ports.ts';
import { isCloaked } from '../windows/describe.ts';
import {
  descendantsOf,
  isShaped,
  topLevelWindows,
  windowExtendedStyle,
  windowProcess,
} from '../windows/window-info.ts';
import { answers } from '../windows/ask.ts';
import { clientArea, outerRect, visibleFrame } from '../windows/rects.ts';
import { uncovered, clipToImage, toRgb, uniformColour, uniformImage, type Bitmap, wholeOf } from './bitmap.ts';
import { listMonitors } from '../windows/monitors.ts';
import type { Shot } from './encode.ts';
import { grabScreen, grabWindow } from './gdi.ts';

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
  if (user32.IsIconic(hwnd)) {
    throw new UiaHostError(
      'capture_blank',
      `${quoted(title)} is minimised, and a minimised window has no picture. It was left unchanged.`,
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

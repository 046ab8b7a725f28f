import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Rect } from '../../contract/geometry.ts';
import { isDenied } from '../apps/deny.ts';
import type { Win32Services } from '../services.ts';
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

/**
 * What must not be seen on the screen now, screen pixels: the visible parts of the host's own windows, of windows of
 * deny-listed applications, and password fields. `further`: fields that UI Automation found, by window.
 */
function secretParts(services: Win32Services, deny: readonly string[], further: ReadonlyMap<number, readonly Rect[]>): Rect[] {
  const secrets: Rect[] = [];
  const covers: Rect[] = [];
  for (const hwnd of shownWindows()) {
    const frame = visibleFrame(hwnd);
    if (frame === null) continue;
    const window = services.describeWindow(hwnd);
    const isSecret = window === null || window.isOwn || isDenied(window.app, deny);
    const parts = isSecret ? [frame] : [...passwordEditRects(hwnd), ...(further.get(hwnd) ?? [])];
    for (const part of parts) secrets.push(...uncovered(part, covers));
    if (isOpaque(hwnd)) covers.push(...opaqueParts(frame));
  }
  return secrets;
}

/** Time for all windows together that UI Automation gets to find password fields. */
const FURTHER_FIELDS_MS = 500;

async function furtherFields(services: Win32Services): Promise<Map<number, readonly Rect[]>> {
  const found = new Map<number, readonly Rect[]>();
  const end = performance.now() + FURTHER_FIELDS_MS;
  for (const hwnd of shownWindows()) {
    const left = end - performance.now();
    if (left <= 0) break;
    if (services.isOwnWindow(hwnd)) continue;
    found.set(hwnd, await services.passwordRects(hwnd, left));
  }
  return found;
}

/**
 * A picture of a part of the desktop and what has to be painted over in it (screen pixels). The windows are looked at
 * before and after, since they may move while the pixels are copied.
 */
export async function shootDesktop(area: Rect, services: Win32Services, deny: readonly string[]): Promise<{ shot: Shot; secrets: Rect[] }> {
  const further = await furtherFields(services);
  const before = secretParts(services, deny, further);
  const bitmap = grabScreen(area);
  if (bitmap === null) {
    throw new UiaHostError('capture_failed', 'Windows gave no picture of the screen: the session may be locked, disconnected or on another desktop.');
  }
  const after = secretParts(services, deny, further);
  return { shot: { image: toRgb(bitmap), area }, secrets: [...before, ...after] };
}

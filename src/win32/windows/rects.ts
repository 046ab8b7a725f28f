/** Rectangles of windows in screen and client coordinates, and as programs of another DPI awareness see them. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { dwmapi } from '../../../native-bindings/win32/dwmapi.ts';
import { MONITORINFOEXW } from '../../../native-bindings/win32/structs.ts';
import { intersectRects } from '../../contract/element/coordinates.ts';
import type { Point, Rect } from '../../contract/element/geometry.ts';
import { shcore } from '../../../native-bindings/win32/shcore.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';

const rectMemory = Buffer.alloc(16);
const pointMemory = Buffer.alloc(8);

/**
 * A RECT (left, top, right, bottom) → our rectangle. A RECT that Windows considers empty gets the size 0, not a
 * negative one.
 */
export function readRect(memory: Buffer, offset = 0): Rect {
  const x = memory.readInt32LE(offset);
  const y = memory.readInt32LE(offset + 4);
  return {
    x,
    y,
    width: Math.max(0, memory.readInt32LE(offset + 8) - x),
    height: Math.max(0, memory.readInt32LE(offset + 12) - y),
  };
}

/** Outer rectangle in the thread's coordinates, invisible resize borders included; null once the window is gone. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowrect */
export function outerRect(hwnd: number): Rect | null {
  return user32.GetWindowRect(hwnd, rectMemory) ? readRect(rectMemory) : null;
}

/** The rectangle of the monitor that shows most of a window; null if Windows does not report it. */
function monitorRect(hwnd: number): Rect | null {
  const memory = MONITORINFOEXW.alloc({ cbSize: MONITORINFOEXW.size });
  return user32.GetMonitorInfoW(user32.MonitorFromWindow(hwnd, m.MONITOR_DEFAULTTONEAREST), memory)
    ? readRect(memory, MONITORINFOEXW.at.rcMonitor)
    : null;
}

/**
 * The visible part of the window, screen pixels: the outer rectangle without the invisible borders that Windows 10
 * and later use for resizing, which a maximised window has beyond its monitor. The outer rectangle if the compositor does
 * not report it.
 * Sources: learn.microsoft.com/windows/win32/api/dwmapi/ne-dwmapi-dwmwindowattribute,
 * devblogs.microsoft.com/oldnewthing/20150304-00/?p=44543
 */
export function visibleFrame(hwnd: number): Rect | null {
  const outer = outerRect(hwnd);
  if (outer === null) return null;
  const isReported = dwmapi.DwmGetWindowAttribute(hwnd, m.DWMWA_EXTENDED_FRAME_BOUNDS, rectMemory, 16) >= 0;
  const frame = (isReported ? intersectRects(readRect(rectMemory), outer) : null) ?? outer;
  const monitor = user32.IsZoomed(hwnd) ? monitorRect(hwnd) : null;
  return (monitor === null ? null : intersectRects(frame, monitor)) ?? frame;
}

/** Client area in screen pixels; null once the window is gone. */
export function clientArea(hwnd: number): Rect | null {
  if (!user32.GetClientRect(hwnd, rectMemory)) return null;
  const { width, height } = readRect(rectMemory);
  // Both corners, since ClientToScreen of a mirrored (right-to-left) window counts from the right.
  const one = toScreen(hwnd, { x: 0, y: 0 });
  const other = toScreen(hwnd, { x: width, y: height });
  if (one === null || other === null) return null;
  return { x: Math.min(one.x, other.x), y: Math.min(one.y, other.y), width, height };
}

function convertPoint(point: Point, convert: (memory: Buffer) => boolean): Point | null {
  pointMemory.writeInt32LE(Math.floor(point.x), 0);
  pointMemory.writeInt32LE(Math.floor(point.y), 4);
  return convert(pointMemory) ? { x: pointMemory.readInt32LE(0), y: pointMemory.readInt32LE(4) } : null;
}

/** Client → screen, rounded down to whole pixels; null once the window is gone. */
export function toScreen(hwnd: number, point: Point): Point | null {
  return convertPoint(point, (memory) => user32.ClientToScreen(hwnd, memory));
}

/** Screen → client, rounded down to whole pixels; null once the window is gone. */
export function toClient(hwnd: number, point: Point): Point | null {
  return convertPoint(point, (memory) => user32.ScreenToClient(hwnd, memory));
}

/**
 * Makes this process see physical pixels on every monitor (docs/behaviour.md#coordinates). Call it before the process has a
 * window or device context; a second call changes nothing. node.exe starts unaware and would get scaled coordinates.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setprocessdpiawarenesscontext
 */
export function becomePerMonitorAware(): void {
  if (user32.has('SetProcessDpiAwarenessContext')) {
    // Fails with access denied once the awareness is set, by a manifest, a compatibility setting or an earlier call.
    user32.SetProcessDpiAwarenessContext(m.DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2);
    // A compatibility setting of node.exe binds the process, but not its threads.
    if (!isPerMonitorAware()) user32.SetThreadDpiAwarenessContext(m.DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2);
  } else if (shcore.has('SetProcessDpiAwareness')) {
    // Before Windows 10 1703.
    shcore.SetProcessDpiAwareness(m.PROCESS_PER_MONITOR_DPI_AWARE);
  }
}

/** Whether this thread's coordinates are physical pixels (2 = per monitor). For the doctor and for tests. */
export function isPerMonitorAware(): boolean {
  return user32.GetAwarenessFromDpiAwarenessContext(user32.GetThreadDpiAwarenessContext()) === 2;
}

/**
 * Runs `work` in the coordinates that the window's program sees: bitmaps and message coordinates of a DPI-unaware program
 * are in its scaled pixels. `work` must be synchronous: the context belongs to the thread.
 * Source: learn.microsoft.com/windows/win32/hidpi/high-dpi-improvements-for-desktop-applications (mixed-mode DPI scaling)
 */
export function inContextOf<T>(hwnd: number, work: () => T): T {
  const context = user32.GetWindowDpiAwarenessContext(hwnd);
  if (context === 0) return work();
  const previous = user32.SetThreadDpiAwarenessContext(context);
  try {
    return work();
  } finally {
    if (previous !== 0) user32.SetThreadDpiAwarenessContext(previous);
  }
}

/** Writes a physical screen point to memory in the coordinates of the window's program. */
function writeOwnScreen(hwnd: number, screen: Point): void {
  pointMemory.writeInt32LE(Math.floor(screen.x), 0);
  pointMemory.writeInt32LE(Math.floor(screen.y), 4);
  user32.PhysicalToLogicalPointForPerMonitorDPI(hwnd, pointMemory);
}

const readPoint = (): Point => ({ x: pointMemory.readInt32LE(0), y: pointMemory.readInt32LE(4) });

/**
 * A physical screen point → screen point in the coordinates of the window's program, for lParam of a hit test or wheel
 * message. The same point for DPI-aware programs.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-physicaltologicalpointforpermonitordpi
 */
export function toMessageScreen(hwnd: number, screen: Point): Point {
  writeOwnScreen(hwnd, screen);
  return readPoint();
}

/**
 * A physical screen point → client point in the coordinates of the window's program, for lParam of a mouse message. The
 * same as ScreenToClient for DPI-aware programs. Null once the window is gone.
 */
export function toMessagePoint(hwnd: number, screen: Point): Point | null {
  writeOwnScreen(hwnd, screen);
  return inContextOf(hwnd, () => (user32.ScreenToClient(hwnd, pointMemory) ? readPoint() : null));
}

/** The same with a border of this width around it. */
export const grown = ({ x, y, width, height }: Rect, by: number): Rect => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** Packs two signed 16-bit coordinates the way mouse messages carry them. */
export const packPoint = (x: number, y: number): number => ((y & 0xffff) * 0x1_0000 + (x & 0xffff)) | 0;

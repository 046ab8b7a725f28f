/** DPI awareness of this process, and coordinates as programs of another awareness see them. */
import {
  DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2,
  PROCESS_PER_MONITOR_DPI_AWARE,
} from '../../../native-bindings/win32/constants.ts';
import { shcore } from '../../../native-bindings/win32/shcore.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Point } from '../../contract/element/geometry.ts';

/**
 * Makes this process see physical pixels on every monitor (docs/behaviour.md#coordinates). Call it before the process has a
 * window or device context; a second call changes nothing. node.exe starts unaware and would get scaled coordinates.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setprocessdpiawarenesscontext
 */
export function becomePerMonitorAware(): void {
  if (user32.has('SetProcessDpiAwarenessContext')) {
    // Fails with access denied once the awareness is set, by a manifest, a compatibility setting or an earlier call.
    user32.SetProcessDpiAwarenessContext(DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2);
    // A compatibility setting of node.exe binds the process, but not its threads.
    if (!isPerMonitorAware() && user32.has('SetThreadDpiAwarenessContext'))
      user32.SetThreadDpiAwarenessContext(DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2);
  } else if (shcore.has('SetProcessDpiAwareness')) {
    shcore.SetProcessDpiAwareness(PROCESS_PER_MONITOR_DPI_AWARE);
  }
}

/** Whether this thread's coordinates are physical pixels (2 = per monitor). For the doctor and for tests. */
export function isPerMonitorAware(): boolean {
  return (
    user32.has('GetThreadDpiAwarenessContext') &&
    user32.GetAwarenessFromDpiAwarenessContext(user32.GetThreadDpiAwarenessContext()) === 2
  );
}

/**
 * Runs `work` in the coordinates that the window's program sees: bitmaps and message coordinates of a DPI-unaware program
 * are in its scaled pixels. `work` must be synchronous: the context belongs to the thread.
 * Source: learn.microsoft.com/windows/win32/hidpi/high-dpi-improvements-for-desktop-applications (mixed-mode DPI scaling)
 */
export function inContextOf<T>(hwnd: number, work: () => T): T {
  const context = user32.has('GetWindowDpiAwarenessContext') ? user32.GetWindowDpiAwarenessContext(hwnd) : 0;
  if (context === 0) return work();
  const previous = user32.SetThreadDpiAwarenessContext(context);
  try {
    return work();
  } finally {
    if (previous !== 0) user32.SetThreadDpiAwarenessContext(previous);
  }
}

const pointMemory = Buffer.alloc(8);

/** Writes a physical screen point to memory in the coordinates of the window's program. */
function writeOwnScreen(hwnd: number, screen: Point): void {
  pointMemory.writeInt32LE(Math.floor(screen.x), 0);
  pointMemory.writeInt32LE(Math.floor(screen.y), 4);
  if (user32.has('PhysicalToLogicalPointForPerMonitorDPI'))
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

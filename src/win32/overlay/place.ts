/** The work areas of monitors, where the overlay’s windows may be. */
import {
  MDT_EFFECTIVE_DPI,
  MONITOR_DEFAULTTONEAREST,
  MONITOR_DEFAULTTOPRIMARY,
} from '../../../native-bindings/win32/constants.ts';
import { MONITORINFOEXW } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { shcore } from '../../../native-bindings/win32/shcore.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { readRect } from '../windows/rects.ts';

const USUAL_DPI = 96;

/** The usable area of a monitor. */
export interface WorkArea {
  /** Without the task bar, screen pixels. */
  readonly rect: Rect;
  /** DPI / 96. */
  readonly scale: number;
}

/** The work area of the monitor with most of a window; of the primary monitor if there is no such window. */
export function workAreaOf(hwnd: number): WorkArea {
  const monitor =
    hwnd !== 0 && user32.IsWindow(hwnd)
      ? user32.MonitorFromWindow(hwnd, MONITOR_DEFAULTTONEAREST)
      : user32.MonitorFromPoint({ x: 0, y: 0 }, MONITOR_DEFAULTTOPRIMARY);
  const memory = MONITORINFOEXW.alloc({ cbSize: MONITORINFOEXW.size });
  const rect = user32.GetMonitorInfoW(monitor, memory)
    ? readRect(memory, MONITORINFOEXW.at.rcWork)
    : { x: 0, y: 0, width: 1024, height: 768 };
  const dpi = { x: Buffer.alloc(4), y: Buffer.alloc(4) };
  const isKnown =
    shcore.has('GetDpiForMonitor') && shcore.GetDpiForMonitor(monitor, MDT_EFFECTIVE_DPI, dpi.x, dpi.y) >= 0;
  return { rect, scale: (isKnown ? dpi.x.readUInt32LE(0) : USUAL_DPI) / USUAL_DPI };
}

/** The lower right corner of a work area, where Windows shows its notifications. */
export function cornerOf(
  area: WorkArea,
  size: { readonly width: number; readonly height: number },
  margin: number,
): Rect {
  return {
    x: area.rect.x + Math.max(0, area.rect.width - size.width - margin),
    y: area.rect.y + Math.max(0, area.rect.height - size.height - margin),
    width: size.width,
    height: size.height,
  };
}

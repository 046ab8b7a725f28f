/** The monitors of the desktop: rectangles, DPI, devices. */
import {
  EDD_GET_DEVICE_INTERFACE_NAME,
  MDT_EFFECTIVE_DPI,
  MONITORINFOF_PRIMARY,
  MONITOR_DEFAULTTONEAREST,
} from '../../../native-bindings/win32/constants.ts';
import { shcore } from '../../../native-bindings/win32/shcore.ts';
import { DISPLAY_DEVICEW, MONITORINFOEXW } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { readRect } from './rects.ts';

const USUAL_DPI = 96;

/** One monitor as Windows reports it; rectangles in physical screen pixels. */
export interface Monitor {
  readonly handle: number;
  readonly rect: Rect;
  readonly isPrimary: boolean;
  readonly dpi: number;
  /** `\\.\DISPLAY1`: changes when monitors are plugged in in a different order. */
  readonly device: string;
  /** The monitor's device path, constant while it is plugged into the same connector; empty if Windows has none. */
  readonly path: string;
  /** The device's description. */
  readonly description: string;
}

const dpiMemory = { x: Buffer.alloc(4), y: Buffer.alloc(4) };

/** Dots per inch of a monitor; 96 = 100 %. Source: learn.microsoft.com/windows/win32/api/shellscalingapi/nf-shellscalingapi-getdpiformonitor */
export function monitorDpi(handle: number): number {
  if (!shcore.has('GetDpiForMonitor')) return USUAL_DPI;
  return shcore.GetDpiForMonitor(handle, MDT_EFFECTIVE_DPI, dpiMemory.x, dpiMemory.y) >= 0
    ? dpiMemory.x.readUInt32LE(0)
    : USUAL_DPI;
}

/** Path and description of the monitor on an adapter's output. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-enumdisplaydevicesw */
function monitorDevice(device: string): { path: string; description: string } {
  const info = DISPLAY_DEVICEW.alloc({ cb: DISPLAY_DEVICEW.size });
  if (!user32.EnumDisplayDevicesW(device, 0, info, EDD_GET_DEVICE_INTERFACE_NAME)) return { path: '', description: '' };
  const { DeviceID, DeviceString } = DISPLAY_DEVICEW.read(info);
  return { path: DeviceID, description: DeviceString };
}

function describe(handle: number, withDevice: boolean): Monitor | null {
  const memory = MONITORINFOEXW.alloc({ cbSize: MONITORINFOEXW.size });
  if (!user32.GetMonitorInfoW(handle, memory)) return null;
  const info = MONITORINFOEXW.read(memory);
  return {
    handle,
    rect: readRect(memory, MONITORINFOEXW.at.rcMonitor),
    isPrimary: (info.dwFlags & MONITORINFOF_PRIMARY) !== 0,
    dpi: monitorDpi(handle),
    device: info.szDevice,
    ...(withDevice ? monitorDevice(info.szDevice) : { path: '', description: '' }),
  };
}

/** Every monitor that shows a part of the desktop, in Windows' order. Names cost more than rectangles, so they are optional. */
export function listMonitors(options: { readonly withNames?: boolean } = {}): Monitor[] {
  const handles: number[] = [];
  user32.EnumDisplayMonitors(
    0,
    null,
    (handle) => {
      handles.push(handle);
      return true;
    },
    0,
  );
  return handles.map((handle) => describe(handle, options.withNames === true)).filter((monitor) => monitor !== null);
}

/** The monitor with most of a window, else the nearest one. */
export function monitorOfWindow(hwnd: number): number {
  return user32.MonitorFromWindow(hwnd, MONITOR_DEFAULTTONEAREST);
}

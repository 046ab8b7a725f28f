/** The monitors of the desktop: rectangles, DPI, devices, names, and displays with stable ids. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { shcore } from '../../../native-bindings/win32/shcore.ts';
import {
  DISPLAY_DEVICEW,
  MONITORINFOEXW,
  DISPLAYCONFIG_MODE_INFO,
  DISPLAYCONFIG_PATH_INFO,
  DISPLAYCONFIG_TARGET_DEVICE_NAME,
} from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Rect, DisplayGeometry } from '../../contract/element/geometry.ts';
import { readRect } from './rects.ts';
import { intersectRects } from '../../contract/element/coordinates.ts';

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
  return shcore.GetDpiForMonitor(handle, m.MDT_EFFECTIVE_DPI, dpiMemory.x, dpiMemory.y) >= 0
    ? dpiMemory.x.readUInt32LE(0)
    : USUAL_DPI;
}

/** Path and description of the monitor on an adapter's output. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-enumdisplaydevicesw */
function monitorDevice(device: string): { path: string; description: string } {
  const info = DISPLAY_DEVICEW.alloc({ cb: DISPLAY_DEVICEW.size });
  if (!user32.EnumDisplayDevicesW(device, 0, info, m.EDD_GET_DEVICE_INTERFACE_NAME))
    return { path: '', description: '' };
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
    isPrimary: (info.dwFlags & m.MONITORINFOF_PRIMARY) !== 0,
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
  return user32.MonitorFromWindow(hwnd, m.MONITOR_DEFAULTTONEAREST);
}

/**
 * Names of monitors as the settings show them (“DELL U2720Q”), by the monitor's lower-case device path. Empty if the
 * system does not have them: the device's description is used instead.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-querydisplayconfig
 */
export function friendlyMonitorNames(): Map<string, string> {
  const names = new Map<string, string>();
  const pathCount = Buffer.alloc(4);
  const modeCount = Buffer.alloc(4);
  if (user32.GetDisplayConfigBufferSizes(m.QDC_ONLY_ACTIVE_PATHS, pathCount, modeCount) !== m.ERROR_SUCCESS)
    return names;
  const paths = DISPLAYCONFIG_PATH_INFO.alloc({}, pathCount.readUInt32LE(0));
  const modes = DISPLAYCONFIG_MODE_INFO.alloc({}, modeCount.readUInt32LE(0));
  if (user32.QueryDisplayConfig(m.QDC_ONLY_ACTIVE_PATHS, pathCount, paths, modeCount, modes, null) !== m.ERROR_SUCCESS)
    return names;
  for (let index = 0; index < pathCount.readUInt32LE(0); index++) {
    const { targetInfo } = DISPLAYCONFIG_PATH_INFO.read(paths, index * DISPLAYCONFIG_PATH_INFO.size);
    const packet = DISPLAYCONFIG_TARGET_DEVICE_NAME.alloc({
      header: {
        type: m.DISPLAYCONFIG_DEVICE_INFO_GET_TARGET_NAME,
        size: DISPLAYCONFIG_TARGET_DEVICE_NAME.size,
        adapterId: targetInfo.adapterId,
        id: targetInfo.id,
      },
    });
    if (user32.DisplayConfigGetDeviceInfo(packet) !== m.ERROR_SUCCESS) continue;
    const { monitorFriendlyDeviceName, monitorDevicePath } = DISPLAYCONFIG_TARGET_DEVICE_NAME.read(packet);
    if (monitorFriendlyDeviceName !== '') names.set(monitorDevicePath.toLowerCase(), monitorFriendlyDeviceName);
  }
  return names;
}

// Displays with stable ids, from what Windows reports of the monitors.

/** What a display is derived from. */
export type MonitorFacts = Omit<Monitor, 'handle'>;

/** FNV-1a over UTF-16 units, reduced to a positive 31-bit number: small, and the same on every machine. */
export function stableNumber(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash & 0x7fff_ffff || 1;
}

/**
 * Monitors → displays with stable ids, in the order given. The id comes from the monitor's device path, which does not change
 * when monitors are added or reordered; without a path, from the output's name. Equal names get consecutive numbers.
 * Exactly one display is primary: as Windows reports it, else the one at the origin, else the first.
 */
export function toDisplays<M extends MonitorFacts>(
  monitors: readonly M[],
  names: ReadonlyMap<string, string>,
): Array<DisplayGeometry & { readonly monitor: M }> {
  const primary =
    monitors.find((monitor) => monitor.isPrimary) ??
    monitors.find(({ rect }) => rect.x === 0 && rect.y === 0) ??
    monitors[0];
  const used = new Set<number>();
  return monitors.map((monitor) => {
    let displayId = stableNumber((monitor.path === '' ? monitor.device : monitor.path).toLowerCase());
    while (used.has(displayId)) displayId = displayId === 0x7fff_ffff ? 1 : displayId + 1;
    used.add(displayId);
    return {
      displayId,
      width: monitor.rect.width,
      height: monitor.rect.height,
      scaleFactor: monitor.dpi / 96,
      originX: monitor.rect.x,
      originY: monitor.rect.y,
      label:
        names.get(monitor.path.toLowerCase()) ?? (monitor.description === '' ? monitor.device : monitor.description),
      isPrimary: monitor === primary,
      monitor,
    };
  });
}

/** The displays that show a part of a rectangle. */
export function displaysUnder<D extends DisplayGeometry>(rect: Rect, displays: readonly D[]): D[] {
  return displays.filter(
    (display) =>
      intersectRects(rect, { x: display.originX, y: display.originY, width: display.width, height: display.height }) !==
      null,
  );
}

/** The display topic on Windows: the displays and the applications on them. */
import type { DisplayGeometry } from '../../contract/element/geometry.ts';
import type { DisplayPort } from '../../desktop/index.ts';
import type { Win32Services } from './services.ts';
import { throwIfAborted } from '../windows/waiting.ts';
import {
  displaysUnder,
  toDisplays,
  friendlyMonitorNames,
  listMonitors,
  monitorOfWindow,
  type Monitor,
} from '../windows/monitors.ts';
import { visibleWindows } from '../windows/describe.ts';
import { visibleFrame } from '../windows/rects.ts';

/** Every display with its monitor. */
export function currentDisplays(): Array<DisplayGeometry & { readonly monitor: Monitor }> {
  return toDisplays(listMonitors({ withNames: true }), friendlyMonitorNames());
}

/** Plain data, as it leaves this layer. */
function toGeometry({
  monitor: _monitor,
  ...geometry
}: DisplayGeometry & { readonly monitor: unknown }): DisplayGeometry {
  return geometry;
}

/** docs/behaviour.md#displays: displays in physical pixels, and which applications are on which. */
export function createDisplayPort(services: Win32Services): DisplayPort {
  /** The application of every visible window, and the displays it is on. */
  const appsOnDisplays = (): Array<{ app: string; displayIds: number[] }> => {
    const displays = currentDisplays();
    return visibleWindows(services).map((window) => {
      const frame = window.isMinimized ? null : visibleFrame(window.hwnd);
      const under = frame === null ? [] : displaysUnder(frame, displays);
      // A minimised window, or one outside every display, belongs to the one where Windows would restore it.
      const home =
        under.length > 0
          ? under
          : displays.filter((display) => display.monitor.handle === monitorOfWindow(window.hwnd));
      return { app: window.app.bundleId.toLowerCase(), displayIds: home.map((display) => display.displayId) };
    });
  };

  return {
    async list(call) {
      throwIfAborted(call);
      return currentDisplays().map(toGeometry);
    },

    async ofApplications(bundleIds, call) {
      throwIfAborted(call);
      const found = appsOnDisplays();
      return bundleIds.map((bundleId) => ({
        bundleId,
        displayIds: [
          ...new Set(found.filter(({ app }) => app === bundleId.toLowerCase()).flatMap(({ displayIds }) => displayIds)),
        ],
      }));
    },

    async countWindows(bundleIds, call) {
      throwIfAborted(call);
      const wanted = new Set(bundleIds.map((bundleId) => bundleId.toLowerCase()));
      const counts = new Map<number, number>();
      for (const { app, displayIds } of appsOnDisplays())
        if (wanted.has(app)) for (const id of displayIds) counts.set(id, (counts.get(id) ?? 0) + 1);
      return [...counts].map(([displayId, windows]) => ({ displayId, windows }));
    },
  };
}

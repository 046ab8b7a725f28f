import type { DisplayGeometry } from '../contract/geometry.ts';
import type { DisplayPort } from '../desktop/index.ts';
import type { Win32Services } from './services.ts';
import { throwIfAborted } from './waiting.ts';
import { displaysUnder, toDisplays } from './windows/display-ids.ts';
import { visibleWindows } from './windows/list.ts';
import { friendlyMonitorNames } from './windows/monitor-names.ts';
import { listMonitors, monitorOfWindow, type Monitor } from './windows/monitors.ts';
import { visibleFrame } from './windows/rects.ts';

/** Every display, each with the monitor that it stands for. */
export function currentDisplays(): Array<DisplayGeometry & { readonly monitor: Monitor }> {
  return toDisplays(listMonitors({ withNames: true }), friendlyMonitorNames());
}

/** Plain data, as it leaves. */
export function toGeometry({ monitor: _monitor, ...geometry }: DisplayGeometry & { readonly monitor: unknown }): DisplayGeometry {
  return geometry;
}

/** BEHAVIOUR, section 4: displays in physical pixels, and which applications stand on which. */
export function createDisplayPort(services: Win32Services): DisplayPort {
  return {
    async list(call) {
      throwIfAborted(call);
      return currentDisplays().map(toGeometry);
    },

    async ofApplications(bundleIds, call) {
      throwIfAborted(call);
      const displays = currentDisplays();
      const found = new Map<string, Set<number>>();
      for (const window of visibleWindows(services)) {
        const key = window.app.bundleId.toLowerCase();
        const frame = window.isMinimized ? null : visibleFrame(window.hwnd);
        const under = frame === null ? [] : displaysUnder(frame, displays);
        // A minimised window, or one beside every display, belongs to the one Windows would bring it back to.
        const home = under.length > 0 ? under : displays.filter((display) => display.monitor.handle === monitorOfWindow(window.hwnd));
        const ids = found.get(key) ?? new Set<number>();
        for (const display of home) ids.add(display.displayId);
        found.set(key, ids);
      }
      return bundleIds.map((bundleId) => ({ bundleId, displayIds: [...(found.get(bundleId.toLowerCase()) ?? [])] }));
    },
  };
}

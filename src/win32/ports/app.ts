/** The app topic on Windows: installed and running applications, icons, and starting one. */
import { GA_ROOT } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { AppIdentity } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { InstalledApp, RunningApp } from '../../contract/executor.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { AppPort, CallContext } from '../../desktop/index.ts';
import { isForeignPath } from '../system/trust.ts';
import { iconDataUrl, installedApplications, resolveApplication } from '../apps/installed.ts';
import { ACCESSIBILITY_SWITCH, isMadeWithChromium, isFile } from '../apps/programs.ts';
import { openApplication } from '../apps/open.ts';
import type { Win32Services } from './services.ts';
import { Deadline, throwIfAborted } from '../windows/waiting.ts';
import { visibleWindows } from '../windows/describe.ts';
import { requireOnDesktop, waitUntilSettled } from '../windows/place.ts';
import { processFacts } from '../system/process.ts';
import { startWitness } from '../windows/witness.ts';
import { delivered } from '../drivers/driver.ts';

/**
 * Icons are no longer fetched when only this much (ms) of a call's time is left: the list is worth more than all of
 * them.
 */
const LIST_RESERVE_MS = 1500;

/** docs/behaviour.md#applications. */
export class Win32AppPort implements AppPort {
  readonly #services: Win32Services;

  constructor(services: Win32Services) {
    this.#services = services;
  }

  async host(_call: CallContext): ReturnType<AppPort['host']> {
    return processFacts(process.pid).app;
  }

  async frontmost(call: CallContext): ReturnType<AppPort['frontmost']> {
    throwIfAborted(call);
    return this.#applicationOf(user32.GetForegroundWindow());
  }

  async underPoint(at: Point, call: CallContext): ReturnType<AppPort['underPoint']> {
    throwIfAborted(call);
    requireOnDesktop(at);
    const hit = user32.WindowFromPoint({ x: Math.floor(at.x), y: Math.floor(at.y) });
    return this.#applicationOf(hit === 0 ? 0 : user32.GetAncestor(hit, GA_ROOT));
  }

  async installed({ icons }: { icons: boolean }, call: CallContext): Promise<InstalledApp[]> {
    throwIfAborted(call);
    const found: InstalledApp[] = [];
    const deadline = new Deadline(call);
    for (const { app, path } of installedApplications()) {
      throwIfAborted(call);
      const icon =
        icons && app.executable !== null && deadline.remaining(LIST_RESERVE_MS) > 0
          ? await iconDataUrl(app.executable)
          : undefined;
      found.push({
        bundleId: app.bundleId,
        displayName: app.displayName,
        path,
        ...(icon === undefined ? {} : { iconDataUrl: icon }),
      });
    }
    return found;
  }

  async running(call: CallContext): Promise<RunningApp[]> {
    throwIfAborted(call);
    const rows = new Map<string, RunningApp>();
    for (const window of visibleWindows(this.#services)) {
      const { bundleId, displayName } = window.app;
      if (window.isToolWindow || bundleId === '' || window.hwnd === user32.GetShellWindow() || rows.has(bundleId))
        continue;
      rows.set(bundleId, { bundleId, displayName, pid: window.process.pid });
    }
    return [...rows.values()];
  }

  async icon(path: string, call: CallContext): ReturnType<AppPort['icon']> {
    throwIfAborted(call);
    if (isForeignPath(path))
      throw new UiaHostError(
        'blocked_by_policy',
        `${quoted(path, 200)} is on another machine or a device, which is never accessed for an icon.`,
      );
    return isFile(path) ? iconDataUrl(path) : undefined;
  }

  async open(
    bundleId: string,
    { accessibility }: { accessibility: boolean },
    call: CallContext,
  ): ReturnType<AppPort['open']> {
    throwIfAborted(call);
    const app = resolveApplication(bundleId);
    if (app === null) {
      throw new UiaHostError(
        'launch_failed',
        `${quoted(bundleId, 200)} is neither an installed application nor the path of a program.`,
        {
          hint: 'Use a bundleId or the exact displayName of list-installed-apps, or the full path of an .exe file.',
        },
      );
    }
    if (accessibility && (app.executable === null || !isMadeWithChromium(app.executable))) {
      throw new UiaHostError(
        'unsupported',
        `${quoted(app.displayName)} is neither a browser nor an Electron program, so it has no switch for accessibility. It was not started.`,
        { hint: 'Leave accessibility out. Other programs need no switch.' },
      );
    }
    const witness = startWitness();
    const { window, isNew } = await openApplication(
      app,
      this.#services,
      call,
      accessibility ? [ACCESSIBILITY_SWITCH] : [],
    );
    await waitUntilSettled(window.hwnd, call);
    return {
      value: null,
      outcome: witness.outcome({
        effect: isNew ? 'confirmed' : 'unverified',
        delivery: 'win32',
        evidence: [{ kind: 'window', before: isNew ? null : String(window.hwnd), after: String(window.hwnd) }],
        attempts: [
          delivered(
            'win32',
            isNew ? 'started, and a new window appeared' : 'started, and handed over to its existing window',
          ),
        ],
        details: {
          hwnd: String(window.hwnd),
          title: window.title,
          pid: window.process.pid,
          bundleId: window.app.bundleId,
          ...(window.app.bundleId.toLowerCase() === app.bundleId.toLowerCase()
            ? {}
            : { startedBundleId: app.bundleId }),
          // A running program keeps the switches of its start.
          ...(accessibility ? { accessibility: isNew } : {}),
        },
      }),
    };
  }

  async isForeign(path: string, call: CallContext): Promise<boolean> {
    throwIfAborted(call);
    return isForeignPath(path);
  }

  async resolve(name: string, call: CallContext): ReturnType<AppPort['resolve']> {
    throwIfAborted(call);
    return resolveApplication(name);
  }

  /** The application of a top-level window; null for the bare desktop, and where Windows does not say. */
  #applicationOf(hwnd: number): AppIdentity | null {
    if (hwnd === 0 || hwnd === user32.GetDesktopWindow() || hwnd === user32.GetShellWindow()) return null;
    const app = this.#services.describeWindow(hwnd)?.app;
    return app === undefined || app.bundleId === '' ? null : app;
  }
}

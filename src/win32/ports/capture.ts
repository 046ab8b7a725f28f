/** The capture topic on Windows: pictures of windows and displays, with password fields painted over. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { DisplayGeometry, Rect } from '../../contract/element/geometry.ts';
import type {
  CallContext,
  CaptureFormat,
  CaptureOptions,
  CapturePort,
  Picture,
  DisplayPort,
} from '../../desktop/index.ts';
import { isDenied } from '../../contract/gate/app-match.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { discard, paintOver, cutShot, encodeShot, type Shot } from '../imaging/bitmap.ts';
import { shootDesktop, shootWindow, type WindowShot } from '../imaging/window-shot.ts';
import { findsNone, type PasswordFinder, type PasswordRects, PasswordMemory } from '../imaging/password-memory.ts';
import type { Win32Services } from './services.ts';
import { Deadline, throwIfAborted } from '../windows/waiting.ts';
import { liveWindow } from '../windows/record.ts';
import { visibleFrame } from '../windows/rects.ts';
import {
  displaysUnder,
  toDisplays,
  friendlyMonitorNames,
  listMonitors,
  monitorOfWindow,
  type Monitor,
} from '../windows/monitors.ts';
import { visibleWindows } from '../windows/describe.ts';

// The display topic on Windows: the displays and the applications on them.

/** Every display with its monitor. */
function currentDisplays(): Array<DisplayGeometry & { readonly monitor: Monitor }> {
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

/**
 * Time (ms) for UI Automation to find password fields before a picture is taken: by searching, and by walking the
 * window.
 */
const SEARCH_MS = 2000;
const WALK_MS = 300;

interface Taken extends Omit<Picture, 'bytes' | 'mimeType' | 'geometry'> {
  readonly shot: Shot;
}

const said = (isIncomplete: boolean): Pick<Taken, 'masksMayBeIncomplete'> =>
  isIncomplete ? { masksMayBeIncomplete: true } : {};

/** Paints over parts given in desktop pixels, in a shot whose window or display is at `origin`. */
function paintOverParts(shot: Shot, parts: readonly Rect[], origin: { x: number; y: number }): void {
  const x = shot.image.width / shot.area.width;
  const y = shot.image.height / shot.area.height;
  paintOver(
    shot.image,
    parts.map((part) => ({
      x: (part.x - origin.x) * x,
      y: (part.y - origin.y) * y,
      width: part.width * x,
      height: part.height * y,
    })),
  );
}

/** A window in which something changed while its picture was taken is captured again, at most this often in all. */
const MOST_ATTEMPTS = 3;

/** Parts that must be painted over, screen pixels, and where the window was when they were read. */
interface Secrets {
  readonly parts: readonly Rect[];
  readonly at: Rect;
}

interface Attempt {
  readonly shot: WindowShot;
  readonly secrets: readonly Secrets[];
  readonly known: PasswordRects['known'];
  /** Windows came, went or were shown meanwhile: a window in the picture may not have been checked. */
  readonly isChanged: boolean;
}

/** docs/behaviour.md#pictures, “screenshot, resolvePrepareCapture, zoom”. */
export class Win32CapturePort implements CapturePort {
  readonly #services: Win32Services;
  readonly #passwords: PasswordMemory;

  constructor(services: Win32Services, findPasswords: PasswordFinder = findsNone) {
    this.#services = services;
    this.#passwords = new PasswordMemory(findPasswords);
  }

  async window(record: BindingRecord, options: CaptureOptions, call: CallContext): Promise<Picture> {
    return toPicture(await this.#takeWindow(record, options, call), options.format);
  }

  async display(displayId: number | undefined, options: CaptureOptions, call: CallContext): Promise<Picture> {
    return toPicture(await this.#takeDisplay(displayId, options, call), options.format);
  }

  async region(...[target, region, options, call]: Parameters<CapturePort['region']>): Promise<Picture> {
    if (
      ![region.x, region.y, region.width, region.height].every(Number.isFinite) ||
      region.width <= 0 ||
      region.height <= 0
    ) {
      throw new UiaHostError('invalid_argument', 'The region needs finite numbers and an area.');
    }
    const taken =
      'record' in target
        ? await this.#takeWindow(target.record, options, call)
        : await this.#takeDisplay(target.displayId, options, call);
    const { area } = taken.shot;
    const part = cutShot(
      taken.shot,
      options.origin === 'screen' ? { ...region, x: region.x - area.x, y: region.y - area.y } : region,
    );
    if (part !== taken.shot) discard(taken.shot.image);
    if (part === null) {
      const { width, height } = taken.shot.area;
      throw new UiaHostError(
        'invalid_argument',
        `The region ${region.x},${region.y} ${region.width}×${region.height} lies outside what is captured (${width}×${height}).`,
      );
    }
    return toPicture({ ...taken, shot: part }, options.format);
  }

  async #tryWindow(record: BindingRecord, hwnd: number, call: CallContext): Promise<Attempt> {
    const passwords = this.#passwords;
    const state = passwords.state(hwnd);
    const quarter = new Deadline(call).remaining() / 4;
    const further = await passwords.further(
      hwnd,
      { askMs: Math.min(SEARCH_MS, quarter), walkMs: Math.min(WALK_MS, quarter) },
      call,
    );
    if (further.known === 'unanswered') {
      liveWindow(record);
      throw new UiaHostError(
        'capture_failed',
        `${quoted(record.title)} did not report where its password fields are, so a picture could show their content. No picture was returned.`,
        {
          hint: 'Try again in a moment: the program may be busy. snapshot reads the window without a picture.',
        },
      );
    }
    const frameThen = visibleFrame(hwnd);
    const then = passwords.knownEdits(hwnd);
    throwIfAborted(call);
    const shot = await shootWindow(hwnd, record);
    // Fields are located relative to the window's position when they were read: it may have moved since the pixels were
    // taken. Fields that are windows of their own may have moved in it.
    const now = passwords.edits(hwnd);
    const frameNow = visibleFrame(hwnd) ?? shot.area;
    return {
      shot,
      secrets: [
        { parts: now, at: frameNow },
        { parts: [...then, ...further.rects], at: frameThen ?? shot.area },
      ],
      known: further.known,
      isChanged: passwords.state(hwnd) !== state,
    };
  }

  async #takeWindow(record: BindingRecord, options: CaptureOptions, call: CallContext): Promise<Taken> {
    throwIfAborted(call);
    const hwnd = liveWindow(record);
    if (this.#services.isOwnWindow(hwnd))
      throw new UiaHostError('capture_failed', 'The host’s own windows are never in a picture.');
    for (let attempt = 1; ; attempt++) {
      const taken = await this.#tryWindow(record, hwnd, call);
      const { shot, isChanged, secrets } = taken;
      if (isChanged && attempt < MOST_ATTEMPTS) {
        discard(shot.image);
        continue;
      }
      for (const { parts, at } of secrets) paintOverParts(shot, parts, at);
      if (isDenied(record.app, options.deny)) paintOverParts(shot, [shot.area], shot.area);
      return {
        shot,
        method: shot.method,
        ...said(isChanged || taken.known !== 'all'),
        ...(shot.isHollow === true ? { contentMayBeMissing: true } : {}),
        ...(shot.isSeeThrough ? { seenThrough: true } : {}),
      };
    }
  }

  async #takeDisplay(displayId: number | undefined, options: CaptureOptions, call: CallContext): Promise<Taken> {
    throwIfAborted(call);
    const display = findDisplay(displayId);
    const area: Rect = { x: display.originX, y: display.originY, width: display.width, height: display.height };
    const { shot, secrets, isIncomplete } = await shootDesktop(area, this.#services, this.#passwords, options, call);
    paintOverParts(shot, secrets, area);
    return {
      shot,
      method: 'display',
      displayId: display.displayId,
      ...said(isIncomplete),
      ...(options.shown === undefined ? {} : { shown: options.shown }),
    };
  }
}

function findDisplay(displayId: number | undefined): DisplayGeometry {
  const displays = currentDisplays();
  const display = displays.find((each) =>
    displayId === undefined ? each.isPrimary === true : each.displayId === displayId,
  );
  if (display !== undefined) return display;
  if (displayId === undefined) throw new UiaHostError('desktop_unavailable', 'There is no display.');
  throw new UiaHostError(
    'invalid_argument',
    `There is no display ${displayId}; there are ${displays.map((each) => each.displayId).join(', ') || 'none'}.`,
  );
}

const toPicture = async ({ shot, ...rest }: Taken, format: CaptureFormat): Promise<Picture> => ({
  ...(await encodeShot(shot, format)),
  ...rest,
});

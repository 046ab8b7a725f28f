/** docs/behaviour.md#indicator, “statusIndicator”: a strip on each bound window that asked for one. */
import {
  EVENT_OBJECT_DESTROY,
  EVENT_OBJECT_HIDE,
  EVENT_OBJECT_LOCATIONCHANGE,
  EVENT_SYSTEM_FOREGROUND,
  EVENT_SYSTEM_MINIMIZEEND,
  EVENT_SYSTEM_MINIMIZESTART,
  GW_HWNDPREV,
  OBJID_WINDOW,
  WINEVENT_OUTOFCONTEXT,
} from '../../../native-bindings/win32/constants.ts';
import { user32, WinEventProc } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isCloaked } from '../windows/describe.ts';
import { windowExtendedStyle } from '../windows/window-info.ts';
import { threadOf } from '../windows/handle.ts';
import { monitorDpi, monitorOfWindow } from '../windows/monitors.ts';
import { isSameWindow, liveWindow } from '../windows/record.ts';
import { outerRect, visibleFrame } from '../windows/rects.ts';
import { stripColours } from './indicator-colours.ts';
import { indicatorMessage } from './indicator-message.ts';
import { stripMeasures, stripPlace } from './indicator-place.ts';
import { IndicatorWindow, isTopmost, type StripOrder } from './indicator-window.ts';
import type { MessagePump } from './message-pump.ts';
import type { OverlayStage } from './stage.ts';

/** Events move the strip immediately; polling covers changes without an event, such as a window that came between. */
const FOLLOW_MS = 100;

/** A strip's text, and whether it is visible now: a minimised window has a hidden strip. */
export interface IndicatorState {
  readonly active: boolean;
  readonly message?: string;
}

/** All strips of a process. Call it only on the overlay’s window thread, which created it. */
export interface Indicators extends Disposable {
  /**
   * Shows, hides or reports an owner's strip; an owner (one binding) has at most one.
   * Errors: not_bound, window_gone for show; desktop_unavailable if Windows refuses the window.
   */
  set(
    owner: string,
    record: BindingRecord | null,
    change: 'show' | 'hide' | 'status',
    message: string | undefined,
  ): IndicatorState;
  /** Removes an owner's strip: its binding ended. */
  release(owner: string): void;
}

interface Strip {
  readonly owner: string;
  readonly record: BindingRecord;
  readonly target: number;
  readonly window: IndicatorWindow;
}

const isSameBinding = (one: BindingRecord, other: BindingRecord): boolean =>
  one.hwnd === other.hwnd && one.pid === other.pid && one.processCreated === other.processCreated;

export function createIndicators(
  stage: Pick<OverlayStage, 'fault'> & { readonly pump: Pick<MessagePump, 'every'> },
): Indicators {
  const strips = new Map<string, Strip>();
  /** Event hooks of each process that has a window with a strip. */
  const hooks = new Map<number, number[]>();
  let stopTicking: (() => void) | undefined;

  const remove = (owner: string): void => {
    const strip = strips.get(owner);
    if (strip === undefined) return;
    strips.delete(owner);
    strip.window[Symbol.dispose]();
    unlisten();
    if (strips.size > 0) return;
    stopTicking?.();
    stopTicking = undefined;
  };

  /** Whether the strip is the next window above its target, ignoring hidden windows and other strips of the same window. */
  const isRightAbove = ({ target, window }: Strip): boolean => {
    const others = new Set(
      [...strips.values()].filter((each) => each.target === target).map((each) => each.window.hwnd),
    );
    for (let above = user32.GetWindow(target, GW_HWNDPREV); above !== 0; above = user32.GetWindow(above, GW_HWNDPREV)) {
      if (above === window.hwnd) return true;
      if (!others.has(above) && user32.IsWindowVisible(above)) return false;
    }
    return false;
  };

  const orderOf = ({ target, window }: Strip): StripOrder => {
    const isTargetTopmost = isTopmost(windowExtendedStyle(target));
    let above = user32.GetWindow(target, GW_HWNDPREV);
    if (above === window.hwnd) above = user32.GetWindow(above, GW_HWNDPREV);
    if (above === 0 || isTopmost(windowExtendedStyle(above)) !== isTargetTopmost)
      return { front: isTargetTopmost ? 'topmost' : 'ordinary' };
    return { above };
  };

  /** Moves a strip to its window's present place. */
  const follow = (strip: Strip): void => {
    const { target, window, record } = strip;
    const { process: pid, thread: threadId } = threadOf(target);
    if (pid !== record.pid || threadId !== record.threadId) {
      remove(strip.owner);
      return;
    }
    const frame =
      user32.IsWindowVisible(target) && !user32.IsIconic(target) && !isCloaked(target) ? visibleFrame(target) : null;
    if (frame === null || frame.width <= 0 || frame.height <= 0) {
      if (window.isShown) window.hide();
      return;
    }
    window.change({ ...window.look, dpi: monitorDpi(monitorOfWindow(target)) });
    const measures = stripMeasures(frame, window.look.dpi);
    const place = stripPlace(frame, measures, window.textHeight(measures.textWidth));
    const now = outerRect(window.hwnd);
    const isPlaced =
      window.isShown &&
      now !== null &&
      now.x === place.x &&
      now.y === place.y &&
      now.width === place.width &&
      now.height === place.height &&
      isTopmost(windowExtendedStyle(window.hwnd)) === isTopmost(windowExtendedStyle(target)) &&
      isRightAbove(strip);
    if (!isPlaced) window.place(place, orderOf(strip));
  };

  const onEvent = WinEventProc.register((_hook, event, hwnd, objectId) => {
    try {
      if (objectId !== OBJID_WINDOW) return;
      for (const strip of strips.values())
        if (event === EVENT_SYSTEM_FOREGROUND || hwnd === strip.target) follow(strip);
    } catch (error) {
      stage.fault(error);
    }
  });

  const listen = (pid: number): void => {
    if (hooks.has(pid)) return;
    const ranges = [
      [EVENT_OBJECT_DESTROY, EVENT_OBJECT_HIDE, pid],
      [EVENT_OBJECT_LOCATIONCHANGE, EVENT_OBJECT_LOCATIONCHANGE, pid],
      [EVENT_SYSTEM_MINIMIZESTART, EVENT_SYSTEM_MINIMIZEEND, pid],
      // Any program's window may come between.
      [EVENT_SYSTEM_FOREGROUND, EVENT_SYSTEM_FOREGROUND, 0],
    ] as const;
    hooks.set(
      pid,
      ranges
        .map(([first, last, of]) =>
          user32.SetWinEventHook(first, last, 0, onEvent.address, of, 0, WINEVENT_OUTOFCONTEXT),
        )
        .filter((hook) => hook !== 0),
    );
  };

  const unlisten = (): void => {
    const needed = new Set([...strips.values()].map((strip) => strip.record.pid));
    for (const [pid, handles] of hooks) {
      if (needed.has(pid)) continue;
      hooks.delete(pid);
      for (const handle of handles) user32.UnhookWinEvent(handle);
    }
  };

  const stateOf = (owner: string): IndicatorState => {
    const strip = strips.get(owner);
    if (strip !== undefined && !isSameWindow(strip.record)) remove(owner);
    else if (strip !== undefined) follow(strip);
    const left = strips.get(owner);
    return left === undefined ? { active: false } : { active: left.window.isShown, message: left.window.look.message };
  };

  const show = (owner: string, record: BindingRecord | null, message: string | undefined): void => {
    if (record === null)
      throw new UiaHostError('not_bound', 'The strip is shown on the bound window, and none is bound.');
    const target = liveWindow(record);
    const look = {
      message: indicatorMessage(message),
      dpi: monitorDpi(monitorOfWindow(target)),
      colours: stripColours(),
    };
    const present = strips.get(owner);
    if (present !== undefined && isSameBinding(present.record, record)) {
      present.window.change(look);
      return;
    }
    remove(owner);
    strips.set(owner, { owner, record, target, window: new IndicatorWindow(look, stage.fault) });
    stopTicking ??= stage.pump.every(FOLLOW_MS, () => {
      for (const strip of strips.values()) follow(strip);
    });
    listen(record.pid);
  };

  return {
    set(owner, record, change, message) {
      const present = strips.get(owner);
      // Removes a strip of an earlier binding.
      if (change === 'hide' || (present !== undefined && (record === null || !isSameBinding(present.record, record))))
        remove(owner);
      if (change === 'show') show(owner, record, message);
      return stateOf(owner);
    },
    release: remove,
    [Symbol.dispose]() {
      for (const owner of strips.keys()) remove(owner);
      onEvent[Symbol.dispose]();
    },
  };
}

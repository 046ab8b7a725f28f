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
import type { RegisteredCallback } from '../../../native-bindings/library.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { user32, WinEventProc } from '../../../native-bindings/win32/user32.ts';
import { intersectRects } from '../../contract/element/coordinates.ts';
import { wordsFor } from '../../contract/gate/card-words.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isCloaked } from '../windows/describe.ts';
import { windowExtendedStyle, threadOf } from '../windows/window-info.ts';
import { monitorDpi, monitorOfWindow } from '../windows/monitors.ts';
import { isSameWindow, liveWindow } from '../windows/record.ts';
import { outerRect, visibleFrame } from '../windows/rects.ts';
import {
  indicatorMessage,
  stripMeasures,
  stripPlace,
  stripText,
  IndicatorWindow,
  isTopmost,
  stripColours,
  type StripOrder,
} from './indicator-window.ts';
import type { MessagePump, OverlayStage } from './message-pump.ts';

/** Events move the strip immediately; polling covers changes without an event, such as a window that came between. */
const FOLLOW_MS = 100;

/** A strip's text, and whether it is visible now: a minimised window has a hidden strip. */
interface IndicatorState {
  readonly active: boolean;
  readonly message?: string;
}

interface Strip {
  readonly owner: string;
  readonly record: BindingRecord;
  readonly target: number;
  readonly window: IndicatorWindow;
}

type IndicatorStage = Pick<OverlayStage, 'fault'> & { readonly pump: Pick<MessagePump, 'every'> };

const isSameBinding = (one: BindingRecord, other: BindingRecord): boolean =>
  one.hwnd === other.hwnd && one.pid === other.pid && one.processCreated === other.processCreated;

/** Whether a strip is placed exactly as it should be. */
const isAt = (now: Rect | null, place: Rect): boolean =>
  now !== null && now.x === place.x && now.y === place.y && now.width === place.width && now.height === place.height;

/** The strip's place in the order of windows: directly above its target. */
function orderOf({ target, window }: Strip): StripOrder {
  const isTargetTopmost = isTopmost(windowExtendedStyle(target));
  let above = user32.GetWindow(target, GW_HWNDPREV);
  if (above === window.hwnd) above = user32.GetWindow(above, GW_HWNDPREV);
  if (above === 0 || isTopmost(windowExtendedStyle(above)) !== isTargetTopmost)
    return { front: isTargetTopmost ? 'topmost' : 'ordinary' };
  return { above };
}

/** All strips of a process. Used only on the overlay’s window thread, which created it. */
export class Indicators implements Disposable {
  readonly #stage: IndicatorStage;
  readonly #strips = new Map<string, Strip>();
  /** Event hooks of each process that has a window with a strip. */
  readonly #hooks = new Map<number, number[]>();
  readonly #onEvent: RegisteredCallback;
  #stopTicking: (() => void) | undefined;
  /** Where a card is shown; no strip lies there. */
  #card: Rect | null = null;

  constructor(stage: IndicatorStage) {
    this.#stage = stage;
    this.#onEvent = WinEventProc.register((_hook, event, hwnd, objectId) => {
      try {
        if (objectId !== OBJID_WINDOW) return;
        for (const strip of this.#strips.values())
          if (event === EVENT_SYSTEM_FOREGROUND || hwnd === strip.target) this.#follow(strip);
      } catch (error) {
        stage.fault(error);
      }
    });
  }

  /**
   * Shows, hides or reports an owner's strip; an owner (one binding) has at most one. `notice`: the host's own words, which
   * come first and are not quoted.
   * Errors: not_bound, window_gone for show; desktop_unavailable if Windows refuses the window.
   */
  set(
    owner: string,
    record: BindingRecord | null,
    change: 'show' | 'hide' | 'status',
    message: string | undefined,
    notice = '',
  ): IndicatorState {
    const present = this.#strips.get(owner);
    // Removes a strip of an earlier binding.
    if (change === 'hide' || (present !== undefined && (record === null || !isSameBinding(present.record, record))))
      this.release(owner);
    if (change === 'show') this.#show(owner, record, message, notice);
    return this.#stateOf(owner);
  }

  /** Keeps the place of a card free of strips: their words are the agent’s. Null once no card is shown. */
  keepClear(card: Rect | null): void {
    this.#card = card;
    for (const strip of this.#strips.values()) this.#follow(strip);
  }

  /** Removes an owner's strip: its binding ended. */
  release(owner: string): void {
    const strip = this.#strips.get(owner);
    if (strip === undefined) return;
    this.#strips.delete(owner);
    strip.window[Symbol.dispose]();
    this.#unlisten();
    if (this.#strips.size > 0) return;
    this.#stopTicking?.();
    this.#stopTicking = undefined;
  }

  [Symbol.dispose](): void {
    for (const owner of this.#strips.keys()) this.release(owner);
    this.#onEvent[Symbol.dispose]();
  }

  #show(owner: string, record: BindingRecord | null, message: string | undefined, notice: string): void {
    if (record === null)
      throw new UiaHostError('not_bound', 'The strip is shown on the bound window, and none is bound.');
    const target = liveWindow(record);
    const look = {
      message: `${notice}${indicatorMessage(message)}`,
      text: `${notice}${stripText(message, wordsFor(kernel32.GetUserDefaultUILanguage()))}`,
      dpi: monitorDpi(monitorOfWindow(target)),
      colours: stripColours(),
    };
    const present = this.#strips.get(owner);
    if (present !== undefined && isSameBinding(present.record, record)) {
      present.window.change(look);
      return;
    }
    this.release(owner);
    this.#strips.set(owner, { owner, record, target, window: new IndicatorWindow(look, this.#stage.fault) });
    this.#stopTicking ??= this.#stage.pump.every(FOLLOW_MS, () => {
      for (const strip of this.#strips.values()) this.#follow(strip);
    });
    this.#listen(record.pid);
  }

  #stateOf(owner: string): IndicatorState {
    const strip = this.#strips.get(owner);
    if (strip !== undefined && !isSameWindow(strip.record)) this.release(owner);
    else if (strip !== undefined) this.#follow(strip);
    const left = this.#strips.get(owner);
    return left === undefined ? { active: false } : { active: left.window.isShown, message: left.window.look.message };
  }

  /** Moves a strip to its window's present place. */
  #follow(strip: Strip): void {
    const { target, window, record } = strip;
    const { process: pid, thread: threadId } = threadOf(target);
    if (pid !== record.pid || threadId !== record.threadId) {
      this.release(strip.owner);
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
    if (this.#card !== null && intersectRects(place, this.#card) !== null) {
      if (window.isShown) window.hide();
      return;
    }
    const isPlaced =
      window.isShown &&
      isAt(outerRect(window.hwnd), place) &&
      isTopmost(windowExtendedStyle(window.hwnd)) === isTopmost(windowExtendedStyle(target)) &&
      this.#isRightAbove(strip);
    if (!isPlaced) window.place(place, orderOf(strip));
  }

  /** Whether the strip is the next window above its target, ignoring hidden windows and other strips of the same window. */
  #isRightAbove({ target, window }: Strip): boolean {
    const others = new Set(
      [...this.#strips.values()].filter((each) => each.target === target).map((each) => each.window.hwnd),
    );
    for (let above = user32.GetWindow(target, GW_HWNDPREV); above !== 0; above = user32.GetWindow(above, GW_HWNDPREV)) {
      if (above === window.hwnd) return true;
      if (!others.has(above) && user32.IsWindowVisible(above)) return false;
    }
    return false;
  }

  #listen(pid: number): void {
    if (this.#hooks.has(pid)) return;
    const ranges = [
      [EVENT_OBJECT_DESTROY, EVENT_OBJECT_HIDE, pid],
      [EVENT_OBJECT_LOCATIONCHANGE, EVENT_OBJECT_LOCATIONCHANGE, pid],
      [EVENT_SYSTEM_MINIMIZESTART, EVENT_SYSTEM_MINIMIZEEND, pid],
      // Any program's window may come between.
      [EVENT_SYSTEM_FOREGROUND, EVENT_SYSTEM_FOREGROUND, 0],
    ] as const;
    this.#hooks.set(
      pid,
      ranges
        .map(([first, last, of]) =>
          user32.SetWinEventHook(first, last, 0, this.#onEvent.address, of, 0, WINEVENT_OUTOFCONTEXT),
        )
        .filter((hook) => hook !== 0),
    );
  }

  #unlisten(): void {
    const needed = new Set([...this.#strips.values()].map((strip) => strip.record.pid));
    for (const [pid, handles] of this.#hooks) {
      if (needed.has(pid)) continue;
      this.#hooks.delete(pid);
      for (const handle of handles) user32.UnhookWinEvent(handle);
    }
  }
}

/** docs/behaviour.md#indicator, “statusIndicator”: a strip on each bound window that asked for one. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { intersectRects, sameRect } from '../../contract/element/coordinates.ts';
import { wordsFor } from '../../contract/gate/card-words.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isCloaked } from '../windows/describe.ts';
import { windowExtendedStyle, threadOf } from '../windows/window-info.ts';
import { monitorDpi, monitorOfWindow } from '../windows/monitors.ts';
import { isSameWindow, liveWindow } from '../windows/record.ts';
import { outerRect, visibleFrame } from '../windows/rects.ts';
import { currentTheme } from './theme.ts';
import {
  indicatorMessage,
  stripMeasures,
  stripPlace,
  stripText,
  IndicatorWindow,
  isTopmost,
  type StripOrder,
} from './indicator-window.ts';
import type { MessagePump, OverlayStage } from './message-pump.ts';
import { WinEvents } from '../windows/win-events.ts';

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

/** The strip's place in the order of windows: directly above its target. */
function orderOf({ target, window }: Strip): StripOrder {
  const isTargetTopmost = isTopmost(windowExtendedStyle(target));
  let above = user32.GetWindow(target, m.GW_HWNDPREV);
  if (above === window.hwnd) above = user32.GetWindow(above, m.GW_HWNDPREV);
  if (above === 0 || isTopmost(windowExtendedStyle(above)) !== isTargetTopmost)
    return { front: isTargetTopmost ? 'topmost' : 'ordinary' };
  return { above };
}

/** All strips of a process. Used only on the overlay’s window thread, which created it. */
export class Indicators implements Disposable {
  readonly #stage: IndicatorStage;
  readonly #strips = new Map<string, Strip>();
  /** They come from each process that has a window with a strip. */
  readonly #events = new WinEvents((...event) => this.#onEvent(...event));
  #stopTicking: (() => void) | undefined;
  /** Where a card is shown; no strip lies there. */
  #card: Rect | null = null;

  constructor(stage: IndicatorStage) {
    this.#stage = stage;
  }

  #onEvent(event: number, hwnd: number, objectId: number): void {
    try {
      if (objectId !== m.OBJID_WINDOW) return;
      for (const strip of this.#strips.values())
        if (event === m.EVENT_SYSTEM_FOREGROUND || hwnd === strip.target) this.#follow(strip);
    } catch (error) {
      this.#stage.fault(error);
    }
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
    this.#events[Symbol.dispose]();
  }

  #show(owner: string, record: BindingRecord | null, message: string | undefined, notice: string): void {
    if (record === null)
      throw new UiaHostError('not_bound', 'The strip is shown on the bound window, and none is bound.');
    const target = liveWindow(record);
    const look = {
      message: `${notice}${indicatorMessage(message)}`,
      text: `${notice}${stripText(message, wordsFor(kernel32.GetUserDefaultUILanguage()))}`,
      dpi: monitorDpi(monitorOfWindow(target)),
      colours: currentTheme(),
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
    const now = outerRect(window.hwnd);
    const isPlaced =
      window.isShown &&
      now !== null &&
      sameRect(now, place) &&
      isTopmost(windowExtendedStyle(window.hwnd)) === isTopmost(windowExtendedStyle(target)) &&
      this.#isRightAbove(strip);
    if (!isPlaced) window.place(place, orderOf(strip));
  }

  /** Whether the strip is the next window above its target, ignoring hidden windows and other strips of the same window. */
  #isRightAbove({ target, window }: Strip): boolean {
    const others = new Set(
      [...this.#strips.values()].filter((each) => each.target === target).map((each) => each.window.hwnd),
    );
    for (
      let above = user32.GetWindow(target, m.GW_HWNDPREV);
      above !== 0;
      above = user32.GetWindow(above, m.GW_HWNDPREV)
    ) {
      if (above === window.hwnd) return true;
      if (!others.has(above) && user32.IsWindowVisible(above)) return false;
    }
    return false;
  }

  #listen(pid: number): void {
    if (this.#events.has(pid)) return;
    this.#events.hook(pid, m.EVENT_OBJECT_DESTROY, m.EVENT_OBJECT_HIDE);
    this.#events.hook(pid, m.EVENT_OBJECT_LOCATIONCHANGE, m.EVENT_OBJECT_LOCATIONCHANGE);
    this.#events.hook(pid, m.EVENT_SYSTEM_MINIMIZESTART, m.EVENT_SYSTEM_MINIMIZEEND);
    // Any program's window may come between.
    if (!this.#events.has(0)) this.#events.hook(0, m.EVENT_SYSTEM_FOREGROUND, m.EVENT_SYSTEM_FOREGROUND);
  }

  #unlisten(): void {
    const needed = new Set([...this.#strips.values()].map((strip) => strip.record.pid));
    if (needed.size > 0) needed.add(0);
    for (const pid of this.#events.processes) if (!needed.has(pid)) this.#events.unhook(pid);
  }
}

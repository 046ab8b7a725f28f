/**
 * Controls with a position (sliders, spinners, scroll bars and progress bars), and how far a window is scrolled.
 * Source: learn.microsoft.com/windows/win32/controls/trackbar-control-reference and related pages
 */
import * as m from '../../../native-bindings/win32/constants.ts';
import { addressOf } from '../../../native-bindings/library.ts';
import { SCROLLINFO } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { notify, setNumber, setting, type NumberMessage } from '../exits/messages.ts';
import type { Asker } from '../windows/ask.ts';
import type { ControlKind } from '../windows/classes.ts';
import { outerRect } from '../windows/rects.ts';
import { parentOf } from '../windows/window-info.ts';
import { type ControlReader, type Driver, type Filled, delivered, failed, unfit } from './driver.ts';

interface Range {
  readonly least: number;
  readonly most: number;
}

/** Errors: invalid_argument for a number outside the range; nothing was sent. */
export function requireWithin(description: string, position: number, range: Range | null): void {
  if (range !== null && (position < range.least || position > range.most))
    throw unfit(description, `a number from ${range.least} to ${range.most}`);
}

/** A range may be given from its end, as for a spinner that counts down. */
function rangeIn(back: Buffer | null): Range | null {
  if (back === null) return null;
  const [one, other] = [back.readInt32LE(0), back.readInt32LE(4)];
  return { least: Math.min(one, other), most: Math.max(one, other) };
}

/** A control's position: a signed 32-bit value, whatever the upper half of the result contains. Null if it did not answer. */
function positionOf(asker: Asker, hwnd: number, message: number): number | null {
  const position = asker.ask(hwnd, message);
  return position === null ? null : position | 0;
}

/** How a kind of control gets a position; its message does not notify its program. */
interface Moved {
  readonly asked: number;
  readonly message: number;
  /** The other word of the message, in front of the position or behind it. */
  readonly flag: number;
  readonly isFirst: boolean;
  /** Null where it is not known before a position is set. */
  range(control: Filled): Range | null;
  isVertical(style: number): boolean;
  /** What its parent hears when a person moves it, in order; the last has no position. */
  readonly codes: readonly number[];
  readonly said: string;
}

/** Errors: invalid_argument if the control does not take the position. */
function move(control: Filled, text: string, moved: Moved): ReturnType<NonNullable<Driver['fill']>> {
  const { info, asker, description } = control;
  const position = Number(text.trim());
  if (!/^[+-]?\d+$/.test(text.trim())) throw unfit(description, 'a whole number');
  if (!asker.answers(info.hwnd)) return failed('message', 'the control did not answer');
  requireWithin(description, position, moved.range(control));
  const number: NumberMessage = {
    message: moved.message,
    wordsOf: (one) => (moved.isFirst ? [one, moved.flag] : [moved.flag, one]),
    held: () => positionOf(asker, info.hwnd, moved.asked),
  };
  const taken = setNumber(asker, info.hwnd, number, position);
  if (taken !== 'set')
    throw new UiaHostError(
      'invalid_argument',
      `${description} does not take this number, which is outside its range. ${taken === 'back' ? 'It was set back to the number it had.' : 'It may have another number now.'}`,
      { delivery: taken === 'back' ? 'not_delivered' : 'delivered' },
    );
  const message = moved.isVertical(info.style) ? m.WM_VSCROLL : m.WM_HSCROLL;
  for (const [at, code] of moved.codes.entries()) {
    const withPosition = at === moved.codes.length - 1 ? 0 : (position & 0xffff) << 16;
    notify(parentOf(info.hwnd), message, (withPosition | code) >>> 0, info.hwnd);
  }
  return delivered('message', moved.said);
}

const readPosition =
  (message: number): ControlReader =>
  ({ info, node }, { asker }) => {
    const position = positionOf(asker, info.hwnd, message);
    if (position !== null) node.value = String(position);
  };

/** It shares its field's label: the two are one control to a person. */
const readUpDown: ControlReader = (entry, context) => {
  readPosition(m.UDM_GETPOS32)(entry, context);
  entry.node.buddy = context.asker.ask(entry.info.hwnd, m.UDM_GETBUDDY) ?? 0;
};

/** A marquee moves without a value. */
const readProgressBar: ControlReader = (entry, context) => {
  if ((entry.info.style & m.PBS_MARQUEE) === 0) readPosition(m.PBM_GETPOS)(entry, context);
};

/** @param asks what else it is asked */
const movable = (kind: ControlKind, asks: readonly number[], moved: Moved, more: Partial<Driver> = {}): Driver => ({
  kinds: [kind],
  asks: [moved.asked, ...asks],
  changes: setting(moved.message, moved.isFirst ? 0 : 1),
  read: readPosition(moved.asked),
  held({ asker, info }) {
    const position = positionOf(asker, info.hwnd, moved.asked);
    return position === null ? null : String(position);
  },
  fill: (control, text) => move(control, text, moved),
  ...more,
});

const TRACK_BAR: Moved = {
  asked: m.TBM_GETPOS,
  message: m.TBM_SETPOS,
  flag: 1,
  isFirst: false,
  range({ asker, info }) {
    const least = positionOf(asker, info.hwnd, m.TBM_GETRANGEMIN);
    const most = positionOf(asker, info.hwnd, m.TBM_GETRANGEMAX);
    return least === null || most === null ? null : { least, most };
  },
  isVertical: (style) => (style & m.TBS_VERT) !== 0,
  codes: [m.TB_THUMBTRACK, m.TB_THUMBPOSITION, m.TB_ENDTRACK],
  said: 'TBM_SETPOS and WM_HSCROLL',
};

const UP_DOWN: Moved = {
  asked: m.UDM_GETPOS32,
  message: m.UDM_SETPOS32,
  flag: 0,
  isFirst: false,
  range({ asker, info, remote }) {
    const memory = remote.for(info.hwnd);
    if (memory === null) return null;
    memory.write(0, Buffer.alloc(8));
    const asked = asker.ask(info.hwnd, m.UDM_GETRANGE32, memory.address, memory.address + 4n);
    if (asked === null) memory.abandon();
    return asked === null ? null : rangeIn(memory.read(0, 8));
  },
  isVertical: (style) => (style & m.UDS_HORZ) === 0,
  codes: [m.SB_THUMBPOSITION, m.SB_ENDSCROLL],
  said: 'UDM_SETPOS32 and WM_VSCROLL',
};

const SCROLL_BAR: Moved = {
  asked: m.SBM_GETPOS,
  message: m.SBM_SETPOS,
  flag: 1,
  isFirst: true,
  range({ asker, info }) {
    const out = Buffer.alloc(8);
    return asker.ask(info.hwnd, m.SBM_GETRANGE, addressOf(out), addressOf(out) + 4n) === null ? null : rangeIn(out);
  },
  isVertical: (style) => (style & m.SBS_VERT) !== 0,
  // A person's thumb is tracked before it is let go: many programs follow that alone.
  codes: [m.SB_THUMBTRACK, m.SB_THUMBPOSITION, m.SB_ENDSCROLL],
  said: 'SBM_SETPOS and WM_HSCROLL',
};

export const positions: readonly Driver[] = [
  movable('track-bar', [m.TBM_GETRANGEMAX, m.TBM_GETRANGEMIN], TRACK_BAR, { questions: [['position', m.TBM_GETPOS]] }),
  movable('up-down', [m.UDM_GETBUDDY, m.UDM_GETRANGE32], UP_DOWN, {
    read: readUpDown,
    questions: [['position', m.UDM_GETPOS32]],
  }),
  movable('scroll-bar', [m.SBM_GETRANGE], SCROLL_BAR),
  { kinds: ['progress-bar'], asks: [m.PBM_GETPOS], read: readProgressBar },
];

// Windows with scroll bars of their own.

/** SB_HORZ and SB_VERT. */
const BARS = ['horizontal', 'vertical'] as const;

/** A place that changes when a window is scrolled. */
export interface Scrolled {
  readonly what: string;
  readonly hwnd: number;
  readonly at: number;
}

/**
 * Positions of both scroll bars of a window, and where its content begins: a program may not publish its scroll bar's
 * values. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getscrollinfo
 */
export function scrolledTo(hwnd: number): Scrolled[] {
  const bars = BARS.flatMap((direction, bar) => {
    const info = SCROLLINFO.alloc({ cbSize: SCROLLINFO.size, fMask: m.SIF_ALL });
    if (!user32.GetScrollInfo(hwnd, bar, info)) return [];
    return [{ what: `${direction} scroll bar`, hwnd, at: SCROLLINFO.read(info).nPos }];
  });
  const inside = user32.GetWindow(hwnd, m.GW_CHILD);
  const [rect, view] = inside === 0 ? [null, null] : [outerRect(inside), outerRect(hwnd)];
  if (rect === null || view === null) return bars;
  return [
    ...bars,
    { what: 'left edge', hwnd: inside, at: rect.x - view.x },
    { what: 'top edge', hwnd: inside, at: rect.y - view.y },
  ];
}

/** Tells a window that its scroll bar was moved by a page. */
export function pageOn(hwnd: number): void {
  notify(hwnd, m.WM_VSCROLL, m.SB_PAGEDOWN, 0);
  notify(hwnd, m.WM_VSCROLL, m.SB_ENDSCROLL, 0);
}

/** The code by which a window moves its content, back or on, by a line or a page. */
export const scrollCode = (isBack: boolean, isPage: boolean): number =>
  isBack ? (isPage ? m.SB_PAGEUP : m.SB_LINEUP) : isPage ? m.SB_PAGEDOWN : m.SB_LINEDOWN;

/**
 * What sets a date picker, a calendar or an address field. Their own messages do not notify the program as a person's act
 * does, so the control is made to do that itself: a picker by a key and one back, a calendar by a click on the day. Those
 * leave by a permit for the text that says the same date, and reach no other kind of control.
 * Source: learn.microsoft.com/windows/win32/controls/date-and-time-picker-controls, .../month-calendar-controls, .../ip-address-controls
 */
import {
  DTM_SETSYSTEMTIME,
  DTS_SHOWNONE,
  GDT_NONE,
  GDT_VALID,
  IPM_SETADDRESS,
  MCHT_CALENDARDATE,
  MCM_HITTEST,
  MCM_SETCURSEL,
  MCM_SETSELRANGE,
  MCS_MULTISELECT,
  MK_LBUTTON,
  SMTO_ABORTIFHUNG,
  SMTO_ERRORONEXIT,
  VK_DOWN,
  VK_RIGHT,
  VK_UP,
  WM_KEYDOWN,
  WM_KEYUP,
  WM_LBUTTONDOWN,
  WM_LBUTTONUP,
  WM_MOUSEMOVE,
} from '../../../native-bindings/win32/constants.ts';
import { MCHITTESTINFO, SYSTEMTIME } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Point } from '../../contract/element/geometry.ts';
import type { Asker } from '../windows/ask.ts';
import type { ControlKind } from '../windows/classes.ts';
import { inContextOf, packPoint } from '../windows/rects.ts';
import { kindOfWindow, readWindowInfo, type WindowInfo } from '../windows/window-info.ts';
import { leave } from './leaving.ts';

export type Time = ReturnType<typeof SYSTEMTIME.read>;

/** The control, and a block of memory in its program. */
export interface PickerControl {
  readonly info: WindowInfo;
  readonly asker: Asker;
  readonly memory: {
    readonly address: bigint;
    write(offset: number, from: Buffer): boolean;
    read(offset: number, size: number): Buffer | null;
  };
}

const NEVER_WAITING = SMTO_ABORTIFHUNG | SMTO_ERRORONEXIT;
const KEY_UP_BITS = 0xc000_0001;
const resultOut = Buffer.alloc(8);

/** Where the check mark of a picker is, and where its first field begins. */
const CHECK_X = 8;
const FIELD_X = 6;
const FIELD_BEHIND_CHECK_X = 28;

const two = (value: number): string => String(value).padStart(2, '0');
const dayText = ({ wYear, wMonth, wDay }: Time): string =>
  `${String(wYear).padStart(4, '0')}-${two(wMonth)}-${two(wDay)}`;
export const timeText = (time: Time): string =>
  `${dayText(time)} ${two(time.wHour)}:${two(time.wMinute)}:${two(time.wSecond)}`;
const daysText = (first: Time, last: Time): string => `${dayText(first)}/${dayText(last)}`;

/** By a permit for a text that says the same. Errors: element_stale. */
function leaveWith({ info }: Pick<PickerControl, 'info'>, kind: ControlKind, picked: string): void {
  if (!user32.IsWindow(info.hwnd))
    throw new UiaHostError('element_stale', 'The control no longer exists.', { delivery: 'unknown' });
  if (kindOfWindow(info.hwnd) !== kind) throw new RangeError(`${info.className} is not a ${kind}.`);
  leave(['text'], { picked });
}

/** Null if there was no answer. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-sendmessagetimeoutw */
const send = (asker: Asker, hwnd: number, message: number, wParam: number, lParam: number | bigint): number | null =>
  asker.inTurn(hwnd, (withinMs) =>
    user32.SendMessageTimeoutW(hwnd, message, wParam, lParam, NEVER_WAITING, Math.max(1, withinMs), resultOut) === 0
      ? null
      : Number(resultOut.readBigInt64LE()),
  );

function click(asker: Asker, hwnd: number, at: Point, to: Point): void {
  send(asker, hwnd, WM_LBUTTONDOWN, MK_LBUTTON, packPoint(at.x, at.y));
  if (to !== at) send(asker, hwnd, WM_MOUSEMOVE, MK_LBUTTON, packPoint(to.x, to.y));
  send(asker, hwnd, WM_LBUTTONUP, 0, packPoint(to.x, to.y));
}

/** The control's own size, in the pixels of its program. */
export const ownSize = (info: WindowInfo): { readonly width: number; readonly height: number } =>
  inContextOf(info.hwnd, () => readWindowInfo(info.hwnd)?.client ?? info.client);

/** False if the picker did not accept it. */
export function putTime(picker: PickerControl, time: Time): boolean {
  leaveWith(picker, 'date-time', timeText(time));
  return setTime(picker, time);
}

/** A click on its check mark, a part of the picker or a window inside it, as a person takes the date away. */
export function clickCheckMark(picker: PickerControl): void {
  const { info, asker } = picker;
  leaveWith(picker, 'date-time', '');
  const box = user32.FindWindowExW(info.hwnd, 0, 'Button', null);
  const at = { x: CHECK_X, y: Math.floor(ownSize(info).height / 2) };
  click(asker, box === 0 ? info.hwnd : box, at, at);
}

/** Null: no date. */
const setTime = ({ info, asker, memory }: PickerControl, time: Time | null): boolean => {
  memory.write(0, SYSTEMTIME.alloc(time ?? {}));
  return (send(asker, info.hwnd, DTM_SETSYSTEMTIME, time === null ? GDT_NONE : GDT_VALID, memory.address) ?? 0) !== 0;
};

/**
 * A key and the one back. The end of a range takes one of them alone, and the day of a long month is lost in a short one,
 * as 29 February in the next year: the fields behind the first are tried then.
 */
const THERE_AND_BACK = [
  [VK_UP, VK_DOWN],
  [VK_DOWN, VK_UP],
] as const;
/** A weekday, a month and the day, whose own turning changes nothing else. */
const FIELDS = 3;

/**
 * Makes a picker that holds the permitted time notify its program of it, by a key in one of its fields and one back.
 * `untold` where it takes no keys, and has what it had again: the program would not know. `changed` where the result is
 * another time in every field, which is its program's word.
 * @param had what it held before; null for no date
 * @param read its time; null if it did not answer
 */
export function notifyOfTime(
  picker: PickerControl,
  wanted: Time,
  had: Time | null,
  read: () => Time | null,
): 'told' | 'untold' | 'changed' {
  const { info, asker } = picker;
  leaveWith(picker, 'date-time', timeText(wanted));
  const isWanted = (): boolean => {
    const now = read();
    return now !== null && timeText(now) === timeText(wanted);
  };
  const x = (info.style & DTS_SHOWNONE) === 0 ? FIELD_X : FIELD_BEHIND_CHECK_X;
  const field = { x, y: Math.floor(ownSize(info).height / 2) };
  const press = (key: number): void => {
    send(asker, info.hwnd, WM_KEYDOWN, key, 1);
    send(asker, info.hwnd, WM_KEYUP, key, KEY_UP_BITS);
  };
  click(asker, info.hwnd, field, field);
  let isTaken = false;
  for (let tried = 0; tried < FIELDS; tried += 1) {
    if (tried > 0) press(VK_RIGHT);
    for (const [there, back] of THERE_AND_BACK) {
      if (isTaken && !setTime(picker, wanted)) return 'changed';
      press(there);
      if (isWanted()) continue;
      isTaken = true;
      press(back);
      if (isWanted()) return 'told';
    }
  }
  if (!isTaken) setTime(picker, had);
  return isTaken ? 'changed' : 'untold';
}

function sendDays({ info, asker, memory }: PickerControl, first: Time, last: Time): boolean {
  memory.write(0, Buffer.concat([SYSTEMTIME.alloc(first), SYSTEMTIME.alloc(last)]));
  const message = (info.style & MCS_MULTISELECT) === 0 ? MCM_SETCURSEL : MCM_SETSELRANGE;
  return (send(asker, info.hwnd, message, 0, memory.address) ?? 0) !== 0;
}

/**
 * Turns to the page of the permitted days, by a day next to the last one: a click on what is selected already tells the
 * program nothing. False if the calendar did not accept it.
 */
export function turnToDays(calendar: PickerControl, first: Time, last: Time): boolean {
  leaveWith(calendar, 'calendar', daysText(first, last));
  const neighbour = { ...last, wDay: last.wDay > 1 ? last.wDay - 1 : 2 };
  return sendDays(calendar, neighbour, neighbour);
}

/** Turns back to the days that it held, where a click on the permitted ones did nothing. */
export function turnBack(calendar: PickerControl, first: Time, last: Time, had: readonly [Time, Time]): void {
  leaveWith(calendar, 'calendar', daysText(first, last));
  sendDays(calendar, ...had);
}

/** What a calendar has at a point of its client area: a day, and whether it is one of the month that it shows. */
export function dayAt(
  { info, asker, memory }: PickerControl,
  pt: Point,
): { readonly day: Time; readonly isOwn: boolean } | null {
  memory.write(0, MCHITTESTINFO.alloc({ cbSize: MCHITTESTINFO.size, pt }));
  const back =
    asker.ask(info.hwnd, MCM_HITTEST, 0, memory.address) === null ? null : memory.read(0, MCHITTESTINFO.size);
  const hit = back === null ? null : MCHITTESTINFO.read(back);
  if (hit === null || (hit.uHit & MCHT_CALENDARDATE) !== MCHT_CALENDARDATE || hit.st.wYear === 0) return null;
  return { day: hit.st, isOwn: hit.uHit === MCHT_CALENDARDATE };
}

/** A click on a day, or a drag from the first to the last; false if the calendar has no days there. */
export function clickDays(calendar: PickerControl, from: Point, to: Point): boolean {
  const [first, last] = [dayAt(calendar, from), dayAt(calendar, to)];
  if (first === null || last === null) return false;
  leaveWith(calendar, 'calendar', daysText(first.day, last.day));
  click(calendar.asker, calendar.info.hwnd, from, to);
  return true;
}

/** An address of four numbers with dots. False if the field did not answer. */
export function putAddress(asker: Asker, info: WindowInfo, address: string): boolean {
  leaveWith({ info }, 'ip-address', address);
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return send(asker, info.hwnd, IPM_SETADDRESS, 0, number) !== null;
}

/**
 * Dates, days and addresses are set by the control's own messages. These do not notify the program as a person's act does,
 * so the control is made to do that itself: a picker by a key up and down, a calendar by a click on the day.
 * Source: learn.microsoft.com/windows/win32/controls/date-and-time-picker-controls, .../month-calendar-controls, .../ip-address-controls
 */
import {
  DTM_GETSYSTEMTIME,
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
  VK_DOWN,
  VK_UP,
  WM_KEYDOWN,
  WM_KEYUP,
  WM_LBUTTONDOWN,
  WM_LBUTTONUP,
  WM_MOUSEMOVE,
} from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { MCHITTESTINFO, SYSTEMTIME } from '../../../native-bindings/win32/structs.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Attempt } from '../../contract/outcome.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { change } from '../exits/messages.ts';
import { Asker } from '../windows/ask.ts';
import type { ControlKind } from '../windows/classes.ts';
import { inContextOf, packPoint } from '../windows/rects.ts';
import { readWindowInfo, type WindowInfo } from '../windows/window-info.ts';
import { delivered, failed } from '../elements/sources/rungs.ts';
import { askRemote } from '../elements/sources/controls/items.ts';
import { addressText, hasDate, NO_DATE, selectedDays } from '../elements/sources/controls/simple-controls.ts';
import { RemoteBlocks, type RemoteMemory } from '../elements/tree/remote-memory.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';

const PICKER_MS = 5000;

const PICKERS: ReadonlySet<ControlKind> = new Set(['date-time', 'calendar', 'ip-address']);
export const isPicker = (kind: ControlKind): boolean => PICKERS.has(kind);

type Time = ReturnType<typeof SYSTEMTIME.read>;

/** The control and the means of asking it. */
interface Picker {
  readonly info: WindowInfo;
  readonly asker: Asker;
  readonly memory: RemoteMemory;
  readonly what: string;
}

const unfit = (what: string, form: string): UiaHostError =>
  new UiaHostError('invalid_argument', `${what} takes ${form}. It was left unchanged.`);

const DATE_FORM = 'a date as 2026-12-31, a time as 14:05:00, or both with a blank between them';
const DATE =
  /^(?:(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2}))?(?:[ T]?(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2}))?)?$/;

/** The parts that a text gives; null if it is not a date or time. */
function dateParts(text: string): Record<string, string | undefined> | null {
  const groups = text.trim() === '' ? undefined : DATE.exec(text.trim())?.groups;
  return groups === undefined ? null : groups;
}

const padded = (value: number, length = 2): string => String(value).padStart(length, '0');

/** A time in the form of a text: its date, its time, or both. */
function inFormOf(text: string, time: Time): string {
  const parts = dateParts(text);
  const date = `${padded(time.wYear, 4)}-${padded(time.wMonth)}-${padded(time.wDay)}`;
  const clock = `${padded(time.wHour)}:${padded(time.wMinute)}`;
  const seconds = parts?.['hour'] !== undefined && parts['second'] === undefined ? '' : `:${padded(time.wSecond)}`;
  if (parts?.['year'] !== undefined && parts['hour'] === undefined) return date;
  if (parts !== null && parts['year'] === undefined) return `${clock}${seconds}`;
  return `${date}${text.includes('T') ? 'T' : ' '}${clock}${seconds}`;
}

const isNone = (text: string): boolean => ['', 'none', NO_DATE].includes(text.trim().toLowerCase());

/** Without a date the first day that a picker knows; null if it did not answer. */
function readTime({ info, asker, memory }: Picker): Time | null {
  memory.write(0, SYSTEMTIME.alloc({ wYear: 1601, wMonth: 1, wDay: 1 }));
  const answer = askRemote(asker, memory, info.hwnd, DTM_GETSYSTEMTIME);
  if (answer === null) return null;
  if (answer === GDT_NONE) memory.write(0, SYSTEMTIME.alloc({ wYear: 1601, wMonth: 1, wDay: 1 }));
  const time = memory.read(0, SYSTEMTIME.size);
  return time === null ? null : SYSTEMTIME.read(time);
}

const same = (one: Time | null, other: Time): boolean =>
  one !== null && inFormOf('2000-01-01 00:00:00', one) === inFormOf('2000-01-01 00:00:00', other);

function putTime({ info, asker, memory }: Picker, time: Time): boolean {
  memory.write(0, SYSTEMTIME.alloc(time));
  return (change(asker, info.hwnd, DTM_SETSYSTEMTIME, GDT_VALID, memory.address) ?? 0) !== 0;
}

function press({ info, asker }: Picker, key: number): void {
  change(asker, info.hwnd, WM_KEYDOWN, key, 1);
  change(asker, info.hwnd, WM_KEYUP, key, 0xc000_0001);
}

function clickAt({ asker }: Picker, hwnd: number, at: Point, to: Point = at): void {
  change(asker, hwnd, WM_LBUTTONDOWN, MK_LBUTTON, packPoint(at.x, at.y));
  if (to !== at) change(asker, hwnd, WM_MOUSEMOVE, MK_LBUTTON, packPoint(to.x, to.y));
  change(asker, hwnd, WM_LBUTTONUP, 0, packPoint(to.x, to.y));
}

/** The control's own size, in the pixels of its program. */
const ownSize = (info: WindowInfo): { readonly width: number; readonly height: number } =>
  inContextOf(info.hwnd, () => readWindowInfo(info.hwnd)?.client ?? info.client);

/** Where the check mark of a picker is, and where its first field begins. */
const CHECK_X = 8;
const FIELD_X = 6;
const FIELD_BEHIND_CHECK_X = 28;

function setNone(picker: Picker): Attempt {
  const { info, asker, memory, what } = picker;
  if ((info.style & DTS_SHOWNONE) === 0) throw unfit(what, `${DATE_FORM}, and always has one`);
  if (hasDate(asker, memory, info.hwnd) === false) return delivered('message', 'it has no date already');
  // Its own part of the picker, or a window inside it.
  const box = user32.FindWindowExW(info.hwnd, 0, 'Button', null);
  clickAt(picker, box === 0 ? info.hwnd : box, { x: CHECK_X, y: Math.floor(ownSize(info).height / 2) });
  if (hasDate(asker, memory, info.hwnd) === false) return delivered('message', 'a click on its check mark');
  memory.write(0, SYSTEMTIME.alloc({ wYear: 2000, wMonth: 1, wDay: 1 }));
  change(asker, info.hwnd, DTM_SETSYSTEMTIME, GDT_NONE, memory.address);
  return delivered('message', 'DTM_SETSYSTEMTIME; the program was not notified');
}

/** Where a key changes nothing the date is right and the program does not know. */
function notifyOfTime(picker: Picker, wanted: Time): boolean {
  const { info } = picker;
  const isBehind = (info.style & DTS_SHOWNONE) !== 0;
  clickAt(picker, info.hwnd, { x: isBehind ? FIELD_BEHIND_CHECK_X : FIELD_X, y: Math.floor(ownSize(info).height / 2) });
  for (const [first, second] of [
    [VK_UP, VK_DOWN],
    [VK_DOWN, VK_UP],
  ] as const) {
    press(picker, first);
    if (same(readTime(picker), wanted)) return false;
    press(picker, second);
    if (same(readTime(picker), wanted)) return true;
    // From the last day of a month the way back may end on another day.
    putTime(picker, wanted);
  }
  return false;
}

function setDate(picker: Picker, text: string): Attempt {
  const { what } = picker;
  if (isNone(text)) return setNone(picker);
  const parts = dateParts(text);
  if (parts === null) throw unfit(what, DATE_FORM);
  const now = readTime(picker);
  if (now === null) return failed('message', 'the picker did not answer');
  const part = (name: string, otherwise: number): number =>
    parts[name] === undefined ? otherwise : Number(parts[name]);
  const wanted: Time = {
    ...now,
    wYear: part('year', now.wYear),
    wMonth: part('month', now.wMonth),
    wDay: part('day', now.wDay),
    wHour: part('hour', now.wHour),
    wMinute: part('minute', now.wMinute),
    wSecond: parts['hour'] === undefined ? now.wSecond : part('second', 0),
    wMilliseconds: 0,
  };
  if (!putTime(picker, wanted)) {
    if (same(readTime(picker), now))
      throw unfit(what, `${DATE_FORM}; it refused this one, which may be out of its range`);
    return failed('message', 'the picker did not accept the date');
  }
  return notifyOfTime(picker, wanted)
    ? delivered('message', 'DTM_SETSYSTEMTIME, and keys by which the picker notifies its program')
    : delivered('message', 'DTM_SETSYSTEMTIME; the picker took no keys, so its program was not notified');
}

const DAYS = /^(\d{4}-\d{2}-\d{2})(?:\/(\d{4}-\d{2}-\d{2}))?$/;

function dayOf(text: string): Time | null {
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) return null;
  const [wYear, wMonth, wDay] = text.split('-').map(Number) as [number, number, number];
  return { wYear, wMonth, wDayOfWeek: date.getUTCDay(), wDay, wHour: 0, wMinute: 0, wSecond: 0, wMilliseconds: 0 };
}

/** A day of the same month, so that the calendar shows the same page. */
const neighbour = (day: Time): Time => ({ ...day, wDay: day.wDay > 1 ? day.wDay - 1 : 2 });

function putDays({ info, asker, memory }: Picker, first: Time, last: Time): boolean {
  memory.write(0, Buffer.concat([SYSTEMTIME.alloc(first), SYSTEMTIME.alloc(last)]));
  const message = (info.style & MCS_MULTISELECT) === 0 ? MCM_SETCURSEL : MCM_SETSELRANGE;
  return (change(asker, info.hwnd, message, 0, memory.address) ?? 0) !== 0;
}

/** Steps across and down in which a calendar is searched: smaller than its cells. */
const STEPS = { across: 16, down: 20 } as const;
const DAY_MS = 86_400_000;
/** Days of one row, so that those of a row that has the wanted one differ from it by fewer. */
const WEEK = 7;

const dayNumber = ({ wYear, wMonth, wDay }: Time): number => Date.UTC(wYear, wMonth - 1, wDay) / DAY_MS;

/** The place of a day in the calendar's client area; null if it does not show it. */
function placeOfDay({ info, asker, memory }: Picker, day: Time): Point | null {
  const { width, height } = ownSize(info);
  const wanted = dayNumber(day);
  const at = (column: number, row: number): { readonly pt: Point; readonly isDay: boolean; readonly away: number } => {
    const pt = {
      x: Math.floor(((column + 0.5) * width) / STEPS.across),
      y: Math.floor(((row + 0.5) * height) / STEPS.down),
    };
    memory.write(0, MCHITTESTINFO.alloc({ cbSize: MCHITTESTINFO.size, pt }));
    const back = askRemote(asker, memory, info.hwnd, MCM_HITTEST) === null ? null : memory.read(0, MCHITTESTINFO.size);
    const hit = back === null ? null : MCHITTESTINFO.read(back);
    // Days of the month before and after are dates too; a click on one turns the page.
    const isDate = hit !== null && (hit.uHit & MCHT_CALENDARDATE) === MCHT_CALENDARDATE && hit.st.wYear > 0;
    return {
      pt,
      isDay: hit?.uHit === MCHT_CALENDARDATE,
      away: isDate ? dayNumber(hit.st) - wanted : Number.POSITIVE_INFINITY,
    };
  };
  for (let row = 0; row < STEPS.down; row += 1) {
    if (Math.abs(at(STEPS.across / 2, row).away) >= WEEK) continue;
    for (let column = 0; column < STEPS.across; column += 1) {
      const hit = at(column, row);
      if (hit.isDay && hit.away === 0) return hit.pt;
    }
  }
  return null;
}

function setDays(picker: Picker, text: string): Attempt {
  const { info, asker, memory, what } = picker;
  const isRange = (info.style & MCS_MULTISELECT) !== 0;
  const form = isRange ? 'a day as 2026-12-31, or several as 2026-12-24/2026-12-31' : 'a day as 2026-12-31';
  const [, from = '', to = from] = DAYS.exec(text.trim()) ?? [];
  const [first, last] = [dayOf(from), dayOf(to)];
  if (first === null || last === null || (!isRange && from !== to) || from > to) throw unfit(what, form);
  const before = selectedDays(info, asker, memory);
  // Away from the days, on the same page: a click on what is selected already tells the program nothing.
  const away = neighbour(last);
  if (!putDays(picker, away, away)) {
    if (selectedDays(info, asker, memory) === before)
      throw unfit(what, `${form}; it refused this one, which may be out of its range`);
    return failed('message', 'the calendar did not accept the day');
  }
  const [start, end] = [placeOfDay(picker, first), placeOfDay(picker, last)];
  if (start !== null && end !== null) {
    clickAt(picker, info.hwnd, start, from === to ? start : end);
    const isRight = selectedDays(info, asker, memory) === (from === to ? from : `${from}/${to}`);
    if (isRight) return delivered('message', 'a click on the day');
  }
  return putDays(picker, first, last)
    ? delivered('message', 'MCM_SETCURSEL; the program was not notified')
    : failed('message', 'the calendar did not accept the day');
}

function setAddress(asker: Asker, { hwnd }: WindowInfo, what: string, text: string): Attempt {
  const parts = text.trim().split('.');
  const numbers = parts.map(Number);
  if (parts.length !== 4 || parts.some((part, at) => !/^\d{1,3}$/.test(part) || numbers[at]! > 255))
    throw unfit(what, 'four numbers from 0 to 255 with dots, as 192.168.0.1');
  const address = numbers.reduce((sum, number) => sum * 256 + number, 0);
  return change(asker, hwnd, IPM_SETADDRESS, 0, address) === null
    ? failed('message', 'the field did not answer')
    : delivered('message', 'IPM_SETADDRESS, which notifies by itself');
}

/** What a picker holds, in the form of a text that was or will be put there; null if it did not answer. */
export function readPicker(target: ElementTarget, info: WindowInfo, kind: ControlKind, like: string): string | null {
  const asker = new Asker(target.deadline.share(PICKER_MS));
  if (kind === 'ip-address') return addressText(asker, info.hwnd);
  using blocks = new RemoteBlocks(target.tools.read.remoteControlMemory);
  const memory = blocks.for(info.hwnd);
  if (memory === null) return null;
  const picker: Picker = { info, asker, memory, what: target.description };
  if (kind === 'calendar') return selectedDays(info, asker, memory);
  if ((info.style & DTS_SHOWNONE) !== 0 && hasDate(asker, memory, info.hwnd) === false) return isNone(like) ? like : '';
  const time = readTime(picker);
  return time === null ? null : inFormOf(like, time);
}

/** Errors: invalid_argument for a text that the control cannot hold. */
export function setPicker(target: ElementTarget, info: WindowInfo, kind: ControlKind, text: string): Attempt {
  const asker = new Asker(target.deadline.share(PICKER_MS));
  if (kind === 'ip-address') return setAddress(asker, info, target.description, text);
  using blocks = new RemoteBlocks(target.tools.read.remoteControlMemory);
  const memory = blocks.for(info.hwnd);
  if (memory === null)
    return failed('message', 'it is set through the memory of its program, which the policy or Windows forbids');
  const picker: Picker = { info, asker, memory, what: target.description };
  return kind === 'calendar' ? setDays(picker, text) : setDate(picker, text);
}

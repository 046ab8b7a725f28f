/**
 * Dates, days and addresses are set by text, by the control's own messages and by what makes it notify its program
 * (`exits/pickers.ts`).
 */
import {
  DTM_GETRANGE,
  DTM_GETSYSTEMTIME,
  DTS_SHOWNONE,
  GDT_NONE,
  GDTR_MAX,
  GDTR_MIN,
  MCM_GETMAXSELCOUNT,
  MCM_GETRANGE,
  MCS_MULTISELECT,
} from '../../../native-bindings/win32/constants.ts';
import { SYSTEMTIME } from '../../../native-bindings/win32/structs.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Attempt } from '../../contract/outcome.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { addressIn, dateParts, daysIn, isNoDate } from '../../contract/element/picked.ts';
import {
  clickCheckMark,
  clickDays,
  dayAt,
  notifyOfTime,
  ownSize,
  putAddress,
  putTime,
  timeText,
  turnBack,
  turnToDays,
  type PickerControl,
  type Time,
} from '../exits/pickers.ts';
import { Asker } from '../windows/ask.ts';
import type { ControlKind } from '../windows/classes.ts';
import type { WindowInfo } from '../windows/window-info.ts';
import { delivered, failed, refused } from '../drivers/ways.ts';
import { askRemote } from '../drivers/items.ts';
import { addressText, hasDate, selectedDays } from '../drivers/picker.ts';
import { RemoteBlocks, type RemoteMemory } from '../elements/tree/remote-memory.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';

const PICKER_MS = 5000;

const PICKERS: ReadonlySet<ControlKind> = new Set(['date-time', 'calendar', 'ip-address']);
export const isPicker = (kind: ControlKind): boolean => PICKERS.has(kind);

/** The control and the means of asking it. */
interface Picker extends PickerControl {
  readonly memory: RemoteMemory;
  readonly what: string;
}

const unfit = (what: string, form: string): UiaHostError =>
  new UiaHostError('invalid_argument', `${what} takes ${form}. It was left unchanged.`);

const DATE_FORM = 'a date as 2026-12-31, a time as 14:05:00, or both with a blank between them';
/** A time in the form of a text: its date, its time, or both. */
function inFormOf(text: string, time: Time): string {
  const parts = dateParts(text);
  const [date = '', clock = ''] = timeText(time).split(' ');
  const shown = parts?.['hour'] !== undefined && parts['second'] === undefined ? clock.slice(0, -3) : clock;
  if (parts?.['year'] !== undefined && parts['hour'] === undefined) return date;
  if (parts !== null && parts['year'] === undefined) return shown;
  return `${date}${text.includes('T') ? 'T' : ' '}${shown}`;
}

/** Without a date the first day that a picker knows; null if it did not answer. */
function readTime({ info, asker, memory }: Picker): Time | null {
  memory.write(0, SYSTEMTIME.alloc({ wYear: 1601, wMonth: 1, wDay: 1 }));
  const answer = askRemote(asker, memory, info.hwnd, DTM_GETSYSTEMTIME);
  if (answer === null) return null;
  if (answer === GDT_NONE) memory.write(0, SYSTEMTIME.alloc({ wYear: 1601, wMonth: 1, wDay: 1 }));
  const time = memory.read(0, SYSTEMTIME.size);
  return time === null ? null : SYSTEMTIME.read(time);
}

const same = (one: Time | null, other: Time): boolean => one !== null && timeText(one) === timeText(other);

/** The first and the last time that a picker or calendar takes; null where it has no such limit. */
function rangeOf({ info, asker, memory }: Picker, message: number): readonly [Time | null, Time | null] {
  memory.write(0, Buffer.alloc(2 * SYSTEMTIME.size));
  const limits = askRemote(asker, memory, info.hwnd, message) ?? 0;
  const times = memory.read(0, 2 * SYSTEMTIME.size);
  const at = (limit: number, place: number): Time | null => {
    if ((limits & limit) === 0 || times === null) return null;
    const time = SYSTEMTIME.read(times.subarray(place * SYSTEMTIME.size));
    return time.wYear === 0 ? null : time;
  };
  return [at(GDTR_MIN, 0), at(GDTR_MAX, 1)];
}

/** The range of days that a day is not in, as a text; null if it is in it. */
function outside(picker: Picker, message: number, ...days: readonly string[]): string | null {
  const [from = null, to = null] = rangeOf(picker, message).map((time) =>
    time === null ? null : timeText(time).slice(0, DAY_TEXT),
  );
  const isIn = (day: string): boolean => (from === null || day >= from) && (to === null || day <= to);
  if (days.every(isIn)) return null;
  return [...(from === null ? [] : [`from ${from}`]), ...(to === null ? [] : [`to ${to}`])].join(' ');
}
/** The length of 2026-12-31. */
const DAY_TEXT = 10;

function setNone(picker: Picker): Attempt {
  const { info, asker, memory, what } = picker;
  if ((info.style & DTS_SHOWNONE) === 0) throw unfit(what, `${DATE_FORM}, and always has one`);
  if (hasDate(asker, memory, info.hwnd) === false) return delivered('message', 'it has no date already');
  clickCheckMark(picker);
  if (hasDate(asker, memory, info.hwnd) === false) return delivered('message', 'a click on its check mark');
  return refused('message', unheard('Space at its check mark takes the date away'));
}

function setDate(picker: Picker, text: string): Attempt {
  const { what } = picker;
  if (isNoDate(text)) return setNone(picker);
  const parts = dateParts(text);
  if (parts === null) throw unfit(what, DATE_FORM);
  const now = readTime(picker);
  if (now === null) return failed('message', 'the picker did not answer');
  const had =
    (picker.info.style & DTS_SHOWNONE) !== 0 && hasDate(picker.asker, picker.memory, picker.info.hwnd) === false
      ? null
      : now;
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
  const beyond =
    parts['year'] === undefined ? null : outside(picker, DTM_GETRANGE, timeText(wanted).slice(0, DAY_TEXT));
  if (beyond !== null) throw unfit(what, `${DATE_FORM}, ${beyond}`);
  if (!putTime(picker, wanted)) {
    if (same(readTime(picker), now))
      throw unfit(what, `${DATE_FORM}; it refused this one, which may be out of its range`);
    return failed('message', 'the picker did not accept the date');
  }
  const told = notifyOfTime(picker, wanted, had, () => readTime(picker));
  if (told !== 'untold')
    return delivered(
      'message',
      `DTM_SETSYSTEMTIME, and keys by which the picker notifies its program${told === 'told' ? '' : ', after which it has another date'}`,
    );
  return refused('message', unheard('digits, Up and Down change a part of the date, and Right goes to the next'));
}

/** Why nothing was set that the program would not hear of, and what a person would do. */
const unheard = (keys: string): string =>
  `its program would not be notified, so it was left unchanged; real keys work: click into it with delivery "foreground", then ${keys}`;

function timeOf(day: string): Time {
  const [wYear, wMonth, wDay] = day.split('-').map(Number) as [number, number, number];
  const wDayOfWeek = new Date(`${day}T00:00:00Z`).getUTCDay();
  return { wYear, wMonth, wDayOfWeek, wDay, wHour: 0, wMinute: 0, wSecond: 0, wMilliseconds: 0 };
}

/** Steps across and down in which a calendar is searched: smaller than its cells. */
const STEPS = { across: 16, down: 20 } as const;
const DAY_MS = 86_400_000;
/** Days of one row, so that those of a row that has the wanted one differ from it by fewer. */
const WEEK = 7;

const dayNumber = ({ wYear, wMonth, wDay }: Time): number => Date.UTC(wYear, wMonth - 1, wDay) / DAY_MS;

/** The place of a day in the calendar's client area; null if it does not show it. */
function placeOfDay(picker: Picker, day: Time): Point | null {
  const { width, height } = ownSize(picker.info);
  const wanted = dayNumber(day);
  const at = (column: number, row: number): { readonly pt: Point; readonly isDay: boolean; readonly away: number } => {
    const pt = {
      x: Math.floor(((column + 0.5) * width) / STEPS.across),
      y: Math.floor(((row + 0.5) * height) / STEPS.down),
    };
    // Days of the month before and after are dates too; a click on one turns the page.
    const hit = dayAt(picker, pt);
    return {
      pt,
      isDay: hit?.isOwn === true,
      away: hit === null ? Number.POSITIVE_INFINITY : dayNumber(hit.day) - wanted,
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
  const days = daysIn(text);
  if (days === null || (!isRange && days[0] !== days[1])) throw unfit(what, form);
  const beyond = outside(picker, MCM_GETRANGE, ...days);
  if (beyond !== null) throw unfit(what, `${form}, ${beyond}`);
  const [first, last] = [timeOf(days[0]), timeOf(days[1])];
  const most = isRange ? (asker.ask(info.hwnd, MCM_GETMAXSELCOUNT) ?? 0) : 0;
  if (most > 0 && dayNumber(last) - dayNumber(first) >= most) throw unfit(what, `${form}, and at most ${most} days`);
  const before = selectedDays(info, asker, memory);
  if (!turnToDays(picker, first, last)) {
    if (selectedDays(info, asker, memory) === before)
      throw unfit(what, `${form}; it refused this one, which may be out of its range`);
    return failed('message', 'the calendar did not accept the day');
  }
  const turned = selectedDays(info, asker, memory);
  const [start, end] = [placeOfDay(picker, first), placeOfDay(picker, last)];
  if (start !== null && end !== null && clickDays(picker, start, days[0] === days[1] ? start : end)) {
    const now = selectedDays(info, asker, memory);
    if (now === (days[0] === days[1] ? days[0] : days.join('/'))) return delivered('message', 'a click on the day');
    // The program has the last word.
    if (now !== turned) return delivered('message', 'a click on the day, for which its program put another');
  }
  const had = before === null ? null : daysIn(before);
  if (had !== null) turnBack(picker, first, last, [timeOf(had[0]), timeOf(had[1])]);
  return refused('message', unheard('arrows go to a day, and Page Up and Page Down to another month'));
}

function setAddress(asker: Asker, info: WindowInfo, what: string, text: string): Attempt {
  const address = addressIn(text);
  if (address === null) throw unfit(what, 'four numbers from 0 to 255 with dots, as 192.168.0.1');
  return putAddress(asker, info, address)
    ? delivered('message', 'IPM_SETADDRESS, by which the control sends EN_CHANGE and no IPN_FIELDCHANGED')
    : failed('message', 'the field did not answer');
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
  if ((info.style & DTS_SHOWNONE) !== 0 && hasDate(asker, memory, info.hwnd) === false)
    return isNoDate(like) ? like : '';
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

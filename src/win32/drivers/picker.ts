/**
 * Date, calendar, IP address and hot key. Their own messages do not notify the program as a person's act does, so a control
 * that is set is made to do that itself: a picker by a key and one back, a calendar by a click on the day.
 * Source: learn.microsoft.com/windows/win32/controls/individual-control-info
 */
import * as m from '../../../native-bindings/win32/constants.ts';
import { MCHITTESTINFO, SYSTEMTIME } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { addressIn, dateParts, daysIn, isNoDate, NO_DATE } from '../../contract/element/picked.ts';
import type { Attempt } from '../../contract/outcome.ts';
import type { RemoteMemory } from '../elements/tree/remote-memory.ts';
import { pickedOnly, picking, type Picking } from '../exits/messages.ts';
import type { Asker } from '../windows/ask.ts';
import { inContextOf, packPoint } from '../windows/rects.ts';
import { descendantsOf, readWindowInfo, type WindowInfo } from '../windows/window-info.ts';
import { type ControlReader, type Driver, type Filled, delivered, failed, refused, unfit } from './driver.ts';
import { askRemote } from './items.ts';
import { readText } from './edit.ts';

type Time = ReturnType<typeof SYSTEMTIME.read>;

/** The control, and a block of memory in its program. */
interface Picker {
  readonly info: WindowInfo;
  readonly asker: Asker;
  readonly memory: RemoteMemory;
}

const two = (value: number): string => String(value).padStart(2, '0');
const dayText = ({ wYear, wMonth, wDay }: Time): string =>
  `${String(wYear).padStart(4, '0')}-${two(wMonth)}-${two(wDay)}`;
const timeText = (time: Time): string =>
  `${dayText(time)} ${two(time.wHour)}:${two(time.wMinute)}:${two(time.wSecond)}`;

// Reading.

/** Whether a picker that may be without a date has one; null if it did not answer. */
function hasDate({ info, asker, memory }: Picker): boolean | null {
  const answer = askRemote(asker, memory, info.hwnd, m.DTM_GETSYSTEMTIME);
  return answer === null ? null : answer === m.GDT_VALID;
}

/** The date as displayed. A picker with a check mark may have none, and keeps its text then. */
const readDateTime: ControlReader = ({ info, node }, { asker, remote }) => {
  if ((info.style & m.DTS_SHOWNONE) === 0) {
    readText(node, asker);
    return;
  }
  const memory = remote.for(info.hwnd);
  const has = memory === null ? null : hasDate({ info, asker, memory });
  if (has === null) node.unread = 'value';
  else if (has) readText(node, asker);
  else node.value = NO_DATE;
  if (has === true) node.states.add('checked');
};

/** The selected day as an ISO date; of several the first and the last: `2026-12-03/2026-12-05`. Null if it did not answer. */
function selectedDays({ info: { hwnd, style }, asker, memory }: Picker): string | null {
  const isRange = (style & m.MCS_MULTISELECT) !== 0;
  if (!askRemote(asker, memory, hwnd, isRange ? m.MCM_GETSELRANGE : m.MCM_GETCURSEL)) return null;
  const times = memory.read(0, 2 * SYSTEMTIME.size);
  if (times === null) return null;
  const [first, last] = [0, isRange ? SYSTEMTIME.size : 0].map((at) => SYSTEMTIME.read(times.subarray(at))) as [
    Time,
    Time,
  ];
  if (first.wYear === 0) return null;
  const days = [dayText(first), ...(last.wYear === 0 ? [] : [dayText(last)])];
  return [...new Set(days)].join('/');
}

const readCalendar: ControlReader = ({ info, node }, { asker, remote }) => {
  const memory = remote.for(info.hwnd);
  node.value = memory === null ? null : selectedDays({ info, asker, memory });
  if (node.value === null) node.unread = 'value';
};

/** The four edits inside an IP address, of which each may be blank: its own text has 0 for those. Null if it did not answer. */
function addressText(asker: Asker, hwnd: number): string | null {
  const fields = descendantsOf(hwnd)
    .map((field) => ({ field, x: readWindowInfo(field)?.rect.x ?? 0 }))
    .sort((one, other) => one.x - other.x)
    .map(({ field }) => asker.text(field));
  if (fields.length !== 4 || fields.includes(null)) return asker.text(hwnd);
  return fields.every((text) => text === '') ? '' : fields.join('.');
}

const readIpAddress: ControlReader = ({ info, node }, { asker }) => {
  node.value = addressText(asker, info.hwnd);
  if (node.value === null) node.unread = 'value';
};

const MODIFIERS = [
  [m.HOTKEYF_CONTROL, 'Ctrl'],
  [m.HOTKEYF_SHIFT, 'Shift'],
  [m.HOTKEYF_ALT, 'Alt'],
] as const;

/** A virtual-key code in its usual spelling. */
function keyName(code: number): string {
  if (code >= 0x30 && code <= 0x5a) return String.fromCharCode(code);
  return code >= m.VK_F1 && code <= m.VK_F24 ? `F${code - m.VK_F1 + 1}` : `0x${code.toString(16)}`;
}

const readHotKey: ControlReader = ({ info, node }, { asker }) => {
  const key = asker.ask(info.hwnd, m.HKM_GETHOTKEY);
  if (key === null) return;
  const code = key & 0xff;
  const modifiers = (key >> 8) & 0xff;
  node.value =
    code === 0
      ? ''
      : [...MODIFIERS.flatMap(([bit, name]) => ((modifiers & bit) === 0 ? [] : [name])), keyName(code)].join('+');
};

// Setting.

/** A picker that a text is put into. */
interface Taking extends Picker {
  readonly description: string;
}

/** Why nothing was set that the program would not hear of, and what a person would do. */
const unheard = (keys: string): string =>
  `its program would not be notified, so it was left unchanged; real keys work: click into it with delivery "foreground", then ${keys}`;

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
  const first = SYSTEMTIME.alloc({ wYear: 1601, wMonth: 1, wDay: 1 });
  memory.write(0, first);
  const answer = askRemote(asker, memory, info.hwnd, m.DTM_GETSYSTEMTIME);
  if (answer === null) return null;
  const time = answer === m.GDT_NONE ? first : memory.read(0, SYSTEMTIME.size);
  return time === null ? null : SYSTEMTIME.read(time);
}

const isTime = (one: Time | null, other: Time): boolean => one !== null && timeText(one) === timeText(other);

/** The range of days that a picker or calendar takes, as a text, if one of these is not in it; else null. */
function outside({ info, asker, memory }: Picker, message: number, ...days: readonly string[]): string | null {
  memory.write(0, Buffer.alloc(2 * SYSTEMTIME.size));
  const limits = askRemote(asker, memory, info.hwnd, message) ?? 0;
  const times = memory.read(0, 2 * SYSTEMTIME.size);
  const limit = (flag: number, at: number): string | null => {
    if ((limits & flag) === 0 || times === null) return null;
    const time = SYSTEMTIME.read(times.subarray(at));
    return time.wYear === 0 ? null : dayText(time);
  };
  const [from, to] = [limit(m.GDTR_MIN, 0), limit(m.GDTR_MAX, SYSTEMTIME.size)];
  if (days.every((day) => (from === null || day >= from) && (to === null || day <= to))) return null;
  return [...(from === null ? [] : [`from ${from}`]), ...(to === null ? [] : [`to ${to}`])].join(' ');
}

/** The control's own size, in the pixels of its program. */
const ownSize = (info: WindowInfo): { readonly width: number; readonly height: number } =>
  inContextOf(info.hwnd, () => readWindowInfo(info.hwnd)?.client ?? info.client);

function click(send: Picking, at: Point, to: Point = at, child?: number): void {
  send(m.WM_LBUTTONDOWN, m.MK_LBUTTON, packPoint(at.x, at.y), child);
  if (to !== at) send(m.WM_MOUSEMOVE, m.MK_LBUTTON, packPoint(to.x, to.y), child);
  send(m.WM_LBUTTONUP, 0, packPoint(to.x, to.y), child);
}

/** Where the check mark of a picker is, and where its first field begins. */
const CHECK_X = 8;
const FIELD_X = 6;
const FIELD_BEHIND_CHECK_X = 28;

/** By a click on its check mark, a part of the picker or a window inside it, as a person takes the date away. */
function setNone(picker: Taking): Attempt {
  const { info, asker, description } = picker;
  if ((info.style & m.DTS_SHOWNONE) === 0) throw unfit(description, `${DATE_FORM}, and always has one`);
  if (hasDate(picker) === false) return delivered('message', 'it has no date already');
  const at = { x: CHECK_X, y: Math.floor(ownSize(info).height / 2) };
  const box = user32.FindWindowExW(info.hwnd, 0, 'Button', null);
  click(picking(asker, info, 'date-time', ''), at, at, box === 0 ? undefined : box);
  if (hasDate(picker) === false) return delivered('message', 'a click on its check mark');
  return refused('message', unheard('Space at its check mark takes the date away'));
}

/** Null: no date. False if the picker did not accept it. */
function putTime({ memory }: Picker, send: Picking, time: Time | null): boolean {
  memory.write(0, SYSTEMTIME.alloc(time ?? {}));
  return (send(m.DTM_SETSYSTEMTIME, time === null ? m.GDT_NONE : m.GDT_VALID, memory.address) ?? 0) !== 0;
}

const KEY_UP_BITS = 0xc000_0001;
/**
 * A key and the one back. The end of a range takes one of them alone, and the day of a long month is lost in a short one,
 * as 29 February in the next year: the fields behind the first are tried then.
 */
const THERE_AND_BACK = [
  [m.VK_UP, m.VK_DOWN],
  [m.VK_DOWN, m.VK_UP],
] as const;
/** A weekday, a month and the day, whose own turning changes nothing else. */
const FIELDS = 3;

/**
 * Makes a picker that holds the wanted time notify its program of it, by a key in one of its fields and one back.
 * `untold` where it takes no keys, and has what it had again: the program would not know. `changed` where the result is
 * another time in every field, which is its program's word.
 * @param had what it held before; null for no date
 */
function notifyOfTime(picker: Picker, send: Picking, wanted: Time, had: Time | null): 'told' | 'untold' | 'changed' {
  const { info } = picker;
  const x = (info.style & m.DTS_SHOWNONE) === 0 ? FIELD_X : FIELD_BEHIND_CHECK_X;
  const press = (key: number): void => {
    send(m.WM_KEYDOWN, key, 1);
    send(m.WM_KEYUP, key, KEY_UP_BITS);
  };
  click(send, { x, y: Math.floor(ownSize(info).height / 2) });
  let isTaken = false;
  for (let tried = 0; tried < FIELDS; tried += 1) {
    if (tried > 0) press(m.VK_RIGHT);
    for (const [there, back] of THERE_AND_BACK) {
      if (isTaken && !putTime(picker, send, wanted)) return 'changed';
      press(there);
      if (isTime(readTime(picker), wanted)) continue;
      isTaken = true;
      press(back);
      if (isTime(readTime(picker), wanted)) return 'told';
    }
  }
  if (!isTaken) putTime(picker, send, had);
  return isTaken ? 'changed' : 'untold';
}

function setDate(picker: Taking, text: string): Attempt {
  const { info, asker, description } = picker;
  if (isNoDate(text)) return setNone(picker);
  const parts = dateParts(text);
  if (parts === null) throw unfit(description, DATE_FORM);
  const now = readTime(picker);
  if (now === null) return failed('message', 'the picker did not answer');
  const had = (info.style & m.DTS_SHOWNONE) !== 0 && hasDate(picker) === false ? null : now;
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
  const beyond = parts['year'] === undefined ? null : outside(picker, m.DTM_GETRANGE, dayText(wanted));
  if (beyond !== null) throw unfit(description, `${DATE_FORM}, ${beyond}`);
  const send = picking(asker, info, 'date-time', timeText(wanted));
  if (!putTime(picker, send, wanted)) {
    if (isTime(readTime(picker), now))
      throw unfit(description, `${DATE_FORM}; it refused this one, which may be out of its range`);
    return failed('message', 'the picker did not accept the date');
  }
  const told = notifyOfTime(picker, send, wanted, had);
  if (told === 'untold')
    return refused('message', unheard('digits, Up and Down change a part of the date, and Right goes to the next'));
  return delivered(
    'message',
    `DTM_SETSYSTEMTIME, and keys by which the picker notifies its program${told === 'told' ? '' : ', after which it has another date'}`,
  );
}

function timeOf(day: string): Time {
  const [wYear, wMonth, wDay] = day.split('-').map(Number) as [number, number, number];
  const wDayOfWeek = new Date(`${day}T00:00:00Z`).getUTCDay();
  return { wYear, wMonth, wDayOfWeek, wDay, wHour: 0, wMinute: 0, wSecond: 0, wMilliseconds: 0 };
}

/** False if the calendar did not accept them. */
function putDays({ info, memory }: Picker, send: Picking, first: Time, last: Time): boolean {
  memory.write(0, Buffer.concat([SYSTEMTIME.alloc(first), SYSTEMTIME.alloc(last)]));
  const message = (info.style & m.MCS_MULTISELECT) === 0 ? m.MCM_SETCURSEL : m.MCM_SETSELRANGE;
  return (send(message, 0, memory.address) ?? 0) !== 0;
}

/** What a calendar has at a point of its client area: a day, and whether it is one of the month that it shows. */
function dayAt({ info, asker, memory }: Picker, pt: Point): { readonly day: Time; readonly isOwn: boolean } | null {
  memory.write(0, MCHITTESTINFO.alloc({ cbSize: MCHITTESTINFO.size, pt }));
  const back =
    asker.ask(info.hwnd, m.MCM_HITTEST, 0, memory.address) === null ? null : memory.read(0, MCHITTESTINFO.size);
  const hit = back === null ? null : MCHITTESTINFO.read(back);
  if (hit === null || (hit.uHit & m.MCHT_CALENDARDATE) !== m.MCHT_CALENDARDATE || hit.st.wYear === 0) return null;
  return { day: hit.st, isOwn: hit.uHit === m.MCHT_CALENDARDATE };
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
  const at = (column: number, row: number): { readonly pt: Point; readonly isOwn: boolean; readonly away: number } => {
    const pt = {
      x: Math.floor(((column + 0.5) * width) / STEPS.across),
      y: Math.floor(((row + 0.5) * height) / STEPS.down),
    };
    const hit = dayAt(picker, pt);
    return { pt, isOwn: hit?.isOwn === true, away: hit === null ? Infinity : dayNumber(hit.day) - wanted };
  };
  for (let row = 0; row < STEPS.down; row += 1) {
    if (Math.abs(at(STEPS.across / 2, row).away) >= WEEK) continue;
    for (let column = 0; column < STEPS.across; column += 1) {
      const hit = at(column, row);
      // Days of the month before and after are dates too; a click on one turns the page.
      if (hit.isOwn && hit.away === 0) return hit.pt;
    }
  }
  return null;
}

function setDays(calendar: Taking, text: string): Attempt {
  const { info, asker, description } = calendar;
  const isRange = (info.style & m.MCS_MULTISELECT) !== 0;
  const form = isRange ? 'a day as 2026-12-31, or several as 2026-12-24/2026-12-31' : 'a day as 2026-12-31';
  const days = daysIn(text);
  if (days === null || (!isRange && days[0] !== days[1])) throw unfit(description, form);
  const beyond = outside(calendar, m.MCM_GETRANGE, ...days);
  if (beyond !== null) throw unfit(description, `${form}, ${beyond}`);
  const [first, last] = [timeOf(days[0]), timeOf(days[1])];
  const most = isRange ? (asker.ask(info.hwnd, m.MCM_GETMAXSELCOUNT) ?? 0) : 0;
  if (most > 0 && dayNumber(last) - dayNumber(first) >= most)
    throw unfit(description, `${form}, and at most ${most} days`);
  const before = selectedDays(calendar);
  const send = picking(asker, info, 'calendar', days.join('/'));
  // Their page is turned to by a day next to the last one: a click on what is selected already tells the program nothing.
  const neighbour = { ...last, wDay: last.wDay > 1 ? last.wDay - 1 : 2 };
  if (!putDays(calendar, send, neighbour, neighbour)) {
    if (selectedDays(calendar) === before)
      throw unfit(description, `${form}; it refused this one, which may be out of its range`);
    return failed('message', 'the calendar did not accept the day');
  }
  const turned = selectedDays(calendar);
  const [start, end] = [first, last].map((day) => placeOfDay(calendar, day)) as [Point | null, Point | null];
  if (start !== null && end !== null) {
    click(send, start, days[0] === days[1] ? start : end);
    const now = selectedDays(calendar);
    if (now === [...new Set(days)].join('/')) return delivered('message', 'a click on the day');
    // The program has the last word.
    if (now !== turned) return delivered('message', 'a click on the day, for which its program put another');
  }
  const had = before === null ? null : daysIn(before);
  if (had !== null) putDays(calendar, send, timeOf(had[0]), timeOf(had[1]));
  return refused('message', unheard('arrows go to a day, and Page Up and Page Down to another month'));
}

function setAddress({ info, asker, description }: Filled, text: string): Attempt {
  const address = addressIn(text);
  if (address === null) throw unfit(description, 'four numbers from 0 to 255 with dots, as 192.168.0.1');
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return picking(asker, info, 'ip-address', address)(m.IPM_SETADDRESS, 0, number) === null
    ? failed('message', 'the field did not answer')
    : delivered('message', 'IPM_SETADDRESS, by which the control sends EN_CHANGE and no IPN_FIELDCHANGED');
}

/** What a picker holds, in the form of a text that was or will be put there. */
function heldTime(picker: Picker, like: string): string | null {
  if ((picker.info.style & m.DTS_SHOWNONE) !== 0 && hasDate(picker) === false) return isNoDate(like) ? like : '';
  const time = readTime(picker);
  return time === null ? null : inFormOf(like, time);
}

/** A picker that is read and set through the memory of its program. */
const inMemory = (
  held: (picker: Picker, like: string) => string | null,
  set: (picker: Taking, text: string) => Attempt,
): Pick<Driver, 'held' | 'fill'> => ({
  held({ remote, ...control }, like) {
    const memory = remote.for(control.info.hwnd);
    return memory === null ? null : held({ ...control, memory }, like);
  },
  fill({ remote, ...control }, text) {
    const memory = remote.for(control.info.hwnd);
    return memory === null
      ? failed('message', 'it is set through the memory of its program, which the policy or Windows forbids')
      : set({ ...control, memory }, text);
  },
});

export const pickers: readonly Driver[] = [
  {
    kinds: ['date-time'],
    asks: [m.DTM_GETRANGE, m.DTM_GETSYSTEMTIME],
    changes: pickedOnly(m.DTM_SETSYSTEMTIME),
    read: readDateTime,
    ...inMemory(heldTime, setDate),
  },
  {
    kinds: ['calendar'],
    asks: [m.MCM_GETCURSEL, m.MCM_GETMAXSELCOUNT, m.MCM_GETRANGE, m.MCM_GETSELRANGE, m.MCM_HITTEST],
    changes: pickedOnly(m.MCM_SETCURSEL, m.MCM_SETSELRANGE),
    read: readCalendar,
    ...inMemory(selectedDays, setDays),
  },
  {
    kinds: ['ip-address'],
    asks: [],
    changes: pickedOnly(m.IPM_SETADDRESS),
    read: readIpAddress,
    held: ({ asker, info }) => addressText(asker, info.hwnd),
    fill: setAddress,
  },
  { kinds: ['hot-key'], asks: [m.HKM_GETHOTKEY], read: readHotKey, questions: [['hot-key', m.HKM_GETHOTKEY]] },
];

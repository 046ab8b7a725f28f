/** Date, calendar, IP address and hot key. Source: learn.microsoft.com/windows/win32/controls/individual-control-info */
import * as m from '../../../native-bindings/win32/constants.ts';
import { NO_DATE } from '../../contract/element/picked.ts';
import type { RemoteMemory } from '../elements/tree/remote-memory.ts';
import type { Asker } from '../windows/ask.ts';
import { descendantsOf, readWindowInfo, type WindowInfo } from '../windows/window-info.ts';
import type { ControlReader, Driver } from './driver.ts';
import { askRemote } from './items.ts';
import { readText } from './edit.ts';

const SYSTEMTIME_BYTES = 16;

/** Whether a picker that may be without a date has one; null if it did not answer. */
export function hasDate(asker: Asker, memory: RemoteMemory, hwnd: number): boolean | null {
  const answer = askRemote(asker, memory, hwnd, m.DTM_GETSYSTEMTIME);
  return answer === null ? null : answer === m.GDT_VALID;
}

/** The date as displayed. A picker with a check mark may have none, and keeps its text then. */
const readDateTime: ControlReader = ({ info, node }, { asker, remote }) => {
  if ((info.style & m.DTS_SHOWNONE) === 0) {
    readText(node, asker);
    return;
  }
  const memory = remote.for(info.hwnd);
  const has = memory === null ? null : hasDate(asker, memory, info.hwnd);
  if (has === null) node.unread = 'value';
  else if (has) readText(node, asker);
  else node.value = NO_DATE;
  if (has === true) node.states.add('checked');
};

/** A day of a SYSTEMTIME as an ISO date; null if there is none. */
function isoDay(time: Buffer | null, at = 0): string | null {
  if (time === null || time.readUInt16LE(at) === 0) return null;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(time.readUInt16LE(at)).padStart(4, '0')}-${two(time.readUInt16LE(at + 2))}-${two(time.readUInt16LE(at + 6))}`;
}

/** The selected day as an ISO date; of several the first and the last: `2026-12-03/2026-12-05`. Null if it did not answer. */
export function selectedDays(
  { hwnd, style }: Pick<WindowInfo, 'hwnd' | 'style'>,
  asker: Asker,
  memory: RemoteMemory,
): string | null {
  const isRange = (style & m.MCS_MULTISELECT) !== 0;
  if (!askRemote(asker, memory, hwnd, isRange ? m.MCM_GETSELRANGE : m.MCM_GETCURSEL)) return null;
  const times = memory.read(0, 2 * SYSTEMTIME_BYTES);
  const first = isoDay(times);
  const last = isRange ? isoDay(times, SYSTEMTIME_BYTES) : first;
  return first === null || last === null || first === last ? first : `${first}/${last}`;
}

const readCalendar: ControlReader = ({ info, node }, { asker, remote }) => {
  const memory = remote.for(info.hwnd);
  node.value = memory === null ? null : selectedDays(info, asker, memory);
  if (node.value === null) node.unread = 'value';
};

/** The four edits inside an IP address, of which each may be blank: its own text has 0 for those. Null if it did not answer. */
export function addressText(asker: Asker, hwnd: number): string | null {
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

export const pickers: readonly Driver[] = [
  { kinds: ['date-time'], asks: [m.DTM_GETRANGE, m.DTM_GETSYSTEMTIME], read: readDateTime },
  {
    kinds: ['calendar'],
    asks: [m.MCM_GETCURSEL, m.MCM_GETMAXSELCOUNT, m.MCM_GETRANGE, m.MCM_GETSELRANGE, m.MCM_HITTEST],
    read: readCalendar,
  },
  { kinds: ['ip-address'], asks: [], read: readIpAddress },
  { kinds: ['hot-key'], asks: [m.HKM_GETHOTKEY], read: readHotKey, questions: [['hot-key', m.HKM_GETHOTKEY]] },
];

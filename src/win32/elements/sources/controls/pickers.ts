/** Date, calendar, IP address and hot key. Source: learn.microsoft.com/windows/win32/controls/individual-control-info */
import {
  HKM_GETHOTKEY,
  HOTKEYF_ALT,
  HOTKEYF_CONTROL,
  HOTKEYF_SHIFT,
  MCM_GETCURSEL,
  VK_F1,
  VK_F24,
} from '../../../../../native-bindings/win32/constants.ts';
import { descendantsOf } from '../../../windows/window-info.ts';
import { askRemote } from './items.ts';
import type { ControlReader } from './control-reader.ts';

const SYSTEMTIME_BYTES = 16;

/** The date as displayed. */
export const readDateTime: ControlReader = ({ info, node }, { asker }) => {
  node.value = asker.text(info.hwnd);
};

/** The selected day as an ISO date. */
export const readCalendar: ControlReader = ({ info, node }, { asker, remote }) => {
  const memory = remote.for(info.hwnd);
  if (memory === null || !askRemote(asker, memory, info.hwnd, MCM_GETCURSEL, 0, 0)) return;
  const time = memory.read(0, SYSTEMTIME_BYTES);
  if (time === null || time.readUInt16LE(0) === 0) return;
  const two = (value: number): string => String(value).padStart(2, '0');
  node.value = `${String(time.readUInt16LE(0)).padStart(4, '0')}-${two(time.readUInt16LE(2))}-${two(time.readUInt16LE(6))}`;
};

/** Its four fields are edits inside. */
export const readIpAddress: ControlReader = ({ info, node }, { asker }) => {
  const whole = asker.text(info.hwnd);
  node.value =
    whole !== null && whole !== ''
      ? whole
      : descendantsOf(info.hwnd)
          .map((field) => asker.text(field) ?? '')
          .reverse()
          .join('.');
};

const MODIFIERS = [
  [HOTKEYF_CONTROL, 'Ctrl'],
  [HOTKEYF_SHIFT, 'Shift'],
  [HOTKEYF_ALT, 'Alt'],
] as const;

/** A virtual-key code in its usual spelling. */
function keyName(code: number): string {
  if (code >= 0x30 && code <= 0x5a) return String.fromCharCode(code);
  return code >= VK_F1 && code <= VK_F24 ? `F${code - VK_F1 + 1}` : `0x${code.toString(16)}`;
}

export const readHotKey: ControlReader = ({ info, node }, { asker }) => {
  const key = asker.ask(info.hwnd, HKM_GETHOTKEY);
  if (key === null) return;
  const code = key & 0xff;
  const modifiers = (key >> 8) & 0xff;
  node.value =
    code === 0
      ? ''
      : [...MODIFIERS.flatMap(([bit, name]) => ((modifiers & bit) === 0 ? [] : [name])), keyName(code)].join('+');
};

import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { windowClass } from './describe.ts';
import { windowThread } from './handle.ts';
import { processCreated } from './process.ts';

/** The window of a record as the number that the native calls take. */
export function recordHwnd(record: BindingRecord): number {
  return Number(record.hwnd);
}

/** Whether the handle still names the window of the record: same process (not a reused pid), thread and class. */
export function isSameWindow(record: BindingRecord): boolean {
  const hwnd = recordHwnd(record);
  const { pid, threadId } = windowThread(hwnd);
  return pid === record.pid && threadId === record.threadId && windowClass(hwnd) === record.className
    && (processCreated(pid) ?? '0') === record.processCreated;
}

/** The record's window, or window_gone. What every topic calls before it touches the window. */
export function liveWindow(record: BindingRecord): number {
  const hwnd = recordHwnd(record);
  if (!user32.IsWindow(hwnd)) {
    throw new UiaHostError('window_gone', `The window “${record.title}” (${record.hwnd}) no longer exists.`);
  }
  if (!isSameWindow(record)) {
    throw new UiaHostError('window_gone', `The window “${record.title}” (${record.hwnd}) no longer exists; its handle now names another window.`);
  }
  return hwnd;
}

import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/quoted.ts';
import { isClassicConsole } from './terminal-kinds.ts';
import { windowClass } from './describe.ts';
import { windowThread } from './handle.ts';
import { processCreated } from '../system/process.ts';

/** The window of a record as the number that the native calls take. */
export function recordHwnd(record: BindingRecord): number {
  return Number(record.hwnd);
}

/**
 * Whether the handle still names the window of the record: same process (not a reused pid), thread and class. Windows names
 * a console's window by the first program in it, and by another one when that has ended: then it is not the same either,
 * since what was granted, asked and denied was about that program, and its rights were looked at.
 */
export function isSameWindow(record: BindingRecord): boolean {
  const hwnd = recordHwnd(record);
  const { pid, threadId } = windowThread(hwnd);
  return (
    pid === record.pid &&
    threadId === record.threadId &&
    windowClass(hwnd) === record.className &&
    (processCreated(pid) ?? '0') === record.processCreated
  );
}

/** The record's window, or window_gone. What every topic calls before it touches the window. */
export function liveWindow(record: BindingRecord): number {
  const hwnd = recordHwnd(record);
  if (!user32.IsWindow(hwnd)) {
    throw new UiaHostError('window_gone', `The window ${quoted(record.title)} (${record.hwnd}) no longer exists.`);
  }
  if (!isSameWindow(record) && isClassicConsole(record) && windowClass(hwnd) === record.className) {
    throw new UiaHostError(
      'window_gone',
      `The console ${quoted(record.title)} (${record.hwnd}) is not that of the program any more that it was bound with: that one has ended and another goes on in it, or the handle was given to another console.`,
      {
        hint: 'Bind the console again by its hwnd: grants and questions are then about the program that is in it now.',
      },
    );
  }
  if (!isSameWindow(record)) {
    throw new UiaHostError(
      'window_gone',
      `The window ${quoted(record.title)} (${record.hwnd}) no longer exists; its handle now names another window.`,
    );
  }
  return hwnd;
}

/**
 * Windows' event log (Application), as a witness beside our own files: a program of the user can add to it and cannot change it.
 * A call there waits for a service, so both run on a thread of their own.
 * Source: learn.microsoft.com/windows/win32/eventlog/event-logging-functions
 */
import { setTimeout as wait } from 'node:timers/promises';
import { addressOf } from '../../../native-bindings/library.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';

const EVENTLOG_INFORMATION_TYPE = 4;
/** One line of text is all that our events say. */
const EVENT_ID = 1;
/** The service writes in the background; the number of records follows. */
const LOOKS_MS = [0, 50, 200, 500] as const;

/** The number that the next record of the log will get; null where the log cannot be read. */
async function nextRecord(): Promise<number | null> {
  const log = await advapi32.OpenEventLogW.async(null, 'Application');
  if (log === 0) return null;
  try {
    const oldest = Buffer.alloc(4);
    const count = Buffer.alloc(4);
    if (
      !(await advapi32.GetOldestEventLogRecord.async(log, oldest)) ||
      !(await advapi32.GetNumberOfEventLogRecords.async(log, count))
    )
      return null;
    return oldest.readUInt32LE(0) + count.readUInt32LE(0);
  } finally {
    await advapi32.CloseEventLog.async(log);
  }
}

/**
 * Writes one event. True where the log is longer afterwards; false where Windows refused it, or took it and kept nothing. A source
 * that is not registered is fine: the Event Viewer then says that it has no description for it, and shows the text.
 */
export async function writeEvent(source: string, text: string): Promise<boolean> {
  const before = await nextRecord();
  const handle = await advapi32.RegisterEventSourceW.async(null, source);
  if (handle === 0) return false;
  try {
    const line = Buffer.from(`${text}\0`, 'utf16le');
    const strings = Buffer.alloc(8);
    strings.writeBigUInt64LE(addressOf(line));
    if (!(await advapi32.ReportEventW.async(handle, EVENTLOG_INFORMATION_TYPE, 0, EVENT_ID, null, 1, 0, strings, null)))
      return false;
    // Read here so that neither is collected before the call is over.
    if (line.length === 0 || strings.length === 0) return false;
  } finally {
    await advapi32.DeregisterEventSource.async(handle);
  }
  for (const pause of LOOKS_MS) {
    await wait(pause);
    const after = await nextRecord();
    if (before !== null && after !== null && after > before) return true;
  }
  return false;
}

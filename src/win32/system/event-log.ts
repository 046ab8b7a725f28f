/**
 * The Windows event log (Application), as evidence outside our own files: the user's programs can append to it but not change it.
 * Its calls wait for a service, so they run asynchronously on another thread.
 * Source: learn.microsoft.com/windows/win32/eventlog/event-logging-functions
 */
import { setTimeout as wait } from 'node:timers/promises';
import { addressOf } from '../../../native-bindings/library.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import {
  EVENTLOG_ERROR_TYPE,
  EVENTLOG_INFORMATION_TYPE,
  EVENTLOG_WARNING_TYPE,
} from '../../../native-bindings/win32/constants.ts';

/** The audit's own event: a line of text. */
const EVENT_ID = 1;

export type EventLevel = 'info' | 'warning' | 'error';
const KINDS: Readonly<Record<EventLevel, number>> = {
  info: EVENTLOG_INFORMATION_TYPE,
  warning: EVENTLOG_WARNING_TYPE,
  error: EVENTLOG_ERROR_TYPE,
};
/** Pauses between reads of the record count: the service writes in the background. */
const PAUSES_MS = [0, 50, 200, 500] as const;

/** Number of the log's next record; null if the log cannot be read. */
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
 * Writes one event, a line of text; whether Windows accepted it. The source need not be registered: the Event Viewer then shows the
 * text with a note that the description is missing.
 */
export async function reportEvent(source: string, level: EventLevel, id: number, text: string): Promise<boolean> {
  const handle = await advapi32.RegisterEventSourceW.async(null, source);
  if (handle === 0) return false;
  try {
    const line = Buffer.from(`${text}\0`, 'utf16le');
    const strings = Buffer.alloc(8);
    strings.writeBigUInt64LE(addressOf(line));
    const isAccepted = await advapi32.ReportEventW.async(handle, KINDS[level], 0, id, null, 1, 0, strings, null);
    // Read here so that neither buffer is collected before the call returns.
    return isAccepted && line.length > 0 && strings.length > 0;
  } finally {
    await advapi32.DeregisterEventSource.async(handle);
  }
}

/**
 * Writes one event and checks that it is kept. True if the log has grown; false if Windows refused the event, or accepted it without storing it.
 */
export async function writeEvent(source: string, text: string): Promise<boolean> {
  const before = await nextRecord();
  if (!(await reportEvent(source, 'info', EVENT_ID, text))) return false;
  for (const pause of PAUSES_MS) {
    await wait(pause);
    const after = await nextRecord();
    if (before !== null && after !== null && after > before) return true;
  }
  return false;
}

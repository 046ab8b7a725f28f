/**
 * The Windows event log (Application), as evidence outside our own files: the user's programs can append to it but not change it.
 * Its calls wait for a service, so they run asynchronously on another thread.
 * Source: learn.microsoft.com/windows/win32/eventlog/event-logging-functions
 */
import { setTimeout as wait } from 'node:timers/promises';
import { addressOf, text16 } from '../../../native-bindings/library.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { EVENTLOGRECORD } from '../../../native-bindings/win32/structs.ts';

/** The audit's own event: a line of text. */
const EVENT_ID = 1;

export type EventLevel = 'info' | 'warning' | 'error';
const KINDS: Readonly<Record<EventLevel, number>> = {
  info: m.EVENTLOG_INFORMATION_TYPE,
  warning: m.EVENTLOG_WARNING_TYPE,
  error: m.EVENTLOG_ERROR_TYPE,
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

// Reads events of one source from the Application log, the newest first. It may wait for a service, so it runs
// asynchronously.

export interface LoggedEvent {
  readonly time: string;
  readonly id: number;
  /** 1 error, 2 warning, 4 information. */
  readonly type: number;
  readonly text: string;
}

const BUFFER_BYTES = 64 * 1024;
/** The log may hold millions of other programs' events. */
const MOST_READ = 20_000;

/** At most `most` events; empty where the log cannot be read. Source: learn.microsoft.com/windows/win32/api/winbase/nf-winbase-readeventlogw */
export async function readEvents(source: string, most: number): Promise<LoggedEvent[]> {
  const log = await advapi32.OpenEventLogW.async(null, 'Application');
  if (log === 0) return [];
  const events: LoggedEvent[] = [];
  try {
    const memory = Buffer.alloc(BUFFER_BYTES);
    const [read, needed] = [Buffer.alloc(4), Buffer.alloc(4)];
    const how = m.EVENTLOG_BACKWARDS_READ | m.EVENTLOG_SEQUENTIAL_READ;
    for (let seen = 0; seen < MOST_READ && events.length < most;) {
      if (!(await advapi32.ReadEventLogW.async(log, how, 0, memory, memory.length, read, needed))) break;
      const bytes = read.readUInt32LE(0);
      for (let at = 0; at + EVENTLOGRECORD.size <= bytes && events.length < most; seen += 1) {
        const record = memory.subarray(at);
        const { Length, TimeGenerated, EventID, EventType, NumStrings, StringOffset } = EVENTLOGRECORD.read(record);
        if (Length < EVENTLOGRECORD.size) return events;
        if (text16(record.subarray(EVENTLOGRECORD.size, Length)) === source)
          events.push({
            time: new Date(TimeGenerated * 1000).toISOString(),
            id: EventID & 0xffff,
            type: EventType,
            text: NumStrings === 0 ? '' : text16(record.subarray(StringOffset, Length)),
          });
        at += Length;
      }
      if (bytes === 0) break;
    }
  } finally {
    await advapi32.CloseEventLog.async(log);
  }
  return events;
}

/** Reads events of one source from the Application log, the newest first. It may wait for a service, so it runs asynchronously. */
import { text16 } from '../../../native-bindings/library.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import { EVENTLOG_BACKWARDS_READ, EVENTLOG_SEQUENTIAL_READ } from '../../../native-bindings/win32/constants.ts';
import { EVENTLOGRECORD } from '../../../native-bindings/win32/structs.ts';

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
    const how = EVENTLOG_BACKWARDS_READ | EVENTLOG_SEQUENTIAL_READ;
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

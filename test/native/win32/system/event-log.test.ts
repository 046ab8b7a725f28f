/** The event log as a witness: a reported event agrees with the log's own numbers. */
import { describe, expect, it } from 'vitest';
import { advapi32 } from '../../../../native-bindings/win32/advapi32.ts';
import { writeEvent } from '../../../../src/win32/system/event-log.ts';

/** Number of the next record of the log Application; null where it cannot be read. */
function nextNumber(): number | null {
  const log = advapi32.OpenEventLogW(null, 'Application');
  if (log === 0) return null;
  try {
    const oldest = Buffer.alloc(4);
    const count = Buffer.alloc(4);
    const isRead = advapi32.GetOldestEventLogRecord(log, oldest) && advapi32.GetNumberOfEventLogRecords(log, count);
    return isRead ? oldest.readUInt32LE(0) + count.readUInt32LE(0) : null;
  } finally {
    advapi32.CloseEventLog(log);
  }
}

describe('the event log', () => {
  it('an event counts as kept exactly where the log is longer afterwards', async () => {
    const before = nextNumber();
    const isKept = await writeEvent('uiahost', 'uiahost test: an event of the tests.');
    const after = nextNumber();
    expect({ before, after, isKept }).toEqual({
      before,
      after,
      isKept: before !== null && after !== null && after > before,
    });
  });

  it('two at once harm neither', async () => {
    const [one, two] = await Promise.all([
      writeEvent('uiahost', 'uiahost test: one.'),
      writeEvent('uiahost', 'uiahost test: “two”, \u{1F600}.'),
    ]);
    expect(one).toBe(two);
  });
});

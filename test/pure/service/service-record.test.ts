/** What the service keeps: read back by a later service, also after a service that was killed while it wrote. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readRecord, Recorder } from '../../../src/service/service-record.ts';

const folder = mkdtempSync(join(tmpdir(), 'uiahost-record-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the next service reads the record of a killed service, and removes its unfinished file', () => {
  const event = { time: '2026-01-02T03:04:05.000Z', level: 'info', id: 10, text: 'The service runs.' } as const;
  {
    using recorder = new Recorder(folder);
    recorder.note(event);
    recorder.save([], [{ session: 1, pid: 7, created: '123' }]);
  }
  writeFileSync(join(folder, '.tmp-124-27130736-5f22-4d5d-b369-4eb0303e0d23'), '{ "pid": ');
  using next = new Recorder(folder);
  expect(readdirSync(folder).toSorted()).toEqual(['service.log', 'status.json']);
  expect(readRecord(folder)).toMatchObject({ events: [event], processes: [{ session: 1, pid: 7, created: '123' }] });
  next.save([], []);
  expect(readRecord(folder)?.events).toEqual([event]);
});

/** The order in which log, checkpoint and anchor reach the disk. */
import type * as FileSystem from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { auditService } from '../../../src/audit/log.ts';
import { verifyAuditLog } from '../../../src/audit/verify.ts';
import { scratch } from '../store/scratch.ts';

/** What was done on the disk, in order. */
const done = vi.hoisted((): string[] => []);
vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof FileSystem>();
  const names = new Map<number, string>();
  const nameOf = (fd: number): string => names.get(fd) ?? 'other';
  return {
    ...fs,
    openSync(...args: Parameters<typeof fs.openSync>) {
      const fd = fs.openSync(...args);
      names.set(
        fd,
        String(args[0]).endsWith('.jsonl')
          ? 'records'
          : String(args[0]).endsWith('checkpoint')
            ? 'checkpoint'
            : 'other',
      );
      return fd;
    },
    writeSync(...args: Parameters<typeof fs.writeSync>) {
      done.push(`write ${nameOf(args[0])}`);
      return fs.writeSync(...args);
    },
    fdatasyncSync(fd: number) {
      done.push(`sync ${nameOf(fd)}`);
      fs.fdatasyncSync(fd);
    },
    fsyncSync(fd: number) {
      done.push(`sync ${nameOf(fd)}`);
      fs.fsyncSync(fd);
    },
  };
});

describe('the order on the disk', () => {
  let address: { directory: string; keyFile: string };
  let service: ReturnType<typeof auditService>;
  const append = (): void => {
    const results = service.handle([
      {
        method: 'append',
        args: [address, JSON.stringify({ kind: 'request', actor: { tokenId: null, surface: 'host' } })],
      },
    ]);
    expect(results).toEqual([{ value: expect.objectContaining({ hash: expect.any(String) }) }]);
  };
  const afterwards = (work: () => void): string[] => {
    done.length = 0;
    work();
    return done.filter((each) => !each.endsWith('other'));
  };
  beforeEach(() => {
    const data = scratch();
    address = { directory: join(data, 'audit'), keyFile: join(data, 'audit.key') };
    service = auditService();
    append();
    service.settle();
  });

  test('an entry is acknowledged once its record is synced and the checkpoint has moved; that is synced afterwards', () => {
    expect(afterwards(append)).toEqual(['write records', 'sync records', 'write checkpoint']);
    expect(afterwards(() => service.settle())).toEqual(['sync checkpoint']);
    expect(afterwards(() => service.settle())).toEqual([]);
  });

  test('and in any case before the next record is written, so that it is never more than one flush behind', async () => {
    append();
    expect(afterwards(append)).toEqual(['sync checkpoint', 'write records', 'sync records', 'write checkpoint']);
    expect(afterwards(() => service.close())).toEqual(['sync checkpoint', 'write checkpoint', 'sync checkpoint']);
    expect(await verifyAuditLog(address)).toMatchObject({ ok: true, records: 3, ahead: 0 });
  });
});

/** The audit log as the host uses it: append, read and verify, in the store’s thread or in the calling one. */
import { UiaHostError } from '../contract/errors.ts';
import { parseAnchor } from './anchor.ts';
import type { AuditEntryInput, AuditLog, AuditOpenReport, AuditReceipt } from './entry.ts';
import { DAMAGE_ACTION } from './judge.ts';
import { readAuditLog } from './read.ts';
import { AUDIT_SERVICE, auditService, type AuditAddress, type AuditCall } from './service.ts';
import { verifyAuditLog } from './verify.ts';

export type { AuditEntryInput, AuditLog, AuditOpenReport, AuditReceipt } from './entry.ts';

/** The part of a store that the audit uses: its thread. */
interface AuditThread {
  call(service: string, method: string, args: readonly unknown[]): Promise<unknown>;
}

export interface AuditLogOptions extends AuditAddress {
  /** The store's thread (`store.thread`). Without one the log is written in this thread, which then waits for the disk. */
  readonly thread?: AuditThread;
  /** The anchor in that thread's database; if given, the log is compared with it. */
  readonly anchor?: () => Promise<string | null>;
}

/** Writes in this thread; requests of one turn of the event loop share a flush. */
function ownThread(): AuditThread {
  const service = auditService();
  interface Pending extends AuditCall {
    readonly settle: (result: { value: unknown } | { error: unknown }) => void;
  }
  let queue: Pending[] = [];
  const run = (): void => {
    const batch = queue;
    queue = [];
    service.handle(batch).forEach((result, index) => batch[index]?.settle(result));
    service.settle();
  };
  return {
    call: (_service, method, args) =>
      new Promise((resolve, reject) => {
        if (queue.length === 0) setImmediate(run);
        queue.push({
          method,
          args,
          settle: (result) => ('error' in result ? reject(result.error) : resolve(result.value)),
        });
      }),
  };
}

/** Refuses entries that only the log itself may write, and anything that is not plain data. */
function encode(entry: AuditEntryInput): string {
  if (entry.action === DAMAGE_ACTION) {
    throw new UiaHostError(
      'invalid_argument',
      `\`${DAMAGE_ACTION}\` is written by the log itself; nothing was recorded.`,
    );
  }
  try {
    return JSON.stringify(entry);
  } catch (error) {
    throw new UiaHostError('invalid_argument', 'The entry is not plain data; nothing was recorded.', { cause: error });
  }
}

/**
 * The audit log of a data directory. Creating one touches nothing: reading and verifying work next to a running host and
 * without one; the first `append` (or `open`) opens the log for writing, which only the one running host may.
 */
export function createAuditLog(options: AuditLogOptions): AuditLog {
  const { thread = ownThread(), anchor, ...given } = options;
  const address: AuditAddress = { ...given, ...(anchor === undefined ? {} : { isAnchored: true }) };
  const call = (method: string, ...args: unknown[]): Promise<unknown> =>
    thread.call(AUDIT_SERVICE, method, [address, ...args]).catch((error: unknown) => {
      if (error instanceof UiaHostError && error.code !== 'internal') throw error;
      throw new UiaHostError(
        'audit_unavailable',
        'The audit’s thread does not answer; the entry may not have been recorded, so its action must not run.',
        { cause: error },
      );
    });
  return {
    open: async () => (await call('open')) as AuditOpenReport,
    append: async (entry) => (await call('append', encode(entry))) as AuditReceipt,
    read: (query) => readAuditLog(address.directory, query),
    // The anchor first: what the database knows was in the log before.
    verify: async () => verifyAuditLog({ ...given, anchor: parseAnchor((await anchor?.()) ?? null) }),
    close: async () => {
      await call('close');
    },
  };
}

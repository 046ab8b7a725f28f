/** The audit log as the host uses it: append, read and verify, in the store’s thread or in this one. */
import { UiaHostError } from '../contract/errors.ts';
import { parseAnchor } from './anchor.ts';
import type { AuditEntryInput, AuditLog, AuditOpenReport, AuditReceipt } from './entry.ts';
import { DAMAGE_ACTION } from './judge.ts';
import { readAuditLog } from './read.ts';
import { AUDIT_SERVICE, auditService, type AuditAddress, type AuditCall } from './service.ts';
import { verifyAuditLog } from './verify.ts';

export type {
  AuditEntry,
  AuditEntryInput,
  AuditFault,
  AuditKind,
  AuditLog,
  AuditOpenReport,
  AuditPage,
  AuditReceipt,
  AuditVerification,
  PlainTextDigest,
  TextDigest,
} from './entry.ts';

/** The part of a store that the audit uses: its thread. */
export interface AuditThread {
  call(service: string, method: string, args: readonly unknown[]): Promise<unknown>;
}

export interface AuditLogOptions extends AuditAddress {
  /** The store's thread (`store.thread`). Without one the log is written here, which makes this thread wait for the disk. */
  readonly thread?: AuditThread;
  /** What the database of that thread keeps of how far the log reaches; given, the log is compared with it. */
  readonly anchor?: () => Promise<string | null>;
}

/** Writes in this thread; what is asked in one turn of the event loop shares a flush. */
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

/** What is refused before it reaches the log: entries that only the log itself writes, and what is not plain data. */
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
 * The audit log of a data directory. Making one touches nothing: reading and verifying work next to a running host and
 * without one; the first `append` (or `open`) takes the log for writing, which only the one running host may.
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
    // The anchor first: what is in the database was in the log before.
    verify: async () => verifyAuditLog({ ...given, anchor: parseAnchor((await anchor?.()) ?? null) }),
    close: async () => {
      await call('close');
    },
  };
}

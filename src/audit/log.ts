/**
 * The audit log: as the host uses it (append, read, verify), and as a service of the store’s thread, which flushes
 * entries that arrive together at one time.
 */
import { badInput, UiaHostError } from '../contract/errors.ts';
import { parseAnchor, type Anchor, type AnchorKeeper } from './anchor.ts';
import type { AuditEntryInput, AuditLog, AuditOpenReport, AuditReceipt } from './entry.ts';
import { CUT_ACTION, DAMAGE_ACTION } from './chain-judge.ts';
import { readAuditLog } from './files.ts';
import { verifyAuditLog } from './verify.ts';
import { AuditWriter } from './writer.ts';
import { attempt } from '../contract/attempt.ts';

export type { AuditEntryInput, AuditLog, AuditOpenReport, AuditReceipt } from './entry.ts';

/** The part of a store that the audit uses: its thread. */
interface AuditThread {
  call(service: string, method: string, args: readonly unknown[]): Promise<unknown>;
}

interface AuditLogOptions extends AuditAddress {
  /** The store's thread (`store.thread`). */
  readonly thread: AuditThread;
  /** The anchor in that thread's database; if given, the log is compared with it. */
  readonly anchor?: () => Promise<string | null>;
}

/** Refuses entries that only the log itself may write, and anything that is not plain data. */
function encode(entry: AuditEntryInput): string {
  if (entry.action === DAMAGE_ACTION || entry.action === CUT_ACTION) {
    throw badInput(`\`${entry.action}\` is written by the log itself; nothing was recorded.`);
  }
  try {
    return JSON.stringify(entry);
  } catch (error) {
    throw badInput('The entry is not plain data; nothing was recorded.', { cause: error });
  }
}

/**
 * The audit log of a data directory. Creating one touches nothing: reading and verifying work next to a running host and
 * without one; the first `append` (or `open`) opens the log for writing, which only the one running host may.
 */
export function createAuditLog(options: AuditLogOptions): AuditLog {
  const { thread, anchor, ...given } = options;
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
    cut: async (days) => (await call('cut', days)) as number,
    close: async () => {
      await call('close');
    },
  };
}

interface AuditCall {
  readonly method: string;
  readonly args: readonly unknown[];
}
type AuditCallResult = { readonly value: unknown } | { readonly error: unknown };

/** Name of the service in the store's thread. */
const AUDIT_SERVICE = 'audit';

/** Where a log is, as it crosses into the thread. */
interface AuditAddress {
  readonly directory: string;
  readonly keyFile: string;
  readonly maxFileBytes?: number;
  readonly segmentRecords?: number;
  /** Whether the store's database keeps an anchor of it. */
  readonly isAnchored?: boolean;
}

/**
 * The audit as a service of the store's thread, which has one log. Entries that arrive together are flushed together. The writer
 * opens itself, and reopens after a failure: once the disk works again, the next entry is written.
 */
export function auditService(anchors: AnchorKeeper | null = null): {
  handle(calls: readonly AuditCall[]): AuditCallResult[];
  settle(): void;
  idle(): void;
  close(): void;
} {
  let writer: AuditWriter | null = null;
  let due: Anchor | null = null;

  const close = (): void => {
    const closed = writer;
    writer = null;
    closed?.close();
  };
  /** The state on disk is now uncertain: reopening determines it. */
  const drop = (): void => {
    const dropped = writer;
    writer = null;
    // The first error explains the failure; a failing close adds nothing.
    attempt(() => dropped?.abandon(), undefined);
  };
  /** After the record: what the database notes was in the log before, whenever the host is killed. */
  const keepAnchor = (): void => {
    if (due !== null && anchors?.keep(due) === true) due = null;
  };
  const opened = ({ isAnchored, ...options }: AuditAddress): AuditWriter =>
    AuditWriter.open({ ...options, ...(isAnchored === true && anchors !== null ? { anchor: anchors.kept } : {}) });

  /** Calls of one method, all or none. */
  const run = (method: string, address: AuditAddress, calls: readonly AuditCall[]): AuditCallResult[] => {
    try {
      if (method === 'close') {
        close();
        return calls.map(() => ({ value: null }));
      }
      const open = (writer ??= opened(address));
      // Entries cross as JSON text: what cannot be written as such was refused before it came here.
      const given = calls.map(({ args }) => (method === 'append' ? JSON.parse(String(args[1])) : args[1]) as unknown);
      const values: readonly unknown[] =
        method === 'append'
          ? open.append(given as AuditEntryInput[])
          : given.map((days) => (method === 'cut' ? open.cut(Number(days)) : open.opened));
      if (address.isAnchored === true) due = open.anchor ?? due;
      return values.map((value) => ({ value }));
    } catch (error) {
      drop();
      const failure = unavailable(address.directory, error);
      return calls.map(() => ({ error: failure }));
    }
  };

  return {
    handle(calls) {
      const results: AuditCallResult[] = [];
      // Neighbours of one kind go together; their order among the others stays.
      for (let first = calls[0]; first !== undefined; first = calls[results.length]) {
        const { method, args } = first;
        const rest = calls.slice(results.length);
        const end = rest.findIndex((call) => call.method !== method);
        results.push(...run(method, args[0] as AuditAddress, end === -1 ? rest : rest.slice(0, end)));
      }
      return results;
    },
    settle() {
      // A failure shows at the next entry.
      try {
        writer?.settle();
      } catch {
        drop();
      }
      keepAnchor();
    },
    idle: () => undefined,
    close() {
      keepAnchor();
      close();
    },
  };
}

const unavailable = (directory: string, error: unknown): UiaHostError =>
  new UiaHostError(
    'audit_unavailable',
    `The audit in ${directory} cannot be written (${error instanceof Error ? error.message : String(error)}). The entry was not recorded, so its action must not run.`,
    { cause: error },
  );

/**
 * The audit log: as the host uses it (append, read, verify), and as a service of the store’s thread, which flushes
 * entries that arrive together at one time.
 */
import { UiaHostError } from '../contract/errors.ts';
import { parseAnchor, type Anchor, type AnchorKeeper } from './anchor.ts';
import type { AuditEntryInput, AuditLog, AuditOpenReport, AuditReceipt } from './entry.ts';
import { CUT_ACTION, DAMAGE_ACTION } from './chain-judge.ts';
import { readAuditLog } from './files.ts';
import { verifyAuditLog } from './verify.ts';
import { AuditWriter, type AuditWriterOptions } from './writer.ts';
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
    throw new UiaHostError(
      'invalid_argument',
      `\`${entry.action}\` is written by the log itself; nothing was recorded.`,
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

/** The audit as a service of the store's thread. Entries that arrive together are flushed together. */
export function auditService(anchors: AnchorKeeper | null = null): {
  handle(calls: readonly AuditCall[]): AuditCallResult[];
  settle(): void;
  idle(): void;
  close(): void;
} {
  const appenders = new Map<string, AuditAppender>();
  let due: Anchor | null = null;
  const appenderOf = (address: AuditAddress): AuditAppender => {
    let appender = appenders.get(address.directory);
    if (appender === undefined) {
      const { isAnchored, ...options } = address;
      appenders.set(
        address.directory,
        (appender = new AuditAppender({
          ...options,
          ...(isAnchored === true && anchors !== null ? { anchor: anchors.kept } : {}),
        })),
      );
    }
    return appender;
  };
  /** After the record: what the database notes was in the log before, whenever the host is killed. */
  const keepAnchor = (): void => {
    if (due !== null && anchors?.keep(due) === true) due = null;
  };
  const noteAnchor = (appender: AuditAppender, { isAnchored }: AuditAddress): void => {
    if (isAnchored === true) due = appender.anchor ?? due;
  };

  const run = (appender: AuditAppender, method: string, calls: readonly AuditCall[]): AuditCallResult[] => {
    try {
      if (method === 'append') {
        // Entries cross as JSON text: what cannot be written as such was refused before it came here.
        const receipts = appender.append(calls.map(({ args }) => JSON.parse(String(args[1])) as AuditEntryInput));
        return receipts.map((value) => ({ value }));
      }
      if (method === 'cut') return calls.map(({ args }) => ({ value: appender.cut(Number(args[1])) }));
      if (method === 'open') return calls.map(() => ({ value: appender.open() }));
      if (method === 'close') appender.close();
      return calls.map(() => ({ value: null }));
    } catch (error) {
      return calls.map(() => ({ error }));
    }
  };

  return {
    handle(calls) {
      const results: AuditCallResult[] = [];
      const keyOf = (call: AuditCall): string => `${call.method} ${(call.args[0] as AuditAddress).directory}`;
      // Neighbours of one kind go together; their order among the others stays.
      for (let start = 0, end = 0; start < calls.length; start = end) {
        const group = calls.slice(start, start + 1);
        const [first] = group;
        if (first === undefined) break;
        for (end = start + 1; end < calls.length; end += 1) {
          const call = calls[end];
          if (call === undefined || keyOf(call) !== keyOf(first)) break;
          group.push(call);
        }
        const address = first.args[0] as AuditAddress;
        const appender = appenderOf(address);
        results.push(...run(appender, first.method, group));
        noteAnchor(appender, address);
      }
      return results;
    },
    settle() {
      for (const appender of appenders.values()) appender.settle();
      keepAnchor();
    },
    idle: () => undefined,
    close() {
      keepAnchor();
      for (const appender of appenders.values()) appender.close();
      appenders.clear();
    },
  };
}

const unavailable = (directory: string, error: unknown): UiaHostError =>
  new UiaHostError(
    'audit_unavailable',
    `The audit in ${directory} cannot be written (${error instanceof Error ? error.message : String(error)}). The entry was not recorded, so its action must not run.`,
    { cause: error },
  );

/** A writer that opens itself, and reopens after a failure: once the disk works again, the next entry is written. */
class AuditAppender {
  readonly #options: AuditWriterOptions;
  #writer: AuditWriter | null = null;

  constructor(options: AuditWriterOptions) {
    this.#options = options;
  }

  /** Errors: audit_unavailable. */
  open(): AuditOpenReport {
    return this.#guard((writer) => writer.opened);
  }

  /** All or none. Errors: audit_unavailable. */
  append(entries: readonly AuditEntryInput[]): AuditReceipt[] {
    return this.#guard((writer) => writer.append(entries));
  }

  /** Errors: audit_unavailable. */
  cut(days: number): number {
    return this.#guard((writer) => writer.cut(days));
  }

  /** Anchor of the newest acknowledged record; null if nothing is open. */
  get anchor(): Anchor | null {
    return this.#writer?.anchor ?? null;
  }

  /** Completes on disk what was already acknowledged. A failure shows at the next entry. */
  settle(): void {
    try {
      this.#writer?.settle();
    } catch {
      this.#drop();
    }
  }

  close(): void {
    this.#writer?.close();
    this.#writer = null;
  }

  #guard<T>(use: (writer: AuditWriter) => T): T {
    try {
      this.#writer ??= AuditWriter.open(this.#options);
      return use(this.#writer);
    } catch (error) {
      this.#drop();
      throw unavailable(this.#options.directory, error);
    }
  }

  /** The state on disk is now uncertain: reopening determines it. */
  #drop(): void {
    const writer = this.#writer;
    this.#writer = null;
    // The first error explains the failure; a failing close adds nothing.
    attempt(() => writer?.abandon(), undefined);
  }
}

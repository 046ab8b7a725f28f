/** The audit as a service of the store’s thread, which flushes entries that arrive together at one time. */
import { UiaHostError } from '../contract/errors.ts';
import type { Anchor, AnchorKeeper } from './anchor.ts';
import type { AuditEntryInput, AuditOpenReport, AuditReceipt } from './entry.ts';
import { AuditWriter, type AuditWriterOptions } from './writer.ts';

export interface AuditCall {
  readonly method: string;
  readonly args: readonly unknown[];
}
export type AuditCallResult = { readonly value: unknown } | { readonly error: unknown };

/** Name of the service in the store's thread. */
export const AUDIT_SERVICE = 'audit';

/** Where a log is, as it crosses into the thread. */
export interface AuditAddress {
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
    try {
      writer?.abandon();
    } catch {
      // The first error explains the failure; a failing close adds nothing.
    }
  }
}

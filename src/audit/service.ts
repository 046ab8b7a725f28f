/** The audit as a service of the store’s thread, which flushes entries that arrive together at one time. */
import type { Anchor } from './anchor.ts';
import { AuditAppender } from './appender.ts';
import type { AuditEntryInput } from './entry.ts';

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
export function auditService(kept: () => Anchor | null = () => null): {
  dueAnchor(): Anchor | null;
  anchored(anchor: Anchor): void;
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
        (appender = new AuditAppender({ ...options, ...(isAnchored === true ? { anchor: kept } : {}) })),
      );
    }
    return appender;
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
    dueAnchor: () => due,
    anchored(anchor) {
      if (due === anchor) due = null;
    },
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
    },
    idle: () => undefined,
    close() {
      for (const appender of appenders.values()) appender.close();
      appenders.clear();
    },
  };
}

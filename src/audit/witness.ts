/** Reports to a place outside the data directory, from time to time, how far the audit reaches. */
import type { AuditLog, AuditReceipt } from './entry.ts';

/** At least this often, so that what was rewritten and not yet told is little: an hour, or some hundred actions. */
const EVERY_RECORDS = 1000;
const EVERY_MS = 3_600_000;
/** What an ending host waits for the last report. */
const LAST_MS = 2000;

/** `failed`: the last report was refused, or nothing was kept. */
export type WitnessState = 'waiting' | 'kept' | 'failed';

export interface WitnessOptions {
  /** Names the audit in the report. */
  readonly directory: string;
  /** True where it was kept. It may reject. */
  report(text: string): Promise<boolean>;
}

/**
 * The same log, which reports its first record, then regularly by number and each hour, and the last one. A failed
 * report harms nothing.
 */
export function witnessed(
  log: AuditLog,
  { directory, report }: WitnessOptions,
): { readonly log: AuditLog; state(): WitnessState } {
  let state: WitnessState = 'waiting';
  let head: AuditReceipt | null = null;
  let reportedSeq: number | null = null;
  let underWay: Promise<void> | null = null;

  const send = async ({ seq, hash }: AuditReceipt): Promise<void> => {
    reportedSeq = seq;
    const isKept = await report(`uiahost audit in ${directory}: record ${seq} has the hash ${hash}.`).catch(
      () => false,
    );
    state = isKept ? 'kept' : 'failed';
  };
  const tell = (): Promise<void> => {
    if (underWay !== null) return underWay;
    if (head === null || head.seq === reportedSeq) return Promise.resolve();
    underWay = send(head).finally(() => {
      underWay = null;
    });
    return underWay;
  };
  const hourly = setInterval(() => {
    void tell();
  }, EVERY_MS);
  hourly.unref();

  return {
    state: () => state,
    log: {
      ...log,
      async append(entry) {
        const receipt = await log.append(entry);
        if (head === null || receipt.seq > head.seq) head = receipt;
        if (reportedSeq === null || head.seq - reportedSeq >= EVERY_RECORDS) void tell();
        return receipt;
      },
      async close() {
        clearInterval(hourly);
        await log.close();
        let timer: ReturnType<typeof setTimeout> | undefined;
        const late = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, LAST_MS);
        });
        // Twice: a report in progress does not know the last record.
        await Promise.race([tell().then(tell), late]);
        clearTimeout(timer);
      },
    },
  };
}

/** Opens the audit for writing at the first entry, and again after a failure. */
import { UiaHostError } from '../contract/errors.ts';
import type { Anchor } from './anchor.ts';
import type { AuditEntryInput, AuditOpenReport, AuditReceipt } from './entry.ts';
import { AuditWriter, type AuditWriterOptions } from './writer.ts';

const unavailable = (directory: string, error: unknown): UiaHostError =>
  new UiaHostError(
    'audit_unavailable',
    `The audit in ${directory} cannot be written (${error instanceof Error ? error.message : String(error)}). The entry was not recorded, so its action must not run.`,
    { cause: error },
  );

/** A writer that opens itself, and reopens after a failure: once the disk works again, the next entry is written. */
export class AuditAppender {
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

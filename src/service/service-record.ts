/**
 * What the service keeps for `uiahost service status`, for a later service and for administrators: its sessions and last
 * events in one small file, and its log. Users may read them; nothing in them is secret.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeTemporaryFiles, writeDurablySync } from '../base/durable-file.ts';
import { openRotatingFile, type RotatingFile } from '../base/rotating-file.ts';
import type { ServiceEvent, ServiceSession } from '../contract/process/service-status.ts';

const KEPT_EVENTS = 5;

/** A process that this service started: its creation time tells it from a later one with the same pid. */
export interface StartedProcess {
  readonly session: number;
  readonly pid: number;
  readonly created: string;
}

export interface ServiceRecord {
  /** Creation time of the service's process. */
  readonly pid: number;
  readonly sessions: readonly ServiceSession[];
  readonly events: readonly ServiceEvent[];
  readonly processes: readonly StartedProcess[];
}

const recordFile = (folder: string): string => join(folder, 'status.json');

/** What the last service noted; null where there is no record or it cannot be read as one. */
export function readRecord(folder: string): ServiceRecord | null {
  try {
    const record = JSON.parse(readFileSync(recordFile(folder), 'utf8')) as Partial<ServiceRecord>;
    return typeof record.pid === 'number' &&
      Array.isArray(record.sessions) &&
      Array.isArray(record.events) &&
      Array.isArray(record.processes)
      ? (record as ServiceRecord)
      : null;
  } catch {
    return null;
  }
}

/** Keeps the record; without a folder it remembers the events only. */
export class Recorder implements Disposable {
  readonly #folder: string | null;
  readonly #log: RotatingFile | null;
  #events: ServiceEvent[];

  constructor(folder: string | null) {
    this.#folder = folder;
    if (folder !== null) removeTemporaryFiles(folder);
    this.#log = folder === null ? null : openRotatingFile(join(folder, 'service.log'));
    this.#events = folder === null ? [] : [...(readRecord(folder)?.events ?? [])];
  }

  note(event: ServiceEvent): void {
    this.#events = [...this.#events, event].slice(-KEPT_EVENTS);
    const { time, level, id, text } = event;
    this.#log?.write(`${JSON.stringify({ level, time, pid: process.pid, event: id, msg: text })}\n`);
  }

  /** A line for the log alone. */
  log(fields: Readonly<Record<string, unknown>>, text: string): void {
    this.#log?.write(
      `${JSON.stringify({ level: 'info', time: new Date().toISOString(), pid: process.pid, ...fields, msg: text })}\n`,
    );
  }

  save(sessions: readonly ServiceSession[], processes: readonly StartedProcess[]): void {
    if (this.#folder === null) return;
    const record: ServiceRecord = { pid: process.pid, sessions, events: this.#events, processes };
    try {
      writeDurablySync(recordFile(this.#folder), `${JSON.stringify(record, null, 2)}\n`);
    } catch (error) {
      this.log({ level: 'error', error: String(error) }, 'the record could not be written');
    }
  }

  [Symbol.dispose](): void {
    this.#log?.close();
  }
}

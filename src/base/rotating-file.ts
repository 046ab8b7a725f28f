/** A log file with a limit: at ten megabytes it becomes `NAME.1`, the older ones move up, and the fifth is removed. */
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';

const MOST_BYTES = 10 * 1024 * 1024;
/** With the current one. */
const FILES = 5;

export interface RotatingFile {
  /** Appends whole lines; a full disk or a locked file loses them, and never stops the program. */
  write(lines: string): void;
  close(): void;
}

/** Opens a log file for appending. Errors: those of the file system, for the first opening alone. */
export function openRotatingFile(path: string, mostBytes = MOST_BYTES, files = FILES): RotatingFile {
  let file = openSync(path, 'a', 0o600);
  let size = statSync(path).size;
  const older = (age: number): string => `${path}.${age}`;

  const rotate = (): void => {
    closeSync(file);
    try {
      rmSync(older(files - 1), { force: true });
      for (let age = files - 2; age >= 1; age -= 1) moveIfThere(older(age), older(age + 1));
      moveIfThere(path, older(1));
    } catch {
      // Another program has one of them open. The log then grows beyond its limit until the next try.
    }
    file = openSync(path, 'a', 0o600);
    size = statSync(path).size;
  };

  return {
    write(lines) {
      try {
        const bytes = Buffer.from(lines, 'utf8');
        if (size > 0 && size + bytes.length > mostBytes) rotate();
        size += writeSync(file, bytes);
      } catch {
        // The log must not end what it reports on.
      }
    },
    close: () => closeSync(file),
  };
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}

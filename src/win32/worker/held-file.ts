/** Keeps what is held down or moved off the desktop on disk, so that the next host can release it. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { HeldInput } from '../input/held-input.ts';
import type { MovedWindow } from '../windows/moved-away.ts';

const isHeldInput = (each: unknown): each is HeldInput => {
  const { owner, input, hwnd } = (each ?? {}) as Record<keyof HeldInput, unknown>;
  return typeof owner === 'string' && typeof input === 'string' && (hwnd === null || typeof hwnd === 'string');
};

const isMovedWindow = (each: unknown): each is MovedWindow => {
  const { owner, record, from } = (each ?? {}) as Partial<MovedWindow>;
  const numbers = [record?.pid, record?.threadId, from?.x, from?.y, from?.width, from?.height];
  return (
    [owner, record?.hwnd, record?.processCreated, record?.className].every((text) => typeof text === 'string') &&
    numbers.every((number) => Number.isInteger(number))
  );
};

/** What is held down or stands off the desktop, on disk for as long as it does. */
export interface LeftFile<T> {
  /** What a host that was killed has left so. Nothing, where the machine was started since: keys and windows are others then. */
  left(): readonly T[];
  /** Errors: none; a disk that cannot be written costs the next host this knowledge, and nobody an action. */
  keep(present: readonly T[]): void;
}

export type HeldFile = LeftFile<HeldInput>;
export type MovedFile = LeftFile<MovedWindow>;

/** A killed host cannot let go of keys, and its worker goes with it; the next host does it, by this file. */
export const createHeldFile = (path: string): HeldFile => createLeftFile(path, isHeldInput);

/** The same for windows that it moved off the desktop. Their titles stay out of the file. */
export function createMovedFile(path: string): MovedFile {
  const file = createLeftFile(path, isMovedWindow);
  return {
    left: file.left,
    keep: (present) => file.keep(present.map((each) => ({ ...each, record: { ...each.record, title: '' } }))),
  };
}

function createLeftFile<T>(path: string, isOne: (each: unknown) => each is T): LeftFile<T> {
  return {
    left() {
      try {
        if (statSync(path).mtimeMs < Date.now() - uptime() * 1000) return [];
        const left: unknown = JSON.parse(readFileSync(path, 'utf8'));
        return Array.isArray(left) ? left.filter(isOne) : [];
      } catch {
        return [];
      }
    },
    keep(present) {
      try {
        if (present.length === 0) rmSync(path, { force: true });
        else writeFileSync(path, JSON.stringify(present), { mode: 0o600 });
      } catch {
        // As said above.
      }
    },
  };
}

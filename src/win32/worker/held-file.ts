/** Keeps what is held down or moved off the desktop on disk, so that the next host can release it. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { HeldInput } from '../input/held-input.ts';
import type { MovedWindow } from '../acting/moved-away.ts';

/** The place of the first worker. */
export const FIRST = 0;

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

/** A list on disk of what is held down, or moved off the desktop, at present. */
export interface UndoFile<T> {
  /** What a killed host left. Empty if the machine has been started since: keys and windows are gone then. */
  left(): readonly T[];
  /** Never throws: if the disk cannot be written, the next host lacks the list, and no action fails. */
  keep(present: readonly T[]): void;
}

export type HeldFile = UndoFile<HeldInput>;
export type MovedFile = UndoFile<MovedWindow>;

/** A killed host cannot release keys, and its worker ends with it; the next host does so by this file. */
export const createHeldFile = (path: string): HeldFile => createUndoFile(path, isHeldInput);

/** The same for windows that it moved off the desktop. The file does not contain their titles. */
export function createMovedFile(path: string): MovedFile {
  const file = createUndoFile(path, isMovedWindow);
  return {
    left: file.left,
    keep: (present) => file.keep(present.map((each) => ({ ...each, record: { ...each.record, title: '' } }))),
  };
}

function createUndoFile<T>(path: string, isOne: (each: unknown) => each is T): UndoFile<T> {
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
        // See `keep`.
      }
    },
  };
}

/** One file for the lists of all workers: only the first one gets what a killed host left. */
export function sharedFile<T>(file: UndoFile<T>): (place: number) => UndoFile<T> {
  const kept = new Map<number, readonly T[]>();
  return (place) => ({
    left: () => (place === FIRST ? file.left() : []),
    keep(present) {
      kept.set(place, present);
      file.keep([...kept.values()].flat());
    },
  });
}

import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { HeldInput } from './protocol.ts';

const isHeldInput = (each: unknown): each is HeldInput => {
  const { owner, input, hwnd } = (each ?? {}) as Record<keyof HeldInput, unknown>;
  return typeof owner === 'string' && typeof input === 'string' && (hwnd === null || typeof hwnd === 'string');
};

/** What is held down, on disk for as long as it is. */
export interface HeldFile {
  /** What a host that was killed has left down. Nothing, where the machine was started since: keys and windows are others then. */
  left(): readonly HeldInput[];
  /** Errors: none; a disk that cannot be written costs the next host this knowledge, and nobody an action. */
  keep(held: readonly HeldInput[]): void;
}

/** A killed host cannot let go of keys, and its worker goes with it; the next host does it, by this file. */
export function createHeldFile(path: string): HeldFile {
  return {
    left() {
      try {
        if (statSync(path).mtimeMs < Date.now() - uptime() * 1000) return [];
        const held: unknown = JSON.parse(readFileSync(path, 'utf8'));
        return Array.isArray(held) ? held.filter(isHeldInput) : [];
      } catch {
        return [];
      }
    },
    keep(held) {
      try {
        if (held.length === 0) rmSync(path, { force: true });
        else writeFileSync(path, JSON.stringify(held), { mode: 0o600 });
      } catch {
        // As said above.
      }
    },
  };
}

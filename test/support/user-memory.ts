/** What the host keeps for the user, in memory instead of the registry: stops and agreements outlive the hosts of a test. */
import type { StopMemory } from '../../src/host/approvals/emergency-stop.ts';

export interface UserMemory extends StopMemory {
  writeStop(by: string | null): void;
  readFolder(folder: string): string | null;
  writeFolder(folder: string, text: string): void;
  /** From now on nothing can be written. */
  isFull: boolean;
}

export function createUserMemory(): UserMemory {
  let stop: string | null = null;
  const folders = new Map<string, string>();
  const watchers = new Set<() => void>();
  const write = (change: () => void): void => {
    if (memory.isFull) throw new Error('The registry cannot be written.');
    change();
    for (const changed of watchers) changed();
  };
  const memory: UserMemory = {
    isFull: false,
    readStop: () => stop,
    writeStop: (by) =>
      write(() => {
        stop = by;
      }),
    watch(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    readFolder: (folder) => folders.get(folder) ?? null,
    writeFolder: (folder, text) => write(() => folders.set(folder, text)),
  };
  return memory;
}

/** One entry per program from several lists. No Windows in here. */
import type { ListedProgram } from './sources.ts';

export interface MergedProgram {
  readonly executable: string;
  readonly name: string;
}

/** How well an entry's name fits the program: the Start menu's plain link first, then the uninstall list. */
function weight(entry: ListedProgram): number {
  if (entry.hasArguments) return 2;
  return entry.source === 'start-menu' ? 0 : 1;
}

/**
 * One row per program, by name: entries with the same executable are merged. If a program is listed only by links with
 * arguments (a tool kit's prompt that is really cmd.exe), `nameOf` returns its name.
 */
export function mergePrograms(
  entries: readonly ListedProgram[],
  nameOf: (executable: string) => string,
): MergedProgram[] {
  const best = new Map<string, ListedProgram>();
  for (const entry of entries) {
    const key = entry.executable.toLowerCase();
    const known = best.get(key);
    if (known === undefined || weight(entry) < weight(known)) best.set(key, entry);
  }
  return [...best.values()]
    .map((entry) => ({
      executable: entry.executable,
      name: entry.hasArguments ? nameOf(entry.executable) : entry.name,
    }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

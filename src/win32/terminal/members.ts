/** Which processes may be in the console that a window shows. */
import { growFamily, parentProcesses } from '../system/process-tree.ts';

/** What a process has started, and what that has, and so on; the process itself among them. */
export function descendantsOf(pid: number): Set<number> {
  const family = new Set([pid]);
  growFamily(family);
  return family;
}

/**
 * Every process, likely ones first: Windows names the first program in a classic console as its window's process, Wine the
 * console host that this program started, and a terminal starts its programs itself; then their families, then everyone.
 */
export function likelyMembers(pid: number, isOwn: (pid: number) => boolean): number[] {
  const parents = parentProcesses();
  const parent = parents.get(pid);
  const family = new Set([pid, ...(parent === undefined ? [] : [parent])]);
  growFamily(family, parents);
  return [...new Set([...family, ...parents.keys()])].filter((candidate) => candidate > 4 && !isOwn(candidate));
}

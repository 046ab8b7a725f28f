/** Which processes may be in the console that a window shows. */
import { growFamily, parentProcesses } from '../system/process.ts';

/** A process and all its descendants. */
export function processFamily(pid: number): Set<number> {
  const family = new Set([pid]);
  growFamily(family);
  return family;
}

/**
 * Every process, likely ones first. A classic console's window belongs to the first program in it on Windows, to that
 * program's console host on Wine; a terminal starts its programs itself. So: its descendants and its parent's, then all.
 */
export function likelyMembers(pid: number, isOwn: (pid: number) => boolean): number[] {
  const parents = parentProcesses();
  const parent = parents.get(pid);
  const family = new Set([pid, ...(parent === undefined ? [] : [parent])]);
  growFamily(family, parents);
  return [...new Set([...family, ...parents.keys()])].filter((candidate) => candidate > 4 && !isOwn(candidate));
}

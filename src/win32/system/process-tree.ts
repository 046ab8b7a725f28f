/** Which process started which. */
import { INVALID_HANDLE_VALUE, TH32CS_SNAPPROCESS } from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { PROCESSENTRY32W } from '../../../native-bindings/win32/structs.ts';

/** Parent of every process. Source: learn.microsoft.com/windows/win32/api/tlhelp32/nf-tlhelp32-createtoolhelp32snapshot */
export function parentProcesses(): Map<number, number> {
  const parents = new Map<number, number>();
  const snapshot = kernel32.CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  if (snapshot === INVALID_HANDLE_VALUE) return parents;
  try {
    const entry = PROCESSENTRY32W.alloc({ dwSize: PROCESSENTRY32W.size });
    for (let more = kernel32.Process32FirstW(snapshot, entry); more; more = kernel32.Process32NextW(snapshot, entry)) {
      parents.set(
        entry.readUInt32LE(PROCESSENTRY32W.at.th32ProcessID),
        entry.readUInt32LE(PROCESSENTRY32W.at.th32ParentProcessID),
      );
    }
  } finally {
    kernel32.CloseHandle(snapshot);
  }
  return parents;
}

/** Adds the descendants of the processes in `family`. Called repeatedly, it also follows through parents that have ended. */
export function growFamily(family: Set<number>, parents: ReadonlyMap<number, number> = parentProcesses()): void {
  for (let grown = true; grown;) {
    grown = false;
    for (const [pid, parent] of parents) {
      if (pid !== parent && family.has(parent) && !family.has(pid)) {
        family.add(pid);
        grown = true;
      }
    }
  }
}

/** Memory of the host's processes. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import { windowsPath, type TestHost } from '../../support/desktop.ts';

/** Resident megabytes of a process by its id on this machine, now or at most so far. Linux only. */
export function residentMegabytes(pid: number | string, when: 'now' | 'most' = 'now'): number {
  const line = when === 'now' ? /^VmRSS:\s+(\d+)/m : /^VmHWM:\s+(\d+)/m;
  return Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
}

/** Resident megabytes of the host's processes, by the name of their bundle. Linux only. */
export function memoryOf(host: TestHost, when: 'now' | 'most' = 'now'): Array<[string, number]> {
  if (process.platform === 'win32') return [];
  const mark = `UIAHOST_DATA_DIR=${windowsPath(host.dataDir)}`;
  const found: Array<[string, number]> = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)) continue;
      const bundle = /(\w+)\.mjs/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1];
      if (bundle !== undefined) found.push([bundle, residentMegabytes(pid, when)]);
    } catch {
      /* ended meanwhile */
    }
  }
  return found;
}

/** Processes of this machine by their environment or their command line. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

/** Ids of the processes that were started with this variable, as `HOME=/tmp/one`, or with this argument. */
export const processesWith = (word: string, of: 'environ' | 'cmdline' = 'environ'): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/${of}`, 'latin1').split('\0').includes(word);
      } catch {
        return false; // it has ended
      }
    })
    .map(Number);

/** Ends them without a word. */
export function killAllWith(variable: string, except?: number): void {
  for (const pid of processesWith(variable)) {
    try {
      if (pid !== except) process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
}

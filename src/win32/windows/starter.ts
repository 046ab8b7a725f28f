/**
 * Who started the host: its terminal and the programs above that. Keys for one of their windows could end the host, or
 * answer for the person what the host asks them.
 */
import { win32 as windowsPath } from 'node:path';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { parentProcesses } from '../system/process-tree.ts';
import { PSEUDO_CONSOLE_CLASS } from './terminal-kinds.ts';
import { classNameOf } from './window-info.ts';
import { windowProcess } from './handle.ts';
import { executableOf, processCreated, withProcess } from '../system/process.ts';

const GA_ROOTOWNER = 3;
/** The person's shell and the system's own processes start everything: the chain ends below them. */
const ENDS_CHAIN: ReadonlySet<string> = new Set([
  'explorer.exe',
  'userinit.exe',
  'winlogon.exe',
  'wininit.exe',
  'services.exe',
  'svchost.exe',
  'sihost.exe',
  'taskhostw.exe',
  'csrss.exe',
  'smss.exe',
  'lsass.exe',
]);

/** A pid may be given again: with its time of creation it is one process. */
export interface StarterProcess {
  readonly pid: number;
  readonly created: string;
}

/** What is known of a process of the chain; null where it has ended or may not be looked at. */
export type ProcessLook = (pid: number) => { readonly created: string; readonly program: string } | null;

const lookAtProcess: ProcessLook = (pid) => {
  const created = processCreated(pid);
  const path = created === null ? null : withProcess(pid, executableOf);
  return created === null ? null : { created, program: windowsPath.basename(path ?? '').toLowerCase() };
};

/** The processes above one, the nearest first. A parent that is younger than its child has only got the pid of the real one. */
export function processesAbove(pid: number, parents: ReadonlyMap<number, number>, look: ProcessLook): StarterProcess[] {
  const above: StarterProcess[] = [];
  let child = look(pid);
  for (
    let at = parents.get(pid) ?? 0;
    at > 4 && child !== null && above.every((each) => each.pid !== at);
    at = parents.get(at) ?? 0
  ) {
    const seen = look(at);
    if (seen === null || BigInt(seen.created) > BigInt(child.created) || ENDS_CHAIN.has(seen.program)) break;
    above.push({ pid: at, created: seen.created });
    child = seen;
  }
  return above;
}

/** Those above this process; to be asked while whoever started it is still there. */
export const starterProcesses = (): StarterProcess[] =>
  process.platform === 'win32' ? processesAbove(process.pid, parentProcesses(), lookAtProcess) : [];

/** The window in which the console of a process is shown: a terminal's, where the process sees a hidden one only. */
function shownBy(starters: ReadonlySet<number>, hwnd: number): boolean {
  let isShown = false;
  user32.EnumWindows((window) => {
    isShown =
      classNameOf(window) === PSEUDO_CONSOLE_CLASS &&
      starters.has(windowProcess(window)) &&
      user32.GetAncestor(window, GA_ROOTOWNER) === hwnd;
    return !isShown;
  }, 0);
  return isShown;
}

/** Whether a window belongs to one of these processes, as they still are, or shows the console of one. */
export function isStarterWindow(starters: readonly StarterProcess[], hwnd: number): boolean {
  const living = new Set(starters.filter(({ pid, created }) => processCreated(pid) === created).map(({ pid }) => pid));
  return living.size > 0 && (living.has(windowProcess(hwnd)) || shownBy(living, hwnd));
}

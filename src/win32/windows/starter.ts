/**
 * The processes that started the host: its terminal and the programs above that. Keys sent to their windows could end the
 * host, or answer its questions in place of the person.
 */
import { win32 as windowsPath } from 'node:path';
import { GA_ROOTOWNER } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { parentProcesses, executableOf, processCreated, withProcess } from '../system/process.ts';
import { PSEUDO_CONSOLE_CLASS } from './terminal-kinds.ts';
import { classNameOf, windowProcess } from './window-info.ts';

/** The desktop's shell and system processes start everything: the chain ends below them. */
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

/** A pid may be reused: with its creation time it identifies one process. */
export interface StarterProcess {
  readonly pid: number;
  readonly created: string;
}

/** Facts of a process in the chain; null if it has ended or may not be queried. */
export type QueryProcess = (pid: number) => { readonly created: string; readonly program: string } | null;

const queryProcess: QueryProcess = (pid) => {
  const created = processCreated(pid);
  const path = created === null ? null : withProcess(pid, executableOf);
  return created === null ? null : { created, program: windowsPath.basename(path ?? '').toLowerCase() };
};

/** The ancestors of a process, nearest first. A parent that is younger than its child has merely reused the real parent's pid. */
export function processesAbove(
  pid: number,
  parents: ReadonlyMap<number, number>,
  look: QueryProcess,
): StarterProcess[] {
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

/** The ancestors of this process; call it while the program that started the host still runs. */
export const starterProcesses = (): StarterProcess[] =>
  process.platform === 'win32' ? processesAbove(process.pid, parentProcesses(), queryProcess) : [];

/** Whether a terminal's window shows the console of one of these processes, which see only a hidden window. */
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

/** Whether a window belongs to one of these processes, if it still runs, or shows its console. */
export function isStarterWindow(starters: readonly StarterProcess[], hwnd: number): boolean {
  const living = new Set(starters.filter(({ pid, created }) => processCreated(pid) === created).map(({ pid }) => pid));
  return living.size > 0 && (living.has(windowProcess(hwnd)) || shownBy(living, hwnd));
}

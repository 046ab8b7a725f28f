/**
 * The processes that started the host: its terminal and the programs above that. Keys sent to their windows could end the
 * host, or answer its questions in place of the person.
 */
import { win32 as windowsPath } from 'node:path';
import { parentProcesses, executableOf, processCreated, withProcess } from '../system/process.ts';
import { PSEUDO_CONSOLE_CLASS } from './classes.ts';
import { classNameOf, rootOwner, topLevelWindows, windowProcess } from './window-info.ts';

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

/** The terminals' windows that show the consoles of these processes, which see only a hidden window. */
const showing = (starters: ReadonlySet<number>): number[] =>
  topLevelWindows()
    .filter((hwnd) => classNameOf(hwnd) === PSEUDO_CONSOLE_CLASS && starters.has(windowProcess(hwnd)))
    .map(rootOwner);

/**
 * Whether a window shows the console of one of these processes, or belongs to one of them that still runs. One process of
 * Windows Terminal has all its windows: where the starters' consoles are among them, only the windows that show those are
 * the starters'. Source: github.com/microsoft/terminal/pull/14843
 */
export function isStarterWindow(starters: readonly StarterProcess[], hwnd: number): boolean {
  const living = new Set(starters.filter(({ pid, created }) => processCreated(pid) === created).map(({ pid }) => pid));
  if (living.size === 0) return false;
  const shown = showing(living);
  if (shown.includes(rootOwner(hwnd))) return true;
  const pid = windowProcess(hwnd);
  return living.has(pid) && !shown.some((terminal) => windowProcess(terminal) === pid);
}

/** Terminals that this process opened, and the exit status of their commands. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { StartedProcess } from '../apps/start.ts';
import { windowProcess } from '../windows/handle.ts';
import { processCreated } from '../system/process.ts';

/** A terminal opened by this process: its window, and the processes that end when its command ends. */
export interface LaunchedTerminal {
  readonly hwnd: number;
  readonly pid: number;
  readonly processCreated: string;
  /** The terminal's shell, which the host started. */
  readonly shell: StartedProcess;
  /** The shell's command; null until it was found. */
  command: StartedProcess | null;
}

/** The terminals opened by this process, with handles of their processes: a handle keeps the exit status readable. */
export class LaunchedTerminals implements Disposable {
  readonly #terminals = new Map<number, LaunchedTerminal>();
  readonly #findCommand: (shellPid: number) => StartedProcess | null;

  /** `findCommand`: the command that runs in a shell; called again if it was not found at the start. */
  constructor(findCommand: (shellPid: number) => StartedProcess | null) {
    this.#findCommand = findCommand;
  }

  add(terminal: Omit<LaunchedTerminal, 'pid' | 'processCreated'>): void {
    this.#sweep();
    const pid = windowProcess(terminal.hwnd);
    this.#terminals.set(terminal.hwnd, { ...terminal, pid, processCreated: processCreated(pid) ?? '0' });
  }

  /**
   * Exit status of the command in a bound terminal: of the shell's command, else of the shell. Null while it runs, and for
   * terminals that this process did not open.
   */
  exitStatus(record: BindingRecord): number | null {
    const terminal = this.#terminals.get(Number(record.hwnd));
    if (terminal === undefined || terminal.pid !== record.pid || terminal.processCreated !== record.processCreated)
      return null;
    terminal.command ??= this.#findCommand(terminal.shell.pid);
    return terminal.command === null ? terminal.shell.exitCode : terminal.command.exitCode;
  }

  /** Drops terminals whose windows are gone. */
  #sweep(): void {
    for (const [hwnd, terminal] of this.#terminals)
      if (windowProcess(hwnd) !== terminal.pid) this.#forget(hwnd, terminal);
  }

  #forget(hwnd: number, terminal: LaunchedTerminal): void {
    this.#terminals.delete(hwnd);
    terminal.shell[Symbol.dispose]();
    terminal.command?.[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    for (const [hwnd, terminal] of this.#terminals) this.#forget(hwnd, terminal);
  }
}

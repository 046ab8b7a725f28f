import type { BindingRecord } from '../../contract/binding.ts';
import type { StartedProcess } from '../apps/start.ts';
import { windowProcess } from '../windows/handle.ts';
import { processCreated } from '../system/process.ts';

/** A terminal that was opened here: its window for ever, and the processes whose end is its command's end. */
export interface LaunchedTerminal {
  readonly hwnd: number;
  readonly pid: number;
  readonly processCreated: string;
  /** What the host started: the terminal's shell. */
  readonly shell: StartedProcess;
  /** What the shell runs; null until it was seen. */
  command: StartedProcess | null;
}

/** The terminals opened by this process, with handles of their processes: a handle keeps the exit status readable. */
export class LaunchedTerminals implements Disposable {
  readonly #terminals = new Map<number, LaunchedTerminal>();
  readonly #findCommand: (shellPid: number) => StartedProcess | null;

  /** `findCommand`: what runs in a shell now; asked again where it was not seen at the start. */
  constructor(findCommand: (shellPid: number) => StartedProcess | null) {
    this.#findCommand = findCommand;
  }

  add(terminal: Omit<LaunchedTerminal, 'pid' | 'processCreated'>): void {
    this.#sweep();
    const pid = windowProcess(terminal.hwnd);
    this.#terminals.set(terminal.hwnd, { ...terminal, pid, processCreated: processCreated(pid) ?? '0' });
  }

  /**
   * Exit status of the command that was started in a bound terminal: of what the shell ran, else of the shell itself.
   * Null while it runs, and for terminals that were not opened here or by a worker before this one.
   */
  exitStatus(record: BindingRecord): number | null {
    const terminal = this.#terminals.get(Number(record.hwnd));
    if (terminal === undefined || terminal.pid !== record.pid || terminal.processCreated !== record.processCreated)
      return null;
    terminal.command ??= this.#findCommand(terminal.shell.pid);
    return terminal.command === null ? terminal.shell.exitCode : terminal.command.exitCode;
  }

  /** Forgets terminals whose windows are gone. */
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

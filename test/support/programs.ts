/** Windows programs for end-to-end tests: started on the run's desktop under Wine, or on Windows itself; always ended. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fixture, sharedDesktop, type Desktop } from './desktop.ts';

export interface ProgramOptions {
  /** 'piped' gives standard input and output; default: none. */
  readonly streams?: 'piped' | 'none';
  /** Added to the desktop's variables. */
  readonly env?: Record<string, string>;
  /** Default: the desktop that the run shares. */
  readonly desktop?: Desktop | undefined;
}

export interface Program extends AsyncDisposable {
  readonly process: ChildProcess;
  /** Process id on this machine; under Wine it differs from the id that Windows programs see. */
  readonly pid: number;
  /** Suspends it, as a debugger would: it neither answers nor ends. `thaw` resumes it. */
  freeze(): void;
  thaw(): void;
  /** Kills it. */
  kill(): Promise<void>;
}

/** Starts a Windows program by its path or, for one of the system's, its name. */
export function startProgram(
  program: string,
  args: readonly string[] = [],
  { streams = 'none', env = {}, desktop }: ProgramOptions = {},
): Program {
  const stdio = streams === 'piped' ? (['pipe', 'pipe', 'ignore'] as const) : 'ignore';
  const child: ChildProcess =
    process.platform === 'win32'
      ? spawn(program, args, { env: { ...process.env, ...env }, stdio: stdio === 'ignore' ? 'ignore' : [...stdio] })
      : (desktop ?? sharedDesktop()).run(program, args, { env, stdio: stdio === 'ignore' ? 'ignore' : [...stdio] });
  child.on('error', () => {});
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return {
    process: child,
    pid: child.pid ?? 0,
    freeze: () => {
      child.kill('SIGSTOP');
    },
    thaw: () => {
      child.kill('SIGCONT');
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

/** Runs one of the test programs to its end; its exit status. */
export async function runFixture(name: string, args: readonly string[], options: ProgramOptions = {}): Promise<number> {
  await using program = startProgram(fixture(name), args, options);
  const [status] = (await once(program.process, 'exit')) as [number | null];
  return status ?? -1;
}

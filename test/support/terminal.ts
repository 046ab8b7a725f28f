/** A program on its own terminal, as a person uses it (util-linux `script`). */
import { spawn } from 'node:child_process';
import { it } from 'vitest';

/** A test that needs such a terminal, or a program that is a shell script: Windows has neither. */
export const onTerminal = (name: string, test: () => Promise<void>): void => {
  if (process.platform !== 'win32') it(name, test);
};

export interface TerminalResult {
  readonly status: number | null;
  /** Everything that the terminal showed, echo included. */
  readonly shown: string;
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Types each answer when its question is on the screen. */
export function runOnTerminal(
  command: readonly string[],
  env: Record<string, string>,
  answers: ReadonlyArray<readonly [question: string, keys: string]>,
): Promise<TerminalResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qefc', command.map(quote).join(' '), '/dev/null'], {
      env: { PATH: process.env['PATH'] ?? '', TERM: 'dumb', ...env },
      stdio: 'pipe',
    });
    const left = [...answers];
    let shown = '';
    let seen = 0;
    const onData = (chunk: Buffer): void => {
      shown += chunk.toString();
      for (let next = left[0]; next !== undefined; next = left[0]) {
        const at = shown.indexOf(next[0], seen);
        if (at < 0) return;
        seen = at + next[0].length;
        left.shift();
        child.stdin.write(next[1]);
      }
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, shown }));
  });
}

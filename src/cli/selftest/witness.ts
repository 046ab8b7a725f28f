// The selftest's second witness: a process that reads the demo by plain window messages, not through the host.
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SystemFacts, WitnessQuestion } from '../../contract/process/demo.ts';
import { CONTROL, type ControlName } from '../../demo/content.ts';
import { startDemoProcess } from '../demo.ts';
import { FailedError } from '../output.ts';

const ENDS_WITHIN_MS = 1000;

type Asked = WitnessQuestion extends infer Q ? (Q extends unknown ? Omit<Q, 'hwnd'> : never) : never;

export class Witness implements AsyncDisposable {
  readonly #hwnd: number;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(env: NodeJS.ProcessEnv, hwnd: string) {
    this.#hwnd = Number(hwnd);
    this.#child = startDemoProcess(env, ['--witness'], 'pipe');
    this.#child.stdin!.on('error', () => {});
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  text(control: ControlName): Promise<string | null> {
    return this.#ask<string | null>({ kind: 'text', control: CONTROL[control] });
  }

  /** A control's answer to a message with plain numbers. */
  ask(control: ControlName, message: number, wParam = 0, lParam = 0): Promise<number | null> {
    return this.#ask<number | null>({ kind: 'ask', control: CONTROL[control], message, wParam, lParam });
  }

  /** The handle of the demo's dialog with this title. */
  dialog(title: string): Promise<string | null> {
    return this.#ask<string | null>({ kind: 'dialog', title });
  }

  isInFront(): Promise<boolean> {
    return this.#ask<boolean>({ kind: 'foreground' });
  }

  isOpen(): Promise<boolean> {
    return this.#ask<boolean>({ kind: 'open' });
  }

  /** Asks one of the demo's dialogs to close. */
  closeWindow(hwnd: string): Promise<boolean> {
    return this.#ask<boolean>({ kind: 'close' }, Number(hwnd));
  }

  close(): Promise<boolean> {
    return this.#ask<boolean>({ kind: 'close' });
  }

  system(): Promise<SystemFacts> {
    return this.#ask<SystemFacts>({ kind: 'system' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A witness that does not answer is not waited for.
    await Promise.race([this.#last, sleep(ENDS_WITHIN_MS)]);
    this.#child.stdin!.end();
    this.#child.kill();
    // What it writes keeps this process waiting.
    this.#child.stdout!.destroy();
    this.#child.stderr!.destroy();
    this.#child.unref();
  }

  /** One question at a time. Errors: FailedError if the witness has ended. */
  #ask<T>(question: Asked, hwnd = this.#hwnd): Promise<T> {
    const answer = this.#last.then(async () => {
      this.#child.stdin!.write(`${JSON.stringify({ ...question, hwnd })}\n`);
      const { value, done } = await this.#lines.next();
      if (done === true) throw new FailedError('The witness process ended before it answered.');
      return (JSON.parse(value as string) as { answer: T }).answer;
    });
    this.#last = answer.catch(() => {});
    return answer;
  }
}

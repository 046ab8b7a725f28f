/** The terminal topic in this process, and prompt.exe in terminals that it opens: its journal is the second witness. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { Done, PromptAnswer } from '../../../../src/desktop/index.ts';
import type { Environment } from '../../../../src/win32/apps/user-environment.ts';
import { createBindingPort } from '../../../../src/win32/ports/binding.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { createKeyboardPort } from '../../../../src/win32/ports/input.ts';
import { Consoles as BoundConsoles } from '../../../../src/win32/input/consoles.ts';
import { createWin32Services } from '../../../../src/win32/ports/services.ts';
import { Win32TerminalPort } from '../../../../src/win32/ports/terminal.ts';
import type { Automation } from '../../../../src/win32/elements/sources/uia-client.ts';
import { newCall, type JournalEntry } from './programs.ts';
import { journalLines } from '../../../support/journal.ts';
import { until } from '../../../support/until.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
user32.SetCursorPos(1200, 780);

const helperFile = fileURLToPath(new URL('../../../../src/entry/console.ts', import.meta.url));

/** prompt.exe, as the terminal runs it. */
export const promptProgram = path.join(process.env['UIAHOST_FIXTURES'] ?? '', 'prompt.exe');

/** Ends a process and what it started. */
function endTree(pid: number): void {
  spawnSync('taskkill.exe', ['/f', '/t', '/pid', String(pid)], { stdio: 'ignore' });
}

/** A terminal with a program of prompt.exe in it. */
export interface Asking {
  readonly record: BindingRecord;
  journal(event?: string): JournalEntry[];
  answered(step: string): Promise<unknown>;
  respond(answer: Partial<PromptAnswer>): Promise<Done<boolean>>;
}

/** The terminal port of one worker; everything that it opened ends with it. */
export class Consoles implements Disposable {
  readonly port: Win32TerminalPort;
  readonly keyboard;
  readonly binding;
  readonly #opened: number[] = [];
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-console-'));
  #count = 0;

  constructor(options: { environment?: () => Environment; automation?: () => Automation | null } = {}) {
    const services = createWin32Services();
    const consoles = new BoundConsoles(services, helperFile, options.automation ?? (() => null));
    this.binding = createBindingPort(services);
    this.keyboard = createKeyboardPort(services, { held: new HeldInputs(), focus: new FocusMemory(), consoles });
    this.port = new Win32TerminalPort(services, consoles, {
      keyboard: this.keyboard,
      ...(options.environment === undefined ? {} : { environment: options.environment }),
    });
  }

  bind(hwnd: string): Promise<BindingRecord> {
    return this.binding.find({ hwnd }, newCall());
  }

  async open(
    options: Parameters<Win32TerminalPort['open']>[0],
    call = newCall({ deadlineMs: 30_000 }),
  ): ReturnType<Win32TerminalPort['open']> {
    const opened = await this.port.open(options, call);
    this.#opened.push(opened.value.pid);
    return opened;
  }

  /** Opens prompt.exe with these steps in cmd and waits until it asks. */
  async ask(...args: readonly string[]): Promise<Asking> {
    this.#count += 1;
    const file = path.join(this.#folder, `journal-${this.#count}.jsonl`);
    const { value } = await this.open({
      agent: 'custom',
      terminal: 'cmd',
      command: `"${promptProgram}" --journal "${file}" ${args.join(' ')}`,
    });
    const journal = (event?: string): JournalEntry[] => {
      const lines = journalLines(file).map((line) => JSON.parse(line) as JournalEntry);
      return event === undefined ? lines : lines.filter((line) => line.event === event);
    };
    await until(() => journal('asked').length > 0, 'the question', 20_000);
    const record = await this.bind(value.hwnd);
    return {
      record,
      journal,
      answered: async (step) =>
        (await until(() => journal('answer').find((entry) => entry['step'] === step), `the answer to ${step}`, 20_000))[
          'text'
        ],
      respond: (answer) =>
        this.port.respond(
          record,
          { responseType: 'enter', arrowDirection: 'down', arrowCount: 1, text: '', ...answer },
          newCall({ deadlineMs: 20_000 }),
        ),
    };
  }

  [Symbol.dispose](): void {
    for (const pid of this.#opened) endTree(pid);
    this.port[Symbol.dispose]();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** The window of `uiahost demo` for end-to-end tests, and what a second witness sees in it. */
import { createInterface } from 'node:readline';
import { demoCommand } from '../../scripts/lib/demo.mjs';
import { CONTROL, type ControlName } from '../../src/demo/content.ts';
import type { DemoReport } from '../../src/contract/process/demo.ts';
import type { Desktop } from './desktop.ts';
import { startProgram, type Program } from './programs.ts';
import type { Witness } from './witness.ts';

export interface Demo extends AsyncDisposable {
  readonly report: DemoReport;
  readonly hwnd: string;
  readonly program: Program;
  /** What its status bar says happened last. */
  says(): Promise<string>;
  text(name: ControlName): Promise<string>;
  /** Whether a check box or radio button is on. */
  isOn(name: ControlName): Promise<boolean>;
  /** A control's answer to a message with plain numbers. */
  ask(name: ControlName, message: number, wParam?: number, lParam?: number): Promise<number>;
}

const BM_GETCHECK = 0xf0;

/** Starts one as `npm start` does. Errors: its process ends without a window. */
export async function startDemo(witness: Witness, args: readonly string[] = [], desktop?: Desktop): Promise<Demo> {
  const tree = process.env['UIAHOST_TEST_TREE'];
  if (tree === undefined) throw new Error('UIAHOST_TEST_TREE is not set: end-to-end tests are run by `npm test`.');
  const command = demoCommand(tree);
  const program = startProgram(command.program, [...command.args, ...args], { streams: 'piped', desktop });
  try {
    const lines = createInterface({ input: program.process.stdout! })[Symbol.asyncIterator]();
    const { value, done } = await lines.next();
    if (done === true) throw new Error('The demo ended before its window was shown.');
    const report = JSON.parse(value) as DemoReport;
    const { hwnd } = report;
    const part = (name: ControlName): string => `#${CONTROL[name]}`;
    return {
      report,
      hwnd,
      program,
      says: () => witness.text(hwnd, part('status')),
      text: (name) => witness.text(hwnd, part(name)),
      isOn: async (name) => (await witness.ask(hwnd, part(name), BM_GETCHECK)) === 1,
      ask: (name, message, wParam = 0, lParam = 0) => witness.ask(hwnd, part(name), message, wParam, lParam),
      [Symbol.asyncDispose]: () => program.kill(),
    };
  } catch (error) {
    await program.kill();
    throw error;
  }
}

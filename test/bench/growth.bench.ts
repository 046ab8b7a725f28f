/**
 * What an action asks of a program whose provider can search, counted by the provider itself (test/fixtures/uia-com): calls
 * of UI Automation, and the elements whose properties they carry. Growth is the mark: no row may grow with the window.
 *
 *   npm run bench -- growth [--json] [--write]
 *
 * A program for Windows' Node. Prints a table (or JSON); `--write` puts it into docs/measurements.md.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { user32 } from '../../native-bindings/win32/user32.ts';
import { growthRows, type Asked } from '../native/win32/support/growth.ts';
import { UiaCom } from '../native/win32/support/uia-com.ts';
import { report, tableOf } from './support/measurements.ts';

const SIZES = [50, 300, 3000] as const;

const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-bench-'));
const ready = path.join(folder, 'ready.json');
const size = ['--x', '20', '--y', '20', '--width', '560', '--height', '540'];
const program = spawn(path.join(process.env['UIAHOST_FIXTURES'] ?? '', 'sentinel.exe'), [...size, '--ready', ready], {
  stdio: 'ignore',
});
try {
  for (let wait = 0; !existsSync(ready); wait++) {
    if (wait > 500) throw new Error('the test program did not start');
    await sleep(20);
  }
  const { hwnd } = JSON.parse(readFileSync(ready, 'utf8')) as { hwnd: number };
  if (!user32.IsWindow(hwnd)) throw new Error('the test program has no window');
  const com = new UiaCom();
  const found: Array<Map<string, Asked>> = [];
  for (const buttons of SIZES) found.push(await growthRows(com, hwnd, buttons));
  const actions = [...found[0]!.keys()];
  const cell = (asked: Asked): string => `${asked.calls} / ${asked.elements}`;
  const rows = actions.map((action) => ({
    action,
    ...Object.fromEntries(SIZES.map((buttons, at) => [buttons, found[at]!.get(action)!])),
    grows: found.some((of) => of.get(action)!.calls > found[0]!.get(action)!.calls + 2),
  }));
  const table = tableOf(
    ['calls / elements', ...SIZES.map((buttons) => `${buttons} controls`), 'grows'],
    rows.map(({ action, grows }) => [action, ...found.map((of) => cell(of.get(action)!)), grows ? 'yes' : 'no']),
  );
  report('growth.bench', rows, table, 1);
  if (rows.some(({ grows }) => grows)) process.exitCode = 1;
} finally {
  program.kill();
  rmSync(folder, { recursive: true, force: true });
}

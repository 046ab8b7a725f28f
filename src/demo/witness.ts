/** A second witness for `uiahost selftest`: a process that reads the demo by plain window messages, and says what system this is. */
import { createInterface } from 'node:readline';
import { writeSync } from 'node:fs';
import {
  HKEY_CURRENT_USER,
  HKEY_LOCAL_MACHINE,
  SMTO_ABORTIFHUNG,
  WM_CLOSE,
  WM_GETTEXT,
} from '../../native-bindings/win32/constants.ts';
import { user32 } from '../../native-bindings/win32/user32.ts';
import type { SystemFacts, WitnessQuestion } from '../contract/process/demo.ts';
import { ownIntegrity } from '../win32/system/process.ts';
import { RegistryKey } from '../win32/system/registry.ts';
import { isRemote, windowsVersion } from '../win32/system/session.ts';
import { becomePerMonitorAware } from '../win32/windows/rects.ts';
import { windowProcess } from '../win32/windows/window-info.ts';
import { listMonitors } from '../win32/windows/monitors.ts';

const WAIT_MS = 5000;
const TEXT_UNITS = 4096;
const DIALOG_CLASS = '#32770';

/** Answers one line of JSON for each line of JSON on standard input, until that ends. */
export function runWitness(): void {
  becomePerMonitorAware();
  createInterface({ input: process.stdin }).on('line', (line) => {
    writeSync(1, `${JSON.stringify({ answer: answer(JSON.parse(line) as WitnessQuestion) })}\n`);
  });
}

function answer(question: WitnessQuestion): unknown {
  const { hwnd } = question;
  switch (question.kind) {
    case 'text':
      return textOf(user32.GetDlgItem(hwnd, question.control));
    case 'ask':
      return send(user32.GetDlgItem(hwnd, question.control), question.message, question.wParam, question.lParam);
    case 'dialog':
      return dialogOf(hwnd, question.title);
    case 'close':
      return user32.PostMessageW(hwnd, WM_CLOSE, 0, 0);
    case 'open':
      return user32.IsWindow(hwnd);
    case 'foreground':
      return user32.GetForegroundWindow() === hwnd;
    case 'system':
      return systemFacts();
  }
}

/** A message's answer; null where the window does not answer in time. */
function send(hwnd: number, message: number, wParam: number, lParam: number | Buffer): number | null {
  const result = Buffer.alloc(8);
  const isAnswered = user32.SendMessageTimeoutW(hwnd, message, wParam, lParam, SMTO_ABORTIFHUNG, WAIT_MS, result);
  return isAnswered === 0 ? null : Number(result.readBigInt64LE(0));
}

function textOf(hwnd: number): string | null {
  const text = Buffer.alloc(TEXT_UNITS * 2);
  const length = send(hwnd, WM_GETTEXT, TEXT_UNITS, text);
  return length === null ? null : text.toString('utf16le', 0, length * 2);
}

/** The demo's own dialog with this title, as a handle; null if it is not open. */
function dialogOf(owner: number, title: string): string | null {
  const pid = windowProcess(owner);
  for (let hwnd = 0; ;) {
    hwnd = user32.FindWindowExW(0, hwnd, DIALOG_CLASS, title);
    if (hwnd === 0) return null;
    if (windowProcess(hwnd) === pid) return String(hwnd);
  }
}

/** Facts of the system, without a person's windows, names or files. */
function systemFacts(): SystemFacts {
  using version = RegistryKey.open(HKEY_LOCAL_MACHINE, 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion');
  using language = RegistryKey.open(HKEY_CURRENT_USER, 'Control Panel\\International');
  const { text, isServer } = windowsVersion();
  return {
    windows: text,
    revision: version?.number('UBR') ?? null,
    edition: version?.text('EditionID') ?? null,
    isServer,
    architecture: process.arch,
    language: language?.text('LocaleName') ?? null,
    monitors: listMonitors().map(({ rect, dpi, isPrimary }) => ({
      width: rect.width,
      height: rect.height,
      dpi,
      isPrimary,
    })),
    session: isRemote() ? 'remote' : 'console',
    integrity: ownIntegrity().level,
    node: process.versions.node,
  };
}

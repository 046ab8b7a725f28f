/** The demo's process: finds the window that is open, or opens one, and prints one line of JSON once it is shown. */
import { writeSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { user32 } from '../../native-bindings/win32/user32.ts';
import type { DemoReport, SystemFacts, WitnessQuestion } from '../contract/process/demo.ts';
import { becomePerMonitorAware } from '../win32/windows/rects.ts';
import { focusOf, threadOf, windowProcess } from '../win32/windows/window-info.ts';
import { askInConsole, ASKS, endStarted, hasEnded, startProgram } from './started.ts';
import { nativeText } from './make-controls.ts';
import { DEMO_CLASS, DEMO_TITLE } from './content.ts';
import { runDemo } from './window.ts';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf } from '../../native-bindings/library.ts';
import { comctl32 } from '../../native-bindings/win32/comctl32.ts';
import * as m from '../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../native-bindings/win32/kernel32.ts';
import { ACTCTXW, INITCOMMONCONTROLSEX } from '../../native-bindings/win32/structs.ts';
import { createInterface } from 'node:readline';
import { ownUserSid } from '../win32/system/acl.ts';
import { appControl } from '../win32/system/trust.ts';
import { ownIntegrity } from '../win32/system/process.ts';
import { RegistryKey } from '../win32/system/registry.ts';
import { isRemote, windowsVersion } from '../win32/system/session.ts';
import { listMonitors } from '../win32/windows/monitors.ts';

/** Written directly: this thread waits in the window's message loop from then on, and would not flush a stream. */
function report(hwnd: number, pid: number, wasOpen: boolean): void {
  const line: DemoReport = { hwnd: String(hwnd), pid, title: DEMO_TITLE, wasOpen };
  try {
    writeSync(1, `${JSON.stringify(line)}\n`);
  } catch {
    // The window is shown even without an output or a reader.
  }
}

/** Returns when the window was closed, or immediately if one is open already. */
export function runDemoProcess(args: readonly string[]): void {
  const options = {
    another: { type: 'boolean' },
    witness: { type: 'boolean' },
    [ASKS]: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (values[ASKS] === true) return askInConsole();
  if (values.witness === true) return runWitness();
  becomePerMonitorAware();
  const present = values.another === true ? 0 : user32.FindWindowW(DEMO_CLASS, null);
  if (present !== 0) {
    report(present, windowProcess(present), true);
    return;
  }
  useCommonControls();
  runDemo((hwnd) => report(hwnd, process.pid, false));
}

// The controls of Windows' present look, which a program otherwise asks for in its manifest.

const MANIFEST = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<assembly xmlns="urn:schemas-microsoft-com:asm.v1" manifestVersion="1.0">
  <dependency><dependentAssembly>
    <assemblyIdentity type="win32" name="Microsoft.Windows.Common-Controls" version="6.0.0.0" processorArchitecture="*" publicKeyToken="6595b64144ccf1df" language="*"/>
  </dependentAssembly></dependency>
</assembly>
`;

/**
 * Loads version 6 of the common controls for this thread and registers their classes. node.exe has no manifest that names
 * it, so an activation context does. Without one (Windows refused it) the controls are those of version 5: plainer, and
 * otherwise the same. The context stays active until the thread ends.
 * Source: learn.microsoft.com/windows/win32/controls/cookbook-overview
 */
function useCommonControls(): void {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-demo-'));
  try {
    const file = join(folder, 'demo.manifest');
    writeFileSync(file, MANIFEST);
    const source = Buffer.from(`${file}\0`, 'utf16le');
    const context = kernel32.CreateActCtxW(ACTCTXW.alloc({ cbSize: ACTCTXW.size, lpSource: addressOf(source) }));
    // Windows has read the manifest by now; the name must not be collected earlier.
    source.fill(0);
    if (context !== m.INVALID_HANDLE_VALUE) kernel32.ActivateActCtx(context, Buffer.alloc(8));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  comctl32.InitCommonControlsEx(
    INITCOMMONCONTROLSEX.alloc({
      dwSize: INITCOMMONCONTROLSEX.size,
      dwICC: m.ICC_STANDARD_CLASSES | m.ICC_WIN95_CLASSES | m.ICC_DATE_CLASSES,
    }),
  );
}

const WAIT_MS = 5000;
const TEXT_UNITS = 4096;
const DIALOG_CLASS = '#32770';

/** Answers one line of JSON for each line of JSON on standard input, until that ends. */
function runWitness(): void {
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
    case 'set':
      return send(user32.GetDlgItem(hwnd, question.control), m.WM_SETTEXT, 0, nativeText(question.text));
    case 'title':
      return textOf(hwnd);
    case 'focus':
      return focusOf(threadOf(hwnd).thread);
    case 'start':
      return startProgram(question);
    case 'ended':
      return hasEnded(question.pid);
    case 'endStarted':
      return endStarted();
    case 'asks':
      return `"${process.execPath}" "${process.argv[1]}" --${ASKS}`;
    case 'close':
      return user32.PostMessageW(hwnd, m.WM_CLOSE, 0, 0);
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
  const isAnswered = user32.SendMessageTimeoutW(hwnd, message, wParam, lParam, m.SMTO_ABORTIFHUNG, WAIT_MS, result);
  return isAnswered === 0 ? null : Number(result.readBigInt64LE(0));
}

function textOf(hwnd: number): string | null {
  const text = Buffer.alloc(TEXT_UNITS * 2);
  const length = send(hwnd, m.WM_GETTEXT, TEXT_UNITS, text);
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

const { HKEY_LOCAL_MACHINE: MACHINE, HKEY_CURRENT_USER: USER } = m;
const POLICIES = String.raw`SOFTWARE\Microsoft\Windows\CurrentVersion\Policies\System`;
const SHELL = String.raw`SOFTWARE\Microsoft\PowerShell\1\ShellIds\Microsoft.PowerShell`;
/** What may decide whether something works here; none of it names a person. */
const SETTINGS: ReadonlyArray<readonly [name: string, root: number, key: string, value: string]> = [
  ['execution policy', MACHINE, SHELL, 'ExecutionPolicy'],
  ['default terminal', USER, String.raw`Console\%%Startup`, 'DelegationTerminal'],
  ['UAC', MACHINE, POLICIES, 'EnableLUA'],
  ['UAC of RID 500', MACHINE, POLICIES, 'FilterAdministratorToken'],
  ['high contrast', USER, String.raw`Control Panel\Accessibility\HighContrast`, 'Flags'],
  ['code page', MACHINE, String.raw`SYSTEM\CurrentControlSet\Control\Nls\CodePage`, 'ACP'],
];
function settingOf(root: number, path: string, value: string): string | number | null {
  using key = RegistryKey.open(root, path);
  return key?.text(value) ?? key?.number(value) ?? null;
}

/** Facts of the system, without a person's windows, names or files. */
function systemFacts(): SystemFacts {
  using version = RegistryKey.open(m.HKEY_LOCAL_MACHINE, 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion');
  using products = RegistryKey.open(m.HKEY_LOCAL_MACHINE, String.raw`SOFTWARE\Microsoft\Security Center\Provider\Av`);
  using language = RegistryKey.open(m.HKEY_CURRENT_USER, 'Control Panel\\International');
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
    appControl: appControl(),
    account: { isBuiltIn: ownUserSid().endsWith('-500'), isElsewhere: !/^[a-z]:\\users\\/i.test(homedir()) },
    settings: Object.fromEntries(SETTINGS.map(([name, ...place]) => [name, settingOf(...place)])),
    security: products?.names().map((each) => products.child(each)?.text('DISPLAYNAME') ?? each) ?? [],
    node: process.versions.node,
  };
}

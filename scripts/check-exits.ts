/**
 * What sends to the desktop is called in `src/win32/exits/` alone: reports such calls elsewhere. The import law sees files
 * only; this sees names.
 *
 *   node scripts/check-exits.ts
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Functions of Windows that send input, change a window or a program, start something, or fill the clipboard. */
const FUNCTIONS = [
  String.raw`(?:Send|Post)(?:Message|NotifyMessage|ThreadMessage|DlgItemMessage|MessageTimeout|MessageCallback)[AW]?`,
  'BroadcastSystemMessage(?:Ex)?[AW]?',
  'SendInput|keybd_event|mouse_event|InjectSyntheticPointerInput|InjectTouchInput|BlockInput',
  'SetCursorPos|SetKeyboardState|AttachThreadInput|SetFocus|SetActiveWindow|SetForegroundWindow|BringWindowToTop',
  'SwitchToThisWindow|AllowSetForegroundWindow|SetWindowPos|DeferWindowPos|MoveWindow|SetWindowPlacement',
  'ShowWindow(?:Async)?|CloseWindow|OpenIcon|EndTask|DestroyWindow|EnableWindow|SetWindowText[AW]?|SetDlgItemText[AW]?',
  'SetParent|SetScrollInfo|SetScrollPos|CheckDlgButton|CheckRadioButton|TerminateProcess|TerminateThread',
  'EmptyClipboard|SetClipboardData|WriteConsoleInput[AW]|WriteConsole(?:Output)?[AW]|GenerateConsoleCtrlEvent',
  'CreateProcess(?:AsUser|WithToken|WithLogon)?W|ShellExecute(?:Ex)?[AW]|WinExec|ActivateApplication(?:Async)?',
].join('|');
/** Acting methods of the patterns of UI Automation, of elements and of IAccessible. */
const METHODS = [
  'Invoke|Toggle|Expand|Collapse|SetValue|SetScrollPercent|Scroll|ScrollIntoView|Select|AddToSelection',
  'RemoveFromSelection|DoDefaultAction|Realize|SetFocus|ShowContextMenu|SetWindowVisualState|SetDockPosition',
  'SetCurrentView|Move|Resize|Rotate|Zoom|ZoomByUnit|Navigate|StartListening|Cancel',
  'accDoDefaultAction|accSelect|put_accValue|put_accName',
  'doAccessibleActions|setTextContents|requestFocus|(?:clear|add)AccessibleSelectionFromContext',
].join('|');
const SENDS = new RegExp(String.raw`(?:[.{,]\s*|\[\s*['"])(?:${FUNCTIONS})\b|\.(?:${METHODS})(?:Async)?\(`);
/** Properties and methods of a workbook's objects. */
const IN_BOOKS = /\.(?:put|call)\(/;

/** Where else a name may stand, and why. */
const ELSEWHERE: ReadonlyArray<readonly [where: RegExp, why: string, names?: RegExp]> = [
  [/^src\/win32\/exits\//, 'the room itself'],
  [/^src\/win32\/overlay\//, 'windows of the host itself: cards and indicators'],
  [/^src\/demo\//, 'windows of a program of its own'],
  [/^src\/(?:service|win32\/services)\//, 'hosts that the service starts and ends, before any agent'],
  [/^src\/win32\/windows\/ask\.ts$/, 'questions of a closed list, and WM_NULL', /Message(?:Timeout)?W/],
];

/** `file:line: text` for each call that sends. */
export function sendingCalls(file: string, source: string): string[] {
  const allowed = ELSEWHERE.filter(([where]) => where.test(file));
  if (allowed.some(([, , names]) => names === undefined)) return [];
  return source.split('\n').flatMap((line, at) => {
    const code = line.replace(/^\s*(?:\*|\/\/).*$/, '');
    const hit = SENDS.exec(code)?.[0] ?? (file.startsWith('src/win32/sheet/') ? IN_BOOKS.exec(code)?.[0] : undefined);
    const isAllowed = hit === undefined || allowed.some(([, , names]) => names?.test(hit));
    return isAllowed ? [] : [`${file}:${at + 1}: ${line.trim()}`];
  });
}

function main(): number {
  const problems = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .sort()
    .flatMap((file) => sendingCalls(file, readFileSync(join(ROOT, file), 'utf8')));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) console.error('Only src/win32/exits may send: call its functions, which need a permit.');
  return problems.length === 0 ? 0 : 1;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main();

/** Binding records, the windows that they name, and which window a binding query means. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { WindowDescription } from './describe.ts';
import { isClassicConsole } from './classes.ts';
import { classNameOf, threadOf, topWindowsOf } from './window-info.ts';
import { HeldProcesses, type ProcessFacts } from '../system/process.ts';
import { waitUntil } from './waiting.ts';
import type { CallContext } from '../../desktop/call.ts';
import type { BindingQuery } from '../../desktop/ports.ts';

/** What identifies a window, for a binding or one of its popups. */
export function recordOf(window: WindowDescription): BindingRecord {
  const { process } = window;
  return {
    hwnd: String(window.hwnd),
    pid: process.pid,
    processCreated: process.created,
    threadId: window.threadId,
    className: window.className,
    title: window.title,
    app: window.app,
    integrity: process.integrity,
  };
}

/** Processes of windows in use: the pid of a held process is not given to another. */
const processes = new HeldProcesses();

/**
 * Whether the handle still names the window of the record: same process (not a reused pid), thread and class. Windows
 * reports a console's window as the first program's in it, and as another's once that has ended. It is not the same window
 * then: what was granted or denied applied to the first program.
 */
export function isSameWindow(record: BindingRecord): boolean {
  const hwnd = Number(record.hwnd);
  const { process: pid, thread: threadId } = threadOf(hwnd);
  return (
    pid === record.pid &&
    threadId === record.threadId &&
    classNameOf(hwnd) === record.className &&
    (processes.created(pid) ?? '0') === record.processCreated
  );
}

/** What the process of a record's window is; asked after `liveWindow`. */
export const liveProcess = ({ pid }: BindingRecord): ProcessFacts => processes.facts(pid);

/** Whether its program took a window off the screen. */
export const isHidden = (hwnd: number): boolean => !user32.IsWindowVisible(hwnd) && user32.IsWindow(hwnd);

/** How long (ms) a program takes at most from its last window to its end. */
const ENDS_MS = 300;
const POLL_MS = 10;

/** A status of Windows, such as a page fault, in its usual form. */
const written = (code: number): string => (code < 0x8000_0000 ? String(code) : `0x${code.toString(16).toUpperCase()}`);

/** The exit code of a record's program that failed and took its window along; null if it did not, or runs. */
export async function failedWith(record: BindingRecord, call: CallContext): Promise<string | null> {
  if (user32.IsWindow(Number(record.hwnd))) return null;
  const end = (): number | null =>
    processes.exitCode(record.pid, record.processCreated) ?? (topWindowsOf(record.pid).length > 0 ? 0 : null);
  const code = await waitUntil(end, { withinMs: ENDS_MS, everyMs: POLL_MS, call, delivery: 'delivered' });
  return code === null || code === 0 ? null : written(code);
}

/** The answer for a window that was closed, with the exit code of a program that ended. */
export function windowGone({ title, hwnd, pid, processCreated }: BindingRecord): UiaHostError {
  const code = processes.exitCode(pid, processCreated);
  const ended = code === null ? '' : ` Its program ended with exit code ${written(code)}.`;
  return new UiaHostError('window_gone', `The window ${quoted(title)} (${hwnd}) no longer exists.${ended}`);
}

/** The record's window, or window_gone. Every topic calls it before it uses the window. */
export function liveWindow(record: BindingRecord): number {
  const hwnd = Number(record.hwnd);
  if (isSameWindow(record)) return hwnd;
  if (!user32.IsWindow(hwnd)) throw windowGone(record);
  if (isClassicConsole(record) && classNameOf(hwnd) === record.className) {
    throw new UiaHostError(
      'window_gone',
      `The console ${quoted(record.title)} (${record.hwnd}) now belongs to a different program than the one you bound: that program ended and another runs in it, or the handle was reused by another console.`,
      {
        hint: 'Bind the console again by its hwnd: grants and approvals then apply to the program that runs in it now.',
      },
    );
  }
  throw new UiaHostError(
    'window_gone',
    `The window ${quoted(record.title)} (${record.hwnd}) no longer exists; its handle now names another window.`,
  );
}

// Which windows a binding query means.

/** What a query is compared with. */
export type Matchable = Pick<WindowDescription, 'hwnd' | 'title' | 'process'>;

/** 0 exact, 1 equal ignoring case, 2 contained ignoring case; null = no match. */
export function titleRank(title: string, wanted: string): 0 | 1 | 2 | null {
  if (title === wanted) return 0;
  const [lower, wantedLower] = [title.toLowerCase(), wanted.toLowerCase()];
  if (lower === wantedLower) return 1;
  return lower.includes(wantedLower) ? 2 : null;
}

/**
 * The windows that meet every criterion, with the best title rank among them, in the order given. `hwnd` is already a
 * number. Empty if none does.
 */
export function bestMatches<W extends Matchable>(
  windows: readonly W[],
  query: { readonly hwnd: number | null } & Pick<BindingQuery, 'title' | 'pid'>,
): W[] {
  let best: number = Number.POSITIVE_INFINITY;
  let matches: W[] = [];
  for (const window of windows) {
    if (query.hwnd !== null && window.hwnd !== query.hwnd) continue;
    if (query.pid !== undefined && window.process.pid !== query.pid) continue;
    const rank = query.title === undefined ? 0 : titleRank(window.title, query.title);
    if (rank === null || rank > best) continue;
    if (rank < best) {
      best = rank;
      matches = [];
    }
    matches.push(window);
  }
  return matches;
}

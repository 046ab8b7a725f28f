/**
 * Waits until a window is quiet: its elements (title, names, values, states, rectangles) and its picture stay
 * unchanged, and it answers.
 */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { CallContext, Done } from '../../desktop/index.ts';
import { cutBitmap, uniformColour, type Bitmap } from '../imaging/bitmap.ts';
import { grabWindow } from '../imaging/gdi.ts';
import { pictureChange } from '../imaging/picture-change.ts';
import { Deadline, pause } from '../windows/waiting.ts';
import { answers } from '../windows/ask.ts';
import { readWindow, type ReadOptions } from '../elements/reading/observe.ts';
import { walk } from '../elements/tree/tree.ts';
import { appearanceOf } from './wait.ts';
import { onlyLooked } from '../windows/witness.ts';

/** How often (ms) the window is read. */
const QUIET_POLL_MS = 100;
/** Part of the deadline (ms) reserved for the answer after the last reading. */
const QUIET_RESERVE_MS = 150;
/** A tree that takes longer to read is left out: two readings must fit in the time, and the picture shows most. */
const ELEMENTS_MS = 1500;
/** An idle thread answers well within this time. */
const ANSWER_MS = 250;
/**
 * Carets and text cursors blink while their window has the focus: a bar or an underline of at most this size, pixels.
 */
const CARET = { thickness: 4, length: 64 } as const;

/** A program that has not begun yet is quiet too. */
const NOTHING_YET = 'Nothing changed during the wait. What comes later is not known: name what you expect to wait-for.';

export interface QuietOptions {
  /** How long nothing may change. */
  readonly quietMs: number;
  /** Maximum time until the answer. */
  readonly mostMs: number;
}

/**
 * What a window shows, compared with the reading before; `answer`: the program did not answer. Pixels stay in here.
 * Errors: window_gone.
 */
function lastLook(record: BindingRecord, read: ReadOptions) {
  const hwnd = Number(record.hwnd);
  let elements: string | null = null;
  let picture: Bitmap | null = null;
  const compared = new Set<'elements' | 'picture'>();
  const isOtherPicture = (): boolean => {
    const then = picture;
    const now = grabShown(hwnd);
    if (now === null || then === null || then.width !== now.width || then.height !== now.height) {
      picture = now === null ? null : cutBitmap(now);
      return then !== null;
    }
    compared.add('picture');
    const change = pictureChange(then, now);
    // In place: a copy at each reading would be megabytes for the garbage collector.
    if (change !== null) then.pixels.set(now.pixels.subarray(0, then.pixels.length));
    return (
      change !== null &&
      (Math.min(change.width, change.height) > CARET.thickness || Math.max(change.width, change.height) > CARET.length)
    );
  };
  /** A tree too large for the time does not count as changed, and is not compared. */
  const hasOtherElements = (leftMs: number): boolean => {
    const then = elements;
    const budgetMs = Math.max(1, Math.min(read.budgetMs, ELEMENTS_MS, leftMs));
    const { root, partial } = readWindow(record, { ...read, budgetMs });
    elements = partial
      ? null
      : walk(root)
          .map((node) => `${node.identity} ${appearanceOf(node)}`)
          .join('\n');
    if (then === null || elements === null) return false;
    compared.add('elements');
    return then !== elements;
  };
  return {
    /** What two readings were compared by. */
    compared,
    async next(leftMs: number): Promise<'elements' | 'picture' | 'answer' | null> {
      if (!(await answers(hwnd, Math.min(leftMs, ANSWER_MS))) && user32.IsWindow(hwnd)) return 'answer';
      const isRedrawn = isOtherPicture();
      const isOther = hasOtherElements(leftMs);
      return isRedrawn ? 'picture' : isOther ? 'elements' : null;
    },
  };
}

/**
 * The picture of the window itself, null if it has none. DirectX content is black in its device context: then the
 * program is asked to print.
 */
function grabShown(hwnd: number): Bitmap | null {
  if (user32.IsIconic(hwnd)) return null;
  const kept = grabWindow(hwnd, 'dc');
  return kept !== null && uniformColour(kept) === null ? kept : grabWindow(hwnd, 'print');
}

/**
 * True once nothing changed for `quietMs`; false after `mostMs`, or if the call's deadline comes first. A change that
 * appears and disappears between two readings is missed. Errors: window_gone.
 */
export async function waitUntilQuiet(
  record: BindingRecord,
  { quietMs, mostMs }: QuietOptions,
  call: CallContext,
  read: ReadOptions,
): Promise<Done<boolean>> {
  const started = performance.now();
  const end = started + Math.min(mostMs, new Deadline(call).remaining(QUIET_RESERVE_MS));
  const leftMs = (): number => Math.max(1, end - performance.now());
  const window = lastLook(record, read);
  let lastChange = await window.next(leftMs());
  let since = performance.now();
  let isQuiet = false;
  let lookMs = since - started;
  // A reading cut short proves nothing.
  while (!isQuiet && leftMs() > QUIET_POLL_MS + lookMs) {
    await pause(QUIET_POLL_MS, call);
    const lookedAt = performance.now();
    const change = await window.next(leftMs());
    lookMs = performance.now() - lookedAt;
    if (change === null) {
      isQuiet = lookedAt - since >= quietMs;
    } else {
      lastChange = change;
      since = performance.now();
    }
  }
  if (!isQuiet) await pause(end - performance.now(), call);
  return {
    value: isQuiet,
    outcome: onlyLooked({
      details: {
        waitedMs: Math.round(performance.now() - started),
        quietMs,
        compared: [...window.compared].sort(),
        lastChange,
        ...(isQuiet && lastChange === null ? { note: NOTHING_YET } : {}),
      },
    }),
  };
}

/**
 * Text as messages, in one stream. A character is a WM_CHAR that is sent: its window has handled it before the next one
 * leaves, so the text is never ahead of the program, no later action overtakes it, and no key can mistake a character in
 * the queue for its own. Line breaks, tabs and backspaces are keys, which are posted, since the program's own message loop
 * makes their characters; nothing follows before the queue is empty.
 * Source: learn.microsoft.com/windows/win32/inputdev/about-keyboard-input
 */
import { UiaHostError, type Delivery } from '../../contract/errors.ts';
import type { DialogInFront } from '../../contract/element/element-words.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { parseChord } from '../../contract/keys/keys.ts';
import { takesLetterAfterKey } from '../../contract/ways/receivers.ts';
import { arrivalOf, readEditState, type EditState } from '../evidence/edit-state.ts';
import { postCharacters, sendCharacter, sendNeutralKey } from '../exits/input.ts';
import { toolkitOf } from '../windows/toolkit.ts';
import { pause, throwIfAborted, Turns, type Deadline, STALL_MS, taken } from '../windows/waiting.ts';
import { focusOf, isInMenu, rootOf } from '../windows/window-info.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { postKeyChange } from './chords-background.ts';
import { dialogsSince, shownDialog } from '../elements/finding/element-target.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';
import { resolveAll } from '../windows/key-codes.ts';

/** Text that is put in by other messages is put in by parts of this size. */
export const CHUNK_UNITS = 400;
/** The most characters that wait in a queue where they have to be posted. */
const MOST_AHEAD = 64;
/** Part of the deadline (ms) that remains for reading the text back and for the answer. */
const RESERVE_MS = 400;
const KEYS: Readonly<Record<string, string>> = { '\r': 'enter', '\t': 'tab', '\b': 'backspace' };
/** The messages of a key: down, its character, up. */
const OF_A_KEY = 3;

const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Grapheme clusters of a text; CRLF, CR and LF are one Enter each. */
export function* typedClusters(text: string): Generator<string> {
  for (const { segment } of clusters.segment(text.replaceAll(/\r\n|\n/g, '\r'))) yield segment;
}

export function stoppedAfter(typed: number, reason: unknown, isOpen = false): UiaHostError {
  const code = reason instanceof UiaHostError ? reason.code : 'cancelled';
  return new UiaHostError(code, `Typing was stopped; ${typed} characters were typed.${isOpen ? OPEN : ''}`, {
    delivery: deliveryOf(typed, isOpen),
  });
}

/** For a character that was sent and not answered. */
const OPEN = ' One more was sent, and its window has not answered yet.';

const deliveryOf = (typed: number, isOpen: boolean): Delivery =>
  typed > 0 ? 'delivered' : isOpen ? 'unknown' : 'not_delivered';

/** One key press, down and up. */
export function postKey(target: KeyTarget, name: string): void {
  const keys = resolveAll(parseChord(name), target);
  postKeyChange(target, keys, 'down', false);
  postKeyChange(target, keys, 'up', false);
}

/** How long (ms) a program may take to paint before its answers are counted instead. */
const PAINT_MS = 1500;
const PAINT_POLL_MS = 2;
/** One pixel of the client area: a RECT. */
const PIXEL = Buffer.from(Int32Array.of(0, 0, 1, 1).buffer);

/**
 * Waits until a program has taken what was posted to it. A thread gets WM_PAINT only when nothing posted is left in its
 * queue, so a pixel that is to be painted shows that. A program may paint in between by itself: once for each message.
 * Where it cannot be made to paint (minimised, covered by its own parts), its answers are counted, of which a loop that
 * looks before it fetches gives two for a message. Errors: cancelled.
 * Source: learn.microsoft.com/windows/win32/gdi/the-wm-paint-message
 */
async function drained(hwnd: number, posted: number, deadline: Deadline): Promise<void> {
  const { call } = deadline;
  const end = performance.now() + deadline.share(PAINT_MS, RESERVE_MS);
  for (let round = 0; round < posted && performance.now() < end; round += 1) {
    user32.InvalidateRect(hwnd, PIXEL, false);
    while (user32.GetUpdateRect(hwnd, null, false) && performance.now() < end)
      await pause(PAINT_POLL_MS, call, 'delivered');
  }
  await taken(hwnd, 2 * posted, deadline.share(STALL_MS, RESERVE_MS), call);
  throwIfAborted(call, 'delivered');
}

/** Waits until a key posted before has been processed. Errors: cancelled. */
export const keyTaken = ({ hwnd }: KeyTarget, deadline: Deadline): Promise<void> => drained(hwnd, OF_A_KEY, deadline);

interface TextOptions {
  /** False for the system's own edit controls, which take these as characters. */
  readonly asKeys: boolean;
  readonly deadline: Deadline;
  /** Called once the program has processed a line break. */
  afterEnter?(): Promise<unknown>;
  /** Where the text is a part of another: how many characters went before it, and how many there are. */
  readonly part?: { readonly before: number; readonly all: number };
}

/** @param root the window that the field was in */
const gone = (root: number, typed: number, isOpen: boolean): UiaHostError =>
  user32.IsWindow(root)
    ? new UiaHostError('element_stale', `The field no longer exists; ${typed} characters were typed.`, {
        delivery: deliveryOf(typed, isOpen),
      })
    : new UiaHostError('window_gone', `The window no longer accepts characters; ${typed} were typed.`, {
        delivery: deliveryOf(typed, isOpen),
      });

/** What was not taken in time is named: the rest can be typed by another call. */
function tooLate(typed: number, all: number, isOpen: boolean): UiaHostError {
  return new UiaHostError(
    'deadline_exceeded',
    `The program took ${typed} of ${all} characters within the deadline; the rest was not sent.${isOpen ? OPEN : ''}`,
    {
      delivery: deliveryOf(typed, isOpen),
      hint: 'Look at the text, then type the rest, with a longer deadlineMs for a slow program.',
    },
  );
}

/** A program that asks something about a character takes no other one before it has its answer. */
function askedAt(count: number, all: number, dialog: DialogInFront): UiaHostError {
  return new UiaHostError(
    'target_disabled',
    `At character ${count} of ${all} the program opened the dialog ${quoted(dialog.title)} (${dialog.hwnd}); the rest was not sent.`,
    {
      delivery: 'delivered',
      hint: `Bind the dialog ${dialog.hwnd} and answer it, then look at the text and type what is missing.`,
      candidates: [{ hwnd: dialog.hwnd, title: dialog.title }],
    },
  );
}

/** Before more of a text is sent. Errors: target_disabled. */
function requireUnasked({ hwnd }: KeyTarget, typed: number, all: number): void {
  const dialog = shownDialog(rootOf(hwnd));
  if (dialog !== null) throw askedAt(typed, all, dialog);
}

/** How often (ms) a program that has not handled a character is looked at: a dialog of its own may keep it. */
const DIALOG_POLL_MS = 20;
/** A program that opens a window and does not handle a character for this time (ms) waits for an answer there. */
const KEPT_MS = 500;

type Dialogs = ReturnType<typeof dialogsSince>;

/** How long (ms) a character that has begun may take to be whole after a stop or at the deadline. */
const WHOLE_MS = RESERVE_MS / 2;

/**
 * Sends one character and waits until its window has handled it. False if the window is gone, asks something in a dialog, or is
 * too slow at a stop or the deadline.
 */
async function sendCluster(
  hwnd: number,
  cluster: string,
  needsKey: boolean,
  asked: Dialogs,
  deadline: Deadline,
): Promise<boolean> {
  const { signal } = deadline.call;
  const late = Promise.withResolvers<boolean>();
  let isLate = false;
  const giveUp = (): void => {
    isLate = true;
    late.resolve(false);
  };
  const timers = [setTimeout(giveUp, deadline.remaining(WHOLE_MS))];
  const onAbort = (): void => void timers.push(setTimeout(giveUp, WHOLE_MS));
  const begun = performance.now();
  const poll = setInterval(() => {
    const seen = asked();
    if (seen !== null && (seen.isInFront || performance.now() - begun > KEPT_MS)) giveUp();
  }, DIALOG_POLL_MS);
  signal.addEventListener('abort', onAbort, { once: true });
  const send = async (): Promise<boolean> =>
    (!needsKey || (await sendNeutralKey(hwnd))) && !isLate && sendCharacter(hwnd, cluster, () => isLate);
  try {
    return await Promise.race([send(), late.promise]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    clearInterval(poll);
    signal.removeEventListener('abort', onAbort);
  }
}

/** The field in which a grid takes the rest of a text: it opened in the window that got the first character, and has the focus since. */
function openedInPlace({ hwnd, thread, kind }: KeyTarget, focused: number): number | null {
  if (kind !== 'other') return null;
  const now = focusOf(thread);
  return now !== focused && now !== hwnd && now !== 0 && user32.IsChild(hwnd, now) ? now : null;
}

/**
 * Types a text and returns the number of grapheme clusters that its window has taken. Abort and deadline are checked
 * between them. Errors: window_gone, deadline_exceeded, cancelled, target_disabled where the program asks something meanwhile,
 * and others, which say how many were typed.
 */
export async function sendText(
  target: KeyTarget,
  text: string,
  { asKeys, deadline, afterEnter, part }: TextOptions,
): Promise<number> {
  const { call } = deadline;
  const { thread, kind } = target;
  let { hwnd } = target;
  const focused = focusOf(thread);
  // A menu's loop, a dialog's and lists take what is in the queue.
  const root = rootOf(hwnd);
  const asked = dialogsSince(root);
  const isSent = (kind === 'other' || kind === 'edit' || kind === 'rich-edit') && !isInMenu(thread);
  const needsKey = isSent && takesLetterAfterKey(toolkitOf(hwnd));
  const all = [...typedClusters(text)];
  const turns = new Turns();
  const before = part?.before ?? 0;
  const whole = part?.all ?? all.length;
  let typed = 0;
  let waiting = 0;
  let isFresh = true;
  const stopping = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw call.signal.aborted ? stoppedAfter(before + typed, call.signal.reason) : error;
    });
  if (isSent) await stopping(drained(hwnd, 1, deadline));
  for (const cluster of all) {
    if (call.signal.aborted) throw stoppedAfter(before + typed, call.signal.reason);
    if (deadline.remaining(RESERVE_MS) <= 0) throw tooLate(before + typed, whole, false);
    const key = asKeys ? KEYS[cluster] : undefined;
    if (key !== undefined) {
      postKey({ ...target, hwnd }, key);
      waiting += OF_A_KEY;
    } else if (isSent) {
      if (!(await sendCluster(hwnd, cluster, needsKey && isFresh, asked, deadline))) {
        if (call.signal.aborted) throw stoppedAfter(before + typed, call.signal.reason, true);
        const dialog = asked()?.dialog ?? null;
        // What it asks about the last character is for the outcome.
        if (dialog !== null && typed + 1 === all.length) return all.length;
        if (dialog !== null) throw askedAt(before + typed + 1, whole, dialog);
        throw user32.IsWindow(hwnd) ? tooLate(before + typed, whole, true) : gone(root, before + typed, true);
      }
    } else {
      if (!postCharacters(hwnd, cluster)) throw gone(root, before + typed, false);
      waiting += cluster.length;
    }
    isFresh = key !== undefined;
    typed += 1;
    hwnd = openedInPlace(target, focused) ?? target.hwnd;
    if (key !== undefined || waiting >= MOST_AHEAD) {
      await stopping(drained(hwnd, waiting, deadline));
      waiting = 0;
      if (key === 'enter') await stopping(afterEnter?.() ?? Promise.resolve());
    }
    await turns.next();
  }
  if (waiting > 0) await stopping(drained(hwnd, waiting, deadline));
  return typed;
}

/** More than a field whose program watches each character takes. */
const BEGINNING = 64;

/**
 * Types a text into an edit control as a person does: its program may change or refuse characters as they come, which no
 * message tells. A long text, or one with line breaks, is typed up to its beginning alone, where the field takes that
 * unchanged. Returns what is left, which can be put in at once. Errors: as sendText.
 * @param before the state of the field; null if it must not be read
 * @param putIn puts line breaks and tabs in, which as characters may be keys of a dialog
 */
export async function typeBeginning(
  target: KeyTarget,
  before: EditState | null,
  text: string,
  deadline: Deadline,
  putIn: (controls: string) => void,
): Promise<{ readonly typed: number; readonly rest: string }> {
  const all = [...typedClusters(text)];
  const control = all.findIndex((cluster) => /\p{Cc}/u.test(cluster));
  const beginning = all.slice(
    0,
    Math.min(before === null ? all.length : BEGINNING, control < 0 ? all.length : control),
  );
  const rest = text.slice(beginning.join('').length);
  if (beginning.length === 0) return { typed: 0, rest };
  const options = { asKeys: false, deadline };
  const typed = await sendText(target, beginning.join(''), { ...options, part: { before: 0, all: all.length } });
  if (rest === '') return { typed, rest };
  requireUnasked(target, typed, all.length);
  const begun = readEditState(target, deadline.share(STALL_MS, RESERVE_MS));
  if (before !== null && begun !== null && arrivalOf(before, begun, beginning.join('')) === 'verified')
    return { typed, rest };
  let count = typed;
  for (const part of rest.split(/(\p{Cc}+)/u).filter((each) => each !== '')) {
    requireUnasked(target, count, all.length);
    if (!/\p{Cc}/u.test(part))
      count += await sendText(target, part, { ...options, part: { before: count, all: all.length } });
    else {
      putIn(part);
      count += [...typedClusters(part)].length;
    }
  }
  return { typed: count, rest: '' };
}

/** A text as characters alone, at once; `\r\n` is one Enter. Whether all of it was posted. */
export const postWhole = (hwnd: number, text: string): boolean =>
  postCharacters(hwnd, text.replaceAll(/\r\n|\n/g, '\r'));

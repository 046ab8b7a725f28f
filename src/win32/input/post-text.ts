/**
 * Text as posted messages. A character is a WM_CHAR; line breaks, tabs and backspaces are keys, which the program's own
 * message loop translates: editors handle Enter as a key and insert what their mode requires, or ignore a WM_CHAR 13
 * without a key before it. Source: learn.microsoft.com/windows/win32/inputdev/about-keyboard-input
 */
import { UiaHostError } from '../../contract/errors.ts';
import { parseChord } from '../../contract/keys/keys.ts';
import type { CallContext } from '../../desktop/index.ts';
import { postCharacters } from '../exits/input.ts';
import { pause, type Deadline, STALL_MS, taken } from '../windows/waiting.ts';
import { postKeyChange, resolveAll } from './chords-background.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';

/** A thread's queue holds 10,000 messages; waiting after each chunk stays far below that. */
export const CHUNK_UNITS = 400;
/** A program that is waiting for messages takes one within this time. */
const TAKEN_MS = 1;
const KEYS: Readonly<Record<string, string>> = { '\r': 'enter', '\t': 'tab', '\b': 'backspace' };

const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Grapheme clusters of a text; CRLF, CR and LF are one Enter each. */
export function* typedClusters(text: string): Generator<string> {
  for (const { segment } of clusters.segment(text.replaceAll(/\r\n|\n/g, '\r'))) yield segment;
}

export function stoppedAfter(typed: number, reason: unknown): UiaHostError {
  const code = reason instanceof UiaHostError ? reason.code : 'cancelled';
  return new UiaHostError(code, `Typing was stopped; ${typed} characters were typed.`, {
    delivery: typed > 0 ? 'delivered' : 'not_delivered',
  });
}

/** One key press, down and up. */
export function postKey(target: KeyTarget, name: string): void {
  const keys = resolveAll(parseChord(name), target);
  postKeyChange(target, keys, 'down', false);
  postKeyChange(target, keys, 'up', false);
}

/** Waits until a key posted behind `waiting` messages has been processed. Errors: cancelled. */
export async function keyTaken(
  { hwnd }: KeyTarget,
  waiting: number,
  call: CallContext,
  deadline: Deadline,
): Promise<void> {
  await pause(TAKEN_MS, call, 'delivered');
  await taken(hwnd, waiting, deadline.share(STALL_MS), call);
}

export interface PostOptions {
  /** False for the system's own edit controls, which take these as characters. */
  readonly asKeys: boolean;
  readonly call: CallContext;
  readonly deadline: Deadline;
  /** Waits for the program after that many characters, so that its queue holds no more. */
  settle(typed: number): Promise<unknown>;
  /** Called once the program has processed a line break. */
  afterEnter?(): Promise<unknown>;
}

/**
 * Posts a text and returns the number of grapheme clusters. Abort is checked between them. The program queues the
 * character of a key behind its other messages when it processes the key, so nothing more is posted before that.
 * Errors: window_gone, cancelled and others, which say how many were typed.
 */
export async function postText(
  target: KeyTarget,
  text: string,
  { asKeys, call, deadline, settle, afterEnter }: PostOptions,
): Promise<number> {
  let typed = 0;
  let waiting = 0;
  for (const cluster of typedClusters(text)) {
    if (call.signal.aborted) throw stoppedAfter(typed, call.signal.reason);
    const key = asKeys ? KEYS[cluster] : undefined;
    if (key !== undefined) postKey(target, key);
    else if (!postCharacters(target.hwnd, cluster))
      throw new UiaHostError('window_gone', `The window no longer accepts characters; ${typed} were typed.`, {
        delivery: typed > 0 ? 'delivered' : 'not_delivered',
      });
    typed += 1;
    waiting += cluster.length + (key === undefined ? 0 : 2);
    if (key !== undefined) {
      await keyTaken(target, waiting, call, deadline).catch(() => {
        throw stoppedAfter(typed, call.signal.reason);
      });
      waiting = 0;
      if (key === 'enter') await afterEnter?.();
    } else if (waiting >= CHUNK_UNITS) {
      waiting = 0;
      await settle(typed);
    }
  }
  return typed;
}

/** A text as characters alone, at once; `\r\n` is one Enter. Whether all of it was posted. */
export const postWhole = (hwnd: number, text: string): boolean =>
  postCharacters(hwnd, text.replaceAll(/\r\n|\n/g, '\r'));

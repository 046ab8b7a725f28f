/**
 * Text as posted messages. A character is a WM_CHAR; a line break, a tab and a backspace are keys, whose characters the
 * program's own loop makes: editors take Enter as a key and write what their mode says, or drop a WM_CHAR 13 that no key
 * came before. Source: learn.microsoft.com/windows/win32/inputdev/about-keyboard-input
 */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { parseChord } from '../../contract/keys.ts';
import type { CallContext } from '../../desktop/index.ts';
import { pause, type Deadline } from '../windows/waiting.ts';
import { STALL_MS, taken } from '../windows/program-time.ts';
import { postKeyChange, resolveAll } from './chords-background.ts';
import type { KeyTarget } from '../elements/focus/text-target.ts';

const WM_CHAR = 0x0102;
/** A thread's queue holds 10,000 messages; waiting after each chunk keeps far below that. */
export const CHUNK_UNITS = 400;
/** A program that waits for messages takes one within it. */
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

function postCharacters({ hwnd }: KeyTarget, cluster: string, typed: number): void {
  for (let unit = 0; unit < cluster.length; unit += 1) {
    if (!user32.PostMessageW(hwnd, WM_CHAR, cluster.charCodeAt(unit), 1)) {
      throw new UiaHostError('window_gone', `The window takes no more characters; ${typed} were typed.`, {
        delivery: typed > 0 ? 'delivered' : 'not_delivered',
      });
    }
  }
}

/** One key of the keyboard, down and up. */
export function postKey(target: KeyTarget, name: string): void {
  const keys = resolveAll(parseChord(name), target);
  postKeyChange(target, keys, 'down', false);
  postKeyChange(target, keys, 'up', false);
}

/** Waits until a key that was posted behind `waiting` messages has been taken. Errors: cancelled. */
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
  /** Waits for the program after so many characters that it holds no more than that. */
  settle(typed: number): Promise<unknown>;
  /** Once the program has taken a line break. */
  afterEnter?(): Promise<unknown>;
}

/**
 * Posts a text; tells how many grapheme clusters. Abort is looked at between them. The character of a key comes behind what
 * is in the queue when the program takes the key, so nothing more is posted before it has.
 * Errors: window_gone, cancelled and the like, which say how many were typed.
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
    if (key === undefined) postCharacters(target, cluster, typed);
    else postKey(target, key);
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

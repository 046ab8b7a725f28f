/** Whether a person is using keyboard or mouse, as opposed to the host's own input. */
import { VK_LBUTTON, VK_LWIN, VK_MENU, VK_RBUTTON, VK_RWIN } from '../../../native-bindings/win32/constants.ts';
import { LASTINPUTINFO } from '../../../native-bindings/win32/structs.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { pause, type Deadline } from './waiting.ts';
import { cursorPosition } from './witness.ts';

/** Ticks between which the host sent input itself: what the system counts in that time is not a person's. */
export interface OwnInput {
  readonly from: number;
  readonly to: number;
}

/** A person's input matters for a second; no worker sends more often than this in that time. */
const KEPT = 64;

const isIn = (tick: number, { from, to }: OwnInput): boolean => tick >= from && tick <= to;

/** The last input of a person, among the inputs that the system reported. */
export class InputTimes {
  readonly #ours: OwnInput[] = [];
  /** Times of a person's input, as far as known; oldest first, each once. */
  #person: number[] = [];

  /** The system's last input has this tick. */
  seen(tick: number): void {
    if (this.#person.at(-1) !== tick && !this.#ours.some((own) => isIn(tick, own))) keep(this.#person, tick);
  }

  /** This worker sends input. What was seen before was a person's and stays one. */
  ours(own: OwnInput): void {
    keep(this.#ours, own);
  }

  /** Another worker sent input. Its report may come later than the system's. */
  oursElsewhere(own: OwnInput): void {
    keep(this.#ours, own);
    this.#person = this.#person.filter((tick) => !isIn(tick, own));
  }

  /** The tick of the last input that was not ours; null if none is known. */
  lastOfPerson(): number | null {
    return this.#person.at(-1) ?? null;
  }
}

function keep<T>(list: T[], entry: T): void {
  list.push(entry);
  if (list.length > KEPT) list.shift();
}

/** Real input yields to a person whose own input is more recent than this (ms). */
export const YIELD_MS = 500;
/** Input that the system records this soon after ours counts as ours. */
const OURS_MS = 50;
/** A pause between our own inputs, long enough to notice that a person is using the machine. */
export const LISTEN_MS = OURS_MS + 40;
/** Resolution of the system's tick count. */
const TICK_MS = 16;
/** Reserved from the deadline for the input and the answer. */
const RESERVE_MS = 300;

const input = new InputTimes();
/** From when on the last input was ours. */
let oursSince = Number.NEGATIVE_INFINITY;
let report: (ours: OwnInput) => void = () => {};

/** The host's workers tell each other when they sent input: one must not take another's for a person's. */
export function onOwnInput(tell: (ours: OwnInput) => void): void {
  report = tell;
}

/** Input that another worker sent. */
export function noteInputElsewhere(ours: OwnInput): void {
  input.oursElsewhere(ours);
}

/** The system's tick of the last input; null if unknown. Remembers it. */
function readLastInput(): number | null {
  const info = LASTINPUTINFO.alloc({ cbSize: LASTINPUTINFO.size });
  if (!user32.GetLastInputInfo(info)) return null;
  const last = info.readUInt32LE(LASTINPUTINFO.at.dwTime);
  input.seen(last);
  return last;
}

/** `sentFrom`: the tick before which nothing was sent, for the other workers. */
function noteOurs(from: number, sentFrom = from): void {
  const to = kernel32.GetTickCount() + OURS_MS;
  oursSince = from;
  input.ours({ from, to });
  report({ from: sentFrom, to });
}

/** Call it right after sending real input. */
export function noteInjected(): void {
  const now = kernel32.GetTickCount();
  noteOurs(Math.max(oursSince, now - OURS_MS), now - 2 * TICK_MS);
}

/**
 * Posted messages are not input, but the system may count what the program does in response: it captures the mouse or shows
 * a window under the cursor. None of that moves the cursor: if it moved, a person moved it.
 * @returns call it once the program has processed what was posted
 */
export function posting(): () => void {
  readLastInput();
  const from = kernel32.GetTickCount() - TICK_MS;
  const before = cursorPosition();
  return () => {
    const after = cursorPosition();
    if (before?.x === after?.x && before?.y === after?.y) noteOurs(from);
  };
}

/**
 * Milliseconds since a person last used keyboard or mouse, as far as the system reports it.
 * The system counts injected input too, so input at the time of ours counts as ours.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getlastinputinfo
 */
export function personIdleMs(): number {
  if (readLastInput() === null) return Number.POSITIVE_INFINITY;
  const last = input.lastOfPerson();
  return last === null ? Number.POSITIVE_INFINITY : (kernel32.GetTickCount() - last) >>> 0;
}

/**
 * Waits until keyboard and mouse have been idle for a while, for input that shares the keyboard with the person.
 * Errors: user_active if that does not happen within the deadline; nothing was sent. Cancelled.
 */
export async function quietMoment(quietMs: number, deadline: Deadline): Promise<void> {
  for (;;) {
    const missing = quietMs - personIdleMs();
    if (missing <= 0) return;
    if (missing > deadline.remaining(RESERVE_MS)) {
      throw new UiaHostError(
        'user_active',
        `A person used the keyboard or mouse within the last ${quietMs} ms and did not pause before the deadline. Nothing was sent.`,
        {
          hint: 'Try again later, or with a longer deadlineMs, which leaves more time to wait for a pause.',
        },
      );
    }
    await pause(missing, deadline.call);
  }
}

/** Keys and buttons by which a person brings another window to the front. */
const SWITCHING = [VK_LBUTTON, VK_RBUTTON, VK_MENU, VK_LWIN, VK_RWIN];
/** Down now, or pressed since it was last read. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getasynckeystate */
const PRESSED = 0x8001;

/** Whether each was pressed since the last call. Another program may have read it first: then it counts as not pressed. */
const wasSwitching = (): boolean =>
  // Each is read, which resets it.
  SWITCHING.filter((key) => (user32.GetAsyncKeyState(key) & PRESSED) !== 0).length > 0;

/**
 * Watches from now on for what a person does to bring another window to the front: moves the mouse, presses a button, Alt
 * or the Windows key. The time of the last input would not tell: it changes when a program comes forward under the cursor,
 * and while a person types on in the window that was in front.
 */
export function watchForSwitch(): () => boolean {
  wasSwitching();
  const before = cursorPosition();
  return () => {
    const after = cursorPosition();
    return wasSwitching() || before?.x !== after?.x || before?.y !== after?.y;
  };
}

/** Whether a person uses keyboard or mouse, told from what the host sends itself. */
import { LASTINPUTINFO } from '../../../native-bindings/win32/structs.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/index.ts';
import { pause, type Deadline } from './waiting.ts';
import { cursorPosition } from './witness.ts';

/** What the system notes so soon after our own input counts as ours. */
const OURS_MS = 50;
/** A pause between our own inputs in which a person who goes on using the machine is told from us. */
export const LISTEN_MS = OURS_MS + 40;
/** How coarse the system's tick count is. */
const TICK_MS = 16;
/** Kept back from the deadline for the input itself and the answer. */
const RESERVE_MS = 300;

/** Ticks between which the last input of this process was taken: what the system notes in them is not a person's. */
let ours = { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
/** Tick of the last input that was none of ours. */
let lastPerson = Number.NEGATIVE_INFINITY;

/** The system's tick of the last input; null where it does not say. The person's own is kept, as far as it is one. */
function lookAtInput(): number | null {
  const info = LASTINPUTINFO.alloc({ cbSize: LASTINPUTINFO.size });
  if (!user32.GetLastInputInfo(info)) return null;
  const last = info.readUInt32LE(LASTINPUTINFO.at.dwTime);
  if (last < ours.from || last > ours.to) lastPerson = last;
  return last;
}

/** Says that real input was just sent from here. */
export function noteInjected(): void {
  const now = kernel32.GetTickCount();
  ours = { from: Math.max(ours.from, now - OURS_MS), to: now + OURS_MS };
}

/**
 * Posted input is none, but the program may answer it with what the system counts as some: it takes the mouse capture or
 * shows a window under the cursor. The cursor itself does not move by that: where it did, a person has moved it.
 * @returns to be called once the program has taken what was posted
 */
export function posting(): () => void {
  lookAtInput();
  const from = kernel32.GetTickCount() - TICK_MS;
  const before = cursorPosition();
  return () => {
    const after = cursorPosition();
    if (before?.x === after?.x && before?.y === after?.y) ours = { from, to: kernel32.GetTickCount() + OURS_MS };
  };
}

/**
 * Milliseconds since a person last used keyboard or mouse, as far as the system tells.
 * The system counts injected input too, so what came with our own counts as ours.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getlastinputinfo
 */
export function personIdleMs(): number {
  if (lookAtInput() === null || lastPerson === Number.NEGATIVE_INFINITY) return Number.POSITIVE_INFINITY;
  return (kernel32.GetTickCount() - lastPerson) >>> 0;
}

/**
 * Waits until nobody has used keyboard or mouse for a while, for input that shares the keyboard with the person.
 * Errors: user_active where that does not come within the deadline; nothing was sent. Cancelled.
 */
export async function quietMoment(quietMs: number, deadline: Deadline, call: CallContext): Promise<void> {
  for (;;) {
    const missing = quietMs - personIdleMs();
    if (missing <= 0) return;
    if (missing > deadline.remaining(RESERVE_MS)) {
      throw new UiaHostError(
        'user_active',
        `Keyboard or mouse were used within the last ${quietMs} ms, and the deadline leaves no time for a quiet moment; nothing was sent.`,
        {
          hint: 'Try again a moment later, or with a longer deadlineMs: it is waited for.',
        },
      );
    }
    await pause(missing, call);
  }
}

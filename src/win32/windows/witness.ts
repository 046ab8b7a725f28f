/** What an action does to the foreground and the cursor, seen before and after it. */
import { EVENT_SYSTEM_FOREGROUND } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Attempt, DeliveryWay, EffectSeen, Evidence, Outcome } from '../../contract/outcome.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { WinEvents, takeEvents } from './window-journal.ts';

const pointMemory = Buffer.alloc(8);

/** The cursor's place, screen pixels; null while another desktop has the input. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getcursorpos */
export function cursorPosition(): Point | null {
  return user32.GetCursorPos(pointMemory) ? { x: pointMemory.readInt32LE(0), y: pointMemory.readInt32LE(4) } : null;
}

/** More than come forward during an action. */
const MOST_KEPT = 256;
/** When each window last came forward, counted since this process first took a witness; the latest last. */
const cameForward = new Map<number, number>();
let count = 0;
/**
 * Windows reports every change of the foreground, so that a change that is reverted immediately is seen too. Lasts until the
 * process ends.
 */
const foreground = new WinEvents((_event, hwnd) => {
  cameForward.delete(hwnd);
  cameForward.set(hwnd, (count += 1));
  if (cameForward.size > MOST_KEPT) cameForward.delete(cameForward.keys().next().value!);
});

/** The outcome of what only looks. */
export const onlyLooked = (found: Pick<Outcome, 'details'> & Partial<Pick<Outcome, 'evidence'>>): Outcome => ({
  effect: 'none',
  delivery: 'none',
  evidence: [],
  attempts: [],
  focusChanged: false,
  cursorMoved: false,
  ...found,
});

/** What an action reports; the witness adds what it did to focus and cursor. */
export interface Findings {
  readonly effect: EffectSeen;
  readonly delivery: DeliveryWay;
  readonly evidence?: readonly Evidence[];
  readonly attempts?: readonly Attempt[];
  readonly readBack?: Outcome['readBack'];
  readonly details?: Record<string, unknown>;
}

/** Foreground window and cursor before an action. */
export interface Witness {
  readonly foregroundBefore: number;
  readonly cursorBefore: Point | null;
  /** Compares them with the present ones. */
  seen(): { focusChanged: boolean; cursorMoved: boolean };
  /** The findings with what is seen now. */
  outcome(findings: Findings): Outcome;
}

/**
 * Records the foreground window and the cursor. Every action that may change them starts with it, so that each outcome
 * reports the change. A foreground that changed and changed back counts; a cursor that did is not noticed.
 */
export function startWitness(): Witness {
  if (!foreground.has(0)) foreground.hook(0, EVENT_SYSTEM_FOREGROUND, EVENT_SYSTEM_FOREGROUND);
  takeEvents();
  const since = count;
  const [foregroundBefore, cursorBefore] = [user32.GetForegroundWindow(), cursorPosition()];
  const seen = (): { focusChanged: boolean; cursorMoved: boolean } => {
    takeEvents();
    const cursor = cursorPosition();
    return {
      focusChanged:
        user32.GetForegroundWindow() !== foregroundBefore ||
        [...cameForward].some(([hwnd, at]) => at > since && hwnd !== foregroundBefore),
      cursorMoved: cursor?.x !== cursorBefore?.x || cursor?.y !== cursorBefore?.y,
    };
  };
  return {
    foregroundBefore,
    cursorBefore,
    seen,
    outcome: ({ effect, delivery, evidence = [], attempts = [], readBack, details }) => ({
      effect,
      delivery,
      evidence: [...evidence],
      attempts: [...attempts],
      ...seen(),
      ...(readBack === undefined ? {} : { readBack }),
      ...(details === undefined ? {} : { details }),
    }),
  };
}

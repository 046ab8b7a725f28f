/** What an action does to the foreground and the cursor, seen before and after it. */
import { EVENT_SYSTEM_FOREGROUND } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Attempt, DeliveryWay, EffectSeen, Evidence, Outcome } from '../../contract/outcome.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { WinEvents, takeEvents } from './win-events.ts';

/** More than come forward during an action. */
const MOST_KEPT = 256;

export class ForegroundLog {
  #kept: number[] = [];
  #count = 0;

  /** How many have come forward since the process began. */
  get count(): number {
    return this.#count;
  }

  add(hwnd: number): void {
    this.#count += 1;
    this.#kept.push(hwnd);
    if (this.#kept.length >= 2 * MOST_KEPT) this.#kept = this.#kept.slice(-MOST_KEPT);
  }

  /** Whether another window than this one has come forward since that count; more than are kept cannot all be one. */
  isOtherThan(hwnd: number, since: number): boolean {
    const news = this.#count - since;
    return news > this.#kept.length || (news > 0 && this.#kept.slice(-news).some((each) => each !== hwnd));
  }
}

const pointMemory = Buffer.alloc(8);

/** The cursor's place, screen pixels; null while another desktop has the input. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getcursorpos */
export function cursorPosition(): Point | null {
  return user32.GetCursorPos(pointMemory) ? { x: pointMemory.readInt32LE(0), y: pointMemory.readInt32LE(4) } : null;
}

/** Windows that came to the foreground since this process first took a witness. */
const cameForward = new ForegroundLog();
/**
 * Windows reports every change of the foreground, so that a change that is reverted immediately is seen too. Lasts until the
 * process ends.
 */
const foreground = new WinEvents((_event, hwnd) => cameForward.add(hwnd));

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
  const since = cameForward.count;
  const [foregroundBefore, cursorBefore] = [user32.GetForegroundWindow(), cursorPosition()];
  const seen = (): { focusChanged: boolean; cursorMoved: boolean } => {
    takeEvents();
    const cursor = cursorPosition();
    return {
      focusChanged:
        user32.GetForegroundWindow() !== foregroundBefore || cameForward.isOtherThan(foregroundBefore, since),
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

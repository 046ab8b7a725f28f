import { user32 } from '../../native-bindings/win32/user32.ts';
import type { Attempt, DeliveryRung, EffectSeen, Evidence, Outcome } from '../contract/outcome.ts';
import type { Point } from '../contract/geometry.ts';

const pointMemory = Buffer.alloc(8);

/** Where the cursor is, screen pixels; null where another desktop has the input. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getcursorpos */
export function cursorPosition(): Point | null {
  return user32.GetCursorPos(pointMemory) ? { x: pointMemory.readInt32LE(0), y: pointMemory.readInt32LE(4) } : null;
}

/** What an action says of itself; the witness adds what it did to focus and cursor. */
export interface Findings {
  readonly effect: EffectSeen;
  readonly delivery: DeliveryRung;
  readonly evidence?: readonly Evidence[];
  readonly attempts?: readonly Attempt[];
  readonly readBack?: Outcome['readBack'];
  readonly details?: Record<string, unknown>;
}

/** Foreground window and cursor, remembered from before an action. */
export interface Witness {
  readonly foregroundBefore: number;
  readonly cursorBefore: Point | null;
  /** Looks again. */
  seen(): { focusChanged: boolean; cursorMoved: boolean };
  /** The findings with what is seen now. */
  outcome(findings: Findings): Outcome;
}

/**
 * Remembers who has the foreground and where the cursor is: taken first in every action that may change them, so that
 * no outcome leaves a change unsaid. It compares before and after; what changes and changes back in between goes unseen.
 */
export function startWitness(): Witness {
  const foregroundBefore = user32.GetForegroundWindow();
  const cursorBefore = cursorPosition();
  const seen = (): { focusChanged: boolean; cursorMoved: boolean } => {
    const cursor = cursorPosition();
    return {
      focusChanged: user32.GetForegroundWindow() !== foregroundBefore,
      cursorMoved: cursor?.x !== cursorBefore?.x || cursor?.y !== cursorBefore?.y,
    };
  };
  return {
    foregroundBefore,
    cursorBefore,
    seen,
    outcome: ({ evidence = [], attempts = [], readBack, details, ...rest }) => ({
      ...rest,
      evidence: [...evidence],
      attempts: [...attempts],
      ...seen(),
      ...(readBack === undefined ? {} : { readBack }),
      ...(details === undefined ? {} : { details }),
    }),
  };
}

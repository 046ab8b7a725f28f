/** What every window of the overlay’s thread shares. */
import type { MessagePump } from './message-pump.ts';
import type { FromOverlay } from './protocol.ts';

/** What every window of the overlay's thread stands on. */
export interface OverlayStage {
  readonly pump: MessagePump;
  /** Tells the host something. */
  tell(message: FromOverlay): void;
  /** For window procedures and timers: reports a fault without ending the thread. Never throws. */
  fault(error: unknown): void;
}

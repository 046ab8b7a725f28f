/** What every window of the overlay’s thread shares. */
import type { MessagePump } from './message-pump.ts';
import type { FromOverlay } from './protocol.ts';

/** Shared by all windows of the overlay's thread. */
export interface OverlayStage {
  readonly pump: MessagePump;
  /** Sends a message to the host. */
  tell(message: FromOverlay): void;
  /** For window procedures and timers: reports a fault without ending the thread. Never throws. */
  fault(error: unknown): void;
}

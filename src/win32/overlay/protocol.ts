/** Messages between the host, the overlay’s process and its window thread. */
import type { ApprovalCard, ApprovalDecision } from '../../contract/gate/approval.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Problem } from '../../contract/errors.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { HostState } from '../../contract/gate/session-status.ts';

/** The card's picture as the host stored it (PNG, JPEG or WebP); it may arrive after the card. */
export interface CardImage {
  readonly kind: 'image';
  readonly approvalId: string;
  readonly bytes: Uint8Array;
  /** The target, in pixels of the picture. */
  readonly outline: Rect | null;
}

/** The same decoded for GDI: four bytes per pixel (blue, green, red, unused), rows from the top. */
export interface CardPixels {
  readonly kind: 'pixels';
  readonly approvalId: string;
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** The target, in pixels of the picture. */
  readonly outline: Rect | null;
}

/** A visible card's expiry, and its whole waiting time. */
export interface CardClock {
  readonly kind: 'clock';
  readonly approvalId: string;
  readonly expiresAt: string;
  readonly totalMs: number;
}

/** Changes an owner's indicator; answered by `indicator-answer`. */
export interface IndicatorCall {
  readonly kind: 'indicator';
  readonly id: number;
  readonly owner: string;
  readonly record: BindingRecord | null;
  readonly change: 'show' | 'hide' | 'status';
  readonly message: string | undefined;
  /** The host's own words before the agent's; '' for none. */
  readonly notice: string;
}

/** The processes of the desktop workers: one may need the foreground once a person has approved that. */
export interface ServingWorkers {
  /** Null while there is none. */
  readonly first: number | null;
  /** Programs that another worker serves. */
  readonly further: ReadonlyArray<{ readonly program: number; readonly worker: number }>;
}

/** Host → overlay process. */
export type ToOverlay =
  /** Shows a card: immediately if none is shown, else after the waiting cards. */
  | { readonly kind: 'show'; readonly card: ApprovalCard }
  | CardImage
  /** Removes a card: it was decided elsewhere, expired, or its request was cancelled. */
  | { readonly kind: 'take-away'; readonly approvalId: string }
  | CardClock
  | IndicatorCall
  | ({ readonly kind: 'workers' } & ServingWorkers)
  /** Shows the state in the notification area; null takes the icon away. */
  | { readonly kind: 'icon'; readonly state: HostState | null }
  | { readonly kind: 'exit' };
/** Overlay process → its threads: that of the icon gets its state, the other all else. */
export type ToOverlayThread = Exclude<ToOverlay, CardImage> | CardPixels;

/** Whether the overlay can distinguish a person's input from a program's, and what prevents it. */
export interface Vouching {
  readonly canApprove: boolean;
  /** For the doctor: `no_input_origin`, `no_input_hook`, `server_edition`. */
  readonly hindrances: readonly VouchingHindrance[];
}
export type VouchingHindrance = 'no_input_origin' | 'no_input_hook' | 'server_edition';

/** Whose decision it is: a person's by a device, input that a program may have made, or none, since the card was lost. */
export type Decider = 'person' | 'unsure' | 'lost';

/** A command of the icon's menu; none gives agents more than they have. */
export type IconChoice = 'page' | 'pause' | 'stop';

export interface IndicatorAnswer {
  readonly kind: 'indicator-answer';
  readonly id: number;
  readonly value?: { readonly active: boolean; readonly message?: string };
  readonly problem?: Problem;
}

/** Overlay process → host. */
export type FromOverlay =
  | { readonly kind: 'ready'; readonly vouching: Vouching }
  /** Whether the emergency stop's hotkey is registered; while another program holds it, the overlay keeps trying. */
  | { readonly kind: 'stop-hotkey'; readonly isRegistered: boolean }
  /** The card is on the screen. */
  | { readonly kind: 'shown'; readonly approvalId: string }
  | {
      readonly kind: 'decided';
      readonly approvalId: string;
      readonly decision: ApprovalDecision;
      readonly by: Decider;
      /** For the log: `mouse`, `keyboard`, `window lost` … */
      readonly how: string;
    }
  /** Ignored input on the card, and why: a program made it, or the card was not fully visible. */
  | {
      readonly kind: 'refused';
      readonly approvalId: string;
      readonly reason: string;
      /** A program injected it, as remote control tools do. */
      readonly isInjected: boolean;
    }
  /** A person pressed the emergency stop. */
  | { readonly kind: 'stop'; readonly how: 'hotkey' | 'card' }
  | { readonly kind: 'icon-chosen'; readonly choice: IconChoice }
  | IndicatorAnswer
  /** A line for the host's log; never texts of windows or cards. */
  | { readonly kind: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };

export type FromOverlayThread = FromOverlay | { readonly kind: 'wake-handle'; readonly handle: number };

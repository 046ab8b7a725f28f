/** Messages between the host, the overlay’s process and its window thread. */
import type { ApprovalCard, ApprovalDecision } from '../../contract/approval.ts';
import type { BindingRecord } from '../../contract/binding.ts';
import type { Problem } from '../../contract/errors.ts';
import type { Rect } from '../../contract/geometry.ts';

/** Plain data that crosses between the host, the overlay's process and the thread that owns its windows. */

/** A card appears: at once where none is shown, else behind those that wait. */
export interface ShowCard {
  readonly kind: 'show';
  readonly card: ApprovalCard;
}

/** The card's picture as the host stored it (PNG, JPEG or WebP); it may come after the card. */
export interface CardImage {
  readonly kind: 'image';
  readonly approvalId: string;
  readonly bytes: Uint8Array;
  /** The target, in pixels of the picture. */
  readonly outline: Rect | null;
}

/** The same decoded, as GDI takes it: four bytes a pixel (blue, green, red, unused), rows from the top. */
export interface CardPixels {
  readonly kind: 'pixels';
  readonly approvalId: string;
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** The target, in pixels of the picture. */
  readonly outline: Rect | null;
}

/** The card goes away: decided elsewhere, expired, or its request was cancelled. */
export interface TakeCardAway {
  readonly kind: 'take-away';
  readonly approvalId: string;
}

/** The card is seen, and its time runs: until when, and how long in all. */
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
}

export interface OverlayExit {
  readonly kind: 'exit';
}

/** Host → overlay process. */
export type ToOverlay = ShowCard | CardImage | TakeCardAway | CardClock | IndicatorCall | OverlayExit;
/** Overlay process → its window thread. */
export type ToOverlayThread = Exclude<ToOverlay, CardImage> | CardPixels;

/** Whether the overlay can tell a person's input from a program's, and what keeps it from that. */
export interface Vouching {
  readonly canApprove: boolean;
  /** For the doctor: `no_input_origin`, `no_input_hook`, `server_edition`. */
  readonly hindrances: readonly VouchingHindrance[];
}
export type VouchingHindrance = 'no_input_origin' | 'no_input_hook' | 'server_edition';

export interface OverlayReady {
  readonly kind: 'ready';
  readonly vouching: Vouching;
}

/** The emergency stop's hotkey: another program may hold it, and then it is asked for again. */
export interface OverlayHotkey {
  readonly kind: 'stop-hotkey';
  readonly isRegistered: boolean;
}

/** The card stands on the screen. */
export interface CardShown {
  readonly kind: 'shown';
  readonly approvalId: string;
}

export interface CardDecided {
  readonly kind: 'decided';
  readonly approvalId: string;
  readonly decision: ApprovalDecision;
  /** For the log: `mouse`, `keyboard`, `window lost` … */
  readonly how: string;
}

/** Input on the card that did not count, and why: a program's, or a moment at which the card could not be seen. */
export interface InputRefused {
  readonly kind: 'refused';
  readonly approvalId: string;
  readonly reason: string;
  /** Input that a program injected, as remote control tools do. */
  readonly isInjected: boolean;
}

/** A person wants everything to stop. */
export interface StopPressed {
  readonly kind: 'stop';
  readonly how: 'hotkey' | 'card';
}

export interface IndicatorAnswer {
  readonly kind: 'indicator-answer';
  readonly id: number;
  readonly value?: { readonly active: boolean; readonly message?: string };
  readonly problem?: Problem;
}

/** Something for the host's log; never texts of windows or cards. */
export interface OverlayLog {
  readonly kind: 'log';
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

/** Overlay process → host. */
export type FromOverlay =
  | OverlayReady
  | OverlayHotkey
  | CardShown
  | CardDecided
  | InputRefused
  | StopPressed
  | IndicatorAnswer
  | OverlayLog;

/** Thread → overlay process: the handle that wakes it comes first. */
export interface ThreadGreeting {
  readonly kind: 'wake-handle';
  readonly handle: number;
}
export type FromOverlayThread = FromOverlay | ThreadGreeting;
